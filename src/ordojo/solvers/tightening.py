"""What follows without a solve: bounds from rows, sides of whole numbers, answers from bounds."""

from dataclasses import replace

import numpy as np

from ordojo.milp.model import INF, Floats, Model
from ordojo.milp.tolerances import FEASIBILITY, SAME, WHOLE
from ordojo.solvers.answers import Status
from ordojo.solvers.problem import Problem

DIGITS = 4
"""Decimals of a coefficient; one of more is taken as a measured number."""


def steps(model: Model) -> Floats:
    """For each row (m) the number of which its activity is a multiple; 0 where it is any real."""
    found = np.zeros(model.m)
    filled = np.flatnonzero(np.diff(model.starts))
    whole = model.whole[model.index]
    for digits in range(DIGITS + 1):
        scaled = model.value * 10.0**digits
        near = np.rint(scaled)
        wrong = ~whole | (np.abs(scaled - near) > SAME) | (np.abs(near) > 1e12)
        good = np.bincount(model.entry_rows[wrong], minlength=model.m)[filled] == 0
        if len(filled):
            # Of a row of one coefficient `reduceat` gives this itself, so that none may be below 0.
            sizes = np.where(wrong, 0.0, np.abs(near)).astype(int)
            divisors = np.gcd.reduceat(sizes, model.starts[filled])
            first = good & (found[filled] == 0)
            found[filled[first]] = divisors[first] / 10.0**digits
    return found


def tight(model: Model) -> Model:
    """The model with sides and bounds drawn in to what whole numbers can add up to."""
    if not model.whole.any():
        return model
    step, one = steps(model), (model.whole & ~model.semi).astype(float)
    low, up = model.effective_bounds
    return replace(
        model,
        row_lower=-inward(-model.row_lower, step),
        row_upper=inward(model.row_upper, step),
        col_lower=-inward(-low, one),
        col_upper=inward(up, one),
    )


def inward(upper: Floats, step: Floats) -> Floats:
    """The largest multiple of each step that is no more than the side, or so near above it."""
    with np.errstate(all="ignore"):
        multiple = step * np.floor(upper / step + WHOLE * np.maximum(1.0, 1.0 / step))
        return np.where((step > 0) & np.isfinite(upper), np.round(multiple, DIGITS + 2), upper)


ROUNDS = 6
"""Rounds of propagation: bounds of chained rows come within a few, and a chain that creeps (x <= y,
y <= 0.9 x) would go on for ever for ever smaller gains."""


def tightened(model: Model, rounds: int = ROUNDS) -> tuple[Floats, Floats]:
    """Column bounds (n, n) from the rows' activities, by `rounds` of propagation.

    Semicontinuous columns may be zero, too. Crossed bounds may come back for infeasible models.
    """
    low, up, integral = *model.hull, model.whole
    rows, cols, value = model.entry_rows, model.index, model.value
    used = value != 0
    rows, cols, value = rows[used], cols[used], value[used]
    positive = value > 0
    for _ in range(rounds):
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
        new_up = np.where(new_up < up, new_up + FEASIBILITY * np.maximum(1, np.abs(new_up)), up)
        new_low = np.where(
            new_low > low, new_low - FEASIBILITY * np.maximum(1, np.abs(new_low)), low
        )
        new_up = np.where(integral, np.floor(new_up + WHOLE), new_up)
        new_low = np.where(integral, np.ceil(new_low - WHOLE), new_low)
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


_FIXED = 50
"""Times that rows of one free column are taken for bounds, which may fix a column anew."""


@np.errstate(all="ignore")  # a program's numbers may be beyond what floats hold
def follows_from_bounds(problem: Problem, status: Status, objective: float | None) -> bool:
    """Whether a solve's ending and objective are those of the bounds alone.

    A row of one column is a bound, and a column between equal bounds is a constant. An optimum is
    trivial where the objective's columns are constants, and where they can stand at their best
    bounds while all others are as near to 0 as theirs allow: other rows then play no part. So it is
    where bounds and constants contradict each other. A quadratic or hierarchical optimum, and an
    unbounded one, are trivial if there are no other rows or constraints.
    """
    model = problem.model
    low, up, free, met = _bounds(model, problem.settings.relaxed)
    if not met:
        return status in (Status.INFEASIBLE, Status.INFEASIBLE_OR_UNBOUNDED)
    others = problem.parts
    if status in (Status.UNBOUNDED, Status.INFEASIBLE_OR_UNBOUNDED):
        return not (free or others)
    if status != Status.OPTIMAL or objective is None:
        return False
    if problem.quadratic or problem.objectives:
        return not (free or others)
    worth = -model.objective if model.maximize else model.objective
    used = worth != 0
    if np.all((low == up)[used]):
        return True
    point = np.where(worth > 0, low, np.where(used, up, np.clip(0.0, low, up)))
    if others or not np.all(np.isfinite(point)):
        return False
    rows = model.activities(point)
    slack = WHOLE * np.maximum(1.0, np.abs(rows))
    fits = (rows >= model.row_lower - slack) & (rows <= model.row_upper + slack)
    best = float(model.objective @ point) + model.offset
    return bool(fits.all() and abs(best - objective) <= SAME * max(1.0, abs(objective)))


def _bounds(model: Model, relaxed: bool) -> tuple[Floats, Floats, bool, bool]:
    """The bounds with rows of one free column in them, whether there are rows of several free
    columns, and whether bounds and rows without any can be met.
    """
    low, up = (np.array(ends, dtype=float) for ends in model.hull)
    whole = model.whole & (not relaxed)
    rows, index, value = model.entry_rows, model.index, model.value
    live = value != 0
    rows, index, value = rows[live], index[live], value[live]
    left = np.ones(model.m, dtype=bool)
    for _ in range(_FIXED):
        low[whole], up[whole] = np.ceil(low[whole] - WHOLE), np.floor(up[whole] + WHOLE)
        fixed = low == up
        open_ = ~fixed[index]
        count = np.bincount(rows[open_], minlength=model.m)
        # What constants add up to in each row.
        given = np.bincount(rows[~open_], (value * low[index])[~open_], minlength=model.m)
        single = left & (count == 1)
        if not single.any():
            break
        left &= ~single
        picked = open_ & single[rows]
        row, col, factor = rows[picked], index[picked], value[picked]
        ends = [(side[row] - given[row]) / factor for side in (model.row_lower, model.row_upper)]
        least, most = (np.where((factor > 0) == first, *ends) for first in (True, False))
        np.maximum.at(low, col, least)
        np.minimum.at(up, col, most)
    slack = WHOLE * np.maximum(1.0, np.abs(given))
    missed = (given < model.row_lower - slack) | (given > model.row_upper + slack)
    met = not ((left & (count == 0) & missed).any() or (low > up + WHOLE).any())
    return low, up, bool((left & (count > 1)).any()), met
