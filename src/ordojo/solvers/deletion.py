"""The deletion filter: leave out one member after another and see whether the rest is feasible.

The idea (Chinneck and Dravnieks 1991): what can be left out while the rest stays infeasible is not
needed; what cannot, belongs to every infeasible subset of what is left. After one pass the set is
irreducible. Three things make it quick: members are tried in runs that shrink, as most are spare;
each infeasible answer returns the members that its proof used (the union of the Farkas supports of
a search tree's leaves), so that whatever else was there goes at once; and each point found that
breaks one member alone is walked on, a whole number at a time, to points that break another alone
(model rotation: Belov and Marques-Silva 2011), which need no solve.
"""

import dataclasses
import math
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from time import perf_counter
from typing import Any, Protocol

import numpy as np
from scipy.sparse import csr_array, eye_array, vstack

from ordojo.milp.model import INF, Floats, Ints, Model, VarType
from ordojo.milp.tolerances import PRIMAL, WHOLE
from ordojo.solvers import farkas
from ordojo.solvers.answers import Iis, Side, SolveResult, Status
from ordojo.solvers.highs_model import INFEASIBLE, OPTIMAL, is_broken, solve_exactly
from ordojo.solvers.simplex import NODES, Cut, Discrete, Lp, branch
from ordojo.solvers.tightening import tight

SMALL = 64
"""Models of up to so many columns are branched by us, warm; larger ones by HiGHS at once.

Whole episodes of or-debug are 3.4 times as fast with our branch and bound as with HiGHS alone
(greedy-iis, in pairs; 1.7 times with the gold policy), since a solve here is some warm simplex
steps and HiGHS's takes milliseconds to begin. Beyond this size trees grow past `NODES` and the work
is done twice.
"""
WALKED, OVER = 100, 20
"""Columns of a broken row that are moved in search of another point, and how many members known to
be needed have their points moved, too. More find more members without a solve, and take longer: a
row that all others meet, as a budget, would have every way lead over it."""
_MIP_NODES = 5000
"""Nodes of HiGHS's search for a small subsystem: one that needs more is left open, and its member
kept without proof, rather than one hard question taking the time of all."""


class Decidable(Protocol):
    """What the filter shrinks: members, and whether some of them have a common point."""

    members: list[int]

    def feasible(self, members: set[int] | None, seconds: float) -> tuple[bool | None, set[int]]:
        """As `Subsystems.feasible`."""

    def shown(self, kept: set[int], known: set[int]) -> set[int]:
        """As `Subsystems.shown`."""
        return set()


class Subsystems(Decidable):
    """Subsystems of one model, by members (see `farkas`), solved for feasibility only, warm.

    With `integral` the columns keep their types; without, all are continuous.
    """

    def __init__(self, model: Model, integral: bool) -> None:
        self.model, self.m = model, model.m
        bounds = model.effective_bounds if integral else model.hull
        self.full = (model.row_lower, model.row_upper, *bounds)
        self.sides = [side.copy() for side in self.full]
        types = model.types if integral else np.zeros_like(model.types)
        self.types = np.where(types == VarType.BINARY, VarType.INTEGER, types).astype(np.uint8)
        self.integral = bool(self.types.any())
        sides = farkas.sides_of(model, bounds)
        self.members = np.flatnonzero(sides != np.tile([-INF, INF], model.m + model.n)).tolist()
        self._now = set(self.members)
        self._point: Floats | None = None
        self._matrix = farkas.Matrix.of(model)
        self._lp = Lp()
        self._discrete = Discrete(self.types, self.sides[2], self.sides[3])
        self._lp.load(model, self._discrete.low, self._discrete.up, np.zeros(model.n))

    def feasible(self, members: set[int] | None, seconds: float) -> tuple[bool | None, set[int]]:
        """Whether these members have a common point (None: not settled in time).

        Where they have none: a subset that has none either. None stands for all members.
        """
        members = set(self.members) if members is None else members
        self._point = None
        self._move(members)
        deadline = perf_counter() + seconds
        crossed = self._crossed()
        if crossed:
            return False, crossed
        discrete = self._discrete
        core: set[int] | None = set()

        def leaf(cuts: Mapping[int, Cut]) -> bool:
            nonlocal core
            if core is not None and len(core) < len(members):  # all of them are no more than all
                found = self._core(discrete, cuts)
                core = None if found is None else core | found
            return True

        nodes = NODES if self.integral and self.model.n <= SMALL else 1
        found = branch(self._lp, discrete, seconds, nodes, leaf, first=True)
        broken = found.x is not None and is_broken(self.model, found.x, *self.sides[:2])
        if self.integral and (found.code == 0 or (found.code == OPTIMAL and broken)):
            whole = self._whole(deadline - perf_counter())
            self._point = whole.x
            return {Status.OPTIMAL: True, Status.INFEASIBLE: False}.get(whole.status), members
        self._point = found.x
        if found.code == INFEASIBLE:
            return False, members if core is None else core & members
        return True if found.code == OPTIMAL else None, members

    @cached_property
    def places(self) -> tuple[Any, Any]:
        """What rows and columns (m + n) have of each column, by column and by row."""
        model = self.model
        rows = csr_array((model.value, model.index, model.starts), shape=(model.m, model.n))
        both = vstack([rows, eye_array(model.n)], format="csr")
        return both.tocsc(), both

    def _move(self, members: set[int]) -> None:
        rows: set[int] = set()
        cols: set[int] = set()
        for member in self._now ^ members:
            place, side = member >> 1, member & 1
            kept = member in members
            at, k = (place, side) if place < self.m else (place - self.m, 2 + side)
            self.sides[k][at] = self.full[k][at] if kept else (INF if side else -INF)
            (rows if place < self.m else cols).add(at)
        self._now = set(members)
        h = self._lp.h
        for i in sorted(rows):
            h.changeRowBounds(i, float(self.sides[0][i]), float(self.sides[1][i]))
        if cols:
            discrete = self._discrete = Discrete(self.types, self.sides[2], self.sides[3])
            for j in sorted(cols):
                h.changeColBounds(j, float(discrete.low[j]), float(discrete.up[j]))

    def _crossed(self) -> set[int]:
        """Two sides of one row or column that cross, if any do."""
        for shift, lower, upper in (
            (0, self.sides[0], self.sides[1]),
            (self.m, self._discrete.low, self._discrete.up),
        ):
            places = np.flatnonzero(lower > upper)
            if len(places):
                place = shift + int(places[0])
                return {2 * place, 2 * place + 1}
        return set()

    def _core(self, discrete: Discrete, cuts: Mapping[int, Cut]) -> set[int] | None:
        """The members that close one node; branching's own bounds left out."""
        low, up = discrete.low, discrete.up
        made: set[int] = set()
        if cuts:
            low, up = low.copy(), up.copy()
        for j, cut in cuts.items():
            low[j], up[j] = cut.lower, cut.upper
            ours = {2 * (self.m + j) + k for k, by_us in enumerate(cut[2:]) if by_us}
            if cut.lower > cut.upper:
                return {2 * (self.m + j), 2 * (self.m + j) + 1} - ours
            made |= ours
        ray = self._lp.ray()
        if ray is None:
            return None
        sides = (self.sides[0].tolist(), self.sides[1].tolist(), low.tolist(), up.tolist())
        found = farkas.Combination.of(ray[0], self._matrix).members(*sides)
        return None if found is None else set(found) - made

    def _whole(self, seconds: float) -> SolveResult:
        """HiGHS's own branch and bound on the subsystem."""
        model = dataclasses.replace(
            self.model,
            objective=np.zeros(self.model.n),
            row_lower=self.sides[0],
            row_upper=self.sides[1],
            col_lower=self.sides[2],
            col_upper=self.sides[3],
            types=self.types,
        )
        nodes = _MIP_NODES if self.model.n <= SMALL else None
        return solve_exactly(model, seconds, nodes)

    def shown(self, kept: set[int], known: set[int]) -> set[int]:
        """Which of these, that have no common point, the last point found shows to be needed.

        It breaks that one alone, or points do that are reached from it by moving one whole number
        after another, each to where what was broken holds; a few lead over those `known` already.
        """
        found = set[int]()
        if self._point is None or not self.integral:
            return found
        walk = _Walk(self, kept)
        points, over = walk.start(self._point), OVER
        while points:
            member, x, at = points.pop()
            if member not in found:
                found.add(member)
                over -= member in known
                points += walk.on(member, x, at, found) if over >= 0 else []
        return found


_Step = tuple[int, Floats, Floats]
"""The one member that is broken, the point (n), and where its rows and columns are (m + n)."""


class _Walk:
    """From a point that breaks one kept member alone to others, by moves of whole numbers."""

    def __init__(self, systems: Subsystems, kept: set[int]) -> None:
        self.matrix, self.rows = systems.places
        self.whole = systems.types == VarType.INTEGER
        sides = np.full(2 * self.matrix.shape[0], np.nan)  # what is not kept is never broken
        members = list(kept)
        sides[members] = farkas.by_member(systems.full[:2], systems.full[2:])[members]
        self.lower, self.upper = sides[::2], sides[1::2]

    def start(self, x: Floats) -> list[_Step]:
        """The point itself, where it breaks one member alone."""
        at = self.matrix @ x
        member = self._broken(np.arange(len(at), dtype=np.int32), at, abs(self.matrix) @ np.abs(x))
        return [] if member is None else [(member, x, at)]

    def on(self, member: int, x: Floats, at: Floats, known: set[int]) -> Iterator[_Step]:
        """The points one move away that break one other member alone."""
        place, upper = member >> 1, member & 1
        off = float((self.upper if upper else self.lower)[place] - at[place])
        begin, end = self.rows.indptr[place : place + 2]
        terms = zip(self.rows.indices[begin:end], self.rows.data[begin:end], strict=True)
        for j, a in [(j, a) for j, a in terms if a and self.whole[j]][:WALKED]:
            by = math.copysign(math.ceil(abs(off / a) - WHOLE), off / a)
            begin, end = self.matrix.indptr[j : j + 2]
            places = self.matrix.indices[begin:end]
            moved = at[places] + by * self.matrix.data[begin:end]
            other = self._broken(places, moved, np.abs(moved))
            if other is not None and other not in known:
                point, there = x.copy(), at.copy()
                point[j] += by
                there[places] = moved
                yield other, point, there

    def _broken(self, places: Ints, at: Floats, size: Floats) -> int | None:
        """The one side of these places that does not hold; None where none or several do not."""
        slack = PRIMAL * np.maximum(1.0, size)
        low = places[self.lower[places] - at > slack]
        up = places[at - self.upper[places] > slack]
        if len(low) + len(up) != 1:
            return None
        return int(2 * low[0]) if len(low) else int(2 * up[0] + 1)


def crossed(model: Model) -> list[Iis]:
    """The rows and bounds whose two sides cross, each a conflict by itself."""
    low, up = model.effective_bounds
    rows = np.flatnonzero(model.row_lower > model.row_upper).tolist()
    bounds = np.flatnonzero((low > up) & ~model.semi).tolist()
    return [
        *(Iis(((i, Side.BOTH),), (), method="crossed sides") for i in rows),
        *(Iis((), ((j, Side.BOTH),), method="crossed sides") for j in bounds),
    ]


def obvious(model: Model) -> Iis | None:
    """A conflict of one row that needs no solve, or None."""
    return indivisible(model) or out_of_reach(model)


def out_of_reach(model: Model, rows_bound: bool = False) -> Iis | None:
    """The shortest row whose side lies beyond what its columns' bounds let it add up to.

    With `rows_bound` rows of one column are bounds, too. Without any one of the bounds named the
    row could go as far as it must.
    """
    value, index = model.value, model.index
    bounds, by = _rows_as_bounds(model) if rows_bound else (model.effective_bounds, {})
    low, up = (side[index] for side in bounds)
    firm = (model.types < VarType.SEMICONTINUOUS)[index] & (low <= up)
    found: list[tuple[int, int, int]] = []
    for side, free in ((0, INF), (1, -INF)):
        far = np.where((value > 0) == (side == 0), up, low)
        parts = np.where(firm, value * np.where(value == 0, 0.0, far), free)
        reach = np.bincount(model.entry_rows, parts, model.m)
        # A solver may miss a bound by its tolerance, times the coefficient; one that refuses, none.
        size = 1.0 + np.bincount(model.entry_rows, np.abs(parts if rows_bound else value), model.m)
        off = reach - model.row_upper if side else model.row_lower - reach
        wrong = np.flatnonzero(np.isfinite(reach) & (off > PRIMAL * size))
        found += [(int(model.starts[i + 1] - model.starts[i]), i, side) for i in wrong.tolist()]
    if not found:
        return None
    _, i, side = min(found)
    columns, values = model.row(i)
    members = [2 * i + side]
    members += sorted(
        by.get(bound := 2 * (model.m + j) + (a > 0) * (1 - side) + (a < 0) * side, bound)
        for j, a in zip(columns.tolist(), values.tolist(), strict=True)
        if a
    )
    return farkas.as_iis(members, model.m, method="bounds of one row")


def _rows_as_bounds(model: Model) -> tuple[tuple[Floats, Floats], dict[int, int]]:
    """The bounds that own bounds and rows of one column give, and which row's side gives one."""
    bounds = tuple(side.copy() for side in model.effective_bounds)
    by: dict[int, int] = {}
    for i in np.flatnonzero(np.diff(model.starts) == 1).tolist():
        (j,), (a,) = (part.tolist() for part in model.row(i))
        for row_side, limit in enumerate((model.row_lower[i], model.row_upper[i])):
            if a and np.isfinite(limit):
                side, now = row_side ^ (a < 0), float(limit) / a
                if now < bounds[1][j] if side else now > bounds[0][j]:
                    bounds[side][j], by[2 * (model.m + j) + side] = now, 2 * i + row_side
    return (bounds[0], bounds[1]), by


def indivisible(model: Model) -> Iis | None:
    """The first row of integer columns whose coefficients' common divisor has no multiple inside.

    No bound takes part, and a search tree would have no end where the columns have none.
    """
    drawn = tight(model)
    empty = (drawn.row_lower > drawn.row_upper) & (model.row_lower <= model.row_upper)
    for i in np.flatnonzero(empty).tolist():
        return Iis(((i, Side.BOTH),), (), True, True, "common divisor")
    return None


def shrink(
    systems: Decidable,
    seconds: float,
    start: Iterable[int] | None = None,
    firm: frozenset[int] = frozenset(),
) -> tuple[list[int], bool] | None:
    """An irreducible infeasible subset of the start (all members), and whether that is proven.

    Rows are tried before bounds, in runs that get shorter; those of `firm` are kept untried. None
    where the start is feasible or not settled in time.
    """
    deadline = perf_counter() + seconds
    kept = set(systems.members if start is None else start)
    answer, core = systems.feasible(kept, seconds)
    if answer is not False:
        return None
    kept = core | firm
    needed = set(firm)
    unproved = set[int]()
    run = max(1, len(kept) // 4)
    while True:
        progress = sorted(kept - needed)
        while progress:
            if perf_counter() > deadline:
                return sorted(kept), False
            out, progress = set(progress[:run]), progress[run:]
            answer, core = systems.feasible(kept - out, deadline - perf_counter())
            if answer is False:
                kept = core | firm
                progress = [member for member in progress if member in core]
                continue
            if len(out) == 1:  # of several, one would be left out of its run, and the way another
                proved = out | (systems.shown(kept, needed) if answer else set())
                needed |= proved
                unproved = unproved | out if answer is None else unproved - proved
                progress = [member for member in progress if member not in proved]
        if run == 1:
            return sorted(kept), not unproved & kept
        run = max(1, run // 4)
