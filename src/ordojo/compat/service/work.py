"""What the service does with one request, wherever it runs: in this process or in a worker."""

import contextlib
from typing import Any

from ordojo.compat.events import Callback
from ordojo.compat.problem import Problem, Result
from ordojo.compat.wire import Refused
from ordojo.oracle.answers import Iis, Status


def perform(
    problem: Problem,
    seconds: float,
    callback: Callback | None = None,
    solver: str = "open",
) -> Result:
    """Solve a problem in at most so many seconds; a callback's own error passes through."""
    from ordojo.compat.service.engine.choose import solve
    from ordojo.compat.service.engine.search import Search

    search = Search(seconds, callback)
    found = solve(problem, search, solver)
    if search.error is not None:
        raise search.error
    return found


def conflict(problem: Problem, seconds: float) -> Iis | None:
    """An IIS of a linear problem, None where it has a solution or nothing was settled in time.

    Raises Refused for what is not linear.
    """
    if not problem.is_linear and not _linear_rows(problem):
        raise Refused(
            "an infeasible subsystem is found for linear rows and bounds only; leave out "
            "quadratic rows, indicators, ordered sets and general constraints"
        )
    from ordojo.oracle.highs import HighsOracle

    session = HighsOracle().session()
    with contextlib.closing(session):
        session.load(problem.model)
        if session.solve(seconds).status != Status.INFEASIBLE:
            return None
        return session.iis(seconds)


def _linear_rows(problem: Problem) -> bool:
    """Whether whatever is not linear is in the objective."""
    beyond: tuple[tuple[Any, ...], ...] = (
        problem.quadratic_rows,
        problem.indicators,
        problem.sos,
        problem.general,
    )
    return not any(beyond)
