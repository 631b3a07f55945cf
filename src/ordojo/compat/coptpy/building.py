"""Model methods that add linear constraints."""

import operator
from collections.abc import Iterable, Mapping
from types import GeneratorType
from typing import Any

from ordojo.compat.coptpy.arrays import ConstrArray, HandleArray
from ordojo.compat.coptpy.constants import COPT, LETTERS, cut, sense_of
from ordojo.compat.coptpy.errors import unsupported
from ordojo.compat.coptpy.expressions import (
    ConstrBuilder,
    GenConstrBuilder,
    LinExpr,
    as_expression,
)
from ordojo.compat.coptpy.genconstr import add_indicator
from ordojo.compat.coptpy.handles import Constraint, new_constr
from ordojo.compat.coptpy.keys import loop_keys
from ordojo.compat.coptpy.nlexpr import NlExpr
from ordojo.compat.coptpy.tuples import tupledict
from ordojo.compat.core import expr as core
from ordojo.compat.core.quad import QuadExpr as CoreQuad


def addConstr(model: Any, lhs: Any, sense: Any = None, rhs: Any = None, name: str = "") -> Any:
    """Add a linear constraint or an indicator; what is added comes back."""
    if isinstance(lhs, tuple) and len(lhs) == 3:
        lhs, sense, rhs = lhs
    adds = getattr(lhs, "_add_to", None)
    if adds is not None:
        return adds(model, name, "addConstr")
    if isinstance(lhs, GenConstrBuilder):
        return add_indicator(model, lhs, name)
    if isinstance(lhs, bool):
        return add_row(model._state, LinExpr(), "<", 0.0 if lhs else -1.0, name)
    relation = comparison(lhs, sense, rhs)
    if hasattr(relation, "_add_to"):
        return relation._add_to(model, name, "addConstr")
    if isinstance(relation._lhs, NlExpr) or isinstance(relation._rhs, NlExpr):
        raise ValueError("Unsupported constraint sense")
    whole = difference(relation)
    if isinstance(whole, CoreQuad):
        raise TypeError("'QConstrBuilder' or 'MQConstrBuilder' is not valid for argument 'lhs'")
    return linear_row(model._state, relation, whole, name)


def comparison(lhs: Any, sense: Any, rhs: Any) -> Any:
    """The comparison that the arguments of `addConstr` mean."""
    if isinstance(lhs, ConstrBuilder):
        return lhs
    if rhs is None or lhs is None:
        raise ValueError("Unsupported constraint sense")
    letter = sense_of(sense)
    if letter is None:
        return core.relate(ConstrBuilder, lhs, "N", rhs)
    compare = {"<": operator.le, ">": operator.ge, "=": operator.eq}
    made = compare[letter](lhs, rhs)
    if isinstance(made, bool):
        return core.relate(ConstrBuilder, LinExpr(lhs), letter, rhs)
    return made


def difference(relation: Any) -> Any:
    """Left less right side of a comparison; of a range, the left side."""
    left = as_expression(relation._lhs)
    if isinstance(relation._rhs, list | tuple):
        if left is None or len(relation._rhs) != 2:
            raise ValueError("A range constraint needs an expression and two numbers")
        return left
    right = as_expression(relation._rhs)
    if left is None or right is None:
        side = relation._rhs if left is not None else relation._lhs
        kind = type(side).__name__
        raise TypeError(f"float() argument must be a string or a real number, not '{kind}'")
    return left - right


def linear_row(state: Any, relation: Any, whole: Any, name: str) -> Constraint:
    """Add a linear comparison, whose sides differ by `whole`."""
    if isinstance(relation._rhs, list | tuple):
        lower, upper = (float(side) for side in relation._rhs)
        return add_range(state, whole, lower, upper, name)
    if relation._sense == "N":
        return add_range(state, whole, -COPT.INFINITY, COPT.INFINITY, name)
    return add_row(state, whole, relation._sense, 0.0 - whole._k, name)


def add_row(state: Any, whole: Any, sense: str, rhs: float, name: str) -> Constraint:
    """Add a linear row: the terms of `whole` (sense) rhs."""
    coeffs, variables, _ = core.linear(whole) or ([], [], 0.0)
    state.check(variables)
    constr = new_constr(state, len(state.rows))
    state.add_row(constr, coeffs, variables, ord(sense), cut(rhs))
    state.row_names.add(str(name))
    return constr


def add_range(state: Any, whole: Any, lower: float, upper: float, name: str) -> Constraint:
    """Add lower <= whole <= upper."""
    constant = whole._k if isinstance(whole, core.LinExpr) else 0.0
    constr = add_row(state, whole, "<", 0.0, name)
    state.set_sides(constr._row, cut(lower - constant), cut(upper - constant))
    return constr


def addBoundConstr(
    model: Any,
    expr: Any,
    lb: float = -COPT.INFINITY,
    ub: float = COPT.INFINITY,
    name: str = "",
) -> Any:
    """Add lb <= expr <= ub."""
    whole = as_expression(expr)
    if whole is None or isinstance(whole, CoreQuad):
        raise unsupported("a bounded constraint that is not linear")
    return add_range(model._state, whole, float(lb), float(ub), name)


def addConstrs(model: Any, generator: Any, nameprefix: str = "R") -> Any:
    """Add a constraint for each comparison; a generator's loop variables are the keys."""
    adds = getattr(generator, "_add_to", None)
    if adds is not None:
        return adds(model, nameprefix, "addConstrs")
    state = model._state
    if isinstance(generator, bool):
        return addConstr(model, generator, name=nameprefix)
    if isinstance(generator, int):
        return ConstrArray(
            [add_row(state, LinExpr(), "=", 0.0, f"{nameprefix}({k})") for k in range(generator)]
        )
    if isinstance(generator, ConstrBuilder | GenConstrBuilder):
        return addConstr(model, generator, name=nameprefix)
    found = tupledict()
    pairs = loop_keys(generator) if isinstance(generator, GeneratorType) else numbered(generator)
    keys, made = [], []
    before = len(state.rows)
    for key, item in pairs:
        if _is_quadratic(item):
            raise TypeError("'QConstrBuilder' is not valid in argument 'generator'")
        made.append(addConstr(model, item))
        keys.append(key)
    if len(state.rows) == before + len(made) and all(type(c) is Constraint for c in made):
        state.row_names.drop_from(before)
        state.row_names.add_group(str(nameprefix), keys)
    else:
        name_each(keys, made, str(nameprefix))
    found.update(zip(keys, made, strict=True))
    return found


def name_each(keys: list[Any], made: list[Any], prefix: str) -> None:
    """Name constraints by their keys."""
    for key, constr in zip(keys, made, strict=True):
        text = ",".join(map(str, key)) if isinstance(key, tuple) else str(key)
        if isinstance(constr, Constraint):
            constr.setName(f"{prefix}({text})")
        elif hasattr(constr, "_part"):
            constr._part.name = f"{prefix}({text})"


def numbered(items: Iterable[Any]) -> Iterable[tuple[Any, Any]]:
    """Members with their keys, or else their numbers."""
    if isinstance(items, Mapping):
        return list(items.items())
    return list(enumerate(items))


def _is_quadratic(item: Any) -> bool:
    return isinstance(item, ConstrBuilder) and (
        isinstance(item._lhs, CoreQuad) or isinstance(item._rhs, CoreQuad)
    )


def getConstrBuilders(model: Any, constrs: Any = None) -> Any:
    """The comparisons that linear constraints hold."""
    if isinstance(constrs, Constraint):
        lower, upper = model._state.sides(constrs._row)
        made = ConstrBuilder()
        row = model.getRow(constrs)
        if lower == upper or upper < COPT.INFINITY:
            made.setBuilder(row, LETTERS["=" if lower == upper else "<"], upper)
        else:
            made.setBuilder(row, LETTERS[">"], lower)
        return made
    if isinstance(constrs, Mapping):
        return tupledict({key: getConstrBuilders(model, c) for key, c in constrs.items()})
    return HandleArray([getConstrBuilders(model, c) for c in constrs or model.getConstrs()])
