"""Model methods that solve, callbacks on the way, and what a solve leaves in the model's state."""

import dataclasses
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ordojo.compat.core.assemble import check_formula, is_mip
from ordojo.compat.core.calls import CallbackCall, lazy_row, solved
from ordojo.compat.core.expressions import QuadExpr as CoreQuad
from ordojo.compat.core.matrix import values
from ordojo.compat.core.store import FormulaPart
from ordojo.compat.gurobipy.attributes import set_starts
from ordojo.compat.gurobipy.conflict import conflict, forces, parts_by_member
from ordojo.compat.gurobipy.constants import GRB
from ordojo.compat.gurobipy.errors import GurobiError, asked_service, failure, unsupported
from ordojo.compat.gurobipy.expressions import TempConstr, as_expression, tupledict
from ordojo.compat.gurobipy.files import write
from ordojo.compat.gurobipy.matrix import Matrices, MVar
from ordojo.compat.gurobipy.state import gap, problem_now
from ordojo.solvers.answers import SolveResult, Status
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

_CB = GRB.Callback
_WHERES = {
    MIP: _CB.MIP,
    MIPSOL: _CB.MIPSOL,
    MIPNODE: _CB.MIPNODE,
    MESSAGE: _CB.MESSAGE,
}


@dataclass
class GurobiCall(CallbackCall):
    """One call of the program's function, and how many solutions were found by then."""

    where: int = 0
    solutions: int = 0


def _relay(
    model: Any, function: Callable[[Any, int], Any], size: int
) -> Callable[[Event], CallbackReply]:
    """The program's function as the service's callback, for so many columns."""
    state = model._state
    seen = 0

    def answer(event: Event) -> CallbackReply:
        nonlocal seen
        seen += event.where == MIPSOL
        call = GurobiCall(event, state, size, where=_WHERES[event.where], solutions=seen)
        state.calling = call
        try:
            function(model, call.where)
        except Exception:
            # As with Gurobi, the error is shown and the solve goes on.
            sys.stderr.write(traceback.format_exc())
        finally:
            state.calling = None
        return call.reply()

    return answer


def _call_now(model: Any, attribute: str) -> GurobiCall:
    found: GurobiCall | None = model._state.calling
    if found is None:
        raise AttributeError(f"'NoneType' object has no attribute '{attribute}'")
    return found


def _call_at(model: Any, *places: str) -> GurobiCall:
    """The running call, at one of these places only."""
    call = _call_now(model, "_where")
    if call.where not in [getattr(_CB, place) for place in places]:
        where = " or ".join(f"GRB.Callback.{place}" for place in places)
        raise failure("CALLBACK", f"where != {where}")
    return call


def _values(call: GurobiCall, vars: Any) -> Any:
    x = call.event.x
    if x is None:
        raise failure("CALLBACK", "No solution available in this callback")
    if isinstance(vars, Mapping):
        return tupledict((key, float(x[var._col])) for key, var in vars.items())
    if hasattr(vars, "_col"):
        return float(x[vars._col])
    if isinstance(vars, MVar):
        return values(vars._terms(), x)
    return [float(x[var._col]) for var in vars]


def _row(model: Any, lhs: Any, sense: Any, rhs: Any) -> LazyConstraint:
    if isinstance(lhs, TempConstr):
        lhs, sense, rhs = lhs._lhs, lhs._sense, lhs._rhs
    left, right = as_expression(lhs), as_expression(rhs)
    if left is None or right is None or not isinstance(sense, str):
        raise failure("INVALID_ARGUMENT", "Invalid argument to Model.cbLazy")
    whole = left - right
    if isinstance(whole, CoreQuad):
        raise unsupported("a quadratic lazy constraint", "add it to the model beforehand")
    return lazy_row(model._state, whole, sense[0])


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


def _keep(state: Any, result: SolveResult, problem: Problem) -> None:
    state.settle(result)
    status = _STATUS[result.status]
    if status == GRB.TIME_LIMIT and state.params["WorkLimit"] == 0.0:
        status = GRB.WORK_LIMIT
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
    log.after(result, status, state.is_mip, gap(state), state.solutions)


def _check_callback(callback: Any) -> None:
    if callback is not None and not callable(callback):
        raise GurobiError(-1, "Callback argument must be a callable")


class Solving(Matrices):
    """Solves, calls back, and finds infeasible subsystems."""

    def cbGet(self, what: Any) -> Any:
        """A figure of the running solve."""
        call = _call_now(self, "_cbdata")
        event, x = call.event, call.own
        best, bound = call.bounds(1e100)
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
        if isinstance(what, str):
            raise TypeError("an integer is required")
        if what not in figures:
            raise failure("CALLBACK", "Callback error")
        return figures[what]

    def cbGetSolution(self, vars: Any) -> Any:
        """Values in the new solution, at MIPSOL."""
        return _values(_call_at(self, "MIPSOL"), vars)

    def cbGetNodeRel(self, vars: Any) -> Any:
        """Values in the node's relaxation, at MIPNODE."""
        return _values(_call_at(self, "MIPNODE"), vars)

    def cbLazy(self, lhs: Any, sense: Any = None, rhs: Any = None) -> None:
        """Add a lazy constraint, at MIPSOL or MIPNODE."""
        call = _call_at(self, "MIPSOL", "MIPNODE")
        if not self._state.params["LazyConstraints"]:
            text = "Must set LazyConstraints parameter to use lazy constraints"
            raise failure("CALLBACK", text)
        call.rows.append(_row(self, lhs, sense, rhs))

    def cbCut(self, lhs: Any, sense: Any = None, rhs: Any = None) -> None:
        """Check a user cut and leave it out: it changes no solution, only the search."""
        _call_now(self, "_where")
        _row(self, lhs, sense, rhs)

    def cbSetSolution(self, vars: Any, solution: Any) -> None:
        """Propose values for variables."""
        call = _call_now(self, "_where")
        members = [vars] if hasattr(vars, "_col") else list(getattr(vars, "values", lambda: vars)())
        given = [solution] if hasattr(vars, "_col") else solution
        if isinstance(given, Mapping):
            given = list(given.values())
        call.propose(zip(members, given, strict=True))

    def cbUseSolution(self) -> float:
        """Say that the proposed values are complete; whether they help is known only later."""
        _call_now(self, "_where")
        return float(GRB.INFINITY)

    def cbSetParam(self, paramname: str, newval: Any) -> None:
        """Not supported."""
        _call_now(self, "_where")
        raise unsupported("cbSetParam", "set the parameter before the solve")

    def cbProceed(self) -> None:
        """Nothing: there is no phase to leave."""
        _call_now(self, "_cbdata")

    def cbStopOneMultiObj(self, objcnt: int) -> None:
        """Not supported."""
        _call_now(self, "_cbdata")
        raise unsupported("cbStopOneMultiObj", "call terminate")

    def terminate(self) -> None:
        """Ask the running solve to stop."""
        call = self._state.calling
        if call is not None:
            call.stop = True

    def optimize(self, callback: Any = None) -> None:
        """Solve the model; what came of it is in its attributes.

        The callback is called at MESSAGE with our log, and in a mixed-integer model at MIP, MIPSOL
        and, by SCIP, MIPNODE. It is never called at POLLING, PRESOLVE, SIMPLEX, BARRIER and
        others: the solvers tell nothing there.
        """
        _check_callback(callback)
        state = self._state
        state.update()
        problem = problem_now(state)
        asked = None if callback is None else _relay(self, callback, problem.model.n)
        state.forget()
        log, stopped = state.params.log, False

        def hear(text: str) -> None:
            """Call the program's function with a line of the log."""
            nonlocal stopped
            if asked is not None:
                seconds = state.result.seconds if state.result else 0.0
                stopped |= asked(Event(MESSAGE, seconds=seconds, message=text)).terminate

        log.hear = hear
        try:
            log.before(problem)
            if stopped:
                result = SolveResult(Status.INTERRUPTED)
            else:
                result = asked_service(solved, problem, asked)
            _keep(state, result, problem)
        finally:
            log.hear = None
        name = state.params["ResultFile"]
        if name and state.x is not None:
            write(self, name)

    def reset(self, clearall: int = 0) -> None:
        """Forget the last solve; with 1, the starts and hints as well."""
        state = self._state
        state.update()
        state.forget()
        if clearall:
            set_starts(state, 0)
            for which in ("VarHintVal", "VarHintPri", "BranchPriority", "Partition"):
                state.extra.pop(which, None)

    def computeIIS(self, callback: Any = None) -> None:
        """Find an irreducible infeasible subsystem; IISConstr, IISLB and IISUB then name it."""
        _check_callback(callback)
        state = self._state
        state.update()
        general = state.family("general")
        if any(isinstance(part, FormulaPart) for part in general):
            raise unsupported(
                "computeIIS of a model with formulas", "write them by addGenConstr..."
            )
        problem = problem_now(state)
        count = len(general) - len(problem.indicators)  # without those of the objective's pieces
        parts = parts_by_member(state)
        asked = dataclasses.replace(
            problem, quadratic=None, objectives=(), general=problem.general[:count], start=None
        )
        found = conflict(asked, forces(state, parts))
        if found is None:
            raise failure("IIS_NOT_INFEASIBLE", "Cannot compute IIS on a feasible model")
        members, state.iis_minimal = found
        numbers = {kind: {k for each, k in members if each == kind} for kind in ("row", "lb", "ub")}
        state.iis = numbers
        state.iis_parts = [parts[member] for member in members if member in parts]
        state.ended = GRB.INFEASIBLE
        bounds = len(numbers["lb"]) + len(numbers["ub"])
        counts = f"{len(members) - bounds} constraints, {bounds} bounds"
        state.params.log.lines(f"IIS computed: {counts}")
