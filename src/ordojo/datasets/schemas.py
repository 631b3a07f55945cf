"""What a row of each published format must hold, and how to read its parts."""

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import permutations
from typing import Any, ClassVar

from ordojo.datasets.golds import read_key

Row = dict[str, Any]

LETTERS = "ABCD"


class Schema(ABC):
    """A row format: the columns it needs, those it may lack, and what is in them."""

    name: ClassVar[str]
    columns: ClassVar[tuple[str, ...]]
    optional: ClassVar[tuple[str, ...]] = ()
    answers: ClassVar[tuple[str, ...]]

    def problem(self, row: Row) -> str:
        """What is wrong with a row, as the end of a sentence; empty if nothing is."""
        for column in self.columns:
            if column not in row:
                return f"has no column '{column}' (it has {', '.join(map(str, row)) or 'none'})"
        return self._value_problem(row)

    @abstractmethod
    def _value_problem(self, row: Row) -> str:
        """What is wrong with the values of a row that has every column."""

    @abstractmethod
    def context(self, row: Row) -> str:
        """The text that several items may share, empty in formats without one."""

    @abstractmethod
    def question(self, row: Row) -> str:
        """The item's own question."""

    @abstractmethod
    def options(self, row: Row) -> Sequence[str]:
        """The texts to choose from or to order."""

    @abstractmethod
    def answer(self, row: Row) -> str:
        """The answer key, one of `answers`."""

    @abstractmethod
    def type_of(self, row: Row) -> str:
        """The item's type, for counts."""


class _Orqa(Schema):
    name = "orqa"
    columns = ("QUESTION_TYPE", "CONTEXT", "QUESTION", "OPTIONS", "TARGET_ANSWER")
    optional = ("REASONING",)
    answers = tuple(LETTERS)

    def _value_problem(self, row: Row) -> str:
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

    def context(self, row: Row) -> str:
        return str(row["CONTEXT"])

    def question(self, row: Row) -> str:
        return str(row["QUESTION"])

    def options(self, row: Row) -> Sequence[str]:
        return tuple(row["OPTIONS"])

    def answer(self, row: Row) -> str:
        return LETTERS[row["TARGET_ANSWER"]]

    def type_of(self, row: Row) -> str:
        return str(row["QUESTION_TYPE"])


class _EconLogicQA(Schema):
    name = "econlogicqa"
    columns = ("Question", *LETTERS, "Answer")
    answers = tuple(", ".join(order) for order in permutations(LETTERS))

    def _value_problem(self, row: Row) -> str:
        for column in self.columns:
            if not isinstance(row[column], str):
                return f"has a '{column}' that is not text"
        if self.answer(row) not in self.answers:
            return f"has Answer {row['Answer']!r}, not an order of A, B, C, D"
        return ""

    def context(self, row: Row) -> str:
        return ""

    def question(self, row: Row) -> str:
        return str(row["Question"])

    def options(self, row: Row) -> Sequence[str]:
        return tuple(row[letter] for letter in LETTERS)

    def answer(self, row: Row) -> str:
        return ", ".join(re.sub(r"[\s,]", "", row["Answer"]))

    def type_of(self, row: Row) -> str:
        found = re.search(r"chronological|logical", row["Question"], re.IGNORECASE)
        return found.group().lower() if found else "other"


class _Nl2Opt(Schema):
    """One's own problems; the published ones have formats of their own (`nl2opt.readers`)."""

    name = "nl2opt"
    columns = ("question", "answer")
    optional = ("id", "labels", "parameters", "files", "reference_model")
    answers = ()

    def _value_problem(self, row: Row) -> str:
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

    def context(self, row: Row) -> str:
        return ""

    def question(self, row: Row) -> str:
        return str(row["question"])

    def options(self, row: Row) -> Sequence[str]:
        return ()

    def answer(self, row: Row) -> str:
        return str(row["answer"])

    def type_of(self, row: Row) -> str:
        return str(row.get("labels", {}).get("type", ""))


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [None]


ORQA: Schema = _Orqa()
ECONLOGICQA: Schema = _EconLogicQA()
NL2OPT: Schema = _Nl2Opt()

SCHEMAS: dict[str, Schema] = {schema.name: schema for schema in (ORQA, ECONLOGICQA, NL2OPT)}
