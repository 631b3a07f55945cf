"""A model as a highspy program."""

from ordojo.milp.algebra import number
from ordojo.milp.model import INF, Model, VarType
from ordojo.milp.source.names import effective, linear, objective, quoted, refs, side

_TYPES = {
    VarType.INTEGER: "kInteger",
    VarType.BINARY: "kInteger",
    VarType.SEMICONTINUOUS: "kSemiContinuous",
    VarType.SEMIINTEGER: "kSemiInteger",
}


def highspy_source(model: Model) -> str:
    """A complete program that builds the model, solves it and prints status and objective."""
    names = refs(model.col_names)
    m = names.model
    head = ["import highspy", "", f"{m} = highspy.Highs()", f"{m}.silent()"]
    head += [f"{group} = {{}}" for group in names.groups]
    sense = "kMaximize" if model.maximize else "kMinimize"
    goal = objective(model)
    if not model.objective.any() and goal:
        goal = f"highspy.highs.highs_linear_expression({goal})"
    tail = [f"{m}.setObjective({goal or None}, highspy.ObjSense.{sense})"]
    tail += [f"{m}.run()", f'print("status", {m}.modelStatusToString({m}.getModelStatus()))']
    tail += [f"if {m}.getModelStatus() == highspy.HighsModelStatus.kOptimal:"]
    tail += [f'    print("objective", {m}.getObjectiveValue())']
    columns = [_column(model, j) for j in range(model.n)]
    rows = [_row(model, i) for i in range(model.m)]
    return "\n".join([*head, *columns, "", *rows, "", *tail]) + "\n"


def _column(model: Model, j: int) -> str:
    names = refs(model.col_names)
    kind = VarType(model.types.item(j))
    lower, upper = effective(model, j)
    words = []
    if lower != 0:
        words.append(f"lb={side(lower, 'highspy.kHighsInf')}")
    if upper != INF:
        words.append(f"ub={side(upper, 'highspy.kHighsInf')}")
    if kind:
        words.append(f"type=highspy.HighsVarType.{_TYPES[kind]}")
    words.append(f"name={quoted(model.col_names[j])}")
    return f"{names.columns[j]} = {names.model}.addVariable({', '.join(words)})"


def _row(model: Model, i: int) -> str:
    m, name = refs(model.col_names).model, quoted(model.row_names[i])
    lower, upper = model.row_lower.item(i), model.row_upper.item(i)
    left = linear(model, i)
    if lower == -INF and upper == INF:
        return f"# dropped: {name}"
    if not left:
        sides = f"{side(lower, 'highspy.kHighsInf')}, {side(upper, 'highspy.kHighsInf')}"
        return f"{m}.addRow({sides}, 0, [], []); {m}.passRowName({m}.numConstrs - 1, {name})"
    if lower > upper:  # highspy takes no such row: two rows, the second under another name
        second = (
            f"{m}.addConstr({left} <= {number(upper)}, name={quoted(model.row_names[i] + '_hi')})"
        )
        return f"{m}.addConstr({left} >= {number(lower)}, name={name})\n{second}"
    if lower == upper:
        relation = f"{left} == {number(lower)}"
    elif lower == -INF:
        relation = f"{left} <= {number(upper)}"
    elif upper == INF:
        relation = f"{left} >= {number(lower)}"
    else:
        relation = f"{number(lower)} <= {left} <= {number(upper)}"
    return f"{m}.addConstr({relation}, name={name})"
