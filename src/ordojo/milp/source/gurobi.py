"""A model as a gurobipy program."""

from ordojo.milp.algebra import number
from ordojo.milp.model import INF, Model, VarType
from ordojo.milp.source.names import effective, linear, objective, quoted, refs, side

_TYPES = {
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
    columns = [gurobipy_column(model, j) for j in range(model.n)]
    return head, columns, {i: gurobipy_row(model, i) for i in range(model.m)}, tail


def gurobipy_column(model: Model, j: int) -> str:
    """Column j's line: `x = m.addVar(ub=10, vtype=GRB.INTEGER, name="x")`."""
    names = refs(model.col_names)
    kind = VarType(model.types.item(j))
    lower, upper = effective(model, j)
    words = []
    if lower != 0:
        words.append(f"lb={side(lower, 'GRB.INFINITY')}")
    if upper != (1 if kind == VarType.BINARY else INF):
        words.append(f"ub={side(upper, 'GRB.INFINITY')}")
    if kind:
        words.append(f"vtype={_TYPES[kind]}")
    words.append(f"name={quoted(model.col_names[j])}")
    return f"{names.columns[j]} = {names.model}.addVar({', '.join(words)})"


def gurobipy_row(model: Model, i: int) -> str:
    """Row i's line: `m.addConstr(2*x + 3*y <= 100, name="capacity")`; a dropped row's a comment."""
    m, name = refs(model.col_names).model, quoted(model.row_names[i])
    lower, upper = model.row_lower.item(i), model.row_upper.item(i)
    if lower == -INF and upper == INF:
        return f"# dropped: {name}"
    left = linear(model, i) or "gp.LinExpr()"
    if lower == upper:
        relation = f"== {number(lower)}"
    elif lower == -INF:
        relation = f"<= {number(upper)}"
    elif upper == INF:
        relation = f">= {number(lower)}"
    else:
        relation = f"== [{number(lower)}, {number(upper)}]"
    return f"{m}.addConstr({left} {relation}, name={name})"


def _sense(model: Model) -> str:
    return "MAXIMIZE" if model.maximize else "MINIMIZE"
