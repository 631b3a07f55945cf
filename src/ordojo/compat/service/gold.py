"""The value that a right model's optimum has, and when a running solve has refuted it."""

import math
from dataclasses import dataclass

UNDER, OVER = "under-constrained", "over-constrained"
"""The paper's diagnosis (figure 16): better than the gold is possible, or the gold is not."""


@dataclass(frozen=True, slots=True)
class Gold:
    """An item's stated optimum, with other accepted values, and the loosest tolerance to judge by.

    `sense` ("min", "max" or None) is the item's, for the record only: whether a solve refutes the
    gold depends on the model's own sense. A value is accepted within
    abs_tol + rel_tol * |accepted value|.
    """

    value: float
    sense: str | None = None
    rel_tol: float = 1e-6
    abs_tol: float = 1e-6
    others: tuple[float, ...] = ()

    def refuted(self, maximize: bool, best: float | None, bound: float | None) -> str:
        """UNDER or OVER where the optimum is proven to be outside every tolerance, else "".

        `best` is an incumbent's value, `bound` the proven bound, in the model's own sense.
        """
        sign = -1.0 if maximize else 1.0
        low, high = math.inf, -math.inf
        for value in (self.value, *self.others):
            if not math.isfinite(value):
                return ""
            slack = self.abs_tol + self.rel_tol * abs(value)
            low = min(low, sign * value - slack)
            high = max(high, sign * value + slack)
        if best is not None and sign * best < low:
            return UNDER
        if bound is not None and sign * bound > high:
            return OVER
        return ""

    def accepts(self, value: float) -> bool:
        """Whether this is one of the accepted values."""
        return any(
            abs(value - known) <= self.abs_tol + self.rel_tol * abs(known)
            for known in (self.value, *self.others)
        )
