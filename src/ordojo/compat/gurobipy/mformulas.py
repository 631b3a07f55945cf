"""gurobipy's arrays of nonlinear formulas, and what is done entry by entry."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ordojo.compat.core import expr as core
from ordojo.compat.core import terms as flat
from ordojo.compat.core.terms import Objects
from ordojo.compat.gurobipy.expressions import TempConstr


def shown(items: Objects) -> str:
    """An object array as numpy shows it, without its type."""
    return f"array({np.array2string(items, separator=', ', prefix='array(')})"


class _Text:
    """A text that shows without quotes."""

    def __init__(self, text: str) -> None:
        self._shown = text

    def __repr__(self) -> str:
        return self._shown


def texts(items: Objects) -> Any:
    """The entries as things that show as their texts do."""
    out = np.empty(items.shape, object)
    out_flat = out.reshape(-1)
    for k, item in enumerate(items.reshape(-1)):
        out_flat[k] = _Text(f" {item._text() if hasattr(item, '_text') else item}")
    return out


class MNLExpr:
    """An array of nonlinear formulas."""

    __array_ufunc__ = None
    __hash__: Any = None

    def __init__(self, items: Objects) -> None:
        self._items = items

    @property
    def shape(self) -> tuple[int, ...]:
        """The length of each dimension."""
        return self._items.shape

    def __getitem__(self, key: Any) -> "MNLExpr":
        found = self._items[key]
        single = not isinstance(found, np.ndarray)
        return MNLExpr(flat.objects([found]).reshape(()) if single else found)

    def _entries(self) -> Objects:
        return self._items

    def item(self) -> Any:
        """The only formula."""
        return self._items.item()

    def _as_expression(self) -> Any:
        return self.item() if self._items.size == 1 else self

    def _compared(self, sense: str, other: Any) -> Any:
        return compared(other, sense, self)

    def __eq__(self, other: Any) -> Any:
        return compared(other, "=", self)

    def __add__(self, other: Any) -> Any:
        return each(lambda one, two: one + two, self, other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return each(lambda one, two: one - two, self, other)

    def __rsub__(self, other: Any) -> Any:
        return each(lambda one, two: one - two, other, self)

    def __mul__(self, other: Any) -> Any:
        return each(lambda one, two: one * two, self, other)

    __rmul__ = __mul__

    def __neg__(self) -> Any:
        return each(lambda one, two: one * two, self, -1.0)

    def __repr__(self) -> str:
        return f"<MNLExpr {self.shape}>\n{shown(texts(self._items))}"


def entries(value: Any) -> Any:
    """The single expressions of anything as an object array."""
    own = getattr(value, "_entries", None)
    if own is not None:
        return own()
    return value if isinstance(value, np.ndarray) else flat.objects([value]).reshape(())


def each(operate: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    """An operation on each pair of expressions, broadcast, as formulas."""
    one, two = np.broadcast_arrays(entries(left), entries(right))
    made = []
    for a, b in zip(one.reshape(-1), two.reshape(-1), strict=True):
        found = operate(a, b)
        if found is NotImplemented:
            return NotImplemented
        made.append(found)
    return MNLExpr(flat.objects(made).reshape(one.shape))


def compared(left: Any, sense: str, right: Any) -> Any:
    """A comparison for each pair of expressions."""
    from ordojo.compat.gurobipy.mconstr import MTempList

    one, two = np.broadcast_arrays(entries(left), entries(right))
    made = [
        core.relate(TempConstr, a, sense, b)
        for a, b in zip(one.reshape(-1), two.reshape(-1), strict=True)
    ]
    return MTempList(flat.objects(made).reshape(one.shape))


MNLExpr.__module__ = "gurobipy._matrixapi"
