"""Arrays of variables, expressions, comparisons and handles that programs compute with."""

import operator
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np

from ordojo.compat.core import matrix as flat
from ordojo.compat.core.expressions import number
from ordojo.compat.core.handles import ByName, Handle
from ordojo.compat.core.matrix import ExpressionArray, Floats, Objects


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
    quadratic expressions and of comparisons; `_lists` says whether lists count as arrays. A kind
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
    _comparison: ClassVar[type["ArrayComparison"]]

    @classmethod
    def _made(cls, terms: ExpressionArray) -> Any:
        """Terms as an array of the interface."""
        return (cls._curved if terms.is_quadratic or cls._quadratic else cls._linear)._of(terms)

    @classmethod
    def _joined(cls, arrays: list[Any], axis: int) -> Any:
        """Arrays one after the other along an axis; None where one is no array."""
        if all(isinstance(array, Variables) for array in arrays):
            return cls._variables(np.concatenate([array._held for array in arrays], axis))
        terms = [flat.terms_of(flat.nested(array)) for array in arrays]
        known = [part for part in terms if part is not None]
        return cls._made(flat.concatenate(known, axis)) if len(known) == len(terms) else None

    def _too_high(self, operation: str, left: Any, right: Any) -> Any:
        """What a product above degree two is."""
        return NotImplemented

    def _other(self, other: Any) -> ExpressionArray | None:
        return flat.terms_of(flat.nested(other) if self._lists else other)

    def _combined(self, other: Any, sign: float, turned: bool) -> Any:
        theirs = self._other(other)
        if theirs is None:
            return NotImplemented
        pair = (theirs, self._terms()) if turned else (self._terms(), theirs)
        return self._made(flat.plus(*pair, sign))

    __add__ = __radd__ = _combination(1.0)
    __sub__, __rsub__ = _combination(-1.0), _combination(-1.0, turned=True)

    def __neg__(self) -> Any:
        return self._made(flat.scaled(self._terms(), -1.0))

    def __mul__(self, other: Any) -> Any:
        theirs = self._other(other)
        if theirs is None:
            return NotImplemented
        found = flat.times(self._terms(), theirs)
        return self._too_high("*", self, other) if found is None else self._made(found)

    __rmul__ = __mul__

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
        return self._comparison(flat.plus(self._terms(), theirs, -1.0), sense)

    __le__, __ge__, __eq__ = map(_compares, "<>=")

    shape: Any = property(lambda self: self._terms().shape, doc="The length of each dimension.")
    size: Any = property(lambda self: self._terms().size, doc="How many there are.")
    ndim: Any = property(lambda self: len(self.shape), doc="How many dimensions there are.")

    def sum(self, axis: Any = None) -> Any:
        """The sum over all, or along an axis."""
        return self._made(flat.summed(self._terms(), axis))

    def _values(self) -> Floats:
        """The values at the solution; the interface's error where there is none."""
        terms = self._terms()
        some = terms.variables
        if some:
            float(some[0].x)  # raises where there is no solution
        return flat.values(terms, some[0]._store.x if some else [])

    def _numbers(self) -> Any:
        return np.arange(self.size).reshape(self.shape)

    def _taken(self, numbers: Any) -> Any:
        return self._made(flat.gather(self._terms(), numbers))

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
        return cls._of(flat.of_constants(np.zeros(shape)))

    def _terms(self) -> ExpressionArray:
        return self._held

    def _entries(self) -> Objects:
        """Each expression as an object of its own."""
        return flat.expressions(self._held, self._lin, self._quad)

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
        self._held = flat.of_constants(np.zeros(self.shape))


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
        found = flat.nested(items)
        if isinstance(found, Handle):
            found = flat.objects([found]).reshape(())
        elif isinstance(found, Handles):
            found = found._held
        elif not isinstance(found, np.ndarray):
            found = flat.objects(found)
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
        return flat.of_variables(self._held)

    def _entries(self) -> Objects:
        return self._held
