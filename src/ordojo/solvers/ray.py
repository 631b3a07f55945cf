"""Why a model is unbounded: a direction in which no row or bound stops its objective."""

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix, hstack, vstack

from ordojo.milp.model import INF, Floats, Model
from ordojo.solvers.answers import Status
from ordojo.solvers.highs import HighsOracle

_ROUND = 1e-9
"""A step below this, relative to the largest, is noise: simplex's columns are right to that."""


class Ray(NamedTuple):
    """Columns and how far each moves in a step, and by how much the objective then improves.

    The smallest move is 1, or the least with which whole numbers stay whole. `proven`: checked in
    exact fractions against every row and bound, their numbers taken as they are written; else only
    to rounding.
    """

    moves: tuple[tuple[int, float], ...]
    gain: float
    proven: bool


def find_ray(model: Model, time_limit: float) -> Ray | None:
    """A ray of the relaxation that moves few columns; None where there is none, or no time.

    It is a vertex of min |d| s.t. d in the recession cone and c'd = 1: without any of its columns
    the others make none. Columns of a bounded range stand still.
    """
    down, up = map(np.isinf, model.effective_bounds)
    up = np.where(model.semi, np.isinf(model.col_upper), up)
    firm_low, firm_up = np.isfinite(model.row_lower), np.isfinite(model.row_upper)
    rows = csr_matrix((model.value, model.index, model.starts), (model.m, model.n))
    costs = model.objective * (1.0 if model.maximize else -1.0)
    both = csr_matrix(vstack([rows, csr_matrix(costs)]))
    both = csr_matrix(hstack([both, -both]))
    size = 2 * model.n
    program = Model(
        name="ray",
        maximize=False,
        objective=np.ones(size),
        offset=0.0,
        col_names=tuple(map(str, range(size))),
        col_lower=np.zeros(size),
        col_upper=np.where(np.concatenate([up, down]), INF, 0.0),
        types=np.zeros(size, np.uint8),
        row_names=tuple(map(str, range(model.m + 1))),
        row_lower=np.append(np.where(firm_low, 0.0, -INF), 1.0),
        row_upper=np.append(np.where(firm_up, 0.0, INF), 1.0),
        starts=both.indptr.astype(np.int32),
        index=both.indices.astype(np.int32),
        value=both.data,
    )
    solved = HighsOracle().solve(program, time_limit)
    if solved.status != Status.OPTIMAL or solved.x is None:
        return None
    steps = solved.x[: model.n] - solved.x[model.n :]
    steps[np.abs(steps) <= _ROUND * np.abs(steps).max()] = 0.0
    live = np.flatnonzero(steps).tolist()
    steps /= np.abs(steps[live]).min()
    exact = {j: Fraction(float(steps[j])).limit_denominator(1000) for j in live}
    whole = math.lcm(*(step.denominator for j, step in exact.items() if model.whole[j]))
    exact = {j: whole * step for j, step in exact.items()}
    gain = sum((_written(costs[j]) * step for j, step in exact.items()), Fraction(0))
    if gain > 0 and _holds(model, exact, firm_low, firm_up, down, up):
        return Ray(tuple((j, float(step)) for j, step in exact.items()), float(gain), True)
    return Ray(tuple((j, float(steps[j])) for j in live), float(costs @ steps), False)


def _written(number: float) -> Fraction:
    """The number as a person wrote it: 0.1 is a tenth."""
    return Fraction(repr(float(number)))


def _holds(
    model: Model,
    steps: dict[int, Fraction],
    firm_low: Floats,
    firm_up: Floats,
    down: Floats,
    up: Floats,
) -> bool:
    """Whether the steps lie in the recession cone, in fractions."""
    if any(not (up[j] if step > 0 else down[j]) for j, step in steps.items()):
        return False
    sums: dict[int, Fraction] = {}
    for k in np.flatnonzero(np.isin(model.index, list(steps))).tolist():
        i, term = int(model.entry_rows[k]), _written(model.value[k]) * steps[int(model.index[k])]
        sums[i] = sums.get(i, Fraction(0)) + term
    return all(
        not (total < 0 and firm_low[i]) and not (total > 0 and firm_up[i])
        for i, total in sums.items()
    )
