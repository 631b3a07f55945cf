"""The matrix interface: arrays of gurobipy, their comparisons, and the model's methods."""

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np

from ordojo.compat.core import expressions as core
from ordojo.compat.core import matrix as flat
from ordojo.compat.core.handles import Table
from ordojo.compat.core.matrix import ExpressionArray, Objects
from ordojo.compat.core.store import key_text
from ordojo.compat.gurobipy.building import Building, sense_of
from ordojo.compat.gurobipy.errors import (
    GurobiError,
    UnreadError,
    called,
    finite,
    numeric,
    unsupported,
)
from ordojo.compat.gurobipy.expressions import (
    GenExpr,
    LinExpr,
    NLExpr,
    QuadExpr,
    TempConstr,
)
from ordojo.compat.gurobipy.handles import (
    CONSTRAINT,
    GENERAL,
    QUADRATIC,
    VARIABLE,
    Constr,
    GenConstr,
    QConstr,
)


def shown(items: Objects) -> str:
    """An object array as numpy shows it, without its type."""
    return f"array({np.array2string(items, separator=', ', prefix='array(')})"


class _Text(str):
    """A text that shows without quotes."""

    __slots__ = ()
    __repr__ = str.__str__


def texts(items: Objects) -> Any:
    """The entries as things that show as their texts do."""
    return core.spread(lambda item: _Text(f" {item}"), items)


def entries(value: Any) -> Any:
    """The single expressions of anything as an object array."""
    own = getattr(value, "_entries", None)
    if own is not None:
        return own()
    return value if isinstance(value, np.ndarray) else flat.objects([value]).reshape(())


def attribute_values(handles: Objects, name: str) -> Any:
    """An attribute of each handle as an array of the same shape."""
    if name.lower() == "x" and handles.size:
        state = handles.reshape(-1)[0]._store
        if state.x is not None and state.cols_live == len(state.columns):
            columns = [v._col for v in handles.reshape(-1)]
            if min(columns) >= 0:
                return np.array([state.x[j] for j in columns]).reshape(handles.shape)
    try:
        found = [handle._read(name) for handle in handles.reshape(-1)]
    except UnreadError as error:
        if error.kind == "DATA_NOT_AVAILABLE":
            raise error.among(0) from None
        raise
    if found and isinstance(found[0], str):
        kind: Any = "<U1" if name.lower() in ("vtype", "sense") else object
        return np.array(found, kind).reshape(handles.shape)
    return np.array(found).reshape(handles.shape)


class MHandles(flat.Handles):
    """An array of handles of one kind, whose attributes are those of `_table`."""

    _table: ClassVar[Table]

    def tolist(self) -> Any:
        """The handles in lists nested like the dimensions."""
        return self._held.tolist()

    def reshape(self, *shape: Any, order: Any = "C") -> Any:
        return type(self)(self._held.reshape(one_shape(shape), order=order))

    def getAttr(self, attrname: str) -> Any:
        return attribute_values(self._held, attrname)

    def setAttr(self, attrname: str, newval: Any) -> None:
        """Set an attribute from one value or an array of them."""
        if np.ndim(newval) and np.shape(newval) != self.shape:
            raise AttributeError("Shape mismatch")
        for handle, value in self._each(newval):
            handle._write(attrname, value)

    def _read(self, name: str) -> Any:
        return self.getAttr(self._known(name))

    def _write(self, name: str, value: Any) -> None:
        self.setAttr(self._known(name), value)

    def _known(self, name: str) -> str:
        if name.lower() in self._table:
            return name
        kind = type(self).__name__
        raise AttributeError(f"'gurobipy.{kind}' object has no attribute '{name}'")


def placed(name: str, key: tuple[int, ...]) -> str:
    """A name with the place in an array that has dimensions."""
    return f"{name}[{key_text(key)}]" if name and key else name


def one_shape(shape: tuple[Any, ...]) -> Any:
    """A shape that may be given as several arguments or as one."""
    return shape[0] if len(shape) == 1 else shape


class GurobiArray(flat.MArray):
    """An array whose operators give gurobipy's objects."""

    _nonlinear, _unsupported = NLExpr, staticmethod(unsupported)

    def _compared(self, other: Any, sense: str) -> Any:
        if isinstance(other, GenExpr | NLExpr):
            return core.relate(TempConstr, self.item(), sense, other)
        return super()._compared(other, sense)

    def getValue(self) -> Any:
        return self._values()

    def _several(self) -> Exception:
        return ValueError("can only convert an array of size 1 to a Python scalar")

    def _text(self, lines: Any) -> str:
        return f"<{type(self).__name__} {self.shape}>\n{shown(lines)}"


class MLinExpr(flat.MLinear, GurobiArray):
    """An array of linear expressions."""

    _lin, _quad = LinExpr, QuadExpr

    def __init__(self) -> None:
        self._held = flat.of_constants(0.0)

    def _check(self, terms: ExpressionArray) -> None:
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
        new = flat.add_up(flat.spread_to(theirs, chosen.shape), chosen, (self.size,))
        old = flat.scaled(self._held, keep.reshape(self.shape)).reshape(-1)
        self._held = flat.plus(old, new).reshape(self.shape)

    def copy(self) -> Any:
        return self._of(self._held)

    def tolist(self) -> Any:
        """The expressions in lists nested like the dimensions."""
        return self._entries().tolist()

    def reshape(self, *shape: Any, order: str = "C") -> Any:
        return self._of(self._held.reshape(one_shape(shape), order))

    def __repr__(self) -> str:
        return self._text(texts(self._entries()))


class MQuadExpr(MLinExpr):
    """An array of quadratic expressions."""

    _quadratic = True

    def _entries(self) -> Objects:
        found = super()._entries()
        return found if self._held.is_quadratic else core.spread(QuadExpr, found)


class MVar(MHandles, flat.Variables, GurobiArray):
    """An array of variables."""

    _table = VARIABLE

    def transpose(self, *axes: Any) -> "MVar":
        return MVar(self._held.transpose(*axes))

    T = property(transpose)

    def diagonal(self, offset: int = 0, axis1: int = 0, axis2: int = 1) -> "MVar":
        return MVar(self._held.diagonal(offset, axis1, axis2).copy())

    def copy(self) -> "MVar":
        return MVar(self._held.copy())

    def __repr__(self) -> str:
        removed = any(v._col < 0 for v in self._held.reshape(-1))
        return f"<MVar {self.shape}{' (some removed)' if removed else ''}>\n{shown(self._held)}"


class _Comparable:
    """What comparisons of arrays share.

    `_parts()` are the comparisons entry by entry, `_add_to(model, name)` adds it to a model.
    """

    __hash__ = object.__hash__
    _parts: Callable[[], Objects]
    _add_to: Callable[[Any, Any], Any]

    def __bool__(self) -> bool:
        raise GurobiError(0, 'Constraint has no bool value (are you trying "lb <= expr <= ub"?)')

    def __rshift__(self, other: Any) -> "MTempList":
        """An indicator for each entry of what follows."""
        ifs, thens = spread_over(self._parts(), parts(other))
        made = [a >> b for a, b in zip(ifs.reshape(-1), thens.reshape(-1), strict=True)]
        return MTempList(flat.objects(made).reshape(thens.shape))


def parts(comparison: Any) -> Objects:
    """Each comparison, of an array or a lone one."""
    if isinstance(comparison, _Comparable):
        return comparison._parts()
    return flat.objects([comparison]).reshape(())


def spread_over(predicates: Objects, comparisons: Objects) -> tuple[Objects, Objects]:
    """A predicate for each comparison, and these; ValueError as Gurobi's where there are more."""
    shape = comparisons.shape
    if np.broadcast_shapes(predicates.shape, shape) != shape:
        text = f"constraint shape {shape} across predicate shape {predicates.shape}"
        raise ValueError(f"broadcasting not allowed for {text}")
    return np.broadcast_to(predicates, shape), comparisons


class MTempConstr(_Comparable, flat.ArrayComparison):
    """A comparison of an array of expressions with zero."""

    def _parts(self) -> Objects:
        items = flat.expressions(self._held, LinExpr, QuadExpr)
        made = []
        for item in items.reshape(-1):
            linear = item if isinstance(item, LinExpr) else item._linear
            rhs, linear._k = 0.0 - linear._k, 0.0
            made.append(core.relate(TempConstr, core.lone(item) or item, self._sense, rhs))
        return flat.objects(made).reshape(self.shape)

    def _add_to(self, model: Any, name: Any) -> Any:
        return model._related(self._held, self._sense, name)

    def __repr__(self) -> str:
        sense = {"<": "<=", ">": ">=", "=": "=="}[self._sense]
        return f"<gurobi.TempConstr: {GurobiArray._made(self._held)!r} {sense} 0.0>"


class MTempList(_Comparable):
    """An array of comparisons of any kind."""

    def __init__(self, items: Objects) -> None:
        self._items = items

    def _parts(self) -> Objects:
        return self._items

    def _add_to(self, model: Any, name: Any) -> Any:
        return model._each(self._items, name)


class _MConstrs(MHandles):
    """An array of constraints of one kind."""

    @classmethod
    def fromlist(cls, li: Any) -> Any:
        """Constraints of a list, perhaps of lists."""
        return cls(li)

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(self.shape[0]))

    def _rename(self, name: str) -> None:
        """Name all by a base and their places."""
        for key, handle in zip(np.ndindex(self.shape), self._held.reshape(-1), strict=True):
            handle._rename(placed(name, key))

    def __repr__(self) -> str:
        waits = any(handle._awaits() for handle in self._held.reshape(-1))
        return f"<{type(self).__name__} {self.shape}{' *awaiting model update*' if waits else ''}>"


class MConstr(_MConstrs):
    """An array of linear constraints."""

    _table = CONSTRAINT


class MQConstr(_MConstrs):
    """An array of quadratic constraints."""

    _table = QUADRATIC


class MGenConstr(_MConstrs):
    """An array of general constraints."""

    _table = GENERAL


def handles_array(made: list[Any], shape: tuple[int, ...]) -> _MConstrs:
    """Constraints as the array of their kind."""
    kinds = {Constr: MConstr, QConstr: MQConstr, GenConstr: MGenConstr}
    kind = kinds[type(made[0])] if made else MConstr
    return kind(flat.objects(made).reshape(shape))


(GurobiArray._variables, GurobiArray._linear) = (MVar, MLinExpr)
(GurobiArray._curved, GurobiArray._comparison) = (MQuadExpr, MTempConstr)


def concatenate(arrays: Any, axis: int = 0) -> Any:
    """Join arrays along an axis."""
    found = GurobiArray._joined(list(arrays), axis)
    if found is None:
        raise GurobiError(10003, "Only arrays of variables, expressions or numbers can be joined")
    return found


def hstack(arrays: Any) -> Any:
    """Join arrays one beside the other."""
    return concatenate(*flat.stacking(arrays, below=False))


def vstack(arrays: Any) -> Any:
    """Join arrays one below the other."""
    return concatenate(*flat.stacking(arrays, below=True))


for _class in (MVar, MLinExpr, MQuadExpr, MConstr, MQConstr, MGenConstr):
    _class.__module__ = "gurobipy._matrixapi"


class Matrices(Building):
    """Adds arrays of variables and constraints."""

    _array = GurobiArray

    def addMVar(
        self,
        shape: Any,
        lb: Any = 0.0,
        ub: Any = 1e100,
        obj: Any = 0.0,
        vtype: Any = "C",
        name: Any = "",
    ) -> MVar:
        """Add an array of variables; the other arguments are broadcast to the shape."""
        letters = "C" if vtype is None else vtype
        return MVar(self._column_array(shape, (lb, ub, obj), letters, name))

    def addMConstr(self, A: Any, x: Any, sense: Any, b: Any, name: Any = "") -> MConstr:
        """Add A x (sense) b; `sense` may be one for each row, x None means all variables."""
        letters = "".join(map(_letter, [sense] if isinstance(sense, str) else sense))
        matrix = flat.numbers_of(A)
        if len(letters) != matrix.shape[0] and not isinstance(sense, str):
            raise GurobiError(-1, "Incompatible 'sense' argument length")
        if np.shape(b) != matrix.shape[:1]:
            raise GurobiError(-1, "Incompatible 'rhs' argument length")
        return MConstr(self._product_array(matrix, x, letters, b, name))

    def _switch(self, binvar: Any, binval: Any, relation: tuple[Any, Any, Any], name: str) -> Any:
        """Add an indicator, for each entry where there are arrays."""
        lhs, sense, rhs = relation
        if isinstance(lhs, GurobiArray):
            lhs = lhs._compared(rhs, _letter(sense))
        if not isinstance(lhs, _Comparable) and not isinstance(binvar, MVar):
            return super()._switch(binvar, binval, (lhs, sense, rhs), name)
        if not isinstance(lhs, _Comparable | TempConstr):
            lhs = core.relate(TempConstr, lhs, _letter(sense), rhs)
        ifs, thens = spread_over(entries(binvar), parts(lhs))
        made = [
            super(Matrices, self)._switch(
                binary, binval, (thens[key], None, None), placed(name, key)
            )
            for key, binary in np.ndenumerate(ifs)
        ]
        return handles_array(made, thens.shape)

    def _mismatch(self, wanted: int, given: int, what: str) -> Exception:
        return GurobiError(-1, f"Incompatible no. columns in argument '{what}'")

    def _add_form(self, terms: ExpressionArray, sense: Any, name: Any) -> Any:
        return self._related(terms, _letter(sense), name).item()

    def _column_array(self, shape: Any, numbers: Any, vtype: Any, name: Any) -> Objects:
        for part in numbers:
            numeric(np.asarray(part, float))
        if isinstance(name, str):
            called(name)
        return super()._column_array(shape, numbers, vtype, name)

    def _row_array(self, terms: ExpressionArray, senses: str, rhs: Any, name: Any) -> Objects:
        finite(terms.linear.coeffs)
        numeric(np.asarray(rhs, float))
        numeric(terms.constants)
        if isinstance(name, str):
            called(name)
        return super()._row_array(terms, senses, rhs, name)

    def _related(self, terms: ExpressionArray, sense: str, name: Any) -> Any:
        """Add a constraint for each expression, compared with zero."""
        if not terms.is_quadratic:
            return MConstr(self._row_array(terms, sense, 0.0, name))
        items = flat.expressions(terms, LinExpr, QuadExpr)
        made = [core.relate(TempConstr, item, sense, 0.0) for item in items.reshape(-1)]
        return self._each(flat.objects(made).reshape(items.shape), name)

    def _each(self, items: Objects, name: Any) -> Any:
        """Add each comparison of an array."""
        made = []
        for key, item in zip(np.ndindex(items.shape), items.reshape(-1), strict=True):
            made.append(self.addConstr(item, placed(name or "", key)))
        return handles_array(made, items.shape)


def _letter(sense: Any) -> str:
    found = sense_of(str(sense))
    if found is None:
        raise GurobiError(10003, "Invalid constraint sense")
    return found
