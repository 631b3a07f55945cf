"""Model methods that solve, callbacks on the way, and what a solve leaves in the model's state."""

import dataclasses
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ordojo.compat import transport
from ordojo.compat.core.assemble import (
    check_formula,
    is_mip,
    merged,
    objective_of,
    problem_of,
    quadratic_of,
    sides,
    take_apart,
)
from ordojo.compat.core.expressions import QuadExpr as CoreQuad
from ordojo.compat.core.store import (
    FormulaPart,
    GeneralPart,
    IndicatorPart,
    Store,
    StoredConstraint,
)
from ordojo.compat.gurobipy.constants import GRB
from ordojo.compat.gurobipy.errors import GurobiError, failure, unsupported
from ordojo.compat.gurobipy.expressions import TempConstr, as_expression, tupledict
from ordojo.compat.gurobipy.params import Values
from ordojo.compat.messages import Analysis
from ordojo.milp.model import VarType
from ordojo.milp.problem import GeneralFunction, with_pieces
from ordojo.solvers.answers import Iis, SolveResult, Status
from ordojo.solvers.problem import (
    MESSAGE,
    MIP,
    MIPNODE,
    MIPSOL,
    CallbackReply,
    Event,
    LazyConstraint,
    Problem,
)


class State(Store):
    """The store of a gurobipy model.

    `iis` has, after `computeIIS`, the numbers of its rows, lower and upper bounds, `iis_parts` its
    other parts. `calling` is
    the call of a running callback, `big` what feasRelax has multiplied its switches by.
    """

    unsupported = staticmethod(unsupported)
    drops_zeros = True

    def __init__(self, name: str, params: Values) -> None:
        super().__init__(name)
        self.params = params
        self.iis: dict[str, set[int]] | None = None
        self.analysis: Analysis | None = None
        self.iis_minimal = True
        self.iis_parts: list[StoredConstraint] = []
        self.calling: Any = None
        self.several = 0
        self.big = 0.0
        self.is_mip = False

    def update(self) -> bool:
        """Make what awaits happen; a changed model has no solution."""
        changed = super().update()
        if changed:
            self.forget()
        return changed

    def forget(self) -> None:
        """Drop what came of the last solve."""
        super().forget()
        self.iis = self.analysis = None

    def check(self, variables: list[Any]) -> None:
        """Raise Gurobi's error where a variable is another model's."""
        for var in variables:
            if var._store is not self:
                raise failure("NOT_IN_MODEL", "Variable not in model")


_CB = GRB.Callback
_WHERES = {
    MIP: _CB.MIP,
    MIPSOL: _CB.MIPSOL,
    MIPNODE: _CB.MIPNODE,
    MESSAGE: _CB.MESSAGE,
}


@dataclass
class CallbackCall:
    """One call of the program's function: what it may read and what it has asked for."""

    event: Event
    where: int
    maximize: bool
    solutions: int
    n: int
    size: int
    """Columns of the problem, the program's `n` first."""
    rows: list[LazyConstraint] = field(default_factory=list)
    solution: Any = None
    stop: bool = False


def _relay(
    model: Any, function: Callable[[Any, int], Any], size: int
) -> Callable[[Event], CallbackReply]:
    """The program's function as the service's callback, for so many columns."""
    state = model._state
    seen = 0

    def answer(event: Event) -> CallbackReply:
        nonlocal seen
        seen += event.where == MIPSOL
        own = len(state.columns)
        call = CallbackCall(event, _WHERES[event.where], state.maximize, seen, own, size)
        state.calling = call
        try:
            function(model, call.where)
        except Exception:
            # As with Gurobi, the error is shown and the solve goes on.
            sys.stderr.write(traceback.format_exc())
        finally:
            state.calling = None
        return CallbackReply(tuple(call.rows), call.stop, call.solution)

    return answer


def _call_now(model: Any, attribute: str) -> CallbackCall:
    found: CallbackCall | None = model._state.calling
    if found is None:
        raise AttributeError(f"'NoneType' object has no attribute '{attribute}'")
    return found


def cbGet(model: Any, what: int) -> Any:
    """A figure of the running solve."""
    call = _call_now(model, "_cbdata")
    event, worst = call.event, -1e100 if call.maximize else 1e100
    best = worst if event.best is None else event.best
    bound = -worst if event.bound is None else event.bound
    x = None if event.x is None else event.x[: call.n].tolist()
    nodes, count = float(event.nodes), call.solutions
    found: dict[str, Any] = {"OBJBST": best, "OBJBND": bound, "NODCNT": nodes, "SOLCNT": count}
    found["PHASE"] = 1
    where = {_CB.MIP: "MIP", _CB.MIPSOL: "MIPSOL", _CB.MIPNODE: "MIPNODE"}.get(call.where, "")
    if where == "MIP":
        found |= {"NODLFT": 0.0, "ITRCNT": 0.0, "CUTCNT": 0}
    elif where == "MIPSOL":
        found |= {"SOL": x, "OBJ": event.objective}
    elif where == "MIPNODE":
        found |= {"STATUS": GRB.OPTIMAL, "REL": x}
    figures = {getattr(_CB, f"{where}_{name}"): value for name, value in found.items() if where}
    figures |= {_CB.RUNTIME: event.seconds, _CB.WORK: event.seconds}
    if call.where == _CB.MESSAGE:
        figures[_CB.MSG_STRING] = event.message
    if what not in figures:
        raise failure("CALLBACK", "Callback information not available here")
    return figures[what]


def _values(call: CallbackCall, vars: Any) -> Any:
    x = call.event.x
    if x is None:
        raise failure("CALLBACK", "No solution available in this callback")
    if isinstance(vars, Mapping):
        return tupledict((key, float(x[var._col])) for key, var in vars.items())
    if hasattr(vars, "_col"):
        return float(x[vars._col])
    if hasattr(vars, "_values_in"):
        return vars._values_in(x)
    return [float(x[var._col]) for var in vars]


def cbGetSolution(model: Any, vars: Any) -> Any:
    """Values in the new solution, at MIPSOL."""
    call = _call_now(model, "_where")
    if call.where != _CB.MIPSOL:
        raise GurobiError(10011, "cbGetSolution can only be called at MIPSOL")
    return _values(call, vars)


def cbGetNodeRel(model: Any, vars: Any) -> Any:
    """Values in the node's relaxation, at MIPNODE."""
    call = _call_now(model, "_where")
    if call.where != _CB.MIPNODE:
        raise GurobiError(10011, "cbGetNodeRel can only be called at MIPNODE")
    return _values(call, vars)


def cbLazy(model: Any, lhs: Any, sense: Any = None, rhs: Any = None) -> None:
    """Add a lazy constraint, at MIPSOL or MIPNODE."""
    call = _call_now(model, "_where")
    if call.where not in (_CB.MIPSOL, _CB.MIPNODE):
        raise GurobiError(10011, "cbLazy can only be called at MIPSOL or MIPNODE")
    if not model._state.params["LazyConstraints"]:
        raise GurobiError(
            10011, "Set parameter LazyConstraints to 1 before adding lazy constraints"
        )
    call.rows.append(_row(model, lhs, sense, rhs))


def cbCut(model: Any, lhs: Any, sense: Any = None, rhs: Any = None) -> None:
    """Check a user cut and leave it out: it changes no solution, only the search."""
    _call_now(model, "_where")
    _row(model, lhs, sense, rhs)


def _row(model: Any, lhs: Any, sense: Any, rhs: Any) -> LazyConstraint:
    if isinstance(lhs, TempConstr):
        lhs, sense, rhs = lhs._lhs, lhs._sense, lhs._rhs
    left, right = as_expression(lhs), as_expression(rhs)
    if left is None or right is None or not isinstance(sense, str):
        raise failure("INVALID_ARGUMENT", "Invalid argument to Model.cbLazy")
    whole = left - right
    if isinstance(whole, CoreQuad):
        raise unsupported("a quadratic lazy constraint", "add it to the model beforehand")
    model._state.check(whole._v)
    index, value = merged(whole._c, whole._v)
    return LazyConstraint(index, value, *sides(sense[0], 0.0 - whole._k))


def cbSetSolution(model: Any, vars: Any, solution: Any) -> None:
    """Propose values for variables."""
    call = _call_now(model, "_where")
    if call.solution is None:
        call.solution = np.full(call.size, np.nan)
    members = [vars] if hasattr(vars, "_col") else list(getattr(vars, "values", lambda: vars)())
    given = [solution] if hasattr(vars, "_col") else solution
    if isinstance(given, Mapping):
        given = list(given.values())
    for var, value in zip(members, given, strict=True):
        call.solution[var._col] = value


def cbUseSolution(model: Any) -> float:
    """Say that the proposed values are complete; whether they help is known only later."""
    _call_now(model, "_where")
    return float(GRB.INFINITY)


def cbSetParam(model: Any, paramname: str, newval: Any) -> None:
    """Not supported."""
    _call_now(model, "_where")
    raise unsupported("cbSetParam", "set the parameter before the solve")


def cbProceed(model: Any) -> None:
    """Nothing: there is no phase to leave."""
    _call_now(model, "_cbdata")


def cbStopOneMultiObj(model: Any, objcnt: int) -> None:
    """Not supported."""
    _call_now(model, "_cbdata")
    raise unsupported("cbStopOneMultiObj", "call terminate")


def terminate(model: Any) -> None:
    """Ask the running solve to stop."""
    call = model._state.calling
    if call is not None:
        call.stop = True


_STATUS = {
    Status.OPTIMAL: GRB.OPTIMAL,
    Status.INFEASIBLE: GRB.INFEASIBLE,
    Status.UNBOUNDED: GRB.UNBOUNDED,
    Status.INFEASIBLE_OR_UNBOUNDED: GRB.INF_OR_UNBD,
    Status.TIME_LIMIT: GRB.TIME_LIMIT,
    Status.NODE_LIMIT: GRB.NODE_LIMIT,
    Status.SOLUTION_LIMIT: GRB.SOLUTION_LIMIT,
    Status.CUTOFF: GRB.CUTOFF,
    Status.INTERRUPTED: GRB.INTERRUPTED,
    Status.NUMERIC: GRB.NUMERIC,
    Status.MEMORY: GRB.MEM_LIMIT,
    Status.CRASH: GRB.NUMERIC,
}


def optimize(model: Any, callback: Any = None) -> None:
    """Solve the model; what came of it is in its attributes."""
    if callback is not None and not callable(callback):
        raise GurobiError(-1, "Callback argument must be a callable")
    state = model._state
    state.update()
    problem = problem_now(state)
    state.params.log.before(problem)
    asked = None if callback is None else _relay(model, callback, problem.model.n)
    state.forget()
    result = transport.solve(problem, asked)
    if result.status == Status.UNSUPPORTED:
        raise NotImplementedError(result.detail)
    _keep(state, result, problem)
    name = state.params["ResultFile"]
    if name and state.x is not None:
        model.write(name)


def problem_now(state: Any, relaxed: bool = False) -> Problem:
    """The updated state as the solver's problem."""
    if state.extra.get("ScenNX") or state.extra.get("NumScenarios"):
        raise unsupported("a model of several scenarios", "solve one model for each scenario")
    for var in state.extra.get("PWLObj", {}):
        if var._col < 0:
            raise unsupported(
                "removing a variable with a piecewise-linear objective", "fix it at 0"
            )
    settings = state.params.settings(relaxed)
    if state.big:
        # A switch that is 1e-6 off would let a violation of `big` times that go uncounted.
        settings = dataclasses.replace(settings, integrality_tol=1e-3 / state.big)
    if settings.pool_mode == 2 and any(state.extra.get("PoolIgnore", {}).values()):
        raise unsupported(
            "PoolIgnore with PoolSearchMode=2", "drop the points that differ in it alone"
        )
    problem = _switched(problem_of(state, settings, take_apart))
    pieces = state.extra.get("PWLObj")
    if pieces:
        problem = with_pieces(problem, {var._col: numbers for var, numbers in pieces.items()})
    if state.several and not problem.objectives and state.goal.weight != 1.0:
        alone = objective_of(state.goal, problem.model.objective)
        problem = dataclasses.replace(problem, objectives=(alone,))
    return problem


def _switched(problem: Problem) -> Problem:
    """The problem with binary columns where Gurobi solves with them: switches, and, or."""
    logical = (GeneralFunction.AND, GeneralFunction.OR)
    parts = [part for part in problem.general if part.function in logical]
    columns = [part.binary for part in problem.indicators]
    columns += [j for part in parts for j in (part.result, *part.operands.tolist())]
    if not columns:
        return problem
    model = problem.model
    types, low, up = model.types.copy(), model.col_lower.copy(), model.col_upper.copy()
    types[columns] = VarType.BINARY
    low[columns], up[columns] = np.maximum(low[columns], 0.0), np.minimum(up[columns], 1.0)
    return dataclasses.replace(
        problem, model=dataclasses.replace(model, types=types, col_lower=low, col_upper=up)
    )


def _keep(state: Any, result: SolveResult, problem: Problem) -> None:
    state.settle(result)
    status = _STATUS[result.status]
    stop = problem.settings.best_obj_stop
    if stop is not None and result.objective is not None and status != GRB.OPTIMAL:
        maximize = problem.model.maximize
        if result.objective >= stop if maximize else result.objective <= stop:
            status = GRB.USER_OBJ_LIMIT
    state.ended = status
    state.is_mip = is_mip(problem)
    for part in state.family("general") if state.x is not None else ():
        if isinstance(part, FormulaPart):
            check_formula(state, part.formula, part.result.x, part.result.x)
    log = state.params.log
    log.after(result, status, state.is_mip, gap(state), solution_count(state))


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
    general = state.family("general")
    if any(isinstance(part, FormulaPart) for part in general):
        raise unsupported("computeIIS of a model with formulas", "write them by addGenConstr...")
    problem = problem_now(state)
    count = len(general) - len(problem.indicators)  # without those of the objective's pieces
    found: Any = transport.iis(
        dataclasses.replace(
            problem, quadratic=None, objectives=(), general=problem.general[:count], start=None
        )
    )
    if found is None:
        raise failure("IIS_NOT_INFEASIBLE", "Cannot compute IIS on a feasible model")
    sides = {"lb": set[int](), "ub": set[int]()}
    for j, side in found.bounds:
        if side != "upper":
            sides["lb"].add(j)
        if side != "lower":
            sides["ub"].add(j)
    state.iis = {"row": {i for i, _ in found.rows}, **sides}
    state.iis_parts = _parts_of(state, found)
    state.iis_minimal = found.proven
    state.ended = GRB.INFEASIBLE
    rows, bounds = len(found.rows), len(found.bounds)
    state.params.log.lines(f"IIS computed: {rows} constraints, {bounds} bounds")


def _parts_of(state: Any, found: Iis) -> list[StoredConstraint]:
    """The parts of a subsystem, also quadratic ones that went as rows for want of products."""
    families: dict[str, list[StoredConstraint]] = {"quadratic_rows": [], "flat": []}
    for part in state.family("quadratic"):
        curved = len(quadratic_of(*part.products).value)
        families["quadratic_rows" if curved else "flat"].append(part)
    families["sos"] = state.family("sos")
    for name, kind in (("indicators", IndicatorPart), ("general", GeneralPart)):
        families[name] = [part for part in state.family("general") if isinstance(part, kind)]
    flat = [("flat", i - state.rows_live) for i, _ in found.rows if i >= state.rows_live]
    return [families[name][k] for name, k in [*found.parts, *flat]]
