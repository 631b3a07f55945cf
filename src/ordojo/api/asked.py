"""What is asked of a model after it was solved or explained: changes, worth, doubts, a plan."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ordojo.api.kinds import Amount, AnyModel, Isolation, Menu, Seconds, Solver
from ordojo.api.reading import read_problem
from ordojo.core.ranges import checked
from ordojo.solvers.asked.check import Check, check_plan
from ordojo.solvers.asked.check import complete as completed
from ordojo.solvers.asked.plan import WhatIf, what_if, why_not
from ordojo.solvers.asked.solutions import read_solution
from ordojo.solvers.asked.solves import Solves
from ordojo.solvers.asked.suspects import Suspects, suspects_of
from ordojo.solvers.asked.worth import RowWorth, worth_of
from ordojo.solvers.problem import Problem


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
            taken away (drop need), or a new one (x + 2 y <= 7, name: x + 2 y <= 7).
        solver: Who solves.
        isolation: How a .py model is contained.
        time_limit: Seconds for everything.

    Returns:
        Status and optimum before and after, and what must change. It prints a text; `to_json` has
        it all.

    Raises:
        UsageError: For an edit that names nothing or cannot be read.
        DataError: For a model that cannot be read.

    Examples:
        >>> print(whatif("bakery.lp", ["orders >= 30", "oven <= 50"]))  # doctest: +ELLIPSIS
        bakery, changed (highs ...):
          orders: 2 bread + 3 cake >= 30 (was 2 bread + 3 cake >= 75)
          oven: 2 bread + 3 cake <= 50 (was 2 bread + 3 cake <= 60)
        Before: infeasible.
        After: optimum 83.3333333.
    """
    problem, solves = _read(model, solver, isolation, time_limit)
    return what_if(problem, [edits] if isinstance(edits, str) else edits, solves)


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

    Examples:
        >>> print(suspects("bakery.lp"))  # doctest: +ELLIPSIS
        bakery (highs ...), as it is: infeasible.
        No number is unlike its family's.
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
            name,value (.csv), or a solution of HiGHS, Gurobi, SCIP or MIPLIB (.sol). Columns that
            it does not name count as 0.
        complete: Hold what `solution` gives, and solve for the rest.
        solver: Who solves.
        isolation: How a .py model is contained.
        time_limit: Seconds for everything.

    Returns:
        What is broken, and the plan's objective.

    Raises:
        DataError: For a file that is none, the solution of another model, or a model that cannot
            be read.

    Examples:
        >>> [(one.name, one.by) for one in check("bakery.lp", {"bread": 30, "cake": 1}).broken]
        [('orders', 12.0), ('oven', 3.0)]
    """
    problem, solves = _read(model, solver, isolation, time_limit)
    given, name = read_solution(solution)
    if complete:
        return completed(problem, given, name, solves)
    return check_plan(problem, given, name)
