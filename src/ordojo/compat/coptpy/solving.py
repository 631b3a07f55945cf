"""Model methods that solve, and what they leave in the model's state."""

import dataclasses
from typing import Any

import numpy as np

from ordojo.compat import transport
from ordojo.compat.coptpy import callbacks, log
from ordojo.compat.coptpy.constants import COPT
from ordojo.compat.coptpy.errors import invalid, refused, unsupported
from ordojo.compat.coptpy.nlexpr import add_formula, check_formula
from ordojo.compat.coptpy.objective import aim_value
from ordojo.compat.coptpy.state import Outcome
from ordojo.compat.core.assemble import Draft, merged, problem_of
from ordojo.compat.core.parts import FormulaPart
from ordojo.compat.problem import Ending, Objective, Problem, Result
from ordojo.core.errors import SolverError

_STATUS = {
    Ending.OPTIMAL: COPT.OPTIMAL,
    Ending.INFEASIBLE: COPT.INFEASIBLE,
    Ending.UNBOUNDED: COPT.UNBOUNDED,
    Ending.INFEASIBLE_OR_UNBOUNDED: COPT.INF_OR_UNB,
    Ending.TIME_LIMIT: COPT.TIMEOUT,
    Ending.NODE_LIMIT: COPT.NODELIMIT,
    Ending.SOLUTION_LIMIT: COPT.UNFINISHED,
    Ending.CUTOFF: COPT.INFEASIBLE,
    Ending.INTERRUPTED: COPT.INTERRUPTED,
    Ending.NUMERIC: COPT.NUMERICAL,
}


def solve(model: Any) -> None:
    """Solve the model; what came of it is in its attributes."""
    _run(model, relaxed=False)


def solveLP(model: Any) -> None:
    """Solve the model without its integrality."""
    _run(model, relaxed=True)


def _run(model: Any, relaxed: bool) -> None:
    state = model._state
    problem = problem_now(state, relaxed)
    mixed = is_mip(problem) and not relaxed
    log.before(state, problem, mixed)
    asked = callbacks.relay(model) if mixed else None
    state.forget()
    try:
        result = transport.solve(problem, asked)
    except SolverError as error:
        raise refused(error) from None
    if result.ending == Ending.UNSUPPORTED:
        raise NotImplementedError(result.detail or "this model is not supported")
    _keep(state, result, mixed)
    log.after(state, result, mixed)


def problem_now(state: Any, relaxed: bool = False) -> Problem:
    """The state as the solver's problem."""
    state.update()
    lazy = bool(state.hooks.lazy) or state.hooks.callback is not None
    settings = state.params.settings(relaxed, lazy)
    aim = None
    if state.formula is not None and not state.aims:
        # The objective is a further column that equals the formula.
        aim = FormulaPart(name="objective", formula=state.formula, number=1 << 30)
        aim.result = ("objective", 0.0)
        state.parts.setdefault("general", []).append(aim)
    column = -1

    def formula(draft: Draft, part: FormulaPart) -> None:
        nonlocal column
        if part is aim:
            column = len(state.columns) + len(draft.lower)
        add_formula(draft, part)

    try:
        problem = problem_of(state, settings, formula)
    finally:
        if aim is not None:
            state.parts["general"].remove(aim)
    if column >= 0:
        cost = problem.model.objective.copy()
        cost[column] = 1.0
        problem = dataclasses.replace(
            problem, model=dataclasses.replace(problem.model, objective=cost)
        )
    return _with_aims(state, problem)


def _with_aims(state: Any, problem: Problem) -> Problem:
    """The problem with the several objectives, each turned to the model's sense."""
    if not state.aims:
        return problem
    maximize = state.maximize
    ranks = sorted({aim.priority for aim in state.aims.values()})
    objectives = []
    for number, aim in sorted(state.aims.items()):
        turn = 1.0 if (aim.sense < 0) == maximize else -1.0
        index, value = merged(aim.coeffs, aim.variables)
        dense = np.zeros(problem.model.n)
        dense[index] = turn * value
        objectives.append(
            Objective(
                f"objective{number}",
                ranks.index(aim.priority),
                aim.weight,
                aim.abstol,
                aim.reltol,
                dense,
                turn * aim.constant,
            )
        )
    return dataclasses.replace(problem, objectives=tuple(objectives), quadratic=None)


def is_mip(problem: Problem) -> bool:
    """Whether COPT takes a problem for a mixed-integer one."""
    return bool(problem.model.is_mip or problem.indicators or problem.general or problem.sos)


def _keep(state: Any, result: Result, mixed: bool) -> None:
    state.settle(result)
    status = _STATUS[result.ending]
    if mixed and status == COPT.UNBOUNDED:
        status = COPT.INF_OR_UNB
    found = Outcome(status, is_mip=mixed, cols=len(state.columns), rows=len(state.rows))
    if mixed:
        found.mip_status = status
    else:
        found.lp_status = status
    value = COPT.INFINITY
    if result.x is not None and result.objective is not None:
        value = result.objective
        if state.aims:
            value = aim_value(state, state.aims[min(state.aims)])
    found.objective = value
    state.outcome = found
    if result.x is not None:
        for part in state.family("general"):
            if isinstance(part, FormulaPart):
                check_formula(part)


def computeIIS(model: Any) -> None:
    """Find an irreducible infeasible subsystem; `iislb` and `iisub` then name it."""
    state = model._state
    problem = problem_now(state)
    if problem.indicators or problem.general or problem.sos or problem.quadratic_rows:
        raise unsupported("computeIIS of a model with nonlinear, indicator or SOS constraints")
    linear = dataclasses.replace(problem, quadratic=None, objectives=())
    try:
        found: Any = transport.iis(linear)
    except SolverError as error:
        raise refused(error) from None
    state.iis = None
    if found is None:
        if state.outcome.status == COPT.OPTIMAL:
            raise invalid("Fail to compute IIS: the model is feasible")
        return
    sides: dict[str, set[int]] = {}
    for kind, members in (("row", found.rows), ("col", found.bounds)):
        sides[f"{kind}_lower"] = {number for number, side in members if side != "upper"}
        sides[f"{kind}_upper"] = {number for number, side in members if side != "lower"}
    state.iis, state.iis_minimal = sides, found.proven


def setMipStart(model: Any, vars: Any, startvals: Any = None) -> None:
    """Give start values to variables, or to all where only values are given."""
    from ordojo.compat.coptpy.each import paired

    state = model._state
    if startvals is None:
        vars, startvals = model.getVars(), vars
    for var, value in paired(vars, startvals):
        state.proposed.pairs.append((var, float(value)))


def loadMipStart(model: Any) -> None:
    """Nothing: start values count as soon as they are given."""


def reset(model: Any, clear_all: int = 0) -> None:
    """Forget the last solve."""
    state = model._state
    state.forget()
    state.outcome, state.iis, state.relaxed = Outcome(), None, None


def resetAll(model: Any) -> None:
    """Forget the last solve, and start values."""
    reset(model)
    model._state.proposed.pairs.clear()
