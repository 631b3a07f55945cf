"""Reference answers of optimization problems, with the precision they were printed with."""

import math
import re
from dataclasses import dataclass
from decimal import Decimal
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
