"""The real Gurobi, where it is installed and asked for; its licence holds."""

import dataclasses
from typing import Any

import numpy as np

from ordojo.compat.events import MIP, MIPNODE, MIPSOL
from ordojo.compat.problem import Ending, Function, General, Problem, Result
from ordojo.compat.service.engine.search import Search
from ordojo.core.errors import SolverError, UsageError
from ordojo.milp.model import INF, Floats

_TYPES = "CIBSN"
_NO_LICENCE = (10009, 10010)
"""Gurobi's codes for no licence, and for a model beyond the one that there is."""
_ENDINGS = {
    2: Ending.OPTIMAL,
    3: Ending.INFEASIBLE,
    4: Ending.INFEASIBLE_OR_UNBOUNDED,
    5: Ending.UNBOUNDED,
    6: Ending.CUTOFF,
    8: Ending.NODE_LIMIT,
    9: Ending.TIME_LIMIT,
    10: Ending.SOLUTION_LIMIT,
    11: Ending.INTERRUPTED,
    15: Ending.SOLUTION_LIMIT,
}


def solve(problem: Problem, search: Search) -> Result:
    """Solve by gurobipy; UNSUPPORTED where it has no licence, or one that is too small.

    UsageError where it is not installed, SolverError where it refuses the problem.
    """
    try:
        import gurobipy
    except ImportError:
        raise UsageError("gurobipy is not installed; use the open solvers") from None
    try:
        with gurobipy.Env(params={"OutputFlag": 0, "Threads": 1}) as env:
            return _Run(gurobipy, env, problem, search).result()
    except gurobipy.GurobiError as error:
        if error.errno in _NO_LICENCE:
            return Result(Ending.UNSUPPORTED, solver="gurobi", detail=f"licence: {error}")
        raise SolverError(f"Gurobi refuses the problem: {error}") from None


class _Run:
    def __init__(self, api: Any, env: Any, problem: Problem, search: Search) -> None:
        self._api, self._problem, self._search = api, problem, search
        model = problem.model
        self.model: Any = api.Model(env=env)
        types = [_TYPES[kind] for kind in model.types]
        if problem.settings.relaxed:
            types = ["C"] * model.n
        low, up = model.effective_bounds
        self.x: Any = [
            self.model.addVar(lb, ub, 0.0, kind)
            for lb, ub, kind in zip(low.tolist(), up.tolist(), types, strict=True)
        ]
        self.model.ModelSense = -1 if model.maximize else 1
        goal = self._sum(np.arange(model.n), model.objective) + model.offset
        if problem.quadratic is not None:
            goal += self._products(problem.quadratic)
        if not problem.objectives:
            self.model.setObjective(goal)
        for k, part in enumerate(problem.objectives):
            value = self._sum(np.arange(model.n), part.coefficients) + part.offset
            self.model.setObjectiveN(
                value, k, part.priority, part.weight, part.abs_tol, part.rel_tol
            )
        self.rows = [
            self._between(self._sum(*model.row(i)), model.row_lower[i], model.row_upper[i])
            for i in range(model.m)
        ]
        self._beyond()
        self._set()

    def _sum(self, index: Any, value: Floats) -> Any:
        pairs = zip(index.tolist(), value.tolist(), strict=True)
        return self._api.LinExpr([(v, self.x[j]) for j, v in pairs])

    def _products(self, q: Any) -> Any:
        triples = zip(q.first.tolist(), q.second.tolist(), q.value.tolist(), strict=True)
        return self._api.quicksum(v * self.x[i] * self.x[j] for i, j, v in triples)

    def _between(self, body: Any, lower: float, upper: float) -> list[Any]:
        if lower == upper:
            return [self.model.addConstr(body == lower)]
        found = []
        if lower > -INF:
            found.append(self.model.addConstr(body >= lower))
        if upper < INF:
            found.append(self.model.addConstr(body <= upper))
        return found

    def _beyond(self) -> None:
        problem, model, x = self._problem, self.model, self.x
        for row in problem.quadratic_rows:
            body = self._sum(row.index, row.value) + self._products(row.quadratic)
            self._between(body, row.lower, row.upper)
        if problem.settings.relaxed:
            return
        for found in problem.indicators:
            body = self._sum(found.index, found.value)
            z, active = x[found.binary], bool(found.active)
            if found.lower > -INF:
                model.addGenConstrIndicator(z, active, body, ">", found.lower)
            if found.upper < INF:
                model.addGenConstrIndicator(z, active, body, "<", found.upper)
        for sos in problem.sos:
            model.addSOS(sos.kind, [x[j] for j in sos.index], sos.weights.tolist())
        for general in problem.general:
            self._general(general)

    def _general(self, general: General) -> None:
        model, function, numbers = self.model, general.function, general.numbers
        r, operands = self.x[general.result], [self.x[j] for j in general.operands]
        match function:
            case Function.MAX:
                model.addGenConstrMax(r, operands, numbers[0] if numbers else None)
            case Function.MIN:
                model.addGenConstrMin(r, operands, numbers[0] if numbers else None)
            case Function.AND:
                model.addGenConstrAnd(r, operands)
            case Function.OR:
                model.addGenConstrOr(r, operands)
            case Function.NORM:
                model.addGenConstrNorm(r, operands, numbers[0])
            case Function.PWL:
                model.addGenConstrPWL(operands[0], r, numbers[::2], numbers[1::2])
            case Function.POLY:
                model.addGenConstrPoly(operands[0], r, list(numbers))
            case Function.ABS:
                model.addGenConstrAbs(r, operands[0])
            case Function.POW | Function.EXPA | Function.LOGA:
                name = {"pow": "Pow", "expa": "ExpA", "loga": "LogA"}[function]
                getattr(model, f"addGenConstr{name}")(operands[0], r, numbers[0])
            case _:
                name = str(function).capitalize()
                getattr(model, f"addGenConstr{name}")(operands[0], r)

    def _set(self) -> None:
        settings, parameters = self._problem.settings, self.model.Params
        parameters.TimeLimit = max(self._search.left, 0.001)
        parameters.NonConvex = 2
        asked = {
            "MIPGap": settings.mip_gap,
            "MIPGapAbs": settings.mip_gap_abs,
            "FeasibilityTol": settings.feasibility_tol,
            "IntFeasTol": settings.integrality_tol,
            "NodeLimit": settings.node_limit,
            "SolutionLimit": settings.solution_limit or None,
            "Cutoff": settings.cutoff,
            "BestObjStop": settings.best_obj_stop,
            "Presolve": None if settings.presolve else 0,
            "PoolSolutions": max(settings.pool_solutions, 1),
            "PoolSearchMode": settings.pool_mode,
            "PoolGap": settings.pool_gap,
            "PoolGapAbs": settings.pool_gap_abs,
            "LazyConstraints": int(settings.lazy),
            "Seed": settings.seed or None,
        }
        for name, value in asked.items():
            if value is not None:
                self.model.setParam(name, value)
        start = self._problem.start
        if start is not None:
            for j in np.flatnonzero(~np.isnan(start)).tolist():
                self.x[j].Start = float(start[j])

    def _hook(self, model: Any, where: int) -> None:
        search, codes = self._search, self._api.GRB.Callback
        name = {codes.MIP: MIP, codes.MIPSOL: MIPSOL, codes.MIPNODE: MIPNODE}.get(where)
        if name is None:
            return
        prefix = name.upper()
        best, bound = (
            model.cbGet(getattr(codes, f"{prefix}_OBJ{part}")) for part in ("BST", "BND")
        )
        nodes = int(model.cbGet(getattr(codes, f"{prefix}_NODCNT")))
        x, value = None, None
        if where == codes.MIPSOL:
            x = np.array(model.cbGetSolution(self.x))
            value = float(model.cbGet(codes.MIPSOL_OBJ))
        elif where == codes.MIPNODE and model.cbGet(codes.MIPNODE_STATUS) == 2:
            x = np.array(model.cbGetNodeRel(self.x))
            value = float(self._problem.model.objective @ x) + self._problem.model.offset
        if search.callback is not None:
            reply = search.ask(search.event(name, best, bound, nodes, x, value))
            for row in reply.lazy:
                body = self._sum(row.index, row.value)
                if row.lower > -INF:
                    model.cbLazy(body >= row.lower)
                if row.upper < INF:
                    model.cbLazy(body <= row.upper)
            if reply.solution is not None and where == codes.MIPNODE:
                given = np.flatnonzero(~np.isnan(reply.solution)).tolist()
                model.cbSetSolution([self.x[j] for j in given], reply.solution[given].tolist())
        if search.terminated:
            model.terminate()

    def result(self) -> Result:
        """Run to the end, and read everything off."""
        model, search = self.model, self._search
        model.optimize(self._hook if search.callback is not None else None)
        ending = _ENDINGS.get(model.Status, Ending.NUMERIC)
        x, value = None, None
        pool: tuple[tuple[float, Floats], ...] = ()
        if model.SolCount > 0:
            x = np.array([column.X for column in self.x])
            value = float(model.ObjVal) if not self._problem.objectives else self._first(x)
            wanted = self._problem.settings.pool_solutions
            if wanted > 1 and model.IsMIP:
                pool = self._pool(min(wanted, model.SolCount))
        bound = None
        if not self._problem.objectives and ending in (Ending.OPTIMAL, *_STOPPED):
            bound = float(model.ObjBound) if abs(model.ObjBound) < 1e99 else None
        stopped = search.stopped(value, bound, x) if ending == Ending.INTERRUPTED else None
        base = stopped or Result(ending, value, bound, x)
        has_duals = x is not None and not (model.IsMIP or model.IsQCP)
        return dataclasses.replace(
            base,
            row_dual=self._duals() if has_duals else None,
            col_dual=np.array([column.RC for column in self.x]) if has_duals else None,
            nodes=int(model.NodeCount),
            iterations=int(model.IterCount),
            pool=pool,
            solver="gurobi",
        )

    def _duals(self) -> Floats:
        return np.array([sum(row.Pi for row in sides) for sides in self.rows], np.float64)

    def _first(self, x: Floats) -> float:
        first = self._problem.objectives[0]
        return float(first.coefficients @ x) + first.offset

    def _pool(self, count: int) -> tuple[tuple[float, Floats], ...]:
        found = []
        for number in range(count):
            self.model.Params.SolutionNumber = number
            point = np.array([column.Xn for column in self.x])
            found.append((float(self.model.PoolObjVal), point))
        return tuple(found)


_STOPPED = (
    Ending.TIME_LIMIT,
    Ending.NODE_LIMIT,
    Ending.SOLUTION_LIMIT,
    Ending.INTERRUPTED,
)
