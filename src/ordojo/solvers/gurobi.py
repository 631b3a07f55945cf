"""Gurobi, adapted once, for those who have it and its licence: any problem, and IISs."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

import numpy as np

from ordojo.core.errors import SolverError
from ordojo.core.extras import need
from ordojo.milp.model import INF, Floats, Model
from ordojo.milp.tolerances import FINE
from ordojo.solvers import farkas
from ordojo.solvers.answers import Iis, SolveResult, Status
from ordojo.solvers.iis import subsystem
from ordojo.solvers.problem import MIP, MIPNODE, MIPSOL, General, GeneralFunction, Problem, Settings
from ordojo.solvers.protocol import (
    TIME_LIMIT,
    Oracle,
    SolverSession,
    need_infeasible,
)
from ordojo.solvers.ray import as_told
from ordojo.solvers.search import Search

Answer = TypeVar("Answer")
_TYPES, _APART = "CIBSN", "CIISN"
"""The letters of `VarType`; general constraints want binaries, an IIS wants their bounds."""
_TOO_LARGE = 10010
_NO_LICENCE = (10009, _TOO_LARGE)
"""Gurobi's codes for no licence, and for a model beyond the one that there is."""
_NAMES = {"pwl": "PWL", "expa": "ExpA", "loga": "LogA"}
"""Functions as Gurobi has them where it writes more than the first letter large."""
_INFINITE = 1e30
"""An objective of this size is none: Gurobi counts 1e100 as infinite, and a ray passes 1e30."""
_QUIET = {"OutputFlag": 0, "Threads": 1}
_EXACT: dict[str, float] = {
    **_QUIET,
    "IISMethod": 1,
    "DualReductions": 0,
    "InfUnbdInfo": 0,
    "MIPGap": FINE,
    "MIPGapAbs": FINE,
}
"""The paper's IISMethod (table 16); no "infeasible or unbounded"; the optimum itself."""
_ENDINGS = {
    2: Status.OPTIMAL,
    3: Status.INFEASIBLE,
    4: Status.INFEASIBLE_OR_UNBOUNDED,
    5: Status.UNBOUNDED,
    6: Status.CUTOFF,
    8: Status.NODE_LIMIT,
    9: Status.TIME_LIMIT,
    10: Status.SOLUTION_LIMIT,
    11: Status.INTERRUPTED,
    15: Status.SOLUTION_LIMIT,
}


_STOPPED = (Status.TIME_LIMIT, Status.NODE_LIMIT, Status.SOLUTION_LIMIT, Status.INTERRUPTED)


def solve(problem: Problem, search: Search) -> SolveResult:
    """Solve by gurobipy; UNSUPPORTED where it has no licence, or one that is too small.

    UsageError where it is not installed, SolverError where it refuses the problem.
    """
    need("gurobi", "the solver 'gurobi'")
    import gurobipy

    try:
        with gurobipy.Env(params=_QUIET) as env:
            return GurobiModel(gurobipy, env, problem).result(search)
    except gurobipy.GurobiError as error:
        if error.errno in _NO_LICENCE:
            return SolveResult(Status.UNSUPPORTED, solver="gurobi", detail=f"licence: {error}")
        raise SolverError(f"Gurobi refuses the problem: {error}") from None


class GurobiModel:
    """A problem written into a model of Gurobi's, which may be changed and solved again, warm.

    `columns` are its variables, `rows` the constraints of the linear rows by (number, side): 0 the
    lower one, 1 the upper one, 2 both at once. With `apart` it is 0 and 1 also for equalities, and
    binaries are integers between bounds: so an IIS says which side of a row or column takes part.
    """

    def __init__(self, api: Any, env: Any, problem: Problem, apart: bool = False) -> None:
        self._api, self._problem, self._apart = api, problem, apart
        self.gurobi: Any = api.Model(env=env)
        model = problem.model
        letters = "CCCCC" if problem.settings.relaxed else _APART if apart else _TYPES
        types = [letters[kind] for kind in model.types]
        low, up = model.effective_bounds
        self.columns: list[Any] = [
            self.gurobi.addVar(lb, ub, 0.0, kind)
            for lb, ub, kind in zip(low.tolist(), up.tolist(), types, strict=True)
        ]
        self.gurobi.ModelSense = -1 if model.maximize else 1
        goal = self.sum(np.arange(model.n), model.objective) + model.offset
        if problem.quadratic is not None:
            goal += self._products(problem.quadratic)
        if not problem.objectives:
            self.gurobi.setObjective(goal)
        for k, part in enumerate(problem.objectives):
            value = self.sum(np.arange(model.n), part.coefficients) + part.offset
            self.gurobi.setObjectiveN(
                value, k, part.priority, part.weight, part.abs_tol, part.rel_tol
            )
        self.rows: dict[tuple[int, int], Any] = {}
        for i in range(model.m):
            for side, row in self.between(self.sum(*model.row(i)), *model.sides(i)).items():
                self.rows[i, side] = row
        self._beyond()
        self._set()

    def sum(self, index: Any, value: Floats) -> Any:
        """A linear expression."""
        pairs = zip(index.tolist(), value.tolist(), strict=True)
        return self._api.LinExpr([(v, self.columns[j]) for j, v in pairs])

    def between(self, body: Any, lower: float, upper: float) -> dict[int, Any]:
        """Add constraints for an expression's sides; what was added, by side."""
        add = self.gurobi.addConstr
        if lower == upper and not self._apart:
            return {2: add(body == lower)}
        found = {}
        if lower > -INF:
            found[0] = add(body >= lower)
        if upper < INF:
            found[1] = add(body <= upper)
        return found

    def _products(self, q: Any) -> Any:
        return self._api.quicksum(v * self.columns[i] * self.columns[j] for i, j, v in q.terms())

    def _beyond(self) -> None:
        problem, model, x = self._problem, self.gurobi, self.columns
        for row in problem.quadratic_rows:
            body = self.sum(row.index, row.value) + self._products(row.quadratic)
            self.between(body, row.lower, row.upper)
        if problem.settings.relaxed:
            return
        for found in problem.indicators:
            body = self.sum(found.index, found.value)
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
        function, numbers = general.function, general.numbers
        r, operands = self.columns[general.result], [self.columns[j] for j in general.operands]
        given: tuple[Any, ...] = (operands[0], r)
        match function:
            case GeneralFunction.MAX | GeneralFunction.MIN:
                given = r, operands, numbers[0] if numbers else None
            case GeneralFunction.AND | GeneralFunction.OR:
                given = r, operands
            case GeneralFunction.NORM:
                given = r, operands, numbers[0]
            case GeneralFunction.ABS:
                given = r, operands[0]
            case GeneralFunction.PWL:
                given = *given, numbers[::2], numbers[1::2]
            case GeneralFunction.POLY:
                given = *given, list(numbers)
            case GeneralFunction.POW | GeneralFunction.EXPA | GeneralFunction.LOGA:
                given = *given, numbers[0]
        getattr(self.gurobi, f"addGenConstr{_NAMES.get(function, function.capitalize())}")(*given)

    def _set(self) -> None:
        settings, parameters = self._problem.settings, self.gurobi.Params
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
                self.gurobi.setParam(name, value)
        start = self._problem.start
        if start is not None:
            for j in np.flatnonzero(~np.isnan(start)).tolist():
                self.columns[j].Start = float(start[j])

    def _hook(self, search: Search, model: Any, where: int) -> None:
        codes = self._api.GRB.Callback
        name = {codes.MIP: MIP, codes.MIPSOL: MIPSOL, codes.MIPNODE: MIPNODE}.get(where)
        if name is None:
            return
        prefix = name.upper()
        best, bound, nodes = (
            model.cbGet(getattr(codes, f"{prefix}_{part}"))
            for part in ("OBJBST", "OBJBND", "NODCNT")
        )
        x, value = None, None
        if where == codes.MIPSOL:
            x = np.array(model.cbGetSolution(self.columns))
            value = float(model.cbGet(codes.MIPSOL_OBJ))
        elif where == codes.MIPNODE and model.cbGet(codes.MIPNODE_STATUS) == 2:
            x = np.array(model.cbGetNodeRel(self.columns))
            value = float(self._problem.model.objective @ x) + self._problem.model.offset
        if search.callback is not None:
            reply = search.ask(search.event(name, best, bound, int(nodes), x, value))
            for row in reply.lazy:
                body = self.sum(row.index, row.value)
                if row.lower > -INF:
                    model.cbLazy(body >= row.lower)
                if row.upper < INF:
                    model.cbLazy(body <= row.upper)
            if reply.solution is not None and where == codes.MIPNODE:
                given = np.flatnonzero(~np.isnan(reply.solution)).tolist()
                columns = [self.columns[j] for j in given]
                model.cbSetSolution(columns, reply.solution[given].tolist())
        if search.terminated:
            model.terminate()

    def result(self, search: Search) -> SolveResult:
        """Run to the end, and read everything off."""
        model = self.gurobi
        model.Params.TimeLimit = max(search.left, 0.001)
        model.optimize(partial(self._hook, search) if search.callback is not None else None)
        ending = _ENDINGS.get(model.Status, Status.NUMERIC)
        x, value = None, None
        pool: tuple[tuple[float, Floats], ...] = ()
        if model.SolCount > 0:
            x = np.array(model.getAttr("X", self.columns), np.float64)
            value = (
                float(model.ObjVal)
                if not self._problem.objectives
                else self._problem.objectives[0].value_at(x)
            )
            wanted = self._problem.settings.pool_solutions
            if wanted > 1 and model.IsMIP:
                pool = self._pool(min(wanted, model.SolCount))
        bound = None
        if not self._problem.objectives and ending in (Status.OPTIMAL, *_STOPPED):
            bound = float(model.ObjBound) if abs(model.ObjBound) < 1e99 else None
        stopped = search.stopped(value, bound, x) if ending == Status.INTERRUPTED else None
        base = stopped or SolveResult(ending, value, bound, x)
        has_duals = x is not None and not (model.IsMIP or model.IsQCP)
        return base._replace(
            row_dual=self._duals() if has_duals else None,
            col_dual=np.array(model.getAttr("RC", self.columns), np.float64) if has_duals else None,
            nodes=int(model.NodeCount),
            iterations=int(model.IterCount),
            pool=pool,
            solver="gurobi",
        )

    def _duals(self) -> Floats:
        found = np.zeros(self._problem.model.m)
        for (i, _), row in self.rows.items():
            found[i] += row.Pi
        return found

    def _pool(self, count: int) -> tuple[tuple[float, Floats], ...]:
        found = []
        for number in range(count):
            self.gurobi.Params.SolutionNumber = number
            point = np.array([column.Xn for column in self.columns])
            found.append((float(self.gurobi.PoolObjVal), point))
        return tuple(found)


class GurobiOracle(Oracle):
    """Gurobi: LPs and MIPs, duals, IISs of rows and bounds, warm.

    `settings` are parameters of Gurobi's that go before those of `_EXACT`. Raises SolverError where
    gurobipy is missing, older than 13, or without a licence.
    """

    name = "gurobi"

    def __init__(self, settings: Mapping[str, float] = _EXACT) -> None:
        need("gurobi", "the solver 'gurobi'", SolverError)
        import gurobipy

        self.gp: Any = gurobipy
        if gurobipy.gurobi.version()[0] < 13:
            raise SolverError(f"gurobipy {self.version} is too old; install 13 or later")
        try:
            self.env = gurobipy.Env(empty=True)
            for name, value in {**_EXACT, **settings}.items():
                self.env.setParam(name, value)
            self.env.start()
        except gurobipy.GurobiError as error:
            raise SolverError(f"Gurobi does not start ({error}); see to its licence") from None

    @property
    def version(self) -> str:
        """Gurobi's version."""
        return ".".join(map(str, self.gp.gurobi.version()))

    def session(self) -> "GurobiSession":
        """A new session, empty."""
        return GurobiSession(self)


class GurobiSession(SolverSession):
    """A model in Gurobi, written at the first solve after a change.

    Edited warm, step-by-step repairs took four fifths of the time, for some forty lines more.
    Each finite side of a row is a constraint of its own.
    """

    def __init__(self, oracle: GurobiOracle) -> None:
        self._oracle = oracle
        self._now: GurobiModel | None = None

    def load(self, model: Model) -> None:
        """Forget everything before, and hold `model`."""
        self.close()
        super().load(model)
        self._solved: Status | None = None

    @property
    def _written(self) -> GurobiModel:
        if self._now is None:
            # Its tolerances are the environment's.
            problem = Problem(self.current(), settings=Settings())
            self._now = GurobiModel(self._oracle.gp, self._oracle.env, problem, apart=True)
        return self._now

    def solve(self, time_limit: float = TIME_LIMIT) -> SolveResult:
        """Solve as it stands; raises SolverError beyond the licence's size."""
        search = Search(time_limit)
        found = self._call(lambda: self._written.result(search))
        # 13.0 calls some unbounded MIPs optimal, and a model unbounded by its ray alone.
        endless = found.status == Status.OPTIMAL and not abs(found.objective or 0.0) < _INFINITE
        if endless or found.status == Status.UNBOUNDED:
            found = found._replace(status=self._any_point(time_limit), x=None)
        found = found._replace(seconds=search.seconds)
        self._solved = (answer := as_told(self.current(), found)).status
        return answer

    def _any_point(self, time_limit: float) -> Status:
        """Whether a model with a ray has a point."""
        held, columns = self._written.gurobi, self._written.columns
        costs = held.getAttr("Obj", columns)
        held.setAttr("Obj", columns, [0.0] * len(costs))
        found = self._call(lambda: self._written.result(Search(time_limit))).status
        held.setAttr("Obj", columns, costs)
        held.update()
        known = {Status.OPTIMAL: Status.UNBOUNDED, Status.INFEASIBLE: Status.INFEASIBLE}
        return known.get(found, Status.TIME_LIMIT)

    def _call(self, what: Callable[[], Answer]) -> Answer:
        try:
            return what()
        except self._oracle.gp.GurobiError as error:
            name = self.current().name
            if error.errno == _TOO_LARGE:
                raise SolverError(
                    f"the model '{name}' is too large for Gurobi's licence here; use the oracle "
                    "'highs'"
                ) from None
            raise SolverError(f"Gurobi failed on '{name}' ({error})") from None

    def iis(self, time_limit: float = TIME_LIMIT) -> Iis:
        """An IIS by computeIIS; raises SolverError unless the model is infeasible."""
        need_infeasible(self.current(), self._solved or self.solve(time_limit).status)
        held, m = self._written.gurobi, self.current().m
        held.Params.TimeLimit = time_limit
        self._call(held.computeIIS)
        members = [2 * i + side for (i, side), row in self._written.rows.items() if row.IISConstr]
        for side, name in enumerate(("IISLB", "IISUB")):
            flags = held.getAttr(name, self._written.columns)
            members += [2 * (m + j) + side for j, flag in enumerate(flags) if flag]
        found = farkas.as_iis(
            sorted(members), m, proven=bool(held.IISMinimal), method="IISMethod 1"
        )
        if not self.current().types.any():
            return found
        relaxed = self._oracle.solve(subsystem(self.current(), found), time_limit)
        return found._replace(integral=relaxed.status != Status.INFEASIBLE)

    def close(self) -> None:
        """Free the model; any number of times."""
        if self._now is not None:
            self._now.gurobi.dispose()
            self._now = None
