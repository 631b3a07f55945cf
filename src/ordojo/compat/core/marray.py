"""Operators and shapes that the matrix objects of both interfaces share."""

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np
from scipy.sparse import issparse

from ordojo.compat.core import terms as flat
from ordojo.compat.core.terms import Floats, Objects, Shape, Terms, grouped, objects, of_constants
from ordojo.milp.model import VarType


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
            flat.plus(theirs, mine, sign) if turned else flat.plus(mine, theirs, sign)
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
        return self._made(flat.scaled(self._terms(), -1.0))

    def __mul__(self, other: Any) -> Any:
        theirs = self._other(other)
        if theirs is None:
            return NotImplemented
        found = flat.times(self._terms(), theirs)
        return self._too_high("*", self, other) if found is None else self._made(found)

    def __rmul__(self, other: Any) -> Any:
        return self.__mul__(other)

    def __truediv__(self, other: Any) -> Any:
        theirs = self._other(other)
        if theirs is None or not theirs.is_constant:
            return self._too_high("/", self, other)
        by = 1.0 / theirs.constants.reshape(theirs.shape)
        found = flat.times(self._terms(), flat.of_constants(by))
        assert found is not None
        return self._made(found)

    def __rtruediv__(self, other: Any) -> Any:
        return self._too_high("/", other, self)

    def __matmul__(self, other: Any) -> Any:
        return self._product(self, flat.nested(other) if self._lists else other)

    def __rmatmul__(self, other: Any) -> Any:
        return self._product(flat.nested(other) if self._lists else other, self)

    def _product(self, left: Any, right: Any) -> Any:
        found = flat.product(left, right)
        if found is None:
            raise TypeError("A product of quadratic expressions is not supported")
        return self._made(found)

    def _compared(self, other: Any, sense: str) -> Any:
        theirs = self._other(other)
        if theirs is None:
            kind = type(other).__name__
            raise TypeError(f"unsupported operand type(s) for -: 'MLinExpr' and '{kind}'")
        return self._related(flat.plus(self._terms(), theirs, -1.0), sense)

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
        return self._made(flat.summed(self._terms(), axis))

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


class Held:
    """An array of handles."""

    def __init__(self, items: Any) -> None:
        self._held: Objects = items

    @property
    def shape(self) -> tuple[int, ...]:
        """The length of each dimension."""
        return self._held.shape

    @property
    def size(self) -> int:
        """How many there are."""
        return self._held.size

    @property
    def ndim(self) -> int:
        """How many dimensions there are."""
        return self._held.ndim

    def __getitem__(self, key: Any) -> Any:
        return type(self)(self._held[key])

    def item(self) -> Any:
        """The only one."""
        return self._held.item()

    def _as_expression(self) -> Any:
        return self.item() if self.size == 1 else self


def shape_of(given: Any) -> Shape:
    """A shape, of which a single dimension may be given as a number."""
    return tuple(int(n) for n in given) if np.iterable(given) else (int(given),)


def keys_of(shape: Shape) -> list[Any]:
    """The keys of an array's entries, in order; of one dimension, numbers."""
    return [key[0] if len(key) == 1 else key for key in np.ndindex(shape)]


def numbers_of(matrix: Any) -> Any:
    """A scipy matrix as it is, all else as an array of numbers."""
    return matrix if issparse(matrix) else np.asarray(matrix, float)


def repeated(value: Any, shape: Shape) -> Floats:
    """A number for each entry, in a flat array of its own."""
    return np.array(np.broadcast_to(np.asarray(value, float), shape)).reshape(-1)


def add_cols(
    store: Any, shape: Shape, numbers: tuple[Floats, Floats, Floats], kinds: bytes, handle: Any
) -> Objects:
    """Add variables with these lower and upper bounds, costs and types; the handles."""
    lower, upper, cost = numbers
    binary = np.frombuffer(kinds, np.uint8) == VarType.BINARY
    lower[binary] = np.maximum(lower[binary], 0.0)
    upper[binary] = np.minimum(upper[binary], 1.0)
    first = len(store.columns)
    made = [handle(store, j) for j in range(first, first + len(kinds))]
    store.add_cols(made, lower.tolist(), upper.tolist(), cost.tolist(), kinds)
    return objects(made).reshape(shape)


def add_rows(
    store: Any, terms: Terms, sense: str, rhs: Floats, handle: Any, infinite: float
) -> list[Any]:
    """Add a row for each expression (sense) its right side less its constant; the handles."""
    order, starts = grouped(terms.rows, terms.size)
    columns = np.fromiter((var._col for var in terms.variables), np.int32, len(terms.variables))
    first = len(store.rows)
    base = len(store.index)
    store.index.frombytes(columns[order].tobytes())
    store.value.frombytes(terms.coeffs[order].tobytes())
    store.starts.frombytes((base + starts[1:]).astype(np.int64).tobytes())
    store.senses.extend(sense.encode() * terms.size)
    sides = np.clip(np.asarray(rhs, float).reshape(-1) - terms.constants, -infinite, infinite)
    store.rhs.frombytes(sides.tobytes())
    made = [handle(store, row) for row in range(first, first + terms.size)]
    store.rows.extend(made)
    return made


def quadratic_form(
    columns: Callable[[Any, int, str], Terms], Q: Any, c: Any, xQ_L: Any, xQ_R: Any, xc: Any
) -> Terms:
    """xQ_L' Q xQ_R + c' xc as one expression; `columns(x, count, what)` are its variables."""
    total = of_constants(0.0)
    if Q is not None:
        matrix = numbers_of(Q)
        left, right = columns(xQ_L, matrix.shape[0], "Q"), columns(xQ_R, matrix.shape[1], "Q")
        first = flat.product(left, matrix)
        whole = None if first is None else flat.product(first, right)
        assert whole is not None
        total = flat.plus(total, whole)
    if c is not None:
        costs = np.asarray(c, float).reshape(-1)
        linear = flat.product(costs, columns(xc, len(costs), "c"))
        assert linear is not None
        total = flat.plus(total, linear)
    return total
