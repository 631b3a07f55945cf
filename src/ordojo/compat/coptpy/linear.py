"""coptpy's linear expressions."""

from collections.abc import Mapping
from typing import Any

from ordojo.compat.core import expr as core

NO_BOOL = "Boolean value of 'ConstrBuilder' object is not defined"


class Spelled(core.Operators):
    """What coptpy's operators do beyond linear and quadratic expressions."""

    __slots__ = ()
    __hash__: Any = None

    def _formula(self, operation: str, first: Any, second: Any) -> Any:
        from ordojo.compat.coptpy.nlexpr import formula

        return formula(operation, first, second)

    def _unequal(self) -> Any:
        raise ValueError(NO_BOOL)

    def _beyond(self, other: Any, again: Any) -> Any:
        if isinstance(other, str):
            float(other)  # COPT reads a text as a number, or says that it is none.
        return super()._beyond(other, again)


def pairs(first: Any, second: Any) -> tuple[list[Any], list[float]]:
    """Things and their coefficients, of lists, dictionaries, arrays, or one number for all."""
    if isinstance(first, Mapping):
        things = list(first.values())
        if isinstance(second, Mapping):
            return things, [float(second[key]) for key in first]
    else:
        things = [core.plain(item) for item in first]
    number = core.number(second)
    if number is not None:
        return things, [float(number)] * len(things)
    coeffs = [float(c) for c in (second.values() if isinstance(second, Mapping) else second)]
    if len(coeffs) != len(things):
        raise ValueError("Lengths of the coefficients and of what they belong to differ")
    return things, coeffs


class LinExpr(Spelled, core.LinExpr):
    """A linear expression."""

    __slots__ = ()
    __hash__: Any = None
    __mul__ = core.LinExpr.__mul__
    __rmul__ = core.LinExpr.__mul__
    __add__ = core.LinExpr.__add__

    def __init__(self, arg1: Any = 0.0, arg2: Any = None) -> None:
        self._c, self._v, self._k = [], [], 0.0
        single = core.plain(arg1)
        found = core.linear(float(single) if isinstance(single, str) else single)
        if found is not None:
            by = 1.0 if arg2 is None else float(arg2)
            self._c, self._v = [by * c for c in found[0]], list(found[1])
            self._k = by * found[2]
        elif arg2 is not None:
            self.addTerms(single, arg2)
        else:
            for var, coefficient in single:
                self._c.append(float(coefficient))
                self._v.append(var)

    def __imul__(self, other: Any) -> Any:
        found = self * other
        if not isinstance(found, core.LinExpr):
            return found
        self._spell()
        self._c, self._v, self._k = (list(found._c), list(found._v), found._k)
        return self

    def __itruediv__(self, other: Any) -> Any:
        return self.__imul__(1.0 / other)

    def getExpr(self) -> Any:
        """Another expression with the same content."""
        return self.copy()

    def clone(self) -> Any:
        """Another expression with the same content."""
        return self.copy()

    def addTerm(self, var: Any, coeff: float = 1.0) -> None:
        """Add one term, in place."""
        self._spell()
        self._c.append(float(coeff))
        self._v.append(core.plain(var))

    def addTerms(self, vars: Any, coeffs: Any) -> None:
        """Add terms, in place."""
        self._spell()
        single = core.plain(vars)
        if isinstance(single, core.Var):
            self.addTerm(single, coeffs)
            return
        variables, numbers = pairs(single, coeffs)
        self._c += numbers
        self._v += variables

    def addExpr(self, expr: Any, mult: float = 1.0) -> None:
        """Add `mult` times an expression, in place."""
        self.add(expr, mult)

    def setCoeff(self, idx: int, newval: float) -> None:
        """Change the coefficient of term number `idx`."""
        self._spell()
        self._c[idx] = float(newval)

    def setConstant(self, newval: float) -> None:
        """Change the constant."""
        self._spell()
        self._k = float(newval)

    def reserve(self, n: int) -> None:
        """Nothing: lists grow by themselves."""

    def getSize(self) -> int:
        """The number of terms."""
        return len(self._parts()[0])

    @property
    def size(self) -> Any:
        """The number of terms."""
        return self.getSize()

    @property
    def constant(self) -> float:
        """The constant."""
        return float(self._parts()[2])

    @constant.setter
    def constant(self, value: float) -> None:
        self.setConstant(value)

    @property
    def coeffs(self) -> list[float]:
        """The coefficients."""
        return [float(c) for c in self._parts()[0]]

    @property
    def vars(self) -> list[Any]:
        """The variables."""
        return list(self._parts()[1])

    @property
    def value(self) -> float:
        """The value at the solution."""
        return self.getValue()

    def _text(self) -> str:
        coeffs, variables, constant = self._parts()
        return f"{float(constant)}{terms_text(coeffs, variables)} "

    def __repr__(self) -> str:
        return self._text()

    __str__ = __repr__


def terms_text(coeffs: list[float], *factors: list[Any]) -> str:
    """Terms as COPT prints them; each is a coefficient times one or two variables."""
    text = ""
    for c, *names in zip(coeffs, *factors, strict=True):
        by = "" if abs(c) == 1.0 else f"{abs(float(c))} * "
        text += f" {'-' if c < 0 else '+'} {by}{'  * '.join(map(repr, names))}"
    return text


class Term(core.Term, LinExpr):
    """A linear expression of one term."""

    __slots__ = ()
    size: Any = LinExpr.size
    __hash__: Any = None
    __mul__ = core.Term.__mul__
    __rmul__ = core.Term.__mul__
