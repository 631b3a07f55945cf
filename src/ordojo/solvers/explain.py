"""Why a model is infeasible or unbounded, and the smallest ways out: what `ordojo explain` says."""

from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from ordojo.core.errors import SolverError, UsageError
from ordojo.core.words import amount
from ordojo.milp.model import INF, Model
from ordojo.milp.tolerances import PRIMAL
from ordojo.solvers import choose, deletion
from ordojo.solvers.answers import Iis, Repair, Shift, Side, SolveResult, Status
from ordojo.solvers.asked.solves import Solves
from ordojo.solvers.conflicts import conflict_lines, crossed_binary, members, shown
from ordojo.solvers.families import conflict_in_words
from ordojo.solvers.farkas import sides_of, with_members
from ordojo.solvers.iis import conflict, for_whole_numbers
from ordojo.solvers.kept import KeptOracle, Settled, repaired
from ordojo.solvers.problem import Problem, Quadratic
from ordojo.solvers.protocol import Oracle, SolverSession
from ordojo.solvers.ray import (
    NO_RAY,
    Cone,
    Ray,
    find_ray,
    holds,
    in_fractions,
    slopes,
    smallest_one,
    standing,
    straight_ray,
)
from ordojo.solvers.repair import Menu, apply_shifts, menu
from ordojo.solvers.residuals import only_just, written
from ordojo.solvers.search import Search

MOVES = 5
"""Lines of a repair's moves; more are counted."""
SPREAD = 1e9
"""Largest over smallest coefficient beyond which numbers are doubted: a double has 16 digits, and
tolerances of 1e-7 take 7 of them."""
_SENTENCES = {
    Status.OPTIMAL: "feasible, so there is no conflict to explain; its optimum is {objective}",
    Status.UNBOUNDED: "unbounded: it is feasible, and its objective improves without end; "
    "bound the columns that the objective drives",
    Status.TIME_LIMIT: "not decided within the limits; give it more time, or its whole numbers "
    "bounds",
    Status.ERROR: "not solved: the solver failed on it; check its numbers",
}


@dataclass(frozen=True)
class Explanation:
    """A model's status, and where it is infeasible conflicts and repairs, best first.

    `conflicts` share no row. `words` say each over the model's families, where those were looked
    for. `beyond_repair`: a solve proved that no sides that may move, moved however far, give a
    solution. `alone`: whether one side suffices (None: not settled). `ray` is an unbounded model's.
    `doubts` are sentences on its numbers and `narrow` one on how little is missing, which stand
    beside the figures that they concern; `notes` say what became of parts of the model.
    """

    model: Model
    solver: str
    status: Status
    objective: float | None = None
    conflicts: tuple[Iis, ...] = ()
    repairs: tuple[Repair, ...] = ()
    beyond_repair: bool = False
    unfinished: str = ""
    seconds: float = 0.0
    ray: Ray | None = None
    doubts: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    narrow: tuple[str, ...] = ()
    alone: bool | None = None
    capped: bool = False
    """Whether repairs there would be are forbidden by caps alone."""
    settled: Settled | None = None
    """What was explained, where it is more than the rows of `model`."""

    @property
    def iis(self) -> Iis | None:
        """The first conflict."""
        return self.conflicts[0] if self.conflicts else None

    def repaired(self, number: int = 1) -> Model:
        """The rows with this repair applied; UsageError where there is none of that number."""
        return apply_shifts(self.model, self._moves(number))

    def repaired_problem(self, number: int = 1) -> Problem:
        """What was explained with this repair applied, parts beyond linear rows as they were.

        UsageError where there is none of that number.
        """
        return repaired(self._whole, self._moves(number))

    def _moves(self, number: int) -> list[Shift]:
        if not 0 < number <= len(self.repairs):
            raise UsageError(
                f"there is no repair {number} of {self.model.name}: it is {self.status.value}, "
                f"with {amount(len(self.repairs), 'repair')}"
            )
        return list(self.repairs[number - 1].shifts)

    def to_json(self) -> dict[str, Any]:
        """Everything as plain JSON, with the IIS's rows in algebra."""
        found: dict[str, Any] = {
            "model": self.model.name,
            "solver": self.solver,
            "status": str(self.status),
            "objective": self.objective,
            **self._size(),
            "seconds": round(self.seconds, 3),
            "unfinished": self.unfinished,
        }
        found["doubts"] = [*self.doubts, *self.narrow, *self.notes]
        if self.conflicts:
            found["iis"], *found["further_conflicts"] = (
                self._as_json(k) for k in range(len(self.conflicts))
            )
        if self.ray is not None:
            found["ray"] = {
                "moves": {self.model.col_names[j]: step for j, step in self.ray.moves},
                "gain": self.ray.gain,
                "proven": self.ray.proven,
            }
        if self.status == Status.INFEASIBLE:
            found["beyond_repair"] = self.beyond_repair
            found["only_caps_forbid"] = self.capped
            found["one_side_suffices"] = self.alone
            found["repairs"] = [
                {
                    "kind": repair.kind,
                    "cost": repair.cost,
                    "least": repair.least,
                    "no_less_than": repair.bound,
                    "fewest": repair.fewest,
                    "alike": list(repair.alike),
                    "family": repair.family,
                    "objective": repair.objective,
                    "unbounded": repair.unbounded,
                    "verified": repair.verified,
                    "moves": [_move(shift) for shift in repair.shifts],
                }
                for repair in self.repairs
            ]
        return found

    @property
    def columns(self) -> int:
        """How many columns of the model are the source's; what follows ties parts to rows."""
        return self._whole.source.model.n

    def _size(self) -> dict[str, int]:
        """Rows, columns, nonzeros and parts beyond these, as the source has them."""
        problem = self._whole.source
        model, parts = problem.model, len(problem.parts)
        size = {"rows": model.m, "columns": model.n, "nonzeros": model.nonzeros}
        return size | ({"parts": parts} if parts else {})

    @property
    def _whole(self) -> Settled:
        """What was explained: the rows of `model`, and what is beside them."""
        return self.settled or Settled(self.model, Problem(self.model))

    def _as_json(self, number: int) -> dict[str, Any]:
        model, iis = self.model, self.conflicts[number]
        told, sides = [*members(self._whole, iis)], dict(iis.bounds)
        return {
            "rows": [
                {"name": one.name, "side": str(one.side), "text": one.text}
                for one in told
                if one.kind == "row"
            ],
            "bounds": [
                {
                    "column": model.col_names[one.place],
                    "side": str(sides[one.place]),
                    "text": one.text,
                }
                for one in told
                if one.kind == "bound"
            ],
            "parts": [{"name": one.name, "text": one.text} for one in told if one.kind == "part"],
            "needs_integrality": for_whole_numbers(model, iis),
            "irreducible": iis.proven,
            "words": self.words[number] if self.words else "",
        }

    def __str__(self) -> str:
        return self.text()

    def text(self) -> str:
        """The explanation for a reader."""
        model = self.model
        size = self._size()
        parts = f", {size['parts']:,} beyond linear" if "parts" in size else ""
        told = ", ".join(amount(size[f"{one}s"], one) for one in ("row", "column", "nonzero"))
        told += f"{parts}; {self.solver}"
        if self.status == Status.INFEASIBLE:
            lines = [f"{model.name} is infeasible ({told})", *self.doubts]
            for number in range(len(self.conflicts)):
                lines += ["", *self._conflict(number)]
            lines += ["", *self.ways_out()]
        else:
            objective = "unknown" if self.objective is None else f"{self.objective:.9g}"
            said = _SENTENCES[self.status].format(objective=objective)
            lines = [f"{model.name} is {said} ({told})", *self.doubts]
        lines += self.direction()
        lines += [line for said in (self.unfinished, *self.notes) if said for line in ("", said)]
        return "\n".join(lines)

    def _conflict(self, number: int) -> list[str]:
        iis = self.conflicts[number]
        told = [
            ("(bound)" if one.kind == "bound" else one.name, one.text)
            for one in members(self._whole, iis)
        ]
        integral, words = for_whole_numbers(self.model, iis), self.words and self.words[number]
        return [
            *conflict_lines(told, iis.proven, integral, further=number > 0),
            *crossed_binary(self.model, iis),
            *([f"In words: {words}."] if words else []),
        ]

    def direction(self) -> list[str]:
        """What the text says of an unbounded model's ray, line by line."""
        if self.ray is None:
            return []
        moves = [
            f"  {self.model.col_names[j]} {'up' if step > 0 else 'down'} by {abs(step):g}"
            for j, step in self.ray.moves
        ]
        sure = "proved in fractions" if self.ray.proven else "to rounding"
        improves = "In the end the objective improves by more each time."
        if self.ray.gain is not None:
            improves = f"Each time the objective improves by {self.ray.gain:g}."
        return [
            "",
            f"No row or bound stops these, moved together again and again ({sure}):",
            *shown(moves),
            f"{improves} Bound one of them, or give them a row.",
        ]

    def ways_out(self) -> list[str]:
        """What the text says of repairs, line by line."""
        if self.capped:
            return [
                "No repair within the caps: no sides that may move, moved as far as they may, "
                "give a solution. Without the caps there is a repair."
            ]
        if self.beyond_repair:
            return [
                "No repair: with all sides free to move it still has no solution (those of "
                "infinite weight, hard ones, and of binary and semicontinuous columns, stand firm)."
            ]
        if not self.repairs:
            return []
        # The same bound holds for all of them; each says itself whether it reaches it.
        first, head = min(self.repairs, key=lambda one: one.cost), "Repairs:"
        if not first.least:
            head = "Repairs, perhaps not the smallest:"
            if first.bound > 0:
                head = f"Repairs (a solve proved that none moves less than {first.bound:g} in all):"
        lines = [*self.narrow, head]
        if self.alone is False and len(self.repairs[0].shifts) > 1:
            lines.append(
                "  No side that may move suffices alone: each one of a conflict was tried."
            )
        for number, repair in enumerate(self.repairs, 1):
            lines += self.repair_lines(number, repair)
        return lines

    def repair_lines(self, number: int, repair: Repair) -> list[str]:
        """A repair as the text says it, in at most seven lines."""
        optimum = "" if repair.objective is None else f", optimum then {repair.objective:.9g}"
        optimum = ", then unbounded" if repair.unbounded else optimum
        solved = "solved again" if repair.verified else "not verified: no solve confirmed it"
        many = len(repair.shifts)
        what = (
            ["one change"] if many == 1 else [f"one amount for all {many}"] if repair.family else []
        )
        what += [f"{many} sides"] * (many > 1 and not repair.family)
        what += ["fewest"] * (repair.fewest and many > 1) + ["least in all"] * repair.least
        lines = [
            f"  {number}. moves {repair.cost:.9g} in all: {', '.join(what)} ({solved}{optimum})"
        ]
        moves = [
            f"     {shift.target} {'>=' if shift.side == Side.LOWER else '<='} {shift.old:.9g} "
            f"becomes {shift.new:.9g}"
            for shift in repair.shifts
        ]
        if repair.family:
            far = repair.shifts[0].new - repair.shifts[0].old
            way = "up" if far > 0 else "down"
            moves = [f"     each of {repair.family}* {way} by {abs(far):.9g}, such as", *moves]
        most = MOVES if len(moves) <= MOVES + 1 and not repair.alike else MOVES - 1
        lines += moves[: most + 1] if len(moves) == most + 1 else moves[:most]
        if len(moves) > most + 1:
            lines.append(f"     and {len(moves) - most} more")
        if repair.alike:
            more = f" and {len(repair.alike) - 3} more" if len(repair.alike) > 3 else ""
            lines.append(f"     or, by as much, {', '.join(repair.alike[:3])}{more}")
        return lines


def explain(
    model: Model,
    oracle: Oracle,
    time_limit: float = 60.0,
    limit: int = 5,
    weights: Mapping[str, float] | None = None,
    progress: Callable[[str], None] = lambda line: None,
    conflicts: int = 1,
    rank: str = "size",
    caps: Mapping[str, float] | None = None,
) -> Explanation:
    """Solve; if infeasible, find conflicts and up to `limit` repairs, all within `time_limit` s.

    `weights` say how much a unit of moving a row's or bound's side costs, by name, `caps` how far
    it may move. At most `conflicts` are sought, no two with a row in common. `rank` puts repairs in
    the order of their "size" or of their "count" of moves. What was not settled is said in
    `unfinished`; whatever is said not to be so was proved by a solve.
    """
    clock = Search(time_limit)
    solver = f"{oracle.name} {oracle.version}"
    kept = oracle.settled if isinstance(oracle, KeptOracle) else None

    def left() -> float:
        return max(clock.left, 0.1)

    progress(f"solving {model.size}")
    found: list[Iis] = []
    unfinished = []
    with closing(oracle.session()) as session:
        odd = _before(model, session, kept is None)
        solution = session.solve(left()) if odd is None else SolveResult(Status.INFEASIBLE)
        if solution.status != Status.INFEASIBLE:
            ray, status = None, solution.status
            unfinished.append(solution.detail)
            if status == Status.UNBOUNDED:
                whole = kept or Settled(model, Problem(model))
                ray = _ray_of(whole.still, whole.source, left())
                if ray is None and kept is None:
                    status = Status.ERROR
                    unfinished.append(NO_RAY)
            return Explanation(
                model,
                solver,
                status,
                solution.objective,
                unfinished=" ".join(unfinished),
                seconds=clock.seconds,
                ray=ray,
                doubts=(*_spread(model), *only_just(model, solution.status, solution.x)),
                settled=kept,
            )
        progress("infeasible; looking for an irreducible conflict")
        try:
            found += [odd] if odd else [_conflict(model, oracle, left() / 3)]
        except SolverError as error:
            unfinished.append(f"No conflict to show: {error}.")
    if found and conflicts > 1:
        progress("looking for conflicts with no row in common")
        others, more = _further(model, found[0], oracle, conflicts - 1, Search(left() / 4))
        found += others
        if more:
            unfinished.append(
                f"There are conflicts beside these {len(found)}; ask for more of them."
            )
    progress("looking for the smallest repairs")
    offered = Menu([], None)
    beyond_repair = False
    try:
        offered = menu(
            model,
            found,
            weights=weights,
            caps=caps,
            limit=limit,
            time_limit=left(),
            progress=progress,
            rank=rank,
            solver=oracle.solve if isinstance(oracle, KeptOracle) else None,
        )
        if kept is not None and kept.bound:
            offered = _within(offered)
        beyond_repair = not offered.repairs
    except SolverError as error:
        unfinished.append(f"No repair to show: {error}.")
    return Explanation(
        model,
        solver,
        Status.INFEASIBLE,
        None,
        tuple(found),
        tuple(offered.repairs),
        beyond_repair,
        " ".join(unfinished),
        clock.seconds,
        doubts=tuple(_spread(model)),
        words=tuple("" if iis.parts else conflict_in_words(model, iis) for iis in found),
        narrow=tuple(_narrow(offered.repairs)),
        alone=offered.alone,
        capped=offered.capped,
        settled=kept,
    )


def with_whole_objective(
    told: Explanation, parts: Settled, solver: str, seconds: float
) -> Explanation:
    """What was told of the rows alone, with the optimum or the ray of the whole problem.

    It is unbounded only by a ray, along which the whole objective improves. Where the rows have the
    whole one all is told already.
    """
    if not parts.left_out:
        return told
    repairs = tuple(replace(repair, objective=None) for repair in told.repairs)
    told = replace(told, model=parts.model, objective=None, repairs=repairs)
    if told.status != Status.OPTIMAL:
        return replace(told, notes=parts.left_out)
    solves = Solves(solver, seconds)
    try:
        found = solves.solve(parts.source, "solving with its whole objective")
        told = replace(told, solver=solves.version)
        if found.status == Status.OPTIMAL:
            told = replace(told, objective=found.objective)
        # Solvers of products stop short of, or fail at, what a ray shows at once.
        elif ray := _ray_of(parts.still, parts.source, solves.clock.left):
            told = replace(told, status=Status.UNBOUNDED, ray=ray)
        elif found.status == Status.UNBOUNDED:
            told = replace(told, unfinished=NO_RAY)
        else:
            told = replace(told, unfinished=f"Its whole objective: {found.text()}.")
    except SolverError as error:
        told = replace(told, unfinished=f"{error}.")
    return replace(told, seconds=told.seconds + solves.clock.seconds)


def _ray_of(model: Model, source: Problem, time_limit: float) -> Ray | None:
    """A ray of the model along which the objectives of `source`, of its first columns, improve.

    Of objectives by priority the first that grows without end has it; those before stand still.
    """
    search = Search(time_limit)
    quadratic = source.quadratic
    if not source.objectives:
        if quadratic is None:
            return find_ray(model, search.left)
        straight = straight_ray(model, quadratic, search.left)
        return straight or _curved(model, quadratic, search)
    for costs, _, _ in choose.by_priority(source):
        costs = np.append(costs, np.zeros(model.n - len(costs)))
        goal = replace(model, objective=costs)
        if ray := find_ray(goal, search.left):
            return ray
        model = standing(model, {0: dict(enumerate(costs.tolist()))})
    return None


def _curved(model: Model, quadratic: Quadratic, search: Search) -> Ray | None:
    """A ray along which the quadratic part itself improves, where that is not convex."""
    if choose.is_convex(quadratic, model.maximize):
        return None
    cone = Cone.of(model)
    within = replace(
        model,
        objective=np.zeros(model.n),
        offset=0.0,
        col_lower=np.where(cone.down, -1.0, 0.0),
        col_upper=np.where(cone.up, 1.0, 0.0),
        types=np.zeros(model.n, np.uint8),
        row_lower=np.where(cone.firm_low, 0.0, -INF),
        row_upper=np.where(cone.firm_up, 0.0, INF),
    )
    solved = choose.solve(Problem(within, quadratic), search)
    if solved.x is None:
        return None
    exact = in_fractions(model, smallest_one(solved.x, PRIMAL))
    gain = Fraction(0)
    for i, slope in slopes(quadratic).items():
        for j, value in slope.items():
            if i in exact and j in exact:
                gain += written(value) / 2 * exact[i] * exact[j]
    gain = gain if model.maximize else -gain
    if gain > 0 and holds(model, exact, cone):
        moves = tuple((j, float(step)) for j, step in exact.items())
        return Ray(moves, None, True)
    return None


def _within(offered: Menu) -> Menu:
    """What holds of repairs where bounds stand firm only for want of a solver."""
    if not offered.repairs:
        raise SolverError("none was found with the bounds of the parts' columns firm")
    repairs = [replace(repair, bound=0.0, fewest=False) for repair in offered.repairs]
    return Menu(repairs, offered.alone or None)


def _before(model: Model, session: SolverSession, linear: bool) -> Iis | None:
    """Load a model; a conflict that needs no solve, also where the solver refuses the numbers.

    Rows that stand for parts of a model that is not `linear` are no conflict by themselves.
    """
    try:
        session.load(model)
    except SolverError:
        if found := deletion.out_of_reach(model, rows_bound=True):
            return found
        raise
    return deletion.obvious(model) if linear else None


def _conflict(model: Model, oracle: Oracle, seconds: float) -> Iis:
    """Rows first; from the rows that the solver itself names where that is not HiGHS."""
    if isinstance(oracle, KeptOracle):
        return oracle.iis(model, seconds)
    start = None
    if oracle.name != "highs":
        with suppress(SolverError):
            start = [i for i, _ in oracle.iis(model, seconds / 2).rows]
    return conflict(model, seconds, start)


def _further(
    model: Model, iis: Iis, oracle: Oracle, most: int, clock: Search
) -> tuple[list[Iis], bool]:
    """Conflicts of what remains without the rows of the first, or its bounds, and so on.

    Also whether there is one more than `most`.
    """
    found: list[Iis] = []
    rest = replace(model, objective=np.zeros(model.n))  # any point will do
    while clock.left > 0:
        if not iis.rows and not iis.bounds:
            break  # parts alone are never left out: the same conflict would come again
        rest = _without(rest, iis)
        try:
            odd = None if isinstance(oracle, KeptOracle) else deletion.obvious(rest)
            if odd is None and oracle.solve(rest, clock.left / 2).status != Status.INFEASIBLE:
                break
            if len(found) == most:
                return found, True
            iis = odd or _conflict(rest, oracle, max(clock.left, 0.01))
        except SolverError:
            break
        found.append(iis)
    return found, False


def _without(model: Model, iis: Iis) -> Model:
    """The model without the rows of a conflict, or without its bounds where it has no row."""
    sides = sides_of(model)
    gone = [2 * i for i, _ in iis.rows] or [2 * (model.m + j) for j, _ in iis.bounds]
    sides[gone], sides[[member + 1 for member in gone]] = -INF, INF
    return with_members(model, sides)


def _spread(model: Model) -> list[str]:
    """Whether the rows' numbers are too far apart for a solver's tolerances."""
    size = np.abs(model.value[model.value != 0])
    if not len(size) or size.max() < SPREAD * size.min():
        return []
    k = int(np.argmax(np.abs(model.value)))
    row, column = model.row_names[int(model.entry_rows[k])], model.col_names[int(model.index[k])]
    return [
        f"Its numbers are doubtful: coefficients go from {size.min():.0e} to {size.max():.0e} "
        f"({column} in {row}), more than a solver's tolerance bridges. Scale them, or give a large "
        "constant its true bound."
    ]


def _narrow(repairs: list[Repair]) -> list[str]:
    """Whether the contradiction is hardly larger than solvers' tolerances."""
    if not repairs:
        return []
    by = max(repairs[0].shifts, key=lambda s: abs(s.new - s.old) / max(1.0, abs(s.old)))
    off = abs(by.new - by.old)
    if off > 10 * PRIMAL * max(1.0, abs(by.old)):
        return []
    return [
        f"It is infeasible by {off:.1g} only: another solver, which may allow {PRIMAL:g} of "
        "scaled rows, may call it feasible. Look for a rounded number."
    ]


def _move(shift: Shift) -> dict[str, Any]:
    return {
        "target": shift.target,
        "side": str(shift.side),
        "from": float(shift.old),
        "to": float(shift.new),
    }
