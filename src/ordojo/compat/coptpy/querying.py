"""Model methods that look things up."""

from collections.abc import Mapping
from typing import Any

from ordojo.compat.coptpy.errors import invalid
from ordojo.compat.coptpy.expressions import LinExpr, QuadExpr, pairs
from ordojo.compat.coptpy.handles import (
    Constraint,
    ConstrArray,
    GenConstr,
    GenConstrArray,
    NlConstraint,
    NlConstrArray,
    PartHandle,
    QConstraint,
    QConstrArray,
    SOSArray,
    Var,
    VarArray,
    new_constr,
    new_var,
)
from ordojo.compat.coptpy.state import Values
from ordojo.compat.core import shared
from ordojo.compat.core.shared import coefficient, column_of, row_of


class Column(shared.ColumnPairs):
    """Pairs of constraint and coefficient."""

    __slots__ = ()

    def __init__(self, constrs: Any = None, coeffs: Any = None) -> None:
        self._pairs = []
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

    def setCoeff(self, idx: int, newval: float) -> None:
        """Change coefficient number `idx`."""
        self._pairs[idx] = (self._pairs[idx][0], float(newval))

    def getSize(self) -> int:
        """The number of pairs."""
        return len(self._pairs)

    clone = shared.ColumnPairs.copy
    size = property(getSize)

    def __repr__(self) -> str:
        pairs_text = " ".join(f"({c.getName()}, {value})" for c, value in self._pairs)
        return f"<coptpy.Column: {pairs_text}>"


Column.__module__ = "coptcore"


_FAMILIES: Mapping[str, tuple[str, Any, Any, str]] = {
    "Var": ("columns", Var, VarArray, "Invalid col index"),
    "Constr": ("rows", Constraint, ConstrArray, "Invalid row index"),
    "QConstr": ("quadratic", QConstraint, QConstrArray, "Invalid quad row index"),
    "GenConstr": ("general", GenConstr, GenConstrArray, "No such general constraint"),
    "NlConstr": ("general", NlConstraint, NlConstrArray, ""),
    "SOS": ("sos", PartHandle, SOSArray, ""),
}
"""Each kind by its word in methods' names: where it is kept, its class, its array's class, and
what COPT says where there is none; without that, COPT has no method that looks one up."""


def _all(model: Any, word: str) -> list[Any]:
    state = model._state
    place, kind, _, _ = _FAMILIES[word]
    if place in ("columns", "rows"):
        found: list[Any] = getattr(state, place)
        return found
    state.update()
    return [part.handle for part in state.family(place) if isinstance(part.handle, kind)]


def _lookups(word: str) -> dict[str, Any]:
    """The methods that give all of a kind, one by its number, and the first of a name."""
    _, _, array, missing = _FAMILIES[word]

    def get_all(model: Any) -> Any:
        return array(_all(model, word))

    def at(model: Any, idx: Any) -> Any:
        items = _all(model, word)
        if idx is None or not 0 <= idx < len(items):
            raise invalid(missing)
        return items[idx]

    def by_name(model: Any, name: str) -> Any:
        state = model._state
        if word in ("Var", "Constr"):
            return at(model, (state.col_names if word == "Var" else state.row_names).find(name))
        found = next((item for item in _all(model, word) if item._part.name == name), None)
        if found is None:
            raise invalid(missing)
        return found

    one = {f"get{word}": at, f"get{word}ByName": by_name} if missing else {}
    return {f"get{word}s": get_all, **one}


for _word in _FAMILIES:
    globals().update(_lookups(_word))


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
    shared.copy_into(new, old, new_var, new_constr)
    new.formula = shared.moved(new, old.formula)
    new.aims = {number: shared.moved_fields(new, aim) for number, aim in old.aims.items()}
    new.proposed.pairs = [(new.columns[var._col], value) for var, value in old.proposed.pairs]
    new.update()
    return made
