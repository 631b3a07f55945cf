"""Changes of whole models that no single action makes: tidying, inserting, renaming."""

import dataclasses
from collections.abc import Mapping

import numpy as np

from ordojo.milp.model import INF, Model


def tidy(model: Model) -> Model:
    """A copy whose rows have their columns in ascending order, as parsed constraints do."""
    order = np.lexsort((model.index, model.entry_rows))
    return dataclasses.replace(model, index=model.index[order], value=model.value[order])


def insert_row(
    model: Model, at: int, name: str, terms: Mapping[int, float], lower: float, upper: float
) -> Model:
    """A copy with one more row before row `at`; `terms` are coefficients by column number."""
    index = np.array(sorted(terms), np.int32)
    value = np.array([terms[j] for j in sorted(terms)], np.float64)
    place = int(model.starts[at])
    starts = np.concatenate([model.starts[: at + 1], model.starts[at:] + len(index)])
    return dataclasses.replace(
        model,
        row_names=(*model.row_names[:at], name, *model.row_names[at:]),
        row_lower=np.insert(model.row_lower, at, lower),
        row_upper=np.insert(model.row_upper, at, upper),
        starts=starts.astype(np.int32),
        index=np.concatenate([model.index[:place], index, model.index[place:]]).astype(np.int32),
        value=np.concatenate([model.value[:place], value, model.value[place:]]),
    )


def flipped(model: Model, i: int) -> Model:
    """A copy in which row i, an inequality, points the other way."""
    low, up = float(model.row_lower[i]), float(model.row_upper[i])
    return model.with_row_bounds(i, -INF, low) if low > -INF else model.with_row_bounds(i, up, INF)


def is_inequality(model: Model, i: int) -> bool:
    """Whether row i has exactly one side."""
    return bool((model.row_lower[i] > -INF) != (model.row_upper[i] < INF))


def is_equation(model: Model, i: int) -> bool:
    """Whether row i fixes its activity."""
    return bool(model.row_lower[i] == model.row_upper[i])


def with_side(model: Model, i: int, rhs: float) -> Model:
    """A copy in which row i, an inequality or an equation, has another right-hand side."""
    low = rhs if model.row_lower[i] > -INF else -INF
    up = rhs if model.row_upper[i] < INF else INF
    return model.with_row_bounds(i, low, up)


def with_bound(model: Model, j: int, side: str, value: float) -> Model:
    """A copy in which column j's bound "lb" or "ub" is `value`."""
    if side == "lb":
        return model.with_col_bounds(j, value, float(model.col_upper[j]))
    return model.with_col_bounds(j, float(model.col_lower[j]), value)
