"""Model methods that solve, and what they leave in the model's state."""

import dataclasses
from typing import Any

import numpy as np

from ordojo.compat import transport
from ordojo.compat.core.assemble import Draft, problem_of
from ordojo.compat.core.nonlinear import evaluate
from ordojo.compat.core.parts import FormulaPart
from ordojo.compat.gurobipy import callbacks
from ordojo.compat.gurobipy.constants import GRB
from ordojo.compat.gurobipy.errors import GurobiError, failure, unsupported
from ordojo.compat.gurobipy.formula import take_apart
from ordojo.solvers.problem import Ending, Function, General, Objective, Problem, Result

_STATUS = {
    Ending.OPTIMAL: GRB.OPTIMAL,
    Ending.INFEASIBLE: GRB.INFEASIBLE,
    Ending.UNBOUNDED: GRB.UNBOUNDED,
    Ending.INFEASIBLE_OR_UNBOUNDED: GRB.INF_OR_UNBD,
    Ending.TIME_LIMIT: GRB.TIME_LIMIT,
    Ending.NODE_LIMIT: GRB.NODE_LIMIT,
    Ending.SOLUTION_LIMIT: GRB.SOLUTION_LIMIT,
    Ending.CUTOFF: GRB.CUTOFF,
    Ending.INTERRUPTED: GRB.INTERRUPTED,
    Ending.NUMERIC: GRB.NUMERIC,
    Ending.MEMORY: GRB.MEM_LIMIT,
    Ending.CRASH: GRB.NUMERIC,
}


def optimize(model: Any, callback: Any = None) -> None:
    """Solve the model; what came of it is in its attributes."""
    if callback is not None and not callable(callback):
        raise GurobiError(-1, "Callback argument must be a callable")
    state = model._state
    state.update()
    problem = problem_now(state)
    state.params.log.before(problem)
    asked = None if callback is None else callbacks.relay(model, callback)
    state.forget()
    result = transport.solve(problem, asked)
    if result.ending == Ending.UNSUPPORTED:
        raise NotImplementedError(result.detail or "this model is not supported")
    _keep(state, result, problem)
    name = state.params["ResultFile"]
    if name and state.x is not None:
        model.write(name)


def problem_now(state: Any, relaxed: bool = False) -> Problem:
    """The updated state as the solver's problem."""
    if state.extra.get("ScenNX") or state.extra.get("NumScenarios"):
        raise unsupported("a model of several scenarios")
    for var in state.extra.get("PWLObj", {}):
        if var._col < 0:
            raise unsupported("removing a variable with a piecewise-linear objective")
    settings = state.params.settings(relaxed)
    if settings.pool_mode == 2 and any(state.extra.get("PoolIgnore", {}).values()):
        raise unsupported("PoolIgnore with PoolSearchMode=2")
    problem = problem_of(state, settings, _formula)
    pieces = state.extra.get("PWLObj")
    if pieces:
        problem = _with_pieces(problem, pieces)
    if state.several and not problem.objectives and state.goal.weight != 1.0:
        goal, model = state.goal, problem.model
        alone = Objective(
            goal.name,
            goal.priority,
            goal.weight,
            goal.abs_tol,
            goal.rel_tol,
            model.objective,
            goal.constant,
        )
        problem = dataclasses.replace(problem, objectives=(alone,))
    return problem


def _formula(draft: Draft, part: FormulaPart) -> None:
    take_apart(draft, part)


def _with_pieces(problem: Problem, pieces: Any) -> Problem:
    """The problem with a column for the value of each piecewise-linear objective term."""
    model, general = problem.model, list(problem.general)
    for var, numbers in pieces.items():
        new = model.n
        model = model.with_new_col(f"pwl.{new}", -float("inf"), cost=1.0)
        operands = np.array([var._col], np.int32)
        general.append(General(f"pwl.{new}", Function.PWL, new, operands, numbers))
    start = problem.start
    if start is not None:
        start = np.append(start, np.full(model.n - len(start), np.nan))
    return dataclasses.replace(problem, model=model, general=tuple(general), start=start)


def _keep(state: Any, result: Result, problem: Problem) -> None:
    state.settle(result)
    status = _STATUS[result.ending]
    stop = problem.settings.best_obj_stop
    if stop is not None and result.objective is not None and status != GRB.OPTIMAL:
        maximize = problem.model.maximize
        if result.objective >= stop if maximize else result.objective <= stop:
            status = GRB.USER_OBJ_LIMIT
    state.ended = status
    state.is_mip = is_mip(problem)
    _check_formulas(state)
    log = state.params.log
    log.after(result, status, state.is_mip, gap(state), solution_count(state))


def is_mip(problem: Problem) -> bool:
    """Whether Gurobi takes a problem for a mixed-integer one."""
    return bool(problem.model.is_mip or problem.indicators or problem.general or problem.sos)


def _check_formulas(state: Any) -> None:
    """Refuse a solution at which a formula is not what its variable says (a division by zero)."""
    if state.x is None:
        return
    for part in state.family("general"):
        if not isinstance(part, FormulaPart):
            continue
        try:
            wanted, got = evaluate(part.formula), part.result.x
        except (ArithmeticError, ValueError):
            raise unsupported("a formula that has no value at the solution") from None
        if abs(wanted - got) > 1e-3 * max(1.0, abs(wanted)):
            raise unsupported("a formula that does not hold at the solver's solution")


def gap(state: Any) -> float:
    """The relative gap between incumbent and bound, as Gurobi defines it."""
    result = state.result
    if result is None or result.objective is None or result.bound is None or result.x is None:
        return float("inf")
    distance = abs(result.objective - result.bound)
    if distance == 0.0:
        return 0.0
    return float("inf") if result.objective == 0 else float(distance / abs(result.objective))


def solution_count(state: Any) -> int:
    """How many solutions there are, the pool's included."""
    if state.result is None or state.result.x is None:
        return 0
    return max(1, len(state.result.pool))


def reset(model: Any, clearall: int = 0) -> None:
    """Forget the last solve; with 1, the starts and hints as well."""
    state = model._state
    state.update()
    state.forget()
    if clearall:
        for which in ("Start", "VarHintVal", "VarHintPri", "BranchPriority", "Partition"):
            state.extra.pop(which, None)


def computeIIS(model: Any, callback: Any = None) -> None:
    """Find an irreducible infeasible subsystem; IISConstr, IISLB and IISUB then name it."""
    state = model._state
    state.update()
    problem = problem_now(state)
    if not problem.is_linear and not (problem.objectives or problem.quadratic):
        raise unsupported("computeIIS of a model with nonlinear, indicator or SOS constraints")
    found: Any = transport.iis(dataclasses.replace(problem, quadratic=None, objectives=()))
    if found is None:
        raise failure("IIS_NOT_INFEASIBLE", "Cannot compute IIS on a feasible model")
    sides = {"lb": set[int](), "ub": set[int]()}
    for j, side in found.bounds:
        if side != "upper":
            sides["lb"].add(j)
        if side != "lower":
            sides["ub"].add(j)
    state.iis = {"row": {i for i, _ in found.rows}, **sides}
    state.iis_minimal = found.proven
    state.ended = GRB.INFEASIBLE
    rows, bounds = len(found.rows), len(found.bounds)
    state.params.log.line(f"IIS computed: {rows} constraints, {bounds} bounds")
