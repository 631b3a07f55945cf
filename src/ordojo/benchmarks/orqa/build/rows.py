"""The rows that built questions are kept as, and the queue in which two readers accept them.

A row has the published columns, and the certificate beside them. So one file serves `ordojo eval
orqa -T dataset=FILE`, which reads the columns, and `ordojo verify FILE`, which reads everything.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ordojo.benchmarks.orqa.build.make import KIND, OLD_KINDS, GeneratedQuestion
from ordojo.benchmarks.orqa.schema import (
    LETTERS,
    QUESTION_TYPES,
    SKILL_OF_TYPE,
    Question,
    question_from_row,
)
from ordojo.core.canonical import digest
from ordojo.core.errors import DataError
from ordojo.core.instance import Certificate, Instance, object_of
from ordojo.core.outputs import write_file
from ordojo.datasets.schemas import ORQA
from ordojo.review import MODEL_PREFIX, ReviewItem, ReviewQueue

Row = dict[str, Any]

BUILT = "4"
"""The version of built sets, apart from the benchmark's: 4 tells both firms alike."""
VERSIONS = ("1", "2", "3", BUILT)


def to_row(made: GeneratedQuestion, name: str, version: str) -> Row:
    """A question as plain JSON."""
    question = made.question
    instance = _instance(question, made.certificate, name, version, made.labels)
    return {
        "benchmark": "orqa",
        "version": version,
        "id": name,
        "index": question.index,
        "QUESTION_TYPE": question.type,
        "CONTEXT": question.context,
        "QUESTION": question.question,
        "OPTIONS": list(question.options),
        "TARGET_ANSWER": question.answer,
        "REASONING": question.reasoning,
        "labels": dict(made.labels),
        "certificate": {"kind": made.certificate.kind, "data": dict(made.certificate.data)},
        "content_hash": instance.content_hash,
    }


def from_row(row: Mapping[str, Any]) -> Instance[Question]:
    """The instance of a row, its certificate as it stands; raises DataError with the field."""
    if problem := ORQA.problem(dict(row)):
        raise DataError(problem)
    for name in ("id", "version"):
        if not isinstance(row.get(name), str):
            raise DataError(f"{name} is {row.get(name)!r}, it must be text")
    if row["version"] not in VERSIONS:
        known = " and ".join(VERSIONS)
        raise DataError(f"version is {row['version']!r}, this ordojo reads orqa {known}")
    if type(row.get("index")) is not int:
        raise DataError(f"index is {row.get('index')!r}, it must be a whole number")
    stored, labels = object_of(row, "certificate"), object_of(row, "labels")
    if stored.get("kind") not in (KIND, *OLD_KINDS):
        raise DataError(f"the certificate's kind is {stored.get('kind')!r}, not '{KIND}'")
    certificate = Certificate(str(stored["kind"]), object_of(stored, "data"))
    question = question_from_row(row, row["index"])
    return _instance(question, certificate, row["id"], row["version"], labels)


def write_rows(path: Path, rows: Sequence[Row]) -> None:
    """Write one row a line, all or nothing; raises DataError."""
    write_file(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def _instance(
    question: Question, certificate: Certificate, name: str, version: str, labels: Mapping[str, str]
) -> Instance[Question]:
    mine = {"type": question.type, "skill": SKILL_OF_TYPE[question.type]}
    cluster = digest(question.context)[:12]
    return Instance(name, "orqa", version, question, certificate, cluster, {**labels, **mine})


READERS = 2
"""Readers who have to accept a question."""

REASONS = (
    "incomplete context",
    "ambiguous question or options",
    "wrong answer",
    "no reasoning needed",
    "sensitive",
    "other",
)

TITLE = "ORQA questions"


@dataclass(frozen=True)
class Verdicts:
    """What became of the questions: their rows if accepted, and how many are not."""

    accepted: tuple[Row, ...]
    rejected: int
    waiting: int


def make_queue(path: Path, rows: Sequence[Row]) -> None:
    """Write the queue if it is not there; raises DataError where it holds other questions."""
    items = [_item(row) for row in rows]
    if not path.exists():
        ReviewQueue.create(path, items, title=TITLE, reasons=REASONS)
        return
    with ReviewQueue.open(path) as queue:
        if list(queue.items) != items:
            raise DataError(
                f"{path} holds other questions: repeat the build that began it, or choose another "
                "folder"
            )


def verdicts(path: Path, rows: Sequence[Row]) -> Verdicts:
    """A question is accepted once two persons have accepted it, and out once one rejects it."""
    accepted, rejected, waiting = [], 0, 0
    with ReviewQueue.open(path) as queue:
        readers = {d.reviewer for d in queue.decisions if not d.reviewer.startswith(MODEL_PREFIX)}
        for row in rows:
            said = [queue.current(row["id"], name) for name in readers]
            kinds = [decision.kind for decision in said if decision is not None]
            if "reject" in kinds:
                rejected += 1
            elif kinds.count("accept") >= READERS:
                accepted.append(row)
            else:
                waiting += 1
    return Verdicts(tuple(accepted), rejected, waiting)


def _item(row: Row) -> ReviewItem:
    kind = row["QUESTION_TYPE"]
    options = dict(zip(LETTERS, row["OPTIONS"], strict=True))
    # Text and certificate belong together, so nothing can be edited.
    return ReviewItem(
        id=row["id"],
        title=f"{kind}, {QUESTION_TYPES[kind]}",
        fields={
            "Context": row["CONTEXT"],
            "Question": row["QUESTION"],
            **options,
            "Answer": LETTERS[row["TARGET_ANSWER"]],
            "Reasoning": row["REASONING"],
        },
        data={"template": row["labels"]["template"]},
    )
