"""gurobipy's arrays of variables and expressions."""
# ruff: noqa: N802

from collections.abc import Callable
from typing import Any

import numpy as np

from ordojo.compat.core import expr as core
from ordojo.compat.core import matrix as flat
from ordojo.compat.core.marray import MArray
from ordojo.compat.core.matrix import Objects, Terms
from ordojo.compat.gurobipy.attributes import TABLES, read
from ordojo.compat.gurobipy.expressions import LinExpr, QuadExpr, TempConstr
from ordojo.compat.gurobipy.handles import Var
from ordojo.compat.gurobipy.mvalues import attribute_values, set_attribute
from ordojo.compat.gurobipy.nlexpr import formula

_MODULE = "gurobipy._matrixapi"


def shown(items: Objects) -> str:
    """An object array as numpy shows it, without its type."""
    return f"array({np.array2string(items, separator=', ', prefix='array(')})"


class GurobiArray(MArray):
    """An array whose operators give gurobipy's objects."""

    def _made(self, terms: Terms) -> Any:
        return (MQuadExpr if terms.is_quadratic else MLinExpr)._of(terms)

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


class MLinExpr(GurobiArray):
    """An array of linear expressions."""

    _quadratic = False

    def __init__(self) -> None:
        self._held = flat.of_constants(0.0)

    @classmethod
    def _of(cls, terms: Terms) -> Any:
        made = cls.__new__(cls)
        made._held = terms
        return made

    def _terms(self) -> Terms:
        return self._held

    @classmethod
    def zeros(cls, shape: Any) -> Any:
        """Expressions that are all zero."""
        return cls._of(flat.of_constants(np.zeros(shape)))

    def _become(self, found: Any) -> Any:
        if found is NotImplemented or isinstance(found, MNLExpr):
            return found
        terms = found._terms()
        if terms.shape != self.shape:
            raise ValueError(
                f"non-broadcastable output operand with shape {self.shape} doesn't match the "
                f"broadcast shape {terms.shape}"
            )
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

    def __itruediv__(self, other: Any) -> Any:
        return self._become(self / other)

    def __getitem__(self, key: Any) -> Any:
        return self._taken(self._numbers()[key])

    def __setitem__(self, key: Any, value: Any) -> None:
        theirs = self._other(value)
        if theirs is None:
            raise TypeError(f"cannot set entries to a {type(value).__name__}")
        chosen = self._numbers()[key]
        keep = np.ones(self.size)
        keep[chosen] = 0.0
        new = flat.add_up(flat.spread_to(theirs, chosen.shape), chosen, (self.size,))
        old = flat.scaled(self._held, keep.reshape(self.shape)).reshape(-1)
        self._held = flat.plus(old, new).reshape(self.shape)

    def clear(self) -> None:
        """Make all of them zero."""
        self._held = flat.of_constants(np.zeros(self.shape))

    def copy(self) -> Any:
        """Another array with the same content."""
        return self._of(self._held)

    def item(self) -> Any:
        """The only expression."""
        if self.size != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return self._expressions().reshape(-1)[0]

    def _single(self) -> Any:
        return self.item()

    def tolist(self) -> Any:
        """The expressions in lists nested like the dimensions."""
        return self._expressions().tolist()

    def reshape(self, *shape: Any, order: str = "C") -> Any:
        """The same expressions in another shape."""
        return self._of(self._held.reshape(_shape(shape), order))

    def _expressions(self) -> Objects:
        return flat.expressions(self._held, LinExpr, QuadExpr)

    def __repr__(self) -> str:
        return self._text(_texts(self._expressions()))

    __str__ = __repr__


class MQuadExpr(MLinExpr):
    """An array of quadratic expressions."""

    _quadratic = True

    def _made(self, terms: Terms) -> Any:
        return MQuadExpr._of(terms)

    def _expressions(self) -> Objects:
        found = flat.expressions(self._held, LinExpr, QuadExpr)
        if not self._held.is_quadratic:
            flat_view = found.reshape(-1)
            for k, item in enumerate(flat_view):
                flat_view[k] = QuadExpr(item)
        return found


def _shape(shape: Any) -> Any:
    return shape[0] if len(shape) == 1 else shape


class _Text:
    """A text that shows without quotes."""

    def __init__(self, text: str) -> None:
        self._shown = text

    def __repr__(self) -> str:
        return self._shown


def _texts(items: Objects) -> Any:
    out = np.empty(items.shape, object)
    out_flat = out.reshape(-1)
    for k, item in enumerate(items.reshape(-1)):
        out_flat[k] = _Text(f" {item._text() if hasattr(item, '_text') else item}")
    return out


class MVar(GurobiArray):
    """An array of variables."""

    def __init__(self, variables: Any) -> None:
        found = flat.nested(variables)
        array = found if isinstance(found, np.ndarray) else flat.objects([found]).reshape(())
        object.__setattr__(self, "_vars", array)

    _vars: Objects

    @classmethod
    def fromlist(cls, li: Any) -> "MVar":
        """Variables of a list, perhaps of lists."""
        return cls(li if isinstance(li, np.ndarray) else list(li))

    @classmethod
    def fromvar(cls, var: Var) -> "MVar":
        """A single variable as an array without dimensions."""
        return cls(var)

    def _terms(self) -> Terms:
        return flat.of_variables(self._vars)

    @property
    def shape(self) -> tuple[int, ...]:
        """The length of each dimension."""
        return self._vars.shape

    @property
    def size(self) -> int:
        """How many there are."""
        return self._vars.size

    def __getitem__(self, key: Any) -> "MVar":
        found = self._vars[key]
        return MVar(found)

    @property
    def T(self) -> "MVar":
        """The transposed array."""
        return MVar(self._vars.T)

    def transpose(self, *axes: Any) -> "MVar":
        """The transposed array."""
        return MVar(self._vars.transpose(*axes))

    def reshape(self, *shape: Any, order: Any = "C") -> "MVar":
        """The same variables in another shape."""
        return MVar(self._vars.reshape(_shape(shape), order=order))

    def diagonal(self, offset: int = 0, axis1: int = 0, axis2: int = 1) -> "MVar":
        """The variables on the diagonal."""
        return MVar(self._vars.diagonal(offset, axis1, axis2).copy())

    def copy(self) -> "MVar":
        """Another array of the same variables."""
        return MVar(self._vars.copy())

    def item(self) -> Var:
        """The only variable."""
        found: Var = self._vars.item()
        return found

    def _single(self) -> Any:
        return self.item()

    def tolist(self) -> Any:
        """The variables in lists nested like the dimensions."""
        return self._vars.tolist()

    def getAttr(self, attrname: str) -> Any:
        """An attribute's values as an array."""
        return attribute_values(self._vars, attrname)

    def setAttr(self, attrname: str, newval: Any) -> None:
        """Set an attribute from one value or an array of them."""
        set_attribute(self._vars, attrname, newval)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name.lower() not in TABLES["Var"]:
            raise AttributeError(f"'gurobipy.MVar' object has no attribute '{name}'")
        return self.getAttr(name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_") or name.lower() not in TABLES["Var"]:
            raise AttributeError(f"'gurobipy.MVar' object has no attribute '{name}'")
        self.setAttr(name, value)

    def _values_in(self, x: Any) -> Any:
        columns = np.fromiter((v._col for v in self._vars.reshape(-1)), np.int64, self.size)
        return np.asarray(x, float)[columns].reshape(self.shape)

    def __repr__(self) -> str:
        removed = any(v._col < 0 for v in self._vars.reshape(-1))
        return f"<MVar {self.shape}{' (some removed)' if removed else ''}>\n{shown(self._vars)}"

    __str__ = __repr__


class MNLExpr:
    """An array of nonlinear formulas."""

    __array_ufunc__ = None
    __hash__ = None  # type: ignore[assignment]

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
        return f"<MNLExpr {self.shape}>\n{shown(_texts(self._items))}"


def entries(value: Any) -> Any:
    """The single expressions of anything as an object array."""
    if isinstance(value, MVar):
        return value._vars
    if isinstance(value, MLinExpr):
        return value._expressions()
    if isinstance(value, MNLExpr):
        return value._items
    if isinstance(value, np.ndarray):
        return value
    return flat.objects([value]).reshape(())


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


for _class in (MVar, MLinExpr, MQuadExpr, MNLExpr):
    _class.__module__ = _MODULE
