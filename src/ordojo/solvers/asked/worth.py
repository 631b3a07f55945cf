"""What a row's limit is worth: by solving again both ways, and how far it can go."""

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordojo.core.errors import UsageError
from ordojo.milp.model import INF, Model
from ordojo.milp.tolerances import ROUNDING
from ordojo.solvers.answers import Side, Status
from ordojo.solvers.asked.edits import row_of
from ordojo.solvers.asked.plan import HELD, solve_held
from ordojo.solvers.asked.solves import Outcome, Solves, gained, notes_of, short, told_row
from ordojo.solvers.problem import Problem


@dataclass(frozen=True)
class SideMove:
    """A side moved to `value`, and how the model solves then; `gain`: better (worse: below 0)."""

    kind: str
    value: float
    outcome: Outcome
    gain: float | None


@dataclass(frozen=True)
class End:
    """The least or largest number a side can be, None where `outcome` proves none.

    Where it is `rough` some four digits are certain: along a curve the tolerance of 1e-9 in which
    an optimum is held leaves room for its root.
    """

    value: float | None
    outcome: Outcome
    rough: bool = False

    def text(self) -> str:
        """The number, in its certain digits, or why there is none."""
        if self.value is None:
            return f"not known ({self.outcome.text()})"
        return f"about {self.value:.4g}" if self.rough else short(self.value)


@dataclass(frozen=True)
class SideWorth:
    """One side of a row: `steps` looser and tighter (higher and lower where both sides are one).

    `feasible` are the ends, ascending, between which the model has a solution; an infinite one
    says that there is none. `idle` are the ends from which on, looser, the side takes nothing from
    the optimum, which is then `free`; both None where that was not sought or the optimum grows
    without end.
    """

    side: Side
    value: float
    steps: tuple[SideMove, ...]
    feasible: tuple[End, End]
    free: Outcome | None = None
    idle: tuple[End, ...] = ()

    @property
    def infeasible_without(self) -> bool:
        """Whether the rest of the model has no solution, so that no side gives one."""
        solved = (self.free, *(end.outcome for end in self.feasible if end.value is None))
        return any(one is not None and one.status == Status.INFEASIBLE for one in solved)


@dataclass(frozen=True)
class RowWorth:
    """What the sides of a row are worth; `dual` is its price where the model is an LP, else None.

    The price is d(objective)/d(side) at the optimum found. An optimum moves by at least the price
    times the way of the side that binds where it is minimized, by at most that where it is
    maximized; where several bases are optimal `steps` say more.
    """

    model: str
    solver: str
    row: str
    algebra: str
    by: float
    base: Outcome
    sides: tuple[SideWorth, ...]
    dual: float | None = None
    activity: float | None = None
    notes: tuple[str, ...] = ()
    maximize: bool = False

    def to_json(self) -> dict[str, Any]:
        """Everything as plain JSON; an infinite end is null, with its status beside it."""

        def end(one: End) -> dict[str, Any]:
            value = one.value if one.value is not None and np.isfinite(one.value) else None
            return {"value": value, "rough": one.rough, "status": str(one.outcome.status)}

        return {
            "model": self.model,
            "solver": self.solver,
            "row": self.row,
            "algebra": self.algebra,
            "by": self.by,
            "base": self.base.to_json(),
            "dual": self.dual,
            "activity": self.activity,
            "sides": [
                {
                    "side": str(one.side),
                    "value": one.value,
                    "steps": [
                        {"kind": s.kind, "value": s.value, "gain": s.gain, **s.outcome.to_json()}
                        for s in one.steps
                    ],
                    "feasible_from": end(one.feasible[0]),
                    "feasible_to": end(one.feasible[1]),
                    "without_it": one.free and one.free.to_json(),
                    "stops_mattering": [end(other) for other in one.idle],
                }
                for one in self.sides
            ],
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        return self.text()

    def text(self) -> str:
        """The answer for a reader."""
        lines = [f"{self.model}, {self.row}: {self.algebra} ({self.solver})"]
        lines.append(f"As it is: {self.base.text()}.")
        if self.dual is not None:
            least = "at most" if self.maximize else "at least"
            lines.append(
                f"Dual price: {short(self.dual)}; the optimum changes by {least} that times what "
                "is added to the side that binds."
            )
        for side in self.sides:
            lines += _lines(side, self.by, len(self.sides) > 1)
        return "\n".join([*lines, *self.notes])


def _lines(one: SideWorth, by: float, named: bool) -> list[str]:
    lines = [f"Its {one.side} side:"] if named else []
    for step in one.steps:
        gain = "" if step.gain is None else f", {gained(step.gain, 'no difference')}"
        moved = f"{step.kind} by {by:.9g}, to {step.value:.12g}"
        lines.append(f"  {moved}: {step.outcome.text()}{gain}")
    low, up = one.feasible
    if one.infeasible_without:
        lines.append("  wherever it is there is no solution: the rest of the model is infeasible")
    else:
        lines += [
            f"  no solution {where} {end.text()}"
            if end.value is not None
            else f"  {where} which number there is no solution is {end.text()}"
            for where, end in (("below", low), ("above", up))
            if end.value not in (-INF, INF)
        ]
        if (low.value, up.value) == (-INF, INF):
            lines.append("  however far it goes, a solution exists")
    if one.free is not None and not one.infeasible_without:
        idle = " to ".join(dict.fromkeys(end.text() for end in one.idle))
        idle = _IDLE[one.side].format(idle) if idle else ""
        lines.append(f"  without it: {one.free.text()}{idle}")
    return lines


_IDLE = {
    Side.UPPER: "; from {} on it takes nothing from that",
    Side.LOWER: "; up to {} it takes nothing from that",
    Side.BOTH: "; the row is then {}",
}


def worth_of(problem: Problem, row: str, by: float, solves: Solves) -> RowWorth:
    """What moving the sides of a row by `by` does, and how far each can go.

    Raises UsageError for no such row, or one without sides.
    """
    model = problem.model
    i = row_of(problem, row)
    low, up = model.sides(i)
    if low == -INF and up == INF:
        raise UsageError(f"row '{row}' has no side to move: {told_row(model, i)}")
    base = solves.solve(problem, f"solving {model.size}", 0.4)
    kinds = [Side.BOTH] if low == up else []
    if not kinds:
        kinds = [Side.UPPER] * (up < INF) + [Side.LOWER] * (low > -INF)
    sides = tuple(_side(problem, i, side, by, base, solves) for side in kinds)
    linear = problem.is_linear and not model.is_mip
    return RowWorth(
        model.name or "the model",
        solves.version,
        row,
        told_row(model, i),
        by,
        base,
        sides,
        dual=float(base.row_dual[i]) if linear and base.row_dual is not None else None,
        activity=None if base.x is None else float(model.activities(base.x)[i]),
        notes=notes_of(problem, solves.solver, base),
        maximize=model.maximize,
    )


def _side(
    problem: Problem, i: int, side: Side, by: float, base: Outcome, solves: Solves
) -> SideWorth:
    model = problem.model
    value = model.sides(i)[side == Side.UPPER]
    kinds = {
        Side.BOTH: (("higher", by), ("lower", -by)),
        Side.UPPER: (("looser", by), ("tighter", -by)),
        Side.LOWER: (("looser", -by), ("tighter", by)),
    }[side]
    steps = []
    for kind, move in kinds:
        moved = dataclasses.replace(problem, model=_moved(model, i, side, value + move), start=None)
        then = solves.solve(moved, f"solving it {kind} by {by:g}", 0.5)
        steps.append(SideMove(kind, value + move, then, then.gain_over(base, model.maximize)))
    without = _moved(model, i, side, INF if side == Side.UPPER else -INF)
    least, most = End(-INF, base), End(INF, base)
    if side != Side.LOWER:
        least = _end(problem, without, i, False, solves)
    if side != Side.UPPER:
        most = _end(problem, without, i, True, solves)
    free = None
    ends: tuple[End, ...] = ()
    if problem.quadratic is None and not problem.objectives:
        loose = dataclasses.replace(problem, model=without, start=None)
        free = solves.solve(loose, "solving without it", 0.5)
        if free.status == Status.OPTIMAL and free.objective is not None:
            give = ROUNDING * max(1.0, abs(free.objective))
            held = without.with_objective_held(HELD, free.objective, give)
            up = {Side.UPPER: (False,), Side.LOWER: (True,), Side.BOTH: (False, True)}[side]
            ends = tuple(_end(problem, held, i, way, solves) for way in up)
            if problem.quadratic_rows or problem.general:
                ends = tuple(dataclasses.replace(end, rough=True) for end in ends)
    return SideWorth(side, value, tuple(steps), (least, most), free, ends)


def _moved(model: Model, i: int, side: Side, value: float) -> Model:
    """The row with its side, or both, at a value; an infinite one takes them away."""
    if side == Side.BOTH:
        return model.with_row_bounds(i, value, value if value > -INF else INF)
    low, up = model.sides(i)
    return model.with_row_bounds(i, *((low, value) if side == Side.UPPER else (value, up)))


def _end(problem: Problem, model: Model, i: int, most: bool, solves: Solves) -> End:
    """The least or most that row i adds up to in a solution: no side beyond it can be met."""
    index, value = model.row(i)
    costs = np.zeros(model.n)
    costs[index] = value
    goal = dataclasses.replace(model, objective=costs, offset=0.0, maximize=most)
    asked = dataclasses.replace(problem, model=goal, quadratic=None, objectives=(), start=None)
    what = f"looking how {'high' if most else 'low'} it can go"
    if HELD in model.rows:
        found = solve_held(asked, solves, what, 0.5)
    else:
        found = solves.solve(asked, what, 0.5)
    if found.status == Status.UNBOUNDED:
        return End(INF if most else -INF, found)
    return End(found.objective if found.status == Status.OPTIMAL else None, found)
