"""Model methods of the matrix interface of coptpy."""

from functools import partial
from typing import Any

import numpy as np

from ordojo.compat.coptpy.constants import COPT, INFINITY, sense_of
from ordojo.compat.coptpy.errors import invalid, unsupported
from ordojo.compat.coptpy.expressions import ConstrBuilder, LinExpr, QuadExpr
from ordojo.compat.coptpy.handles import new_constr, new_var
from ordojo.compat.coptpy.information import kind_of
from ordojo.compat.coptpy.marrays import array_of
from ordojo.compat.coptpy.mhandles import MConstr, MVar, constraints
from ordojo.compat.core import algebra
from ordojo.compat.core import expr as core
from ordojo.compat.core import terms as flat
from ordojo.compat.core.matrix import (
    add_cols,
    add_rows,
    keys_of,
    numbers_of,
    quadratic_form,
    repeated,
    shape_of,
)
from ordojo.compat.core.terms import Terms


def addMVar(
    model: Any,
    shape: Any,
    lb: Any = 0.0,
    ub: Any = COPT.INFINITY,
    obj: Any = 0.0,
    vtype: Any = COPT.CONTINUOUS,
    nameprefix: str = "",
) -> MVar:
    """Add an array of variables; the other arguments are broadcast to the shape."""
    state, shape = model._state, shape_of(shape)
    lower, upper, cost = (
        repeated(np.clip(np.asarray(part, float), -INFINITY, INFINITY), shape)
        for part in (lb, ub, obj)
    )
    letters = np.broadcast_to(np.asarray(vtype), shape).reshape(-1).tolist()
    kinds = bytes(kind_of(str(letter)) for letter in letters)
    made = add_cols(state, shape, (lower, upper, cost), kinds, new_var)
    state.col_names.add_group(str(nameprefix), keys_of(shape))
    return MVar(made)


def add_comparison(model: Any, terms: Terms, sense: str, name: str, how: str) -> MConstr:
    """Add a constraint for each expression, compared with zero."""
    state = model._state
    for part in (terms.variables, terms.first, terms.second):
        state.check(part)
    if terms.is_quadratic:
        if how != "addQConstr":
            raise TypeError("'QConstrBuilder' or 'MQConstrBuilder' is not valid for argument 'lhs'")
        made = []
        for item in flat.expressions(terms, LinExpr, QuadExpr).reshape(-1):
            relation = core.relate(ConstrBuilder, item, sense, 0.0)
            made.append(model.addQConstr(relation, name=name))
        return constraints(made, terms.shape)
    made = add_rows(state, terms, sense, np.zeros(terms.size), new_constr, INFINITY)
    if name and not terms.shape:
        state.row_names.add(str(name))
    else:
        state.row_names.add_group(str(name), keys_of(terms.shape))
    return constraints(made, terms.shape)


def _variables(model: Any, x: Any, count: int, what: str = "") -> Terms:
    """The variables that a matrix's columns belong to."""
    if x is None:
        found = flat.objects(model._state.columns)
    elif isinstance(x, MVar):
        found = x._held.reshape(-1)
    else:
        found = flat.objects(core.plain(item) for item in x)
    if found.size != count:
        raise invalid(f"Operand 1 has a mismatch at axis 1, size {count} != {found.size}")
    return flat.of_variables(found)


def _letter(sense: Any) -> str:
    found = sense_of(sense)
    if found is None:
        raise unsupported("a free row of a matrix")
    return found


def addMConstr(model: Any, A: Any, x: Any, sense: Any, b: Any, nameprefix: str = "") -> MConstr:
    """Add A x (sense) b; x None means all variables."""
    matrix = numbers_of(A)
    left = algebra.product(matrix, _variables(model, x, matrix.shape[1]))
    assert left is not None
    whole = algebra.plus(left, flat.of_constants(np.asarray(b, float)), -1.0)
    return add_comparison(model, whole, _letter(sense), nameprefix, "addConstr")


def addMQConstr(
    model: Any,
    Q: Any,
    c: Any,
    sense: Any,
    rhs: Any,
    xQ_L: Any = None,
    xQ_R: Any = None,
    xc: Any = None,
    name: str = "",
) -> MConstr:
    """Add xQ_L' Q xQ_R + c' xc (sense) rhs."""
    form = quadratic_form(partial(_variables, model), Q, c, xQ_L, xQ_R, xc)
    terms = algebra.plus(form, flat.of_constants(rhs), -1.0)
    return add_comparison(model, terms, _letter(sense), name, "addQConstr")


def setMObjective(
    model: Any,
    Q: Any,
    c: Any,
    constant: Any,
    xQ_L: Any = None,
    xQ_R: Any = None,
    xc: Any = None,
    sense: Any = None,
) -> None:
    """Set the objective xQ_L' Q xQ_R + c' xc + constant."""
    form = quadratic_form(partial(_variables, model), Q, c, xQ_L, xQ_R, xc)
    whole = algebra.plus(form, flat.of_constants(float(constant)))
    model.setObjective(array_of(whole).item(), sense)


def loadMatrix(
    model: Any, c: Any, A: Any, lhs: Any, rhs: Any, lb: Any, ub: Any, vtype: Any = None
) -> None:
    """Make the model: minimize c x with lhs <= A x <= rhs, lb <= x <= ub."""
    matrix = numbers_of(A)
    m, n = matrix.shape
    model.clear()
    costs = np.zeros(n) if c is None else c
    lower = np.zeros(n) if lb is None else lb
    upper = np.full(n, INFINITY) if ub is None else ub
    letters = [COPT.CONTINUOUS] * n if vtype is None else list(vtype)
    x = addMVar(model, n, lower, upper, costs, letters, "")
    made = addMConstr(model, matrix, x, COPT.LESS_EQUAL, np.zeros(m), "")
    sides = zip(np.asarray(lhs, float).tolist(), np.asarray(rhs, float).tolist(), strict=True)
    for constr, (low, high) in zip(made.tolist(), sides, strict=True):
        model._state.set_sides(constr._row, low, high)
