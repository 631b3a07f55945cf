"""Arrays that programs compute with, and their expressions as flat numpy arrays."""

import math
import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix, csr_matrix, identity, issparse, kron

from ordojo.compat.core.expressions import Formula, QuadExpr, linear, make, number
from ordojo.compat.core.handles import ByName, Handle

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Objects = NDArray[np.object_]
Shape = tuple[int, ...]

NO_INTS = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Products:
    """Terms of one degree d: coeffs[t] times all of factors[:, t] belongs to expression rows[t]."""

    rows: Ints
    coeffs: Floats
    factors: Objects

    @staticmethod
    def none(degree: int) -> "Products":
        """No terms."""
        return Products(NO_INTS, np.zeros(0), np.zeros((degree, 0), object))

    def at(self, rows: Ints, places: Ints) -> "Products":
        """The terms at some places, given to other expressions."""
        return Products(rows, self.coeffs[places], self.factors[:, places])

    def columns(self) -> Ints:
        """The number of each factor's column."""
        flat = np.fromiter((v._col for v in self.factors.reshape(-1)), np.int64, self.factors.size)
        return flat.reshape(self.factors.shape)


def chained(parts: Sequence[Products]) -> Products:
    """Terms of one degree after others."""
    rows, coeffs = ([getattr(part, name) for part in parts] for name in ("rows", "coeffs"))
    factors = np.concatenate([part.factors for part in parts], axis=1)
    return Products(np.concatenate(rows), np.concatenate(coeffs), factors)


@dataclass(frozen=True, slots=True, eq=False)
class ExpressionArray:
    """An array of `shape` of expressions, numbered in C order.

    Each has one of `constants`, the terms of `linear` (one factor) and of `quadratic` (two).
    """

    shape: Shape
    constants: Floats
    linear: Products = field(default_factory=lambda: Products.none(1))
    quadratic: Products = field(default_factory=lambda: Products.none(2))

    @property
    def size(self) -> int:
        """The number of expressions."""
        return len(self.constants)

    @property
    def variables(self) -> list[Any]:
        """Every factor of every term."""
        return [*self.linear.factors.reshape(-1), *self.quadratic.factors.reshape(-1)]

    @property
    def is_constant(self) -> bool:
        """Whether there are numbers only."""
        return not len(self.linear.rows) and not len(self.quadratic.rows)

    @property
    def is_quadratic(self) -> bool:
        """Whether there are products."""
        return bool(len(self.quadratic.rows))

    def each(
        self, change: Callable[[Products], Products], constants: Any, shape: Shape | None = None
    ) -> "ExpressionArray":
        """Other constants, and the terms of both degrees changed alike."""
        shape = self.shape if shape is None else shape
        return ExpressionArray(shape, constants, change(self.linear), change(self.quadratic))

    def reshape(self, shape: Any, order: Any = "C") -> "ExpressionArray":
        """The same expressions in another shape."""
        numbers = np.arange(self.size).reshape(self.shape).reshape(shape, order=order)
        return gather(self, numbers)


def objects(items: Any) -> Objects:
    """A flat object array of the items, which numpy does not look into."""
    return np.fromiter(items, object)


def of_variables(variables: Objects) -> ExpressionArray:
    """Each variable as an expression."""
    size = variables.size
    alone = Products(np.arange(size), np.ones(size), variables.reshape(1, -1))
    return ExpressionArray(variables.shape, np.zeros(size), alone)


def of_constants(values: Any) -> ExpressionArray:
    """Numbers as expressions."""
    array = np.asarray(values, float)
    return ExpressionArray(array.shape, array.reshape(-1).copy())


def of_expressions(items: Sequence[Any], shape: Shape) -> ExpressionArray | None:
    """Numbers, variables and expressions as an array; None where one is something else."""
    constants: list[float] = []
    rows: tuple[list[int], list[int]] = [], []
    coeffs: tuple[list[float], list[float]] = [], []
    variables: list[Any] = []
    pairs: tuple[list[Any], list[Any]] = [], []
    for place, item in enumerate(items):
        if isinstance(item, QuadExpr):
            rows[1].extend([place] * len(item._q))
            coeffs[1].extend(item._q)
            pairs[0].extend(item._a)
            pairs[1].extend(item._b)
            item = item._linear
        found = linear(item)
        if found is None:
            return None
        rows[0].extend([place] * len(found[0]))
        coeffs[0].extend(found[0])
        variables += found[1]
        constants.append(found[2])
    factors = objects(variables).reshape(1, -1), np.stack([objects(p) for p in pairs])
    both = [
        Products(np.array(rows[d], np.int64), np.array(coeffs[d], float), factors[d])
        for d in (0, 1)
    ]
    return ExpressionArray(shape, np.array(constants, float), *both)


def terms_of(value: Any) -> ExpressionArray | None:
    """Anything that is an array of expressions, or one expression; None for other things."""
    if isinstance(value, ExpressionArray):
        return value
    own = getattr(value, "_terms", None)
    if own is not None:
        found: ExpressionArray = own()
        return found
    if issparse(value):
        return of_constants(value.toarray())
    if number(value) is not None or (isinstance(value, np.ndarray) and value.dtype != object):
        return of_constants(value)
    if isinstance(value, np.ndarray):
        flat = [part._single() if hasattr(part, "_single") else part for part in value.reshape(-1)]
        return of_expressions(flat, value.shape)
    return of_expressions([value], ())


def nested(value: Any) -> Any:
    """A list, perhaps of lists, as an array; other things unchanged."""
    if not isinstance(value, list | tuple):
        return value
    shape: list[int] = []
    inner: Any = value
    while isinstance(inner, list | tuple):
        shape.append(len(inner))
        inner = inner[0] if inner else 0.0
    flat: list[Any] = list(value)
    for _ in shape[1:]:
        flat = [item for part in flat for item in part]
    return objects(flat).reshape(shape)


def gather(terms: ExpressionArray, numbers: Any) -> ExpressionArray:
    """The array whose expression k is number numbers[k] of the old ones."""
    chosen = np.asarray(numbers, np.int64)
    flat = chosen.reshape(-1)

    def picked(part: Products) -> Products:
        new, places = paired(part.rows, terms.size, flat)
        return part.at(new, places)

    return terms.each(picked, terms.constants[flat], chosen.shape)


def paired(rows: Ints, size: int, wanted: Ints) -> tuple[Ints, Ints]:
    """Each place k of `wanted` with each term t whose row is wanted[k]: all k, and all t."""
    if not len(rows):
        return NO_INTS, NO_INTS
    order, starts = grouped(rows, size)
    counts = np.diff(starts)[wanted]
    new = np.repeat(np.arange(len(wanted)), counts)
    offsets = np.arange(len(new)) - np.repeat(np.cumsum(counts) - counts, counts)
    return new, order[np.repeat(starts[wanted], counts) + offsets]


def grouped(rows: Ints, size: int) -> tuple[Ints, Ints]:
    """An order in which terms stand by row, and where each row starts in it."""
    order = np.argsort(rows, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=size))])
    return order, starts


def expressions(terms: ExpressionArray, lin: type[Any], quad: Any) -> Objects:
    """Each expression as an object of its own, in the array's shape."""
    one, two = terms.linear, terms.quadratic
    order, starts = grouped(one.rows, terms.size)
    qorder, qstarts = grouped(two.rows, terms.size)
    out = np.empty(terms.size, object)
    for k in range(terms.size):
        some = order[starts[k] : starts[k + 1]]
        constant = float(terms.constants[k])
        out[k] = make(lin, one.coeffs[some].tolist(), one.factors[0, some].tolist(), constant)
        if terms.is_quadratic:
            more = qorder[qstarts[k] : qstarts[k + 1]]
            out[k] = quad._of(out[k], two.coeffs[more].tolist(), *two.factors[:, more].tolist())
    return out.reshape(terms.shape)


def values(terms: ExpressionArray, x: Any) -> Floats:
    """The expressions' values, `x` being the values by column."""
    found, at = terms.constants.copy(), np.asarray(x, float)
    for part in (terms.linear, terms.quadratic):
        if len(part.rows):
            weights = part.coeffs * at[part.columns()].prod(axis=0)
            found += np.bincount(part.rows, weights, terms.size)
    return found.reshape(terms.shape)


def add_up(terms: ExpressionArray, targets: Any, shape: Shape) -> ExpressionArray:
    """The array whose expression k is the sum of the old ones i with targets[i] == k."""
    to = np.asarray(targets, np.int64).reshape(-1)
    size = math.prod(shape)
    constants: Any = np.bincount(to, terms.constants, size) if len(to) else np.zeros(size)
    return terms.each(
        lambda part: Products(to[part.rows], part.coeffs, part.factors), constants, shape
    )


def summed(terms: ExpressionArray, axis: Any = None) -> ExpressionArray:
    """The sum over all expressions, or along an axis."""
    if axis is None:
        return add_up(terms, np.zeros(terms.size), ())
    axes = tuple(np.atleast_1d(axis) % max(1, len(terms.shape)))
    left = tuple(n for k, n in enumerate(terms.shape) if k not in axes)
    kept = np.arange(math.prod(left)).reshape(left)
    for k in sorted(axes):
        kept = np.expand_dims(kept, k)
    return add_up(terms, np.broadcast_to(kept, terms.shape), left)


def scaled(terms: ExpressionArray, factors: Any) -> ExpressionArray:
    """Each expression times its factor."""
    by = np.broadcast_to(np.asarray(factors, float), terms.shape).reshape(-1)
    return terms.each(
        lambda part: Products(part.rows, part.coeffs * by[part.rows], part.factors),
        terms.constants * by,
    )


def spread_to(terms: ExpressionArray, shape: Shape) -> ExpressionArray:
    """The array repeated to a larger shape, as numpy broadcasts."""
    if terms.shape == shape:
        return terms
    return gather(terms, np.broadcast_to(np.arange(terms.size).reshape(terms.shape), shape))


def plus(left: ExpressionArray, right: ExpressionArray, sign: float = 1.0) -> ExpressionArray:
    """The sum, or with -1 the difference, broadcast."""
    shape = np.broadcast_shapes(left.shape, right.shape)
    a, b = spread_to(left, shape), spread_to(right, shape)
    b = b if sign == 1.0 else scaled(b, sign)
    both = [chained([getattr(t, name) for t in (a, b)]) for name in ("linear", "quadratic")]
    return ExpressionArray(shape, a.constants + b.constants, *both)


def concatenate(arrays: Sequence[ExpressionArray], axis: int) -> ExpressionArray:
    """The arrays one after the other along an axis."""
    starts = np.cumsum([0, *(part.size for part in arrays)])
    places = [np.arange(a.size).reshape(a.shape) + s for a, s in zip(arrays, starts, strict=False)]
    total = (int(starts[-1]),)
    whole = of_constants(np.zeros(total))
    for part, numbers in zip(arrays, places, strict=True):
        whole = plus(whole, add_up(part, numbers, total))
    return gather(whole, np.concatenate(places, axis))


def stacking(arrays: Any, below: bool) -> tuple[list[Any], int]:
    """Arrays that are to stand one beside, or `below`, the other, and the axis to join them along.

    Those of fewer dimensions are rows.
    """
    least = 2 if below else 1
    whole = [
        array.reshape((1,) * max(0, least - len(array.shape)) + tuple(array.shape))
        for array in arrays
    ]
    return whole, 0 if below or len(whole[0].shape) == 1 else 1


def times(left: ExpressionArray, right: ExpressionArray) -> ExpressionArray | None:
    """The product of each pair of expressions, broadcast; None above degree two."""
    shape = np.broadcast_shapes(left.shape, right.shape)
    a, b = spread_to(left, shape), spread_to(right, shape)
    if b.is_constant:
        return scaled(a, b.constants.reshape(shape))
    if a.is_constant:
        return scaled(b, a.constants.reshape(shape))
    if a.is_quadratic or b.is_quadratic:
        return None
    one, two = paired(b.linear.rows, b.size, a.linear.rows)
    crossed = []
    for part, by in ((a.linear, b.constants), (b.linear, a.constants)):
        used = np.flatnonzero(by[part.rows])
        chosen = part.at(part.rows[used], used)
        crossed.append(Products(chosen.rows, chosen.coeffs * by[chosen.rows], chosen.factors))
    squares = Products(
        a.linear.rows[one],
        a.linear.coeffs[one] * b.linear.coeffs[two],
        np.concatenate([a.linear.factors[:, one], b.linear.factors[:, two]]),
    )
    return ExpressionArray(shape, a.constants * b.constants, chained(crossed), squares)


def mapped(matrix: Any, terms: ExpressionArray, shape: Shape) -> ExpressionArray:
    """The array of the sums over i of matrix[k, i] times expression i."""

    def through(part: Products) -> Products:
        count = len(part.rows)
        if not count:
            return part
        if np.array_equal(part.rows, np.arange(terms.size)):
            found = matrix.tocsr()
            entry = np.repeat(np.arange(found.shape[0]), np.diff(found.indptr))
            index = found.indices.astype(np.int64)
            return Products(entry, found.data * part.coeffs[index], part.factors[:, index])
        spread = csr_matrix((part.coeffs, (part.rows, np.arange(count))), (terms.size, count))
        found = (matrix @ spread).tocsr()
        found.sort_indices()
        places = found.tocoo()
        return Products(places.row.astype(np.int64), places.data, part.factors[:, places.col])

    constants = np.asarray(matrix @ terms.constants, float).reshape(-1)
    return terms.each(through, constants, shape)


def product(left: Any, right: Any) -> ExpressionArray | None:
    """The matrix product of two arrays, of which a constant one may be a scipy matrix.

    None above degree two, ValueError where the shapes do not fit.
    """
    a, b = _matrix(left), _matrix(right)
    one, two = _as_pair(a.shape), _as_pair(b.shape, right=True)
    if not a.shape or not b.shape or one[1] != two[0]:
        inner = (one[1], two[0])
        raise ValueError(f"Mismatching inner dimensions {inner[0]} vs. {inner[1]}")
    shape = (one[:1] if len(a.shape) == 2 else ()) + (two[1:] if len(b.shape) == 2 else ())
    if not isinstance(a, ExpressionArray) and not isinstance(b, ExpressionArray):
        raise ValueError("A product of two matrices of numbers is no expression")
    if not isinstance(a, ExpressionArray):
        whole = csr_matrix(a.reshape(one)) if not issparse(a) else a
        if two[1] != 1:
            whole = kron(whole, identity(two[1]), format="csr")
        return mapped(whole, b, shape)
    if not isinstance(b, ExpressionArray):
        whole = csr_matrix(b.reshape(two)) if not issparse(b) else b
        whole = csr_matrix(whole.T)
        if one[0] != 1:
            whole = kron(identity(one[0]), whole, format="csr")
        return mapped(whole, a, shape)
    (m, k), n = one, two[1]
    i, j, inner_place = np.indices((m, n, k))
    found = times(gather(a, i * k + inner_place), gather(b, inner_place * n + j))
    return None if found is None else summed(found, 2).reshape(shape)


def _matrix(value: Any) -> Any:
    """A scipy matrix or an array of numbers as it is, everything else as terms."""
    if issparse(value):
        return coo_matrix(value).tocsr()
    if isinstance(value, np.ndarray) and value.dtype != object:
        return value
    found = terms_of(value)
    if found is None:
        raise TypeError(f"a {type(value).__name__} is no operand of a matrix product")
    if found.is_constant:
        return found.constants.reshape(found.shape)
    return found


def _as_pair(shape: Shape, right: bool = False) -> tuple[int, int]:
    if len(shape) == 2:
        return shape[0], shape[1]
    if len(shape) > 2:
        raise ValueError("Matrix products of more than two dimensions are not supported")
    size = shape[0] if shape else 1
    return (size, 1) if right else (1, size)


def shape_of(given: Any) -> Shape:
    """A shape, of which a single dimension may be given as a number."""
    return tuple(int(n) for n in given) if np.iterable(given) else (int(given),)


def numbers_of(matrix: Any) -> Any:
    """A scipy matrix as it is, all else as an array of numbers."""
    return matrix if issparse(matrix) else np.asarray(matrix, float)


def repeated(value: Any, shape: Shape) -> Floats:
    """A number for each entry, in a flat array of its own."""
    return np.array(np.broadcast_to(np.asarray(value, float), shape)).reshape(-1)


def _combination(sign: float, turned: bool = False) -> Any:
    """The operator of a sum or difference, of which the array may be the right side."""
    return lambda self, other: self._combined(other, sign, turned)


def _compares(sense: str) -> Any:
    return lambda self, other: self._compared(other, sense)


def _in_place(operate: Callable[[Any, Any], Any]) -> Any:
    return lambda self, other: self._become(operate(self, other))


class MArray:
    """An array of variables or expressions.

    An interface derives its classes, and says which are those of `_variables`, of linear and
    quadratic expressions, of formulas and of comparisons; `_lists` says whether lists count as
    arrays, `_unsupported` makes the error for a feature that the interface lacks. A kind
    has its expressions' `_terms` and `_entries`, each an object of its own; `_several` makes the
    interface's error where one entry is asked for and there are others.
    """

    _terms: Callable[[], ExpressionArray]
    _entries: Callable[[], Objects]
    _several: Callable[[], Exception]

    __array_ufunc__ = None
    __array_priority__ = 100.0
    __hash__: Any = None
    _compares_itself = True
    _lists: ClassVar[bool] = False
    _quadratic: ClassVar[bool] = False
    _variables: ClassVar[Any]
    _linear: ClassVar[Any]
    _curved: ClassVar[Any]
    _nonlinear: ClassVar[type[Formula]]
    _comparison: ClassVar[type["ArrayComparison"]]
    _unsupported: Any

    @classmethod
    def _made(cls, terms: ExpressionArray) -> Any:
        """Terms as an array of the interface."""
        return (cls._curved if terms.is_quadratic or cls._quadratic else cls._linear)._of(terms)

    @classmethod
    def _joined(cls, arrays: list[Any], axis: int) -> Any:
        """Arrays one after the other along an axis; None where one is no array."""
        if all(isinstance(array, Variables) for array in arrays):
            return cls._variables(np.concatenate([array._held for array in arrays], axis))
        terms = [terms_of(nested(array)) for array in arrays]
        known = [part for part in terms if part is not None]
        return cls._made(concatenate(known, axis)) if len(known) == len(terms) else None

    def _too_high(self, operation: str, left: Any, right: Any) -> Any:
        """What is above degree two: a formula of single entries."""
        made = self._nonlinear.of(operation, left, right)
        if made is NotImplemented:
            raise self._unsupported("a nonlinear formula of arrays", "state it entry by entry")
        return made

    def _other(self, other: Any) -> ExpressionArray | None:
        return terms_of(nested(other) if self._lists else other)

    def _combined(self, other: Any, sign: float, turned: bool) -> Any:
        theirs = self._other(other)
        if theirs is None:
            return NotImplemented
        pair = (theirs, self._terms()) if turned else (self._terms(), theirs)
        return self._made(plus(*pair, sign))

    __add__ = __radd__ = _combination(1.0)
    __sub__, __rsub__ = _combination(-1.0), _combination(-1.0, turned=True)

    def __neg__(self) -> Any:
        return self._made(scaled(self._terms(), -1.0))

    def __mul__(self, other: Any) -> Any:
        theirs = self._other(other)
        if theirs is None:
            return NotImplemented
        found = times(self._terms(), theirs)
        return self._too_high("*", self, other) if found is None else self._made(found)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        theirs = self._other(other)
        if theirs is None:
            return NotImplemented
        if not theirs.is_constant:
            return self._too_high("/", self, other)
        by = 1.0 / theirs.constants.reshape(theirs.shape)
        found = times(self._terms(), of_constants(by))
        assert found is not None
        return self._made(found)

    def __rtruediv__(self, other: Any) -> Any:
        return self._too_high("/", other, self)

    def __pow__(self, power: Any) -> Any:
        return self * self if number(power) == 2 else self._too_high("**", self, power)

    def __matmul__(self, other: Any) -> Any:
        return self._product(self, nested(other) if self._lists else other)

    def __rmatmul__(self, other: Any) -> Any:
        return self._product(nested(other) if self._lists else other, self)

    def _product(self, left: Any, right: Any) -> Any:
        found = product(left, right)
        if found is None:
            raise TypeError("A product of quadratic expressions is not supported")
        return self._made(found)

    def _compared(self, other: Any, sense: str) -> Any:
        theirs = self._other(other)
        if theirs is None:
            kind = type(other).__name__
            raise TypeError(f"unsupported operand type(s) for -: 'MLinExpr' and '{kind}'")
        return self._comparison(plus(self._terms(), theirs, -1.0), sense)

    __le__, __ge__, __eq__ = map(_compares, "<>=")

    shape: Any = property(lambda self: self._terms().shape, doc="The length of each dimension.")
    size: Any = property(lambda self: self._terms().size, doc="How many there are.")
    ndim: Any = property(lambda self: len(self.shape), doc="How many dimensions there are.")

    def sum(self, axis: Any = None) -> Any:
        """The sum over all, or along an axis."""
        return self._made(summed(self._terms(), axis))

    def _values(self) -> Floats:
        """The values at the solution; the interface's error where there is none."""
        terms = self._terms()
        some = terms.variables
        if some:
            float(some[0].x)  # raises where there is no solution
        return values(terms, some[0]._store.x if some else [])

    def _numbers(self) -> Any:
        return np.arange(self.size).reshape(self.shape)

    def _taken(self, numbers: Any) -> Any:
        return self._made(gather(self._terms(), numbers))

    def __getitem__(self, key: Any) -> Any:
        return self._taken(self._numbers()[key])

    def item(self) -> Any:
        """The only entry."""
        if self.size != 1:
            raise self._several()
        return self._entries().item()

    def _as_expression(self) -> Any:
        return self.item() if self.size == 1 else self

    def __iter__(self) -> Iterator[Any]:
        if not self.shape:
            raise TypeError("iteration over a 0-d array")
        return (self[k] for k in range(self.shape[0]))


class MLinear(MArray):
    """An array of expressions, linear ones or `_quadratic`, which may change in place."""

    _lin: ClassVar[type[Any]]
    _quad: ClassVar[Any]
    _held: ExpressionArray

    @classmethod
    def _of(cls, terms: ExpressionArray) -> Any:
        made = cls.__new__(cls)
        made._held = terms
        return made

    @classmethod
    def zeros(cls, shape: Any) -> Any:
        """Expressions that are all zero."""
        return cls._of(of_constants(np.zeros(shape)))

    def _terms(self) -> ExpressionArray:
        return self._held

    def _entries(self) -> Objects:
        """Each expression as an object of its own."""
        return expressions(self._held, self._lin, self._quad)

    def _check(self, terms: ExpressionArray) -> None:
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

    __iadd__, __isub__ = _in_place(operator.add), _in_place(operator.sub)
    __imul__ = _in_place(operator.mul)

    def clear(self) -> None:
        """Make all of them zero."""
        self._held = of_constants(np.zeros(self.shape))


class ArrayComparison:
    """A comparison of an array of expressions with zero."""

    __hash__ = object.__hash__

    def __init__(self, terms: ExpressionArray, sense: str) -> None:
        self._held, self._sense = terms, sense

    shape = property(lambda self: self._held.shape, doc="The length of each dimension.")


class Handles(ByName):
    """An array of handles, from one, a list of them, perhaps of lists, or an array."""

    _held: Objects

    def __init__(self, items: Any, shape: Any = None) -> None:
        found = nested(items)
        if isinstance(found, Handle):
            found = objects([found]).reshape(())
        elif isinstance(found, Handles):
            found = found._held
        elif not isinstance(found, np.ndarray):
            found = objects(found)
        self._held = found if shape is None else found.reshape(shape)

    shape = property(lambda self: self._held.shape, doc="The length of each dimension.")
    size = property(lambda self: self._held.size, doc="How many there are.")
    ndim = property(lambda self: self._held.ndim, doc="How many dimensions there are.")

    def __getitem__(self, key: Any) -> Any:
        return type(self)(self._held[key])

    def item(self) -> Any:
        """The only one."""
        return self._held.item()

    def _as_expression(self) -> Any:
        return self.item() if self.size == 1 else self

    def _each(self, value: Any) -> Iterator[tuple[Any, Any]]:
        """Each handle with its value, of one for all or an array of them."""
        single = isinstance(value, str) or number(value) is not None
        array = np.full(self._held.shape, value, object) if single else np.asarray(value)
        values = np.broadcast_to(array, self._held.shape).reshape(-1).tolist()
        return zip(self._held.reshape(-1), values, strict=True)


class Variables(Handles, MArray):
    """An array of variables."""

    @classmethod
    def fromlist(cls, vars: Any) -> Any:
        """Variables of a list, perhaps of lists."""
        return cls(vars)

    @classmethod
    def fromvar(cls, var: Any) -> Any:
        """A single variable as an array without dimensions."""
        return cls(var)

    def _terms(self) -> ExpressionArray:
        return of_variables(self._held)

    def _entries(self) -> Objects:
        return self._held
