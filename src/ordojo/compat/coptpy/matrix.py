"""Model methods of the matrix interface of coptpy."""
# ruff: noqa: N803

from typing import Any

import numpy as np
from scipy.sparse import issparse

from ordojo.compat.coptpy.constants import COPT, INFINITY, sense_of
from ordojo.compat.coptpy.errors import invalid, unsupported
from ordojo.compat.coptpy.expressions import ConstrBuilder, LinExpr, QuadExpr
from ordojo.compat.coptpy.handles import kind_of, new_constr, new_var
from ordojo.compat.coptpy.marrays import MConstr, MLinExpr, MVar, constraints
from ordojo.compat.core import expr as core
from ordojo.compat.core import matrix as flat
from ordojo.compat.core.matrix import Terms
from ordojo.milp.model import VarType


def add_mvar(
    model: Any, shape: Any, lb: Any, ub: Any, obj: Any, vtype: Any, nameprefix: str
) -> MVar:
    """Add an array of variables; the other arguments are broadcast to the shape."""
    state = model._state
    shape = tuple(int(n) for n in shape) if np.iterable(shape) else (int(shape),)
    lower, upper, cost = (
        np.array(
            np.broadcast_to(np.clip(np.asarray(part, float), -INFINITY, INFINITY), shape)
        ).reshape(-1)
        for part in (lb, ub, obj)
    )
    letters = np.broadcast_to(np.asarray(vtype), shape).reshape(-1).tolist()
    kinds = bytes(kind_of(str(letter)) for letter in letters)
    binary = np.frombuffer(kinds, np.uint8) == VarType.BINARY
    lower[binary] = np.maximum(lower[binary], 0.0)
    upper[binary] = np.minimum(upper[binary], 1.0)
    first = len(state.columns)
    made = [new_var(state, j) for j in range(first, first + len(kinds))]
    state.add_cols(made, lower.tolist(), upper.tolist(), cost.tolist(), kinds)
    state.col_names.add_group(str(nameprefix), _keys(shape))
    return MVar(flat.objects(made), shape)


def _keys(shape: tuple[int, ...]) -> list[Any]:
    return [key[0] if len(key) == 1 else key for key in np.ndindex(shape)]


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
    made = flat.add_rows(state, terms, sense, np.zeros(terms.size), new_constr, INFINITY)
    if name and not terms.shape:
        state.row_names.add(str(name))
    else:
        state.row_names.add_group(str(name), _keys(terms.shape))
    return constraints(made, terms.shape)


def _variables(model: Any, x: Any, count: int) -> MLinExpr:
    """The variables that a matrix's columns belong to."""
    if x is None:
        found = flat.objects(model._state.columns)
    elif isinstance(x, MVar):
        found = x._held.reshape(-1)
    else:
        found = flat.objects(core.plain(item) for item in x)
    if found.size != count:
        raise invalid(f"Operand 1 has a mismatch at axis 1, size {count} != {found.size}")
    made: MLinExpr = MLinExpr._of(flat.of_variables(found))
    return made


def _numbers(matrix: Any) -> Any:
    return matrix if issparse(matrix) else np.asarray(matrix, float)


def _letter(sense: Any) -> str:
    found = sense_of(sense)
    if found is None:
        raise unsupported("a free row of a matrix")
    return found


def add_mconstr(model: Any, A: Any, x: Any, sense: Any, b: Any, nameprefix: str) -> MConstr:
    """Add A x (sense) b."""
    matrix = _numbers(A)
    left = flat.product(matrix, _variables(model, x, matrix.shape[1]))
    assert left is not None
    whole = flat.plus(left, flat.of_constants(np.asarray(b, float)), -1.0)
    return add_comparison(model, whole, _letter(sense), nameprefix, "addConstr")


def _form(model: Any, Q: Any, c: Any, xQ_L: Any, xQ_R: Any, xc: Any) -> Terms:
    """xQ_L' Q xQ_R + c' xc as one expression."""
    total = flat.of_constants(0.0)
    if Q is not None:
        matrix = _numbers(Q)
        first = flat.product(_variables(model, xQ_L, matrix.shape[0]), matrix)
        assert first is not None
        right = _variables(model, xQ_R, matrix.shape[1])
        whole = flat.product(MLinExpr._of(first), right)
        assert whole is not None
        total = flat.plus(total, whole)
    if c is not None:
        costs = np.asarray(c, float).reshape(-1)
        linear = flat.product(costs, _variables(model, xc, len(costs)))
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
    name: str,
) -> MConstr:
    """Add xQ_L' Q xQ_R + c' xc (sense) rhs."""
    terms = flat.plus(_form(model, Q, c, xQ_L, xQ_R, xc), flat.of_constants(rhs), -1.0)
    return add_comparison(model, terms, _letter(sense), name, "addQConstr")


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
    whole = flat.plus(_form(model, Q, c, xQ_L, xQ_R, xc), flat.of_constants(float(constant)))
    model.setObjective(MLinExpr._of(whole).item(), sense)


def load_matrix(
    model: Any, c: Any, A: Any, lhs: Any, rhs: Any, lb: Any, ub: Any, vtype: Any
) -> None:
    """Make the model: minimize c x with lhs <= A x <= rhs, lb <= x <= ub."""
    matrix = _numbers(A)
    m, n = matrix.shape
    model.clear()
    costs = np.zeros(n) if c is None else c
    lower = np.zeros(n) if lb is None else lb
    upper = np.full(n, INFINITY) if ub is None else ub
    letters = [COPT.CONTINUOUS] * n if vtype is None else list(vtype)
    x = add_mvar(model, n, lower, upper, costs, letters, "")
    made = add_mconstr(model, matrix, x, COPT.LESS_EQUAL, np.zeros(m), "")
    sides = zip(np.asarray(lhs, float).tolist(), np.asarray(rhs, float).tolist(), strict=True)
    for constr, (low, high) in zip(made.tolist(), sides, strict=True):
        model._state.set_sides(constr._row, low, high)
