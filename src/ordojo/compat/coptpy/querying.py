"""Model methods that look things up, and copy a model."""

from typing import Any

from ordojo.compat.coptpy.constants import INFINITY
from ordojo.compat.coptpy.errors import invalid
from ordojo.compat.coptpy.expressions import LinExpr, QuadExpr, pairs
from ordojo.compat.coptpy.handles import (
    SOS,
    Constraint,
    ConstrArray,
    GenConstr,
    GenConstrArray,
    GenConstrX,
    NlConstraint,
    NlConstrArray,
    QConstraint,
    QConstrArray,
    SOSArray,
    VarArray,
    kind_of,
    new_constr,
    new_var,
)
from ordojo.compat.coptpy.params import Values
from ordojo.compat.core import copies
from ordojo.compat.core import model as core


class Column(core.ColumnPairs):
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
        self._pairs.append((constr, float(coeff)))

    def addTerms(self, constrs: Any, coeffs: Any) -> None:
        if isinstance(constrs, Constraint):
            self.addTerm(constrs, coeffs)
            return
        self._pairs += zip(*pairs(constrs, coeffs), strict=True)

    def addColumn(self, col: "Column", mult: float = 1.0) -> None:
        self._pairs += [(constr, mult * c) for constr, c in col._pairs]

    def setCoeff(self, idx: int, newval: float) -> None:
        self._pairs[idx] = (self._pairs[idx][0], float(newval))

    def getSize(self) -> int:
        return len(self._pairs)

    clone = core.ColumnPairs.copy
    size = property(getSize)

    def __repr__(self) -> str:
        pairs_text = " ".join(f"({c.getName()}, {value})" for c, value in self._pairs)
        return f"<coptpy.Column: {pairs_text}>"


Column.__module__ = "coptcore"


_NO_QUADRATIC, _NO_GENERAL = "Invalid quad row index", "No such general constraint"


def _at(items: list[Any], idx: Any, missing: str) -> Any:
    if idx is None or not 0 <= idx < len(items):
        raise invalid(missing)
    return items[idx]


def _by_name(items: list[Any], name: str, missing: str) -> Any:
    return _at([item for item in items if item._part.name == name], 0, missing)


class Querying(core.ProgramModel):
    """Tells and copies what a model has."""

    _lin, _quad, _column = LinExpr, QuadExpr, Column
    _general, _indicator, _quadratic, _set = GenConstrX, GenConstr, QConstraint, SOS
    _new_var, _new_row = staticmethod(new_var), staticmethod(new_constr)
    _kind_of, _infinity = staticmethod(kind_of), INFINITY

    def getVars(self) -> Any:
        return VarArray(self._state.columns)

    def getVar(self, idx: Any) -> Any:
        return _at(self._state.columns, idx, "Invalid col index")

    def getVarByName(self, name: str) -> Any:
        return self.getVar(self._state.col_names.find(name))

    def getConstrs(self) -> Any:
        return ConstrArray(self._state.rows)

    def getConstr(self, idx: Any) -> Any:
        return _at(self._state.rows, idx, "Invalid row index")

    def getConstrByName(self, name: str) -> Any:
        return self.getConstr(self._state.row_names.find(name))

    def getQConstrs(self) -> Any:
        return QConstrArray(self._parts(QConstraint, "quadratic"))

    def getQConstr(self, idx: Any) -> Any:
        return _at(self._parts(QConstraint, "quadratic"), idx, _NO_QUADRATIC)

    def getQConstrByName(self, name: str) -> Any:
        return _by_name(self._parts(QConstraint, "quadratic"), name, _NO_QUADRATIC)

    def getGenConstrs(self) -> Any:
        return GenConstrArray(self._parts(GenConstr, "general"))

    def getGenConstr(self, idx: Any) -> Any:
        return _at(self._parts(GenConstr, "general"), idx, _NO_GENERAL)

    def getGenConstrByName(self, name: str) -> Any:
        return _by_name(self._parts(GenConstr, "general"), name, _NO_GENERAL)

    def getNlConstrs(self) -> Any:
        return NlConstrArray(self._parts(NlConstraint, "general"))

    def getSOSs(self) -> Any:
        return SOSArray(self._parts(SOS, "sos"))

    def getA(self) -> Any:
        """The linear constraints' coefficients as a scipy matrix."""
        return super().getA().tocsc()

    def getQuadRow(self, qconstr: QConstraint) -> QuadExpr:
        """The left side of a quadratic constraint."""
        part: Any = qconstr._part
        return QuadExpr._of(part.linear.copy(), *(list(items) for items in part.products))

    def clone(self) -> Any:
        """Another model with the same content and parameters, unsolved."""
        old = self._state
        made = self._twin(old.name)
        new = made._state
        new.params = Values(old.params.changed)
        new.formula = copies.moved(new, old.formula)
        new.aims = {number: copies.moved_fields(new, aim) for number, aim in old.aims.items()}
        new.proposed.pairs = [(new.columns[var._col], value) for var, value in old.proposed.pairs]
        new.update()
        return made
