"""Rays of whole problems: products in the objective, objectives by priority."""

import dataclasses
from fractions import Fraction

import numpy as np

from ordojo.milp.model import INF, Model
from ordojo.solvers import choose
from ordojo.solvers.problem import Problem, Quadratic
from ordojo.solvers.ray import (
    Cone,
    Ray,
    find_ray,
    holds,
    in_fractions,
    slopes,
    smallest_one,
    standing,
    straight_ray,
    written,
)
from ordojo.solvers.residuals import PRIMAL
from ordojo.solvers.search import Search


def whole_ray(model: Model, source: Problem, time_limit: float) -> Ray | None:
    """A ray of the model along which the objectives of `source`, of its first columns, improve.

    Of objectives by priority the first that grows without end has it; those before stand still.
    """
    search = Search(time_limit)
    quadratic = source.quadratic
    if not source.objectives:
        if quadratic is None:
            return find_ray(model, search.left)
        straight = straight_ray(model, quadratic, search.left)
        return straight or _curved(model, quadratic, search)
    for costs, _, _ in choose.by_priority(source):
        costs = np.append(costs, np.zeros(model.n - len(costs)))
        goal = dataclasses.replace(model, objective=costs)
        if ray := find_ray(goal, search.left):
            return ray
        model = standing(model, {0: dict(enumerate(costs.tolist()))})
    return None


def _curved(model: Model, quadratic: Quadratic, search: Search) -> Ray | None:
    """A ray along which the quadratic part itself improves, where that is not convex."""
    if choose.is_convex(quadratic, model.maximize):
        return None
    cone = Cone.of(model)
    within = dataclasses.replace(
        model,
        objective=np.zeros(model.n),
        offset=0.0,
        col_lower=np.where(cone.down, -1.0, 0.0),
        col_upper=np.where(cone.up, 1.0, 0.0),
        types=np.zeros(model.n, np.uint8),
        row_lower=np.where(cone.firm_low, 0.0, -INF),
        row_upper=np.where(cone.firm_up, 0.0, INF),
    )
    solved = choose.solve(Problem(within, quadratic), search)
    if solved.x is None:
        return None
    exact = in_fractions(model, smallest_one(solved.x, PRIMAL))
    gain = Fraction(0)
    for i, slope in slopes(quadratic).items():
        for j, value in slope.items():
            if i in exact and j in exact:
                gain += written(value) / 2 * exact[i] * exact[j]
    gain = gain if model.maximize else -gain
    if gain > 0 and holds(model, exact, cone):
        moves = tuple((j, float(step)) for j, step in exact.items())
        return Ray(moves, None, True)
    return None
