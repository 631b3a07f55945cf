"""Policies without a language model: chance, gold, and repairers that read model or text.

Answers are in the form that the prompt asks for: actions, the whole program, or an LP file.
"""

import dataclasses
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ordojo.benchmarks.or_debug.actions import (
    DIAGNOSTIC,
    REPAIR,
    Action,
    ActionKind,
    Invalid,
    parse_action,
)
from ordojo.benchmarks.or_debug.injection.candidate import OwnSolver
from ordojo.benchmarks.or_debug.prompts import FILE, WHOLE
from ordojo.benchmarks.or_debug.repairs import apply_action
from ordojo.benchmarks.or_debug.schema import Debugging
from ordojo.core.environment import Observation
from ordojo.core.errors import SolverError
from ordojo.core.instance import Instance
from ordojo.core.policy import Act, NoOp, Policy
from ordojo.core.seeds import generator
from ordojo.milp.algebra import number, row_text
from ordojo.milp.files import lp_text
from ordojo.milp.model import INF, Model, VarType
from ordojo.milp.source import gurobipy_source
from ordojo.milp.tolerances import SAME
from ordojo.solvers.answers import Iis, Repair, Shift, Side, Status
from ordojo.solvers.repair import minimal_repairs

SUBMIT = "Action: SUBMIT()"


def reply(action: str, diagnosis: Iterable[str] = ()) -> str:
    """One action, and the diagnosis if there is one."""
    return f"{_named(diagnosis)}Action: {action}"


def program(model: Model, diagnosis: Iterable[str]) -> str:
    """The whole program of a model, and the diagnosis if there is one."""
    return f"{_named(diagnosis)}```python\n{gurobipy_source(model).strip()}\n```"


def file(model: Model, diagnosis: Iterable[str] = ()) -> str:
    """A model as an LP file, and the diagnosis if there is one."""
    return f"{_named(diagnosis)}```lp\n{lp_text(model)}```"


Whole = tuple[Model, Iterable[str]]
"""A model, and what was wrong before."""


def script(replies: Iterator[str], whole: Callable[[], Whole]) -> Act:
    """Give the replies one by one, whatever is observed; after the last, submit.

    Where the first observation asks for a program or a file, give `whole()`, and then nothing.
    """
    chosen: tuple[Iterator[str], str] | None = None

    def act(observation: Observation) -> str:
        nonlocal chosen
        if chosen is None:
            write = next((w for phrase, w in _FORMS.items() if phrase in observation.text), None)
            chosen = (iter([write(*whole())]), "") if write else (replies, SUBMIT)
        return next(*chosen)

    return act


_FORMS = {WHOLE: program, FILE: file}


def repaired(model: Model, replies: Iterator[str]) -> Whole:
    """A model after all repairs of the replies, with every name diagnosed."""
    diagnosis: dict[str, None] = {}
    for text in replies:
        action = parse_action(text, model)
        diagnosis.update(dict.fromkeys(action.diagnosis))
        if isinstance(action, Action) and action.kind in REPAIR:
            after = apply_action(model, action)
            model = model if isinstance(after, Invalid) else after
    return model, diagnosis


@dataclass(frozen=True)
class Repairer:
    """Gives the replies that `replies` makes of a problem; `name` is what records call it."""

    replies: Callable[[Debugging], Iterator[str]]
    name: str

    def begin(self, instance: Instance[Any], seed: int, epoch: int) -> Act:
        """Make the replies one by one, when asked for."""
        problem: Debugging = instance.problem
        return script(self.replies(problem), lambda: repaired(problem.model, self.replies(problem)))


def _named(diagnosis: Iterable[str]) -> str:
    names = ", ".join(diagnosis)
    return f"Diagnosis: {names}\n" if names else ""


_own = OwnSolver()


def conflict(model: Model) -> Iis | None:
    """An IIS of the model; None where it is not infeasible."""
    return _own.solver.iis(model)


def shortfall(model: Model, iis: Iis, i: int, side: Side) -> float | None:
    """By how much a side of row i must move so that the IIS's rows can hold, alone.

    Signed as RELAX takes it, 0 where it need not; None where no move is enough. The other rows
    of the IIS and every bound are kept, the rest of the model is left aside.
    """
    kept = np.zeros(model.m, bool)
    kept[[row for row, _ in iis.rows if row != i]] = True
    index, value = model.row(i)
    gradient = np.zeros(model.n)
    gradient[index] = value
    alone = dataclasses.replace(
        model,
        maximize=side == Side.LOWER,
        objective=gradient,
        offset=0.0,
        row_lower=np.where(kept, model.row_lower, -INF),
        row_upper=np.where(kept, model.row_upper, INF),
    )
    solution = _own.solver.solve(alone)
    if solution.status != Status.OPTIMAL or solution.objective is None:
        return 0.0 if solution.status == Status.UNBOUNDED else None
    if side == Side.LOWER:
        return min(0.0, solution.objective - float(model.row_lower[i]))
    return max(0.0, solution.objective - float(model.row_upper[i]))


FIRM = 1000.0
"""How much dearer it is to move a side by its own size where the description states it, or that was
moved already. Not fitted: so large that sizes hardly count beside it."""

_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def contradictory_binaries(model: Model) -> NDArray[np.bool_]:
    """For each column, whether it is binary though its own bound allows more than 1."""
    return np.asarray(
        (model.types == VarType.BINARY) & (model.col_upper > 1) & (model.col_upper < INF)
    )


class StatedNumbers:
    """What an agent finds that compares the text of a problem with the model, number by number.

    It takes numbers for what they are, not for what they say: two sides with one number are alike.
    """

    def __init__(self, problem: Debugging) -> None:
        model = self._model = problem.model
        said = {float(n.replace(",", "").rstrip(".")) for n in _NUMBER.findall(problem.text)}
        sides = (model.row_lower, model.row_upper, model.col_lower, model.col_upper)
        used = np.abs(np.concatenate([*sides, model.value, model.objective]))
        self._stated = said | {number / 100 for number in said} | {0.0}
        self._left = sorted(said - set(used.tolist()))

    def weights(self) -> dict[str, float]:
        """Elastic weights by element: one over its size, times `FIRM` where it is stated.

        A binary column whose own bound allows more than 1 contradicts itself: that bound is soft.
        """
        found: dict[str, float] = {}
        for name, sides in self._elements():
            firm = all(abs(side) in self._stated for side in sides)
            found[name] = (FIRM if firm else 1.0) / max([1.0, *(abs(side) for side in sides)])
        return found

    def aim(self, old: float, side: Side, least: float) -> float | None:
        """Where to move a side that stood at `old` and must reach `least` or go beyond.

        The nearest number that the description has and the code has not; without one, nowhere
        (None: the side is invented, drop it) if `old` is not stated, else to `least`.
        """
        slip = SAME * max(1.0, abs(least))
        if side == Side.UPPER:
            beyond = [number for number in self._left if number >= least - slip]
        else:
            beyond = [number for number in reversed(self._left) if number <= least + slip]
        if beyond:
            return beyond[0]
        return least if abs(old) in self._stated else None

    def _elements(self) -> Iterator[tuple[str, list[float]]]:
        """Rows and bounds by name, each with its finite sides."""
        model = self._model
        sides = model.row_lower.tolist(), model.row_upper.tolist()
        for name, lower, upper in zip(model.row_names, *sides, strict=True):
            yield name, [side for side in (lower, upper) if math.isfinite(side)]
        uppers = np.where(contradictory_binaries(model), math.nan, model.col_upper).tolist()
        cols = zip(model.col_names, model.col_lower.tolist(), uppers, strict=True)
        for name, lower, upper in cols:
            yield f"{name}.lb", [lower] if math.isfinite(lower) else []
            yield f"{name}.ub", [upper] if upper != INF else []


KINDS = tuple(kind for kind in ActionKind if kind in DIAGNOSTIC | REPAIR)


@dataclass(frozen=True)
class Chance:
    """Draws an action, and what it needs, uniformly: a row, a column, a loosening of its side.

    A shift is a whole number, at most the side's size, so that whole numbers stay whole. Asked
    for the whole program, it gives back the one that it was shown.
    """

    def begin(self, instance: Instance[Any], seed: int, epoch: int) -> Act:
        """Seed the episode by (seed, instance, epoch)."""
        rng = generator(seed, f"random-policy/{instance.id}", epoch)
        model: Model = instance.problem.model
        return script(_chances(model, rng), lambda: (model, ()))


def _chances(model: Model, rng: np.random.Generator) -> Iterator[str]:
    while True:
        action = _draw(model, rng)
        yield reply(str(action))
        after = apply_action(model, action) if action.kind in REPAIR else model
        model = model if isinstance(after, Invalid) else after


def _draw(model: Model, rng: np.random.Generator) -> Action:
    kind = KINDS[int(rng.integers(len(KINDS)))]
    rows = [i for i in range(model.m) if model.is_live(i)]
    if kind is ActionKind.GET_IIS or not rows:
        return Action(ActionKind.GET_IIS)
    if kind is ActionKind.CHECK_BOUND:
        return Action(kind, model.col_names[int(rng.integers(model.n))])
    i = rows[int(rng.integers(len(rows)))]
    name = model.row_names[i]
    lower, upper = model.sides(i)
    side = upper if upper < INF else lower
    size = math.ceil(rng.integers(1, 101) / 100 * max(1.0, abs(side)))
    shift = float(size if upper < INF else -size)
    if kind is ActionKind.RELAX:
        return Action(kind, name, shift)
    if kind is ActionKind.REWRITE:
        moved = model.with_row_bounds(i, lower + shift, upper + shift)
        return Action(kind, name, expr=row_text(moved, i))
    return Action(kind, name)


def drop_everything(problem: Debugging) -> Iterator[str]:
    """Drop the rows of the IIS one by one, then those of the next; bounds where it has no rows."""
    model, names = problem.model, problem.iis_rows or problem.iis_bounds
    while True:
        dropped = False
        for name in names:
            action = Action(ActionKind.DROP, name)
            after = apply_action(model, action)
            if not isinstance(after, Invalid):
                yield reply(str(action), names)
                model, dropped = after, True
        iis = conflict(model) if dropped else None
        if iis is None:
            return
        names = iis.row_names(model) or iis.bound_names(model)


def greedy_iis(problem: Debugging) -> Iterator[str]:
    """Ask for the IIS and loosen one of its rows, again and again.

    The row is the one whose side must move least for the IIS to hold, weighed by the description's
    numbers, and these say how far it moves: see `StatedNumbers`. The rest of the model is not
    considered, so that the move may be too small, or uncover the next conflict.
    """
    model, reading = problem.model, StatedNumbers(problem)
    weights = reading.weights()
    while (iis := conflict(model)) is not None:
        yield reply("GET_IIS()")
        action = _smallest(model, iis, reading, weights)
        if action is None:
            return
        after = apply_action(model, action)
        if isinstance(after, Invalid):
            return
        yield reply(str(action), iis.row_names(model))
        model = after
        weights[action.target] *= FIRM  # else two equalities could pass one shift to and fro


def _smallest(
    model: Model, iis: Iis, reading: StatedNumbers, weights: Mapping[str, float]
) -> Action | None:
    """The move of least weight, the first of equals; None where no row helps."""
    best, least = None, INF
    for i, both in iis.rows:
        name = model.row_names[i]
        for side in (Side.LOWER, Side.UPPER) if both == Side.BOTH else (both,):
            delta = shortfall(model, iis, i, side)
            if delta and abs(delta) * weights[name] < least:
                least = abs(delta) * weights[name]
                old = float((model.row_lower if side == Side.LOWER else model.row_upper)[i])
                new = reading.aim(old, side, old + delta)
                best = (
                    Action(ActionKind.DROP, name)
                    if new is None
                    else Action(ActionKind.RELAX, name, new - old)
                )
    return best


def elastic(problem: Debugging) -> Iterator[str]:
    """Apply the cheapest repair of `oracle.repair`, one side a turn.

    Sides are weighed, and their new places chosen, by the description's numbers (`StatedNumbers`).
    """
    reading = StatedNumbers(problem)
    # Contradictory binary columns become integer ones up to 1: bounds can move, types cannot.
    model = problem.model
    soft = contradictory_binaries(model)
    types = np.where(soft, np.uint8(VarType.INTEGER), model.types)
    upper = np.where(soft, 1.0, model.col_upper)
    model = dataclasses.replace(model, types=types, col_upper=upper)
    repairs: list[Repair] = []
    with suppress(SolverError):  # nothing settled, nothing proposed
        repairs = minimal_repairs(model, weights=reading.weights(), limit=1)
    shifts = repairs[0].shifts if repairs else ()
    actions = (a for shift in shifts for a in _actions_of(problem.model, reading, shift))
    for place, action in enumerate(actions):
        yield reply(action, () if place else problem.iis_rows or problem.iis_bounds)


def _actions_of(model: Model, reading: StatedNumbers, shift: Shift) -> Iterator[str]:
    """What makes the shift; a binary column that must leave [0, 1] becomes an integer one."""
    target = shift.target
    if target not in model.rows and model.types[model.cols[target[:-3]]] == VarType.BINARY:
        yield f"REWRITE({target[:-3]}.type, INTEGER)"
        return
    new = reading.aim(shift.old, shift.side, shift.new)
    yield f"DROP({target})" if new is None else f"RELAX({target}, {number(new - shift.old)})"


@dataclass(frozen=True)
class GoldRepair:
    """Names the recorded IIS, then applies the recorded fix action by action.

    Asked for the whole program or a file, it gives the original's.
    """

    def begin(self, instance: Instance[Any], seed: int, epoch: int) -> Act:
        """Write the script."""
        problem: Debugging = instance.problem
        iis = problem.faults
        return script(
            (reply(action, () if place else iis) for place, action in enumerate(problem.fix)),
            lambda: (problem.original_model, iis),
        )


def policies() -> Mapping[str, Policy]:
    """The policies by name; "heuristic" is the elastic repair."""
    return {
        "gold": GoldRepair(),
        "noop": NoOp(),
        "random": Chance(),
        "drop-everything": Repairer(drop_everything, "DropEverything"),
        "greedy-iis": Repairer(greedy_iis, "GreedyIis"),
        "elastic": Repairer(elastic, "Elastic"),
        "heuristic": Repairer(elastic, "Elastic"),
    }
