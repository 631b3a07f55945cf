"""Model methods of the matrix interface."""

from functools import partial
from typing import Any

import numpy as np

from ordojo.compat.core import algebra
from ordojo.compat.core import terms as flat
from ordojo.compat.core.expr import relate
from ordojo.compat.core.matrix import (
    add_cols,
    add_rows,
    keys_of,
    numbers_of,
    quadratic_form,
    repeated,
    shape_of,
)
from ordojo.compat.core.terms import Objects, Terms
from ordojo.compat.gurobipy.attribute import kind_of
from ordojo.compat.gurobipy.building import addConstr, sense_of
from ordojo.compat.gurobipy.errors import GurobiError, failure
from ordojo.compat.gurobipy.expressions import LinExpr, QuadExpr, TempConstr
from ordojo.compat.gurobipy.handles import new_constr, new_var
from ordojo.compat.gurobipy.marrays import MVar, array_of
from ordojo.compat.gurobipy.mconstr import MConstr, handles_array


def addMVar(
    model: Any,
    shape: Any,
    lb: Any = 0.0,
    ub: Any = 1e100,
    obj: Any = 0.0,
    vtype: Any = "C",
    name: Any = "",
) -> MVar:
    """Add an array of variables; the other arguments are broadcast to the shape."""
    state, shape = model._state, shape_of(shape)
    numbers = repeated(lb, shape), repeated(ub, shape), repeated(obj, shape)
    letters = np.asarray("C" if vtype is None else vtype)
    if letters.ndim:
        each = np.broadcast_to(letters, shape).reshape(-1)
        kinds = bytes(kind_of(str(letter)) for letter in each)
    else:
        kinds = bytes([kind_of(str(letters))]) * len(numbers[0])
    made = MVar(add_cols(state, shape, numbers, kinds, new_var))
    if not isinstance(name, str) and name is not None:
        names = np.broadcast_to(np.asarray(name, object), shape).reshape(-1)
        state.col_names.add_many([str(item) for item in names])
    elif name and not shape:
        state.col_names.add(name)
    else:
        state.col_names.add_group(name or "", keys_of(shape))
    return made


def _check(state: Any, terms: Terms) -> None:
    for part in (terms.variables, terms.first, terms.second):
        if any(var._store is not state for var in part):
            raise failure("NOT_IN_MODEL", "Variable not in model")


def _name_rows(names: Any, name: Any, shape: tuple[int, ...]) -> None:
    """Give names to the rows just added."""
    count = int(np.prod(shape, dtype=int))
    if isinstance(name, str) or name is None:
        if not name:
            names.add_many([""] * count)
        elif not shape:
            names.add(name)
        else:
            names.add_group(name, keys_of(shape))
    else:
        chosen = np.broadcast_to(np.asarray(name, object), shape).reshape(-1)
        names.add_many([str(item) for item in chosen])


def add_comparison(model: Any, terms: Terms, sense: str, name: Any) -> Any:
    """Add a constraint for each expression, compared with zero."""
    state = model._state
    _check(state, terms)
    if terms.is_quadratic:
        return add_each(model, _quadratics(terms, sense), name)
    made = add_rows(state, terms, sense, np.zeros(terms.size), new_constr, np.inf)
    _name_rows(state.row_names, name, terms.shape)
    return handles_array(made, terms.shape)


def _quadratics(terms: Terms, sense: str) -> Objects:
    items = flat.expressions(terms, LinExpr, QuadExpr)
    made = [relate(TempConstr, item, sense, 0.0) for item in items.reshape(-1)]
    return flat.objects(made).reshape(items.shape)


def add_each(model: Any, items: Objects, name: Any) -> Any:
    """Add each comparison of an array."""
    made = []
    for key, item in zip(np.ndindex(items.shape), items.reshape(-1), strict=True):
        text = f"{name}[{','.join(map(str, key))}]" if name and key else name or ""
        made.append(addConstr(model, item, text))
    return handles_array(made, items.shape)


def _variables(model: Any, x: Any, count: int, what: str) -> Terms:
    """The variables that a matrix's columns belong to."""
    if x is None:
        model._state.update()
        found = flat.objects(model._state.columns)
    elif isinstance(x, MVar):
        found = x._held
    else:
        found = flat.objects(getattr(item, "item", lambda item=item: item)() for item in x)
    if found.size != count:
        raise GurobiError(-1, f"Incompatible no. columns in argument '{what}'")
    return flat.of_variables(found.reshape(-1))


def addMConstr(model: Any, A: Any, x: Any, sense: Any, b: Any, name: Any = "") -> MConstr:
    """Add A x (sense) b; `sense` may be one for each row, x None means all variables."""
    matrix = numbers_of(A)
    left = algebra.product(matrix, _variables(model, x, matrix.shape[1], "A"))
    assert left is not None
    state = model._state
    _check(state, left)
    rhs = np.broadcast_to(np.asarray(b, float), left.shape)
    senses = [sense] if isinstance(sense, str) else list(sense)
    letters = [sense_of(str(item)) for item in senses]
    if None in letters or len(letters) not in (1, left.size):
        raise GurobiError(10003, "Invalid constraint sense")
    first = len(state.rows)
    made = add_rows(state, left, str(letters[0]), rhs, new_constr, np.inf)
    if len(letters) > 1:
        state.senses[first:] = "".join(map(str, letters)).encode()
    _name_rows(state.row_names, name, left.shape)
    return MConstr(flat.objects(made).reshape(left.shape))


def addMQConstr(
    model: Any,
    Q: Any,
    c: Any,
    sense: Any,
    rhs: Any,
    xQ_L: Any = None,
    xQ_R: Any = None,
    xc: Any = None,
    name: Any = "",
) -> Any:
    """Add xQ_L' Q xQ_R + c' xc (sense) rhs."""
    form = quadratic_form(partial(_variables, model), Q, c, xQ_L, xQ_R, xc)
    terms = algebra.plus(form, flat.of_constants(rhs), -1.0)
    letter = sense_of(str(sense))
    if letter is None:
        raise GurobiError(10003, "Invalid constraint sense")
    return add_comparison(model, terms, letter, name).item()


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
