"""The program's callbacks, and how a solve's events reach them."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ordojo.compat.coptpy.arrays import over
from ordojo.compat.coptpy.building import comparison, difference
from ordojo.compat.coptpy.constants import COPT
from ordojo.compat.coptpy.errors import invalid, unsupported
from ordojo.compat.coptpy.expressions import ConstrBuilder
from ordojo.compat.core.assemble import merged, sides
from ordojo.compat.core.quad import QuadExpr as CoreQuad
from ordojo.solvers import problem
from ordojo.solvers.problem import Event, Reply, Row

_CONTEXTS = {
    problem.MIPSOL: (COPT.CBCONTEXT_MIPSOL, COPT.CBCONTEXT_INCUMBENT),
    problem.MIPNODE: (COPT.CBCONTEXT_MIPRELAX, COPT.CBCONTEXT_MIPNODE),
}


@dataclass
class Moment:
    """One call of the program's callback: what it may read and what it has asked for."""

    event: Event
    context: int
    model: Any
    incumbent: Any
    rows: list[Row] = field(default_factory=list)
    solution: Any = None
    stop: bool = False


class CallbackBase:
    """Programs derive from this class and write `callback`."""

    _moment: Moment | None = None
    _context: int = 0

    def __init__(self) -> None:
        self._moment = None

    def callback(self) -> None:
        """What the program does at an event; to be written by the program."""

    def where(self) -> int:
        """The context of the call."""
        return self._context

    def interrupt(self) -> None:
        """Ask the running solve to stop."""
        if self._moment is not None:
            self._moment.stop = True

    def _now(self) -> Moment:
        if self._moment is None:
            raise invalid("Callback data is available in a callback only")
        return self._moment

    def getInfo(self, cbinfo: str) -> Any:
        """A figure of the running solve."""
        moment, name = self._now(), str(cbinfo).lower()
        event, model = moment.event, moment.model._state
        worst = -COPT.INFINITY if model.maximize else COPT.INFINITY
        found: dict[str, Any] = {
            "bestobj": worst if event.best is None else event.best,
            "bestbnd": -worst if event.bound is None else event.bound,
            "hasincumbent": int(event.best is not None),
            "nodestatus": COPT.OPTIMAL,
        }
        if event.where == problem.MIPSOL:
            found["mipcandobj"], found["mipcandidate"] = event.objective, _list(event.x, model)
        else:
            found["relaxsolobj"], found["relaxsolution"] = event.objective, _list(event.x, model)
        if moment.incumbent is not None:
            found["incumbent"] = _list(moment.incumbent, model)
        if name not in found:
            raise invalid("Fail to get callback information")
        return found[name]

    def getSolution(self, vars: Any) -> Any:
        """Values in the new solution."""
        if self._now().event.where != problem.MIPSOL:
            raise invalid("Fail to get MIP candidate solution")
        return _values(self._now().event.x, vars)

    def getRelaxSol(self, vars: Any) -> Any:
        """Values in the relaxation's solution."""
        if self._now().event.where == problem.MIPSOL:
            raise invalid("Fail to get solution of LP relaxation")
        return _values(self._now().event.x, vars)

    def getIncumbent(self, vars: Any) -> Any:
        """Values in the best solution so far."""
        return _values(self._now().incumbent, vars)

    def addLazyConstr(self, lhs: Any, sense: Any = None, rhs: Any = None, name: str = "") -> None:
        """Add a lazy constraint."""
        moment = self._now()
        for relation in _relations(lhs, sense, rhs):
            moment.rows.append(row_of(moment.model._state, relation))

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
        from ordojo.compat.coptpy.arrays import paired

        moment = self._now()
        if moment.solution is None:
            moment.solution = np.full(len(moment.model._state.columns), np.nan)
        for var, value in paired(vars, vals):
            moment.solution[var._col] = value

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


def row_of(state: Any, relation: ConstrBuilder) -> Row:
    """A comparison as a lazy row."""
    whole = difference(relation)
    if isinstance(whole, CoreQuad) or isinstance(relation._rhs, list | tuple):
        raise unsupported("a lazy constraint that is not a linear comparison")
    state.check(whole._v)
    index, value = merged(whole._c, whole._v)
    return Row(index, value, *sides(relation._sense, 0.0 - whole._k))


def relay(model: Any) -> Callable[[Event], Reply] | None:
    """The program's callback and the model's lazy constraints as the service's callback."""
    state = model._state
    hooks = state.hooks
    if hooks.callback is None and not hooks.lazy:
        return None
    always = [row_of(state, relation) for relation in hooks.lazy]
    incumbent: Any = None

    def answer(event: Event) -> Reply:
        nonlocal incumbent
        rows = [row for row in always if event.x is not None and _breaks(row, event.x)]
        found = Moment(event, 0, model, incumbent, rows)
        for context in _CONTEXTS.get(event.where, ()):
            found.context = context
            if rows and event.where == problem.MIPSOL:
                break
            if hooks.callback is not None and context & hooks.context:
                _call(hooks.callback, found)
        if event.where == problem.MIPSOL and not rows:
            incumbent = event.x
        return Reply(tuple(rows), found.stop, found.solution)

    return answer


def _call(callback: Any, moment: Moment) -> None:
    callback._moment, callback._context = moment, moment.context
    try:
        callback.callback()
    finally:
        callback._moment = None


def _breaks(row: Row, x: Any) -> bool:
    value = float(np.dot(row.value, x[row.index]))
    return not row.lower - 1e-9 <= value <= row.upper + 1e-9


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
