"""Model methods that add quadratic and nonlinear constraints."""

from types import GeneratorType
from typing import Any

from ordojo.compat.coptpy.building import (
    addConstr,
    comparison,
    difference,
    linear_row,
    name_each,
    numbered,
)
from ordojo.compat.coptpy.expressions import ConstrBuilder, GenConstrBuilder
from ordojo.compat.coptpy.keys import loop_keys
from ordojo.compat.coptpy.nlexpr import NlExpr, formula
from ordojo.compat.coptpy.others import NlConstraint, QConstraint
from ordojo.compat.coptpy.tuples import tupledict
from ordojo.compat.core.adding import add_quadratic
from ordojo.compat.core.parts import FormulaPart
from ordojo.compat.core.quad import QuadExpr as CoreQuad


def addQConstr(model: Any, lhs: Any, sense: Any = None, rhs: Any = None, name: str = "") -> Any:
    """Add a quadratic constraint; a linear one where there are no products."""
    adds = getattr(lhs, "_add_to", None)
    if adds is not None:
        return adds(model, name, "addQConstr")
    if isinstance(lhs, bool | GenConstrBuilder):
        return addConstr(model, lhs, name=name)
    if isinstance(lhs, tuple) and len(lhs) == 3:
        lhs, sense, rhs = lhs
    relation = comparison(lhs, sense, rhs)
    if hasattr(relation, "_add_to"):
        return relation._add_to(model, name, "addQConstr")
    if isinstance(relation._lhs, NlExpr) or isinstance(relation._rhs, NlExpr):
        raise ValueError("Unsupported quadratic constraint sense")
    whole = difference(relation)
    if not isinstance(whole, CoreQuad):
        return linear_row(model._state, relation, whole, name)
    part = add_quadratic(model._state, whole, relation._sense, str(name))
    return QConstraint(model._state, part)


def addNlConstr(model: Any, lhs: Any, sense: Any = None, rhs: Any = None, name: str = "") -> Any:
    """Add a nonlinear constraint; a quadratic or linear one where it is no more than that."""
    if isinstance(lhs, bool):
        return addConstr(model, lhs, name=name)
    relation = comparison(lhs, sense, rhs)
    if not isinstance(relation._lhs, NlExpr) and not isinstance(relation._rhs, NlExpr):
        return addQConstr(model, relation, name=name)
    whole = formula("-", relation._lhs, relation._rhs)
    if whole is NotImplemented:
        raise TypeError("A nonlinear constraint needs expressions on both sides")
    part = FormulaPart(name=str(name), formula=whole)
    part.result = (relation._sense, 0.0)
    model._state.add_part(part)
    return NlConstraint(model._state, part)


def addNlConstrs(model: Any, generator: Any, nameprefix: str = "NR") -> Any:
    """Add a nonlinear constraint for each comparison."""
    if isinstance(generator, bool | ConstrBuilder):
        return addNlConstr(model, generator, name=nameprefix)
    generated = isinstance(generator, GeneratorType)
    keys, made = [], []
    for key, item in loop_keys(generator) if generated else numbered(generator):
        keys.append(key)
        made.append(addNlConstr(model, item))
    name_each(keys, made, str(nameprefix))
    return tupledict(zip(keys, made, strict=True))
