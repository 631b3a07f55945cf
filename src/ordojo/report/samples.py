"""Every sample of a run as script data: a light index, and chunks that pages load on demand."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ordojo.core.canonical import Json, canonical
from ordojo.core.records import SampleRecord
from ordojo.report.study import RunSummary
from ordojo.report.text import script

CHUNK = 100
"""Samples a chunk at most."""
CHUNK_CHARACTERS = 1_500_000
"""Text a chunk holds before the next one begins; a single sample may exceed it."""
PREVIEW = 48
"""Characters of the answer and of the ground truth that the list shows."""


def write_samples(summary: RunSummary, folder: Path) -> int:
    """Write `index.js` and `0.js`, `1.js`, ... to `folder`; returns the number of chunks."""
    folder.mkdir(parents=True)
    records = sorted([*summary.run.records, *summary.failures], key=_place)
    rows: list[list[Any]] = []
    starts: list[int] = []
    for number, chunk in enumerate(chunks(records)):
        starts.append(len(rows))
        rows += [row(record, summary.header.rule) for record in chunk]
        full = [record.to_json() for record in chunk]
        (folder / f"{number}.js").write_text(script(f"chunk/{number}", full), "ascii")
    index = {
        "rule": summary.header.rule,
        "rules": sorted({rule for record in records for rule in record.verdicts}),
        "labels": sorted({label for record in records for label in record.labels}),
        "starts": starts,
        "rows": rows,
    }
    (folder / "index.js").write_text(script("index", index), "ascii")
    return len(starts)


def _place(record: SampleRecord) -> tuple[list[tuple[bool, int, str]], int]:
    """Ids in the order that a reader expects: item-9 before item-10."""
    parts = re.split(r"([0-9]{1,18})", record.id)
    return [(p.isdecimal(), int(p) if p.isdecimal() else 0, p) for p in parts], record.epoch


def chunks(records: Sequence[SampleRecord]) -> Iterator[list[SampleRecord]]:
    """Cut records into chunks, bounded by number and by text."""
    chunk: list[SampleRecord] = []
    size = 0
    for record in records:
        length = _length(record)
        if chunk and (len(chunk) >= CHUNK or size + length > CHUNK_CHARACTERS):
            yield chunk
            chunk, size = [], 0
        chunk.append(record)
        size += length
    if chunk:
        yield chunk


def _length(record: SampleRecord) -> int:
    turns = record.episode.turns
    return sum(len(t.reply) + sum(len(m.content) for m in t.messages) for t in turns)


def row(record: SampleRecord, rule: str) -> list[Any]:
    """A sample in the list: id, epoch, outcome, score, labels, answer, gold, and all outcomes."""
    verdict = record.verdict(rule)
    return [
        record.id,
        record.epoch,
        "error" if record.error else verdict.outcome if verdict else "unscored",
        verdict.score if verdict else None,
        dict(record.labels),
        _short(verdict.answer if verdict else None),
        _short(record.gold),
        {name: found.outcome for name, found in record.verdicts.items()},
    ]


def _short(value: Json) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else canonical(value)
    text = " ".join(text[: 4 * PREVIEW].split())
    return text if len(text) <= PREVIEW else text[: PREVIEW - 1] + "…"
