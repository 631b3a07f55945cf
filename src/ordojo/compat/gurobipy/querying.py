"""Model methods that look things up and change them."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from scipy.sparse import coo_matrix, csr_matrix

from ordojo.compat.core import expr as core
from ordojo.compat.core.assemble import merged
from ordojo.compat.core.lookup import coefficient, column_of, row_of
from ordojo.compat.core.parts import GeneralPart, IndicatorPart, QuadraticPart, SosPart
from ordojo.compat.gurobipy.column import Column
from ordojo.compat.gurobipy.errors import GurobiError, failure
from ordojo.compat.gurobipy.expressions import LinExpr, QuadExpr
from ordojo.compat.gurobipy.handles import SOS, Constr, GenConstr, PartHandle, QConstr, Var
from ordojo.compat.gurobipy.results import TYPES, general_type
from ordojo.compat.problem import Function


def getVars(model: Any) -> list[Var]:
    """All variables."""
    state = model._state
    return list(state.columns[: state.cols_live])


def getConstrs(model: Any) -> list[Constr]:
    """All linear constraints."""
    state = model._state
    return list(state.rows[: state.rows_live])


def _handles(model: Any, family: str, kind: type[PartHandle]) -> list[Any]:
    state = model._state
    return [part.handle or kind(state, part) for part in state.family(family)]


def getQConstrs(model: Any) -> list[QConstr]:
    """All quadratic constraints."""
    return _handles(model, "quadratic", QConstr)


def getGenConstrs(model: Any) -> list[GenConstr]:
    """All general constraints."""
    return _handles(model, "general", GenConstr)


def getSOSs(model: Any) -> list[SOS]:
    """All special ordered sets."""
    return _handles(model, "sos", SOS)


def _text(name: Any) -> str:
    if not isinstance(name, str):
        raise AttributeError(f"'{type(name).__name__}' object has no attribute 'encode'")
    return name


def getVarByName(model: Any, name: str) -> Var | None:
    """The first variable of that name."""
    state = model._state
    place = state.col_names.find(_text(name))
    found: Var | None = None
    if place is not None and place < state.cols_live:
        found = state.columns[place]
    return found


def getConstrByName(model: Any, name: str) -> Constr | None:
    """The first linear constraint of that name."""
    state = model._state
    place = state.row_names.find(_text(name))
    found: Constr | None = None
    if place is not None and place < state.rows_live:
        found = state.rows[place]
    return found


def getRow(model: Any, constr: Any) -> LinExpr:
    """The left side of a linear constraint."""
    state = model._state
    found: LinExpr = row_of(state, _live_row(state, constr), LinExpr)
    return found


def _live_row(state: Any, constr: Any) -> int:
    constr._check()
    if constr._awaits():
        row = constr._row
        raise failure(
            "INDEX_OUT_OF_RANGE",
            f"Invalid index range for constraint query: [{row}, {row + 1}]",
        )
    number: int = constr._row
    return number


def getCol(model: Any, var: Any) -> Column:
    """The constraints that mention a variable, with its coefficients."""
    var._check()
    rows, coeffs = column_of(model._state, var._col)
    return Column(coeffs, rows)


def getCoeff(model: Any, constr: Any, var: Any) -> float:
    """The coefficient of a variable in a linear constraint."""
    return coefficient(model._state, _live_row(model._state, constr), var._col)


def chgCoeff(model: Any, constr: Any, var: Any, newvalue: float) -> None:
    """Change a coefficient at the next update."""
    if not isinstance(constr, Constr):
        raise TypeError(f"{constr} is not a constraint")
    if not isinstance(var, Var):
        raise TypeError(f"{var} is not a variable")
    state = model._state
    state.check([var])
    if constr._store is not state:
        raise failure("NOT_IN_MODEL", "Constraint not in model")
    state.set_coefficient(constr, var, float(newvalue))


def getQCRow(model: Any, qc: Any) -> QuadExpr:
    """The left side of a quadratic constraint."""
    part = qc._part
    assert isinstance(part, QuadraticPart)
    index, value = merged(part.linear._c, part.linear._v)
    order = index.argsort()
    columns = [model._state.columns[j] for j in index[order].tolist()]
    linear = core.make(LinExpr, value[order].tolist(), columns, 0.0)
    return QuadExpr._of(linear, *(list(items) for items in part.products))


def getSOS(model: Any, sos: Any) -> tuple[int, list[Any], list[float]]:
    """Type, variables and weights of a special ordered set."""
    part = sos._part
    assert isinstance(part, SosPart)
    return part.kind, list(part.variables), list(part.weights)


def getter(function: Function) -> Any:
    """The `getGenConstr...` of a function: what `addGenConstr...` was given."""

    def get(model: Any, genconstr: Any) -> tuple[Any, ...]:
        part = genconstr._part
        if not isinstance(part, GeneralPart) or part.function != function:
            raise failure(
                "INVALID_ARGUMENT",
                f"General constraint has type {general_type(part)}, "
                f"but called get method for type {TYPES[function]}",
            )
        numbers = part.numbers
        if function in (Function.MAX, Function.MIN):
            return part.result, list(part.operands), numbers[0] if numbers else None
        if function in (Function.AND, Function.OR):
            return part.result, list(part.operands)
        if function == Function.ABS:
            return part.result, part.operands[0]
        if function == Function.NORM:
            return part.result, list(part.operands), numbers[0]
        if function == Function.PWL:
            return part.operands[0], part.result, list(numbers[::2]), list(numbers[1::2])
        if function == Function.POLY:
            return part.operands[0], part.result, list(numbers)
        return (part.operands[0], part.result, *numbers)

    get.__doc__ = f"What a general constraint of the kind {function.value} consists of."
    return get


def getGenConstrIndicator(model: Any, genconstr: Any) -> tuple[Any, ...]:
    """Binary variable, its value, and the comparison it implies."""
    part = genconstr._part
    if not isinstance(part, IndicatorPart):
        raise failure(
            "INVALID_ARGUMENT",
            f"General constraint has type {general_type(part)}, but called get method for type 7",
        )
    lhs = core.make(LinExpr, list(part.coeffs), list(part.variables), 0.0)
    return part.binary, part.active, lhs, part.sense, part.rhs


def remove(model: Any, items: Any) -> None:
    """Remove variables or constraints at the next update."""
    members = getattr(items, "tolist", None)
    if isinstance(items, Mapping):
        items = list(items.values())
    elif members is not None:
        items = np.ravel(np.array(members(), dtype=object)).tolist()
    if isinstance(items, Iterable) and not isinstance(items, str | Var):
        for item in list(items):
            remove(model, item)
        return
    state = model._state
    if isinstance(items, Var | Constr):
        if items._number() < 0:
            return
        if items._store is not state:
            raise failure("NOT_IN_MODEL", "Item to be removed not in model")
        state.remove(items)
    elif isinstance(items, PartHandle):
        state.later(_remove_part, items._part)
    else:
        raise GurobiError(-1, "Item to be removed not a Var, Constr, SOS, QConstr, or GenConstr")


def _remove_part(part: Any) -> None:
    part.removed = True


def getA(model: Any) -> Any:
    """The linear constraints' coefficients as a scipy matrix."""
    state = model._state
    live = state.rows_live
    starts = np.array(state.starts[: live + 1])
    end = int(starts[-1])
    parts = (np.array(state.value[:end]), np.array(state.index[:end]), starts)
    return csr_matrix(parts, shape=(live, state.cols_live))


def getQ(model: Any) -> Any:
    """The objective's products as a scipy matrix."""
    state = model._state
    q, a, b = state.goal.products or ([], [], [])
    places = ([v._col for v in a], [v._col for v in b])
    return coo_matrix((np.array(q, float), places), shape=(state.cols_live, state.cols_live))
