"""Comparing the optima of two models (paper 003, figure 16 and E.3), and points of one in another.

Objective values are those of minimizing: a maximized one counts times -1.
"""

import dataclasses
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ordojo.core.errors import SolverError
from ordojo.milp.model import INF, Floats, Model
from ordojo.milp.tolerances import OBJECTIVE, PRIMAL
from ordojo.solvers.answers import Status
from ordojo.solvers.highs import HighsOracle
from ordojo.solvers.residuals import Residuals
from ordojo.structures.flat import Ints


class Deviation(StrEnum):
    """How a candidate's optimum lies to the reference's."""

    NONE = "same optimum"
    OVER = "over-constrained"
    UNDER = "under-constrained"
    COSTS = "other objective"
    """By the reference's objective the optima are the same."""
    OPEN = "open"
    """Neither is shown: a solver's limit, no optimum in either, or objectives not comparable."""


@dataclass(frozen=True, eq=False)
class Optimum:
    """A solve: the best objective known is `high`, none is below `low`; `x` attains `high`."""

    status: Status
    low: float = -INF
    high: float = INF
    x: Floats | None = None
    maximize: bool = False

    def text(self) -> str:
        """The value, or why there is none, in the model's own sense."""
        sign = -1.0 if self.maximize else 1.0
        if self.status == Status.OPTIMAL:
            return f"optimum {sign * self.high:.9g}"
        if self.status == Status.TIME_LIMIT:
            best = f"best known {sign * self.high:.9g}" if self.high < INF else "no point found"
            bound = f", bound {sign * self.low:.9g}" if self.low > -INF else ""
            return f"open, {best}{bound}"
        return self.status.value.lower()


def solve(model: Model, seconds: float) -> Optimum:
    """The optimum, or what is known of it in that time: then `low` is the relaxation's."""
    try:
        found = HighsOracle().solve(model, seconds)
    except SolverError:
        return Optimum(Status.ERROR, maximize=model.maximize)
    if found.status in (Status.INFEASIBLE, Status.UNBOUNDED):
        end = INF if found.status == Status.INFEASIBLE else -INF
        return Optimum(found.status, end, end, None, model.maximize)
    if found.status == Status.ERROR:
        return Optimum(found.status, maximize=model.maximize)
    sign = -1.0 if model.maximize else 1.0
    high = INF if found.objective is None or found.x is None else sign * found.objective
    low = high if found.status == Status.OPTIMAL else _relaxed(model, seconds)
    x = None if found.x is None else np.where(model.whole, np.rint(found.x), found.x)
    return Optimum(found.status, low, high, x, model.maximize)


def _relaxed(model: Model, seconds: float) -> float:
    """A value that no point is below; every column in it is continuous."""
    if model.semi.any():
        return -INF
    try:
        found = HighsOracle().solve(model.relaxed, seconds)
    except SolverError:
        return -INF
    if found.status != Status.OPTIMAL or found.objective is None:
        return -INF
    return -found.objective if model.maximize else found.objective


def deviation(reference: Optimum, candidate: Optimum) -> Deviation:
    """Over-constrained: the candidate's optimum is worse; under-constrained: it is better."""
    ends = (reference.low, reference.high, candidate.low, candidate.high)
    size = max((abs(end) for end in ends if abs(end) < INF), default=0.0)
    slip = OBJECTIVE * max(1.0, size)
    if candidate.low > reference.high + slip:
        return Deviation.OVER
    if candidate.high < reference.low - slip:
        return Deviation.UNDER
    optimal = reference.status == candidate.status == Status.OPTIMAL
    return Deviation.NONE if optimal else Deviation.OPEN


def better_point(model: Model, than: float, seconds: float) -> Floats | None:
    """A point of an unbounded model whose objective is clearly better than a value."""
    goal = than - max(1.0, 0.01 * abs(than)) if abs(than) < INF else 0.0
    sign = -1.0 if model.maximize else 1.0
    used = np.flatnonzero(model.objective)
    row = (sign * model.objective[used]).tolist()
    side = goal - sign * model.offset
    cut = model.with_new_row("__better__", used.tolist(), row, -INF, side)
    flat = dataclasses.replace(cut, objective=np.zeros(model.n))
    return solve(flat, seconds).x


@dataclass(frozen=True, eq=False)
class Violations:
    """What a point breaks: rows, each with by how much relative to its terms, and columns."""

    rows: Ints
    row_excess: Floats
    cols: Ints


def broken(model: Model, x: Floats) -> Violations:
    """The rows and bounds that a point breaks."""
    off = Residuals(model, x)
    excess = off.rows / (1.0 + off.terms)
    beyond = np.maximum(off.bounds / (1.0 + np.abs(x)), off.whole)
    rows, cols = np.flatnonzero(excess > PRIMAL), np.flatnonzero(beyond > 10 * PRIMAL)
    return Violations(rows, excess[rows], cols)


def completed(model: Model, x: Floats, known: Ints, seconds: float) -> Violations:
    """What contradicts a point of which only the columns `known` are given: an infeasible subset.

    The other columns are free to follow; nothing is broken where they can.
    """
    low, up = (side.copy() for side in model.effective_bounds)
    low[known] = up[known] = x[known]
    fixed = dataclasses.replace(model, col_lower=low, col_upper=up)
    nowhere = np.zeros(0, np.int64)
    none = Violations(nowhere, np.zeros(0), nowhere)
    if solve(fixed, seconds).status != Status.INFEASIBLE:
        return none
    try:
        found = HighsOracle().iis(fixed, seconds)
    except SolverError:
        return none
    rows = np.array([i for i, _ in found.rows], np.int64)
    return Violations(rows, np.zeros(len(rows)), nowhere)
