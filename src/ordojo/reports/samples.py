"""Every sample of a run as script data: a light index, and chunks that pages load on demand."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from ordojo.core.benchmark import AnyBenchmark, Benchmark
from ordojo.core.canonical import Json, canonical
from ordojo.core.errors import OrdojoError
from ordojo.core.instance import Instance
from ordojo.core.options import parse_options
from ordojo.core.records import RunHeader, SampleRecord
from ordojo.reports.panels import draw
from ordojo.reports.study import RunSummary, StudyColumn
from ordojo.reports.text import packed_script, script

CHUNK = 100
"""Samples a chunk at most."""
CHUNK_CHARACTERS = 1_500_000
"""Text a chunk holds before the next one begins; a single sample may exceed it."""
PREVIEW = 48
"""Characters of the answer and of the ground truth that the list shows."""
_LABELS, _OUTCOMES = 4, 7
"""Places in a row of what few rows differ in."""


Instances = Mapping[str, Instance[Any]]


def instances(benchmark: AnyBenchmark, header: RunHeader) -> Instances:
    """What a run asked, by content hash; empty where it is not at hand, or nothing is told of it.

    A report is of its runs alone. An instance adds what they lack, such as a reference program, and
    only the one whose content the sample was made with is taken.
    """
    if type(benchmark).story is Benchmark.story:
        return {}
    try:
        options = parse_options(benchmark.options, header.options, benchmark.name)
        return {one.content_hash: one for one in benchmark.load(options, header.seed)}
    except OrdojoError:
        return {}


def _told(benchmark: AnyBenchmark, record: SampleRecord, known: Instances) -> dict[str, Any]:
    """The record with its "story", if there is one: the text, and `html`, escaped throughout."""
    try:
        found = None if record.error else benchmark.story(record, known.get(record.content_hash))
    except (KeyError, TypeError, ValueError):
        # What a turn noted is of another version, or was damaged: the record is shown as it is.
        found = None
    if found is None:
        return record.to_json()
    html = Markup("").join(map(draw, found.panels))
    return {**record.to_json(), "story": {"said": found.said, "html": html}}


def write_samples(column: StudyColumn, summary: RunSummary, folder: Path, known: Instances) -> int:
    """Write `index.js` and `0.js`, `1.js`, ... to `folder`; returns the number of chunks."""
    folder.mkdir(parents=True)
    records = sorted([*summary.run.records, *summary.failures], key=_place)
    rows: list[list[Any]] = []
    starts: list[int] = []
    tables: dict[str, int] = {}  # few differ: labels and outcomes stand once, and rows name them
    for number, chunk in enumerate(chunks(records)):
        starts.append(len(rows))
        for record in chunk:
            made = row(record, summary.header.rule)
            for place in (_LABELS, _OUTCOMES):
                made[place] = tables.setdefault(json.dumps(made[place]), len(tables))
            rows.append(made)
        full = [_told(column.benchmark, record, known) for record in chunk]
        (folder / f"{number}.js").write_text(packed_script(f"chunk/{number}", full), "ascii")
    index = {
        "rule": summary.header.rule,
        "rules": sorted({rule for record in records for rule in record.verdicts}),
        "labels": sorted({label for record in records for label in record.labels}),
        "starts": starts,
        "tables": [json.loads(table) for table in tables],
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


def _plain(value: Json) -> str:
    """A short answer in words where it is a list, or what it says of itself."""
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return ", ".join(map(str, value))
    if isinstance(value, dict) and value.get("objective") is not None:
        return f"{value['objective']}"
    return canonical(value)


def _short(value: Json) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else _plain(value)
    text = " ".join(text[: 4 * PREVIEW].split())
    return text if len(text) <= PREVIEW else text[: PREVIEW - 1] + "…"
