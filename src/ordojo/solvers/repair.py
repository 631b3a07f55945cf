"""A menu of the smallest repairs of an infeasible model, each verified by solving it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from time import perf_counter

import numpy as np

from ordojo.core.errors import SolverError, UsageError
from ordojo.milp.model import INF, Floats, Model
from ordojo.solvers.answers import Iis, Repair, Shift, Side, Status
from ordojo.solvers.deletion import SMALL
from ordojo.solvers.elastic import ElasticWeights, Solver, Stretch, stretch
from ordojo.solvers.farkas import as_members
from ordojo.solvers.highs import HighsOracle
from ordojo.solvers.highs_model import solve_exactly
from ordojo.solvers.protocol import TIME_LIMIT, Oracle

MOVED = 1e-7
"""A side that moves by less than this, relative to its value, has not moved."""

Progress = Callable[[str], None]


def minimal_repairs(
    model: Model,
    oracle: Oracle | None = None,
    weights: Mapping[str, float] | None = None,
    limit: int = 5,
    time_limit: float = TIME_LIMIT,
    allow_bounds: bool = True,
    progress: Progress | None = None,
    rank: str = "size",
    solver: Solver | None = None,
) -> list[Repair]:
    """At most `limit` different repairs, best first; none where it is proved that none helps.

    The best has the lowest cost, or with `rank` "count" the fewest moves.

    Candidates: the least weighted distance; for each member of an IIS the least move of that side
    alone; the least distance without each side of the first; as few sides as a greedy search needs.
    `weights` maps a row's name, "x.lb" or "x.ub" to the cost of a unit (1; inf: it stands firm).
    `oracle` finds the IIS. `time_limit` seconds are for everything; what is found by then is
    returned. Raises UsageError for a weight of no element or below zero, SolverError where nothing
    was settled by then, or no side has to move by more than rounding.
    """
    menu = _Menu(model, weights or {}, allow_bounds, perf_counter() + time_limit, progress, solver)
    for repair in menu.candidates(oracle or HighsOracle()):
        menu.add(repair)
        if len(menu.found) >= 4 * limit or menu.left() <= 0:
            break
    # A repair that moves more sides than another one, and these besides, is no choice.
    found = list(menu.found.values())
    sides = [{(s.target, s.side) for s in repair.shifts} for repair in found]
    kept = [
        repair
        for k, repair in enumerate(found)
        if not any(
            other < sides[k] and found[o].cost <= repair.cost for o, other in enumerate(sides)
        )
    ]
    # Rounding of the moves to nine digits is no distance.
    kept = [replace(repair, least=repair.cost <= menu.least * (1 + 1e-6)) for repair in kept]
    kept.sort(key=lambda r: (r.cost, len(r.shifts), [s.target for s in r.shifts]))
    if rank == "count":
        kept.sort(key=lambda r: len(r.shifts))
    return kept[:limit]


class _Menu:
    def __init__(
        self,
        model: Model,
        weights: Mapping[str, float],
        allow_bounds: bool,
        deadline: float,
        progress: Progress | None,
        solver: Solver | None,
    ) -> None:
        self.model, self.deadline, self.solver = model, deadline, solver
        self.say = progress or (lambda _: None)
        self.weights = _weights(model, weights, allow_bounds)
        self.least = 0.0
        self.found: dict[tuple[tuple[str, Side, float], ...], Repair] = {}

    def left(self) -> float:
        return self.deadline - perf_counter()

    def add(self, repair: Repair) -> None:
        if repair.shifts:
            key = tuple((s.target, s.side, float(f"{s.new:.6g}")) for s in repair.shifts)
            self.found.setdefault(key, repair)

    def candidates(self, oracle: Oracle) -> Iterator[Repair]:
        """Repairs in the order in which they are worth their time."""
        self.say(f"elastic program of {self.model.m} rows and {self.model.n} columns")
        # Half of the time at most: what is found has to be verified, and has rivals.
        found = stretch(self.model, self.weights, self.left() / 2, self.solver)
        if found is None:
            return
        first = self.repair(found, "elastic")
        self.least = first.cost if found.proven else 0.0
        if not first.shifts:
            raise SolverError(
                f"no side has to move by more than {MOVED:g} of its value, which is within the "
                "solver's tolerance; scale the model"
            )
        yield first
        yield from self.singles(oracle)
        for shift in first.shifts[:8]:
            self.say(f"without moving {shift.target}")
            other = self.solve(self.firm(shift), "elastic")
            if other is not None:
                yield other
        if len(first.shifts) > 1:
            self.say("fewest sides")
            fewest = self.fewest(first)
            if fewest is not None:
                yield fewest

    def singles(self, oracle: Oracle) -> Iterator[Repair]:
        """For each member of an IIS, the least move of it alone."""
        self.say("infeasible subsystem")
        try:
            iis: Iis = oracle.iis(self.model, max(self.left(), 0.01))
        except SolverError:
            return  # not settled in time, or beyond this oracle; the elastic repairs stand
        m = self.model.m
        for member in as_members(iis, m)[:20]:
            place, side = member >> 1, member & 1
            only = ElasticWeights(np.full((2, m), INF), np.full((2, self.model.n), INF))
            if place < m:
                only.rows[side, place] = self.weights.rows[side, place]
            else:
                only.cols[side, place - m] = self.weights.cols[side, place - m]
            if self.left() <= 0:
                return
            repair = self.solve(only, "single")
            if repair is not None:
                yield repair

    def firm(self, shift: Shift) -> ElasticWeights:
        """The weights with this side standing firm."""
        found = ElasticWeights(self.weights.rows.copy(), self.weights.cols.copy())
        target, place = _place(self.model, found, shift.target)
        target[int(shift.side == Side.UPPER), place] = INF
        return found

    def fewest(self, first: Repair) -> Repair | None:
        """Sides of the first repair left out, smallest first, while the rest still suffices."""
        best: Repair | None = None
        needed = sorted(first.shifts, key=lambda s: abs(s.new - s.old))[:20]
        for shift in list(needed):
            rest = [other for other in needed if other is not shift]
            only = ElasticWeights(np.full((2, self.model.m), INF), np.full((2, self.model.n), INF))
            for kept in rest:
                target, place = _place(self.model, only, kept.target)
                weight, _ = _place(self.model, self.weights, kept.target)
                side = int(kept.side == Side.UPPER)
                target[side, place] = weight[side, place]
            found = self.solve(only, "fewest") if rest and self.left() > 0 else None
            if found is not None:
                best, needed = found, rest
        return best

    def solve(self, weights: ElasticWeights, kind: str) -> Repair | None:
        """The elastic repair under these weights, verified; None where none was found."""
        try:
            found = stretch(self.model, weights, self.left(), self.solver)
        except SolverError:
            return None
        return None if found is None else self.repair(found, kind)

    def repair(self, found: Stretch, kind: str) -> Repair:
        """What moved, in round numbers where those do; the repaired model solved again."""
        shifts, cost = _shifts(self.model, found, self.weights, 9)
        verified, objective = _verify(self.model, shifts, self.left(), self.solver)
        if not verified:
            room = 1e-9 if self.solver is None else 1e-6  # SCIP's own tolerance
            exact, exact_cost = _shifts(self.model, found, self.weights, None, room)
            again, objective_again = _verify(self.model, exact, self.left(), self.solver)
            if again:
                shifts, cost, verified, objective = exact, exact_cost, True, objective_again
        return Repair(tuple(shifts), cost, objective, verified, kind=kind)


def _weights(model: Model, weights: Mapping[str, float], allow_bounds: bool) -> ElasticWeights:
    found = ElasticWeights(
        np.ones((2, model.m)), np.full((2, model.n), 1.0 if allow_bounds else INF)
    )
    for name, weight in weights.items():
        if not weight >= 0:
            raise UsageError(f"the weight of '{name}' is {weight}; give it zero or more")
        target, place = _place(model, found, name)
        if place < 0:
            raise UsageError(f"'{name}' names no row or bound; give weights to row, x.lb or x.ub")
        if name in model.rows:
            target[:, place] = weight
        else:
            target[int(name.endswith(".ub")), place] = weight
    return found


def _place(model: Model, weights: ElasticWeights, name: str) -> tuple[Floats, int]:
    if name in model.rows:
        return weights.rows, model.rows[name]
    column = name[:-3] if name.endswith((".lb", ".ub")) else ""
    return weights.cols, model.cols.get(column, -1)


def _shifts(
    model: Model, found: Stretch, weights: ElasticWeights, digits: int | None, room: float = 0.0
) -> tuple[list[Shift], float]:
    shifts, cost = [], 0.0
    low, up = model.effective_bounds
    for moved, old_sides, names, weight in (
        (found.rows, (model.row_lower, model.row_upper), model.row_names, weights.rows),
        (found.cols, (low, up), model.col_names, weights.cols),
    ):
        for side in (0, 1):
            scale = np.maximum(1.0, np.abs(old_sides[side]))
            for k in np.flatnonzero(moved[side] > MOVED * scale).tolist():
                old, by = float(old_sides[side][k]), float(moved[side, k])
                new = old + by if side else old - by
                if digits is not None:
                    # What is left of two sides that cancel is 0.
                    new = 0.0 if abs(new) <= MOVED * by else float(f"{new:.{digits}g}")
                else:
                    new += (room if side else -room) * max(1.0, abs(new))
                rows = names is model.row_names
                target = names[k] if rows else f"{names[k]}.{'ub' if side else 'lb'}"
                shifts.append(Shift(target, Side.UPPER if side else Side.LOWER, old, new))
                cost += float(weight[side, k]) * abs(new - old)
    return shifts, cost


def _verify(
    model: Model, shifts: list[Shift], seconds: float, solver: Solver | None
) -> tuple[bool, float | None]:
    """Whether the repaired model has a solution, and its optimum where that was found."""
    repaired = apply_shifts(model, shifts)
    seconds = max(seconds, 0.1)
    solve = solver or (HighsOracle().solve if model.n <= SMALL else solve_exactly)
    solution = solve(repaired, seconds)
    best = solution.objective if solution.status == Status.OPTIMAL else None
    return solution.x is not None or solution.status == Status.UNBOUNDED, best


def apply_shifts(model: Model, shifts: list[Shift]) -> Model:
    """The model with these sides moved."""
    for shift in shifts:
        upper = shift.side == Side.UPPER
        if shift.target in model.rows:
            i = model.rows[shift.target]
            low, up = float(model.row_lower[i]), float(model.row_upper[i])
            model = model.with_row_bounds(i, *((low, shift.new) if upper else (shift.new, up)))
        else:
            j = model.cols[shift.target[:-3]]
            low, up = float(model.col_lower[j]), float(model.col_upper[j])
            model = model.with_col_bounds(j, *((low, shift.new) if upper else (shift.new, up)))
    return model
