"""SCIP, adapted once: any problem with one objective, and IISs of rows behind the protocol."""

import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock
from time import perf_counter
from typing import Any

import numpy as np

from ordojo.core.errors import SolverError
from ordojo.core.extras import need
from ordojo.milp.model import INF, Floats, Ints, Model, VarType
from ordojo.milp.tolerances import FINE
from ordojo.solvers import farkas
from ordojo.solvers.answers import Iis, SolveResult, Status
from ordojo.solvers.deletion import Subsystems, shrink
from ordojo.solvers.highs import HighsOracle
from ordojo.solvers.highs_model import TARGET_REACHED, TURNED, trivial
from ordojo.solvers.iis import subsystem
from ordojo.solvers.problem import (
    General,
    GeneralFunction,
    Problem,
    Quadratic,
    Settings,
    evaluate,
    snapped,
    without_objective,
)
from ordojo.solvers.protocol import TIME_LIMIT, Oracle, SolverSession, need_infeasible
from ordojo.solvers.ray import as_told
from ordojo.solvers.reformulation import lowered
from ordojo.solvers.search import Search

_ENDINGS = {
    "optimal": Status.OPTIMAL,
    "gaplimit": Status.OPTIMAL,
    "infeasible": Status.INFEASIBLE,
    "unbounded": Status.UNBOUNDED,
    "inforunbd": Status.INFEASIBLE_OR_UNBOUNDED,
    "timelimit": Status.TIME_LIMIT,
    "nodelimit": Status.NODE_LIMIT,
    "totalnodelimit": Status.NODE_LIMIT,
    "sollimit": Status.SOLUTION_LIMIT,
    "bestsollimit": Status.SOLUTION_LIMIT,
    "primallimit": Status.SOLUTION_LIMIT,
    "userinterrupt": Status.INTERRUPTED,
}


@contextmanager
def _scips_errors() -> Iterator[None]:
    """Make SolverErrors of what SCIP itself says.

    pyscipopt raises its return codes as exceptions of many classes, with one way to begin the text.
    """
    try:
        yield
    except MemoryError:
        raise
    except Exception as error:
        if not str(error).startswith("SCIP:"):
            raise
        raise SolverError(str(error)) from error


@_scips_errors()
def run_until(scip: Any, end: float, seconds: float) -> str:
    """Run SCIP until its limit, or on where the machine's clock was turned; see `highs_model`."""
    with _quiet():
        scip.optimize()
        while (found := str(scip.getStatus())) == "timelimit":
            left = end - perf_counter()
            if left <= TURNED * seconds:
                break
            scip.setParam("limits/time", scip.getSolvingTime() + left)
            scip.optimize()
    return found


_lock, _quiets, _held = Lock(), 0, -1


@contextmanager
def _quiet() -> Iterator[None]:
    """SCIP's LP solver warns on the process's own stderr, hidden output or not.

    Of solves in several threads the last one to end gives it back.
    """
    global _quiets, _held
    with _lock:
        if not _quiets:
            _held, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 2)
            os.close(nowhere)
        _quiets += 1
    try:
        yield
    finally:
        with _lock:
            _quiets -= 1
            if not _quiets:
                os.dup2(_held, 2)
                os.close(_held)


@cache
def installed() -> bool:
    """Whether pyscipopt is here."""
    try:
        import pyscipopt  # noqa: F401 (whether it can be loaded is the question)
    except ImportError:
        return False
    return True


@_scips_errors()
def solve(problem: Problem, search: Search) -> SolveResult:
    """Solve any problem that has one objective."""
    n = problem.model.n
    found = None
    if problem.is_linear or n:
        found = trivial(problem.model, problem.settings.relaxed)
    if found is None:
        found = ScipModel(lowered(problem, semi_limit=-INF), search).result()
    if found.x is not None and len(found.x) > n:
        pool = tuple((value, x[:n]) for value, x in found.pool)
        found = found._replace(x=found.x[:n], pool=pool)
    return found._replace(solver="scip", seconds=search.seconds)


class ScipModel:
    """A problem written into a model of SCIP's; row i of the linear ones is named "r<i>".

    It is one without semicontinuous columns, as `lowered` rewrites them.
    """

    def __init__(self, problem: Problem, search: Search) -> None:
        import pyscipopt

        self._problem, self._search, self._api = problem, search, pyscipopt
        self.scip: Any = pyscipopt.Model()
        self.scip.hideOutput()
        self._set()
        self.columns: list[Any] = self._columns()
        self._objective()
        self._rows()
        if not problem.settings.relaxed:
            self._logic()
        self._start()
        if search.callback is not None:
            from ordojo.solvers.scip_hooks import attach

            attach(self.scip, self.columns, problem, search)

    def _set(self) -> None:
        settings, search = self._problem.settings, self._search
        asked = {
            "limits/time": max(search.left, 0.001),
            "limits/gap": 1e-4 if settings.mip_gap is None else max(settings.mip_gap, 0.0),
            "limits/absgap": settings.mip_gap_abs,
            "limits/totalnodes": settings.node_limit and int(min(settings.node_limit, 2**62)),
            "limits/solutions": settings.solution_limit or None,
            "limits/primal": settings.best_obj_stop,
            "numerics/feastol": settings.feasibility_tol
            and min(max(settings.feasibility_tol, FINE), 1e-3),
            "randomization/randomseedshift": settings.seed % (2**31 - 1) or None,
            "limits/maxsol": max(settings.pool_solutions, 100),
            "parallel/maxnthreads": 1,
        }
        for name, value in asked.items():
            if value is not None:
                self.scip.setParam(name, value)
        if not settings.presolve:
            self.scip.setPresolve(self._api.scip.PY_SCIP_PARAMSETTING.OFF)

    def _columns(self) -> list[Any]:
        model, relaxed = self._problem.model, self._problem.settings.relaxed
        low, up = model.hull if relaxed else model.effective_bounds
        found = []
        for j, (kind, lb, ub) in enumerate(
            zip(model.types.tolist(), low.tolist(), up.tolist(), strict=True)
        ):
            letter = "C"
            if not relaxed and kind in (VarType.INTEGER, VarType.BINARY):
                letter = "B" if lb >= 0 and ub <= 1 else "I"
            bounds = (None if lb == -INF else lb, None if ub == INF else ub)
            found.append(self.scip.addVar(f"x{j}", letter, *bounds))
        return found

    def _objective(self) -> None:
        problem, model = self._problem, self._problem.model
        costs = model.objective
        used = np.flatnonzero(costs)
        goal = self._sum(used.astype(np.int32), costs[used]) + model.offset
        if problem.quadratic is not None:
            # SCIP's objective is linear: a column takes the quadratic part's place.
            beyond = self.scip.addVar("q", "C", None, None)
            part = self._products(problem.quadratic)
            self.scip.addCons(part >= beyond if model.maximize else part <= beyond)
            goal = goal + beyond
        self.scip.setObjective(goal, "maximize" if model.maximize else "minimize")

    def _sum(self, index: Ints, value: Floats) -> Any:
        """A linear expression."""
        columns = self.columns
        return self._api.quicksum(
            v * columns[j] for j, v in zip(index.tolist(), value.tolist(), strict=True)
        )

    def _products(self, quadratic: Quadratic) -> Any:
        """A quadratic expression."""
        x = self.columns
        return self._api.quicksum(v * x[i] * x[j] for i, j, v in quadratic.terms())

    def _rows(self) -> None:
        problem, model = self._problem, self._problem.model
        for i in range(model.m):
            self._between(self._sum(*model.row(i)), *model.sides(i), f"r{i}")
        cutoff = problem.settings.cutoff
        if cutoff is not None and math.isfinite(cutoff):
            self.scip.setObjlimit(cutoff)
        for row in problem.quadratic_rows:
            expression = self._sum(row.index, row.value) + self._products(row.quadratic)
            self._between(expression, row.lower, row.upper)

    def _between(self, expression: Any, lower: float, upper: float, name: str = "") -> None:
        lower, upper = float(lower), float(upper)
        if not getattr(expression, "terms", True):
            if lower > 0 or upper < 0:
                never = self.scip.addVar("never", "C", 0, 0)
                self.scip.addCons(never >= 1)
        elif lower == upper or lower > -INF or upper < INF:
            sides = (None if abs(side) == INF else side for side in (lower, upper))
            self.scip.addCons(self._api.scip.ExprCons(expression, *sides), name)

    def _logic(self) -> None:
        problem = self._problem
        for found in problem.indicators:
            binary = self._as_binary(found.binary)
            body = self._sum(found.index, found.value)
            for side, sign in ((found.upper, 1.0), (found.lower, -1.0)):
                if abs(side) == INF:
                    continue
                if not len(found.index):
                    if sign * side < 0:
                        fixed = 1.0 - found.active
                        self.scip.addCons(binary == fixed)
                    continue
                self.scip.addConsIndicator(
                    sign * body <= sign * side, binary, activeone=bool(found.active)
                )
        for sos in problem.sos:
            order = np.argsort(sos.weights, kind="stable")
            columns = [self.columns[j] for j in sos.index[order]]
            if len(columns) > sos.kind:
                add = self.scip.addConsSOS1 if sos.kind == 1 else self.scip.addConsSOS2
                add(columns)
        for general in problem.general:
            self._function(general)

    def _as_binary(self, j: int) -> Any:
        """The column, or a binary that equals it where SCIP does not see it as one."""
        column = self.columns[j]
        if column.vtype() == "BINARY":
            return column
        twin = self.scip.addVar(f"b{j}", "B")
        self.scip.addCons(twin - column == 0)
        return twin

    def _function(self, general: General) -> None:
        api, scip = self._api, self.scip
        x, y = self.columns[general.operands[0]], self.columns[general.result]
        numbers = general.numbers
        match general.function:
            case GeneralFunction.POW:
                power = numbers[0]
                if power != int(power):
                    scip.addCons(x >= 0)
                shape = x ** (int(power) if power == int(power) else power)
            case (
                GeneralFunction.EXP
                | GeneralFunction.LOG
                | GeneralFunction.SIN
                | GeneralFunction.COS
            ):
                shape = getattr(api, general.function.value)(x)
            case GeneralFunction.EXPA:
                shape = api.exp(math.log(numbers[0]) * x)
            case GeneralFunction.LOGA:
                shape = api.log(x) / math.log(numbers[0])
            case GeneralFunction.TAN:
                scip.addCons(y * api.cos(x) - api.sin(x) == 0)
                return
            case GeneralFunction.LOGISTIC:
                shape = 1 / (1 + api.exp(-1.0 * x))
            case _:
                degree = len(numbers) - 1
                parts = [value * x ** (degree - k) for k, value in enumerate(numbers[:-1]) if value]
                scip.addCons(api.quicksum(parts) - y == -numbers[-1])
                return
        scip.addCons(shape - y == 0)

    def _start(self) -> None:
        start = self._problem.start
        if start is None or np.isnan(start).all():
            return
        given = self.scip.createPartialSol()
        for j in np.flatnonzero(~np.isnan(start)).tolist():
            self.scip.setSolVal(given, self.columns[j], float(start[j]))
        self.scip.addSol(given)

    def result(self) -> SolveResult:
        """Run to the end, and read everything off."""
        scip, search, problem = self.scip, self._search, self._problem
        try:
            status = run_until(scip, perf_counter() + search.left, search.left)
        except SolverError as error:
            if search.error is not None:
                raise
            return SolveResult(Status.NUMERIC, detail=str(error))
        ending = _ENDINGS.get(status, Status.NUMERIC)
        if ending == Status.INFEASIBLE and problem.settings.cutoff is not None:
            ending = Status.CUTOFF
        if ending in (Status.INFEASIBLE_OR_UNBOUNDED, Status.UNBOUNDED):
            ending = self._which(ending)
        x, value = None, None
        pool: tuple[tuple[float, Floats], ...] = ()
        bound: float | None = float(scip.getDualbound())
        if ending not in (Status.INFEASIBLE, Status.UNBOUNDED) and scip.getNSols():
            points = [self._point(sol) for sol in scip.getSols()]
            if problem.quadratic is not None:
                sign = -1.0 if problem.model.maximize else 1.0
                points.sort(key=lambda pair: sign * pair[0])
            value, x = points[0]
            wanted = problem.settings.pool_solutions
            pool = tuple(points[:wanted]) if wanted > 1 else ()
        elif ending in (Status.INFEASIBLE, Status.UNBOUNDED):
            bound = None
        if bound is not None and abs(bound) >= 1e19:
            bound = None
        stopped = search.stopped(value, bound, x) if ending == Status.INTERRUPTED else None
        base = stopped or SolveResult(ending, value, bound, x)
        return base._replace(
            nodes=int(scip.getNTotalNodes()),
            iterations=int(scip.getNLPIterations()),
            pool=pool,
            detail=base.detail or (TARGET_REACHED if status == "primallimit" else ""),
        )

    def _point(self, solution: Any) -> tuple[float, Floats]:
        values = [self.scip.getSolVal(solution, column) for column in self.columns]
        x = snapped(np.array(values, np.float64), self._problem.model)
        return evaluate(self._problem, x), x

    def _which(self, ending: Status) -> Status:
        """Tell infeasible from unbounded by solving without the objective."""
        found = ScipModel(without_objective(self._problem), Search(self._search.left)).result()
        known = {Status.OPTIMAL: Status.UNBOUNDED, Status.INFEASIBLE: Status.INFEASIBLE}
        return known.get(found.status, ending)


class ScipOracle(Oracle):
    """SCIP: LPs and MIPs, no duals, nothing warm. Of an IIS the rows are SCIP's.

    Which bounds and which sides of the rows take part is found by our deletion filter, since
    SCIP's own removal of bounds is not reliable. Semicontinuous columns are refused. Raises
    SolverError where pyscipopt is missing or older than 6.
    """

    name = "scip"

    def __init__(self) -> None:
        need("scip", "the solver 'scip'", SolverError)
        import pyscipopt

        self.scip: Any = pyscipopt
        if not hasattr(pyscipopt.Model, "generateIIS"):
            raise SolverError("this pyscipopt finds no infeasible subsystems; install 6 or later")

    @property
    def version(self) -> str:
        """SCIP's version."""
        return str(self.scip.Model().version())

    def session(self) -> "ScipSession":
        """A new session, empty."""
        return ScipSession()


class ScipSession(SolverSession):
    """The current model, built for SCIP at each solve."""

    def load(self, model: Model) -> None:
        """Forget everything before, and hold `model`; raises SolverError for what it cannot."""
        if model.semi.any():
            raise SolverError(
                f"the model '{model.name}' has semicontinuous columns; use the oracle 'highs'"
            )
        super().load(model)
        self._solved: Status | None = None

    def _problem(self) -> Problem:
        return Problem(self.current(), settings=Settings(mip_gap=0.0))

    def solve(self, time_limit: float = TIME_LIMIT) -> SolveResult:
        """Solve as it stands."""
        search = Search(time_limit)
        if self._obvious() is not None:
            found = SolveResult(Status.INFEASIBLE, seconds=search.seconds)
        else:
            found = as_told(self.current(), solve(self._problem(), search))
        self._solved = found.status
        return found

    @_scips_errors()
    def iis(self, time_limit: float = TIME_LIMIT) -> Iis:
        """SCIP's irreducible rows, then the sides and bounds they need.

        Raises SolverError unless the model is infeasible.
        """
        clock, model = Search(time_limit), self.current()
        status = self._solved or self.solve(time_limit).status
        need_infeasible(model, status)
        obvious = self._obvious()
        if obvious is not None:
            sides = farkas.as_iis((2 * obvious, 2 * obvious + 1), model.m)
            return HighsOracle().iis(subsystem(model, sides), time_limit)
        held = ScipModel(without_objective(self._problem()), Search(time_limit)).scip
        held.setParam("iis/removebounds", False)
        found = held.generateIIS().getSubscip()
        rows = {int(row.name[1:]) for row in found.getConss(False)}
        systems = Subsystems(model, integral=True)
        taken = [k for k in systems.members if k >> 1 >= model.m or k >> 1 in rows]
        members, method = shrink(systems, clock.share(), taken), "generateIIS"
        if members is None:  # SCIP may leave out a row that it has made a bound
            members, method = shrink(systems, clock.share()), "deletion filter"
        if members is None:
            raise SolverError(
                f"no infeasible subsystem of '{model.name}' was confirmed within {time_limit:g} s; "
                "allow more time or use the oracle 'highs'"
            )
        alone = subsystem(model, farkas.as_iis(members[0], model.m))
        integral = HighsOracle().solve(alone, time_limit).status != Status.INFEASIBLE
        return farkas.as_iis(
            members[0], model.m, integral=integral, proven=members[1], method=method
        )
