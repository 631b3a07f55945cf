"""What is asked of a model after it was solved or explained: changes, worth, doubts, a plan."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from ordojo.api.reading import read_problem
from ordojo.core.ranges import MENU, SECONDS, SIZE, in_range
from ordojo.solvers.asked.check import Check, check_plan
from ordojo.solvers.asked.check import complete as completed
from ordojo.solvers.asked.plan import WhatIf, what_if, why_not
from ordojo.solvers.asked.solutions import read_solution
from ordojo.solvers.asked.solves import Solves
from ordojo.solvers.asked.suspects import Suspects, suspects_of
from ordojo.solvers.asked.worth import RowWorth, worth_of
from ordojo.solvers.problem import Problem

# What a tool of `ordojo mcp` says of an argument is annotated here, once.
Edits = Annotated[
    Sequence[str],
    Field(
        description="Changes: 'cap <= 50' (a row's side), 'x >= 3' (a bound), 'obj.x = 4' (a cost),"
        " 'need[x] = 2' (a coefficient), 'drop row7', 'new: x + 2 y <= 7' (a new row)."
    ),
]
Statement = Annotated[str, Field(description="A linear constraint, such as 'open[W2] >= 1'.")]
Row = Annotated[str, Field(description="The name of a row.")]
Amount = Annotated[float, Field(description="How far its side is moved, both ways.")]
Most = Annotated[int, Field(description=f"Suspects that are solved, {MENU}.")]
Family = Annotated[
    str | None, Field(description="One family alone, such as 'cap*'; * and ? match.")
]
Plan = Annotated[
    Mapping[str, float] | str | Path,
    Field(description="Values by column, or the path of a solution file (.sol, .json, .csv)."),
]
Completing = Annotated[bool, Field(description="Hold what is given, and solve for the rest.")]


def _read(model: Any, solver: str, isolation: str, time_limit: float) -> tuple[Problem, Solves]:
    """The model's problem, and the solves for it, whose clock has run since before the reading."""
    solves = Solves(solver, time_limit)
    return read_problem(model, isolation=isolation, time_limit=time_limit), solves


@in_range(time_limit=SECONDS)
def whatif(
    model: Any,
    edits: Edits,
    *,
    solver: str = "highs",
    isolation: str = "auto",
    time_limit: float = 60.0,
) -> WhatIf:
    """What changes of a model do: status and optimum before and after, and what must change.

    `model` is what `read_model` takes, `edits` are applied one after another: `cap <= 50` sets a
    row's side or a column's bound (`=`: both), `obj.x = 4` a cost, `need[x] = 2` the coefficient of
    x in row need, `drop need` takes a row away, `x + 2 y <= 7` or `name: x + 2 y <= 7` adds one.
    The new plan is the optimal one closest to the former, by the sum of distances; of a model that
    becomes infeasible a conflict is shown. `solver` is "highs", "scip" or "gurobi"; `time_limit`
    seconds bound everything. Prints a text; `to_json()` has it all. Raises UsageError for an edit
    that names nothing or cannot be read, DataError for a model that cannot be.

    >>> print(whatif("bakery.lp", ["orders >= 30", "oven <= 50"]))  # doctest: +ELLIPSIS
    bakery, changed (highs ...):
      orders: 2 bread + 3 cake >= 30 (was 2 bread + 3 cake >= 75)
      oven: 2 bread + 3 cake <= 50 (was 2 bread + 3 cake <= 60)
    Before: infeasible.
    After: optimum 83.3333333.
    """
    problem, solves = _read(model, solver, isolation, time_limit)
    return what_if(problem, [edits] if isinstance(edits, str) else edits, solves)


@in_range(time_limit=SECONDS)
def whynot(
    model: Any,
    statement: Statement,
    *,
    solver: str = "highs",
    isolation: str = "auto",
    time_limit: float = 60.0,
) -> WhatIf:
    """What it costs that a linear statement holds, or the conflict that forbids it.

    `statement` is a constraint over columns (`open[W2] >= 1`, `x + y <= 3`) or on a row
    (`cap <= 50`: what the row adds up to), put beside what the model has. The other arguments and
    what comes back are those of `whatif`. Raises UsageError where it names nothing.

    >>> answer = whynot("bakery.lp", "cake >= 21")
    >>> answer.after.status, answer.conflict.takes_part
    (<Status.INFEASIBLE: 'INFEASIBLE'>, False)
    """
    problem, solves = _read(model, solver, isolation, time_limit)
    return why_not(problem, statement, solves)


@in_range(time_limit=SECONDS, by=SIZE)
def worth(
    model: Any,
    row: Row,
    *,
    by: Amount = 1.0,
    solver: str = "highs",
    isolation: str = "auto",
    time_limit: float = 60.0,
) -> RowWorth:
    """What a row's limit is worth, by solving again with its side `by` looser and tighter.

    Beside it the dual price of an LP, the sides beyond which no solution exists, and from where on
    the row takes nothing from the optimum. Whole numbers stay whole. The other arguments are those
    of `whatif`. Raises UsageError for a row that the model does not have, or one without sides.

    >>> worth("bakery.lp", "orders").sides[0].feasible[1].value
    60.0
    """
    problem, solves = _read(model, solver, isolation, time_limit)
    return worth_of(problem, row, by, solves)


@in_range(time_limit=SECONDS, limit=MENU)
def suspects(
    model: Any,
    *,
    limit: Most = 10,
    family: Family = None,
    solver: str = "highs",
    isolation: str = "auto",
    time_limit: float = 60.0,
) -> Suspects:
    """Numbers unlike those of their family, each one's undo solved, what matters most first.

    At most `limit` are solved. A family has names that differ in digits and brackets alone
    (`cap[*]`); `family` asks of one. The other arguments are those of `whatif`. Raises UsageError
    for a family that the model does not have.

    >>> print(suspects("bakery.lp"))  # doctest: +ELLIPSIS
    bakery (highs ...), as it is: infeasible.
    No number is unlike its family's.
    """
    problem, solves = _read(model, solver, isolation, time_limit)
    return suspects_of(problem, limit, family, solves)


@in_range(time_limit=SECONDS)
def check(
    model: Any,
    solution: Plan,
    *,
    complete: Completing = False,
    solver: str = "highs",
    isolation: str = "auto",
    time_limit: float = 60.0,
) -> Check:
    """Which rows, bounds and whole numbers a plan breaks, by how much, and its objective.

    `solution` is a mapping of columns to numbers or a file: JSON {name: value}, CSV name,value, or
    a solution file of HiGHS, Gurobi, SCIP or MIPLIB. Columns that it does not name count as 0; with
    `complete` they are solved for, the others held. The other arguments are those of `whatif`.
    Raises DataError for a file that is none, or the solution of another model.

    >>> [(one.name, one.by) for one in check("bakery.lp", {"bread": 30, "cake": 1}).broken]
    [('orders', 12.0), ('oven', 3.0)]
    """
    problem, solves = _read(model, solver, isolation, time_limit)
    given, name = read_solution(solution)
    if complete:
        return completed(problem, given, name, solves)
    return check_plan(problem, given, name)
