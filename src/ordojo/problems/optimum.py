"""The optimum of a model, proved by HiGHS's branch and bound and checked by arithmetic."""

from time import perf_counter

import numpy as np

from ordojo.milp.model import Floats, Model, VarType
from ordojo.solvers.answers import Solution, Status
from ordojo.solvers.highs_model import (
    INFEASIBLE,
    MIP_SETTINGS,
    OPTIMAL,
    TIME_LIMIT,
    UNBOUNDED,
    UNBOUNDED_OR_INFEASIBLE,
    highs,
    pass_model,
    run_until,
)
from ordojo.solvers.residuals import check_optimal

_STATUS = {
    OPTIMAL: Status.OPTIMAL,
    INFEASIBLE: Status.INFEASIBLE,
    UNBOUNDED: Status.UNBOUNDED,
    UNBOUNDED_OR_INFEASIBLE: Status.INFEASIBLE,
    TIME_LIMIT: Status.TIME_LIMIT,
}


def solve(model: Model, seconds: float) -> Solution:
    """Solve within the time; an optimal answer has passed `check_optimal`.

    Raises SolverError where HiGHS gives an answer that does not stand the check.
    """
    h = highs({**MIP_SETTINGS, "time_limit": seconds})
    low, up = model.effective_bounds
    whole = np.isin(model.types, (VarType.INTEGER, VarType.BINARY)).astype(np.int32)
    pass_model(h, model, model.objective, low, up, whole)
    code = run_until(h, perf_counter() + seconds, seconds)
    status = _STATUS.get(code, Status.ERROR)
    if status != Status.OPTIMAL:
        return Solution(status)
    x: Floats = np.array(h.getSolution().col_value, np.float64)
    info = h.getInfo()
    value = float(info.objective_function_value)
    bound = float(info.mip_dual_bound) if whole.any() else value
    found = Solution(status, value, x, model.activities(x), bound=bound)
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
