"""Model methods of the matrix interface."""
# ruff: noqa: N803

from typing import Any

import numpy as np
from scipy.sparse import issparse

from ordojo.compat.core import matrix as flat
from ordojo.compat.core.matrix import Objects, Terms
from ordojo.compat.gurobipy.attributes import KINDS, kind_of
from ordojo.compat.gurobipy.building import addConstr, sense_of
from ordojo.compat.gurobipy.errors import GurobiError, failure
from ordojo.compat.gurobipy.expressions import LinExpr, QuadExpr
from ordojo.compat.gurobipy.handles import new_constr, new_var
from ordojo.compat.gurobipy.marrays import MLinExpr, MVar
from ordojo.compat.gurobipy.mconstr import MConstr, handles_array


def add_mvar(model: Any, shape: Any, lb: Any, ub: Any, obj: Any, vtype: Any, name: Any) -> MVar:
    """Add an array of variables; the other arguments are broadcast to the shape."""
    state = model._state
    shape = tuple(int(n) for n in shape) if np.iterable(shape) else (int(shape),)
    lower, upper, cost = (
        np.array(np.broadcast_to(np.asarray(part, float), shape)).reshape(-1)
        for part in (lb, ub, obj)
    )
    vtype = "C" if vtype is None else vtype
    letters = np.broadcast_to(np.asarray(vtype), shape).reshape(-1)
    if np.asarray(vtype).ndim:
        kinds = bytes(kind_of(str(letter)) for letter in letters)
    else:
        kinds = bytes([kind_of(str(vtype))]) * len(letters)
    binary = np.frombuffer(kinds, np.uint8) == KINDS.index("B")
    lower[binary] = np.maximum(lower[binary], 0.0)
    upper[binary] = np.minimum(upper[binary], 1.0)
    first = len(state.columns)
    made = [new_var(state, j) for j in range(first, first + len(kinds))]
    state.add_cols(made, lower.tolist(), upper.tolist(), cost.tolist(), kinds)
    keys = [key[0] if len(key) == 1 else key for key in np.ndindex(shape)]
    if isinstance(name, str) or name is None:
        if name and not shape:
            state.col_names.add(name)
        else:
            state.col_names.add_group(name or "", keys)
    else:
        names = np.broadcast_to(np.asarray(name, object), shape).reshape(-1)
        state.col_names.add_many([str(item) for item in names])
    return MVar(flat.objects(made).reshape(shape))


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
            names.add_group(name, [k[0] if len(k) == 1 else k for k in np.ndindex(shape)])
    else:
        chosen = np.broadcast_to(np.asarray(name, object), shape).reshape(-1)
        names.add_many([str(item) for item in chosen])


def add_comparison(model: Any, terms: Terms, sense: str, name: Any) -> Any:
    """Add a constraint for each expression, compared with zero."""
    state = model._state
    _check(state, terms)
    if terms.is_quadratic:
        return add_each(model, _quadratics(terms, sense), name)
    made = flat.add_rows(state, terms, sense, np.zeros(terms.size), new_constr, np.inf)
    _name_rows(state.row_names, name, terms.shape)
    return handles_array(made, terms.shape)


def _quadratics(terms: Terms, sense: str) -> Objects:
    items = flat.expressions(terms, LinExpr, QuadExpr)
    made = []
    for item in items.reshape(-1):
        if sense == "=":
            made.append(item == 0.0)
        else:
            made.append(item <= 0.0 if sense == "<" else item >= 0.0)
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
        found = x._vars
    else:
        found = flat.objects(getattr(item, "item", lambda item=item: item)() for item in x)
    if found.size != count:
        raise GurobiError(-1, f"Incompatible no. columns in argument '{what}'")
    return flat.of_variables(found.reshape(-1))


def _numbers(matrix: Any) -> Any:
    return matrix if issparse(matrix) else np.asarray(matrix, float)


def add_mconstr(model: Any, A: Any, x: Any, sense: Any, b: Any, name: Any = "") -> MConstr:
    """Add A x (sense) b; `sense` may be one for each row."""
    matrix = _numbers(A)
    left = flat.product(matrix, _as_array(_variables(model, x, matrix.shape[1], "A")))
    assert left is not None
    state = model._state
    _check(state, left)
    rhs = np.broadcast_to(np.asarray(b, float), left.shape)
    senses = [sense] if isinstance(sense, str) else list(sense)
    letters = [sense_of(str(item)) for item in senses]
    if None in letters or len(letters) not in (1, left.size):
        raise GurobiError(10003, "Invalid constraint sense")
    first = len(state.rows)
    made = flat.add_rows(state, left, str(letters[0]), rhs, new_constr, np.inf)
    if len(letters) > 1:
        state.senses[first:] = "".join(map(str, letters)).encode()
    _name_rows(state.row_names, name, left.shape)
    return MConstr(flat.objects(made).reshape(left.shape))


def _as_array(terms: Terms) -> MLinExpr:
    made: MLinExpr = MLinExpr._of(terms)
    return made


def quadratic_form(model: Any, Q: Any, c: Any, xQ_L: Any, xQ_R: Any, xc: Any) -> Terms:
    """xQ_L' Q xQ_R + c' xc as one expression."""
    total = flat.of_constants(0.0)
    if Q is not None:
        matrix = _numbers(Q)
        left = _as_array(_variables(model, xQ_L, matrix.shape[0], "Q"))
        right = _as_array(_variables(model, xQ_R, matrix.shape[1], "Q"))
        first = flat.product(left, matrix)
        assert first is not None
        whole = flat.product(_as_array(first), right)
        assert whole is not None
        total = flat.plus(total, whole)
    if c is not None:
        costs = np.asarray(c, float).reshape(-1)
        linear = flat.product(costs, _as_array(_variables(model, xc, len(costs), "c")))
        assert linear is not None
        total = flat.plus(total, linear)
    return total


def add_mqconstr(
    model: Any,
    Q: Any,
    c: Any,
    sense: Any,
    rhs: Any,
    xQ_L: Any,
    xQ_R: Any,
    xc: Any,
    name: Any,
) -> Any:
    """Add xQ_L' Q xQ_R + c' xc (sense) rhs."""
    terms = flat.plus(quadratic_form(model, Q, c, xQ_L, xQ_R, xc), flat.of_constants(rhs), -1.0)
    letter = sense_of(str(sense))
    if letter is None:
        raise GurobiError(10003, "Invalid constraint sense")
    return add_comparison(model, terms, letter, name).item()


def set_mobjective(
    model: Any,
    Q: Any,
    c: Any,
    constant: Any,
    xQ_L: Any,
    xQ_R: Any,
    xc: Any,
    sense: Any,
) -> None:
    """Set the objective xQ_L' Q xQ_R + c' xc + constant."""
    terms = quadratic_form(model, Q, c, xQ_L, xQ_R, xc)
    whole = flat.plus(terms, flat.of_constants(float(constant)))
    model.setObjective(_as_array(whole).item(), sense)
