"""A model as a Pyomo program."""

from ordojo.core.errors import DataError
from ordojo.milp.algebra import number
from ordojo.milp.model import INF, Model, VarType
from ordojo.milp.source.names import effective, linear, objective, quoted, refs, side

_DOMAINS = {
    VarType.CONTINUOUS: "",
    VarType.INTEGER: ", pyo.Integers",
    VarType.BINARY: ", pyo.Binary",
}


def pyomo_source(model: Model) -> str:
    """A complete program that builds the model, solves it with HiGHS and prints the outcome.

    Columns are `m.col[name]`, rows `m.row[name]`. Raises DataError where a column is
    semicontinuous, which Pyomo does not have.
    """
    names = refs(model.col_names)
    m = names.model
    head = [
        "import pyomo.environ as pyo",
        "",
        f"{m} = pyo.ConcreteModel({quoted(model.name)})",
        f"{m}.col = pyo.Var(pyo.Any, dense=False)",
        f"{m}.row = pyo.Constraint(pyo.Any)",
        *(f"{group} = {{}}" for group in names.groups),
        "",
        "",
        "def add(name, lower=None, upper=None, domain=pyo.Reals):",
        f"    {m}.col[name].setlb(lower)",
        f"    {m}.col[name].setub(upper)",
        f"    {m}.col[name].domain = domain",
        f"    return {m}.col[name]",
        "",
        "",
    ]
    goal, sense = objective(model) or "0", "maximize" if model.maximize else "minimize"
    tail = [
        f"{m}.objective = pyo.Objective(expr={goal}, sense=pyo.{sense})",
        'solver = pyo.SolverFactory("appsi_highs")',
        f"result = solver.solve({m}, load_solutions=False)",
        'print("status", result.solver.termination_condition)',
        "if result.solver.termination_condition == pyo.TerminationCondition.optimal:",
        f"    {m}.solutions.load_from(result)",
        f'    print("objective", pyo.value({m}.objective))',
    ]
    columns = [_column(model, j) for j in range(model.n)]
    rows = [_row(model, i) for i in range(model.m)]
    return "\n".join([*head, *columns, "", *rows, "", *tail]) + "\n"


def _column(model: Model, j: int) -> str:
    kind, name = VarType(model.types.item(j)), model.col_names[j]
    if kind not in _DOMAINS:
        raise DataError(
            f"column '{name}' is semicontinuous, which Pyomo does not have; write gurobipy instead"
        )
    lower, upper = (side(value, "inf") for value in effective(model, j))
    bounds = f"{'None' if lower == '-inf' else lower}, {'None' if upper == 'inf' else upper}"
    return f"{refs(model.col_names).columns[j]} = add({quoted(name)}, {bounds}{_DOMAINS[kind]})"


def _row(model: Model, i: int) -> str:
    m, name = refs(model.col_names).model, quoted(model.row_names[i])
    lower, upper = model.row_lower.item(i), model.row_upper.item(i)
    left = linear(model, i)
    if lower == -INF and upper == INF:
        return f"# dropped: {name}"
    left = left or f"0*{m}.col[0]"  # a constraint without any column is refused
    if lower > upper:  # so is a range like this: two rows
        second = f"{m}.row[{quoted(model.row_names[i] + '_hi')}] = {left} <= {number(upper)}"
        return f"{m}.row[{name}] = {left} >= {number(lower)}\n{second}"
    if lower == upper:
        relation = f"{left} == {number(lower)}"
    elif lower == -INF:
        relation = f"{left} <= {number(upper)}"
    elif upper == INF:
        relation = f"{left} >= {number(lower)}"
    else:
        relation = f"({number(lower)}, {left}, {number(upper)})"
    return f"{m}.row[{name}] = {relation}"
