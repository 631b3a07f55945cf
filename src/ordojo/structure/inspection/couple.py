"""A reference and a candidate with the matching of their columns and rows."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ordojo.milp.model import Floats
from ordojo.structure.flat import Ints
from ordojo.structure.inspection.align import Alignment
from ordojo.structure.inspection.layout import Layout

_RELATIVE = 1e-9


@dataclass(frozen=True, eq=False)
class Couple:
    """Two aligned models; `mine` is the reference, `yours` the candidate."""

    mine: Layout
    yours: Layout
    aligned: Alignment

    def spelled(self, c: int) -> str:
        """The candidate's column in the reference's words, where it has a counterpart."""
        j = int(self.aligned.inverse[c])
        return self.mine.flat.cols.text(j) if j >= 0 else self.yours.flat.cols.text(c)

    def row_text(self, k: int) -> str:
        """The candidate's row in the reference's words."""
        return self.yours.row_text(k, self.spelled)

    @cached_property
    def counterparts(self) -> Ints:
        """The reference's row for each of the candidate's, -1 for none."""
        found = np.full(self.yours.model.m, -1)
        kept = np.flatnonzero(self.aligned.rows >= 0)
        found[self.aligned.rows[kept]] = kept
        return found

    def lone_column(self, k: int) -> int:
        """The reference's column that the candidate's row of a single term bounds, else -1."""
        index, _ = self.yours.model.row(k)
        return int(self.aligned.inverse[index[0]]) if len(index) == 1 else -1

    def bounds(self) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats], NDArray[np.bool_]]:
        """Bounds of the reference's columns in both, with what rows of a single term add.

        And where they differ: where rows say in one model what bounds say in the other, they do
        not. Columns without a counterpart have no bounds in the candidate.
        """
        kept = np.flatnonzero(self.aligned.cols >= 0)
        at = self.aligned.cols[kept]
        own, tight = self.mine.model.effective_bounds, self.mine.implied_bounds
        own2, tight2 = self.yours.model.effective_bounds, self.yours.implied_bounds
        low, up = np.full(len(own[0]), -np.inf), np.full(len(own[0]), np.inf)
        low[kept], up[kept] = tight2[0][at], tight2[1][at]
        differ = np.zeros(len(own[0]), bool)
        differ[kept] = (far(own[0][kept], own2[0][at]) | far(own[1][kept], own2[1][at])) & (
            far(tight[0][kept], tight2[0][at]) | far(tight[1][kept], tight2[1][at])
        )
        return tight, (low, up), differ


def far(a: Floats, b: Floats) -> NDArray[np.bool_]:
    """Where numbers differ beyond rounding."""
    with np.errstate(invalid="ignore"):
        off = np.abs(a - b) > _RELATIVE * np.maximum(np.abs(a), np.abs(b))
    return np.where(np.isinf(a) | np.isinf(b), a != b, off)


def implied(mine: Layout, i: int, yours: Layout, cols: Ints) -> bool:
    """Whether a row of a single term says no more than the other model's bounds."""
    index, value = mine.model.row(i)
    at = int(cols[index[0]])
    if at < 0 or not value[0]:
        return False
    ends = mine.model.row_lower[i] / value[0], mine.model.row_upper[i] / value[0]
    low, up = (float(side[at]) for side in yours.implied_bounds)
    slip = _RELATIVE * max([1.0, *(abs(end) for end in (*ends, low, up) if np.isfinite(end))])
    return bool(low >= min(ends) - slip and up <= max(ends) + slip)
