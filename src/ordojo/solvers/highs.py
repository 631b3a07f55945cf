"""HiGHS behind the protocol: warm simplex, the IIS from its dual ray, a branch and bound."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ordojo.milp.model import Floats, Model, VarType, typed_bounds
from ordojo.solvers import deletion, farkas
from ordojo.solvers.answers import Iis, SolveResult, Status
from ordojo.solvers.highs_model import (
    ENDINGS,
    INFEASIBLE,
    OPTIMAL,
    highs,
    is_broken,
    sharpened,
    solve_exactly,
)
from ordojo.solvers.protocol import TIME_LIMIT as SECONDS
from ordojo.solvers.protocol import Oracle, SolverSession, need_infeasible
from ordojo.solvers.ray import decided
from ordojo.solvers.search import Clock
from ordojo.solvers.simplex import FINAL, Discrete, Lp, branch

_TOLD = {code: ending.told for code, ending in ENDINGS.items()}


def _any_point(model: Model, seconds: float) -> SolveResult:
    """HiGHS's answer; without an objective, whether there is a point, by our search as well."""
    if model.objective.any():
        return solve_exactly(model, seconds)
    answer, _ = deletion.Subsystems(model, True).feasible(None, seconds)
    known = {True: Status.OPTIMAL, False: Status.INFEASIBLE, None: Status.TIME_LIMIT}
    return SolveResult(known[answer])


class HighsOracle(Oracle):
    """HiGHS, the default: LPs and MIPs, duals, IISs of rows and bounds, warm."""

    name = "highs"

    @property
    def version(self) -> str:
        """HiGHS's version."""
        return str(highs({}).version())

    def session(self) -> "HighsSession":
        """A new session, empty."""
        return HighsSession()


class HighsSession(SolverSession):
    """A model in HiGHS. Integrality is ours: HiGHS holds the relaxation, warm."""

    def __init__(self) -> None:
        self._lp = Lp()

    def load(self, model: Model) -> None:
        """Forget everything before, and hold `model`; raises SolverError where HiGHS refuses it."""
        self._model = model
        self._sides = (model.row_lower.tolist(), model.row_upper.tolist())
        self._own = (model.col_lower.copy(), model.col_upper.copy())
        self._types = model.types
        self._rebound()
        self._matrix: farkas.Matrix | None = None
        self._combined: tuple[bytes, farkas.Combination] | None = None
        self._crossed = set((model.row_lower > model.row_upper).nonzero()[0].tolist())
        self._crossed |= {model.m + j for j in (self._low > self._up).nonzero()[0].tolist()}
        self._lp.load(model, self._low, self._up)
        self._solved: Status | None = None
        self._by_type = False

    def _rebound(self) -> None:
        """Work out the relaxation's column bounds from the own bounds and types."""
        lower, upper = self._own
        self._discrete: Discrete | None = None
        if self._types.any():
            self._discrete = Discrete(self._types, *typed_bounds(self._types, lower, upper))
            lower, upper = self._discrete.low, self._discrete.up
        self._low, self._up = lower, upper
        self._bounds: tuple[list[float], list[float]] | None = None

    def set_row_bounds(self, i: int, lower: float, upper: float) -> None:
        """Move row i's sides."""
        self._loaded()
        self._sides[0][i], self._sides[1][i] = lower, upper
        self._cross(i, lower, upper)
        self._lp.h.changeRowBounds(i, lower, upper)
        self._solved = None

    def _cross(self, place: int, lower: float, upper: float) -> None:
        if lower > upper:
            self._crossed.add(place)
        else:
            self._crossed.discard(place)

    def set_row(
        self, i: int, index: Sequence[int], value: Sequence[float], lower: float, upper: float
    ) -> None:
        """Put another row in the place of row i."""
        model = self._loaded()
        new = dict(zip((int(j) for j in index), (float(v) for v in value), strict=True))
        old = model.row(i)[0].tolist()
        for j in sorted(new.keys() | set(old)):
            self._lp.h.changeCoeff(i, j, new.get(j, 0.0))
        self._model = self._lp.model = model.with_row(i, index, value, lower, upper)
        self._matrix = None
        self.set_row_bounds(i, lower, upper)

    def set_col_bounds(self, j: int, lower: float, upper: float) -> None:
        """Move column j's own bounds; a BINARY column stays within [0, 1] besides."""
        self._loaded()
        self._own[0][j], self._own[1][j] = lower, upper
        self._changed(j)

    def set_type(self, j: int, kind: VarType) -> None:
        """Make column j of another type."""
        self._loaded()
        self._types = self._types.copy()
        self._types[j] = kind
        self._changed(j)

    def set_cost(self, cost: Floats, maximize: bool) -> None:
        """Put another objective (n) in the place of the model's."""
        model = self._loaded()
        self._model = self._lp.model = replace(model, objective=cost, maximize=maximize)
        self._lp.goal(cost, maximize)
        self._solved = None

    def _changed(self, j: int) -> None:
        self._rebound()
        lower, upper = float(self._low[j]), float(self._up[j])
        self._cross(self._loaded().m + j, lower, upper)
        self._lp.h.changeColBounds(j, lower, upper)
        self._solved = None

    def current(self) -> Model:
        """The model as it stands."""
        (row_lower, row_upper), (col_lower, col_upper) = map(np.array, (self._sides, self._own))
        return replace(
            self._loaded(),
            types=self._types.copy(),
            row_lower=row_lower,
            row_upper=row_upper,
            col_lower=col_lower,
            col_upper=col_upper,
        )

    def _loaded(self) -> Model:
        """The model that was loaded, whose rows' terms are what the solver holds."""
        return self._model or super().current()  # which says that none was loaded

    def solve(self, time_limit: float = SECONDS) -> SolveResult:
        """Solve as it stands; raises SolverError where the solver breaks its own promises."""
        clock, model = Clock(time_limit), self._loaded()
        x: Floats | None = None
        self._by_type = False
        empty = model.n == 0
        if self._crossed or (empty and self._false_rows()):
            status = Status.INFEASIBLE
        elif empty:
            status, x = Status.OPTIMAL, np.zeros(0)
        else:
            self._lp.limit(time_limit)
            code = self._lp.run()
            if code == OPTIMAL:
                code = sharpened(self._lp.h, code, self._lp.run)
            status = _TOLD.get(code, Status.ERROR)
            if self._discrete is not None and code != INFEASIBLE:
                status, x = self._integral(code, clock)
                self._by_type = status == Status.INFEASIBLE
        self._solved = status
        if self._doubtful(status):
            now = self.current()
            # Without an objective our search is what has failed.
            again = _any_point if now.objective.any() else solve_exactly
            doubted = Status.UNBOUNDED if status == Status.UNBOUNDED else Status.ERROR
            steps = self._lp.direction() if status is Status.UNBOUNDED else None
            # Simplex has a point before it finds a ray, but one that may be of no whole numbers.
            somewhere = steps is not None and self._discrete is None
            found = decided(now, SolveResult(doubted), again, clock.left, steps, somewhere)
            self._solved = found.status.told
            # Whether it takes whole numbers is not known: without them it may have a point.
            self._by_type = self._solved == Status.INFEASIBLE and self._discrete is not None
            found = found._replace(status=self._solved, seconds=clock.seconds)
            bound = found.objective if self._solved == Status.OPTIMAL else None
            activity = None if found.x is None else model.activities(found.x)
            return found._replace(bound=bound, activity=activity)
        if x is None and status != Status.OPTIMAL:
            return SolveResult(status, seconds=clock.seconds)
        row_dual = col_dual = None
        if x is None:
            found, value = self._lp.h.getSolution(), self._lp.h.getObjectiveValue()
            x, activity = np.array(found.col_value), np.array(found.row_value)
            row_dual, col_dual = np.array(found.row_dual), np.array(found.col_dual)
        else:
            value, activity = model.value_at(x), model.activities(x)
        return SolveResult(
            status,
            value,
            value if status == Status.OPTIMAL else None,
            x,
            row_dual,
            col_dual,
            seconds=clock.seconds,
            activity=activity,
        )

    def _doubtful(self, status: Status) -> bool:
        """Whether simplex's word is not enough: it calls unbounded what has no ray or no point,
        and infeasible, having lost its way, what has one.
        """
        if status is Status.INFEASIBLE:
            strayed = self._lp.strayed and not (self._by_type or self._crossed)
            return strayed and bool(self._loaded().n) and self._ray() is None
        return status is Status.UNBOUNDED or status is Status.ERROR

    def _integral(self, code: int, clock: Clock) -> tuple[Status, Floats | None]:
        """From the relaxation's answer to the model's: its status, and the best point."""
        assert self._discrete is not None
        if code == OPTIMAL:
            x = self._lp.x()
            if self._discrete.children(x, {}) is None:
                point, moved = self._discrete.rounded(x)
                if not moved or not is_broken(self._loaded(), point, *self._sides):
                    return Status.OPTIMAL, point
        else:
            return _TOLD.get(code, Status.ERROR), None
        if self._loaded().n <= deletion.SMALL:
            found = branch(self._lp, self._discrete, clock.left)
            doubted = found.x if found.moved else None
            whole = doubted is None or not is_broken(self._loaded(), doubted, *self._sides)
            if found.code in FINAL and whole:
                return ENDINGS[found.code], found.x
        exact = solve_exactly(self.current(), clock.left)
        return exact.status.told, exact.x

    def _false_rows(self) -> list[int]:
        return [
            i for i, (low, up) in enumerate(zip(*self._sides, strict=True)) if low > 0 or up < 0
        ]

    def iis(self, time_limit: float = SECONDS) -> Iis:
        """An IIS of the model as it stands; raises SolverError unless it is infeasible.

        For LPs, and MIPs with an infeasible relaxation, it is the support of the dual ray; else
        the deletion filter's.
        """
        clock, model = Clock(time_limit), self._loaded()
        status = self._solved or self.solve(time_limit).status
        need_infeasible(model, status)
        if self._crossed:
            place = min(self._crossed)
            return farkas.as_iis((2 * place, 2 * place + 1), model.m, method="crossed sides")
        if model.n == 0:
            i = self._false_rows()[0]
            return farkas.as_iis((2 * i + int(self._sides[0][i] <= 0),), model.m, method="empty")
        if not self._by_type:
            members = self._ray()
            if members is not None:
                return farkas.as_iis(members, model.m, method="dual ray")
        systems = deletion.Subsystems(self.current(), self._by_type)
        members, proven = deletion.shrink(systems, clock.share()) or (systems.members, False)
        return farkas.as_iis(
            members, model.m, integral=self._by_type, proven=proven, method="deletion filter"
        )

    def _ray(self) -> list[int] | None:
        """The dual ray's support, where it is a contradiction and a vertex."""
        found = self._lp.ray()
        if found is None:
            return None
        model = self._loaded()
        if self._matrix is None:
            self._matrix, self._combined = farkas.Matrix.of(model), None
        if self._bounds is None:
            self._bounds = (self._low.tolist(), self._up.tolist())
        # While the basis stays, so does the ray, and only the sides have moved.
        ray = found[0].tobytes()
        if self._combined is None or self._combined[0] != ray:
            self._combined = (ray, farkas.Combination.of(found[0], self._matrix))
        members = self._combined[1].members(*self._sides, *self._bounds)
        if members is None or not farkas.is_vertex(members, model.m, found[1]):
            return None
        return members

    def close(self) -> None:
        """Free the solver; any number of times."""
        self._model = None
        self._lp.h.clear()
