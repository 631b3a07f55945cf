"""SCIP behind the protocol: solved anew each time, IISs of rows."""

from collections.abc import Sequence
from time import perf_counter
from typing import Any, ClassVar

import numpy as np

from ordojo.core.errors import SolverError
from ordojo.milp.model import INF, Model, VarType
from ordojo.solvers import farkas
from ordojo.solvers.answers import Iis, Solution, Status
from ordojo.solvers.deletion import Subsystems, shrink
from ordojo.solvers.highs import HighsSession
from ordojo.solvers.iis import subsystem
from ordojo.solvers.kernel import TURNED
from ordojo.solvers.protocol import TIME_LIMIT, Capability, Oracle, Session

_STATUS = {
    "optimal": Status.OPTIMAL,
    "infeasible": Status.INFEASIBLE,
    "unbounded": Status.UNBOUNDED,
    "timelimit": Status.TIME_LIMIT,
}


def run_until(scip: Any, end: float, seconds: float) -> str:
    """Run SCIP until its limit, or on where the machine's clock was turned; see `kernel`."""
    scip.optimize()
    while (found := str(scip.getStatus())) == "timelimit":
        left = end - perf_counter()
        if left <= TURNED * seconds:
            break
        scip.setParam("limits/time", scip.getSolvingTime() + left)
        scip.optimize()
    return found


class ScipOracle(Oracle):
    """SCIP: LPs and MIPs, no duals, nothing warm. Of an IIS the rows are SCIP's.

    Which bounds and which sides of the rows take part is found by our deletion filter, since
    SCIP's own removal of bounds is not reliable. Semicontinuous columns are refused. Raises
    SolverError where pyscipopt is missing or older than 6.
    """

    name: ClassVar[str] = "scip"
    capabilities: ClassVar[frozenset[Capability]] = frozenset(
        {Capability.LP, Capability.MIP, Capability.IIS_ROWS, Capability.IIS_MIP}
    )

    def __init__(self) -> None:
        try:
            import pyscipopt
        except ImportError:
            raise SolverError(
                "pyscipopt is not installed; install ordojo[scip], or use the oracle 'highs'"
            ) from None
        self.scip: Any = pyscipopt
        if not hasattr(pyscipopt.Model, "generateIIS"):
            raise SolverError("this pyscipopt finds no infeasible subsystems; install 6 or later")

    @property
    def version(self) -> str:
        """SCIP's version."""
        return str(self.scip.Model().version())

    def session(self) -> "ScipSession":
        """A new session, empty."""
        return ScipSession(self)


class ScipSession(Session):
    """The current model, built for SCIP at each solve."""

    def __init__(self, oracle: ScipOracle) -> None:
        self._scip = oracle.scip
        self._model: Model | None = None

    def load(self, model: Model) -> None:
        """Forget everything before, and hold `model`; raises SolverError for what it cannot."""
        if (model.types >= VarType.SEMICONTINUOUS).any():
            raise SolverError(
                f"the model '{model.name}' has semicontinuous columns; use the oracle 'highs'"
            )
        self._model = model
        self._solved: Status | None = None

    def current(self) -> Model:
        """The model as it stands."""
        if self._model is None:
            raise SolverError("this session holds no model; load one first")
        return self._model

    def set_row_bounds(self, i: int, lower: float, upper: float) -> None:
        """Move row i's sides."""
        self.load(self.current().with_row_bounds(i, lower, upper))

    def set_row(
        self, i: int, index: Sequence[int], value: Sequence[float], lower: float, upper: float
    ) -> None:
        """Put another row in the place of row i."""
        self.load(self.current().with_row(i, index, value, lower, upper))

    def set_col_bounds(self, j: int, lower: float, upper: float) -> None:
        """Move column j's own bounds; a BINARY column stays within [0, 1] besides."""
        self.load(self.current().with_col_bounds(j, lower, upper))

    def set_type(self, j: int, kind: VarType) -> None:
        """Make column j of another type."""
        self.load(self.current().with_type(j, kind))

    def _build(self, seconds: float, costs: bool) -> tuple[Any, list[Any]]:
        model = self.current()
        held = self._scip.Model()
        held.hideOutput()
        held.setParam("limits/time", max(seconds, 0.01))
        low, up = model.effective_bounds
        kinds = ["C" if kind == VarType.CONTINUOUS else "I" for kind in model.types]
        columns = [
            held.addVar(f"x{j}", kind, None if lb == -INF else lb, None if ub == INF else ub)
            for j, (kind, lb, ub) in enumerate(zip(kinds, low.tolist(), up.tolist(), strict=True))
        ]
        quicksum = self._scip.quicksum
        if costs:
            held.setObjective(
                quicksum(c * x for c, x in zip(model.objective.tolist(), columns, strict=True))
                + model.offset,
                "maximize" if model.maximize else "minimize",
            )
        for i in range(model.m):
            index, value = model.row(i)
            if len(index) and model.is_live(i):
                expression = quicksum(
                    v * columns[j] for j, v in zip(index.tolist(), value.tolist(), strict=True)
                )
                sides = float(model.row_lower[i]), float(model.row_upper[i])
                lhs, rhs = (None if abs(side) == INF else side for side in sides)
                held.addCons(self._scip.scip.ExprCons(expression, lhs, rhs), f"r{i}")
        return held, columns

    def _obvious(self) -> int | None:
        """A row or column (at m + j) that cannot hold by itself, which SCIP would not take."""
        model = self.current()
        low, up = model.effective_bounds
        bare = np.diff(model.starts) == 0
        wrong = model.row_lower > model.row_upper
        wrong |= bare & ((model.row_lower > 0) | (model.row_upper < 0))
        places = np.flatnonzero(np.concatenate([wrong, low > up]))
        return int(places[0]) if len(places) else None

    def solve(self, time_limit: float = TIME_LIMIT) -> Solution:
        """Solve as it stands."""
        start = perf_counter()
        if self._obvious() is not None:
            self._solved = Status.INFEASIBLE
            return Solution(Status.INFEASIBLE, seconds=perf_counter() - start)
        held, columns = self._build(time_limit, costs=True)
        found = run_until(held, start + time_limit, time_limit)
        status = _STATUS.get(found, Status.ERROR)
        if found in ("inforunbd", "unbounded"):
            other, _ = self._build(time_limit, costs=False)
            found = run_until(other, perf_counter() + time_limit, time_limit)
            status = _STATUS.get(found, Status.ERROR)
            status = Status.UNBOUNDED if status == Status.OPTIMAL else status
        self._solved = status
        if status not in (Status.OPTIMAL, Status.TIME_LIMIT) or held.getNSols() == 0:
            return Solution(status, seconds=perf_counter() - start)
        model = self.current()
        x = np.array([held.getVal(column) for column in columns], np.float64)
        best = float(held.getObjVal())
        bound = best if status == Status.OPTIMAL else None
        activity = model.activities(x)
        return Solution(status, best, x, activity, bound=bound, seconds=perf_counter() - start)

    def iis(self, time_limit: float = TIME_LIMIT) -> Iis:
        """SCIP's irreducible rows, then the sides and bounds they need.

        Raises SolverError unless the model is infeasible.
        """
        start = perf_counter()
        model = self.current()
        status = self._solved or self.solve(time_limit).status
        if status != Status.INFEASIBLE:
            raise SolverError(
                f"the model '{model.name}' is {status.value.lower().replace('_', ' ')}, so it has "
                "no infeasible subsystem; ask for one where a solve says INFEASIBLE"
            )
        obvious = self._obvious()
        if obvious is not None:
            session = HighsSession()
            session.load(subsystem(model, farkas.as_iis((2 * obvious, 2 * obvious + 1), model.m)))
            return session.iis(time_limit)
        held, _ = self._build(time_limit, costs=False)
        held.setParam("iis/removebounds", False)
        found = held.generateIIS().getSubscip()
        rows = {int(row.name[1:]) for row in found.getConss(False)}
        systems = Subsystems(model, integral=True)
        taken = [k for k in systems.members if k >> 1 >= model.m or k >> 1 in rows]
        left = max(time_limit - (perf_counter() - start), 0.01)
        members, method = shrink(systems, left, taken), "generateIIS"
        if members is None:  # SCIP may leave out a row that it has made a bound
            members, method = shrink(systems, left), "deletion filter"
        if members is None:
            raise SolverError(
                f"no infeasible subsystem of '{model.name}' was confirmed within {time_limit:g} s; "
                "allow more time or use the oracle 'highs'"
            )
        alone = farkas.as_iis(members[0], model.m)
        session = HighsSession()
        session.load(subsystem(model, alone))
        integral = session.solve(time_limit).status != Status.INFEASIBLE
        return farkas.as_iis(
            members[0], model.m, integral=integral, proven=members[1], method=method
        )

    def close(self) -> None:
        """Forget the model; any number of times."""
        self._model = None
