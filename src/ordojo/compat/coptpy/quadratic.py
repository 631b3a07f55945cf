"""coptpy's quadratic expressions."""

from typing import Any

from ordojo.compat.coptpy.linear import Spelled, pairs, terms_text
from ordojo.compat.core import expr as core
from ordojo.compat.core.quad import QuadExpr as CoreQuad


class QuadExpr(Spelled, CoreQuad):
    """A quadratic expression."""

    __slots__ = ()
    __hash__: Any = None
    __mul__ = CoreQuad.__mul__
    __rmul__ = CoreQuad.__mul__
    __add__ = CoreQuad.__add__
    __radd__ = CoreQuad.__radd__
    __sub__ = CoreQuad.__sub__
    __rsub__ = CoreQuad.__rsub__

    def __init__(self, arg1: Any = 0.0, arg2: Any = None) -> None:
        single = core.plain(arg1)
        if isinstance(single, str) or (
            core.linear(single) is None and not isinstance(single, CoreQuad)
        ):
            kind = type(single)
            raise TypeError(f"Type of 'arg1' is not compatible with QuadExpr: {kind}")
        super().__init__(single if arg2 is None else single * arg2)

    def __imul__(self, other: Any) -> Any:
        return self * other

    def __itruediv__(self, other: Any) -> Any:
        return self / other

    def clone(self) -> Any:
        """Another expression with the same content."""
        return self.copy()

    def addTerm(self, coeff: float, var1: Any, var2: Any = None) -> None:
        """Add a linear term, or a product where a second variable is given."""
        if var2 is None:
            self._linear.addTerm(var1, coeff)
            return
        self._q.append(float(coeff))
        self._a.append(core.plain(var1))
        self._b.append(core.plain(var2))

    def addTerms(self, coeffs: Any, vars1: Any, vars2: Any = None) -> None:
        """Add linear terms, or products where second variables are given."""
        first, numbers = pairs(_list(vars1), coeffs)
        if vars2 is None:
            self._linear.addTerms(first, numbers)
            return
        second, _ = pairs(_list(vars2), coeffs)
        for by, one, two in zip(numbers, first, second, strict=True):
            self.addTerm(by, one, two)

    def addLinExpr(self, expr: Any, mult: float = 1.0) -> None:
        """Add `mult` times a linear expression, in place."""
        self._linear.add(expr, mult)

    def addQuadExpr(self, expr: Any, mult: float = 1.0) -> None:
        """Add `mult` times an expression, in place."""
        self.add(expr, mult)

    def setCoeff(self, idx: int, newval: float) -> None:
        """Change the coefficient of product number `idx`."""
        self._q[idx] = float(newval)

    def getConstant(self) -> float:
        """The constant."""
        return float(self._linear._k)

    def setConstant(self, newval: float) -> None:
        """Change the constant."""
        self._linear.setConstant(newval)

    def reserve(self, n: int) -> None:
        """Nothing: lists grow by themselves."""

    def getSize(self) -> int:
        """The number of products."""
        return len(self._q)

    @property
    def size(self) -> Any:
        """The number of products."""
        return len(self._q)

    @property
    def constant(self) -> float:
        """The constant."""
        return self.getConstant()

    @constant.setter
    def constant(self, value: float) -> None:
        self.setConstant(value)

    @property
    def value(self) -> float:
        """The value at the solution."""
        return self.getValue()

    def __repr__(self) -> str:
        return f"{self._linear._text()}{terms_text(self._q, self._a, self._b)} "

    __str__ = __repr__


def _list(given: Any) -> Any:
    single = core.plain(given)
    return [single] if isinstance(single, core.Var) else single
