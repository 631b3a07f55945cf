"""A small exact branch and bound over the warm linear program."""

import math
from collections.abc import Callable, Mapping
from time import perf_counter
from typing import NamedTuple

import numpy as np

from ordojo.milp.model import INF, Bytes, Floats, VarType
from ordojo.oracle.kernel import INFEASIBLE, OPTIMAL, TIME_LIMIT, Lp

NODES = 400
"""Linear programs it may solve before HiGHS's own branch and bound takes over."""
INTEGRALITY = 1e-6
"""How far from a whole number a value may lie and still count as whole (HiGHS's default)."""
OPTIMALITY = 1e-9
"""A node that promises no more than this share beyond the best point is left out."""
_FEASIBILITY = 1e-7


class Cut(NamedTuple):
    """A column's bounds in a node, and which of them branching made."""

    lower: float
    upper: float
    lower_made: bool
    upper_made: bool


class Found(NamedTuple):
    """How the search ended: a status number of HiGHS, or 0 where the nodes ran out."""

    code: int
    x: Floats | None = None
    objective: float = 0.0


Leaf = Callable[[Mapping[int, Cut]], bool]
"""Called at each infeasible node with its cuts; False ends the search with code 0."""


class Discrete:
    """The columns that are not continuous: their types and bounds, and the relaxation's bounds.

    `low` and `up` (n) are what the linear program holds: a semicontinuous column reaches to 0.
    """

    __slots__ = ("integers", "low", "own", "semis", "up")

    def __init__(self, types: Bytes, lower: Floats, upper: Floats) -> None:
        self.own = (lower, upper)
        self.integers = np.flatnonzero((types != VarType.CONTINUOUS) & (types != 3))
        self.semis = np.flatnonzero(types >= VarType.SEMICONTINUOUS)
        self.low, self.up = lower, upper
        if len(self.semis):
            self.low, self.up = lower.copy(), upper.copy()
            self.low[self.semis] = np.minimum(lower[self.semis], 0.0)
            self.up[self.semis] = np.maximum(upper[self.semis], 0.0)

    def children(self, x: Floats, cuts: Mapping[int, Cut]) -> tuple[int, Cut, Cut] | None:
        """A column whose value its type forbids, with two cuts, the nearer one first; or None."""
        for j in self.semis.tolist():
            value, low, up = x[j], float(self.own[0][j]), float(self.own[1][j])
            if abs(value) > INTEGRALITY and not low - _FEASIBILITY <= value <= up + _FEASIBILITY:
                off, on = Cut(0.0, 0.0, True, True), Cut(low, up, False, False)
                return (j, off, on) if abs(value) < abs(value - low) else (j, on, off)
        if not len(self.integers):
            return None
        values = x[self.integers]
        far = np.abs(values - np.rint(values))
        k = int(far.argmax())
        if far[k] <= INTEGRALITY:
            return None
        j, value = int(self.integers[k]), float(values[k])
        cut = cuts.get(j) or Cut(float(self.low[j]), float(self.up[j]), False, False)
        down = Cut(cut.lower, float(math.floor(value)), cut.lower_made, True)
        up_cut = Cut(float(math.ceil(value)), cut.upper, True, cut.upper_made)
        return (j, down, up_cut) if value - math.floor(value) <= 0.5 else (j, up_cut, down)

    def step(self, costs: Floats) -> float:
        """What two different objective values differ by at least; 0 where that is not known."""
        priced = np.flatnonzero(costs)
        amounts = np.abs(costs[priced])
        if not np.isin(priced, self.integers).all() or (amounts != np.rint(amounts)).any():
            return 0.0
        return float(np.gcd.reduce(amounts.astype(np.int64))) if amounts.max(initial=0) < 1e9 else 0

    def rounded(self, x: Floats) -> Floats:
        """The point with whole numbers where the types want them (in place)."""
        x[self.integers] = np.rint(x[self.integers])
        return x


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
    sign = -1.0 if lp.model.maximize else 1.0
    best, x_best = INF, None
    # A better point is better by a whole step; a thousandth of it allows for round-off.
    step = 0.999 * discrete.step(lp.cost)
    now: Mapping[int, Cut] = {}
    stack: list[tuple[float, dict[int, Cut]]] = [(-INF, {})]
    code = INFEASIBLE
    try:
        while stack:
            bound, cuts = stack.pop()
            if bound >= best - max(step, OPTIMALITY * max(1.0, abs(best))):
                continue
            if nodes <= 0 or (left := deadline - perf_counter()) <= 0:
                return Found(0 if nodes <= 0 else TIME_LIMIT, x_best, sign * best)
            nodes -= 1
            now = _move(lp, discrete, now, cuts)
            crossed = any(cut.lower > cut.upper for cut in cuts.values())
            code = INFEASIBLE if crossed else lp.run(left)
            if code == INFEASIBLE:
                if leaf is not None and not leaf(cuts):
                    return Found(0)
                continue
            if code != OPTIMAL:
                return Found(code, x_best, sign * best)
            value = sign * lp.h.getObjectiveValue()
            if value >= best - max(step, OPTIMALITY * max(1.0, abs(best))):
                continue
            x = lp.x()
            split = discrete.children(x, cuts)
            if split is None:
                best, x_best = value, discrete.rounded(x)
                if first:
                    break
                continue
            j, near, far = split
            stack.append((value, {**cuts, j: far}))
            stack.append((value, {**cuts, j: near}))
    finally:
        _move(lp, discrete, now, {})
    return Found(INFEASIBLE) if x_best is None else Found(OPTIMAL, x_best, sign * best)


def _move(
    lp: Lp, discrete: Discrete, now: Mapping[int, Cut], then: Mapping[int, Cut]
) -> Mapping[int, Cut]:
    change = lp.h.changeColBounds
    for j in now:
        if j not in then:
            change(j, float(discrete.low[j]), float(discrete.up[j]))
    for j, cut in then.items():
        if now.get(j) != cut:
            change(j, cut.lower, cut.upper)
    return then
