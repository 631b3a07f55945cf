"""Model methods for callbacks, and how a solve's events reach the program's function."""

import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ordojo.compat.core.assemble import merged, sides
from ordojo.compat.core.quad import QuadExpr as CoreQuad
from ordojo.compat.gurobipy.constants import GRB
from ordojo.compat.gurobipy.errors import GurobiError, failure, unsupported
from ordojo.compat.gurobipy.expressions import TempConstr, as_expression
from ordojo.compat.gurobipy.tuples import tupledict
from ordojo.solvers import problem
from ordojo.solvers.problem import Event, Reply, Row

_CB = GRB.Callback
_WHERES = {
    problem.MIP: _CB.MIP,
    problem.MIPSOL: _CB.MIPSOL,
    problem.MIPNODE: _CB.MIPNODE,
    problem.MESSAGE: _CB.MESSAGE,
}


@dataclass
class Moment:
    """One call of the program's function: what it may read and what it has asked for."""

    event: Event
    where: int
    maximize: bool
    solutions: int
    n: int
    rows: list[Row] = field(default_factory=list)
    solution: Any = None
    stop: bool = False


def relay(model: Any, function: Callable[[Any, int], Any]) -> Callable[[Event], Reply]:
    """The program's function as the service's callback."""
    state = model._state
    seen = 0

    def answer(event: Event) -> Reply:
        nonlocal seen
        seen += event.where == problem.MIPSOL
        moment = Moment(event, _WHERES[event.where], state.maximize, seen, len(state.columns))
        state.calling = moment
        try:
            function(model, moment.where)
        except Exception:
            # As with Gurobi, the error is shown and the solve goes on.
            sys.stderr.write(traceback.format_exc())
        finally:
            state.calling = None
        return Reply(tuple(moment.rows), moment.stop, moment.solution)

    return answer


def _moment(model: Any, attribute: str) -> Moment:
    found: Moment | None = model._state.calling
    if found is None:
        raise AttributeError(f"'NoneType' object has no attribute '{attribute}'")
    return found


def cbGet(model: Any, what: int) -> Any:
    """A figure of the running solve."""
    moment = _moment(model, "_cbdata")
    event, worst = moment.event, -1e100 if moment.maximize else 1e100
    best = worst if event.best is None else event.best
    bound = -worst if event.bound is None else event.bound
    both: dict[int, Any] = {_CB.RUNTIME: event.seconds, _CB.WORK: event.seconds}
    figures: dict[int, dict[int, Any]] = {
        _CB.MIP: {
            _CB.MIP_OBJBST: best,
            _CB.MIP_OBJBND: bound,
            _CB.MIP_NODCNT: float(event.nodes),
            _CB.MIP_SOLCNT: moment.solutions,
            _CB.MIP_NODLFT: 0.0,
            _CB.MIP_ITRCNT: 0.0,
            _CB.MIP_CUTCNT: 0,
            _CB.MIP_PHASE: 1,
        },
        _CB.MIPSOL: {
            _CB.MIPSOL_SOL: None if event.x is None else event.x[: moment.n].tolist(),
            _CB.MIPSOL_OBJ: event.objective,
            _CB.MIPSOL_OBJBST: best,
            _CB.MIPSOL_OBJBND: bound,
            _CB.MIPSOL_NODCNT: float(event.nodes),
            _CB.MIPSOL_SOLCNT: moment.solutions,
            _CB.MIPSOL_PHASE: 1,
        },
        _CB.MIPNODE: {
            _CB.MIPNODE_STATUS: GRB.OPTIMAL,
            _CB.MIPNODE_REL: None if event.x is None else event.x[: moment.n].tolist(),
            _CB.MIPNODE_OBJBST: best,
            _CB.MIPNODE_OBJBND: bound,
            _CB.MIPNODE_NODCNT: float(event.nodes),
            _CB.MIPNODE_SOLCNT: moment.solutions,
            _CB.MIPNODE_PHASE: 1,
        },
        _CB.MESSAGE: {_CB.MSG_STRING: event.message},
    }
    found = {**both, **figures.get(moment.where, {})}
    if what not in found:
        raise failure("CALLBACK", "Callback information not available here")
    return found[what]


def _values(moment: Moment, vars: Any) -> Any:
    x = moment.event.x
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
    moment = _moment(model, "_where")
    if moment.where != _CB.MIPSOL:
        raise GurobiError(10011, "cbGetSolution can only be called at MIPSOL")
    return _values(moment, vars)


def cbGetNodeRel(model: Any, vars: Any) -> Any:
    """Values in the node's relaxation, at MIPNODE."""
    moment = _moment(model, "_where")
    if moment.where != _CB.MIPNODE:
        raise GurobiError(10011, "cbGetNodeRel can only be called at MIPNODE")
    return _values(moment, vars)


def cbLazy(model: Any, lhs: Any, sense: Any = None, rhs: Any = None) -> None:
    """Add a lazy constraint, at MIPSOL or MIPNODE."""
    moment = _moment(model, "_where")
    if moment.where not in (_CB.MIPSOL, _CB.MIPNODE):
        raise GurobiError(10011, "cbLazy can only be called at MIPSOL or MIPNODE")
    if not model._state.params["LazyConstraints"]:
        raise GurobiError(
            10011, "Set parameter LazyConstraints to 1 before adding lazy constraints"
        )
    moment.rows.append(_row(model, lhs, sense, rhs))


def cbCut(model: Any, lhs: Any, sense: Any = None, rhs: Any = None) -> None:
    """Check a user cut and leave it out: it changes no solution, only the search."""
    _moment(model, "_where")
    _row(model, lhs, sense, rhs)


def _row(model: Any, lhs: Any, sense: Any, rhs: Any) -> Row:
    if isinstance(lhs, TempConstr):
        lhs, sense, rhs = lhs._lhs, lhs._sense, lhs._rhs
    left, right = as_expression(lhs), as_expression(rhs)
    if left is None or right is None or not isinstance(sense, str):
        raise failure("INVALID_ARGUMENT", "Invalid argument to Model.cbLazy")
    whole = left - right
    if isinstance(whole, CoreQuad):
        raise unsupported("a quadratic lazy constraint")
    model._state.check(whole._v)
    index, value = merged(whole._c, whole._v)
    return Row(index, value, *sides(sense[0], 0.0 - whole._k))


def cbSetSolution(model: Any, vars: Any, solution: Any) -> None:
    """Propose values for variables."""
    moment = _moment(model, "_where")
    if moment.solution is None:
        moment.solution = np.full(moment.n, np.nan)
    members = [vars] if hasattr(vars, "_col") else list(getattr(vars, "values", lambda: vars)())
    given = [solution] if hasattr(vars, "_col") else solution
    if isinstance(given, Mapping):
        given = list(given.values())
    for var, value in zip(members, given, strict=True):
        moment.solution[var._col] = value


def cbUseSolution(model: Any) -> float:
    """Say that the proposed values are complete; whether they help is known only later."""
    _moment(model, "_where")
    return float(GRB.INFINITY)


def cbProceed(model: Any) -> None:
    """Nothing: there is no phase to leave."""
    _moment(model, "_cbdata")


def cbStopOneMultiObj(model: Any, objcnt: int) -> None:
    """Not supported."""
    _moment(model, "_cbdata")
    raise unsupported("cbStopOneMultiObj")


def terminate(model: Any) -> None:
    """Ask the running solve to stop."""
    moment = model._state.calling
    if moment is not None:
        moment.stop = True
