"""Model methods that solve, callbacks on the way, infeasible subsystems, and relaxations.

In a subsystem some members are never, and others always, as a program asks.
"""

import dataclasses
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordojo.compat import transport
from ordojo.compat.core.assemble import check_formula, is_mip
from ordojo.compat.core.calls import CallbackCall, lazy_row, solved
from ordojo.compat.core.expressions import QuadExpr as CoreQuad
from ordojo.compat.core.matrix import values
from ordojo.compat.core.store import StoredConstraint
from ordojo.compat.core.subsystem import Member, left, members_of, parts_by_member, sided, without
from ordojo.compat.gurobipy.attributes import set_starts
from ordojo.compat.gurobipy.building import Building, add_row
from ordojo.compat.gurobipy.constants import GRB, STATUS
from ordojo.compat.gurobipy.errors import GurobiError, asked_service, failure, invalid, unsupported
from ordojo.compat.gurobipy.expressions import (
    LinExpr,
    QuadExpr,
    TempConstr,
    as_expression,
    tupledict,
)
from ordojo.compat.gurobipy.files import write
from ordojo.compat.gurobipy.matrix import Matrices, MVar
from ordojo.compat.gurobipy.state import gap, problem_now
from ordojo.milp.model import ENDLESS, Model, VarType
from ordojo.solvers import problem as problems
from ordojo.solvers.answers import SolveResult, Status


def forces(state: Any, parts: Mapping[Member, StoredConstraint]) -> dict[Member, int]:
    """What the attributes `IIS...Force` say: 0 of a member that is never in, 1 of one always in."""
    names = {id(part): member for member, part in parts.items()}
    found: dict[Member, int] = {}
    for name, kind in (("Constr", "row"), ("LB", "col_lower"), ("UB", "col_upper")):
        for handle, force in state.extra.get(f"IIS{name}Force", {}).items():
            found[kind, handle._number()] = force
    for name in ("QConstr", "GenConstr", "SOS"):
        for handle, force in state.extra.get(f"IIS{name}Force", {}).items():
            if id(handle._part) in names:
                found[names[id(handle._part)]] = force
    return {member: force for member, force in found.items() if force >= 0 <= member[1]}


def conflict(
    problem: problems.Problem, forced: Mapping[Member, int]
) -> tuple[set[Member], bool] | None:
    """The members of a subsystem, and whether none is spare; None where there is none.

    What is forced in does not count as spare.
    """
    out = {member for member, force in forced.items() if force == 0}
    firm = set(forced) - out - _of_types(problem.model)
    asked = _ask(problem, out)
    if asked is None or firm <= asked[0]:
        return asked
    everything = members_of(problem)
    needed, proven = asked[0] - firm, asked[1]
    for member in sorted(needed):
        if member in needed:
            smaller = _ask(problem, everything - sided((firm | needed) - {member}))
            if smaller is not None:
                needed, proven = smaller[0] - firm, proven and smaller[1]
    return needed | firm, proven


def _ask(problem: problems.Problem, out: set[Member]) -> tuple[set[Member], bool] | None:
    """The members of a subsystem of the problem without some of them."""
    found = asked_service(transport.ask, "iis", without(problem, out))
    if found is None:
        return None
    members: set[Member] = {("row", i) for i, _ in found.rows}
    members |= {(f"col_{side.value}", j) for j, side in found.ends}
    kept = left(problem, out)
    members |= {(field, kept[field][k]) for field, k in found.parts}
    return members - _of_types(problem.model), found.proven


def _of_types(model: Model) -> set[Member]:
    """Bounds that are none to Gurobi: a binary column's 0 and 1 are its type."""
    binary = model.types == VarType.BINARY
    lower = np.flatnonzero(binary & (model.col_lower <= 0)).tolist()
    upper = np.flatnonzero(binary & (model.col_upper >= 1)).tolist()
    return {*(("col_lower", j) for j in lower), *(("col_upper", j) for j in upper)}


_CB = GRB.Callback
_WHERES = {
    problems.MIP: _CB.MIP,
    problems.MIPSOL: _CB.MIPSOL,
    problems.MIPNODE: _CB.MIPNODE,
    problems.MESSAGE: _CB.MESSAGE,
}


@dataclass
class GurobiCall(CallbackCall):
    """One call of the program's function, and how many solutions were found by then."""

    where: int = 0
    solutions: int = 0


def _relay(
    model: Any, function: Callable[[Any, int], Any], size: int
) -> Callable[[problems.Event], problems.CallbackReply]:
    """The program's function as the service's callback, for so many columns."""
    state = model._state
    seen = 0

    def answer(event: problems.Event) -> problems.CallbackReply:
        nonlocal seen
        seen += event.where == problems.MIPSOL
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


def _row(model: Any, lhs: Any, sense: Any, rhs: Any) -> problems.LazyConstraint:
    if isinstance(lhs, TempConstr):
        lhs, sense, rhs = lhs._lhs, lhs._sense, lhs._rhs
    left, right = as_expression(lhs), as_expression(rhs)
    if left is None or right is None or not isinstance(sense, str):
        raise invalid("Invalid argument to Model.cbLazy")
    whole = left - right
    if isinstance(whole, CoreQuad):
        raise unsupported("a quadratic lazy constraint", "add it to the model beforehand")
    return lazy_row(model._state, whole, sense[0])


_SPELLED = {"INFEASIBLE_OR_UNBOUNDED": "INF_OR_UNBD", "MEMORY": "MEM_LIMIT", "CRASH": "NUMERIC"}
_NAMES = {status: _SPELLED.get(status, status.value) for status in Status}
_STATUS = {status: STATUS[name] for status, name in _NAMES.items() if name in STATUS}


def _keep(state: Any, result: SolveResult, problem: problems.Problem) -> None:
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
    for part in state.formulas if state.x is not None else ():
        check_formula(state, part.formula, part.result.x, part.result.x)
    log = state.params.log
    log.after(result, status, state.is_mip, gap(state), state.solutions)


def _check_callback(callback: Any) -> None:
    if callback is not None and not callable(callback):
        raise GurobiError(-1, "Callback argument must be a callable")


_INF = float("inf")


def _penalties(what: str, things: Any, given: Any) -> list[float]:
    """A penalty for each thing; without any, none of them may be violated."""
    count = 0 if things is None else len(things)
    if given is None:
        return [_INF] * count
    if len(given) != count:
        raise GurobiError(0, f"Length of penalty list differs from length of {what} list")
    return [float(penalty) for penalty in given]


def _loosen_bounds(model: Building, var: Any, low: float, up: float) -> Iterator[Any]:
    """Put rows that may be violated in the place of bounds."""
    state, col = model._state, var._col
    for letter, bounds, penalty, sense in (
        ("L", state.lower, low, ">"),
        ("U", state.upper, up, "<"),
    ):
        name, bound = f"Art{letter}_{state.col_names[col]}", bounds[col]
        if penalty < ENDLESS and abs(bound) < ENDLESS:
            row = add_row(state, [1.0], [var], sense, bound, f"C{name}")
            bounds[col] = -_INF if sense == ">" else _INF
            yield from model._loosen(row, (penalty, penalty), (name, name))


def _cost(model: Building, costs: LinExpr, kind: int) -> Any:
    """What violations cost: as `costs` has it, each squared, or each that there is."""
    if kind == 0:
        return costs
    if kind == 1:
        return QuadExpr._of(LinExpr(), costs._c, costs._v, list(costs._v))
    state = model._state
    big = state.big = float(state.params["FeasRelaxBigM"])
    switches = []
    for art in costs._v:
        name = state.col_names[art._col].replace("_", "B_", 1)
        switch = model.addVar(vtype="B", name=name)
        add_row(state, [1.0, -big], [art, switch], "<", 0.0, f"C{name}")
        switches.append(switch)
    return LinExpr(costs._c, switches)


class Solving(Matrices):
    """Solves, calls back, finds infeasible subsystems, and relaxes."""

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
                stopped |= asked(
                    problems.Event(problems.MESSAGE, seconds=seconds, message=text)
                ).terminate

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
        if state.formulas:
            raise unsupported(
                "computeIIS of a model with formulas", "write them by addGenConstr..."
            )
        problem = problem_now(state)
        # Without those of the objective's pieces.
        count = len(state.family("general")) - len(problem.indicators)
        parts = parts_by_member(state)
        asked = dataclasses.replace(
            problem, quadratic=None, objectives=(), general=problem.general[:count], start=None
        )
        found = conflict(asked, forces(state, parts))
        if found is None:
            raise failure("IIS_NOT_INFEASIBLE", "Cannot compute IIS on a feasible model")
        members, state.iis_minimal = found
        state.iis = {parts.get(member, member) for member in members}
        state.ended = GRB.INFEASIBLE
        bounds = sum(kind.startswith("col") for kind, _ in members)
        counts = f"{len(members) - bounds} constraints, {bounds} bounds"
        state.params.log.lines(f"IIS computed: {counts}")

    def feasRelaxS(self, relaxobjtype: int, minrelax: bool, vrelax: bool, crelax: bool) -> float:
        """Let all bounds (`vrelax`) and constraints (`crelax`) be violated at a cost of one."""
        self.update()
        variables = self.getVars() if vrelax else None
        constrs = self.getConstrs() if crelax else None
        ones_v, ones_c = [1.0] * len(variables or []), [1.0] * len(constrs or [])
        return self.feasRelax(relaxobjtype, minrelax, variables, ones_v, ones_v, constrs, ones_c)

    def feasRelax(
        self,
        relaxobjtype: int,
        minrelax: bool,
        vars: Any,
        lbpen: Any,
        ubpen: Any,
        constrs: Any,
        rhspen: Any,
    ) -> float:
        """Change the model so that what is listed may be violated at its penalty.

        The cost is the sum of violations (type 0), of their squares (1) or their number (2). With
        `minrelax` the least cost is found first, returned and kept as a bound, and the old
        objective stays; otherwise the cost is the new objective and 0 is returned.
        """
        if relaxobjtype not in (0, 1, 2):
            raise GurobiError(0, "Invalid argument of relaxobjtype")
        lower, upper = _penalties("variable", vars, lbpen), _penalties("variable", vars, ubpen)
        sides = _penalties("constraint", constrs, rhspen)
        if any(penalty < 0 for penalty in (*lower, *upper, *sides)):
            raise unsupported(
                "feasRelax with a negative penalty", "give 0 or more, infinity for what must hold"
            )
        self.update()
        state = self._state
        before = self.getObjective()
        maximize = state.maximize
        loose: list[Any] = []
        for var, low, up in zip(vars or [], lower, upper, strict=True):
            loose += _loosen_bounds(self, var, low, up)
        for constr, penalty in zip(constrs or [], sides, strict=True):
            name = state.row_names[constr._row]
            loose += self._loosen(constr, (penalty, penalty), (f"ArtP_{name}", f"ArtN_{name}"))
        costs = LinExpr([price for *_, price in loose], [art for _, art, _ in loose])
        cost = _cost(self, costs, relaxobjtype)
        self.setObjective(cost, GRB.MINIMIZE)
        self.update()
        if not minrelax:
            return 0.0
        self.optimize()
        if state.x is None:
            raise unsupported(
                "feasRelax of a model that stays infeasible", "let more rows or bounds be relaxed"
            )
        least = float(cost.getValue())
        # The solver's own tolerance: a bound at the least cost itself may be found infeasible.
        most = least + 1e-6 * max(1.0, abs(least))
        if isinstance(cost, QuadExpr):
            self.addQConstr(cost <= most, name="feasobj")
        else:
            add_row(state, cost._c, cost._v, "<", most, "feasobj")
        self.setObjective(before, GRB.MAXIMIZE if maximize else GRB.MINIMIZE)
        self.update()
        return least
