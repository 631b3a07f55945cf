"""Why a model is unbounded: a direction in which no row or bound stops its objective."""

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack, vstack

from ordojo.milp.model import INF, Floats, Model
from ordojo.milp.tolerances import SAME
from ordojo.solvers import highs_model
from ordojo.solvers.answers import SolveResult, Status
from ordojo.solvers.problem import Problem, Quadratic
from ordojo.solvers.protocol import TIME_LIMIT
from ordojo.solvers.residuals import written
from ordojo.solvers.search import Search
from ordojo.solvers.simplex import Lp

Bools = NDArray[np.bool_]

NO_RAY = "The solver says that its objective improves without end, which no ray shows."
_ROUND = SAME
"""A step below this, relative to the largest, is noise: simplex's columns are right to that."""


class Ray(NamedTuple):
    """Columns and how far each moves in a step, and by how much the objective then improves.

    The smallest move is 1, or the least with which whole numbers stay whole. `proven`: checked in
    exact fractions against every row and bound, their numbers taken as they are written; else only
    to rounding. `gain` is None where the objective is quadratic along it, so that in the end each
    step improves it by more than the one before.
    """

    moves: tuple[tuple[int, float], ...]
    gain: float | None
    proven: bool


class Cone(NamedTuple):
    """What stops a step: rows firm below and above (m, m), and columns free down and up (n, n)."""

    firm_low: Bools
    firm_up: Bools
    down: Bools
    up: Bools

    @classmethod
    def of(cls, model: Model) -> "Cone":
        """The cone of a model's steps; columns of a bounded range stand still."""
        down, up = map(np.isinf, model.effective_bounds)
        up = np.where(model.semi, np.isinf(model.col_upper), up)
        return cls(np.isfinite(model.row_lower), np.isfinite(model.row_upper), down, up)


def straight_ray(model: Model, quadratic: Quadratic, time_limit: float) -> Ray | None:
    """A ray along which the products stand still, so that the linear part decides.

    Where the quadratic part is convex there is no other.
    """
    return find_ray(standing(model, slopes(quadratic)), time_limit)


def slopes(quadratic: Quadratic) -> dict[int, dict[int, float]]:
    """The slope of the quadratic part by each of its columns: coefficients by column."""
    found: dict[int, dict[int, float]] = {}
    for i, j, value in quadratic.terms():
        for one, other in ((i, j), (j, i)):
            slope = found.setdefault(one, {})
            slope[other] = slope.get(other, 0.0) + value
    return found


def standing(model: Model, sums: dict[int, dict[int, float]]) -> Model:
    """The model with each of these sums of columns held where it is."""
    index = [j for terms in sums.values() for j in terms]
    value = [value for terms in sums.values() for value in terms.values()]
    return model.grown(list(map(len, sums.values())), index, value, np.zeros((len(sums), 2)))


def may_run_away(model: Model, cone: Cone | None = None) -> bool:
    """Whether a column without end improves the objective: without one there is no ray."""
    cone, costs = cone or Cone.of(model), model.objective * (1.0 if model.maximize else -1.0)
    return bool(((costs > 0) & cone.up | (costs < 0) & cone.down).any())


def decided(
    model: Model,
    found: SolveResult,
    again: Callable[[Model, float], SolveResult],
    time_limit: float,
    steps: Floats | None = None,
    somewhere: bool = False,
) -> SolveResult:
    """What a linear model is of which a solver's word is doubted: unbounded by a ray and a point.

    An optimum or its absence stands where no ray speaks against it. `again` gives the point, unless
    one is known (`somewhere`), and solves what the solver left open; what it calls unbounded
    without a ray is NUMERIC. `steps` (n) may be a ray.
    """
    search, cone = Search(time_limit), Cone.of(model)
    endless = may_run_away(model, cone) and (
        (steps is not None and _nearly_holds(model, smallest_one(steps), cone))
        or find_ray(model, search.left / 3) is not None
    )
    if not endless and found.status in (Status.OPTIMAL, Status.INFEASIBLE):
        return found
    if endless and somewhere:
        return SolveResult(Status.UNBOUNDED, solver="highs", seconds=search.seconds)
    goal = replace(model, objective=np.zeros(model.n)) if endless else model
    told = again(goal, search.left)
    if endless and told.status == Status.OPTIMAL:
        return SolveResult(Status.UNBOUNDED, solver="highs", seconds=search.seconds)
    told = told._replace(solver="highs", seconds=search.seconds)
    ended = (Status.OPTIMAL, Status.INFEASIBLE, Status.TIME_LIMIT)
    if told.status not in ended and Status.UNBOUNDED in (found.status, told.status):
        return told._replace(status=Status.NUMERIC, detail=NO_RAY)
    return told


def as_told(model: Model, found: SolveResult) -> SolveResult:
    """What an adapter found for a model, as an oracle says it: unbounded only by a ray."""
    status = found.status.told
    if status == Status.UNBOUNDED:
        ray = may_run_away(model) and find_ray(model, TIME_LIMIT)
        if not ray:
            return SolveResult(Status.ERROR, seconds=found.seconds, detail=NO_RAY)
    if found.x is None or status not in (Status.OPTIMAL, Status.TIME_LIMIT):
        return SolveResult(status, seconds=found.seconds, detail=found.detail)
    bound = found.objective if status == Status.OPTIMAL else None
    return found._replace(status=status, bound=bound, activity=model.activities(found.x))


def find_ray(model: Model, time_limit: float) -> Ray | None:
    """A ray of the relaxation that moves few columns; None where there is none, or no time.

    It is a vertex of min |d| s.t. d in the recession cone and c'd given: without any of its columns
    the others make none. Columns of a bounded range stand still.
    """
    cone = Cone.of(model)
    rows = csr_matrix((model.value, model.index, model.starts), (model.m, model.n))
    costs = model.objective * (1.0 if model.maximize else -1.0)
    both = csr_matrix(vstack([rows, csr_matrix(costs)]))
    both = csr_matrix(hstack([both, -both]))
    size = 2 * model.n
    gain = float(np.abs(costs).max(initial=0.0)) or 1.0  # any will do: this one is well scaled
    low = np.append(np.where(cone.firm_low, 0.0, -INF), gain)
    up = np.append(np.where(cone.firm_up, 0.0, INF), gain)
    ends = np.where(np.concatenate([cone.up, cone.down]), INF, 0.0)
    program = Model(
        *("ray", False, np.ones(size), 0.0),
        *(tuple(map(str, range(size))), np.zeros(size), ends, np.zeros(size, np.uint8)),
        *(tuple(map(str, range(model.m + 1))), low, up),
        *(both.indptr.astype(np.int32), both.indices.astype(np.int32), both.data),
    )
    search, lp = Search(time_limit), Lp()
    lp.load(program, program.col_lower, program.col_upper)
    lp.limit(time_limit / 2)
    if (code := lp.run()) == highs_model.OPTIMAL:
        x = np.array(lp.x())
    elif code == highs_model.INFEASIBLE:
        return None
    else:
        solved = highs_model.solve(Problem(program), search)
        if solved.status != Status.OPTIMAL or solved.x is None:
            return None
        x = solved.x
    steps = x[: model.n] - x[model.n :]
    steps = smallest_one(steps)
    exact = in_fractions(model, steps)
    better = sum((written(costs[j]) * step for j, step in exact.items()), Fraction(0))
    if better > 0 and holds(model, exact, cone):
        return Ray(tuple((j, float(step)) for j, step in exact.items()), float(better), True)
    if not _nearly_holds(model, steps, cone):
        return None  # the solver's tolerance alone lets it pass
    return Ray(tuple((j, float(steps[j])) for j in exact), float(costs @ steps), False)


def _nearly_holds(model: Model, steps: Floats, cone: Cone) -> bool:
    """Whether steps (n) improve the objective, and neither a bound nor a firm row stops them, by
    more than the rounding of its terms.
    """
    gains = model.objective * steps * (1.0 if model.maximize else -1.0)
    if gains.sum() <= _ROUND * np.abs(gains).sum():
        return False
    if ((steps > 0) & ~cone.up | (steps < 0) & ~cone.down).any():
        return False
    terms = model.value * steps[model.index]
    noise = _ROUND * np.bincount(model.entry_rows, np.abs(terms), model.m)
    total = np.bincount(model.entry_rows, terms, model.m)
    return not (cone.firm_low & (total < -noise) | cone.firm_up & (total > noise)).any()


def smallest_one(steps: Floats, noise: float = _ROUND) -> Floats:
    """The steps without noise, in a scale in which the smallest is 1; all 0 where none is left."""
    size = np.abs(steps)
    steps = np.where(size <= noise * size.max(initial=0.0), 0.0, steps)
    live = steps != 0
    return steps / np.abs(steps[live]).min() if live.any() else steps


def in_fractions(model: Model, steps: Floats) -> dict[int, Fraction]:
    """The steps (n) that are not 0, by column, as simple fractions, longer by the least factor that
    makes those of whole numbers whole.
    """
    live = np.flatnonzero(steps).tolist()
    exact = {j: Fraction(float(steps[j])).limit_denominator(1000) for j in live}
    whole = math.lcm(*(step.denominator for j, step in exact.items() if model.whole[j]))
    return {j: whole * step for j, step in exact.items()}


def holds(model: Model, steps: dict[int, Fraction], cone: Cone) -> bool:
    """Whether the steps lie in the recession cone, in fractions."""
    if any(not (cone.up if step > 0 else cone.down)[j] for j, step in steps.items()):
        return False
    sums: dict[int, Fraction] = {}
    for k in np.flatnonzero(np.isin(model.index, list(steps))).tolist():
        i, term = int(model.entry_rows[k]), written(model.value[k]) * steps[int(model.index[k])]
        sums[i] = sums.get(i, Fraction(0)) + term
    return all(
        not (total < 0 and cone.firm_low[i]) and not (total > 0 and cone.firm_up[i])
        for i, total in sums.items()
    )
