"""Model methods that solve, callbacks on the way, and what a solve leaves in the model's state."""

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ordojo.compat import transport
from ordojo.compat.coptpy.building import aim_value, comparison, difference
from ordojo.compat.coptpy.constants import COPT
from ordojo.compat.coptpy.errors import invalid, refused, unsupported
from ordojo.compat.coptpy.expressions import ConstrBuilder, add_formula
from ordojo.compat.coptpy.handles import over, paired
from ordojo.compat.coptpy.state import SolveOutcome
from ordojo.compat.core.assemble import (
    Draft,
    check_formula,
    is_mip,
    merged,
    objective_of,
    problem_of,
    sides,
)
from ordojo.compat.core.expressions import QuadExpr as CoreQuad
from ordojo.compat.core.store import FormulaPart
from ordojo.core.errors import SolverError
from ordojo.milp.model import INF, Model
from ordojo.solvers.answers import SolveResult, Status
from ordojo.solvers.problem import MIPNODE, MIPSOL, CallbackReply, Event, LazyConstraint, Problem

_CONTEXTS = {
    MIPSOL: (COPT.CBCONTEXT_MIPSOL, COPT.CBCONTEXT_INCUMBENT),
    MIPNODE: (COPT.CBCONTEXT_MIPRELAX, COPT.CBCONTEXT_MIPNODE),
}


@dataclass
class CallbackCall:
    """One call of the program's callback: what it may read and what it has asked for."""

    event: Event
    context: int
    model: Any
    incumbent: Any
    rows: list[LazyConstraint] = field(default_factory=list)
    solution: Any = None
    stop: bool = False


class CallbackBase:
    """Programs derive from this class and write `callback`."""

    _call_now: CallbackCall | None = None
    _context: int = 0

    def __init__(self) -> None:
        self._call_now = None

    def callback(self) -> None:
        """What the program does at an event; to be written by the program."""

    def where(self) -> int:
        """The context of the call."""
        return self._context

    def interrupt(self) -> None:
        """Ask the running solve to stop."""
        if self._call_now is not None:
            self._call_now.stop = True

    def _now(self) -> CallbackCall:
        if self._call_now is None:
            raise invalid("Callback data is available in a callback only")
        return self._call_now

    def getInfo(self, cbinfo: str) -> Any:
        """A figure of the running solve."""
        call, name = self._now(), str(cbinfo).lower()
        event, model = call.event, call.model._state
        worst = -COPT.INFINITY if model.maximize else COPT.INFINITY
        found: dict[str, Any] = {
            "bestobj": worst if event.best is None else event.best,
            "bestbnd": -worst if event.bound is None else event.bound,
            "hasincumbent": int(event.best is not None),
            "nodestatus": COPT.OPTIMAL,
        }
        if event.where == MIPSOL:
            found["mipcandobj"], found["mipcandidate"] = event.objective, _list(event.x, model)
        else:
            found["relaxsolobj"], found["relaxsolution"] = event.objective, _list(event.x, model)
        if call.incumbent is not None:
            found["incumbent"] = _list(call.incumbent, model)
        if name not in found:
            raise invalid("Fail to get callback information")
        return found[name]

    def getSolution(self, vars: Any) -> Any:
        """Values in the new solution."""
        if self._now().event.where != MIPSOL:
            raise invalid("Fail to get MIP candidate solution")
        return _values(self._now().event.x, vars)

    def getRelaxSol(self, vars: Any) -> Any:
        """Values in the relaxation's solution."""
        if self._now().event.where == MIPSOL:
            raise invalid("Fail to get solution of LP relaxation")
        return _values(self._now().event.x, vars)

    def getIncumbent(self, vars: Any) -> Any:
        """Values in the best solution so far."""
        return _values(self._now().incumbent, vars)

    def addLazyConstr(self, lhs: Any, sense: Any = None, rhs: Any = None, name: str = "") -> None:
        """Add a lazy constraint."""
        call = self._now()
        for relation in _relations(lhs, sense, rhs):
            call.rows.append(row_of(call.model._state, relation))

    def addLazyConstrs(self, generator: Any) -> None:
        """Add several lazy constraints."""
        for item in generator:
            self.addLazyConstr(item)

    def addUserCut(self, lhs: Any, sense: Any = None, rhs: Any = None, name: str = "") -> None:
        """Check a user cut and leave it out: it changes no solution, only the search."""
        for relation in _relations(lhs, sense, rhs):
            row_of(self._now().model._state, relation)

    def addUserCuts(self, generator: Any) -> None:
        """Check several user cuts and leave them out."""
        for item in generator:
            self.addUserCut(item)

    def setSolution(self, vars: Any, vals: Any) -> None:
        """Propose values for variables."""
        from ordojo.compat.coptpy.handles import paired

        call = self._now()
        if call.solution is None:
            call.solution = np.full(len(call.model._state.columns), np.nan)
        for var, value in paired(vars, vals):
            call.solution[var._col] = value

    def loadSolution(self) -> float:
        """Say that the proposed values are complete; whether they help is known only later."""
        self._now()
        return COPT.INFINITY


def _list(x: Any, state: Any) -> Any:
    return None if x is None else x[: len(state.columns)].tolist()


def _values(x: Any, vars: Any) -> Any:
    if x is None:
        raise invalid("No solution is available in this callback")
    return over(vars, lambda var: float(x[var._col]))


def _relations(lhs: Any, sense: Any, rhs: Any) -> Iterable[ConstrBuilder]:
    many = getattr(lhs, "_relations", None)
    if many is not None:
        found: Iterable[ConstrBuilder] = many()
        return found
    if hasattr(lhs, "getBuilder"):
        return list(lhs)
    return [comparison(lhs, sense, rhs)]


def row_of(state: Any, relation: ConstrBuilder) -> LazyConstraint:
    """A comparison as a lazy row."""
    whole = difference(relation)
    if isinstance(whole, CoreQuad) or isinstance(relation._rhs, list | tuple):
        raise unsupported(
            "a lazy constraint that is not a linear comparison", "add it to the model beforehand"
        )
    state.check(whole._v)
    index, value = merged(whole._c, whole._v)
    return LazyConstraint(index, value, *sides(relation._sense, 0.0 - whole._k))


def _relay(model: Any) -> Callable[[Event], CallbackReply] | None:
    """The program's callback and the model's lazy constraints as the service's callback."""
    state = model._state
    hooks = state.hooks
    if hooks.callback is None and not hooks.lazy:
        return None
    always = [row_of(state, relation) for relation in hooks.lazy]
    incumbent: Any = None

    def answer(event: Event) -> CallbackReply:
        nonlocal incumbent
        rows = [row for row in always if event.x is not None and _breaks(row, event.x)]
        found = CallbackCall(event, 0, model, incumbent, rows)
        for context in _CONTEXTS.get(event.where, ()):
            found.context = context
            if rows and event.where == MIPSOL:
                break
            if hooks.callback is not None and context & hooks.context:
                _call(hooks.callback, found)
        if event.where == MIPSOL and not rows:
            incumbent = event.x
        return CallbackReply(tuple(rows), found.stop, found.solution)

    return answer


def _call(callback: Any, call: CallbackCall) -> None:
    callback._call_now, callback._context = call, call.context
    try:
        callback.callback()
    finally:
        callback._call_now = None


_BROKEN = 1e-9
"""A lazy row is added where a point breaks it by more: above the rounding of the sum, so that no
row is added for nothing, and below the solver's own tolerance, so that none is left out."""


def _breaks(row: LazyConstraint, x: Any) -> bool:
    value = float(np.dot(row.value, x[row.index]))
    return not row.lower - _BROKEN <= value <= row.upper + _BROKEN


def setCallback(model: Any, cb: Any, cbctx: int = 0) -> None:
    """Have a callback called at events of the given contexts while the model is solved."""
    if cb is not None and not isinstance(cb, CallbackBase):
        raise TypeError("A callback is an object of a class derived from CallbackBase")
    model._state.hooks.callback, model._state.hooks.context = cb, int(cbctx)


def addLazyConstr(model: Any, lhs: Any, sense: Any = None, rhs: Any = None, name: str = "") -> None:
    """Add a constraint that is checked only where a solution breaks it."""
    for relation in _relations(lhs, sense, rhs):
        row_of(model._state, relation)
        model._state.hooks.lazy.append(relation)


def addLazyConstrs(model: Any, generator: Any, nameprefix: str = "R") -> None:
    """Add several lazy constraints."""
    items = generator.values() if isinstance(generator, Mapping) else generator
    for item in items:
        addLazyConstr(model, item)


def addUserCut(model: Any, lhs: Any, sense: Any = None, rhs: Any = None, name: str = "") -> None:
    """Check a user cut and leave it out: it changes no solution, only the search."""
    for relation in _relations(lhs, sense, rhs):
        row_of(model._state, relation)


def addUserCuts(model: Any, generator: Any, nameprefix: str = "R") -> None:
    """Check several user cuts and leave them out."""
    for item in generator:
        addUserCut(model, item)


def interrupt(model: Any) -> None:
    """Nothing outside of a callback: a solve that runs has the program wait."""


_STATUS = {
    Status.OPTIMAL: COPT.OPTIMAL,
    Status.INFEASIBLE: COPT.INFEASIBLE,
    Status.UNBOUNDED: COPT.UNBOUNDED,
    Status.INFEASIBLE_OR_UNBOUNDED: COPT.INF_OR_UNB,
    Status.TIME_LIMIT: COPT.TIMEOUT,
    Status.NODE_LIMIT: COPT.NODELIMIT,
    Status.SOLUTION_LIMIT: COPT.UNFINISHED,
    Status.CUTOFF: COPT.INFEASIBLE,
    Status.INTERRUPTED: COPT.INTERRUPTED,
    Status.NUMERIC: COPT.NUMERICAL,
    Status.MEMORY: COPT.NUMERICAL,
    Status.CRASH: COPT.NUMERICAL,
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
    state.before(problem, mixed)
    asked = _relay(model) if mixed else None
    state.forget()
    try:
        result = transport.solve(problem, asked)
    except SolverError as error:
        raise refused(error) from None
    if result.status == Status.UNSUPPORTED:
        raise NotImplementedError(result.detail)
    _keep(state, result, mixed)
    state.after(result, mixed)


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
        goal = dataclasses.replace(
            aim,
            name=f"objective{number}",
            priority=ranks.index(aim.priority),
            constant=turn * aim.constant,
        )
        objectives.append(objective_of(goal, dense))
    return dataclasses.replace(problem, objectives=tuple(objectives), quadratic=None)


def _keep(state: Any, result: SolveResult, mixed: bool) -> None:
    state.settle(result)
    status = _STATUS[result.status]
    if mixed and status == COPT.UNBOUNDED:
        status = COPT.INF_OR_UNB
    found = SolveOutcome(status, is_mip=mixed, cols=len(state.columns), rows=len(state.rows))
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
    for part in state.family("general") if result.x is not None else ():
        if isinstance(part, FormulaPart) and part.result[0] != "objective":
            check_formula(state, part.formula, *sides(*part.result))


def computeIIS(model: Any) -> None:
    """Find an irreducible infeasible subsystem; `iislb` and `iisub` then name it."""
    state = model._state
    problem = problem_now(state)
    if problem.indicators or problem.general or problem.sos or problem.quadratic_rows:
        raise unsupported(
            "computeIIS of a model with nonlinear, indicator or SOS constraints",
            "write them as big-M rows first",
        )
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
    from ordojo.compat.coptpy.handles import paired

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
    state.outcome, state.iis, state.relaxed = SolveOutcome(), None, None


def resetAll(model: Any) -> None:
    """Forget the last solve, and start values."""
    reset(model)
    model._state.proposed.pairs.clear()


def _solved(model: Any) -> Any:
    state = model._state
    if state.values() is None:
        raise invalid("Fail to get LP solution")
    return state


def getValues(model: Any) -> list[float]:
    """Values of all variables."""
    return list(_solved(model).x[: len(model._state.columns)])


def _duals(model: Any, which: str, count: int) -> list[float]:
    found = getattr(_solved(model).result, which)
    if found is None:
        raise invalid("Fail to get LP solution")
    return [float(value) for value in found[:count]]


def getRedcosts(model: Any) -> list[float]:
    """Reduced costs of all variables."""
    return _duals(model, "col_dual", len(model._state.columns))


def getDuals(model: Any) -> list[float]:
    """Dual values of all linear constraints."""
    return _duals(model, "row_dual", len(model._state.rows))


def getSlacks(model: Any) -> list[float]:
    """Values of all linear constraints' left sides; as with COPT, of LPs only."""
    if _solved(model).outcome.is_mip:
        raise invalid("Fail to get LP solution")
    return [constr.getInfo("slack") for constr in model._state.rows]


def getLpSolution(model: Any) -> tuple[list[float], ...]:
    """Values, slacks, duals and reduced costs."""
    return getValues(model), getSlacks(model), getDuals(model), getRedcosts(model)


def _pool(model: Any, isol: int) -> tuple[float, Any]:
    state = model._state
    result = state.result
    if result is None or result.x is None or not state.outcome.is_mip:
        raise invalid("Fail to get objective value from solution pool")
    pool = result.pool or ((result.objective, result.x),)
    if not 0 <= isol < len(pool):
        raise invalid("Fail to get objective value from solution pool")
    found: tuple[float, Any] = pool[isol]
    return found


def getPoolObjVal(model: Any, isol: int) -> float:
    """The objective of a solution in the pool."""
    return float(_pool(model, isol)[0])


def getPoolSolution(model: Any, isol: int, vars: Any) -> Any:
    """Values in a solution of the pool."""
    x = _pool(model, isol)[1]
    return over(vars, lambda var: float(x[var._col]))


def _side(name: str) -> Any:
    def get(model: Any, args: Any) -> Any:
        return over(args, lambda item: item.getInfo(name))

    get.__doc__ = f"Whether the {name[3:]} side of each is in the infeasible subsystem."
    return get


getVarLowerIIS = getConstrLowerIIS = _side("iislb")
getVarUpperIIS = getConstrUpperIIS = _side("iisub")


def getIndicatorIIS(model: Any, args: Any) -> Any:
    """Not supported."""
    return over(args, lambda item: item.getInfo("iis"))


getSOSIIS = getIndicatorIIS


Price = tuple[float, float]
"""What a unit of violation of the lower and of the upper side costs."""


def feasRelaxS(model: Any, vrelax: Any, crelax: Any) -> None:
    """Let all bounds (`vrelax`) and rows (`crelax`) be violated at a price of one."""
    state = model._state
    columns = dict.fromkeys(range(len(state.columns)), (1.0, 1.0)) if vrelax else {}
    rows = dict.fromkeys(range(len(state.rows)), (1.0, 1.0)) if crelax else {}
    _relax(model, columns, rows)


def feasRelax(
    model: Any, vars: Any, lbpen: Any, ubpen: Any, constrs: Any, rhspen: Any, uppen: Any = None
) -> None:
    """Let bounds and rows be violated at their prices; None as a price means never."""
    uppen = rhspen if uppen is None else uppen
    _relax(model, _prices(vars, lbpen, ubpen), _prices(constrs, rhspen, uppen))


def _prices(things: Any, lower: Any, upper: Any) -> dict[int, Price]:
    if things is None:
        return {}
    found: dict[int, list[float]] = {}
    for side, prices in enumerate((lower, upper)):
        pairs: Iterable[tuple[Any, Any]] = paired(things, INF if prices is None else prices)
        for thing, price in pairs:
            found.setdefault(thing.getIdx(), [INF, INF])[side] = float(price)
    return {number: (low, up) for number, (low, up) in found.items()}


class _Loosened:
    """A linear model to which violations are added as columns."""

    def __init__(self, model: Model) -> None:
        zero = np.zeros(model.n)
        self.model = dataclasses.replace(model, maximize=False, objective=zero, offset=0.0)
        self.violations: list[tuple[str, int, int]] = []

    def row(self, i: int, price: Price, kind: str = "row", number: int | None = None) -> None:
        """Let the sides of row i be violated."""
        sides = (self.model.row_lower[i], self.model.row_upper[i])
        for side, sign, cost in zip(sides, (1.0, -1.0), price, strict=True):
            if np.isfinite(side) and cost < COPT.INFINITY:
                column = self.model.n
                self.model = self.model.with_new_col(f"violation.{column}", 0.0, cost=cost)
                index, value = self.model.row(i)
                lower, upper = float(self.model.row_lower[i]), float(self.model.row_upper[i])
                terms = [*index.tolist(), column], [*value.tolist(), sign]
                self.model = self.model.with_row(i, *terms, lower, upper)
                name = f"{kind}_lower" if sign > 0 else f"{kind}_upper"
                self.violations.append((name, i if number is None else number, column))

    def column(self, j: int, price: Price) -> None:
        """Let the bounds of column j be violated, as a row that holds them."""
        sides = float(self.model.col_lower[j]), float(self.model.col_upper[j])
        free = [not np.isfinite(s) or p >= COPT.INFINITY for s, p in zip(sides, price, strict=True)]
        if all(free):
            return
        kept = list(sides)
        limits = [-INF, INF]
        for k in (0, 1):
            if not free[k]:
                kept[k], limits[k] = limits[k], sides[k]
        self.model = self.model.with_new_row(f"bounds.{j}", [j], [1.0], limits[0], limits[1])
        self.model = self.model.with_col_bounds(j, kept[0], kept[1])
        self.row(self.model.m - 1, price, "col", j)


def _relax(model: Any, columns: dict[int, Price], rows: dict[int, Price]) -> None:
    state = model._state
    problem = problem_now(state)
    if not problem.is_linear and not (problem.objectives or problem.quadratic):
        raise unsupported(
            "feasRelax of a model with nonlinear, indicator or SOS constraints",
            "write them as big-M rows first",
        )
    if state.params["FeasRelaxMode"]:
        raise unsupported("feasRelax with FeasRelaxMode other than 0", "leave the parameter at 0")
    if any(state.kinds[j] == 2 for j in columns):
        columns = {j: price for j, price in columns.items() if state.kinds[j] != 2}
    loose = _Loosened(problem.model)
    for i, price in rows.items():
        loose.row(i, price)
    for j, price in columns.items():
        loose.column(j, price)
    asked = dataclasses.replace(
        problem, model=loose.model, objectives=(), quadratic=None, start=None
    )
    try:
        result = transport.solve(asked)
    except SolverError as error:
        raise refused(error) from None
    state.relaxed = None
    if result.status != Status.OPTIMAL or result.x is None:
        return
    found: dict[str, Any] = {"objective": float(result.objective or 0.0)}
    found["value"] = result.x[: len(state.columns)].tolist()
    for name, size in (("row", len(state.rows)), ("col", len(state.columns))):
        found[f"{name}_lower"], found[f"{name}_upper"] = [0.0] * size, [0.0] * size
    for name, number, column in loose.violations:
        amount = float(result.x[column])
        found[name][number] = -amount if name.endswith("lower") else amount
    found["lower"], found["upper"] = found["col_lower"], found["col_upper"]
    state.relaxed = found
