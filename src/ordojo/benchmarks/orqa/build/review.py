"""The paper's verification: two readers judge every question, apart from each other.

The paper's criteria: complete and correct, no ambiguity in question and options, several steps of
reasoning needed, nothing sensitive (section "Dataset creation").
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ordojo.benchmarks.orqa.build.file import Row
from ordojo.benchmarks.orqa.schema import LETTERS, QUESTION_TYPES
from ordojo.core.errors import DataError
from ordojo.review import MODEL_PREFIX, Item, Queue

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
        Queue.create(path, items, title=TITLE, reasons=REASONS)
        return
    with Queue.open(path) as queue:
        if list(queue.items) != items:
            raise DataError(
                f"{path} holds other questions: repeat the build that began it, or choose another "
                "folder"
            )


def verdicts(path: Path, rows: Sequence[Row]) -> Verdicts:
    """A question is accepted once two persons have accepted it, and out once one rejects it."""
    accepted, rejected, waiting = [], 0, 0
    with Queue.open(path) as queue:
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


def _item(row: Row) -> Item:
    kind = row["QUESTION_TYPE"]
    options = dict(zip(LETTERS, row["OPTIONS"], strict=True))
    # Text and certificate belong together, so nothing can be edited.
    return Item(
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
