"""Model methods that solve, callbacks on the way, and relaxations at a price for each violation."""

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordojo.compat import transport
from ordojo.compat.coptpy.building import add_range, comparison, difference
from ordojo.compat.coptpy.constants import COPT, asked_service, invalid, unsupported
from ordojo.compat.coptpy.expressions import ConstrBuilder
from ordojo.compat.coptpy.handles import over, paired
from ordojo.compat.coptpy.matrix import Matrices
from ordojo.compat.coptpy.state import SolveOutcome, problem_now
from ordojo.compat.core.assemble import check_formula, is_mip, problem_of
from ordojo.compat.core.calls import CallbackCall, lazy_row, solved
from ordojo.compat.core.expressions import QuadExpr as CoreQuad
from ordojo.compat.core.parameters import spelled
from ordojo.compat.core.store import StoredConstraint
from ordojo.compat.core.subsystem import Member, parts_by_member
from ordojo.milp.model import INF, VarType
from ordojo.milp.objects.sketch import sides
from ordojo.solvers.answers import Iis, Side, SolveResult, Status
from ordojo.solvers.problem import (
    MIPNODE,
    MIPSOL,
    CallbackReply,
    Event,
    LazyConstraint,
    Problem,
    Settings,
)

_CONTEXTS = {
    MIPSOL: (COPT.CBCONTEXT_MIPSOL, COPT.CBCONTEXT_INCUMBENT),
    MIPNODE: (COPT.CBCONTEXT_MIPRELAX, COPT.CBCONTEXT_MIPNODE),
}


@dataclass
class CoptCall(CallbackCall):
    """One call of the program's callback, and the best solution so far."""

    context: int = 0
    incumbent: Any = None


class Cutting:
    """Takes lazy constraints and user cuts, for a model or in a callback.

    `_rows()` gives the model's state, and what keeps a lazy constraint.
    """

    _rows: Any

    def addLazyConstr(self, lhs: Any, sense: Any = None, rhs: Any = None, name: str = "") -> None:
        """Add a constraint that is checked only where a solution breaks it."""
        state, keep = self._rows()
        for relation in _relations(lhs, sense, rhs):
            keep(relation, row_of(state, relation))

    def addLazyConstrs(self, generator: Any, nameprefix: str = "R") -> None:
        for item in generator.values() if isinstance(generator, Mapping) else generator:
            self.addLazyConstr(item)

    def addUserCut(self, lhs: Any, sense: Any = None, rhs: Any = None, name: str = "") -> None:
        """Check a user cut and leave it out: it changes no solution, only the search."""
        for relation in _relations(lhs, sense, rhs):
            row_of(self._rows()[0], relation)

    def addUserCuts(self, generator: Any, nameprefix: str = "R") -> None:
        for item in generator:
            self.addUserCut(item)


class CallbackBase(Cutting):
    """Programs derive from this class and write `callback`."""

    _call_now: CoptCall | None = None
    _context: int = 0

    def __init__(self) -> None:
        self._call_now = None

    def _rows(self) -> tuple[Any, Callable[[ConstrBuilder, LazyConstraint], None]]:
        call = self._now()
        return call.state, lambda relation, row: call.rows.append(row)

    def callback(self) -> None:
        """What the program does at an event; to be written by the program."""

    def where(self) -> int:
        """The context of the call."""
        return self._context

    def interrupt(self) -> None:
        """Ask the running solve to stop."""
        if self._call_now is not None:
            self._call_now.stop = True

    def _now(self) -> CoptCall:
        if self._call_now is None:
            raise invalid("Callback data is available in a callback only")
        return self._call_now

    def getInfo(self, cbinfo: str) -> Any:
        call, name = self._now(), str(cbinfo).lower()
        event, point = call.event, call.own
        best, bound = call.bounds(COPT.INFINITY)
        found: dict[str, Any] = {
            "bestobj": best,
            "bestbnd": bound,
            "hasincumbent": int(event.best is not None),
            "nodestatus": COPT.OPTIMAL,
        }
        if event.where == MIPSOL:
            found["mipcandobj"], found["mipcandidate"] = event.objective, point
        else:
            found["relaxsolobj"], found["relaxsolution"] = event.objective, point
        if call.incumbent is not None:
            found["incumbent"] = call.incumbent[: len(call.state.columns)].tolist()
        if name not in found:
            raise invalid("Fail to get callback information")
        return found[name]

    def getSolution(self, vars: Any) -> Any:
        if self._now().event.where != MIPSOL:
            raise invalid("Fail to get MIP candidate solution")
        return _values(self._now().event.x, vars)

    def getRelaxSol(self, vars: Any) -> Any:
        if self._now().event.where == MIPSOL:
            raise invalid("Fail to get solution of LP relaxation")
        return _values(self._now().event.x, vars)

    def getIncumbent(self, vars: Any) -> Any:
        return _values(self._now().incumbent, vars)

    def setSolution(self, vars: Any, vals: Any) -> None:
        self._now().propose(paired(vars, vals))

    def loadSolution(self) -> float:
        """Say that the proposed values are complete; whether they help is known only later."""
        self._now()
        return COPT.INFINITY


def _values(x: Any, vars: Any) -> Any:
    if x is None:
        raise invalid("No solution is available in this callback")
    return over(vars, lambda var: float(x[var._col]))


def _relations(lhs: Any, sense: Any, rhs: Any) -> Iterable[ConstrBuilder]:
    if hasattr(lhs, "_relations"):
        return list(lhs._relations())
    return [comparison(lhs, sense, rhs)]


def row_of(state: Any, relation: ConstrBuilder) -> LazyConstraint:
    """A comparison as a lazy row."""
    whole = difference(relation)
    if isinstance(whole, CoreQuad) or isinstance(relation._rhs, list | tuple):
        raise unsupported(
            "a lazy constraint that is not a linear comparison", "add it to the model beforehand"
        )
    return lazy_row(state, whole, relation._sense)


def _relay(state: Any, size: int) -> Callable[[Event], CallbackReply] | None:
    """The program's callback and lazy constraints as the service's, for so many columns."""
    if state.callback is None and not state.lazy:
        return None
    always = [row_of(state, relation) for relation in state.lazy]
    incumbent: Any = None

    def answer(event: Event) -> CallbackReply:
        nonlocal incumbent
        rows = [row for row in always if event.x is not None and _breaks(row, event.x)]
        found = CoptCall(event, state, size, rows, incumbent=incumbent)
        for context in _CONTEXTS.get(event.where, ()):
            found.context = context
            if rows and event.where == MIPSOL:
                break
            if state.callback is not None and context & state.context:
                _call(state.callback, found)
        if event.where == MIPSOL and not rows:
            incumbent = event.x
        return found.reply()

    return answer


def _call(callback: Any, call: CoptCall) -> None:
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


_SPELLED = spelled("""
    OPTIMAL INFEASIBLE UNBOUNDED INFEASIBLE_OR_UNBOUNDED=INF_OR_UNB TIME_LIMIT=TIMEOUT
    NODE_LIMIT=NODELIMIT SOLUTION_LIMIT=UNFINISHED CUTOFF=INFEASIBLE INTERRUPTED NUMERIC=NUMERICAL
    MEMORY=NUMERICAL CRASH=NUMERICAL
""")
_STATUS = {Status[ours]: getattr(COPT, theirs) for ours, theirs in _SPELLED.items()}


def _run(model: Any, relaxed: bool) -> None:
    state = model._state
    problem = problem_now(state, relaxed)
    mixed = is_mip(problem) and not relaxed
    state.before(problem, mixed)
    callback = _relay(state, len(state.columns)) if mixed else None
    state.forget()
    result: SolveResult = asked_service(solved, problem, callback)
    _keep(state, result, mixed)
    state.after(result, mixed)


def _keep(state: Any, result: SolveResult, mixed: bool) -> None:
    state.settle(result)
    status = _STATUS[result.status]
    if mixed and status == COPT.UNBOUNDED:
        status = COPT.INF_OR_UNB
    value = COPT.INFINITY
    if result.x is not None and result.objective is not None:
        value = result.objective
        if state.goals:
            value = state.goals[min(state.goals)].value(state.x)
    statuses = (COPT.UNSTARTED, status) if mixed else (status, COPT.UNSTARTED)
    sizes = len(state.columns), len(state.rows)
    state.outcome = SolveOutcome(status, *statuses, mixed, *sizes, value)
    for part in state.formulas if result.x is not None else ():
        check_formula(state, part.formula, *sides(*part.result))


def _solved(model: Any) -> Any:
    state = model._state
    if state.values() is None:
        raise invalid("Fail to get LP solution")
    return state


def _duals(model: Any, which: str, count: int) -> list[float]:
    found = getattr(_solved(model).result, which)
    if found is None:
        raise invalid("Fail to get LP solution")
    return [float(value) for value in found[:count]]


def _pool(model: Any, isol: int) -> tuple[float, Any]:
    state = model._state
    found: tuple[float, Any] | None = state.solution(isol) if state.outcome.is_mip else None
    if found is None:
        raise invalid("Fail to get objective value from solution pool")
    return found


Price = tuple[float, float]
"""What a unit of violation of the lower and of the upper side costs."""


def _prices(things: Any, lower: Any, upper: Any) -> dict[int, Price]:
    if things is None:
        return {}
    found: dict[int, list[float]] = {}
    for side, prices in enumerate((lower, upper)):
        pairs: Iterable[tuple[Any, Any]] = paired(things, INF if prices is None else prices)
        for thing, price in pairs:
            found.setdefault(thing.getIdx(), [INF, INF])[side] = float(price)
    return {number: (low, up) for number, (low, up) in found.items()}


def _loosened(
    model: Any, columns: dict[int, Price], rows: dict[int, Price]
) -> tuple[Problem, list[tuple[str, int, int]]]:
    """The problem of least violations, and of each its side, whose it is, and its column."""
    made = model.clone()
    state, violations = made._state, list[tuple[str, int, int]]()
    made.setObjective(0.0, COPT.MINIMIZE)
    state.goals, state.proposed = {}, []

    def loosen(kind: str, number: int, constr: Any, price: Price) -> None:
        if abs(state.rhs[constr._row]) >= COPT.INFINITY:  # a free row
            return
        for side, violation, cost in made._loosen(constr, price):
            state.cost[violation._col] = cost
            violations.append((f"{kind}_{side}", number, violation._col))

    for i, price in rows.items():
        loosen("row", i, state.rows[i], price)
    for j, price in columns.items():
        # A bound that may be violated is a row.
        both = list[float]()
        for bounds, cost, free in zip((state.lower, state.upper), price, (-INF, INF), strict=True):
            both.append(free if cost >= COPT.INFINITY else bounds[j])
            bounds[j] = free if cost < COPT.INFINITY else bounds[j]
        row = add_range(state, state.columns[j], both[0], both[1], "")
        loosen("col", j, row, price)
    return problem_now(state), violations


def _relax(model: Any, columns: dict[int, Price], rows: dict[int, Price]) -> None:
    state = model._state
    if state.params["FeasRelaxMode"]:
        raise unsupported("feasRelax with FeasRelaxMode other than 0", "leave the parameter at 0")
    columns = {j: p for j, p in columns.items() if state.kinds[j] != VarType.BINARY}
    asked, violations = _loosened(model, columns, rows)
    result = asked_service(transport.solve, asked)
    state.relaxed = None
    if result.status != Status.OPTIMAL or result.x is None:
        return
    found: dict[str, Any] = {"objective": float(result.objective or 0.0)}
    found["value"] = result.x[: len(state.columns)].tolist()
    for name, size in (("row", len(state.rows)), ("col", len(state.columns))):
        found[f"{name}_lower"], found[f"{name}_upper"] = [0.0] * size, [0.0] * size
    for name, number, column in violations:
        amount = float(result.x[column])
        found[name][number] = -amount if name.endswith("lower") else amount
    state.relaxed = found


_ENDS = {
    Side.LOWER: (Side.LOWER,),
    Side.UPPER: (Side.UPPER,),
    Side.BOTH: (Side.LOWER, Side.UPPER),
}


def _members(found: Iis, parts: Mapping[Member, StoredConstraint]) -> set[Any]:
    """The sides of rows and columns, and the parts, that are in a subsystem."""
    held = [("row", *one) for one in found.rows] + [("col", *one) for one in found.bounds]
    named = {*found.parts, *((kind, k) for kind, k, _ in held)} & parts.keys()
    ends = {(f"{kind}_{end}", k) for kind, k, side in held for end in _ENDS[side]}
    return {parts[one] for one in named} | {
        one for one in ends if (one[0][:3], one[1]) not in named
    }


class Solving(Matrices, Cutting):
    """Solves, calls back, finds infeasible subsystems, and relaxes."""

    def setCallback(self, cb: Any, cbctx: int = 0) -> None:
        """Have a callback called at events of the given contexts while the model is solved."""
        if cb is not None and not isinstance(cb, CallbackBase):
            raise TypeError("A callback is an object of a class derived from CallbackBase")
        self._state.callback, self._state.context = cb, int(cbctx)

    def _rows(self) -> tuple[Any, Callable[[ConstrBuilder, LazyConstraint], None]]:
        return self._state, lambda relation, row: self._state.lazy.append(relation)

    def interrupt(self) -> None:
        """Nothing outside of a callback: a solve that runs has the program wait."""

    def solve(self) -> None:
        """Solve the model; what came of it is in its attributes."""
        _run(self, relaxed=False)

    def solveLP(self) -> None:
        """Solve the model without its integrality."""
        _run(self, relaxed=True)

    def computeIIS(self) -> None:
        """Find an irreducible infeasible subsystem; `iislb` and `iisub` then name it."""
        state = self._state
        state.update()
        if state.formulas:
            raise unsupported("computeIIS of a model with nonlinear constraints", "leave them out")
        whole = problem_of(state, Settings())
        problem = dataclasses.replace(whole, quadratic=None, objectives=(), start=None)
        found: Any = asked_service(transport.ask, "iis", problem)
        state.iis = None
        if found is not None:
            state.iis, state.iis_minimal = _members(found, parts_by_member(state)), found.proven
        elif state.outcome.status == COPT.OPTIMAL:
            raise invalid("Fail to compute IIS: the model is feasible")

    def setMipStart(self, vars: Any, startvals: Any = None) -> None:
        """Give start values to variables, or to all where only values are given."""
        state = self._state
        if startvals is None:
            vars, startvals = self.getVars(), vars
        for var, value in paired(vars, startvals):
            state.proposed.append((var, float(value)))

    def loadMipStart(self) -> None:
        """Nothing: start values count as soon as they are given."""

    def reset(self, clear_all: int = 0) -> None:
        state = self._state
        state.forget()
        state.outcome, state.iis, state.relaxed = SolveOutcome(), None, None

    def resetAll(self) -> None:
        """Forget the last solve, and start values."""
        self.reset()
        self._state.proposed.clear()

    def getValues(self) -> list[float]:
        return list(_solved(self).x[: len(self._state.columns)])

    def getRedcosts(self) -> list[float]:
        return _duals(self, "col_dual", len(self._state.columns))

    def getDuals(self) -> list[float]:
        return _duals(self, "row_dual", len(self._state.rows))

    def getSlacks(self) -> list[float]:
        """Values of all linear constraints' left sides; as with COPT, of LPs only."""
        if _solved(self).outcome.is_mip:
            raise invalid("Fail to get LP solution")
        return [constr.getInfo("slack") for constr in self._state.rows]

    def getLpSolution(self) -> tuple[list[float], ...]:
        return self.getValues(), self.getSlacks(), self.getDuals(), self.getRedcosts()

    def getPoolObjVal(self, isol: int) -> float:
        return float(_pool(self, isol)[0])

    def getPoolSolution(self, isol: int, vars: Any) -> Any:
        x = _pool(self, isol)[1]
        return over(vars, lambda var: float(x[var._col]))

    def getVarLowerIIS(self, args: Any) -> Any:
        """Whether the lower side of each is in the infeasible subsystem."""
        return self.getInfo("iislb", args)

    def getVarUpperIIS(self, args: Any) -> Any:
        """Whether the upper side of each is in the infeasible subsystem."""
        return self.getInfo("iisub", args)

    getConstrLowerIIS, getConstrUpperIIS = getVarLowerIIS, getVarUpperIIS

    def getIndicatorIIS(self, args: Any) -> Any:
        """Whether each is in the infeasible subsystem."""
        return self.getInfo("iis", args)

    getSOSIIS = getIndicatorIIS

    def feasRelaxS(self, vrelax: Any, crelax: Any) -> None:
        """Let all bounds (`vrelax`) and rows (`crelax`) be violated at a price of one."""
        state = self._state
        columns = dict.fromkeys(range(len(state.columns)), (1.0, 1.0)) if vrelax else {}
        rows = dict.fromkeys(range(len(state.rows)), (1.0, 1.0)) if crelax else {}
        _relax(self, columns, rows)

    def feasRelax(
        self, vars: Any, lbpen: Any, ubpen: Any, constrs: Any, rhspen: Any, uppen: Any = None
    ) -> None:
        """Let bounds and rows be violated at their prices; None as a price means never."""
        uppen = rhspen if uppen is None else uppen
        _relax(self, _prices(vars, lbpen, ubpen), _prices(constrs, rhspen, uppen))
