"""What the service does with one request, wherever it runs: here or in a worker."""

import contextlib
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any

import numpy as np

from ordojo.compat.messages import Analysis, Refused
from ordojo.core.errors import SolverError, UsageError
from ordojo.milp.model import Floats, Model
from ordojo.solvers.answers import Iis, SolveResult, Status
from ordojo.solvers.problem import Callback, Problem

NO_TIME = 2e-5
"""Seconds in which Gurobi does not begin: it ends at its limit even where there are no columns."""


def perform(
    problem: Problem, seconds: float, callback: Callback | None = None, solver: str = "open"
) -> SolveResult:
    """Solve a problem in at most so many seconds; a callback's own error passes through.

    Whatever a solver raises or runs out of is the ending, with its text as the detail: NUMERIC
    where it refuses the problem's numbers, MEMORY, and CRASH for what should not have happened.
    UsageError where the solver is not installed.
    """
    if seconds < NO_TIME:
        return SolveResult(Status.TIME_LIMIT, detail="there was no time to begin")
    from ordojo.solvers.choose import solve
    from ordojo.solvers.search import Search

    search = Search(seconds, callback)
    try:
        found = solve(problem, search, solver)
    except UsageError:
        raise
    except Exception as error:  # each solver has errors of its own: an ending, never a crash
        found = SolveResult(_ending(error), seconds=search.seconds, detail=_text(error))
    if search.error is not None:
        raise search.error
    return found


def _ending(error: Exception) -> Status:
    if isinstance(error, MemoryError):
        return Status.MEMORY
    return Status.NUMERIC if isinstance(error, SolverError | ArithmeticError) else Status.CRASH


def _text(error: Exception) -> str:
    said = str(error)[:500]
    return said if isinstance(error, SolverError) else f"{type(error).__name__}: {said}"


def conflict(problem: Problem, seconds: float) -> Iis | None:
    """An IIS of a problem, None where it has a solution or nothing was settled in time.

    It is one of the linear rows alone where these have no solution.
    """
    from ordojo.solvers import parted
    from ordojo.solvers.highs import HighsOracle

    end = monotonic() + seconds
    session = HighsOracle().session()
    with contextlib.closing(session):
        session.load(problem.model)
        if session.solve(seconds).status == Status.INFEASIBLE:
            return session.iis(max(end - monotonic(), NO_TIME))
    if problem.parts:
        return parted.conflict(problem, max(end - monotonic(), NO_TIME))
    return None


def analyse(problem: Problem, seconds: float) -> Analysis:
    """Basis and ranges of an optimal LP, the ray of one that has no optimum.

    Raises Refused for what is no LP.
    """
    import highspy

    from ordojo.solvers.highs_model import highs, pass_model

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
        return Analysis(primal_ray=_ray(h.getPrimalRay()) if len(model.value) else _free(model))
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


def _free(model: Model) -> Floats:
    """The first column whose objective improves without end, where no row has an entry.

    HiGHS shows no ray then.
    """
    low, up = model.effective_bounds
    down = (model.objective > 0) != model.maximize
    endless = (model.objective != 0) & np.isinf(np.where(down, low, up))
    ray = np.zeros(model.n)
    j = int(np.argmax(endless))
    ray[j] = -1.0 if down[j] else 1.0
    return ray


def _ray(answer: Any) -> Floats | None:
    """The ray in what HiGHS answers: its status, whether there is one, its values."""
    _, there, values = answer
    return np.array(values, np.float64) if there else None


QUESTIONS: Mapping[str, Callable[[Problem, float], Any]] = {"iis": conflict, "analysis": analyse}
"""What is answered beside solves, by the kind of the request."""
