"""A linear program held warm by HiGHS's simplex method, and a small exact branch and bound over it.

The models that are branched have a few dozen columns at most, where plain lists are faster than
arrays.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import Any, NamedTuple

import highspy
import numpy as np

from ordojo.milp.model import INF, Bytes, Floats, Ints, Model, VarType, hull_bounds
from ordojo.milp.tolerances import FEASIBILITY, LEAST_TERM, SAME, WHOLE
from ordojo.solvers.highs_model import (
    INFEASIBLE,
    OPTIMAL,
    TIME_LIMIT,
    UNBOUNDED,
    UNBOUNDED_OR_INFEASIBLE,
    highs,
    pass_model,
    run_until,
)

_MAXIMIZE, _MINIMIZE = highspy.ObjSense.kMaximize, highspy.ObjSense.kMinimize
_FEASIBLE_POINT = int(highspy.SolutionStatus.kSolutionStatusFeasible)
FINAL = frozenset((OPTIMAL, INFEASIBLE, UNBOUNDED, TIME_LIMIT))

SETTINGS: dict[str, object] = {
    "output_flag": False,
    "log_to_console": False,
    "presolve": "off",
    "solver": "simplex",
    "threads": 1,
    "small_matrix_value": LEAST_TERM,
}

_USUAL: dict[str, object] = {"presolve": "off", "simplex_strategy": 1}
_PRIMAL: dict[str, object] = {"simplex_strategy": 4}
_ATTEMPTS: tuple[tuple[bool, dict[str, object]], ...] = (
    (False, {}),
    (True, _PRIMAL),
    (False, _PRIMAL),
    (True, {"presolve": "on"}),
)
"""What to try, with the cost or without, where the dual simplex method loses its way."""


PRESOLVED = 5000
"""Rows beyond which the first run of a model has presolve: it takes a fifth of the time."""


class Lp:
    """One linear program held by HiGHS, simplex, one thread, warm between runs.

    Presolve is off, but for the first run of more than `PRESOLVED` rows.
    """

    __slots__ = (
        "_fresh",
        "_kept",
        "_presolved",
        "_seconds",
        "_until",
        "cost",
        "h",
        "model",
        "strayed",
    )

    def __init__(self) -> None:
        self.h: Any = highs(SETTINGS)
        self.model: Model
        self.cost: Floats
        self._kept: tuple[Floats, Ints] | None = None
        self._seconds, self._fresh, self._until = INF, 0.0, INF
        self._presolved = False
        self.strayed = False
        """Whether the last run lost its way, so that its answer is another attempt's."""

    def load(self, model: Model, low: Floats, up: Floats, cost: Floats | None = None) -> None:
        """Hold the model's relaxation between these column bounds (n), forgetting the one before.

        `cost` replaces the objective. Raises SolverError where HiGHS refuses the model.
        """
        self.model = model
        self.cost = model.objective if cost is None else cost
        self._fresh = 0.0
        if self._presolved != (model.m > PRESOLVED):
            self._presolved = not self._presolved
            self.h.setOptionValue("presolve", "on" if self._presolved else "off")
        pass_model(self.h, model, self.cost, low, up, np.zeros(model.n, np.int32))

    def goal(self, cost: Floats, maximize: bool) -> None:
        """Another objective (n) and direction."""
        self.cost = cost
        self.h.changeColsCost(len(cost), np.arange(len(cost), dtype=np.int32), cost)
        self.h.changeObjectiveSense(_MAXIMIZE if maximize else _MINIMIZE)

    def limit(self, seconds: float) -> None:
        """The solving time that the runs from now on may take together, to a hundredth of it."""
        now = perf_counter()
        if seconds == self._seconds and now < self._fresh:
            return
        # HiGHS's clock runs on from solve to solve, and never ahead of ours.
        self._seconds, self._fresh = seconds, now + 0.01 * seconds
        self._until = now + seconds
        self.h.setOptionValue("time_limit", self.h.getRunTime() + max(seconds, 0.0))

    def run(self) -> int:
        """Solve from where the last run ended; HiGHS's status number."""
        self._kept = None
        code = run_until(self.h, self._until, self._seconds)
        if self._presolved:
            self.h.setOptionValue("presolve", "off")
            self._presolved = False
        self.strayed = code not in FINAL
        if not self.strayed:
            return code
        for with_cost, options in _ATTEMPTS:
            found = self._again(with_cost, options)
            if found in (INFEASIBLE, TIME_LIMIT) or (with_cost and found in FINAL):
                return found
            if found == OPTIMAL and code == UNBOUNDED_OR_INFEASIBLE:
                return UNBOUNDED
        return code

    def _again(self, with_cost: bool, options: dict[str, object]) -> int:
        """Solve from a fresh basis, otherwise; afterwards cost and options are as before."""
        h, n = self.h, self.model.n
        numbers = np.arange(n, dtype=np.int32)
        h.clearSolver()
        if not with_cost:
            h.changeColsCost(n, numbers, np.zeros(n))
        for name, value in options.items():
            h.setOptionValue(name, value)
        self._fresh = 0.0
        self.limit(self._seconds)
        code = run_until(h, self._until, self._seconds)
        self._kept = self.ray() if code == INFEASIBLE else None
        for name in options:
            h.setOptionValue(name, _USUAL[name])
        if not with_cost:
            h.changeColsCost(n, numbers, self.cost)
        return code

    def direction(self) -> Floats | None:
        """The direction (n) in which an unbounded run saw no end, from the point that it had."""
        _, has, steps = self.h.getPrimalRay()
        _, told = self.h.getInfoValue("primal_solution_status")
        return steps if has and told == _FEASIBLE_POINT and not self.strayed else None

    def ray(self) -> tuple[Floats, Ints] | None:
        """The dual ray (m) of an infeasible run, and its basic variables (rows as -1 - i)."""
        if self._kept is not None:
            return self._kept
        _, has, ray = self.h.getDualRay()
        if not has and self.model.m > PRESOLVED:  # presolve found it, which shows no ray
            self._again(True, {})
            return self._kept
        if not has:
            return None
        return ray, self.h.getBasicVariables()[1]

    def x(self) -> list[float]:
        """The point found (n)."""
        found: list[float] = self.h.getSolution().col_value
        return found


NODES = 400
"""Linear programs it may solve before HiGHS's own branch and bound takes over.

Some 15 ms of warm simplex at the size of or-debug's models: more delays the models that need
cuts and presolve, fewer sends those to HiGHS that would have been done.
"""
OPTIMALITY = SAME
"""A node that promises no more than this share beyond the best point is left out.

It costs at most so much of the optimum, below what any check of ours sees (1e-6), and saves the
trees that differ by round-off alone.
"""
_SEMICONTINUOUS = int(VarType.SEMICONTINUOUS)


class Cut(NamedTuple):
    """A column's bounds in a node, and which of them branching made."""

    lower: float
    upper: float
    lower_made: bool
    upper_made: bool


class Found(NamedTuple):
    """How the search ended: a status number of HiGHS, or 0 where the nodes ran out.

    `moved`: the point is not simplex's own, which holds to its tolerance, but rounded.
    """

    code: int
    x: Floats | None = None
    objective: float = 0.0
    moved: bool = False


Leaf = Callable[[Mapping[int, Cut]], bool]
"""Called at each infeasible node with its cuts; False ends the search with code 0."""


class Discrete:
    """The columns that are not continuous: their types and bounds, and the relaxation's bounds.

    `low` and `up` (n) are what the linear program holds: a semicontinuous column reaches to 0.
    """

    __slots__ = ("integers", "low", "own", "semis", "up")

    def __init__(self, types: Bytes, lower: Floats, upper: Floats) -> None:
        self.own = (lower, upper)
        codes = types.tolist()
        self.integers = [j for j, code in enumerate(codes) if code and code != _SEMICONTINUOUS]
        self.semis = [j for j, code in enumerate(codes) if code >= _SEMICONTINUOUS]
        self.low, self.up = hull_bounds(types, lower, upper) if self.semis else self.own

    def children(self, x: Sequence[float], cuts: Mapping[int, Cut]) -> tuple[int, Cut, Cut] | None:
        """A column whose value its type forbids, with two cuts, the nearer one first; or None."""
        for j in self.semis:
            value, low, up = x[j], float(self.own[0][j]), float(self.own[1][j])
            if abs(value) > WHOLE and not low - FEASIBILITY <= value <= up + FEASIBILITY:
                off, on = Cut(0.0, 0.0, True, True), Cut(low, up, False, False)
                return (j, off, on) if abs(value) < abs(value - low) else (j, on, off)
        j, farthest = -1, WHOLE
        for k in self.integers:
            far = abs(x[k] - round(x[k]))
            if far > farthest:
                j, farthest = k, far
        if j < 0:
            return None
        value = x[j]
        cut = cuts.get(j) or Cut(float(self.low[j]), float(self.up[j]), False, False)
        floor = math.floor(value)
        down = Cut(cut.lower, float(floor), cut.lower_made, True)
        up_cut = Cut(float(math.ceil(value)), cut.upper, True, cut.upper_made)
        return (j, down, up_cut) if value - floor <= 0.5 else (j, up_cut, down)

    def step(self, costs: Floats) -> float:
        """What two different objective values differ by at least; 0 where that is not known."""
        priced = [(j, abs(cost)) for j, cost in enumerate(costs.tolist()) if cost]
        whole = set(self.integers)
        if all(j in whole and size < 1e9 and size.is_integer() for j, size in priced):
            return float(math.gcd(*(int(size) for _, size in priced)))
        return 0.0

    def rounded(self, x: Sequence[float]) -> tuple[Floats, bool]:
        """The point with whole numbers where the types want them, and whether that moved it."""
        point = np.array(x)
        near = point[self.integers]
        point[self.integers] = whole = np.rint(near)
        return point, bool((near != whole).any())


def branch(
    lp: Lp,
    discrete: Discrete,
    seconds: float,
    nodes: int = NODES,
    leaf: Leaf | None = None,
    first: bool = False,
) -> Found:
    """Search depth first, nearer child first, from the relaxation that `lp` holds.

    `first` ends at the first point. The column bounds of `lp` are put back afterwards. A node's
    bound is its relaxation's value, so what is left out cannot hold a better point.
    """
    deadline = perf_counter() + seconds
    h, sign = lp.h, -1.0 if lp.model.maximize else 1.0
    low, up = discrete.low.tolist(), discrete.up.tolist()
    best, x_best, moved = INF, None, False
    # A better point is better by a whole step; a thousandth of it allows for round-off.
    step, enough = 0.999 * discrete.step(lp.cost), INF
    now: Mapping[int, Cut] = {}
    stack: list[tuple[float, dict[int, Cut], bool]] = [(-INF, {}, False)]
    lp.limit(seconds)
    try:
        while stack:
            bound, cuts, crossed = stack.pop()
            if bound >= enough:
                continue
            if nodes <= 0 or perf_counter() >= deadline:
                return Found(0 if nodes <= 0 else TIME_LIMIT, x_best, sign * best, moved)
            nodes -= 1
            _move(h.changeColBounds, low, up, now, cuts)
            now = cuts
            code = INFEASIBLE if crossed else lp.run()
            if code == INFEASIBLE:
                if leaf is not None and not leaf(cuts):
                    return Found(0)
                continue
            if code != OPTIMAL:
                return Found(code, x_best, sign * best, moved)
            value = sign * h.getObjectiveValue()
            if value >= enough:
                continue
            x = lp.x()
            split = discrete.children(x, cuts)
            if split is None:
                best, (x_best, moved) = value, discrete.rounded(x)
                enough = best - max(step, OPTIMALITY * max(1.0, abs(best)))
                if first:
                    break
                continue
            j, near, far = split
            for cut in (far, near):
                stack.append((value, {**cuts, j: cut}, cut.lower > cut.upper))
    finally:
        _move(h.changeColBounds, low, up, now, {})
    return Found(INFEASIBLE) if x_best is None else Found(OPTIMAL, x_best, sign * best, moved)


def _move(
    change: Callable[[int, float, float], object],
    low: Sequence[float],
    up: Sequence[float],
    now: Mapping[int, Cut],
    then: Mapping[int, Cut],
) -> None:
    for j in now:
        if j not in then:
            change(j, low[j], up[j])
    for j, cut in then.items():
        old = now.get(j)
        if old is not cut and old != cut:
            change(j, cut.lower, cut.upper)
