"""The optimum of a model, proved by HiGHS's branch and bound and checked by arithmetic."""

import numpy as np

from ordojo.milp.model import Floats, Model, VarType
from ordojo.solvers.answers import SolveResult, Status
from ordojo.solvers.highs_model import solve_exactly
from ordojo.solvers.residuals import check_optimal


def solve(model: Model, seconds: float) -> SolveResult:
    """Solve within the time; an optimal answer has passed `check_optimal`.

    Raises SolverError where HiGHS gives an answer that does not stand the check.
    """
    found = solve_exactly(model, seconds)
    if found.status == Status.OPTIMAL:
        check_optimal(model, found)
    return found


def violation(model: Model, x: Floats) -> tuple[float, float, float]:
    """By how much a point breaks rows, bounds and integrality at most."""
    activity = model.activities(x)
    low, up = model.effective_bounds
    rows = np.maximum(model.row_lower - activity, activity - model.row_upper).max(initial=0.0)
    bounds = np.maximum(low - x, x - up).max(initial=0.0)
    whole = model.types != VarType.CONTINUOUS
    parts = np.abs(x - np.rint(x))[whole].max(initial=0.0)
    return float(rows), float(bounds), float(parts)
