"""What can be wrong with a family or a group, in a sentence."""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What is wrong with a family, a group, or the model."""

    MISSING = "missing"
    EXTRA = "extra"
    SIDES = "right-hand side"
    COEFFICIENTS = "coefficients"
    SHIFTED = "shifted index"
    TERMS = "other terms"
    BOUNDS = "bounds"
    TYPES = "types"
    COSTS = "objective"
    DIRECTION = "min and max"
    COLUMNS = "columns"


@dataclass(frozen=True)
class Difference:
    """One kind of fault in one family (`family` >= 0) or group (`group` >= 0) of the reference.

    Both are -1 for a family that only the candidate has, and for the whole objective. `changed` of
    `size` members differ, `detail` says how and `example` shows one. `violated` counts the members
    that the mapped optimum of the other model breaks, `broken` shows one.
    """

    kind: Kind
    name: str
    changed: int
    size: int
    family: int = -1
    group: int = -1
    detail: str = ""
    example: str = ""
    violated: int = 0
    broken: str = ""

    @property
    def sentence(self) -> str:
        """The fault in a sentence."""
        many = f"{self.changed} of {self.size}"
        where = f"'{self.name}'"
        text = {
            Kind.MISSING: f"family {where} is missing ({many} rows)",
            Kind.EXTRA: f"the candidate has {self.changed} rows {where} that the reference has not",
            Kind.SIDES: f"family {where} has other right-hand sides ({many} rows)",
            Kind.COEFFICIENTS: f"family {where} has other coefficients ({many} rows)",
            Kind.SHIFTED: f"family {where} has a shifted index ({many} rows)",
            Kind.TERMS: f"family {where} has other terms ({many} rows)",
            Kind.BOUNDS: f"group {where} has other bounds ({many} columns)",
            Kind.TYPES: f"group {where} has other types ({many} columns)",
            Kind.COSTS: f"group {where} has other objective coefficients ({many} columns)"
            if self.group >= 0
            else "the objective has another constant",
            Kind.DIRECTION: "one model minimizes and the other maximizes",
            Kind.COLUMNS: f"group {where} has {many} columns without a counterpart",
        }[self.kind]
        parts = [text, self.detail, self.example and f"for example {self.example}", self.broken]
        return "; ".join(part for part in parts if part)


def tightness(low: float, up: float, low2: float, up2: float) -> str:
    """Whether the second interval lies within the first or about it; "" for neither."""
    tighter, looser = low2 > low or up2 < up, low2 < low or up2 > up
    if tighter and looser:
        return ""
    return "tighter in the candidate" if tighter else "looser in the candidate"
