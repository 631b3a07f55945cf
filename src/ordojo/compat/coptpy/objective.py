"""Model methods about objectives."""

from typing import Any

from ordojo.compat.coptpy.constants import COPT
from ordojo.compat.coptpy.errors import invalid, unsupported
from ordojo.compat.coptpy.expressions import LinExpr, NlExpr, QuadExpr, as_expression
from ordojo.compat.coptpy.state import Aim
from ordojo.compat.core import expr as core
from ordojo.compat.core.handles import objective_of
from ordojo.compat.core.quad import QuadExpr as CoreQuad

_AIM = {
    "multiobjpriority": "priority",
    "multiobjweight": "weight",
    "multiobjabstol": "abstol",
    "multiobjreltol": "reltol",
}


def setObjective(model: Any, expr: Any, sense: Any = None) -> None:
    """Set the objective, and its sense where one is given."""
    state = model._state
    if sense is not None and (isinstance(sense, str) or core.number(sense) is None):
        raise TypeError("The sense of an objective is COPT.MINIMIZE or COPT.MAXIMIZE")
    found: Any = LinExpr()
    state.formula = None
    if isinstance(expr, NlExpr):
        state.formula = expr
    else:
        made = as_expression(expr)
        if made is None:
            kind = type(expr)
            raise TypeError(f"Type of 'arg1' is not compatible with QuadExpr: {kind}")
        found = made
    products = None
    if isinstance(found, CoreQuad):
        state.check([*found._a, *found._b])
        products = (found._q[:], found._a[:], found._b[:])
        found = found._linear
    coeffs, variables, constant = core.linear(found) or ([], [], 0.0)
    state.check(variables)
    cost = state.cost
    for j in range(len(cost)):
        cost[j] = 0.0
    for c, var in zip(coeffs, variables, strict=True):
        cost[var._col] += c
    state.goal.constant, state.goal.products = float(constant), products
    if sense is not None:
        setObjSense(model, sense)


def setObjSense(model: Any, sense: int) -> None:
    """Set the sense."""
    model._state.maximize = int(sense) < 0


def setObjConst(model: Any, constant: float) -> None:
    """Set the constant."""
    model._state.goal.constant = float(constant)


def getObjective(model: Any) -> Any:
    """The objective as an expression."""
    state = model._state
    if state.formula is not None:
        return state.formula
    return objective_of(state, len(state.cost), LinExpr, QuadExpr)


def delQuadObj(model: Any) -> None:
    """Drop the objective's products."""
    model._state.goal.products = None


def delNlObj(model: Any) -> None:
    """Drop the objective's formula."""
    model._state.formula = None


def setObjectiveN(
    model: Any,
    idx: int,
    expr: Any,
    sense: int = 0,
    priority: float = 0.0,
    weight: float = 1.0,
    abstol: float = 1e-6,
    reltol: float = 0.0,
) -> None:
    """Set one of several linear objectives; while there are any, the single one does not count."""
    found = as_expression(expr)
    if found is None or isinstance(found, CoreQuad):
        raise unsupported("one of several objectives that is not linear")
    state = model._state
    state.check(found._v)
    state.aims[int(idx)] = Aim(
        found._c,
        found._v,
        float(found._k),
        int(sense),
        float(priority),
        float(weight),
        float(abstol),
        float(reltol),
    )


def _aim(model: Any, idx: int) -> Aim:
    found: Aim | None = model._state.aims.get(int(idx))
    if found is None:
        raise invalid("Invalid objective index")
    return found


def getObjectiveN(model: Any, idx: int) -> LinExpr:
    """One of several objectives."""
    aim = _aim(model, idx)
    made: LinExpr = core.make(LinExpr, list(aim.coeffs), list(aim.variables), aim.constant)
    return made


def delObjN(model: Any, idx: int) -> None:
    """Drop one of several objectives."""
    _aim(model, idx)
    del model._state.aims[int(idx)]


def setObjParamN(model: Any, idx: int, paramname: str, newval: float) -> None:
    """Set priority, weight or a tolerance of one of several objectives."""
    setattr(_aim(model, idx), _aim_field(paramname), float(newval))


def getObjParamN(model: Any, idx: int, paramname: str) -> float:
    """Priority, weight or a tolerance of one of several objectives."""
    return float(getattr(_aim(model, idx), _aim_field(paramname)))


def _aim_field(name: str) -> str:
    field = _AIM.get(str(name).lower())
    if field is None:
        raise AttributeError(f"Invalid parameter name '{name}'")
    return field


def aim_value(state: Any, aim: Aim) -> float:
    """The value of one of several objectives at the solution."""
    x = state.x or []
    pairs = zip(aim.coeffs, aim.variables, strict=True)
    return float(sum(c * x[var._col] for c, var in pairs) + aim.constant)


def getAttrN(model: Any, idx: int, attrname: str) -> float:
    """The value of one of several objectives."""
    aim = _aim(model, idx)
    if str(attrname).lower() != "objval":
        raise unsupported(f"getAttrN of '{attrname}'")
    return aim_value(model._state, aim) if model._state.x is not None else COPT.INFINITY
