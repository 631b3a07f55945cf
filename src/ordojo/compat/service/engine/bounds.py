"""Bounds that rows imply, so that every constant in a rewriting is as small as it can be."""

import numpy as np

from ordojo.milp.model import INF, Floats, Model, VarType

ROUNDS = 6


def tightened(model: Model) -> tuple[Floats, Floats]:
    """Column bounds (n, n) from the rows' activities, by a few rounds of propagation.

    Semicontinuous columns may be zero, too. Crossed bounds may come back for infeasible models.
    """
    low, up = (np.array(side) for side in model.effective_bounds)
    semi = model.types >= VarType.SEMICONTINUOUS
    low, up = np.where(semi, np.minimum(low, 0.0), low), np.where(semi, np.maximum(up, 0.0), up)
    integral = (model.types != VarType.CONTINUOUS) & (model.types != VarType.SEMICONTINUOUS)
    rows, cols, value = model.entry_rows, model.index, model.value
    used = value != 0
    rows, cols, value = rows[used], cols[used], value[used]
    positive = value > 0
    for _ in range(ROUNDS):
        least = value * np.where(positive, low[cols], up[cols])
        most = value * np.where(positive, up[cols], low[cols])
        rest_least = _without(rows, least, model.m)
        rest_most = _without(rows, most, model.m)
        with np.errstate(invalid="ignore", over="ignore"):
            above = (model.row_upper[rows] - rest_least) / value
            below = (model.row_lower[rows] - rest_most) / value
        tops, floors = np.where(positive, above, below), np.where(positive, below, above)
        new_up, new_low = up.copy(), low.copy()
        np.minimum.at(new_up, cols, np.where(np.isnan(tops), INF, tops))
        np.maximum.at(new_low, cols, np.where(np.isnan(floors), -INF, floors))
        # Room for the solver's tolerances, so that nothing is cut off.
        new_up = np.where(new_up < up, new_up + 1e-7 * np.maximum(1, np.abs(new_up)), up)
        new_low = np.where(new_low > low, new_low - 1e-7 * np.maximum(1, np.abs(new_low)), low)
        new_up = np.where(integral, np.floor(new_up + 1e-6), new_up)
        new_low = np.where(integral, np.ceil(new_low - 1e-6), new_low)
        new_up, new_low = np.minimum(new_up, up), np.maximum(new_low, low)
        same = np.array_equal(new_up, up) and np.array_equal(new_low, low)
        low, up = new_low, new_up
        if same:
            break
    return low, up


def _without(rows: np.ndarray[tuple[int], np.dtype[np.int32]], parts: Floats, m: int) -> Floats:
    """For each entry the sum of the others of its row, infinite where one of them is."""
    endless = ~np.isfinite(parts)
    finite = np.where(endless, 0.0, parts)
    sums = np.bincount(rows, finite, m)
    counts = np.bincount(rows, endless.astype(np.float64), m)
    others = counts[rows] - endless
    signs = np.bincount(rows, np.where(endless, np.sign(parts), 0.0), m)
    direction = np.sign(signs[rows] - np.where(endless, np.sign(parts), 0.0))
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(others > 0, direction * INF, sums[rows] - finite))
