"""What an EconLogicQA question is, and the settings under which it is asked."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import permutations
from typing import Any, Literal

from pydantic import Field

from ordojo.core.canonical import digest
from ordojo.core.instance import Certificate, Instance
from ordojo.core.options import Options

LETTERS = ("A", "B", "C", "D")

ORDERS = tuple(", ".join(order) for order in permutations(LETTERS))
"""The closed set of 24 answers, in alphabetical order."""


class EconLogicQAOptions(Options):
    """How EconLogicQA is asked; the defaults are the paper's 1-shot setting.

    `examples` are the first rows of the training split, or a seeded draw for each question.
    """

    dataset: str = "econlogicqa@hf"
    split: Literal["train", "val", "test"] = "test"
    shots: int = Field(default=1, ge=0, le=20)
    examples: Literal["first", "random"] = "first"
    mode: Literal["completion", "chat"] = "completion"


@dataclass(frozen=True)
class Ordering:
    """One question: `events` under the letters A to D, and the letters in their right order."""

    index: int
    question: str
    events: tuple[str, ...]
    order: tuple[str, ...]

    @property
    def answer(self) -> str:
        """The right order as the data spell it, "D, C, A, B"."""
        return ", ".join(self.order)


def ordering_from_row(row: Mapping[str, Any], index: int) -> Ordering:
    """Make a question of a published row."""
    return Ordering(
        index=index,
        question=row["Question"],
        events=tuple(row[letter] for letter in LETTERS),
        order=tuple(re.findall(r"[A-D]", row["Answer"])),
    )


def answer_key(ordering: Ordering) -> Certificate:
    """The certificate: the right order, and a digest of what was asked."""
    return Certificate(
        "answer-key",
        {"order": ordering.answer, "asked": digest([ordering.question, ordering.events])},
    )


def make_instance(ordering: Ordering, split: str, version: str) -> Instance[Ordering]:
    """Wrap a question as an instance."""
    name = f"{split}-{ordering.index:04d}"
    return Instance(
        id=name,
        benchmark="econlogicqa",
        version=version,
        problem=ordering,
        certificate=answer_key(ordering),
        cluster=name,
        labels={"first event": ordering.order[0]},
    )
