"""Copies of a model."""

import dataclasses
from typing import Any

from ordojo.compat.coptpy.expressions import LinExpr, QuadExpr
from ordojo.compat.coptpy.handles import new_constr, new_var
from ordojo.compat.coptpy.nlexpr import NlExpr
from ordojo.compat.coptpy.others import PartHandle
from ordojo.compat.coptpy.params import Values
from ordojo.compat.core import expr as core
from ordojo.compat.core.parts import Part


def clone(model: Any) -> Any:
    """Another model with the same content and parameters, unsolved."""
    old = model._state
    old.update()
    made = type(model)(old.name)
    new = made._state
    new.params = Values(old.params.changed)
    new.maximize = old.maximize
    new.add_cols(
        [new_var(new, j) for j in range(len(old.columns))],
        old.lower,
        old.upper,
        old.cost,
        bytes(old.kinds),
    )
    new.rows = [new_constr(new, i) for i in range(len(old.rows))]
    for which in ("starts", "index", "value", "senses", "rhs"):
        setattr(new, which, getattr(old, which)[:])
    new.lows = {new.rows[constr._row]: low for constr, low in old.lows.items()}
    new.col_names, new.row_names = old.col_names.copy(), old.row_names.copy()
    new.cols_live, new.rows_live = old.cols_live, old.rows_live
    for family, parts in old.parts.items():
        for part in parts:
            _copy_part(new, family, part)
    goal = dataclasses.replace(old.goal)
    if goal.products:
        goal.products = _moved(new, goal.products)
    new.goal = goal
    new.formula = _moved(new, old.formula)
    new.aims = {
        number: dataclasses.replace(aim, variables=_moved(new, aim.variables))
        for number, aim in old.aims.items()
    }
    new.proposed.pairs = [(_moved(new, var), value) for var, value in old.proposed.pairs]
    new.update()
    return made


def _copy_part(new: Any, family: str, part: Part) -> None:
    values = {
        field.name: _moved(new, getattr(part, field.name))
        for field in dataclasses.fields(part)
        if field.name not in ("handle", "number")
    }
    made = type(part)(**values)
    if isinstance(part.handle, PartHandle):
        type(part.handle)(new, made)
    new.parts.setdefault(family, []).append(made)


def _moved(new: Any, value: Any) -> Any:
    """The same thing over the other model's variables."""
    if isinstance(value, core.Var):
        return new.columns[value._col]
    if isinstance(value, QuadExpr):
        parts = (_moved(new, part) for part in (value._q, value._a, value._b))
        return QuadExpr._of(_moved(new, value._linear), *parts)
    if isinstance(value, core.LinExpr):
        coeffs, variables, constant = core.linear(value) or ([], [], 0.0)
        return core.make(LinExpr, list(coeffs), _moved(new, variables), constant)
    if isinstance(value, NlExpr):
        return NlExpr(value._op, _moved(new, value._args))
    if isinstance(value, list | tuple):
        return type(value)(_moved(new, item) for item in value)
    return value
