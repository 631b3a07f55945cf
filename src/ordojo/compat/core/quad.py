"""Quadratic expressions: a linear one and products of two variables."""

from collections.abc import Callable
from typing import Any, Self

import numpy as np

from ordojo.compat.core.expr import (
    LinExpr,
    Operators,
    linear,
    make,
    number,
    plain,
    spread,
    text_of,
)

_new = object.__new__
Products = tuple[list[float], list[Any], list[Any]]


class QuadExpr(Operators):
    """`_linear` + the sum of `_q[k] * _a[k] * _b[k]`, products in the order written."""

    __slots__ = ("_a", "_b", "_linear", "_q")
    __hash__: Any = None
    _linear: Any
    _q: list[float]
    _a: list[Any]
    _b: list[Any]

    def __init__(self, expr: Any = 0.0) -> None:
        self._linear = self._lin()
        self._q, self._a, self._b = [], [], []
        self.add(expr)

    @classmethod
    def _of(cls, lin: Any, q: list[float], a: list[Any], b: list[Any]) -> Self:
        found = _new(cls)
        found._linear, found._q, found._a, found._b = lin, q, a, b
        return found

    @classmethod
    def _product(
        cls,
        left: tuple[list[float], list[Any], float],
        right: tuple[list[float], list[Any], float],
    ) -> Any:
        """The product of two linear expressions in parts."""
        (c1, v1, k1), (c2, v2, k2) = left, right
        q = [x * y for x in c1 for y in c2]
        a = [x for x in v1 for _ in v2]
        b = v2 * len(v1)
        coeffs: list[float] = []
        variables: list[Any] = []
        if k2:
            coeffs += [x * k2 for x in c1]
            variables += v1
        if k1:
            coeffs += [k1 * y for y in c2]
            variables += v2
        return cls._of(make(cls._lin, coeffs, variables, k1 * k2), q, a, b)

    def __add__(self, other: Any) -> Any:
        lin, q, a, b = _parts(other)
        if lin is None:
            return self._beyond(other, lambda item: self + item)
        return self._of(self._linear + lin, self._q + q, self._a + a, self._b + b)

    def __radd__(self, other: Any) -> Any:
        lin, q, a, b = _parts(other)
        if lin is None:
            return self._beyond(other, lambda item: item + self)
        return self._of(lin + self._linear, q + self._q, a + self._a, b + self._b)

    def __sub__(self, other: Any) -> Any:
        lin, q, a, b = _parts(other)
        if lin is None:
            return self._beyond(other, lambda item: self - item)
        negative = [-c for c in q]
        return self._of(self._linear - lin, self._q + negative, self._a + a, self._b + b)

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        by = number(other)
        if by is not None:
            scaled = self._linear * float(by)
            return self._of(scaled, [c * by for c in self._q], self._a[:], self._b[:])
        if isinstance(other, np.ndarray):
            return spread(lambda item: self * item, other) if other.ndim else self * other.item()
        return self._formula("*", self, other)

    __rmul__ = __mul__

    def __iadd__(self, other: Any) -> Any:
        if _parts(other)[0] is None:
            return self.__add__(other)
        self.add(other)
        return self

    def __isub__(self, other: Any) -> Any:
        if _parts(other)[0] is None:
            return self.__sub__(other)
        self.add(other, -1.0)
        return self

    def add(self, expr: Any, mult: float = 1.0) -> None:
        """Add `mult` times a number, variable or expression, in place."""
        lin, q, a, b = _parts(plain(expr))
        if lin is None:
            raise TypeError(f"cannot add {type(expr).__name__!r} to a quadratic expression")
        self._linear.add(lin, mult)
        self._q += [mult * c for c in q]
        self._a += a
        self._b += b

    def addConstant(self, c: float) -> None:
        """Add a number, in place."""
        self._linear.addConstant(c)

    def addTerms(self, coeffs: Any, vars: Any, vars2: Any = None) -> None:
        """Add linear terms, or products where a second variable (list) is given."""
        if vars2 is None:
            self._linear.addTerms(coeffs, vars)
            return
        first, second = self._lin(coeffs, vars), self._lin(coeffs, vars2)
        if first.size() != second.size():
            raise first._uneven()
        self._q += first._c
        self._a += first._v
        self._b += second._v

    def clear(self) -> None:
        """Empty the expression."""
        self._linear.clear()
        self._q, self._a, self._b = [], [], []

    def copy(self) -> Any:
        """Another expression with the same content."""
        return self._of(self._linear.copy(), self._q[:], self._a[:], self._b[:])

    def size(self) -> int:
        """The number of products."""
        return len(self._q)

    def getValue(self) -> float:
        """The value at the solution."""
        products = zip(self._q, self._a, self._b, strict=True)
        return float(self._linear.getValue() + sum(c * a.x * b.x for c, a, b in products))

    def getLinExpr(self) -> Any:
        """The linear part, with the constant."""
        return self._linear.copy()

    def getCoeff(self, i: int) -> float:
        """The coefficient of product i."""
        return float(self._q[i])

    def getVar1(self, i: int) -> Any:
        """The first variable of product i."""
        return self._a[i]

    def getVar2(self, i: int) -> Any:
        """The second variable of product i."""
        return self._b[i]

    def remove(self, which: Any) -> None:
        """Drop product number `which`, or every term with that variable."""
        if isinstance(which, int):
            del self._q[which], self._a[which], self._b[which]
            return
        self._linear.remove(which)
        kept = [
            k
            for k, (a, b) in enumerate(zip(self._a, self._b, strict=True))
            if a is not which and b is not which
        ]
        self._q, self._a, self._b = (
            [part[k] for k in kept] for part in (self._q, self._a, self._b)
        )

    def _text(self) -> str:
        lin = self._linear._text()
        if not self._q:
            return str(lin)
        products = []
        for c, a, b in zip(self._q, self._a, self._b, strict=True):
            name = f"{a._label()} ^ 2" if a is b else f"{a._label()} * {b._label()}"
            products.append(text_of(c, name))
        return f"{lin} + [ {' + '.join(products)} ]"


def _parts(value: Any) -> tuple[Any, list[float], list[Any], list[Any]]:
    """Linear part and products of anything up to quadratic; None first for other things."""
    if isinstance(value, QuadExpr):
        return value._linear, value._q, value._a, value._b
    if isinstance(value, LinExpr):
        return value, [], [], []
    found = linear(value)
    if found is None:
        return None, [], [], []
    return (value if not found[1] else 1.0 * value), [], [], []


def joined(total: Any, rest: list[Any]) -> Any:
    """A linear sum with what `collect` has left over, where that is quadratic; else None."""
    if not all(isinstance(item, QuadExpr) for item in rest):
        return None
    found = total._quad(total)
    for item in rest:
        found.add(item)
    return found


def converter(lin: type[LinExpr], quad: type[QuadExpr]) -> Callable[[Any], Any]:
    """What makes a number, variable or expression a `lin` or `quad`; None of other things."""

    def as_expression(value: Any) -> Any:
        single = plain(value)
        if isinstance(single, quad):
            return single
        found = linear(single)
        return None if found is None else make(lin, list(found[0]), list(found[1]), found[2])

    return as_expression


def acquaint(term: Any, lin: Any, quad: Any, relation: Any) -> None:
    """Tell the classes of one interface of each other, as `Operators` needs it."""
    for kind in (term, lin, quad):
        kind._term, kind._lin, kind._quad, kind._relation = term, lin, quad, relation
