"""Any problem, by the solver that suits, and what is made of its answer; the oracles by name."""

import dataclasses
from collections.abc import Callable, Mapping
from itertools import groupby

import numpy as np

from ordojo.core.errors import UsageError
from ordojo.core.extras import to_type
from ordojo.milp.model import Floats, Model
from ordojo.milp.tolerances import FINE, LOOSE, OBJECTIVE, ROUNDING, SAME
from ordojo.solvers import gurobi, highs_model, scip, solution_pool
from ordojo.solvers.answers import SolveResult, Status
from ordojo.solvers.highs import HighsOracle
from ordojo.solvers.problem import LinearObjective, Problem, Quadratic
from ordojo.solvers.protocol import Oracle
from ordojo.solvers.ray import NO_RAY, decided, may_run_away, straight_ray
from ordojo.solvers.reformulation import NotLinear, linearised, lowered
from ordojo.solvers.residuals import worst
from ordojo.solvers.search import Search

HUGE = 1e18
"""An objective or a column of this size is none: it is near what solvers count as infinite."""
FAR = 1e10
"""How far columns may go where a solver took its own infinity for a value."""


def solve(problem: Problem, search: Search, solver: str = "open") -> SolveResult:
    """Solve by the solver that suits; the point that comes back has been checked.

    "open" is HiGHS, and SCIP for what HiGHS lacks; where SCIP is missing, rewritten for HiGHS, or
    `Status.UNSUPPORTED` naming what it is. "highs" and "scip" take only that one, "gurobi" the
    real one.
    """
    if solver == "gurobi":
        found = gurobi.solve(problem, search)
    elif problem.objectives:
        found = _by_priority(problem, lambda part: _one(part, search, solver))
    elif solution_pool.wanted(problem):
        found = solution_pool.solve(problem, search, lambda part, more: _one(part, more, solver))
    else:
        found = _one(problem, search, solver)
    found = solution_pool.within_gap(problem, found)
    return _checked(problem, found._replace(seconds=search.seconds))


def _one(problem: Problem, search: Search, solver: str) -> SolveResult:
    """Solve a problem with one objective."""
    if problem.settings.relaxed:
        problem = dataclasses.replace(problem, indicators=(), sos=(), general=())
    use_scip = solver == "scip" or (solver == "open" and scip.installed())
    if problem.settings.lazy and search.callback is not None:
        if use_scip:
            return _by_scip(problem, search)
        return _by_rounds(problem, search)
    if solver == "scip":
        return _by_scip(problem, search)
    plain = _for_highs(problem)
    if plain:
        found = _by_highs(problem, search)
        if found.status != Status.NUMERIC and not _off(problem, found):
            return found
    if use_scip:
        return _polished(problem, _by_scip(problem, search), search)
    return found if plain else _without_scip(problem, search)


def _by_highs(problem: Problem, search: Search) -> SolveResult:
    """HiGHS's answer; of a quadratic objective it calls some unbounded that have no ray."""
    found = highs_model.solve(problem, search)
    if problem.quadratic is None:
        return _told_apart(problem, found, search)
    if found.status != Status.UNBOUNDED:
        return found
    if straight_ray(problem.model, problem.quadratic, search.left) is not None:
        return found
    return SolveResult(Status.NUMERIC, solver="highs", detail=NO_RAY)


def _told_apart(problem: Problem, found: SolveResult, search: Search) -> SolveResult:
    """The answer of a linear problem, unbounded only by a ray and a point.

    Solvers call some infeasible or optimal, or leave them open, that have a ray, call some
    unbounded that have none, and fail at others; our own search, without presolve, decides them.
    """
    relaxed = problem.settings.relaxed
    model = problem.model.relaxed if relaxed else problem.model
    if found.status == Status.OPTIMAL and _certified(model, found):
        return found
    if found.status in (Status.OPTIMAL, Status.INFEASIBLE) and not may_run_away(model):
        return found
    if found.status not in _DOUBTED:
        return found
    told = decided(model, found, HighsOracle().solve, search.left)
    return found if told.status == Status.ERROR else told


_DOUBTED = (
    *(Status.OPTIMAL, Status.INFEASIBLE, Status.UNBOUNDED),
    *(Status.INFEASIBLE_OR_UNBOUNDED, Status.NUMERIC),
)


def _certified(model: Model, found: SolveResult) -> bool:
    """Whether the duals of a linear program show that no ray improves it, to the last digit."""
    if model.is_mip or found.row_dual is None or found.col_dual is None:
        return False
    sign = -1.0 if model.maximize else 1.0
    for dual, low, up in (
        (found.row_dual, model.row_lower, model.row_upper),
        (found.col_dual, *model.effective_bounds),
    ):
        price = np.where(
            np.abs(dual) > ROUNDING, sign * dual, 0.0
        )  # a basic one is 0 to the last digit
        if ((price > 0) & np.isinf(low) | (price < 0) & np.isinf(up)).any():
            return False
    return True


def _by_scip(problem: Problem, search: Search) -> SolveResult:
    """SCIP's answer, whose point is none where a column is at what it counts as infinite.

    Nonlinear rows let it stop there with an objective of any size (x^2 <= y with y at 1e20 has x at
    1e10). One that is as good with all columns within `FAR` is kept, at that point; one that is
    worse there grows without end.
    """
    found = scip.solve(problem, search)
    if problem.is_linear and not problem.settings.lazy:
        return _told_apart(problem, found, search)
    if found.x is None or found.objective is None or not (np.abs(found.x) >= HUGE).any():
        return found
    model = problem.model
    near = dataclasses.replace(
        model,
        col_lower=np.maximum(model.col_lower, -FAR),
        col_upper=np.minimum(model.col_upper, FAR),
    )
    within = scip.solve(dataclasses.replace(problem, model=near, start=None), Search(search.left))
    if within.objective is not None and found.status == within.status == Status.OPTIMAL:
        if abs(within.objective - found.objective) > OBJECTIVE * max(1.0, abs(found.objective)):
            return SolveResult(Status.UNBOUNDED, solver="scip")
        return within
    detail = "the solver took its own infinity for a value of a column"
    return SolveResult(Status.NUMERIC, solver="scip", detail=detail)


def _for_highs(problem: Problem) -> bool:
    """Whether HiGHS takes the problem as it is."""
    model = problem.model
    if problem.parts:
        return False
    if not problem.settings.relaxed:
        far = (model.col_upper > highs_model.SEMI_LIMIT) | (model.col_lower < 0)
        if (model.semi & far).any():
            return False
    if problem.quadratic is None:
        return True
    if model.is_mip and not problem.settings.relaxed:
        return False
    return is_convex(problem.quadratic, model.maximize)


def _without_scip(problem: Problem, search: Search) -> SolveResult:
    """By HiGHS, after rewriting."""
    if _for_highs(problem):
        return _by_highs(problem, search)
    try:
        changed = linearised(lowered(problem, highs_model.SEMI_LIMIT))
    except NotLinear as error:
        detail = f"{error} needs SCIP: {to_type('scip')}"
        return SolveResult(Status.UNSUPPORTED, solver="highs", detail=detail)
    settings = changed.settings
    if settings.integrality_tol is None:
        changed = dataclasses.replace(changed, settings=settings._replace(integrality_tol=FINE))
    found = highs_model.solve(changed, search)
    n = problem.model.n
    return found._replace(
        x=None if found.x is None else found.x[:n],
        row_dual=None,
        col_dual=None,
        pool=tuple((value, x[:n]) for value, x in found.pool),
    )


def _polished(problem: Problem, found: SolveResult, search: Search) -> SolveResult:
    """The exact optimum for the integers that SCIP found, where that is a convex problem.

    SCIP reaches a quadratic optimum only up to its feasibility tolerance.
    """
    model = problem.model
    fits = problem.quadratic is not None and not problem.parts
    if not fits or found.x is None or found.status != Status.OPTIMAL:
        return found
    assert problem.quadratic is not None
    if model.semi.any() or problem.settings.pool_solutions > 1:
        return found
    if not is_convex(problem.quadratic, model.maximize):
        return found
    inner = dataclasses.replace(problem, model=model.fixed_at(found.x))
    again = highs_model.solve(inner, Search(search.left))
    if again.status != Status.OPTIMAL or again.x is None or _off(problem, again):
        return found
    return found._replace(objective=again.objective, x=again.x)


def _off(problem: Problem, found: SolveResult) -> str:
    """What the point violates beyond any tolerance, "" where nothing or there is none."""
    if found.x is None:
        return ""
    amount, what = worst(problem, found.x)
    # Written so that a NaN counts as a violation.
    return "" if amount <= LOOSE else what


def _checked(problem: Problem, found: SolveResult) -> SolveResult:
    if found.objective is not None and not abs(found.objective) < HUGE:
        # A nonlinear solver may stop at its own infinity and call that the optimum.
        return found._replace(status=Status.UNBOUNDED, objective=None, bound=None, x=None, pool=())
    what = _off(problem, found)
    if not what:
        return found
    detail = f"the solver's point violates {what}, so it is not accepted"
    return found._replace(
        status=Status.NUMERIC, objective=None, bound=None, x=None, pool=(), detail=detail
    )


def rounding(value: float) -> float:
    """How far an objective that is held at `value` may give: only what rounding errors need."""
    return max(OBJECTIVE, SAME * abs(value))


def _by_priority(problem: Problem, one: Callable[[Problem], SolveResult]) -> SolveResult:
    """Solve by `one` for each priority, the highest first, from the point found before.

    Objectives of a priority are summed by their weights; a negative weight turns one round. How
    far the sum may be given up again is the largest tolerance among them. The result's objective
    is that of the objective listed first, its bound None unless there was one solve.

    Of a linear program nothing is given up, as in Gurobi, which there fixes columns by their
    reduced costs: its relative tolerances do nothing, and its absolute ones are bounds on reduced
    costs of one dual solution of several, so that they are unsupported.
    """
    current = dataclasses.replace(problem, objectives=())
    found = SolveResult(Status.OPTIMAL)
    groups = by_priority(problem)
    nodes = iterations = 0
    relaxed = problem.settings.relaxed
    linear = not (problem.quadratic_rows if relaxed else problem.parts or problem.model.is_mip)
    if linear and any(goal.abs_tol > OBJECTIVE for *_, group in groups[:-1] for goal in group):
        detail = "ObjNAbsTol of a continuous linear model is not supported by ordojo; leave it out"
        return SolveResult(Status.UNSUPPORTED, detail=detail)
    for costs, offset, group in groups:
        model = dataclasses.replace(current.model, objective=costs, offset=offset)
        current = dataclasses.replace(current, model=model)
        found = one(current)
        nodes, iterations = nodes + found.nodes, iterations + found.iterations
        if found.status != Status.OPTIMAL or found.objective is None:
            break
        if linear and found.row_dual is not None and found.col_dual is not None:
            current = dataclasses.replace(current, model=_face(current.model, found))
        else:
            current = _held(current, found.objective, group, linear)
        current = dataclasses.replace(current, start=found.x)
    if found.x is None:
        return found
    first = problem.objectives[0]
    return found._replace(
        objective=first.value_at(found.x),
        bound=found.bound if len(problem.objectives) == 1 and first.weight == 1 else None,
        row_dual=None,
        col_dual=None,
        nodes=nodes,
        iterations=iterations,
        pool=(),
    )


def _face(model: Model, found: SolveResult) -> Model:
    """The model of all optima of a linear program: what has a price stays where it is.

    Columns with a reduced cost and rows with a dual are fixed at the bound or side where they are.
    """
    assert found.x is not None and found.row_dual is not None and found.col_dual is not None
    columns, rows = np.abs(found.col_dual) > OBJECTIVE, np.abs(found.row_dual) > OBJECTIVE
    lower, upper = model.effective_bounds
    held = _nearest(found.x, lower, upper)
    sides = _nearest(model.activities(found.x), model.row_lower, model.row_upper)
    return dataclasses.replace(
        model,
        col_lower=np.where(columns, held, model.col_lower),
        col_upper=np.where(columns, held, model.col_upper),
        row_lower=np.where(rows, sides, model.row_lower),
        row_upper=np.where(rows, sides, model.row_upper),
    )


def _nearest(value: Floats, lower: Floats, upper: Floats) -> Floats:
    """The nearer of two ends; the value itself where both are infinite."""
    near = np.where(np.abs(value - lower) <= np.abs(value - upper), lower, upper)
    return np.where(np.isfinite(near), near, value)


def by_priority(problem: Problem) -> list[tuple[Floats, float, list[LinearObjective]]]:
    """Costs (n) and offset of each priority, the highest first, with the objectives summed."""
    listed = sorted(problem.objectives, key=lambda goal: -goal.priority)
    found = []
    for _, same in groupby(listed, key=lambda goal: goal.priority):
        group = list(same)
        costs = sum((goal.weight * goal.coefficients for goal in group), np.zeros(1))
        offset = sum(goal.weight * goal.offset for goal in group)
        found.append((np.asarray(costs, np.float64), offset, group))
    return found


def _held(problem: Problem, value: float, group: list[LinearObjective], linear: bool) -> Problem:
    """The problem with the row that keeps this value within its tolerance."""
    give = max(max(goal.abs_tol, goal.rel_tol * abs(value)) for goal in group)
    if linear:
        give = rounding(value)
    if not problem.model.objective.any():
        return problem
    name = f"#objective {group[0].priority}"
    model = problem.model.with_objective_held(name, value, give)
    return dataclasses.replace(problem, model=model)


def _by_rounds(problem: Problem, search: Search) -> SolveResult:
    """Solve until the callback has nothing to add; exact, since each round is a bound."""
    done, current = 0, problem
    while True:
        quiet = Search(search.left)
        found = _without_scip(current, quiet)
        if found.status != Status.OPTIMAL or found.x is None or found.objective is None:
            return found
        best = found.objective
        good = search.accepts(found.x, best, best, found.bound, found.nodes)
        if search.terminated:
            x = found.x if good else None
            return search.stopped(best if good else None, found.bound, x) or found
        if good:
            return found
        if len(search.pool) == done:
            return found._replace(
                status=Status.NUMERIC, detail="a lazy constraint is violated after it was added"
            )
        rows = search.pool
        model = problem.model.grown(
            [len(row.index) for row in rows],
            np.concatenate([row.index for row in rows]),
            np.concatenate([row.value for row in rows]),
            [(row.lower, row.upper) for row in rows],
        )
        current = dataclasses.replace(problem, model=model)
        done = len(search.pool)


_LARGEST = 2_000
"""Columns in products, above which the question is left open."""


def is_convex(quadratic: Quadratic, maximize: bool) -> bool:
    """Whether a minimum of the part is where its slope vanishes; False where it is not known."""
    q = quadratic
    sign = -1.0 if maximize else 1.0
    used = np.unique(np.concatenate([q.first, q.second]))
    if not len(used):
        return True
    if (q.first == q.second).all():
        return bool((sign * np.bincount(q.first, q.value) >= 0).all())
    if len(used) > _LARGEST:
        return False
    matrix: Floats = np.zeros((len(used), len(used)))
    rows, cols = np.searchsorted(used, q.first), np.searchsorted(used, q.second)
    np.add.at(matrix, (rows, cols), sign * q.value / 2)
    np.add.at(matrix, (cols, rows), sign * q.value / 2)
    size = float(np.abs(matrix).max())
    return bool(np.linalg.eigvalsh(matrix).min() >= -SAME * max(size, 1e-300) * len(used))


ORACLES: Mapping[str, Callable[[], Oracle]] = {
    "highs": HighsOracle,
    "gurobi": gurobi.GurobiOracle,
    "scip": scip.ScipOracle,
}
"""What makes each oracle; HiGHS is always there, the others where they are installed."""


def get_oracle(name: str) -> Oracle:
    """The oracle of that name; raises UsageError for no such name, SolverError where missing."""
    if name not in ORACLES:
        raise UsageError(f"there is no oracle '{name}'; choose one of {', '.join(ORACLES)}")
    return ORACLES[name]()
