"""Operators and shapes that the matrix objects of both interfaces share."""

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from ordojo.compat.core import algebra
from ordojo.compat.core import terms as flat
from ordojo.compat.core.terms import Objects, Terms


class MArray:
    """An array of variables or expressions.

    An interface derives its classes; `_lists` says whether lists count as arrays.
    """

    __array_ufunc__ = None
    __array_priority__ = 100.0
    __hash__: Any = None
    _compares_itself = True
    _lists: ClassVar[bool] = False

    def _terms(self) -> Terms:
        raise NotImplementedError

    def _made(self, terms: Terms) -> Any:
        """Terms as an object of the interface."""
        raise NotImplementedError

    def _related(self, terms: Terms, sense: str) -> Any:
        """The comparison of terms with zero as an object of the interface."""
        raise NotImplementedError

    def _too_high(self, operation: str, left: Any, right: Any) -> Any:
        """What a product above degree two is."""
        return NotImplemented

    def _other(self, other: Any) -> Terms | None:
        return flat.terms_of(flat.nested(other) if self._lists else other)

    def _combined(self, other: Any, sign: float, turned: bool = False) -> Any:
        theirs = self._other(other)
        if theirs is None:
            return NotImplemented
        mine = self._terms()
        return self._made(
            algebra.plus(theirs, mine, sign) if turned else algebra.plus(mine, theirs, sign)
        )

    def __add__(self, other: Any) -> Any:
        return self._combined(other, 1.0)

    def __radd__(self, other: Any) -> Any:
        return self._combined(other, 1.0)

    def __sub__(self, other: Any) -> Any:
        return self._combined(other, -1.0)

    def __rsub__(self, other: Any) -> Any:
        return self._combined(other, -1.0, turned=True)

    def __neg__(self) -> Any:
        return self._made(algebra.scaled(self._terms(), -1.0))

    def __mul__(self, other: Any) -> Any:
        theirs = self._other(other)
        if theirs is None:
            return NotImplemented
        found = algebra.times(self._terms(), theirs)
        return self._too_high("*", self, other) if found is None else self._made(found)

    def __rmul__(self, other: Any) -> Any:
        return self.__mul__(other)

    def __truediv__(self, other: Any) -> Any:
        theirs = self._other(other)
        if theirs is None or not theirs.is_constant:
            return self._too_high("/", self, other)
        by = 1.0 / theirs.constants.reshape(theirs.shape)
        found = algebra.times(self._terms(), flat.of_constants(by))
        assert found is not None
        return self._made(found)

    def __rtruediv__(self, other: Any) -> Any:
        return self._too_high("/", other, self)

    def __matmul__(self, other: Any) -> Any:
        return self._product(self, flat.nested(other) if self._lists else other)

    def __rmatmul__(self, other: Any) -> Any:
        return self._product(flat.nested(other) if self._lists else other, self)

    def _product(self, left: Any, right: Any) -> Any:
        found = algebra.product(left, right)
        if found is None:
            raise TypeError("A product of quadratic expressions is not supported")
        return self._made(found)

    def _compared(self, other: Any, sense: str) -> Any:
        theirs = self._other(other)
        if theirs is None:
            kind = type(other).__name__
            raise TypeError(f"unsupported operand type(s) for -: 'MLinExpr' and '{kind}'")
        return self._related(algebra.plus(self._terms(), theirs, -1.0), sense)

    def __le__(self, other: Any) -> Any:
        return self._compared(other, "<")

    def __ge__(self, other: Any) -> Any:
        return self._compared(other, ">")

    def __eq__(self, other: Any) -> Any:
        return self._compared(other, "=")

    @property
    def shape(self) -> tuple[int, ...]:
        """The length of each dimension."""
        return self._terms().shape

    @property
    def size(self) -> int:
        """How many there are."""
        return self._terms().size

    @property
    def ndim(self) -> int:
        """How many dimensions there are."""
        return len(self.shape)

    def sum(self, axis: Any = None) -> Any:
        """The sum over all, or along an axis."""
        return self._made(algebra.summed(self._terms(), axis))

    def _numbers(self) -> Any:
        return np.arange(self.size).reshape(self.shape)

    def _taken(self, numbers: Any) -> Any:
        return self._made(flat.gather(self._terms(), numbers))

    def __getitem__(self, key: Any) -> Any:
        return self._taken(self._numbers()[key])

    def _single(self) -> Any:
        """The only expression, where there is just one; else the array itself."""
        raise NotImplementedError

    def _as_expression(self) -> Any:
        return self._single() if self.size == 1 else self

    def __iter__(self) -> Iterator[Any]:
        if not self.shape:
            raise TypeError("iteration over a 0-d array")
        return (self[k] for k in range(self.shape[0]))


class MLinear(MArray):
    """An array of expressions, linear ones or `_quadratic`, which may change in place."""

    _quadratic: ClassVar[bool] = False
    _lin: ClassVar[type[Any]]
    _quad: ClassVar[Any]
    _held: Terms

    @classmethod
    def _of(cls, terms: Terms) -> Any:
        made = cls.__new__(cls)
        made._held = terms
        return made

    @classmethod
    def zeros(cls, shape: Any) -> Any:
        """Expressions that are all zero."""
        return cls._of(flat.of_constants(np.zeros(shape)))

    def _terms(self) -> Terms:
        return self._held

    def _entries(self) -> Objects:
        """Each expression as an object of its own."""
        return flat.expressions(self._held, self._lin, self._quad)

    def _check(self, terms: Terms) -> None:
        """Raise where these cannot stand in this array's place."""

    def _become(self, found: Any) -> Any:
        if not isinstance(found, MArray):
            return found
        terms = found._terms()
        self._check(terms)
        if terms.is_quadratic and not self._quadratic:
            return found
        self._held = terms
        return self

    def __iadd__(self, other: Any) -> Any:
        return self._become(self + other)

    def __isub__(self, other: Any) -> Any:
        return self._become(self - other)

    def __imul__(self, other: Any) -> Any:
        return self._become(self * other)

    def clear(self) -> None:
        """Make all of them zero."""
        self._held = flat.of_constants(np.zeros(self.shape))
