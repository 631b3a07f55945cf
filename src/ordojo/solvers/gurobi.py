"""Gurobi behind the protocol, for those who have it (13 or later)."""

import math
from collections.abc import Sequence
from time import perf_counter
from typing import Any, ClassVar

import numpy as np

from ordojo.core.errors import SolverError
from ordojo.milp.model import Model, VarType
from ordojo.solvers import farkas
from ordojo.solvers.answers import Iis, Solution, Status
from ordojo.solvers.iis import subsystem
from ordojo.solvers.protocol import TIME_LIMIT, Capability, Oracle, Session
from ordojo.solvers.sides import with_sides

_TOO_LARGE = 10010
_INFINITE = 1e30
_TYPES = {
    VarType.CONTINUOUS: "C",
    VarType.INTEGER: "I",
    VarType.BINARY: "I",
    VarType.SEMICONTINUOUS: "S",
    VarType.SEMIINTEGER: "N",
}
SETTINGS: dict[str, float] = {
    "OutputFlag": 0,
    "Threads": 1,
    "IISMethod": 1,
    "DualReductions": 0,
    "InfUnbdInfo": 0,
    "MIPGap": 1e-9,
    "MIPGapAbs": 1e-9,
}
"""The paper's IISMethod (table 16); no "infeasible or unbounded"; the optimum itself."""


class GurobiOracle(Oracle):
    """Gurobi: LPs and MIPs, duals, IISs of rows and bounds, warm.

    Raises SolverError where gurobipy is missing, older than 13, or without a licence.
    """

    name: ClassVar[str] = "gurobi"
    capabilities: ClassVar[frozenset[Capability]] = frozenset(Capability)

    def __init__(self) -> None:
        try:
            import gurobipy
        except ImportError:
            raise SolverError(
                "gurobipy is not installed; install ordojo[gurobi], or use the oracle 'highs'"
            ) from None
        if gurobipy.gurobi.version()[0] < 13:
            raise SolverError(f"gurobipy {self._version(gurobipy)} is too old; install 13 or later")
        self.gp: Any = gurobipy
        try:
            self.env = gurobipy.Env(empty=True)
            for name, value in SETTINGS.items():
                self.env.setParam(name, value)
            self.env.start()
        except gurobipy.GurobiError as error:
            raise SolverError(f"Gurobi does not start ({error}); see to its licence") from None

    @staticmethod
    def _version(gurobipy: Any) -> str:
        return ".".join(map(str, gurobipy.gurobi.version()))

    @property
    def version(self) -> str:
        """Gurobi's version."""
        return self._version(self.gp)

    def session(self) -> "GurobiSession":
        """A new session, empty."""
        return GurobiSession(self)


class GurobiSession(Session):
    """A model in Gurobi; each finite side of a row is a constraint of its own.

    So the IIS says which side of an equality or range takes part.
    """

    def __init__(self, oracle: GurobiOracle) -> None:
        self._oracle = oracle
        self._gp = oracle.gp
        self._held: Any = None

    def load(self, model: Model) -> None:
        """Forget everything before, and hold `model`."""
        self.close()
        self._model = model
        self._types = model.types.copy()
        self._own = (model.col_lower.tolist(), model.col_upper.tolist())
        self._sides: tuple[list[float], list[float]] = (
            [-math.inf] * model.m,
            [math.inf] * model.m,
        )
        gp = self._gp
        self._held = held = gp.Model(env=self._oracle.env)
        low, up = model.effective_bounds
        self._vars = [
            held.addVar(lb, ub, cost, _TYPES[VarType(kind)])
            for lb, ub, cost, kind in zip(
                low.tolist(),
                up.tolist(),
                model.objective.tolist(),
                model.types.tolist(),
                strict=True,
            )
        ]
        held.ModelSense = -1 if model.maximize else 1
        held.ObjCon = model.offset
        self._constraints: dict[tuple[int, int], Any] = {}
        self._rows = [
            self._expression(index.tolist(), value.tolist())
            for index, value in map(model.row, range(model.m))
        ]
        for i in range(model.m):
            self._side_rows(i, float(model.row_lower[i]), float(model.row_upper[i]))
        self._solved: Status | None = None

    def _expression(self, index: Sequence[int], value: Sequence[float]) -> Any:
        columns = [self._vars[int(j)] for j in index]
        return self._gp.LinExpr([float(v) for v in value], columns)

    def _side_rows(self, i: int, lower: float, upper: float) -> None:
        self._sides[0][i], self._sides[1][i] = lower, upper
        for side, (rhs, sense) in enumerate(((lower, ">"), (upper, "<"))):
            found = self._constraints.get((i, side))
            if math.isinf(rhs):
                if found is not None:
                    self._held.remove(self._constraints.pop((i, side)))
            elif found is None:
                self._constraints[i, side] = self._held.addLConstr(self._rows[i], sense, rhs)
            else:
                found.RHS = rhs
        self._solved = None

    def set_row_bounds(self, i: int, lower: float, upper: float) -> None:
        """Move row i's sides."""
        self._side_rows(i, lower, upper)

    def set_row(
        self, i: int, index: Sequence[int], value: Sequence[float], lower: float, upper: float
    ) -> None:
        """Put another row in the place of row i."""
        self._side_rows(i, -math.inf, math.inf)
        self._rows[i] = self._expression(index, value)
        self._model = self._model.with_row(i, index, value, lower, upper)
        self._side_rows(i, lower, upper)

    def set_col_bounds(self, j: int, lower: float, upper: float) -> None:
        """Move column j's own bounds; a BINARY column stays within [0, 1] besides."""
        self._own[0][j], self._own[1][j] = lower, upper
        self.set_type(j, VarType(int(self._types[j])))

    def set_type(self, j: int, kind: VarType) -> None:
        """Make column j of another type."""
        self._types[j] = kind
        low, up = self._own[0][j], self._own[1][j]
        binary = kind == VarType.BINARY
        column = self._vars[j]
        column.LB, column.UB = (max(low, 0.0), min(up, 1.0)) if binary else (low, up)
        column.VType = _TYPES[kind]
        self._solved = None

    def current(self) -> Model:
        """The model as it stands."""
        return with_sides(self._model, *self._sides, *self._own, self._types)

    def solve(self, time_limit: float = TIME_LIMIT) -> Solution:
        """Solve as it stands; raises SolverError beyond the licence's size."""
        start = perf_counter()
        held, grb = self._held, self._gp.GRB
        self._call(held.optimize, time_limit)
        status = {
            grb.OPTIMAL: Status.OPTIMAL,
            grb.INFEASIBLE: Status.INFEASIBLE,
            grb.UNBOUNDED: Status.UNBOUNDED,
            grb.TIME_LIMIT: Status.TIME_LIMIT,
        }.get(held.Status, Status.ERROR)
        if status == Status.UNBOUNDED or (status == Status.OPTIMAL and not self._is_point()):
            status = self._any_point(time_limit)
        self._solved = status
        seconds = perf_counter() - start
        if status not in (Status.OPTIMAL, Status.TIME_LIMIT) or held.SolCount == 0:
            return Solution(status, seconds=seconds)
        x = np.array(held.getAttr("X", self._vars), np.float64)
        row_dual = col_dual = None
        if not held.IsMIP and status == Status.OPTIMAL:
            row_dual = np.zeros(self._model.m)
            for (i, _), constraint in self._constraints.items():
                row_dual[i] += constraint.Pi
            col_dual = np.array(held.getAttr("RC", self._vars), np.float64)
        best = float(held.ObjVal)
        bound = best if status == Status.OPTIMAL else None
        activity = self._model.activities(x)
        return Solution(status, best, x, activity, row_dual, col_dual, bound, seconds)

    def _is_point(self) -> bool:
        """Whether an OPTIMAL answer has a finite value; 13.0 calls some unbounded MIPs optimal."""
        try:
            return bool(abs(self._held.ObjVal) < _INFINITE)
        except (AttributeError, self._gp.GurobiError):
            return False

    def _any_point(self, time_limit: float) -> Status:
        """Gurobi calls a model unbounded by its ray alone; look for a point of it."""
        costs = self._held.getAttr("Obj", self._vars)
        self._held.setAttr("Obj", self._vars, [0.0] * len(costs))
        self._call(self._held.optimize, time_limit)
        found = self._held.Status
        self._held.setAttr("Obj", self._vars, costs)
        self._held.update()
        grb = self._gp.GRB
        known = {grb.OPTIMAL: Status.UNBOUNDED, grb.INFEASIBLE: Status.INFEASIBLE}
        return known.get(found, Status.TIME_LIMIT)

    def _call(self, what: Any, time_limit: float) -> None:
        self._held.Params.TimeLimit = time_limit
        try:
            what()
        except self._gp.GurobiError as error:
            if error.errno == _TOO_LARGE:
                raise SolverError(
                    f"the model '{self._model.name}' is too large for Gurobi's licence here; use "
                    "the oracle 'highs'"
                ) from None
            raise SolverError(f"Gurobi failed on '{self._model.name}' ({error})") from None

    def iis(self, time_limit: float = TIME_LIMIT) -> Iis:
        """An IIS by computeIIS; raises SolverError unless the model is infeasible."""
        status = self._solved or self.solve(time_limit).status
        if status != Status.INFEASIBLE:
            raise SolverError(
                f"the model '{self._model.name}' is {status.value.lower().replace('_', ' ')}, "
                "so it has no infeasible subsystem; ask for one where a solve says INFEASIBLE"
            )
        held, m = self._held, self._model.m
        self._call(held.computeIIS, time_limit)
        members = [2 * i + side for (i, side), row in self._constraints.items() if row.IISConstr]
        for side, name in enumerate(("IISLB", "IISUB")):
            flags = held.getAttr(name, self._vars)
            members += [2 * (m + j) + side for j, flag in enumerate(flags) if flag]
        proven = bool(held.IISMinimal)
        found = farkas.as_iis(sorted(members), m, proven=proven, method="IISMethod 1")
        if not self._types.any():
            return found
        relaxed = self._oracle.solve(subsystem(self.current(), found), time_limit)
        return farkas.as_iis(
            sorted(members),
            m,
            integral=relaxed.status != Status.INFEASIBLE,
            proven=proven,
            method="IISMethod 1",
        )

    def close(self) -> None:
        """Free the model; any number of times."""
        if self._held is not None:
            self._held.dispose()
            self._held = None
