"""Model methods about objectives."""

from typing import Any

from ordojo.compat.core import expr as core
from ordojo.compat.core.handles import objective_of
from ordojo.compat.core.parts import Goal
from ordojo.compat.core.quad import QuadExpr as CoreQuad
from ordojo.compat.gurobipy.constraints import points
from ordojo.compat.gurobipy.errors import GurobiError, failure
from ordojo.compat.gurobipy.expressions import LinExpr, NLExpr, QuadExpr, TempConstr, as_expression


def setObjective(model: Any, expr: Any, sense: Any = None) -> None:
    """Set the objective, and its sense where one is given."""
    state, found = model._state, _objective(expr)
    if sense is not None:
        maximize = sense_of(sense)
    products = None
    if isinstance(found, CoreQuad):
        products = (found._q[:], found._a[:], found._b[:])
        state.check([*found._a, *found._b])
        found = found._linear
    state.check(found._v)
    coeffs, variables, constant = found._c[:], found._v[:], float(found._k)
    columns = len(state.columns)

    def put() -> None:
        for j in range(columns):
            state.cost[j] = 0.0
        cost = state.cost
        for c, var in zip(coeffs, variables, strict=True):
            if var._col >= 0:
                cost[var._col] += c
        state.goal.constant, state.goal.products = constant, products
        state.extra.pop("PWLObj", None)
        if sense is not None:
            state.maximize = maximize

    state.later(put)


def sense_of(sense: Any) -> bool:
    """Whether a sense means maximizing; GurobiError for other numbers than 1 and -1."""
    number = int(sense)
    if number not in (1, 0, -1):
        raise failure("INVALID_ARGUMENT", "Invalid objective sense")
    return number < 0


def _objective(expr: Any) -> Any:
    if isinstance(expr, NLExpr):
        raise GurobiError(-1, "Objective must be linear or quadratic")
    found = None if isinstance(expr, TempConstr) else as_expression(expr)
    if found is None:
        raise GurobiError(-1, "Unable to convert argument to an expression")
    return found


def setObjectiveN(
    model: Any,
    expr: Any,
    index: int,
    priority: int = 0,
    weight: float = 1.0,
    abstol: float = 1e-6,
    reltol: float = 0.0,
    name: str = "",
) -> None:
    """Set one of several linear objectives."""
    found = _objective(expr)
    if isinstance(found, CoreQuad):
        raise GurobiError(-1, "Objective must be linear for multi-objective model")
    state = model._state
    state.check(found._v)
    coeffs, variables = found._c[:], found._v[:]

    def put() -> None:
        goal = state.goal if index == 0 else goal_at(state, index)
        goal.name, goal.priority, goal.weight = name, int(priority), float(weight)
        goal.abs_tol, goal.rel_tol, goal.constant = float(abstol), float(reltol), found._k
        state.several = max(state.several, index + 1)
        if index:
            goal.coeffs, goal.variables = coeffs, variables
            return
        for j in range(len(state.cost)):
            state.cost[j] = 0.0
        for c, var in zip(coeffs, variables, strict=True):
            if var._col >= 0:
                state.cost[var._col] += c

    state.later(put)


def goal_at(state: Any, index: int) -> Goal:
    """Objective number `index`, made where it does not exist, with those before it."""
    for number in range(1, index + 1):
        state.goals.setdefault(number, Goal())
    found: Goal = state.goals[index]
    return found


def getObjective(model: Any, index: int | None = None) -> LinExpr | QuadExpr:
    """The objective as an expression."""
    state = model._state
    number = index or 0
    if number:
        if number not in state.goals:
            raise AttributeError(
                "Value of parameter ObjNumber is larger than the number of objectives"
            )
        goal = state.goals[number]
        further: LinExpr = core.make(
            LinExpr, list(goal.coeffs), list(goal.variables), goal.constant
        )
        return further
    found: LinExpr | QuadExpr = objective_of(state, state.cols_live, LinExpr, QuadExpr)
    return found


def objective_values(state: Any) -> list[float]:
    """The value of each of several objectives at the solution."""
    x = state.x or []
    first = sum(c * v for c, v in zip(state.cost, x, strict=False)) + state.goal.constant
    values = [float(first)]
    for _, goal in sorted(state.goals.items()):
        pairs = zip(goal.coeffs, goal.variables, strict=True)
        values.append(float(sum(c * x[var._col] for c, var in pairs) + goal.constant))
    return values


def setPWLObj(model: Any, var: Any, x: Any, y: Any) -> None:
    """Give a variable a piecewise-linear term in the objective."""
    numbers = points(x, y)
    state = model._state
    state.check([var])

    def put() -> None:
        if var._col >= 0:
            state.cost[var._col] = 0.0
            state.extra.setdefault("PWLObj", {})[var] = numbers

    state.later(put)


def getPWLObj(model: Any, var: Any) -> list[tuple[float, float]]:
    """The points of a variable's piecewise-linear objective term."""
    numbers = model._state.extra.get("PWLObj", {}).get(var, ())
    return list(zip(numbers[::2], numbers[1::2], strict=True))
