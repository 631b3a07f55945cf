"""What a row of each published format must hold, and how to read its parts.

Among them the reference answers of optimization problems, with the precision that they were printed
with.
"""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import permutations
from typing import Any, Literal, NamedTuple

GoldKind = Literal["number", "infeasible", "unbounded", "unknown"]

NUMBER = re.compile(r"[+-]?(\d+(,\d{3})*(\.\d*)?|\.\d+)([eE][+-]?\d+)?")

SENTINELS = frozenset({-99999.0, -9999.0})
"""Numbers that stand for "no optimum" (IndustryOR and SIRL's MAMO, by their READMEs)."""

INFEASIBLE = frozenset({"infeasible", "impossible", "no feasible solution"})
UNBOUNDED = frozenset({"unbounded"})
NO_OPTIMUM = frozenset({"no best solution", "no optimal solution", "no solution"})
"""Words that leave open whether the problem is infeasible or unbounded."""


@dataclass(frozen=True)
class GoldAnswer:
    """One accepted answer; `value` is finite for a number, else None. `text` is as printed."""

    kind: GoldKind
    value: float | None = None
    text: str = ""
    note: str = ""

    @property
    def decimals(self) -> int:
        """Digits after the point as printed: 1 for "57.0", 0 for "57" and for what is no number."""
        if self.value is None:
            return 0
        exponent = Decimal(self.text.replace(",", "")).as_tuple().exponent
        return max(0, -exponent) if isinstance(exponent, int) else 0


class Key(NamedTuple):
    """What a source's answer field says: the accepted golds, and the item's status by them."""

    golds: tuple[GoldAnswer, ...]
    status: Literal["ok", "infeasible", "sentinel", "unknown-gold"]
    reason: str = ""


_NEITHER = (GoldAnswer("infeasible"), GoldAnswer("unbounded"))


def read_key(answer: Any) -> Key:
    """The key of one answer, or of a list of accepted ones; never raises."""
    if isinstance(answer, list):
        keys = [read_key(one) for one in answer] or [read_key(None)]
        golds = tuple(dict.fromkeys(gold for key in keys for gold in key.golds))
        worst = next((key for key in keys if key.status != "ok"), keys[0])
        return Key(golds, worst.status, worst.reason)
    if answer is None or isinstance(answer, (bool, dict)):
        said = "gives no answer" if answer is None else f"gives {answer!r} for an answer"
        return Key((GoldAnswer("unknown"),), "unknown-gold", f"the source {said}")
    text = str(answer).strip()
    words = " ".join(text.casefold().split())
    if words in INFEASIBLE:
        return Key((GoldAnswer("infeasible", text=text),), "infeasible", f"the answer is '{text}'")
    if words in UNBOUNDED:
        return Key((GoldAnswer("unbounded", text=text),), "infeasible", f"the answer is '{text}'")
    if words in NO_OPTIMUM:
        return Key(_NEITHER, "infeasible", f"the answer is '{text}'")
    if not NUMBER.fullmatch(text) or not math.isfinite(value := float(text.replace(",", ""))):
        return Key((GoldAnswer("unknown", text=text),), "unknown-gold", f"the answer is '{text}'")
    if value in SENTINELS:
        return Key(_NEITHER, "sentinel", f"the answer {text} is a mark for 'no optimum'")
    return Key((GoldAnswer("number", value, text),), "ok")


def agree(first: GoldAnswer, second: GoldAnswer, relative: float = 1e-6) -> bool:
    """Whether two golds are the same answer, but for float noise."""
    if first.value is None or second.value is None:
        return first.kind == second.kind
    return math.isclose(first.value, second.value, rel_tol=relative, abs_tol=relative)


def agree_as_printed(first: GoldAnswer, second: GoldAnswer) -> bool:
    """Whether one of two golds is the other one rounded to fewer decimals."""
    if agree(first, second):
        return True
    if first.value is None or second.value is None:
        return False
    half = 0.5 * 10.0 ** -min(_rounded(first), _rounded(second))
    return abs(first.value - second.value) <= half * (1 + 1e-9)


def _rounded(gold: GoldAnswer) -> int:
    """Decimals that say something: "57.0" is as likely as not a rounded 57."""
    if "e" in gold.text.lower():
        return gold.decimals
    return len(gold.text.partition(".")[2].rstrip("0"))


Row = dict[str, Any]

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

    def problem(self, row: Row) -> str:
        """What is wrong with a row, as the end of a sentence; empty if nothing is."""
        for column in self.columns:
            if column not in row:
                return f"has no column '{column}' (it has {', '.join(map(str, row)) or 'none'})"
        return self.check(row)


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
