"""gurobipy's arrays of variables and expressions."""

from typing import Any

import numpy as np

from ordojo.compat.core import algebra
from ordojo.compat.core import expr as core
from ordojo.compat.core import terms as flat
from ordojo.compat.core.marray import MArray, MLinear
from ordojo.compat.core.terms import Objects, Terms
from ordojo.compat.gurobipy.attributes import read
from ordojo.compat.gurobipy.expressions import LinExpr, QuadExpr
from ordojo.compat.gurobipy.handles import Var
from ordojo.compat.gurobipy.mformulas import each, shown, texts
from ordojo.compat.gurobipy.mhandles import MHandles, one_shape
from ordojo.compat.gurobipy.nlexpr import formula


class GurobiArray(MArray):
    """An array whose operators give gurobipy's objects."""

    def _made(self, terms: Terms) -> Any:
        return array_of(terms)

    def _related(self, terms: Terms, sense: str) -> Any:
        from ordojo.compat.gurobipy.mconstr import MTempConstr

        return MTempConstr(terms, sense)

    def _too_high(self, operation: str, left: Any, right: Any) -> Any:
        return each(lambda one, two: formula(operation, one, two), left, right)

    def __pow__(self, power: Any) -> Any:
        if core.number(power) == 2:
            return self * self
        return self._too_high("**", self, power)

    def getValue(self) -> Any:
        """The values at the solution."""
        terms = self._terms()
        variables = [*terms.variables, *terms.first]
        store = variables[0]._store if variables else None
        if store is not None and store.x is None:
            read(variables[0], "x")
        return flat.values(terms, store.x if store is not None else [])

    def _text(self, lines: Any) -> str:
        return f"<{type(self).__name__} {self.shape}>\n{shown(lines)}"


class MLinExpr(MLinear, GurobiArray):
    """An array of linear expressions."""

    _lin, _quad = LinExpr, QuadExpr

    def __init__(self) -> None:
        self._held = flat.of_constants(0.0)

    def _check(self, terms: Terms) -> None:
        if terms.shape != self.shape:
            raise ValueError(
                f"non-broadcastable output operand with shape {self.shape} doesn't match the "
                f"broadcast shape {terms.shape}"
            )

    def __itruediv__(self, other: Any) -> Any:
        return self._become(self / other)

    def __setitem__(self, key: Any, value: Any) -> None:
        theirs = self._other(value)
        if theirs is None:
            raise TypeError(f"cannot set entries to a {type(value).__name__}")
        chosen = self._numbers()[key]
        keep = np.ones(self.size)
        keep[chosen] = 0.0
        new = algebra.add_up(algebra.spread_to(theirs, chosen.shape), chosen, (self.size,))
        old = algebra.scaled(self._held, keep.reshape(self.shape)).reshape(-1)
        self._held = algebra.plus(old, new).reshape(self.shape)

    def copy(self) -> Any:
        """Another array with the same content."""
        return self._of(self._held)

    def item(self) -> Any:
        """The only expression."""
        if self.size != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return self._entries().reshape(-1)[0]

    def _single(self) -> Any:
        return self.item()

    def tolist(self) -> Any:
        """The expressions in lists nested like the dimensions."""
        return self._entries().tolist()

    def reshape(self, *shape: Any, order: str = "C") -> Any:
        """The same expressions in another shape."""
        return self._of(self._held.reshape(one_shape(shape), order))

    def __repr__(self) -> str:
        return self._text(texts(self._entries()))

    __str__ = __repr__


class MQuadExpr(MLinExpr):
    """An array of quadratic expressions."""

    _quadratic = True

    def _made(self, terms: Terms) -> Any:
        return MQuadExpr._of(terms)

    def _entries(self) -> Objects:
        found = super()._entries()
        if not self._held.is_quadratic:
            flat_view = found.reshape(-1)
            for k, item in enumerate(flat_view):
                flat_view[k] = QuadExpr(item)
        return found


def array_of(terms: Terms) -> Any:
    """Expressions as the array of their kind."""
    return (MQuadExpr if terms.is_quadratic else MLinExpr)._of(terms)


class MVar(MHandles, GurobiArray):
    """An array of variables."""

    _title, _what = "MVar", "Var"
    __iter__ = GurobiArray.__iter__

    @classmethod
    def fromlist(cls, li: Any) -> "MVar":
        """Variables of a list, perhaps of lists."""
        return cls(li if isinstance(li, np.ndarray) else list(li))

    @classmethod
    def fromvar(cls, var: Var) -> "MVar":
        """A single variable as an array without dimensions."""
        return cls(var)

    def _terms(self) -> Terms:
        return flat.of_variables(self._held)

    def _entries(self) -> Objects:
        return self._held

    @property
    def T(self) -> "MVar":
        """The transposed array."""
        return MVar(self._held.T)

    def transpose(self, *axes: Any) -> "MVar":
        """The transposed array."""
        return MVar(self._held.transpose(*axes))

    def diagonal(self, offset: int = 0, axis1: int = 0, axis2: int = 1) -> "MVar":
        """The variables on the diagonal."""
        return MVar(self._held.diagonal(offset, axis1, axis2).copy())

    def copy(self) -> "MVar":
        """Another array of the same variables."""
        return MVar(self._held.copy())

    def _single(self) -> Any:
        return self.item()

    def _values_in(self, x: Any) -> Any:
        columns = np.fromiter((v._col for v in self._held.reshape(-1)), np.int64, self.size)
        return np.asarray(x, float)[columns].reshape(self.shape)

    def __repr__(self) -> str:
        removed = any(v._col < 0 for v in self._held.reshape(-1))
        return f"<MVar {self.shape}{' (some removed)' if removed else ''}>\n{shown(self._held)}"

    __str__ = __repr__


for _class in (MVar, MLinExpr, MQuadExpr):
    _class.__module__ = "gurobipy._matrixapi"
