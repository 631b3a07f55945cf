"""Model methods that make another model of this one: copy, relaxation, fixed model."""

from array import array
from typing import Any

from ordojo.compat.core import expr as core
from ordojo.compat.core.parts import (
    FormulaPart,
    GeneralPart,
    Goal,
    IndicatorPart,
    Part,
    QuadraticPart,
    SosPart,
)
from ordojo.compat.gurobipy.errors import GurobiError, unsupported
from ordojo.compat.gurobipy.expressions import LinExpr
from ordojo.compat.gurobipy.handles import new_constr, new_var
from ordojo.milp.model import VarType

_RELAXED = {
    VarType.INTEGER: VarType.CONTINUOUS,
    VarType.BINARY: VarType.CONTINUOUS,
    VarType.SEMICONTINUOUS: VarType.CONTINUOUS,
    VarType.SEMIINTEGER: VarType.CONTINUOUS,
}


def copy(model: Any) -> Any:
    """Another model with the same content as of the last update; the solution stays behind."""
    old = model._state
    made = type(model)(f"{old.name}_copy" if old.name else "")
    new = made._state
    new.params.changed.update(old.params.changed)
    cols, rows = old.cols_live, old.rows_live
    end = old.starts[rows]
    for which in ("lower", "upper", "cost"):
        setattr(new, which, getattr(old, which)[:cols])
    new.kinds = old.kinds[:cols]
    new.col_names.add_many(old.col_names.all()[:cols])
    new.columns = [new_var(new, j) for j in range(cols)]
    new.starts, new.index = old.starts[: rows + 1], old.index[:end]
    new.value, new.senses, new.rhs = old.value[:end], old.senses[:rows], old.rhs[:rows]
    new.row_names.add_many(old.row_names.all()[:rows])
    new.rows = [new_constr(new, i) for i in range(rows)]
    new.cols_live, new.rows_live, new.maximize = cols, rows, old.maximize
    new.several = old.several
    new.goal = _goal(old.goal, new)
    new.goals = {number: _goal(goal, new) for number, goal in old.goals.items()}
    for parts in old.parts.values():
        for part in parts:
            if part.number >= 0:
                new.add_part(_part(part, new))
    for name, values in old.extra.items():
        new.extra[name] = {
            (new.columns if hasattr(handle, "_col") else new.rows)[handle._number()]: value
            for handle, value in values.items()
            if hasattr(handle, "_col") or hasattr(handle, "_row")
        }
    new.update()
    return made


def _vars(state: Any, variables: list[Any]) -> list[Any]:
    return [state.columns[var._col] for var in variables if var._col >= 0]


def _terms(state: Any, coeffs: list[float], variables: list[Any]) -> tuple[list[float], list[Any]]:
    pairs = zip(coeffs, variables, strict=True)
    kept = [(c, state.columns[var._col]) for c, var in pairs if var._col >= 0]
    return [c for c, _ in kept], [var for _, var in kept]


def _products(state: Any, products: Any) -> Any:
    kept = [
        (q, state.columns[a._col], state.columns[b._col])
        for q, a, b in zip(*products, strict=True)
        if a._col >= 0 and b._col >= 0
    ]
    return ([k[0] for k in kept], [k[1] for k in kept], [k[2] for k in kept])


def _goal(goal: Goal, state: Any) -> Goal:
    coeffs, variables = _terms(state, goal.coeffs, goal.variables)
    products = _products(state, goal.products) if goal.products else None
    return Goal(
        goal.name,
        goal.priority,
        goal.weight,
        goal.abs_tol,
        goal.rel_tol,
        goal.constant,
        coeffs,
        variables,
        products,
    )


def _part(part: Part, state: Any) -> Part:
    """A part over the new model's variables."""
    if isinstance(part, QuadraticPart):
        linear = core.make(LinExpr, *_terms(state, part.linear._c, part.linear._v), 0.0)
        return QuadraticPart(
            name=part.name,
            linear=linear,
            products=_products(state, part.products),
            sense=part.sense,
            rhs=part.rhs,
            low=part.low,
        )
    if isinstance(part, IndicatorPart):
        coeffs, variables = _terms(state, part.coeffs, part.variables)
        return IndicatorPart(
            name=part.name,
            binary=state.columns[part.binary._col],
            active=part.active,
            coeffs=coeffs,
            variables=variables,
            sense=part.sense,
            rhs=part.rhs,
        )
    if isinstance(part, GeneralPart):
        return GeneralPart(
            name=part.name,
            function=part.function,
            result=state.columns[part.result._col],
            operands=_vars(state, part.operands),
            numbers=part.numbers,
        )
    if isinstance(part, SosPart):
        weights, variables = _terms(state, part.weights, part.variables)
        return SosPart(name=part.name, kind=part.kind, variables=variables, weights=weights)
    assert isinstance(part, FormulaPart)
    raise unsupported("copying a model with nonlinear formulas")


def relax(model: Any) -> Any:
    """The continuous relaxation: no integer variables, no special ordered sets."""
    model.update()
    made = copy(model)
    state = made._state
    if state.parts.get("general"):
        raise unsupported("relax of a model with general constraints")
    kinds, lower = list(state.kinds), list(state.lower)
    for j, kind in enumerate(kinds):
        if kind in (VarType.SEMICONTINUOUS, VarType.SEMIINTEGER):
            lower[j] = min(lower[j], 0.0)
        kinds[j] = _RELAXED.get(VarType(kind), kind)
    state.kinds, state.lower = bytearray(kinds), array("d", lower)
    state.parts.pop("sos", None)
    return made


def fixed(model: Any) -> Any:
    """The continuous model with the integer variables fixed at the solution."""
    state = model._state
    if state.x is None or not any(state.kinds):
        raise GurobiError(-1, "Failed to create fixed model")
    values, whole = list(state.x), bytes(state.kinds)
    made = copy(model)
    other = made._state
    for j, kind in enumerate(whole):
        if kind:
            value = values[j]
            near = float(round(value))
            value = near if abs(near - value) < 1e-4 else value
            other.lower[j] = other.upper[j] = value
            other.kinds[j] = VarType.CONTINUOUS
    return made
