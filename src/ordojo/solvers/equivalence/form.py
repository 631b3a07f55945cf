"""A reduced model as arrays in a form that units, signs and origins do not change."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ordojo.milp.model import INF, Floats, VarType
from ordojo.solvers.equivalence.reduce import ROUNDING, ReducedModel

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]

_ROUNDS = 100
"""Passes in which units spread over rows and columns: a chain of so many is not met; what is then
without a unit keeps its own, and two such models may stay undecided."""


@dataclass(frozen=True, eq=False)
class StandardForm:
    """n columns and m rows; column `cols[j]` of the model is scale[j] times ours, plus shift[j].

    `low`, `up`, `cost` (n) are those of our columns; each bounded one has an end at 0. Entries are
    (entry_row, entry_col, coef), by rows, each row's largest being 1 in size. A row with a single
    finite side has the upper one, an equality a positive one; `two_faced` rows look the same with
    all signs turned. `offset` is the objective's, from the new origins, summed from terms of
    `offset_size`.
    """

    cols: Numbers
    rows: Numbers
    kind: Numbers
    cost: Floats
    low: Floats
    up: Floats
    scale: Floats
    shift: Floats
    entry_row: Numbers
    entry_col: Numbers
    coef: Floats
    row_low: Floats
    row_up: Floats
    two_faced: Flags
    offset: float
    offset_size: float


def form_of(state: ReducedModel, scaled: bool) -> StandardForm:
    """The form of what is left; `scaled`: the units of continuous columns do not count either."""
    cols = np.array(sorted(state.cols), np.int64)
    rows = np.array(sorted(state.rows), np.int64)
    place = {j: k for k, j in enumerate(cols.tolist())}
    kept = [state.rows[i] for i in rows.tolist()]
    row = np.repeat(np.arange(len(rows)), [len(terms) for terms in kept]).astype(np.int64)
    col = np.array([place[j] for terms in kept for j in terms], np.int64)
    coef = np.array([a for terms in kept for a in terms.values()], np.float64)
    kind, low, up, cost, row_low, row_up, size = (
        np.array(values, np.float64)[at]
        for values, at in (
            (state.kind, cols),
            (state.low, cols),
            (state.up, cols),
            (state.cost, cols),
            (state.row_low, rows),
            (state.row_up, rows),
            (state.size, rows),
        )
    )
    # Origins: a finite end at zero, the lower one where there are two.
    whole = kind >= VarType.SEMICONTINUOUS
    flip = ~whole & (low == -INF) & (up < INF)
    shift = np.where(whole, 0.0, np.where(low > -INF, low, np.where(up < INF, up, 0.0)))
    scale = np.where(flip, -1.0, 1.0)
    low, up = np.where(flip, shift - up, low - shift), np.where(flip, -low + shift, up - shift)
    moved = coef * shift[col]
    by = np.bincount(row, moved, len(rows))
    size = np.maximum(size, np.bincount(row, np.abs(moved), len(rows)))
    row_low, row_up = row_low - by, row_up - by
    for side in (row_low, row_up):
        side[np.abs(side) <= ROUNDING * size] = 0.0
    equal = (row_up < INF) & (np.abs(row_up - row_low) <= ROUNDING * size)
    row_low = np.where(equal, row_up, row_low)
    by_origin = cost * shift
    coef, cost = coef * scale[col], cost * scale
    if scaled:
        units = _units(kind, cost, low, up, row, col, coef, row_low, row_up)
        scale, coef, cost, up = scale * units, coef * units[col], cost * units, up / np.abs(units)
    # Rows: the largest coefficient 1, one finite side the upper one, a positive equality.
    top = _largest(row, np.abs(coef), len(rows))
    top[top == 0] = 1.0
    with np.errstate(invalid="ignore"):
        middle = row_low + row_up
    turn = (row_up == INF) | ((row_low > -INF) & (middle < -ROUNDING * size))
    two = (row_low > -INF) & (row_up < INF) & (np.abs(middle) <= ROUNDING * size)
    factor = np.where(turn, -1.0, 1.0) / top
    sides = row_low * factor, row_up * factor
    return StandardForm(
        cols=cols,
        rows=rows,
        kind=kind.astype(np.int64),
        cost=cost,
        low=low,
        up=up,
        scale=scale,
        shift=shift,
        entry_row=row,
        entry_col=col,
        coef=coef * factor[row],
        row_low=np.where(turn, sides[1], sides[0]),
        row_up=np.where(turn, sides[0], sides[1]),
        two_faced=two,
        offset=state.offset + float(by_origin.sum()),
        offset_size=max(state.offset_size, float(np.abs(by_origin).max(initial=0.0))),
    )


def _units(
    kind: Floats,
    cost: Floats,
    low: Floats,
    up: Floats,
    row: Numbers,
    col: Numbers,
    coef: Floats,
    row_low: Floats,
    row_up: Floats,
) -> Floats:
    """A unit (n) for each continuous column, from what it touches and not from its own numbers.

    Its cost or its range is 1; else its largest coefficient, in rows whose own unit is known: from
    a side, or from columns already settled. What hangs on nothing keeps its largest coefficient.
    """
    n, m = len(kind), len(row_low)
    units = np.ones(n)
    fixed = kind != VarType.CONTINUOUS
    by_cost = ~fixed & (cost != 0)
    units[by_cost] = 1 / np.abs(cost[by_cost])
    units[by_cost & (low == -INF) & (cost < 0)] *= -1
    by_range = ~fixed & ~by_cost & (up < INF) & (up > 0)
    units[by_range] = up[by_range]
    known = fixed | by_cost | by_range
    side = np.maximum(
        np.where(np.isfinite(row_low), np.abs(row_low), 0.0),
        np.where(np.isfinite(row_up), np.abs(row_up), 0.0),
    )
    settled = side > 0
    row_unit = np.where(settled, side, 1.0)
    for _ in range(_ROUNDS):
        new_rows = _largest(row[known[col]], np.abs(coef * units[col])[known[col]], m)
        fresh = ~settled & (new_rows > 0)
        row_unit[fresh] = new_rows[fresh]
        settled = settled | fresh
        inside = settled[row] & ~known[col]
        new_cols = _largest(col[inside], (np.abs(coef) / row_unit[row])[inside], n)
        found = ~known & (new_cols > 0)
        units[found] = 1 / new_cols[found]
        known = known | found
        if not (fresh.any() or found.any()):
            if known.all():
                break
            loose = _largest(col, np.abs(coef), n)
            units[~known & (loose > 0)] = 1 / loose[~known & (loose > 0)]
            break
    return units


def _largest(at: Numbers, values: Floats, count: int) -> Floats:
    found = np.zeros(count)
    np.maximum.at(found, at, values)
    return found
