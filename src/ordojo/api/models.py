"""What can be done with an optimization model, or with a program that builds one."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from time import monotonic
from typing import Any, Literal

from ordojo.api.kinds import AnyModel, Isolation, Menu, Said, Seconds, Solver, unheard
from ordojo.api.reading import read_model, read_problem
from ordojo.core.errors import UsageError
from ordojo.core.ranges import SIZE, WEIGHT, checked
from ordojo.milp.model import INF, Model
from ordojo.solvers import equivalence
from ordojo.solvers import explain as explaining
from ordojo.solvers.answers import Iis, Repair, SolveResult
from ordojo.solvers.equivalence import Comparison
from ordojo.solvers.explain import Explanation
from ordojo.solvers.kept import oracle_of, settled
from ordojo.solvers.registry import get_oracle
from ordojo.solvers.whole_objective import with_whole_objective


@checked
def solve(model: AnyModel, *, solver: Solver = "highs", time_limit: Seconds = 60.0) -> SolveResult:
    """Solve a model, and check the answer by its residuals.

    Args:
        model: What `read_model` takes.
        solver: Who solves.
        time_limit: Seconds for reading, and as many for solving.

    Returns:
        Status, objective, bound, point and duals.

    Raises:
        DataError: For a model that cannot be read or is not linear.
        SolverError: Where the solver is not installed, or its answer does not hold.

    Examples:
        >>> solve("bakery.lp").status
        <Status.INFEASIBLE: 'INFEASIBLE'>
    """
    return get_oracle(solver).solve(read_model(model, time_limit=time_limit), time_limit)


@checked
def iis(model: AnyModel, *, solver: Solver = "highs", time_limit: Seconds = 60.0) -> Iis:
    """Find an irreducible infeasible subsystem: rows and bounds that contradict, none too many.

    Args:
        model: What `read_model` takes.
        solver: Who solves.
        time_limit: Seconds for reading, and as many for the search.

    Returns:
        The rows and bounds, and whether each was shown to be needed.

    Raises:
        DataError: For a model that cannot be read or is not linear.
        SolverError: Where it is not proved infeasible in time, or the solver is not installed.

    Examples:
        >>> model = read_model("bakery.lp")
        >>> iis(model).row_names(model)
        ('oven', 'orders')
    """
    return get_oracle(solver).iis(read_model(model, time_limit=time_limit), time_limit)


@checked
def explain(
    model: AnyModel,
    *,
    limit: Menu = 5,
    conflicts: Menu = 3,
    weights: Mapping[str, float] | None = None,
    caps: Mapping[str, float] | None = None,
    hard: Sequence[str] = (),
    rank: Literal["size", "count"] = "size",
    solver: Solver = "highs",
    isolation: Isolation = "auto",
    time_limit: Seconds = 60.0,
    progress: Said = unheard,
) -> Explanation:
    """Say why a model is infeasible or unbounded, and how to repair it.

    Irreducible sets of rows and bounds that contradict each other, and a menu of repairs, each
    solved again: one side, a family, the fewest, the least; of an unbounded model what runs away. A
    feasible one is said to be so. What is not linear is written as rows where bounds allow it, else
    kept, which is said.

    Args:
        model: A path (.mps, .lp, these packed; .py, a program of gurobipy, coptpy, Pyomo, PuLP,
            linopy, highspy, python-mip, OR-Tools or cvxpy, whose last model is taken) or an object
            of another library.
        limit: Repairs at most.
        conflicts: Conflicts at most, without a row in common.
        weights: What moving a row, x.lb or x.ub by 1 costs: 1 by default, inf for never; * and ?
            match.
        caps: Move a row, x.lb or x.ub by so much at most; * and ? match.
        hard: Rows, x.lb or x.ub that never move; * and ? match.
        rank: Repairs of the smallest (weighted) size first, or of the fewest moves.
        solver: Who solves.
        isolation: How a .py model is contained.
        time_limit: Seconds for reading or running it, and as many for the rest.
        progress: Hears what is being done.

    Returns:
        Conflicts and repairs. It prints a text; `to_json` has it all.

    Raises:
        UsageError: For a name that the model does not have, or a weight out of range.
        DataError: For a model that cannot be read.

    Examples:
        >>> print(explain("bakery.lp"))  # doctest: +ELLIPSIS
        bakery is infeasible ...
    """
    problem = read_problem(model, isolation=isolation, time_limit=time_limit)
    end = monotonic() + time_limit
    parts = settled(problem, solver)
    given: dict[str, float] = dict.fromkeys(parts.firm, INF)
    for name, weight in [*(weights or {}).items(), *((name, INF) for name in hard)]:
        if weight != INF:
            WEIGHT.check(f"`weights` {name}", weight)
        given |= dict.fromkeys(_sides(parts.model, name), weight)
    most: dict[str, float] = {}
    for name, cap in (caps or {}).items():
        SIZE.check(f"`caps` {name}", cap)
        most |= dict.fromkeys(_sides(parts.model, name), cap)
    told = explaining.explain(
        parts.explained,
        oracle_of(parts, solver),
        time_limit,
        limit,
        given,
        progress=progress,
        conflicts=conflicts,
        rank=rank,
        caps=most,
    )
    told = with_whole_objective(told, parts, solver, end - monotonic())
    return replace(told, notes=(*problem.notes, *told.notes, *parts.said), settled=parts)


def _sides(model: Model, pattern: str) -> list[str]:
    """The rows and bounds that a name, or a pattern with `*` and `?`, means."""
    if pattern in model.rows or (pattern.endswith((".lb", ".ub")) and pattern[:-3] in model.cols):
        return [pattern]
    bounds = (f"{name}{end}" for name in model.col_names for end in (".lb", ".ub"))
    wanted = re.escape(pattern).replace(r"\*", ".*").replace(r"\?", ".")
    if pattern in model.cols:
        wanted += r"\.[lu]b"
    match = re.compile(wanted).fullmatch
    found = [name for name in (*model.row_names, *bounds) if match(name)]
    if not found:
        raise UsageError(f"'{pattern}': the model has no row or bound of that name")
    return found


def repair(model: AnyModel, **options: Any) -> tuple[Repair, ...]:
    """Find the smallest repairs of an infeasible model.

    Args:
        model: What `explain` takes.
        **options: Those of `explain`.

    Returns:
        The repairs that `explain` lists, smallest first; none where the model is feasible.

    Raises:
        UsageError: For a name that the model does not have, or a weight out of range.
        DataError: For a model that cannot be read.

    Examples:
        >>> [move.new for move in repair("bakery.lp")[0].shifts]
        [60.0]
    """
    return explain(model, **options).repairs


@checked
def equivalent(model: AnyModel, other: AnyModel, *, time_limit: Seconds = 30.0) -> Comparison:
    """Say whether two models are the same problem, with the evidence.

    Args:
        model: What `read_model` takes.
        other: Likewise.
        time_limit: Seconds for each reading, and as many for the comparison.

    Returns:
        EQUAL with a mapping of rows and columns, DIFFERENT with a witness, or UNKNOWN where neither
        is shown in time.

    Raises:
        DataError: For a model that cannot be read or is not linear.

    Examples:
        >>> equivalent("bakery.lp", "bakery.lp").verdict.value
        'equal'
    """
    first, second = (read_model(one, time_limit=time_limit) for one in (model, other))
    return equivalence.compare(first, second, time_limit)
