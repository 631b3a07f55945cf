"""What the service does with one request, wherever it runs: in this process or in a worker."""

import contextlib
from time import monotonic
from typing import Any

from ordojo.compat.events import Callback
from ordojo.compat.problem import Ending, Problem, Result
from ordojo.compat.wire import Refused
from ordojo.core.errors import SolverError, UsageError
from ordojo.solvers.answers import Iis, Status

NO_TIME = 2e-5
"""Seconds in which Gurobi does not begin: it ends at its limit even where there are no columns."""


def perform(
    problem: Problem, seconds: float, callback: Callback | None = None, solver: str = "open"
) -> Result:
    """Solve a problem in at most so many seconds; a callback's own error passes through.

    Whatever a solver raises or runs out of is the ending, with its text as the detail: NUMERIC
    where it refuses the problem's numbers, MEMORY, and CRASH for what should not have happened.
    UsageError where the solver is not installed.
    """
    if seconds < NO_TIME:
        return Result(Ending.TIME_LIMIT, detail="there was no time to begin")
    from ordojo.compat.service.engine.choose import solve
    from ordojo.compat.service.engine.search import Search

    search = Search(seconds, callback)
    try:
        found = solve(problem, search, solver)
    except UsageError:
        raise
    except Exception as error:
        found = Result(_ending(error), seconds=search.seconds, detail=_text(error))
    if search.error is not None:
        raise search.error
    return found


def _ending(error: Exception) -> Ending:
    if isinstance(error, MemoryError):
        return Ending.MEMORY
    # SCIP's own return codes come as exceptions of any class.
    is_solvers = isinstance(error, SolverError | ArithmeticError) or str(error).startswith("SCIP:")
    return Ending.NUMERIC if is_solvers else Ending.CRASH


def _text(error: Exception) -> str:
    said = str(error)[:500]
    return said if isinstance(error, SolverError) else f"{type(error).__name__}: {said}"


def conflict(problem: Problem, seconds: float) -> Iis | None:
    """An IIS of a linear problem, None where it has a solution or nothing was settled in time.

    Raises Refused for what is not linear.
    """
    if not problem.is_linear and not _linear_rows(problem):
        raise Refused(
            "an infeasible subsystem is found for linear rows and bounds only; leave out "
            "quadratic rows, indicators, ordered sets and general constraints"
        )
    from ordojo.solvers.highs import HighsOracle

    end = monotonic() + seconds
    session = HighsOracle().session()
    with contextlib.closing(session):
        session.load(problem.model)
        if session.solve(seconds).status != Status.INFEASIBLE:
            return None
        return session.iis(max(end - monotonic(), NO_TIME))


def _linear_rows(problem: Problem) -> bool:
    """Whether whatever is not linear is in the objective."""
    beyond: tuple[tuple[Any, ...], ...] = (
        problem.quadratic_rows,
        problem.indicators,
        problem.sos,
        problem.general,
    )
    return not any(beyond)
