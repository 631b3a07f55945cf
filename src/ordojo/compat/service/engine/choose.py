"""Which solver takes which problem, and what is made of its answer."""

import dataclasses

import numpy as np

from ordojo.compat.problem import Ending, Problem, Result
from ordojo.compat.service.engine import highs, lazy, objectives, scip, several
from ordojo.compat.service.engine.check import LOOSE, worst
from ordojo.compat.service.engine.convex import is_convex
from ordojo.compat.service.engine.linear import NotLinear, linearised
from ordojo.compat.service.engine.lower import lowered
from ordojo.compat.service.engine.search import Search
from ordojo.milp.model import VarType

ENDLESS = 1e18
"""An objective of this size is none: solvers count 1e20 as infinite."""


def solve(problem: Problem, search: Search, solver: str = "open") -> Result:
    """Solve by the solver that suits; the point that comes back has been checked.

    "open" is HiGHS, and SCIP for what HiGHS lacks; where SCIP is missing, rewritten for HiGHS, or
    `Ending.UNSUPPORTED` naming what it is. "highs" and "scip" take only that one, "gurobi" the
    real one.
    """
    if solver == "gurobi":
        from ordojo.compat.service.engine import gurobi

        found = gurobi.solve(problem, search)
    elif problem.objectives:
        found = objectives.solve(problem, lambda part: _one(part, search, solver))
    elif several.wanted(problem):
        found = several.solve(problem, search, lambda part, more: _one(part, more, solver))
    else:
        found = _one(problem, search, solver)
    found = several.within_gap(problem, found)
    return _checked(problem, dataclasses.replace(found, seconds=search.seconds))


def _one(problem: Problem, search: Search, solver: str) -> Result:
    """Solve a problem with one objective."""
    if problem.settings.relaxed:
        problem = dataclasses.replace(problem, indicators=(), sos=(), general=())
    use_scip = solver == "scip" or (solver == "open" and scip.installed())
    if problem.settings.lazy and search.callback is not None:
        if use_scip:
            return scip.solve(problem, search)
        return lazy.solve(problem, search, _without_scip)
    if solver == "scip":
        return scip.solve(problem, search)
    plain = _for_highs(problem)
    if plain:
        found = highs.solve(problem, search)
        if found.ending != Ending.NUMERIC and not _off(problem, found):
            return found
    if use_scip:
        return _polished(problem, scip.solve(problem, search), search)
    return found if plain else _without_scip(problem, search)


def _for_highs(problem: Problem) -> bool:
    """Whether HiGHS takes the problem as it is."""
    model = problem.model
    if problem.quadratic_rows or problem.indicators or problem.sos or problem.general:
        return False
    if not problem.settings.relaxed:
        semi = model.types >= VarType.SEMICONTINUOUS
        if (model.col_upper[semi] > highs.SEMI_LIMIT).any() or (model.col_lower[semi] < 0).any():
            return False
    if problem.quadratic is None:
        return True
    if model.is_mip and not problem.settings.relaxed:
        return False
    return is_convex(problem.quadratic, model.maximize)


def _without_scip(problem: Problem, search: Search) -> Result:
    """By HiGHS, after rewriting."""
    if _for_highs(problem):
        return highs.solve(problem, search)
    try:
        changed = linearised(lowered(problem, highs.SEMI_LIMIT))
    except NotLinear as error:
        detail = f"{error} needs SCIP: install ordojo[scip]"
        return Result(Ending.UNSUPPORTED, solver="highs", detail=detail)
    settings = changed.settings
    if settings.integrality_tol is None:
        changed = dataclasses.replace(
            changed, settings=dataclasses.replace(settings, integrality_tol=1e-9)
        )
    found = highs.solve(changed, search)
    n = problem.model.n
    return dataclasses.replace(
        found,
        x=None if found.x is None else found.x[:n],
        row_dual=None,
        col_dual=None,
        pool=tuple((value, x[:n]) for value, x in found.pool),
    )


def _polished(problem: Problem, found: Result, search: Search) -> Result:
    """The exact optimum for the integers that SCIP found, where that is a convex problem.

    SCIP reaches a quadratic optimum only up to its feasibility tolerance.
    """
    model = problem.model
    beyond = (problem.quadratic_rows, problem.indicators, problem.sos, problem.general)
    fits = problem.quadratic is not None and not any(beyond)
    if not fits or found.x is None or found.ending != Ending.OPTIMAL:
        return found
    assert problem.quadratic is not None
    if (model.types >= VarType.SEMICONTINUOUS).any() or problem.settings.pool_solutions > 1:
        return found
    if not is_convex(problem.quadratic, model.maximize):
        return found
    whole = model.types != VarType.CONTINUOUS
    fixed = np.rint(found.x)
    inner = dataclasses.replace(
        model,
        types=np.zeros(model.n, np.uint8),
        col_lower=np.where(whole, fixed, model.col_lower),
        col_upper=np.where(whole, fixed, model.col_upper),
    )
    again = highs.solve(dataclasses.replace(problem, model=inner), Search(search.left))
    if again.ending != Ending.OPTIMAL or again.x is None or _off(problem, again):
        return found
    return dataclasses.replace(found, objective=again.objective, x=again.x)


def _off(problem: Problem, found: Result) -> str:
    """What the point violates beyond any tolerance, "" where nothing or there is none."""
    if found.x is None:
        return ""
    amount, what = worst(problem, found.x)
    # Written so that a NaN counts as a violation.
    return "" if amount <= LOOSE else what


def _checked(problem: Problem, found: Result) -> Result:
    if found.objective is not None and not abs(found.objective) < ENDLESS:
        # A nonlinear solver may stop at its own infinity and call that the optimum.
        return dataclasses.replace(
            found, ending=Ending.UNBOUNDED, objective=None, bound=None, x=None, pool=()
        )
    what = _off(problem, found)
    if not what:
        return found
    detail = f"the solver's point violates {what}, so it is not accepted"
    return dataclasses.replace(
        found, ending=Ending.NUMERIC, objective=None, bound=None, x=None, pool=(), detail=detail
    )
