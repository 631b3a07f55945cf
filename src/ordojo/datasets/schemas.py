"""What a row of each published format must hold, and how to read its parts."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from ordojo.core.files import Row
from ordojo.datasets.golds import read_key

LETTERS = "ABCD"


@dataclass(frozen=True, eq=False)
class Schema:
    """A row format: the columns it needs, those it may lack, and how to read what is in them.

    `check` tells what is wrong with the values of a row that has every column, `context` the text
    that several items may share, `options` the texts to choose from or to order, `answer` the
    answer key, one of `answers`, and `type_of` the item's type, for counts.
    """

    name: str
    columns: tuple[str, ...]
    check: Callable[[Row], str]
    question: Callable[[Row], str]
    answer: Callable[[Row], str]
    type_of: Callable[[Row], str]
    context: Callable[[Row], str] = lambda row: ""
    options: Callable[[Row], Sequence[str]] = lambda row: ()
    answers: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        KNOWN[self.name] = self

    def __reduce__(self) -> tuple[Callable[[str], "Schema"], tuple[str]]:
        # There is one of each: functions do not pickle, and it is told apart by identity.
        return _known, (self.name,)

    def problem(self, row: Row) -> str:
        """What is wrong with a row, as the end of a sentence; empty if nothing is."""
        for column in self.columns:
            if column not in row:
                return f"has no column '{column}' (it has {', '.join(map(str, row)) or 'none'})"
        return self.check(row)


KNOWN: dict[str, Schema] = {}
"""Every schema by its name, as it is made."""


def _known(name: str) -> Schema:
    return KNOWN[name]


def _check_orqa(row: Row) -> str:
    for column in ("CONTEXT", "QUESTION", "REASONING"):
        if not isinstance(row.get(column, ""), str):
            return f"has a {column} that is not text"
    options, target = row["OPTIONS"], row["TARGET_ANSWER"]
    if not (
        isinstance(options, list)
        and len(options) == len(LETTERS)
        and all(isinstance(option, str) for option in options)
    ):
        return "needs OPTIONS to be a list of exactly 4 texts"
    # bool is an int to Python: `true` would pass for option B.
    if type(target) is not int or not 0 <= target < len(LETTERS):
        return f"has TARGET_ANSWER {target!r}, not one of 0, 1, 2, 3"
    if row["QUESTION_TYPE"] not in [f"Q{number}" for number in range(1, 12)]:
        return f"has QUESTION_TYPE {row['QUESTION_TYPE']!r}, not one of Q1 to Q11"
    return ""


ORQA = Schema(
    name="orqa",
    columns=("QUESTION_TYPE", "CONTEXT", "QUESTION", "OPTIONS", "TARGET_ANSWER"),
    optional=("REASONING",),
    answers=tuple(LETTERS),
    check=_check_orqa,
    context=lambda row: str(row["CONTEXT"]),
    question=lambda row: str(row["QUESTION"]),
    options=lambda row: tuple(row["OPTIONS"]),
    answer=lambda row: LETTERS[row["TARGET_ANSWER"]],
    type_of=lambda row: str(row["QUESTION_TYPE"]),
)


def _check_econlogicqa(row: Row) -> str:
    for column in ECONLOGICQA.columns:
        if not isinstance(row[column], str):
            return f"has a '{column}' that is not text"
    if _order(row) not in ECONLOGICQA.answers:
        return f"has Answer {row['Answer']!r}, not an order of A, B, C, D"
    return ""


def _order(row: Row) -> str:
    return ", ".join(re.sub(r"[\s,]", "", row["Answer"]))


def _kind(row: Row) -> str:
    found = re.search(r"chronological|logical", row["Question"], re.IGNORECASE)
    return found.group().lower() if found else "other"


ECONLOGICQA = Schema(
    name="econlogicqa",
    columns=("Question", *LETTERS, "Answer"),
    answers=tuple(", ".join(order) for order in permutations(LETTERS)),
    check=_check_econlogicqa,
    question=lambda row: str(row["Question"]),
    options=lambda row: tuple(row[letter] for letter in LETTERS),
    answer=_order,
    type_of=_kind,
)


def _check_nl2opt(row: Row) -> str:
    if not isinstance(row["question"], str) or not row["question"].strip():
        return "has a 'question' that is not text"
    key = read_key(row["answer"])
    if key.status == "unknown-gold" and row["answer"] is not None:
        return f"has an 'answer' that is neither a number nor 'infeasible': {key.reason}"
    for column in ("labels", "parameters"):
        if not isinstance(row.get(column, {}), dict):
            return f"has '{column}' that are not an object"
    paths = [*_listed(row.get("files", [])), row.get("reference_model", "")]
    if not all(isinstance(path, str) for path in paths):
        return "has 'files' or a 'reference_model' that are not paths"
    return ""


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [None]


NL2OPT = Schema(
    name="nl2opt",
    columns=("question", "answer"),
    optional=("id", "labels", "parameters", "files", "reference_model"),
    check=_check_nl2opt,
    question=lambda row: str(row["question"]),
    answer=lambda row: str(row["answer"]),
    type_of=lambda row: str(row.get("labels", {}).get("type", "")),
)
"""One's own problems; the published ones have formats of their own (`nl2opt.readers`)."""

SCHEMAS = {schema.name: schema for schema in (ORQA, ECONLOGICQA, NL2OPT)}
