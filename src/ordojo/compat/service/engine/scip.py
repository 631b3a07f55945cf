"""SCIP: indicators, ordered sets, quadratic and smooth functions, lazy constraints."""

import dataclasses
import math
from functools import cache
from typing import Any

import numpy as np

from ordojo.compat.problem import Ending, Function, General, Problem, Quadratic, Result
from ordojo.compat.service.engine.highs import TARGET_REACHED, evaluate, snapped, trivial
from ordojo.compat.service.engine.lower import lowered
from ordojo.compat.service.engine.search import Search
from ordojo.milp.model import INF, Floats, Ints, VarType

_ENDINGS = {
    "optimal": Ending.OPTIMAL,
    "gaplimit": Ending.OPTIMAL,
    "infeasible": Ending.INFEASIBLE,
    "unbounded": Ending.UNBOUNDED,
    "inforunbd": Ending.INFEASIBLE_OR_UNBOUNDED,
    "timelimit": Ending.TIME_LIMIT,
    "nodelimit": Ending.NODE_LIMIT,
    "totalnodelimit": Ending.NODE_LIMIT,
    "sollimit": Ending.SOLUTION_LIMIT,
    "bestsollimit": Ending.SOLUTION_LIMIT,
    "primallimit": Ending.SOLUTION_LIMIT,
    "userinterrupt": Ending.INTERRUPTED,
}


@cache
def installed() -> bool:
    """Whether pyscipopt is here."""
    try:
        import pyscipopt  # noqa: F401
    except ImportError:
        return False
    return True


def solve(problem: Problem, search: Search) -> Result:
    """Solve any problem that has one objective."""
    n = problem.model.n
    found = trivial(problem.model, problem.settings.relaxed) if _plain(problem) else None
    if found is None:
        found = _Run(lowered(problem), search).result()
    if found.x is not None and len(found.x) > n:
        pool = tuple((value, x[:n]) for value, x in found.pool)
        found = dataclasses.replace(found, x=found.x[:n], pool=pool)
    return dataclasses.replace(found, solver="scip", seconds=search.seconds)


def _plain(problem: Problem) -> bool:
    return problem.is_linear or problem.model.n > 0


class _Run:
    def __init__(self, problem: Problem, search: Search) -> None:
        import pyscipopt

        self._problem, self._search, self._api = problem, search, pyscipopt
        self.scip: Any = pyscipopt.Model()
        self.scip.hideOutput()
        self._set()
        self.columns = self._columns()
        self._objective()
        self._rows()
        if not problem.settings.relaxed:
            self._logic()
        self._start()
        if search.watched:
            from ordojo.compat.service.engine.scip_hooks import attach

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
            and min(max(settings.feasibility_tol, 1e-9), 1e-3),
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
        low, up = model.effective_bounds
        if relaxed:
            semi = model.types >= VarType.SEMICONTINUOUS
            low = np.where(semi, np.minimum(low, 0.0), low)
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
        goal = self.sum(used.astype(np.int32), costs[used]) + model.offset
        if problem.quadratic is not None:
            # SCIP's objective is linear: a column takes the quadratic part's place.
            beyond = self.scip.addVar("q", "C", None, None)
            part = self.products(problem.quadratic)
            self.scip.addCons(part >= beyond if model.maximize else part <= beyond)
            goal = goal + beyond
        self.scip.setObjective(goal, "maximize" if model.maximize else "minimize")

    def sum(self, index: Ints, value: Floats) -> Any:
        """A linear expression."""
        columns = self.columns
        return self._api.quicksum(
            v * columns[j] for j, v in zip(index.tolist(), value.tolist(), strict=True)
        )

    def products(self, quadratic: Quadratic) -> Any:
        """A quadratic expression."""
        columns, q = self.columns, quadratic
        triples = zip(q.first.tolist(), q.second.tolist(), q.value.tolist(), strict=True)
        return self._api.quicksum(v * columns[i] * columns[j] for i, j, v in triples)

    def _rows(self) -> None:
        problem, model = self._problem, self._problem.model
        for i in range(model.m):
            self._between(self.sum(*model.row(i)), model.row_lower[i], model.row_upper[i])
        cutoff = problem.settings.cutoff
        if cutoff is not None and math.isfinite(cutoff):
            self.scip.setObjlimit(cutoff)
        for row in problem.quadratic_rows:
            expression = self.sum(row.index, row.value) + self.products(row.quadratic)
            self._between(expression, row.lower, row.upper)

    def _between(self, expression: Any, lower: float, upper: float) -> None:
        lower, upper = float(lower), float(upper)
        if not getattr(expression, "terms", True):
            if lower > 0 or upper < 0:
                never = self.scip.addVar("never", "C", 0, 0)
                self.scip.addCons(never >= 1)
            return
        if lower == upper:
            self.scip.addCons(expression == lower)
        elif lower > -INF and upper < INF:
            self.scip.addCons((lower <= expression) <= upper)
        elif lower > -INF:
            self.scip.addCons(expression >= lower)
        elif upper < INF:
            self.scip.addCons(expression <= upper)

    def _logic(self) -> None:
        problem = self._problem
        for found in problem.indicators:
            binary = self._as_binary(found.binary)
            body = self.sum(found.index, found.value)
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
            case Function.POW:
                power = numbers[0]
                if power != int(power):
                    scip.addCons(x >= 0)
                shape = x ** (int(power) if power == int(power) else power)
            case Function.EXP:
                shape = api.exp(x)
            case Function.EXPA:
                shape = api.exp(math.log(numbers[0]) * x)
            case Function.LOG:
                shape = api.log(x)
            case Function.LOGA:
                shape = api.log(x) / math.log(numbers[0])
            case Function.SIN:
                shape = api.sin(x)
            case Function.COS:
                shape = api.cos(x)
            case Function.TAN:
                scip.addCons(y * api.cos(x) - api.sin(x) == 0)
                return
            case Function.LOGISTIC:
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

    def result(self) -> Result:
        """Run to the end, and read everything off."""
        scip, search, problem = self.scip, self._search, self._problem
        scip.optimize()
        status = str(scip.getStatus())
        ending = _ENDINGS.get(status, Ending.NUMERIC)
        if ending == Ending.INFEASIBLE and problem.settings.cutoff is not None:
            ending = Ending.CUTOFF
        if ending == Ending.INFEASIBLE_OR_UNBOUNDED:
            ending = self._which()
        x, value = None, None
        pool: tuple[tuple[float, Floats], ...] = ()
        bound: float | None = float(scip.getDualbound())
        if ending not in (Ending.INFEASIBLE, Ending.UNBOUNDED) and scip.getNSols():
            points = [self._point(sol) for sol in scip.getSols()]
            if problem.quadratic is not None:
                sign = -1.0 if problem.model.maximize else 1.0
                points.sort(key=lambda pair: sign * pair[0])
            value, x = points[0]
            wanted = problem.settings.pool_solutions
            pool = tuple(points[:wanted]) if wanted > 1 else ()
        elif ending in (Ending.INFEASIBLE, Ending.UNBOUNDED):
            bound = None
        if bound is not None and abs(bound) >= 1e19:
            bound = None
        stopped = search.stopped(value, bound, x) if ending == Ending.INTERRUPTED else None
        base = stopped or Result(ending, value, bound, x)
        return dataclasses.replace(
            base,
            nodes=int(scip.getNTotalNodes()),
            iterations=int(scip.getNLPIterations()),
            pool=pool,
            detail=base.detail or (TARGET_REACHED if status == "primallimit" else ""),
        )

    def _point(self, solution: Any) -> tuple[float, Floats]:
        values = [self.scip.getSolVal(solution, column) for column in self.columns]
        x = snapped(np.array(values, np.float64), self._problem.model)
        return evaluate(self._problem, x), x

    def _which(self) -> Ending:
        """Tell infeasible from unbounded by solving without the objective."""
        model = self._problem.model
        free = dataclasses.replace(
            self._problem,
            model=dataclasses.replace(model, objective=np.zeros(model.n)),
            quadratic=None,
        )
        again = _Run(free, Search(model.maximize, self._search.left)).result()
        if again.ending == Ending.OPTIMAL:
            return Ending.UNBOUNDED
        found = Ending.INFEASIBLE_OR_UNBOUNDED
        return Ending.INFEASIBLE if again.ending == Ending.INFEASIBLE else found
