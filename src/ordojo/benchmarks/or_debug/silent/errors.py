"""One error in a true problem: its sign, coefficient, row, sense, type, goal term, or unit."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from ordojo.benchmarks.or_debug.actions import Action, ActionKind
from ordojo.benchmarks.or_debug.injection.candidate import (
    InjectionCandidate,
    Source,
    flipped,
    insert_row,
    is_inequality,
    restore_row,
    restore_type,
    with_side,
)
from ordojo.benchmarks.or_debug.silent.stated import GOAL, SPARE, reordered
from ordojo.benchmarks.or_debug.telling.figures import FACTORS
from ordojo.milp.algebra import row_text
from ordojo.milp.model import Model, VarType

SilentError = Callable[[Source, np.random.Generator], InjectionCandidate | None]
"""Puts an error into a true problem; None where it has no place for one."""


def _entries(model: Model, goal: bool) -> list[tuple[int, int]]:
    """(row, place in the row) of every coefficient, in the goal row or in the others."""
    there = model.cols[GOAL]
    return [
        (i, k)
        for i in range(model.m)
        for index in [model.row(i)[0].tolist()]
        if (there in index) == goal and len(index) > 1
        for k, j in enumerate(index)
        if j != there
    ]


def _recoefficient(
    source: Source,
    rng: np.random.Generator,
    new: Callable[[Model, int, float, np.random.Generator], float],
    goal: bool = False,
) -> InjectionCandidate | None:
    """Another coefficient, `new` of model, column and old one; 0 takes the term out."""
    model = source.model
    places = _entries(model, goal)
    if not places:
        return None
    i, k = places[int(rng.integers(len(places)))]
    index, value = (part.tolist() for part in model.row(i))
    value[k] = round(new(model, index[k], value[k], rng), 9)
    terms = [(j, v) for j, v in zip(index, value, strict=True) if v]
    sides = float(model.row_lower[i]), float(model.row_upper[i])
    broken = model.with_row(i, [j for j, _ in terms], [v for _, v in terms], *sides)
    return _in_row(source, broken, i)


def _in_row(source: Source, broken: Model, i: int) -> InjectionCandidate:
    fix = restore_row(source.model, broken, i)
    return InjectionCandidate(source, broken, (fix.target,), (fix,), "")


def _near(model: Model, j: int, old: float, rng: np.random.Generator) -> float:
    """A coefficient on the grid of its column, from a third to three times the old one."""
    sizes = np.abs(model.value[model.index == j])
    step = float(np.gcd.reduce(np.round(sizes).astype(np.int64))) if (sizes % 1 == 0).all() else 0.5
    steps = max(2, round(abs(old) / step))
    fits = [n for n in range(max(1, steps // 3), 3 * steps + 1) if n * step != abs(old)]
    return float(np.sign(old)) * step * fits[int(rng.integers(len(fits)))]


def _scaled(model: Model, j: int, old: float, rng: np.random.Generator) -> float:
    factor = FACTORS[int(rng.integers(len(FACTORS)))]
    return old * factor if rng.random() < 0.5 else old / factor


def _unit(source: Source, rng: np.random.Generator) -> InjectionCandidate | None:
    """A coefficient in another unit, or a row's side."""
    if rng.random() < 0.5:
        return _recoefficient(source, rng, _scaled, bool(rng.random() < 0.3))
    model = source.model
    rows = [i for i in range(model.m) if is_inequality(model, i)]
    i = rows[int(rng.integers(len(rows)))]
    low, up = float(model.row_lower[i]), float(model.row_upper[i])
    side = low if np.isfinite(low) else up
    if not side:
        return None
    return _in_row(source, with_side(model, i, round(_scaled(model, 0, side, rng), 9)), i)


def _lost(model: Model, j: int, old: float, rng: np.random.Generator) -> float:
    """No term, or one that is not its column's."""
    return 0.0 if rng.random() < 0.5 else _near(model, j, old, rng)


def _turned(source: Source, rng: np.random.Generator) -> InjectionCandidate | None:
    model = source.model
    rows = [i for i in range(model.m) if is_inequality(model, i)]
    i = rows[int(rng.integers(len(rows)))]
    return _in_row(source, flipped(model, i), i)


def _missing(source: Source, rng: np.random.Generator) -> InjectionCandidate | None:
    """A row is not there; the true problem has it in the place of the empty one."""
    model = source.model
    rows = [i for i in range(model.m) if is_inequality(model, i)]
    i = rows[int(rng.integers(len(rows)))]
    index, value = (part.tolist() for part in model.row(i))
    rest = reordered(model, [k for k in range(model.m - 1) if k != i])
    rest = rest.renamed({name: f"r{k + 1}" for k, name in enumerate(rest.row_names)})
    sides = float(model.row_lower[i]), float(model.row_upper[i])
    terms = dict(zip(index, value, strict=True))
    whole = insert_row(rest, rest.m, SPARE, terms, *sides)
    broken = insert_row(rest, rest.m, SPARE, {}, -np.inf, np.inf)
    fix = Action(ActionKind.REWRITE, SPARE, expr=row_text(whole, whole.m - 1))
    return InjectionCandidate(replace(source, model=whole), broken, (SPARE,), (fix,), "")


def _untyped(source: Source, rng: np.random.Generator) -> InjectionCandidate | None:
    model = source.model
    whole = [j for j in range(model.n) if model.types[j] == VarType.INTEGER]
    if not whole:
        return None
    j = whole[int(rng.integers(len(whole)))]
    broken, fix = model.with_type(j, VarType.CONTINUOUS), restore_type(model, j)
    return InjectionCandidate(source, broken, (fix.target,), (fix,), "")


ERRORS: Mapping[str, SilentError] = {
    "sign": lambda source, rng: _recoefficient(source, rng, lambda _m, _j, old, _r: -old),
    "coefficient": partial(_recoefficient, new=_near),
    "row": _missing,
    "sense": _turned,
    "integrality": _untyped,
    "goal": partial(_recoefficient, new=_lost, goal=True),
    "unit": _unit,
}
"""How each kind of error is made."""
