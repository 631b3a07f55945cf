"""The operators that variables and expressions share, by way of their linear parts.

A class of one interface (gurobipy, coptpy) derives from these and names its siblings in `_term`,
`_lin`, `_quad` and `_relation`, so that operators give that interface's own objects.
"""

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from ordojo.compat.core.pieces import Relation, make, number, plain, relate, spread
from ordojo.compat.core.shapes import linear

_new = object.__new__


class Operators:
    """The operators that variables and expressions share, by way of their linear parts."""

    __slots__ = ()
    __mul__: Any
    __array_ufunc__ = None
    __hash__ = object.__hash__
    _term: ClassVar[type[Any]]
    _lin: ClassVar[type[Any]]
    _quad: ClassVar[Any]
    _relation: ClassVar[type[Relation]]

    def __add__(self, other: Any) -> Any:
        mine, theirs = linear(self), linear(other)
        if mine is None or theirs is None:
            return self._beyond(other, lambda item: self + item)
        return make(self._lin, mine[0] + theirs[0], mine[1] + theirs[1], mine[2] + theirs[2])

    def __radd__(self, other: Any) -> Any:
        mine, theirs = linear(self), linear(other)
        if mine is None or theirs is None:
            return self._beyond(other, lambda item: item + self)
        return make(self._lin, theirs[0] + mine[0], theirs[1] + mine[1], theirs[2] + mine[2])

    def __sub__(self, other: Any) -> Any:
        mine, theirs = linear(self), linear(other)
        if mine is None or theirs is None:
            return self._beyond(other, lambda item: self - item)
        coeffs = mine[0] + [-c for c in theirs[0]]
        return make(self._lin, coeffs, mine[1] + theirs[1], mine[2] - theirs[2])

    def __rsub__(self, other: Any) -> Any:
        mine, theirs = linear(self), linear(other)
        if mine is None or theirs is None:
            return self._beyond(other, lambda item: item - self)
        coeffs = theirs[0] + [-c for c in mine[0]]
        return make(self._lin, coeffs, theirs[1] + mine[1], theirs[2] - mine[2])

    def __neg__(self) -> Any:
        return self * -1.0

    def __truediv__(self, other: Any) -> Any:
        by = number(other)
        if by is None:
            return self._formula("/", self, other)
        return self * (1.0 / by)

    def __rtruediv__(self, other: Any) -> Any:
        return self._formula("/", other, self)

    def __pow__(self, power: Any) -> Any:
        exponent = number(power)
        if exponent == 0:
            return 1.0
        if exponent == 1:
            return self
        if exponent == 2:
            return self * self
        return self._formula("**", self, power)

    def __rpow__(self, base: Any) -> Any:
        return self._formula("**", base, self)

    def __le__(self, other: Any) -> Any:
        return self._compare("<", other)

    def __ge__(self, other: Any) -> Any:
        return self._compare(">", other)

    def __eq__(self, other: Any) -> Any:
        return self._compare("=", other)

    def __ne__(self, other: Any) -> Any:
        return self._unequal()

    def _compare(self, sense: str, other: Any) -> Any:
        if hasattr(other, "_compares_itself"):
            return NotImplemented
        return relate(self._relation, self, sense, other)

    def _beyond(self, other: Any, again: Callable[[Any], Any]) -> Any:
        """An operand that is not linear: an array, a lone expression in one, or one that knows."""
        if isinstance(other, np.ndarray) and other.ndim:
            return spread(again, other)
        single = plain(other) if isinstance(other, np.ndarray) else other
        return NotImplemented if single is other else again(single)

    def _formula(self, operation: str, first: Any, second: Any) -> Any:
        """A nonlinear operation; a layer that has formulas makes one."""
        return NotImplemented

    def _unequal(self) -> Any:
        return NotImplemented


def _compared(sense: str) -> Callable[[Any, Any], Any]:
    """A comparison of one sense; with a plain number it makes no detour."""

    def compare(self: Any, other: Any) -> Any:
        kind = type(other)
        if kind is float or kind is int:
            found = _new(self._relation)
            found._lhs = self
            found._sense = sense
            found._rhs = other
            return found
        return self._compare(sense, other)

    return compare


class Compared(Operators):
    """Comparisons with plain numbers without a detour; they are most of all constraints."""

    __slots__ = ()
    __hash__ = object.__hash__
    __le__ = _compared("<")
    __ge__ = _compared(">")
    __eq__ = _compared("=")
