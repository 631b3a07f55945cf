"""Model methods that look things up."""

import dataclasses
from typing import Any

from ordojo.compat.coptpy.arrays import (
    ConstrArray,
    GenConstrArray,
    NlConstrArray,
    QConstrArray,
    SOSArray,
    VarArray,
)
from ordojo.compat.coptpy.errors import invalid
from ordojo.compat.coptpy.expressions import LinExpr, NlExpr, QuadExpr, pairs
from ordojo.compat.coptpy.handles import (
    Constraint,
    GenConstr,
    NlConstraint,
    PartHandle,
    QConstraint,
    Var,
    new_constr,
    new_var,
)
from ordojo.compat.coptpy.params import Values
from ordojo.compat.core import expr as core
from ordojo.compat.core.handles import coefficient, column_of, row_of
from ordojo.compat.core.parts import Part


class Column:
    """Pairs of constraint and coefficient."""

    def __init__(self, constrs: Any = None, coeffs: Any = None) -> None:
        self._pairs: list[tuple[Any, float]] = []
        if isinstance(constrs, Column):
            self._pairs += constrs._pairs
        elif constrs is not None and coeffs is None and not isinstance(constrs, Constraint):
            self._pairs += [(constr, float(c)) for constr, c in constrs]
        elif constrs is not None:
            self.addTerms(constrs, 1.0 if coeffs is None else coeffs)

    def addTerm(self, constr: Any, coeff: float = 1.0) -> None:
        """Add one pair."""
        self._pairs.append((constr, float(coeff)))

    def addTerms(self, constrs: Any, coeffs: Any) -> None:
        """Add one pair, or several."""
        if isinstance(constrs, Constraint):
            self.addTerm(constrs, coeffs)
            return
        self._pairs += zip(*pairs(constrs, coeffs), strict=True)

    def addColumn(self, col: "Column", mult: float = 1.0) -> None:
        """Add `mult` times another column."""
        self._pairs += [(constr, mult * c) for constr, c in col._pairs]

    def clone(self) -> "Column":
        """Another column with the same content."""
        return Column(self)

    def clear(self) -> None:
        """Empty the column."""
        self._pairs.clear()

    def remove(self, item: Any) -> None:
        """Drop pair number `item`, or all pairs with that constraint."""
        if isinstance(item, int):
            del self._pairs[item]
        else:
            self._pairs = [pair for pair in self._pairs if pair[0] is not item]

    def getConstr(self, idx: int) -> Any:
        """Constraint number `idx`."""
        return self._pairs[idx][0]

    def getCoeff(self, idx: int) -> float:
        """Coefficient number `idx`."""
        return self._pairs[idx][1]

    def setCoeff(self, idx: int, newval: float) -> None:
        """Change coefficient number `idx`."""
        self._pairs[idx] = (self._pairs[idx][0], float(newval))

    def getSize(self) -> int:
        """The number of pairs."""
        return len(self._pairs)

    @property
    def size(self) -> int:
        """The number of pairs."""
        return len(self._pairs)

    def __repr__(self) -> str:
        pairs_text = " ".join(f"({c.getName()}, {value})" for c, value in self._pairs)
        return f"<coptpy.Column: {pairs_text}>"


Column.__module__ = "coptcore"


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
