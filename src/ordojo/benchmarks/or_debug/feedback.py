"""What the environment says: conflicts in algebra, slacks, bounds, lines of code."""

import numpy as np

from ordojo.benchmarks.or_debug.elements import Part
from ordojo.benchmarks.or_debug.repairs import Change
from ordojo.benchmarks.or_debug.workbench import Workbench
from ordojo.core.errors import SolverError
from ordojo.milp.algebra import bound_text, number, row_text
from ordojo.milp.model import INF, Floats, Model
from ordojo.milp.source import gurobipy_column, gurobipy_row
from ordojo.solvers.answers import Status
from ordojo.solvers.elastic import Weights, stretch

SHOWN = 200
"""How many rows or columns an answer lists."""

_BINDING = 1e-6


def conflict(bench: Workbench, with_bounds: bool) -> str:
    """The IIS, one member a line; why there is none, where the model is not infeasible."""
    if bench.status != Status.INFEASIBLE:
        return f"There is no IIS: the status is {bench.status.value}."
    model = bench.model
    names = [f"{name}: {row_text(model, model.rows[name])}" for name in bench.rows]
    if with_bounds:
        names += [f"{name}: {_bound_value(model, name)}" for name in bench.bounds]
    if not names:
        return "No constraint is in the IIS: the bounds of variables contradict each other."
    return "\n".join(["These cannot hold together:", *(f"  {name}" for name in names)])


def slacks(bench: Workbench, row: int | None, time_limit: float) -> str:
    """The slack of one row, or of all; violations where the model is infeasible.

    Slacks exist at a feasible point alone, so an infeasible model's rows are shown at the point
    that violates them least in total, bounds and types kept.
    """
    model, solution = bench.model, bench.solution
    if solution.activity is not None:
        lines = [_slack(model, i, solution.activity) for i in _chosen(model, row)]
        head = "At the optimum:" if bench.status == Status.OPTIMAL else "At the best point found:"
        return "\n".join([head, *lines])
    if bench.status != Status.INFEASIBLE:
        return f"There are no slacks: the status is {bench.status.value}."
    weights = Weights(np.ones((2, model.m)), np.full((2, model.n), INF))
    try:
        found = stretch(model, weights, time_limit)
    except SolverError:
        return "There are no slacks: no point that violates the rows least was found in the time."
    if found is None:
        return "There are no slacks: no point lies within the bounds and types of the variables."
    short = found.rows.sum(axis=0)
    lines = [_shortfall(model, i, short.item(i)) for i in _chosen(model, row)]
    head = (
        "There are no slacks, as no point satisfies all constraints. "
        "Where they are violated least in total:"
    )
    return "\n".join([head, *lines])


def bounds(bench: Workbench, column: int | None) -> str:
    """Bounds and type of one column, or of all, with its value at an optimum."""
    model, x = bench.model, bench.solution.x
    columns = range(min(model.n, SHOWN)) if column is None else (column,)
    lines = []
    for j in columns:
        value = "" if x is None else f" (now {_rounded(x.item(j))})"
        kind = "" if model.types.item(j) else ", continuous"
        lines.append(f"  {bound_text(model, j)}{kind}{value}")
    return "\n".join(lines) + _more(model.n, column)


def code_line(change: Change, model: Model) -> str:
    """The line of the program that a change rewrote."""
    element = change.element
    line = gurobipy_row if element.part is Part.ROW else gurobipy_column
    return line(model, element.number)


def _chosen(model: Model, row: int | None) -> list[int]:
    if row is not None:
        return [row]
    return [i for i in range(model.m) if model.is_live(i)][:SHOWN]


def _slack(model: Model, i: int, activity: Floats) -> str:
    name, value = model.row_names[i], activity.item(i)
    if not model.is_live(i):
        return f"  {name}: out of the model"
    lower, upper = model.row_lower.item(i), model.row_upper.item(i)
    room = min(value - lower, upper - value)
    slack = "binding" if room <= _BINDING * max(1.0, abs(value)) else f"slack {_rounded(room)}"
    return f"  {name}: {slack} (left-hand side {_rounded(value)})"


def _shortfall(model: Model, i: int, short: float) -> str:
    name = model.row_names[i]
    if not model.is_live(i):
        return f"  {name}: out of the model"
    if short <= _BINDING:
        return f"  {name}: satisfied"
    return f"  {name}: violated by {_rounded(short)}"


def _bound_value(model: Model, name: str) -> str:
    column, _, part = name.rpartition(".")
    j = model.cols[column]
    low, up = model.effective_bounds
    return (
        f"{column} >= {number(low.item(j))}"
        if part == "lb"
        else f"{column} <= {number(up.item(j))}"
    )


def _rounded(value: float) -> str:
    return f"{value + 0.0:.6g}"


def _more(count: int, column: int | None) -> str:
    left = count - SHOWN
    return f"\n  ... and {left} more" if column is None and left > 0 else ""
