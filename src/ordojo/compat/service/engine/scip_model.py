"""A problem as a model of SCIP's."""

import math
from typing import Any

import numpy as np

from ordojo.compat.problem import Function, General, Problem, Quadratic
from ordojo.milp.model import INF, Floats, Ints, VarType


class ScipModel:
    """A model of SCIP's, empty until `write` is called."""

    columns: list[Any]

    def __init__(self, problem: Problem) -> None:
        import pyscipopt

        self._problem, self._api = problem, pyscipopt
        self.scip: Any = pyscipopt.Model()
        self.scip.hideOutput()

    def write(self) -> None:
        """Give SCIP everything that the problem has."""
        self.columns = self._columns()
        self._objective()
        self._rows()
        if not self._problem.settings.relaxed:
            self._logic()
        self._start()

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
