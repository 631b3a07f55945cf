"""An LP solved again by simplex without presolve, for what its last basis says."""

from typing import Any

import numpy as np

from ordojo.compat.analysis import Analysis
from ordojo.compat.problem import Problem
from ordojo.compat.wire import Refused
from ordojo.milp.model import Floats


def analyse(problem: Problem, seconds: float) -> Analysis:
    """Basis and ranges of an optimal LP, the ray of one that has no optimum.

    Raises Refused for what is no LP.
    """
    import highspy

    from ordojo.solvers.kernel import highs, pass_model

    model = problem.model
    if not problem.is_linear or (model.is_mip and not problem.settings.relaxed):
        raise Refused("a basis, ranges and rays are there for linear programs only")
    settings: dict[str, object] = {
        "presolve": "off",
        "solver": "simplex",
        "threads": 1,
        "output_flag": False,
        "time_limit": max(seconds, 0.001),
    }
    h = highs(settings)
    low, up = model.effective_bounds
    pass_model(h, model, model.objective, low, up, np.zeros(model.n, np.int32))
    h.run()
    status = h.getModelStatus()
    if status == highspy.HighsModelStatus.kInfeasible:
        return Analysis(dual_ray=_ray(h.getDualRay()))
    if status == highspy.HighsModelStatus.kUnbounded:
        return Analysis(primal_ray=_ray(h.getPrimalRay()))
    if status != highspy.HighsModelStatus.kOptimal:
        return Analysis()
    found, basis, ranges = h.getSolution(), h.getBasis(), h.getRanging()[1]
    n, m = model.n, model.m

    def values(part: Any, size: int) -> Floats:
        return np.array(part.value_, np.float64)[:size]

    return Analysis(
        x=np.array(found.col_value),
        activity=np.array(found.row_value),
        col_basis=np.array([int(code) for code in basis.col_status], np.float64),
        row_basis=np.array([int(code) for code in basis.row_status], np.float64),
        cost_low=values(ranges.col_cost_dn, n),
        cost_up=values(ranges.col_cost_up, n),
        col_low=values(ranges.col_bound_dn, n),
        col_up=values(ranges.col_bound_up, n),
        row_low=values(ranges.row_bound_dn, m),
        row_up=values(ranges.row_bound_up, m),
    )


def _ray(answer: Any) -> Floats | None:
    """The ray in what HiGHS answers: its status, whether there is one, its values."""
    _, there, values = answer
    return np.array(values, np.float64) if there else None
