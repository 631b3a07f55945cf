"""Pairs of models whose relation is known: rewritten copies, and small changes."""

import dataclasses
from collections.abc import Callable

import numpy as np
from numpy.random import Generator

from ordojo.core.seeds import generator
from ordojo.milp.model import INF, Floats, Model, VarType

from .cases import random_model


def from_dense(model: Model, dense: Floats, **changes: object) -> Model:
    """The model with this m x n matrix, and other changes."""
    rows = np.nonzero(dense)
    starts = np.concatenate([[0], np.cumsum((dense != 0).sum(axis=1))]).astype(np.int32)
    parts = {"starts": starts, "index": rows[1].astype(np.int32), "value": dense[rows]}
    return dataclasses.replace(model, **{**parts, **changes})  # type: ignore[arg-type]


def dense_of(model: Model) -> Floats:
    """The m x n matrix."""
    dense = np.zeros((model.m, model.n))
    dense[model.entry_rows, model.index] = model.value
    return dense


def permuted(model: Model, rng: Generator) -> Model:
    """Rows and columns in another order, under other names."""
    cols, rows = rng.permutation(model.n), rng.permutation(model.m)
    return from_dense(
        model,
        dense_of(model)[rows][:, cols],
        objective=model.objective[cols],
        col_names=tuple(f"v{k}" for k in range(model.n)),
        col_lower=model.col_lower[cols],
        col_upper=model.col_upper[cols],
        types=model.types[cols],
        row_names=tuple(f"e{k}" for k in range(model.m)),
        row_lower=model.row_lower[rows],
        row_upper=model.row_upper[rows],
    )


def rescaled(model: Model, rng: Generator) -> Model:
    """Rows times a number of either sign, and max for min."""
    by = rng.choice([-3.0, -1.0, 0.1, 1.0, 7.0, 1 / 3, 1000.0], model.m)
    low, up = model.row_lower * np.abs(by), model.row_upper * np.abs(by)
    turned = by < 0
    found = dataclasses.replace(
        model,
        value=model.value * by[model.entry_rows],
        row_lower=np.where(turned, -up, low),
        row_upper=np.where(turned, -low, up),
    )
    if rng.random() < 0.5:
        return dataclasses.replace(
            found, maximize=not found.maximize, objective=-found.objective, offset=-found.offset
        )
    return found


def in_other_units(model: Model, rng: Generator) -> Model:
    """Continuous columns in other units; columns with an end from other origins."""
    plain = model.types == VarType.CONTINUOUS
    unit = np.where(plain, rng.choice([0.001, 0.5, 1.0, 12.0, 1000.0], model.n), 1.0)
    ended = np.isfinite(model.col_lower) | np.isfinite(model.col_upper)
    movable = ended & (model.types != VarType.BINARY)
    origin = np.where(movable, rng.integers(-4, 5, model.n) * 1.0, 0.0)
    moved = np.bincount(model.entry_rows, model.value * origin[model.index], model.m)
    return dataclasses.replace(
        model,
        value=model.value * unit[model.index],
        objective=model.objective * unit,
        offset=model.offset + float(model.objective @ origin),
        col_lower=(model.col_lower - origin) / unit,
        col_upper=(model.col_upper - origin) / unit,
        row_lower=model.row_lower - moved,
        row_upper=model.row_upper - moved,
    )


def with_slacks(model: Model, rng: Generator) -> Model:
    """Some inequalities as equalities, each with a slack or surplus column of its own."""
    for i in rng.permutation(model.m)[: 1 + model.m // 2].tolist():
        low, up = float(model.row_lower[i]), float(model.row_upper[i])
        if low == up or not len(model.row(i)[0]):
            continue
        name = f"s{i}_{model.n}"
        side, sign, room = (low, -1.0, up - low) if low > -INF else (up, 1.0, up - low)
        if abs(side) == INF:
            continue
        factor = float(rng.choice([1.0, 2.0, 0.25]))
        index, value = model.row(i)
        model = model.with_new_col(name, 0.0, room / factor).with_row(
            i, [*index.tolist(), model.n], [*value.tolist(), sign * factor], side, side
        )
    return model


def with_clutter(model: Model, rng: Generator) -> Model:
    """Repeated rows, rows that bound a column, rows without terms or sides, a fixed column."""
    i = int(rng.integers(model.m))
    index, value = model.row(i)
    low, up = float(model.row_lower[i]), float(model.row_upper[i])
    if len(index):
        model = model.with_new_row("again", index.tolist(), (2 * value).tolist(), 2 * low, 2 * up)
    model = model.with_new_row("nothing", [], [], -1.0, 4.0)
    model = model.with_new_row("no sides", [0, 1], [1.0, 1.0], -INF, INF)
    j = int(rng.integers(model.n))
    low, up = (float(side[j]) for side in model.effective_bounds)
    if model.types[j] != VarType.BINARY:
        model = model.with_new_row("bound", [j], [-2.0], -2 * up, -2 * low)
        model = model.with_col_bounds(j, -INF, INF)
    model = model.with_new_col("fixed", 3.0, 3.0, cost=2.0)
    k = int(rng.integers(model.m - 4)) if model.m > 4 else 0
    index, value = model.row(k)
    if len(index) < 2:
        return dataclasses.replace(model, offset=model.offset - 6.0)
    sides = float(model.row_lower[k]) + 15.0, float(model.row_upper[k]) + 15.0
    model = model.with_row(k, [*index.tolist(), model.n - 1], [*value.tolist(), 5.0], *sides)
    return dataclasses.replace(model, offset=model.offset - 6.0)


REWRITES: dict[str, Callable[[Model, Generator], Model]] = {
    "permuted": permuted,
    "rescaled": rescaled,
    "units": in_other_units,
    "slacks": with_slacks,
    "clutter": with_clutter,
}


def changed(model: Model, rng: Generator) -> tuple[str, Model]:
    """A copy with one number, type, sense or row changed: what changed, and the copy."""
    kind = str(rng.choice(["coefficient", "side", "cost", "bound", "type", "sense", "drop", "row"]))
    entry, j = int(rng.integers(model.nonzeros)), int(rng.integers(model.n))
    i = int(model.entry_rows[entry])
    low, up = float(model.row_lower[i]), float(model.row_upper[i])
    step = float(rng.choice([1.0, -1.0, 0.5, 1e-3]))
    if kind == "coefficient":
        value = model.value.copy()
        value[entry] += step if value[entry] + step != 0 else 2 * step
        return kind, dataclasses.replace(model, value=value)
    if kind == "side":
        return kind, model.with_row_bounds(i, low + step, up + step)
    if kind == "cost":
        cost = model.objective.copy()
        cost[j] += step
        return kind, dataclasses.replace(model, objective=cost)
    if kind == "bound":
        up_j = float(model.effective_bounds[1][j])
        return kind, model.with_col_bounds(j, -INF, up_j - 1.0 if up_j < INF else 50.0)
    if kind == "type":
        plain = model.types[j] == VarType.CONTINUOUS
        lower, upper = (float(side[j]) for side in model.effective_bounds)
        copy = model.with_type(j, VarType.INTEGER if plain else VarType.CONTINUOUS)
        return kind, copy.with_col_bounds(j, lower, upper)
    if kind == "sense":
        return kind, dataclasses.replace(model, maximize=not model.maximize)
    if kind == "drop":
        return kind, model.without_row(i)
    if low == up:
        return kind, model.with_row_bounds(i, low, INF)
    return kind, model.with_row_bounds(i, low, low) if low > -INF else (
        model.with_row_bounds(i, up, up)
    )


def feasible(model: Model, rng: Generator) -> Model:
    """The model with its sides moved so that a random whole point keeps them."""
    low, up = model.effective_bounds
    x = np.clip(rng.integers(0, 4, model.n), np.maximum(low, -9), np.minimum(up, 9))
    at, room = model.activities(x), rng.integers(0, 6, model.m)
    equal = model.row_lower == model.row_upper
    return dataclasses.replace(
        model,
        row_lower=np.where(equal, at, np.where(model.row_lower > -INF, at - room, -INF)),
        row_upper=np.where(equal, at, np.where(model.row_upper < INF, at + room, INF)),
    )


@dataclasses.dataclass(frozen=True)
class Pair:
    """Two models: `change` names what was changed before the rewrites, "" for nothing."""

    one: Model
    other: Model
    change: str
    changed: Model
    rewrites: tuple[str, ...]


def pair(k: int) -> Pair:
    """Pair number k: three in five only rewritten, two changed in one place and rewritten."""
    rng = generator(7, "equivalence-pairs", k)
    one = random_model(rng, bool(k % 2))
    if k % 6:
        one = feasible(one, rng)
    while not one.nonzeros:
        one = random_model(rng, bool(k % 2))
    names = [name for name in REWRITES if rng.random() < 0.5] or ["permuted"]
    rng.shuffle(names)
    change, other = changed(one, rng) if k % 5 >= 3 else ("", one)
    base = other
    for name in names:
        other = REWRITES[name](other, rng)
    return Pair(one, other, change, base, tuple(names))
