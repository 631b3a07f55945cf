"""A menu of repairs of an infeasible model, each verified by solving it."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ordojo.core.errors import SolverError, UsageError
from ordojo.milp.model import INF, Floats, Model, VarType
from ordojo.milp.tolerances import APART, FEASIBILITY, OBJECTIVE, PRIMAL, SAME
from ordojo.solvers.answers import Iis, Repair, Shift, Side, SolveResult, Status
from ordojo.solvers.deletion import crossed
from ordojo.solvers.elastic import Solver, Stretch, solver_for, stretch
from ordojo.solvers.families import families, parted
from ordojo.solvers.farkas import as_members, sides_of, with_members
from ordojo.solvers.highs import HighsOracle
from ordojo.solvers.highs_model import INFEASIBLE, solve_exactly
from ordojo.solvers.problem import Problem
from ordojo.solvers.protocol import TIME_LIMIT
from ordojo.solvers.reformulation import Growing
from ordojo.solvers.residuals import worst
from ordojo.solvers.search import Search
from ordojo.solvers.simplex import Lp
from ordojo.solvers.tightening import DIGITS, steps, tight

MOVED = FEASIBILITY
"""A side that moves by less than this, relative to its value, has not moved."""
ROUNDED = APART
"""How far, relative, rounding may have taken a side from what whole numbers add up to: ten times
the solvers' tolerance, as rows add up what each column is off."""
_TRIED = 400
"""Sides of a conflict that are tried alone: a warm solve each; more would cost seconds."""
_SHOWN = 5
"""Single sides, or groups of sides alike, that are offered."""
_FEWER = 20
"""Sides that are left out one after another in search of fewer: an elastic solve each."""
LARGE, OPTIMUM = 20_000, 2.0
"""Rows above which a repaired model's optimum is sought for so many seconds only: a point of it
says that the repair suffices."""
_FEW = 4
"""Conflicts have few rows where the model has so many times as many: with more they would be about
as hard as all of it."""
_ROUNDS = 3
"""Elastic solves that make large moves cheap and small ones dear, so that few sides are left."""

Progress = Callable[[str], None]


class Menu(NamedTuple):
    """Repairs, the best first, and whether one side alone suffices (None: not settled in time).

    `capped`: there are none, and without the caps there are.
    """

    repairs: list[Repair]
    alone: bool | None
    capped: bool = False


class Verified(NamedTuple):
    """Whether a repaired model has a solution; its optimum where that was found."""

    holds: bool
    objective: float | None = None
    unbounded: bool = False


def minimal_repairs(
    model: Model,
    weights: Mapping[str, float] | None = None,
    limit: int = 5,
    time_limit: float = TIME_LIMIT,
) -> list[Repair]:
    """The repairs of `menu` for the conflict that HiGHS finds; arguments and errors as there."""
    clock = Search(time_limit)
    conflicts: list[Iis] | None = None if limit == 1 else []
    if conflicts is not None:
        with suppress(SolverError):  # not settled in time; the elastic repairs stand
            conflicts.append(HighsOracle().iis(model, time_limit / 3))
    return menu(model, conflicts, weights, None, limit, clock.left).repairs


def menu(
    model: Model,
    conflicts: list[Iis] | None,
    weights: Mapping[str, float] | None = None,
    caps: Mapping[str, float] | None = None,
    limit: int = 5,
    time_limit: float = TIME_LIMIT,
    progress: Progress | None = None,
    rank: str = "size",
    solver: Solver | None = None,
) -> Menu:
    """At most `limit` repairs, unlike each other; none where it is proved that none helps.

    The least weighted distance in all; each side that suffices alone; families of rows by one
    common amount; the fewest sides that were found; the least without the sides of the first. The
    first one costs least, or with `rank` "count" has the fewest moves.

    `weights` maps a row's name, "x.lb" or "x.ub" to the cost of a unit (1; inf: it stands firm),
    `caps` to the most it may move. `conflicts` share no row; every repair moves a side of each;
    without them the least alone is sought.
    `time_limit` seconds are for everything; what is found by then is returned. Raises UsageError
    for a name of no element or a weight below zero, SolverError where nothing was settled by then,
    or no side has to move by more than rounding.
    """
    price, most = _prices(model, weights or {}, caps or {})
    search = _Search(model, price, most, Search(time_limit), progress, solver)
    first = search.least(conflicts or [])
    if first is None:
        return Menu([], None, bool(caps) and search.is_capped())
    if conflicts is None or (limit == 1 and rank == "size" and len(first.shifts) == 1):
        return Menu([first], None)
    singles, alone = search.singles(conflicts, first)
    bound = first.bound
    if len(first.shifts) == 1:
        alone = True
        told = first.shifts[0].target  # among those that are alike it is told once
        first = next((one for one in singles if told in one.alike), first)
    common = search.common(conflicts, singles) if len(first.shifts) > 1 or singles else []
    few = [] if alone else search.fewest(first)
    apart = len(_unlike([*conflicts, *crossed(model)], search))
    proved = 1 if alone else max(apart, 2 if alone is False else 1)
    found = [first, *few, *singles[:1], *common, *singles[1:]]
    if singles and singles[0].cost <= first.cost * (1 + SAME):
        found.insert(0, singles[0])  # as little, and told sooner
    if rank == "count":
        found = [*singles[:1], *few, first, *common, *singles[1:]]
    chosen = _chosen(found, limit)
    if len(chosen) < limit and len(first.shifts) <= _FEWER:  # of more nobody compares two lists
        chosen = _chosen([*chosen, *search.others(first)], limit)
    chosen = [
        replace(one, bound=bound, fewest=len(one.shifts) <= proved and not one.family)
        for one in chosen
    ]
    chosen.sort(key=lambda r: (r.cost, len(r.shifts), [s.target for s in r.shifts]))
    if rank == "count":
        chosen.sort(key=lambda r: len(r.shifts))
    return Menu(chosen, alone)


def _chosen(found: list[Repair], limit: int) -> list[Repair]:
    """The first ones, without those that are nearly an earlier one, or it and more."""
    chosen: list[Repair] = []
    for repair in found:
        sides = {(s.target, s.side) for s in repair.shifts}
        for other in chosen:
            same = {(s.target, s.side) for s in other.shifts}
            if len(sides) == 1 and repair.shifts[0].target in other.alike:
                break
            if set(repair.shifts) == set(other.shifts):
                break
            if not repair.family and same <= sides and other.cost <= repair.cost * (1 + SAME):
                break
            if repair.kind not in ("few", "family") and 2 * len(same & sides) > len(same | sides):
                break
        else:
            chosen.append(repair)
    return chosen[:limit]


def _unlike(conflicts: list[Iis], search: "_Search") -> list[Iis]:
    """Those that have no side in common that may move, so that each needs a move of its own."""
    taken: set[int] = set()
    found = []
    for iis in conflicts:
        sides = {k for k in as_members(iis, search.model.m) if search.weight[k] < INF}
        if not sides & taken:
            found.append(iis)
            taken |= sides
    return found


class _Search:
    def __init__(
        self,
        model: Model,
        price: Floats,
        caps: Floats,
        clock: Search,
        progress: Progress | None,
        solver: Solver | None,
    ) -> None:
        self.model, self.clock, self.solver = model, clock, solver
        self.say = progress or (lambda _: None)
        self.price, self.caps = price, caps
        self.weight: list[float] = price.tolist()
        self.cap: list[float] = caps.tolist()
        self.verified: dict[tuple[Shift, ...], Verified] = {}
        self.steps = steps(model)
        self.old: list[float] = sides_of(model, model.effective_bounds).tolist()

    def late(self) -> bool:
        return not self.clock.left

    def least(self, conflicts: list[Iis]) -> Repair | None:
        """The least weighted distance in all.

        Of whole numbers the least for the rows of these conflicts, where they are few, comes first:
        all rows together need no less, and often no more.
        """
        model, rows = self.model, _rows(conflicts)
        self.say(f"elastic program of {model.size}")
        if model.is_mip and 0 < _FEW * len(rows) <= model.m:
            with suppress(SolverError):
                found = self.stretch(_core(model, rows), 0.1)
                if found is None:
                    return None
                if found.bound > 0 and self.verify(self.shifts(found, 9)[0], found.x).holds:
                    first = replace(self.repair(found, "least"), bound=found.bound)
                    if first.least:
                        return first
        # Half of the time at most: what is found has to be verified, and has rivals.
        found = self.stretch(model, 0.5)
        if found is None:
            return None
        first = self.repair(found, "least")
        if not first.shifts:
            raise SolverError(
                f"no side has to move by more than {MOVED:g} of its value, which is within the "
                "solver's tolerance; scale the model"
            )
        return replace(first, bound=found.bound)

    def stretch(self, model: Model, share: float) -> Stretch | None:
        return stretch(model, self.price, self.clock.share(share), self.solver, self.caps)

    def is_capped(self) -> bool:
        """Whether without caps a repair exists; SolverError where that was not settled."""
        try:
            return stretch(self.model, self.price, self.clock.share(), self.solver) is not None
        except SolverError as error:
            raise SolverError(
                "there is none within the caps, and whether there is one without them was not "
                "settled"
            ) from error

    def singles(self, conflicts: list[Iis], first: Repair) -> tuple[list[Repair], bool | None]:
        """Sides that suffice alone, the cheapest first, those alike as one; and whether any does.

        Such a side is in every conflict, so that those of the smallest are all there are to try.
        How far one has to move is known where the `first` repair, the least, moves it alone; one
        that would cost more than `_SHOWN` others do, or as much as these where they cost the least
        of all, is not settled.
        """
        if not conflicts:
            return [], None
        m = self.model.m
        self.say("single sides")
        smallest = min(conflicts, key=lambda iis: iis.size)
        firm = (self.model.types == VarType.BINARY) | self.model.semi
        members = [
            member
            for member in as_members(smallest, m)
            if self.weight[member] < INF and not ((place := member >> 1) >= m and firm[place - m])
        ]
        alone: bool | None = False if len(members) <= _TRIED else None
        by: dict[int, float] = {}
        price: dict[int, float] = {}
        groups = defaultdict[tuple[str, int, str], list[int]](list)
        relaxed = _Alone(self.model)
        tried = [
            one
            for one in members[:_TRIED]
            if self.moves_alone(first, one) is not None
            or not relaxed.is_refuted(one, self.clock.share())
        ]
        refuted = self.refuted([one for one in tried if self.moves_alone(first, one) is None])
        for k, member in enumerate(tried):
            share = 0.5 / min(len(tried) - k, 5)
            if member in refuted:
                continue
            dearest = sorted(min(map(price.__getitem__, group)) for group in groups.values())
            most = dearest[_SHOWN - 1] if len(dearest) >= _SHOWN else INF
            far = min(self.cap[member], (1 + OBJECTIVE) * most / (self.weight[member] or SAME))
            least, kin = self.moves_alone(first, member), (parted(self.name(member))[0], member & 1)
            if least is None and far < INF:
                # Of those that cost the least of all no more are told, but beside their kin.
                enough = most <= first.bound * (1 + OBJECTIVE) and kin not in {
                    key[:2] for key in groups
                }
                if enough or relaxed.is_refuted(member, self.clock.share(), far):
                    continue
            if least is None and not self.late():
                least = self.exactly(member, self.clock.share(share), far)
            if least is None:
                alone = None
            elif least < INF and least <= far:
                by[member], price[member] = least, least * self.weight[member]
                groups[*kin, f"{least:.5g}"].append(member)
        found: list[Repair] = []
        ordered = [sorted(group, key=lambda one: (price[one], one)) for group in groups.values()]
        for cheapest, *rest in sorted(ordered, key=lambda group: (price[group[0]], group[0])):
            if len(found) >= _SHOWN or (found and self.late()):
                break
            repair = self.repair(self.moved({cheapest: by[cheapest]}), "one")
            found.append(replace(repair, alike=tuple(self.name(one) for one in rest)))
        return found, bool(by) or alone

    def refuted(self, members: list[int]) -> set[int]:
        """Rows' sides that one search proves not to suffice alone, where whole numbers forbid it.

        A side that it finds to help is left to a solve of its own; after two of them so are all,
        since each costs a search more.
        """
        reach = np.stack([-_most(self.model, -1.0), _most(self.model, 1.0)])
        far = {k: reach.item(k & 1, k >> 1) for k in members if k >> 1 < self.model.m}
        far = {k: end for k, end in far.items() if np.isfinite(end)}
        for _ in range(2):
            if len(far) <= _SHOWN or not self.model.is_mip or self.late():
                break
            self.say(f"{len(far)} sides at once")
            program, gone = self.one_gives_way(far)
            found = self.solve_model(program, self.clock.share(0.25))
            if found.status == Status.INFEASIBLE:
                return set(far)
            if found.x is None:
                break
            far = {k: end for k, end in far.items() if found.x[gone[k]] < 0.5}
        return set()

    def one_gives_way(self, far: Mapping[int, float]) -> tuple[Model, dict[int, int]]:
        """The model in which at most one of these sides goes as far as this, and who says which."""
        lower, upper = self.model.row_lower.copy(), self.model.row_upper.copy()
        for k in far:
            (upper if k & 1 else lower)[k >> 1] = INF if k & 1 else -INF
        grown = Growing(Problem(replace(self.model, row_lower=lower, row_upper=upper)))
        gone = {k: grown.column(0.0, 1.0, VarType.BINARY) for k in far}
        grown.row(dict.fromkeys(gone.values(), 1.0), -INF, 1.0)
        for k, column in gone.items():
            terms = self.model.terms(k >> 1)
            terms[column] = self.old[k] - far[k]
            grown.row(terms, *((-INF, self.old[k]) if k & 1 else (self.old[k], INF)))
        program = grown.built().model
        return replace(program, objective=np.zeros(program.n), offset=0.0), gone

    def moves_alone(self, repair: Repair, member: int) -> float | None:
        """How far a proven least repair moves this side, where it is the only one."""
        shift = repair.shifts[0]
        side = Side.UPPER if member & 1 else Side.LOWER
        is_it = len(repair.shifts) == 1 and (shift.target, shift.side) == (self.name(member), side)
        return abs(shift.new - shift.old) if is_it and repair.least else None

    def exactly(self, member: int, seconds: float, far: float = INF) -> float | None:
        """How far this side has to move alone; INF where `far` is not enough, None: not settled."""
        place, side, m = member >> 1, member & 1, self.model.m
        sign, old, sides = 1.0 if side else -1.0, self.old[member], np.array(self.old)
        sides[member] += sign * far
        costs = np.zeros(self.model.n)
        if place < m:
            index, value = self.model.row(place)
            np.add.at(costs, index, sign * value)
        else:
            costs[place - m] = sign
        freed = tight(with_members(self.model, sides))
        model = replace(freed, objective=costs, offset=0.0, maximize=False)
        found = self.solve_model(model, seconds)
        if found.status == Status.INFEASIBLE:
            return INF
        if found.status != Status.OPTIMAL or found.x is None:
            return None
        return max(float(costs @ found.x) - sign * old, 0.0)

    def name(self, member: int) -> str:
        place, m = member >> 1, self.model.m
        if place < m:
            return self.model.row_names[place]
        return f"{self.model.col_names[place - m]}.{'ub' if member & 1 else 'lb'}"

    def moved(self, by: Mapping[int, float]) -> Stretch:
        found = np.zeros(len(self.old))
        found[list(by)] = list(by.values())
        return Stretch(found)

    def common(self, conflicts: list[Iis], singles: list[Repair]) -> list[Repair]:
        """Families of rows that suffice by one amount, less than one of them alone would need."""
        sides = dict.fromkeys(
            (parted(self.model.row_names[member >> 1])[0], member & 1)
            for iis in conflicts[:1]
            for member in as_members(iis, self.model.m)
            if member >> 1 < self.model.m
        )
        known = families(self.model) if sides else {}
        rows = _rows(conflicts)
        found: list[Repair] = []
        for stem, side in sides:
            members = [2 * i + side for i in known.get(stem, ())]
            firm = any(self.weight[member] == INF for member in members)
            if not members or firm or self.late():
                continue
            self.say(f"all {len(members)} of {stem}")
            rivals = [
                abs(shift.new - shift.old)
                for one in singles
                for shift in one.shifts
                if parted(shift.target)[0] == stem
            ]
            most = 0.999 * min(rivals, default=INF)
            cap = min(self.cap[member] for member in members)
            own = [member for member in members if member >> 1 in rows]
            if rivals and own:  # the conflicts' rows by themselves may need as much
                told = self.together(_core(self.model, rows), own, cap, self.clock.share(0.1))
                if told.bound is not None and told.bound >= most:
                    continue
            by = self.together(self.model, members, cap, self.clock.share(0.25)).objective
            if by is not None:
                by = self.reached(members, by)
            if by is not None and by < most:
                repair = self.repair(self.moved(dict.fromkeys(members, by)), "family")
                found.append(replace(repair, family=stem))
        return sorted(found, key=lambda one: abs(one.shifts[0].new - one.shifts[0].old))

    def reached(self, members: list[int], by: float) -> float:
        """By how much these rows' sides have to move, where rounding may have taken some of it."""
        rows = [member >> 1 for member in members]
        ends = (self.model.row_upper if members[0] & 1 else -self.model.row_lower)[rows]
        pairs = zip(ends.tolist(), self.steps[rows].tolist(), strict=True)
        far = ((end, _multiple(end + by, step)) for end, step in pairs)
        return max(by if multiple is None else multiple - end for end, multiple in far)

    def together(self, model: Model, members: list[int], cap: float, seconds: float) -> SolveResult:
        """The least amount, as objective, by which these rows' sides, all moved, suffice."""
        rows, side = [member >> 1 for member in members], members[0] & 1
        # Each side in a row of its own, a x + t >= side or a x - t <= side, beside the other side.
        lower, upper = model.row_lower.copy(), model.row_upper.copy()
        sides = [lower, upper][side][rows]
        [lower, upper][side][rows] = INF if side else -INF
        grown = Growing(Problem(replace(model, row_lower=lower, row_upper=upper)))
        common = grown.column(0.0, cap, name="#common")
        for i, end in zip(rows, sides.tolist(), strict=True):
            terms = model.terms(i)
            terms[common] = -1.0 if side else 1.0
            grown.row(terms, *((-INF, end) if side else (end, INF)))
        costs = np.append(np.zeros(model.n), 1.0)
        program = replace(grown.built().model, maximize=False, objective=costs, offset=0.0)
        return (self.solver or solve_exactly)(program, seconds)

    def fewest(self, first: Repair) -> list[Repair]:
        """Few sides that suffice: large moves made cheap, then the smallest left out."""
        self.say("fewest sides")
        best = first
        for _ in range(_ROUNDS):
            if len(best.shifts) <= 2 or self.late():
                break
            only = self.only(best.shifts)
            for shift in best.shifts:
                only[_member(self.model, shift)] /= (
                    abs(shift.new - shift.old) + OBJECTIVE * first.cost
                )
            found = self.solve(only)
            if found is None or len(found.shifts) >= len(best.shifts):
                break
            best = found
        needed = sorted(best.shifts, key=lambda s: abs(s.new - s.old))
        for shift in needed[:_FEWER]:
            rest = [other for other in needed if other is not shift]
            found = self.solve(self.only(rest)) if rest and not self.late() else None
            if found is not None:
                best, needed = found, list(found.shifts)
        return [] if best is first else [replace(best, kind="few")]

    def only(self, shifts: Iterable[Shift]) -> Floats:
        """The prices with all other sides firm."""
        found = np.full(len(self.price), INF)
        kept = [_member(self.model, shift) for shift in shifts]
        found[kept] = self.price[kept]
        return found

    def others(self, first: Repair) -> Iterable[Repair]:
        """The least without any side of the first, or else without its largest moves in turn."""
        by_size = sorted(first.shifts, key=lambda s: -abs(s.new - s.old))
        for without in [by_size, *([shift] for shift in by_size[:3] if len(by_size) > 1)]:
            if self.late():
                return
            self.say(f"without moving {without[0].target}")
            firm = self.price.copy()
            firm[[_member(self.model, shift) for shift in without]] = INF
            found = self.solve(firm)
            if found is not None:
                yield replace(found, kind="other")
                if without is by_size:
                    return

    def solve(self, price: Floats) -> Repair | None:
        """The elastic repair at these prices, verified; None where none was found."""
        try:
            found = stretch(self.model, price, self.clock.share(0.25), self.solver, self.caps)
        except SolverError:
            return None
        return None if found is None else self.repair(found, "other")

    def repair(self, found: Stretch, kind: str) -> Repair:
        """What moved, in round numbers where those do; the repaired model solved again."""
        shifts, cost = self.shifts(found, 9)
        told = self.verify(shifts, found.x)
        if not told.holds:
            room = SAME if self.solver is None else 1e-8  # what SCIP's sums lose
            exact, exact_cost = self.shifts(found, None, room)
            again = self.verify(exact, found.x)
            if again.holds:
                shifts, cost, told = exact, exact_cost, again
        return Repair(
            tuple(shifts), cost, told.objective, told.holds, kind=kind, unbounded=told.unbounded
        )

    def verify(self, shifts: list[Shift], x: Floats | None) -> Verified:
        """Whether the repaired model, its sides as written, has a solution, as x (n) may be."""
        key = tuple(shifts)
        if key not in self.verified:
            self.verified[key] = self.solved(shifts, x)
        return self.verified[key]

    def solve_model(self, model: Model, seconds: float) -> SolveResult:
        return solver_for(model, self.solver)(model, seconds)

    def solved(self, shifts: list[Shift], x: Floats | None) -> Verified:
        repaired = tight(apply_shifts(self.model, shifts))
        patience = OPTIMUM if self.model.m > LARGE else INF
        solution = self.solve_model(repaired, max(min(self.clock.share(0.25), patience), 0.1))
        best = solution.objective if solution.status == Status.OPTIMAL else None
        holds = solution.x is not None
        if not holds and solution.status == Status.TIME_LIMIT:
            # Any point says that there is one, as may that of the elastic program.
            if x is not None and self.solver is None:
                holds = worst(Problem(repaired), x)[0] <= PRIMAL
            if not holds and not self.late():
                point = replace(repaired, objective=np.zeros(repaired.n))
                holds = self.solve_model(point, max(self.clock.share(0.25), 0.1)).x is not None
        unbounded = solution.status == Status.UNBOUNDED
        return Verified(holds or unbounded, best, unbounded)

    def shifts(
        self, found: Stretch, digits: int | None, room: float = 0.0
    ) -> tuple[list[Shift], float]:
        """The sides that moved, those of whole numbers to what these can add up to, and the cost.

        Numbers have so many digits; without, some `room` for rounding.
        """
        model, m, shifts, cost = self.model, self.model.m, list[Shift](), 0.0
        step = np.append(self.steps, model.whole & ~model.semi)
        old, moved = np.array(self.old), found.moved
        far = np.flatnonzero(moved > MOVED * np.maximum(1.0, np.abs(old))).tolist()
        # Rows before columns, of each the lower sides first.
        for member in sorted(far, key=lambda k: (k >= 2 * m, k & 1, k)):
            was, by, side = old.item(member), moved.item(member), member & 1
            new = was + by if side else was - by
            multiple = _multiple(new, step.item(member >> 1))
            if multiple is not None:
                new = multiple
            elif digits is not None:
                # What is left of two sides that cancel is 0.
                new = 0.0 if abs(new) <= MOVED * by else float(f"{new:.{digits}g}")
            else:
                new += (room if side else -room) * max(1.0, abs(new))
            if (new > was) if side else (new < was):
                end = Side.UPPER if side else Side.LOWER
                shifts.append(Shift(self.name(member), end, was, new))
                cost += self.weight[member] * abs(new - was)
        return shifts, cost


def _rows(conflicts: Iterable[Iis]) -> set[int]:
    return {i for iis in conflicts for i, _ in iis.rows}


def _core(model: Model, rows: set[int]) -> Model:
    """The model with these rows alone, the others without sides.

    What a solve proves of it to be too little is too little for all rows.
    """
    kept, lower, upper = list(rows), np.full(model.m, -INF), np.full(model.m, INF)
    lower[kept], upper[kept] = model.row_lower[kept], model.row_upper[kept]
    return replace(model, row_lower=lower, row_upper=upper)


def _most(model: Model, sign: float) -> Floats:
    """The most that each row (m), times the sign, can be between its columns' bounds."""
    low, up = model.hull
    terms = sign * model.value
    ends = np.where(terms > 0, up[model.index], np.where(terms < 0, low[model.index], 0.0))
    return np.asarray(np.bincount(model.entry_rows, terms * ends, model.m), np.float64)


def _multiple(value: float, step: float) -> float | None:
    """The multiple of the step, if any, that the value would be but for a solver's rounding."""
    found = step * round(value / step) if step else INF
    near = abs(found - value) <= ROUNDED * max(1.0, abs(value))
    return round(found, DIGITS + 2) if near else None


class _Alone:
    """One side after another let go, all others firm: whether the relaxation is still infeasible.

    Warm dual simplex says so at once; how far a side has to move is left to a solve with presolve,
    as warm steps to another objective may cycle for seconds.
    """

    def __init__(self, model: Model) -> None:
        self.m = model.m
        self.sides = sides_of(model, model.hull)
        self.lp = Lp()
        self.lp.load(model, *model.hull, np.zeros(model.n))
        # A run that needs more cycles: presolve then does it in less.
        self.lp.h.setOptionValue("simplex_iteration_limit", 2 * (model.m + model.n) + 100)

    def is_refuted(self, member: int, seconds: float, far: float = INF) -> bool:
        """Whether this side alone, moved so far, is not enough; False where that is not settled."""
        place, side = member >> 1, member & 1
        row = place < self.m
        at = place if row else place - self.m
        low, up = self.sides[2 * place : 2 * place + 2].tolist()
        change = self.lp.h.changeRowBounds if row else self.lp.h.changeColBounds
        if low > up:
            return False  # crossed, which simplex is not told
        change(at, *((low, up + far) if side else (low - far, up)))
        self.lp.limit(seconds)
        try:
            return self.lp.run() == INFEASIBLE
        finally:
            change(at, low, up)


def _prices(
    model: Model, weights: Mapping[str, float], caps: Mapping[str, float]
) -> tuple[Floats, Floats]:
    """By member what a unit of movement costs, and how far it may go."""
    size = 2 * (model.m + model.n)
    price, most = np.ones(size), np.full(size, INF)
    for what, given, numbers in (("weight", weights, price), ("cap", caps, most)):
        for name, number in given.items():
            if not number >= 0:
                raise UsageError(f"the {what} of '{name}' is {number}; give it zero or more")
            members = _members(model, name)
            if not members:
                raise UsageError(
                    f"'{name}' names no row or bound; give a {what} to row, x.lb or x.ub"
                )
            numbers[members] = number
    return price, most


def _members(model: Model, name: str) -> list[int]:
    """Both sides of the row of that name, or the one that "x.lb" or "x.ub" is; else none."""
    if name in model.rows:
        return [2 * model.rows[name], 2 * model.rows[name] + 1]
    column, _, end = name.rpartition(".")
    known = end in ("lb", "ub") and column in model.cols
    return [2 * (model.m + model.cols[column]) + (end == "ub")] if known else []


def _member(model: Model, shift: Shift) -> int:
    """The side that a shift moves."""
    return _members(model, shift.target)[0] & ~1 | (shift.side == Side.UPPER)


def apply_shifts(model: Model, shifts: list[Shift]) -> Model:
    """The model with these sides moved."""
    sides = sides_of(model)
    for shift in shifts:
        sides[_member(model, shift)] = shift.new
    return with_members(model, sides)
