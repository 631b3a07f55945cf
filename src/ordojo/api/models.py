"""What can be done with an optimization model, or with a program that builds one.

It is solved, explained and compared; then what is asked after that: changes, worth, doubts, a plan.
"""

import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any, Literal

from ordojo.api.kinds import Amount, AnyModel, Isolation, Menu, Said, Seconds, Solver, unheard
from ordojo.api.reading import read_model, read_problem
from ordojo.core.errors import UsageError
from ordojo.core.ranges import SIZE, WEIGHT
from ordojo.core.signatures import checked
from ordojo.milp.model import INF, Model
from ordojo.solvers import equivalence
from ordojo.solvers import explain as explaining
from ordojo.solvers.answers import Iis, Repair, SolveResult, Status
from ordojo.solvers.asked.check import Check, check_plan
from ordojo.solvers.asked.check import complete as completed
from ordojo.solvers.asked.plan import WhatIf, what_if, why_not
from ordojo.solvers.asked.solutions import read_solution
from ordojo.solvers.asked.solves import Solves, notes_of
from ordojo.solvers.asked.suspects import Suspects, suspects_of
from ordojo.solvers.asked.worth import RowWorth, worth_of
from ordojo.solvers.choose import get_oracle
from ordojo.solvers.equivalence import Comparison
from ordojo.solvers.explain import Explanation, with_whole_objective
from ordojo.solvers.kept import oracle_of, settled
from ordojo.solvers.problem import Problem


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
        UsageError: For an argument out of its range.
        DataError: For a model that cannot be read or is not linear.
        SolverError: Where the solver is not installed, or its answer does not hold.

    Examples:
        >>> solve("bakery.lp").status
        <Status.INFEASIBLE: 'INFEASIBLE'>
    """
    found = read_model(model, time_limit=time_limit)
    for note in notes_of(Problem(found), solver):
        logging.getLogger("ordojo").warning("%s: %s", found.name, note)
    return get_oracle(solver).solve(found, time_limit)


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
        UsageError: For an argument out of its range.
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
        SandboxError: Where programs cannot be contained.
        SolverError: Where the solver is not installed, or its answer does not hold.

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
    if told.status != Status.OPTIMAL:  # a ray or a conflict is of all objectives, or of none
        problem = replace(problem, objectives=())
    notes = (*notes_of(problem, solver), *told.notes, *parts.said)
    return replace(told, notes=notes, settled=parts)


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


@checked
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
        UsageError: For an argument out of its range.
        DataError: For a model that cannot be read or is not linear.

    Examples:
        >>> equivalent("bakery.lp", "bakery.lp").verdict.value
        'equal'
    """
    first, second = (read_model(one, time_limit=time_limit) for one in (model, other))
    return equivalence.compare(first, second, time_limit)


def _read(
    model: Any, solver: str, isolation: Isolation, time_limit: float
) -> tuple[Problem, Solves]:
    """The model's problem, and the solves for it, whose clock has run since before the reading."""
    solves = Solves(solver, time_limit)
    return read_problem(model, isolation=isolation, time_limit=time_limit), solves


@checked
def whatif(
    model: AnyModel,
    edits: Sequence[str],
    *,
    solver: Solver = "highs",
    isolation: Isolation = "auto",
    time_limit: Seconds = 60.0,
) -> WhatIf:
    """Change a model, solve it again, and say what must change in its plan.

    The plan is the optimal one closest to the former, by the sum of distances; of a model that
    becomes infeasible a conflict is shown.

    Args:
        model: A path (.mps, .lp, these packed; .py) or an object of another library.
        edits: Changes, one after another: a row's side or a column's bound (cap <= 50, x >= 3; =
            sets both), a cost (obj.x = 4), the coefficient of x in row need (need[x] = 2), a row
            taken away (drop need), or a new one (x + 2 y <= 7, name: x + 2 y <= 7). A * in a name
            stands for anything (cap* <= 50): the change is made to all that is called so.
        solver: Who solves.
        isolation: How a .py model is contained.
        time_limit: Seconds for everything.

    Returns:
        Status and optimum before and after, and what must change. It prints a text; `to_json` has
        it all.

    Raises:
        UsageError: For an edit that names nothing or cannot be read.
        DataError: For a model that cannot be read.
        SandboxError: Where programs cannot be contained.
        SolverError: Where the solver is not installed, or its answer does not hold.

    Examples:
        >>> print(whatif("bakery.lp", ["orders >= 30", "oven <= 50"]))  # doctest: +ELLIPSIS
        bakery, changed (highs ...):
          orders: 2 bread + 3 cake >= 30 (was 2 bread + 3 cake >= 75)
          oven: 2 bread + 3 cake <= 50 (was 2 bread + 3 cake <= 60)
        Before: infeasible.
        After: optimum 83.3333333.
    """
    problem, solves = _read(model, solver, isolation, time_limit)
    return what_if(problem, edits, solves)


@checked
def whynot(
    model: AnyModel,
    statement: str,
    *,
    solver: Solver = "highs",
    isolation: Isolation = "auto",
    time_limit: Seconds = 60.0,
) -> WhatIf:
    """Say what it costs that a linear constraint holds in a model, or what forbids it.

    Args:
        model: A path (.mps, .lp, these packed; .py) or an object of another library.
        statement: A constraint over columns (open[W2] >= 1, x + y <= 3) or on what a row adds up
            to (cap <= 50), put beside what the model has.
        solver: Who solves.
        isolation: How a .py model is contained.
        time_limit: Seconds for everything.

    Returns:
        As `whatif`: the cost, or the conflict that forbids it.

    Raises:
        UsageError: Where the statement names nothing.
        DataError: For a model that cannot be read.
        SandboxError: Where programs cannot be contained.
        SolverError: Where the solver is not installed, or its answer does not hold.

    Examples:
        >>> answer = whynot("bakery.lp", "cake >= 21")
        >>> answer.after.status, answer.conflict.takes_part
        (<Status.INFEASIBLE: 'INFEASIBLE'>, False)
    """
    problem, solves = _read(model, solver, isolation, time_limit)
    return why_not(problem, statement, solves)


@checked
def worth(
    model: AnyModel,
    row: str,
    *,
    by: Amount = 1.0,
    solver: Solver = "highs",
    isolation: Isolation = "auto",
    time_limit: Seconds = 60.0,
) -> RowWorth:
    """Say what the limit of a row is worth, by solving again with it looser and tighter.

    Beside it an LP's dual price, how far the limit can go before there is no solution, and where
    it stops mattering. Whole numbers stay whole.

    Args:
        model: A path (.mps, .lp, these packed; .py) or an object of another library.
        row: The name of a row.
        by: How far its side is moved, both ways, in the row's unit.
        solver: Who solves.
        isolation: How a .py model is contained.
        time_limit: Seconds for everything.

    Returns:
        The optimum beyond each side, looser and tighter, and the sides' ends.

    Raises:
        UsageError: For a row that the model does not have, or one without sides.
        DataError: For a model that cannot be read.
        SandboxError: Where programs cannot be contained.
        SolverError: Where the solver is not installed, or its answer does not hold.

    Examples:
        >>> worth("bakery.lp", "orders").sides[0].feasible[1].value
        60.0
    """
    problem, solves = _read(model, solver, isolation, time_limit)
    return worth_of(problem, row, by, solves)


@checked
def suspects(
    model: AnyModel,
    *,
    limit: Menu = 10,
    family: str | None = None,
    solver: Solver = "highs",
    isolation: Isolation = "auto",
    time_limit: Seconds = 60.0,
) -> Suspects:
    """List numbers of a model unlike those of their family, and what each one's undo does.

    A family has names that differ in digits and brackets alone (cap[*]).

    Args:
        model: A path (.mps, .lp, these packed; .py) or an object of another library.
        limit: Suspects that are solved, at most.
        family: One family alone; * and ? match.
        solver: Who solves.
        isolation: How a .py model is contained.
        time_limit: Seconds for everything.

    Returns:
        The suspects, what matters most first.

    Raises:
        UsageError: For a family that the model does not have.
        DataError: For a model that cannot be read.
        SandboxError: Where programs cannot be contained.
        SolverError: Where the solver is not installed, or its answer does not hold.

    Examples:
        >>> print(suspects("bakery.lp"))  # doctest: +ELLIPSIS
        bakery (highs ...), as it is: infeasible.
        No family has 5 numbers other than 0, so nothing is compared.
    """
    problem, solves = _read(model, solver, isolation, time_limit)
    return suspects_of(problem, limit, family, solves)


@checked
def check(
    model: AnyModel,
    solution: Mapping[str, float] | str | Path,
    *,
    complete: bool = False,
    solver: Solver = "highs",
    isolation: Isolation = "auto",
    time_limit: Seconds = 60.0,
) -> Check:
    """Say which rows, bounds and whole numbers of a model a plan breaks, by how much.

    Args:
        model: A path (.mps, .lp, these packed; .py) or an object of another library.
        solution: The plan: columns with their values, or a file, {"name": value} (.json), lines
            name,value (.csv), or a solution of HiGHS, Gurobi, SCIP, CBC or MIPLIB (.sol).
            Columns that it does not name count as 0.
        complete: Hold what `solution` gives, and solve for the rest.
        solver: Who solves.
        isolation: How a .py model is contained.
        time_limit: Seconds for everything.

    Returns:
        What is broken, and the plan's objective.

    Raises:
        UsageError: For an argument out of its range.
        DataError: For a file that is none, the solution of another model, or a model that cannot
            be read.
        SandboxError: Where programs cannot be contained.
        SolverError: Where the solver is not installed, or its answer does not hold.

    Examples:
        >>> [(one.name, one.by) for one in check("bakery.lp", {"bread": 30, "cake": 1}).broken]
        [('orders', 12.0), ('oven', 3.0)]
    """
    problem, solves = _read(model, solver, isolation, time_limit)
    given, name = read_solution(solution)
    if complete:
        return completed(problem, given, name, solves)
    return check_plan(problem, given, name)
