"""Model methods that look things up."""

from typing import Any

from ordojo.compat.coptpy.arrays import (
    ConstrArray,
    GenConstrArray,
    NlConstrArray,
    QConstrArray,
    SOSArray,
    VarArray,
)
from ordojo.compat.coptpy.column import Column
from ordojo.compat.coptpy.errors import invalid
from ordojo.compat.coptpy.expressions import LinExpr, QuadExpr
from ordojo.compat.coptpy.handles import Constraint, Var
from ordojo.compat.coptpy.others import GenConstr, NlConstraint, PartHandle, QConstraint
from ordojo.compat.core.lookup import coefficient, column_of, row_of


def getVars(model: Any) -> Any:
    """All variables."""
    return VarArray(model._state.columns)


def getConstrs(model: Any) -> Any:
    """All linear constraints."""
    return ConstrArray(model._state.rows)


def getVar(model: Any, idx: int) -> Any:
    """A variable by its number."""
    return _at(model._state.columns, idx, "Invalid col index")


def getConstr(model: Any, idx: int) -> Any:
    """A linear constraint by its number."""
    return _at(model._state.rows, idx, "Invalid row index")


def _at(items: Any, idx: Any, message: str) -> Any:
    if idx is None or not 0 <= idx < len(items):
        raise invalid(message)
    return items[idx]


def getVarByName(model: Any, name: str) -> Any:
    """The first variable of that name."""
    return _at(model._state.columns, model._state.col_names.find(name), "Invalid col index")


def getConstrByName(model: Any, name: str) -> Any:
    """The first linear constraint of that name."""
    return _at(model._state.rows, model._state.row_names.find(name), "Invalid row index")


def _family(model: Any, family: str, kind: type[PartHandle]) -> list[Any]:
    model._state.update()
    handles = [part.handle for part in model._state.family(family)]
    return [handle for handle in handles if isinstance(handle, kind)]


def _named(items: list[Any], name: str, message: str) -> Any:
    for item in items:
        if item._part.name == name:
            return item
    raise invalid(message)


def getQConstrs(model: Any) -> Any:
    """All quadratic constraints."""
    return QConstrArray(_family(model, "quadratic", QConstraint))


def getQConstr(model: Any, idx: int) -> Any:
    """A quadratic constraint by its number."""
    return _at(_family(model, "quadratic", QConstraint), idx, "Invalid quad row index")


def getQConstrByName(model: Any, name: str) -> QConstraint:
    """The first quadratic constraint of that name."""
    items = _family(model, "quadratic", QConstraint)
    found: QConstraint = _named(items, name, "Invalid quad row index")
    return found


def getGenConstrs(model: Any) -> Any:
    """All indicators and constraints of functions."""
    return GenConstrArray(_family(model, "general", GenConstr))


def getGenConstr(model: Any, idx: int) -> Any:
    """An indicator or constraint of a function by its number."""
    return _at(_family(model, "general", GenConstr), idx, "No such general constraint")


def getGenConstrByName(model: Any, name: str) -> GenConstr:
    """The first indicator or constraint of a function of that name."""
    items = _family(model, "general", GenConstr)
    found: GenConstr = _named(items, name, "No such general constraint")
    return found


def getNlConstrs(model: Any) -> Any:
    """All nonlinear constraints."""
    return NlConstrArray(_family(model, "general", NlConstraint))


def getSOSs(model: Any) -> Any:
    """All special ordered sets."""
    return SOSArray(_family(model, "sos", PartHandle))


def getRow(model: Any, constr: Constraint) -> LinExpr:
    """The left side of a linear constraint."""
    state = model._state
    state.update()
    found: LinExpr = row_of(state, constr._row, LinExpr)
    return found


def getQuadRow(model: Any, qconstr: QConstraint) -> QuadExpr:
    """The left side of a quadratic constraint."""
    part: Any = qconstr._part
    return QuadExpr._of(part.linear.copy(), *(list(items) for items in part.products))


def getCol(model: Any, var: Var) -> Column:
    """The constraints that mention a variable, with its coefficients."""
    model._state.update()
    return Column(*column_of(model._state, var._col))


def getCoeff(model: Any, constr: Constraint, var: Var) -> float:
    """The coefficient of a variable in a linear constraint."""
    model._state.update()
    return coefficient(model._state, constr._row, var._col)


def getA(model: Any) -> Any:
    """The linear constraints' coefficients as a scipy matrix."""
    from scipy.sparse import csr_matrix

    state = model._state
    state.update()
    parts = (state.view("value"), state.view("index", int), state.view("starts", int))
    return csr_matrix(parts, shape=(len(state.rows), len(state.columns))).tocsc()
