"""A model as a gurobipy program."""

from itertools import repeat

from ordojo.milp.algebra import number
from ordojo.milp.model import INF, Model, VarType
from ordojo.milp.source.names import effective, linear, linears, objective, quoted, refs, side

_TYPES: dict[int, str] = {
    VarType.INTEGER: "GRB.INTEGER",
    VarType.BINARY: "GRB.BINARY",
    VarType.SEMICONTINUOUS: "GRB.SEMICONT",
    VarType.SEMIINTEGER: "GRB.SEMIINT",
}

Lines = tuple[list[str], list[str], dict[int, str], list[str]]
"""The lines before, of the columns, of the rows by number, and after."""


def gurobipy_source(model: Model) -> str:
    """A complete program that builds the model, solves it and prints status and objective."""
    head, columns, rows, tail = gurobipy_lines(model)
    return "\n".join([*head, *columns, "", *rows.values(), "", *tail]) + "\n"


def gurobipy_lines(model: Model) -> Lines:
    """The program in parts, so that one line can be written anew."""
    names = refs(model.col_names)
    m = names.model
    head = ["import gurobipy as gp", "from gurobipy import GRB", ""]
    head += [f"{m} = gp.Model({quoted(model.name)})", *(f"{g} = {{}}" for g in names.groups)]
    tail = [
        f"{m}.setObjective({objective(model) or 0}, GRB.{_sense(model)})",
        f"{m}.optimize()",
        f'print("status", {m}.Status)',
        f"if {m}.Status == GRB.OPTIMAL:",
        f'    print("objective", {m}.ObjVal)',
    ]
    bounds = [side.tolist() for side in model.effective_bounds]
    columns = map(_column, repeat(m), names.columns, model.col_names, model.types.tolist(), *bounds)
    sides = model.row_lower.tolist(), model.row_upper.tolist()
    rows = map(_row, repeat(m), model.row_names, linears(model), *sides)
    return head, list(columns), dict(enumerate(rows)), tail


def gurobipy_column(model: Model, j: int) -> str:
    """Column j's line: `x = m.addVar(ub=10, vtype=GRB.INTEGER, name="x")`."""
    names = refs(model.col_names)
    kind, bounds = model.types.item(j), effective(model, j)
    return _column(names.model, names.columns[j], model.col_names[j], kind, *bounds)


def gurobipy_row(model: Model, i: int) -> str:
    """Row i's line: `m.addConstr(2*x + 3*y <= 100, name="capacity")`; a dropped row's a comment."""
    sides = model.row_lower.item(i), model.row_upper.item(i)
    return _row(refs(model.col_names).model, model.row_names[i], linear(model, i), *sides)


def _column(m: str, column: str, name: str, kind: int, lower: float, upper: float) -> str:
    words = []
    if lower != 0:
        words.append(f"lb={side(lower, 'GRB.INFINITY')}")
    if upper != (1 if kind == VarType.BINARY else INF):
        words.append(f"ub={side(upper, 'GRB.INFINITY')}")
    if kind:
        words.append(f"vtype={_TYPES[kind]}")
    words.append(f"name={quoted(name)}")
    return f"{column} = {m}.addVar({', '.join(words)})"


def _row(m: str, name: str, left: str, lower: float, upper: float) -> str:
    if lower == -INF and upper == INF:
        return f"# dropped: {quoted(name)}"
    if lower == upper:
        relation = f"== {number(lower)}"
    elif lower == -INF:
        relation = f"<= {number(upper)}"
    elif upper == INF:
        relation = f">= {number(lower)}"
    else:
        relation = f"== [{number(lower)}, {number(upper)}]"
    return f"{m}.addConstr({left or 'gp.LinExpr()'} {relation}, name={quoted(name)})"


def _sense(model: Model) -> str:
    return "MAXIMIZE" if model.maximize else "MINIMIZE"
