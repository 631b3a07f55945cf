"""Variables and linear expressions; products of them are in `quad`."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from ordojo.compat.core.operators import Compared, Operators
from ordojo.compat.core.pieces import Relation, make, number, plain, relate, spread, text_of
from ordojo.compat.core.shapes import Column, Single, Sum, linear

__all__ = [
    "Compared",
    "LinExpr",
    "Operators",
    "Relation",
    "Term",
    "Var",
    "collect",
    "linear",
    "make",
    "multiply",
    "number",
    "plain",
    "relate",
    "spread",
    "text_of",
]

_new = object.__new__


class Var(Operators, Column):
    """A variable."""

    __slots__ = ()
    __hash__ = object.__hash__

    def __mul__(self, other: Any) -> Any:
        kind = type(other)
        if kind is float or kind is int:
            term = _new(self._term)
            term._c = other
            term._v = self
            return term
        return multiply(self, other)

    __rmul__ = __mul__

    def _label(self) -> str:
        """The name, for texts."""
        return str(self._store.label(self._col))


class LinExpr(Compared, Sum):
    """A sum of coefficients times variables, in the order written, and a constant."""

    __slots__ = ()
    __hash__: Any = None

    def __init__(self, arg1: Any = 0.0, arg2: Any = None) -> None:
        self._c, self._v, self._k = [], [], 0.0
        if arg2 is not None:
            self.addTerms(arg1, arg2)
            return
        found = linear(plain(arg1))
        if found is not None:
            self._c, self._v, self._k = list(found[0]), list(found[1]), found[2]
            return
        for pair in arg1:
            self._c.append(float(pair[0]))
            self._v.append(pair[1])

    def __mul__(self, other: Any) -> Any:
        kind = type(other)
        if kind is float or kind is int:
            return make(self._lin, [c * other for c in self._c], self._v[:], self._k * other)
        return multiply(self, other)

    __rmul__ = __mul__

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Term):
            return make(self._lin, [*self._c, other._c], [*self._v, other._v], self._k)
        return Operators.__add__(self, other)

    def __iadd__(self, other: Any) -> Any:
        found = linear(other)
        if found is None:
            return self._grown(other)
        self._c += found[0]
        self._v += found[1]
        self._k += found[2]
        return self

    def __isub__(self, other: Any) -> Any:
        found = linear(other)
        if found is None:
            return self.__sub__(other)
        self._c += [-c for c in found[0]]
        self._v += found[1]
        self._k -= found[2]
        return self

    def _grown(self, other: Any) -> Any:
        return self.__add__(other)

    def _spell(self) -> None:
        """Become a plain expression of lists, where this is a lone term."""

    def add(self, arg1: Any, mult: float = 1.0) -> None:
        """Add `mult` times a number, variable or linear expression, in place."""
        self._spell()
        found = linear(plain(arg1))
        if found is None:
            raise TypeError(f"cannot add {type(arg1).__name__!r} to a linear expression")
        self._c += [mult * c for c in found[0]]
        self._v += found[1]
        self._k += mult * found[2]

    def addConstant(self, c: float) -> None:
        """Add a number, in place."""
        self._spell()
        self._k += float(c)

    def addTerms(self, newcoeffs: Any, newvars: Any) -> None:
        """Add one coefficient with its variable, or as many of them as both lists hold."""
        self._spell()
        if isinstance(newvars, Var):
            self._c.append(float(newcoeffs))
            self._v.append(newvars)
            return
        coeffs, variables = [float(c) for c in newcoeffs], list(newvars)
        if len(coeffs) != len(variables):
            raise self._uneven()
        self._c += coeffs
        self._v += variables

    def _uneven(self) -> Exception:
        return ValueError("a linear expression needs as many coefficients as variables")

    def clear(self) -> None:
        """Empty the expression."""
        self._spell()
        self._c, self._v, self._k = [], [], 0.0

    def copy(self) -> Any:
        """Another expression with the same content."""
        return make(self._lin, self._c[:], self._v[:], self._k)

    def size(self) -> int:
        """The number of terms, a variable that occurs twice counted twice."""
        return len(self._c)

    def getVar(self, i: int) -> Any:
        """The variable of term i."""
        self._spell()
        return self._v[i]

    def getCoeff(self, i: int) -> float:
        """The coefficient of term i."""
        self._spell()
        return float(self._c[i])

    def getConstant(self) -> float:
        """The constant."""
        self._spell()
        return float(self._k)

    def remove(self, which: Any) -> None:
        """Drop term number `which`, or all terms of that variable."""
        self._spell()
        if isinstance(which, int):
            del self._c[which], self._v[which]
            return
        kept = [place for place, var in enumerate(self._v) if var is not which]
        self._c = [self._c[place] for place in kept]
        self._v = [self._v[place] for place in kept]

    def getValue(self) -> float:
        """The value at the solution."""
        coeffs, variables, constant = self._parts()
        return float(sum(c * v.x for c, v in zip(coeffs, variables, strict=True)) + constant)

    def _parts(self) -> tuple[list[float], list[Any], float]:
        return linear(self) or ([], [], 0.0)

    def _text(self) -> str:
        coeffs, variables, constant = self._parts()
        texts = [text_of(c, var._label()) for c, var in zip(coeffs, variables, strict=True)]
        if constant or not texts:
            texts.insert(0, str(float(constant)))
        return " + ".join(texts)


class Term(LinExpr, Single):
    """A linear expression of one term, which keeps no lists until it is changed in place."""

    __slots__ = ()
    __hash__: Any = None

    def __mul__(self, other: Any) -> Any:
        kind = type(other)
        if kind is float or kind is int:
            return self._v * (self._c * other)
        return multiply(self, other)

    __rmul__ = __mul__

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Term):
            return make(self._lin, [self._c, other._c], [self._v, other._v], 0.0)
        return Operators.__add__(self, other)

    def __iadd__(self, other: Any) -> Any:
        self._spell()
        return LinExpr.__iadd__(self, other)

    def __isub__(self, other: Any) -> Any:
        self._spell()
        return LinExpr.__isub__(self, other)

    def _spell(self) -> None:
        coefficient, var = self._c, self._v
        self.__class__ = self._lin
        self._c, self._v, self._k = [coefficient], [var], 0.0

    def copy(self) -> Any:
        """Another expression with the same content."""
        return make(self._lin, [self._c], [self._v], 0.0)

    def size(self) -> int:
        """One."""
        return 1


def multiply(left: Any, right: Any) -> Any:
    """A variable or linear expression times anything: number, linear, array; else declines."""
    by = number(right)
    if by is not None:
        return left * float(by)
    theirs = linear(right)
    if theirs is not None:
        mine = linear(left)
        return left._quad._product(mine, theirs)
    if isinstance(right, np.ndarray):
        return spread(lambda item: left * item, right) if right.ndim else left * right.item()
    if isinstance(right, str):
        try:
            return left * float(right)
        except ValueError:
            return NotImplemented
    return NotImplemented


def collect(items: Iterable[Any], kind: type[Any]) -> tuple[Any, list[Any]]:
    """The sum of everything linear in `items`, as `kind`, and the rest in order."""
    term, lin = kind._term, kind._lin
    coeffs: list[float] = []
    variables: list[Any] = []
    constant: float = 0.0
    rest: list[Any] = []
    for item in items:
        found = type(item)
        if found is term:
            coeffs.append(item._c)
            variables.append(item._v)
        elif isinstance(item, Var):
            coeffs.append(1.0)
            variables.append(item)
        elif found is lin:
            coeffs += item._c
            variables += item._v
            constant += item._k
        elif found is float or found is int:
            constant += item
        else:
            single = plain(item)
            parts = linear(single)
            if parts is None:
                rest.append(single)
                continue
            coeffs += parts[0]
            variables += parts[1]
            constant += parts[2]
    return make(lin, coeffs, variables, constant), rest
