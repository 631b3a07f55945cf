"""Whether a problem's answer follows from bounds and constants alone, so that no row takes part."""

import numpy as np

from ordojo.milp.model import Floats, Model, VarType
from ordojo.solvers.answers import Status
from ordojo.solvers.problem import Problem

_ROUNDS = 50
"""Times that rows of one free column are taken for bounds, which may fix a column anew."""
_SAME = 1e-9
"""How far, relative to its size, an optimum may lie from what the bounds alone give."""
_WHOLE = 1e-6
"""How far from a whole number a bound of an integer column may lie."""


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
    slack = _WHOLE * np.maximum(1.0, np.abs(rows))
    fits = (rows >= model.row_lower - slack) & (rows <= model.row_upper + slack)
    best = float(model.objective @ point) + model.offset
    return bool(fits.all() and abs(best - objective) <= _SAME * max(1.0, abs(objective)))


def _bounds(model: Model, relaxed: bool) -> tuple[Floats, Floats, bool, bool]:
    """The bounds with rows of one free column in them, whether there are rows of several free
    columns, and whether bounds and rows without any can be met.
    """
    low, up = (np.array(ends, dtype=float) for ends in model.effective_bounds)
    whole = np.isin(model.types, (VarType.INTEGER, VarType.BINARY)) & (not relaxed)
    loose = np.isin(model.types, (VarType.SEMICONTINUOUS, VarType.SEMIINTEGER)) & (not relaxed)
    low[loose] = np.minimum(low[loose], 0.0)
    rows, index, value = model.entry_rows, model.index, model.value
    live = value != 0
    rows, index, value = rows[live], index[live], value[live]
    left = np.ones(model.m, dtype=bool)
    for _ in range(_ROUNDS):
        low[whole], up[whole] = np.ceil(low[whole] - _WHOLE), np.floor(up[whole] + _WHOLE)
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
    slack = _WHOLE * np.maximum(1.0, np.abs(given))
    missed = (given < model.row_lower - slack) | (given > model.row_upper + slack)
    met = not ((left & (count == 0) & missed).any() or (low > up + _WHOLE).any())
    return low, up, bool((left & (count > 1)).any()), met
