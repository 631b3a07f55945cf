"""coptpy's arrays of expressions and of values."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np

from ordojo.compat.coptpy.errors import invalid, unsupported
from ordojo.compat.coptpy.expressions import LinExpr, QuadExpr
from ordojo.compat.core import expr as core
from ordojo.compat.core import terms as flat
from ordojo.compat.core.marray import MArray, MLinear
from ordojo.compat.core.terms import Objects, Terms


class NdArray(np.ndarray[Any, Any]):
    """An array of values: numpy's, with coptpy's further methods."""

    def __new__(cls, args: Any = (), dtype: Any = None, shape: Any = None) -> "NdArray":
        """An array of the numbers given."""
        made = np.asarray(args, dtype)
        return (made if shape is None else made.reshape(shape)).view(cls)

    def tonumpy(self) -> Any:
        """The same as numpy's own."""
        return np.asarray(self)

    def dim(self, i: int) -> int:
        """The length of a dimension."""
        return int(self.shape[i])


class CoptArray(MArray):
    """An array whose operators give coptpy's objects."""

    _lists = True
    _sum_all = True

    def _made(self, terms: Terms) -> Any:
        return array_of(terms)

    def _related(self, terms: Terms, sense: str) -> Any:
        from ordojo.compat.coptpy.mbuilder import MConstrBuilder

        return MConstrBuilder._of(terms, sense)

    def _too_high(self, operation: str, left: Any, right: Any) -> Any:
        raise unsupported("a nonlinear formula of arrays")

    def _product(self, left: Any, right: Any) -> Any:
        if core.number(left) is not None or core.number(right) is not None:
            return left * right
        try:
            return super()._product(left, right)
        except ValueError as error:
            raise invalid(str(error)) from None

    def _entries(self) -> Objects:
        raise NotImplementedError

    def __iter__(self) -> Iterator[Any]:
        return iter(self._entries().reshape(-1))

    def __getitem__(self, key: Any) -> Any:
        try:
            return super().__getitem__(key)
        except IndexError as error:
            raise invalid(str(error)) from None

    def tolist(self) -> list[Any]:
        """All entries in one list."""
        return list(self._entries().reshape(-1))

    def item(self) -> Any:
        """The only entry."""
        if self.size != 1:
            raise invalid("Only an array of one item has an item")
        return self._entries().reshape(-1)[0]

    def _single(self) -> Any:
        return self.item()

    def dim(self, i: int) -> int:
        """The length of a dimension."""
        return self.shape[i]

    @property
    def T(self) -> Any:
        """The transposed array."""
        return self.transpose()

    def transpose(self) -> Any:
        """The transposed array."""
        return self._taken(self._numbers().T)

    def reshape(self, shape: Any, order: str = "C") -> Any:
        """The same entries in another shape."""
        return self._taken(self._numbers().reshape(shape, order=order))

    def flatten(self) -> Any:
        """The same entries in one dimension."""
        return self._taken(self._numbers().reshape(-1))

    def diagonal(self, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
        """The entries on the diagonal."""
        return self._taken(self._numbers().diagonal(offset, axis1, axis2))

    def expand(self, axis: int = 0) -> Any:
        """The same entries with one more dimension of length one."""
        return self._taken(np.expand_dims(self._numbers(), axis))

    def squeeze(self, axis: int = 0) -> Any:
        """The same entries without a dimension of length one."""
        return self._taken(np.squeeze(self._numbers(), axis))

    def pick(self, indexes: Any) -> Any:
        """Entries at places, in one dimension."""
        places = np.asarray(indexes, np.int64)
        numbers = self._numbers()
        return self._taken(numbers[tuple(places.T)] if places.ndim == 2 else numbers[places])

    def repeat(self, repeats: int, axis: int = 0) -> Any:
        """Each entry several times."""
        return self._taken(np.repeat(self._numbers(), repeats, axis))

    def stack(self, other: Any, axis: int) -> Any:
        """Both arrays along an axis."""
        return _joins().stack(self, other, axis)

    def hstack(self, other: Any) -> Any:
        """The other array beside this one."""
        return _joins().hstack(self, other)

    def vstack(self, other: Any) -> Any:
        """The other array below this one."""
        return _joins().vstack(self, other)

    def clone(self) -> Any:
        """Another array with the same content."""
        return self._taken(self._numbers())


class MLinExpr(MLinear, CoptArray):
    """An array of linear expressions."""

    _lin, _quad = LinExpr, QuadExpr

    def __init__(self, args: Any = 0.0, shape: Any = None) -> None:
        found = flat.terms_of(flat.nested(args))
        if found is None:
            raise TypeError(f"A {type(args).__name__} is no array of expressions")
        self._held = found if shape is None else found.reshape(shape)

    def addTerms(self, vars: Any, coeffs: Any) -> None:
        """Add variables times coefficients."""
        self._become(self + vars * coeffs)

    def addMLinExpr(self, exprs: Any, mult: float = 1.0) -> None:
        """Add `mult` times other expressions."""
        self._become(self + exprs * mult)

    addMQuadExpr = addMLinExpr

    def getValue(self) -> Any:
        """The values at the solution."""
        variables = [*self._held.variables, *self._held.first]
        if variables:
            variables[0].getInfo("value")
        found = flat.values(self._held, variables[0]._store.x if variables else [])
        return found.view(NdArray) if found.shape else float(found)

    @property
    def value(self) -> Any:
        """The values at the solution."""
        return self.getValue()

    def __repr__(self) -> str:
        return f"<coptpy.{type(self).__name__}: shape={self.shape}>"


class MQuadExpr(MLinExpr):
    """An array of quadratic expressions."""

    _quadratic = True

    def _made(self, terms: Terms) -> Any:
        return MQuadExpr._of(terms)


def array_of(terms: Terms) -> Any:
    """Expressions as the array of their kind."""
    return (MQuadExpr if terms.is_quadratic else MLinExpr)._of(terms)


def _joins() -> Any:
    return import_module("ordojo.compat.coptpy.mvar")


for _class in (MLinExpr, MQuadExpr, NdArray):
    _class.__module__ = "coptcore"
