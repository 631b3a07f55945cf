"""Several objectives: by priority, each held within its tolerance while the next is improved."""

import dataclasses
from collections.abc import Callable
from itertools import groupby

import numpy as np

from ordojo.compat.problem import Ending, Objective, Problem, Result
from ordojo.milp.model import INF, Floats

LP_TOLERANCE = 1e-6
"""Gurobi's own absolute tolerance of an objective."""


def solve(problem: Problem, one: Callable[[Problem], Result]) -> Result:
    """Solve by `one` for each priority, the highest first, from the point found before.

    Objectives of a priority are summed by their weights; a negative weight turns one round. How
    far the sum may be given up again is the largest tolerance among them. The result's objective
    is that of the objective listed first, its bound None unless there was one solve.

    Of a linear program nothing is given up, as in Gurobi, which there fixes columns by their
    reduced costs: its relative tolerances do nothing, and its absolute ones are bounds on reduced
    costs of one dual solution of several, so that they are unsupported.
    """
    listed = sorted(problem.objectives, key=lambda goal: -goal.priority)
    current = dataclasses.replace(problem, objectives=())
    found = Result(Ending.OPTIMAL)
    groups = [list(group) for _, group in groupby(listed, key=lambda goal: goal.priority)]
    nodes = iterations = 0
    linear = _is_lp(problem)
    if linear and any(goal.abs_tol > LP_TOLERANCE for group in groups[:-1] for goal in group):
        detail = "ObjNAbsTol of a continuous linear model"
        return Result(Ending.UNSUPPORTED, detail=f"{detail} is not supported by ordojo")
    for group in groups:
        costs, offset = _blend(group)
        model = dataclasses.replace(current.model, objective=costs, offset=offset)
        found = one(dataclasses.replace(current, model=model))
        nodes, iterations = nodes + found.nodes, iterations + found.iterations
        if found.ending != Ending.OPTIMAL or found.objective is None:
            break
        current = _held(current, costs, offset, found.objective, group, linear)
        current = dataclasses.replace(current, start=found.x)
    if found.x is None:
        return found
    first = problem.objectives[0]
    return dataclasses.replace(
        found,
        objective=float(first.coefficients @ found.x) + first.offset,
        bound=found.bound if len(problem.objectives) == 1 and first.weight == 1 else None,
        row_dual=None,
        col_dual=None,
        nodes=nodes,
        iterations=iterations,
        pool=(),
    )


def _is_lp(problem: Problem) -> bool:
    beyond = (problem.quadratic_rows, problem.indicators, problem.sos, problem.general)
    if problem.settings.relaxed:
        beyond = (problem.quadratic_rows, (), (), ())
    return not any(beyond) and (problem.settings.relaxed or not problem.model.is_mip)


def _blend(group: list[Objective]) -> tuple[Floats, float]:
    costs = sum((goal.weight * goal.coefficients for goal in group), np.zeros(1))
    return np.asarray(costs, np.float64), sum(goal.weight * goal.offset for goal in group)


def _held(
    problem: Problem,
    costs: Floats,
    offset: float,
    value: float,
    group: list[Objective],
    linear: bool,
) -> Problem:
    """The problem with the row that keeps this value within its tolerance."""
    give = max(max(goal.abs_tol, goal.rel_tol * abs(value)) for goal in group)
    if linear:
        # Only what rounding errors need.
        give = max(LP_TOLERANCE, 1e-9 * abs(value))
    used = np.flatnonzero(costs)
    if not len(used):
        return problem
    side = value - offset
    low, up = (side - give, INF) if problem.model.maximize else (-INF, side + give)
    name = f"#objective {group[0].priority}"
    model = problem.model.with_new_row(name, used.tolist(), costs[used].tolist(), low, up)
    return dataclasses.replace(problem, model=model)
