"""coptpy's comparisons, of which a model makes constraints."""

from typing import Any

from ordojo.compat.coptpy.constants import LETTERS, sense_of
from ordojo.compat.coptpy.linear import NO_BOOL, LinExpr
from ordojo.compat.core import expr as core
from ordojo.compat.core.quad import QuadExpr as CoreQuad


class ConstrBuilder(core.Relation):
    """A comparison that `Model.addConstr` makes a constraint."""

    __slots__ = ()

    def __init__(self) -> None:
        self._lhs, self._sense, self._rhs = LinExpr(), "=", 0.0

    def __bool__(self) -> bool:
        raise ValueError(NO_BOOL)

    def __rshift__(self, other: Any) -> "GenConstrBuilder":
        binary, value = self._lhs, core.number(self._rhs)
        if self._sense != "=" or not isinstance(binary, core.Var) or value is None:
            raise ValueError("Invalid operand for 'rshift'")
        found = GenConstrBuilder()
        found.setBuilder(binary, int(value), other)
        return found

    def setBuilder(self, expr: Any, sense: str, rhs: Any = 0.0) -> None:
        """Become another comparison."""
        self._lhs, self._sense, self._rhs = expr, sense_of(sense) or "N", rhs

    def getExpr(self) -> Any:
        """Left less right side."""
        return (
            self._lhs - self._rhs
            if core.number(self._lhs) is None
            else LinExpr(self._lhs) - self._rhs
        )

    def getSense(self) -> str:
        """COPT's letter of the sense."""
        return LETTERS[self._sense]

    def __repr__(self) -> str:
        quadratic = isinstance(self._lhs, CoreQuad) or isinstance(self._rhs, CoreQuad)
        return f"<coptpy.{'Q' if quadratic else ''}ConstrBuilder>"


QConstrBuilder = ConstrBuilder


class GenConstrBuilder:
    """If a binary variable has a value, then a comparison holds."""

    def __init__(self) -> None:
        self.binvar: Any = None
        self.binval = 1
        self.then: Any = None
        self.type = 1

    def setBuilder(self, var: Any, val: int, expr: Any, sense: Any = None, type: int = 1) -> None:
        """Become: if `var` equals `val`, then the comparison, or `expr` (sense) 0."""
        if not isinstance(expr, ConstrBuilder):
            if sense is None:
                raise ValueError("Invalid operand for 'rshift'")
            made = ConstrBuilder()
            made.setBuilder(expr, sense)
            expr = made
        self.binvar, self.binval, self.then, self.type = var, int(val), expr, type

    def getBinVar(self) -> Any:
        """The binary variable."""
        return self.binvar

    def getBinVal(self) -> int:
        """The value that it must have."""
        return self.binval

    def getExpr(self) -> Any:
        """Left less right side of the comparison."""
        return self.then.getExpr()

    def getSense(self) -> str:
        """The sense of the comparison."""
        return str(self.then.getSense())

    def getIndType(self) -> int:
        """Whether it is implied, implies, or both."""
        return self.type

    expr = property(getExpr)
    sense = property(getSense)

    def __repr__(self) -> str:
        sense = {"L": "<=", "G": ">=", "E": "=="}[self.getSense()]
        return f"({self.binvar!r} == {self.binval})  -> ({self.getExpr()!r} {sense} 0.0)"
