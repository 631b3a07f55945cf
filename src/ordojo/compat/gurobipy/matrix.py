"""Model methods of the matrix interface."""

import operator
from abc import abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np

from ordojo.compat.core import expressions as core
from ordojo.compat.core import matrix as flat
from ordojo.compat.core.expressions import relate
from ordojo.compat.core.matrix import (
    ExpressionArray,
    Handles,
    MArray,
    MLinear,
    Objects,
    add_cols,
    add_rows,
    keys_of,
    numbers_of,
    quadratic_methods,
    repeated,
    shape_of,
)
from ordojo.compat.gurobipy.building import addConstr, sense_of
from ordojo.compat.gurobipy.errors import GurobiError, failure
from ordojo.compat.gurobipy.expressions import LinExpr, QuadExpr, TempConstr, formula
from ordojo.compat.gurobipy.handles import (
    TABLES,
    Constr,
    GenConstr,
    QConstr,
    Var,
    kind_of,
    new_constr,
    new_var,
    read,
    write,
)


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
        return each(operator.add, self, other)

    def __sub__(self, other: Any) -> Any:
        return each(operator.sub, self, other)

    def __rsub__(self, other: Any) -> Any:
        return each(operator.sub, other, self)

    def __mul__(self, other: Any) -> Any:
        return each(operator.mul, self, other)

    def __neg__(self) -> Any:
        return each(operator.mul, self, -1.0)

    __radd__, __rmul__ = __add__, __mul__

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
    one, two = np.broadcast_arrays(entries(left), entries(right))
    made = [
        core.relate(TempConstr, a, sense, b)
        for a, b in zip(one.reshape(-1), two.reshape(-1), strict=True)
    ]
    return MTempList(flat.objects(made).reshape(one.shape))


MNLExpr.__module__ = "gurobipy._matrixapi"


def attribute_values(handles: Objects, name: str) -> Any:
    """An attribute of each handle as an array of the same shape."""
    if name.lower() == "x" and handles.size:
        state = handles.reshape(-1)[0]._store
        if state.x is not None and state.cols_live == len(state.columns):
            columns = [v._col for v in handles.reshape(-1)]
            if min(columns) >= 0:
                return np.array([state.x[j] for j in columns]).reshape(handles.shape)
    try:
        found = [read(handle, name) for handle in handles.reshape(-1)]
    except AttributeError as error:
        if str(error).startswith("Unable to retrieve"):
            raise failure("DATA_NOT_AVAILABLE", str(error)) from None
        raise
    if found and isinstance(found[0], str):
        kind: Any = "<U1" if name.lower() in ("vtype", "sense") else object
        return np.array(found, kind).reshape(handles.shape)
    return np.array(found).reshape(handles.shape)


class MHandles(Handles):
    """An array of handles of one kind, `_what`; its own name is `_title`."""

    _title: ClassVar[str]
    _what: ClassVar[str]

    def __init__(self, items: Any) -> None:
        array = flat.nested(items)
        if not isinstance(array, np.ndarray):
            array = flat.objects([array]).reshape(())
        object.__setattr__(self, "_held", array)

    def tolist(self) -> Any:
        """The handles in lists nested like the dimensions."""
        return self._held.tolist()

    def reshape(self, *shape: Any, order: Any = "C") -> Any:
        """The same handles in another shape."""
        return type(self)(self._held.reshape(one_shape(shape), order=order))

    def getAttr(self, attrname: str) -> Any:
        """An attribute's values as an array."""
        return attribute_values(self._held, attrname)

    def setAttr(self, attrname: str, newval: Any) -> None:
        """Set an attribute from one value or an array of them."""
        if np.ndim(newval) and np.shape(newval) != self.shape:
            raise AttributeError("Shape mismatch")
        for handle, value in self._each(newval):
            write(handle, attrname, value)

    def __getattr__(self, name: str) -> Any:
        self._known(name)
        return self.getAttr(name)

    def __setattr__(self, name: str, value: Any) -> None:
        self._known(name)
        self.setAttr(name, value)

    def _known(self, name: str) -> None:
        if name.startswith("_") or name.lower() not in TABLES[self._what]:
            raise AttributeError(f"'gurobipy.{self._title}' object has no attribute '{name}'")


def one_shape(shape: tuple[Any, ...]) -> Any:
    """A shape that may be given as several arguments or as one."""
    return shape[0] if len(shape) == 1 else shape


class GurobiArray(MArray):
    """An array whose operators give gurobipy's objects."""

    def _made(self, terms: ExpressionArray) -> Any:
        return array_of(terms)

    def _related(self, terms: ExpressionArray, sense: str) -> Any:
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
        variables = terms.variables
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

    def _made(self, terms: ExpressionArray) -> Any:
        return MQuadExpr._of(terms)

    def _entries(self) -> Objects:
        found = super()._entries()
        if not self._held.is_quadratic:
            flat_view = found.reshape(-1)
            for k, item in enumerate(flat_view):
                flat_view[k] = QuadExpr(item)
        return found


def array_of(terms: ExpressionArray) -> Any:
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

    def _terms(self) -> ExpressionArray:
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


class _Comparison:
    """What comparisons of arrays share."""

    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        raise GurobiError(0, 'Constraint has no bool value (are you trying "lb <= expr <= ub"?)')

    @abstractmethod
    def _parts(self) -> Objects:
        """The comparisons entry by entry."""

    @abstractmethod
    def _add_to(self, model: Any, name: Any) -> Any:
        """Add it to a model."""

    def __rshift__(self, other: Any) -> "MTempList":
        """An indicator for each entry."""
        ifs = self._parts()
        thens = other._parts() if isinstance(other, _Comparison) else flat.objects([other])
        one, two = np.broadcast_arrays(ifs, thens.reshape(()) if thens.size == 1 else thens)
        made = [a >> b for a, b in zip(one.reshape(-1), two.reshape(-1), strict=True)]
        return MTempList(flat.objects(made).reshape(ifs.shape))


class MTempConstr(_Comparison):
    """A comparison of an array of expressions with zero."""

    def __init__(self, terms: ExpressionArray, sense: str) -> None:
        self._held, self._sense = terms, sense

    @property
    def shape(self) -> tuple[int, ...]:
        """The length of each dimension."""
        return self._held.shape

    def _parts(self) -> Objects:
        items = flat.expressions(self._held, LinExpr, QuadExpr)
        made = []
        for item in items.reshape(-1):
            linear = item if isinstance(item, LinExpr) else item._linear
            rhs, linear._k = 0.0 - linear._k, 0.0
            single = isinstance(item, LinExpr) and len(item._c) == 1 and item._c[0] == 1.0
            left = item._v[0] if single else item
            made.append(core.relate(TempConstr, left, self._sense, rhs))
        return flat.objects(made).reshape(self.shape)

    def _add_to(self, model: Any, name: Any) -> Any:
        return add_comparison(model, self._held, self._sense, name)

    def __repr__(self) -> str:
        sense = {"<": "<=", ">": ">=", "=": "=="}[self._sense]
        return f"<gurobi.TempConstr: {array_of(self._held)!r} {sense} 0.0>"


class MTempList(_Comparison):
    """An array of comparisons of any kind."""

    def __init__(self, items: Objects) -> None:
        self._items = items

    def _parts(self) -> Objects:
        return self._items

    def _add_to(self, model: Any, name: Any) -> Any:
        return add_each(model, self._items, name)


class _MConstrs(MHandles):
    """An array of constraints of one kind."""

    @classmethod
    def fromlist(cls, li: Any) -> Any:
        """Constraints of a list, perhaps of lists."""
        return cls(li)

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(self.shape[0]))

    @property
    def _part(self) -> "_Naming":
        return _Naming(self)

    def __repr__(self) -> str:
        waits = any(handle._awaits() for handle in self._held.reshape(-1))
        return f"<{self._title} {self.shape}{' *awaiting model update*' if waits else ''}>"


class _Naming:
    """Lets `addConstrs` name a whole array of constraints."""

    def __init__(self, handles: _MConstrs) -> None:
        object.__setattr__(self, "_handles", handles)

    def __setattr__(self, attribute: str, name: str) -> None:
        handles = self.__dict__["_handles"]
        for key, handle in zip(np.ndindex(handles.shape), handles._held.reshape(-1), strict=True):
            text = f"{name}[{','.join(map(str, key))}]" if key else name
            if isinstance(handle, Constr):
                handle._store.row_names.rename(handle._row, text)
            else:
                handle._part.name = text


class MConstr(_MConstrs):
    """An array of linear constraints."""

    _title, _what = "MConstr", "Constr"


class MQConstr(_MConstrs):
    """An array of quadratic constraints."""

    _title, _what = "MQConstr", "QConstr"


class MGenConstr(_MConstrs):
    """An array of general constraints."""

    _title, _what = "MGenConstr", "GenConstr"


def handles_array(made: list[Any], shape: tuple[int, ...]) -> _MConstrs:
    """Constraints as the array of their kind."""
    kinds = {Constr: MConstr, QConstr: MQConstr, GenConstr: MGenConstr}
    kind = kinds[type(made[0])] if made else MConstr
    return kind(flat.objects(made).reshape(shape))


def concatenate(arrays: Any, axis: int = 0) -> Any:
    """Join arrays along an axis."""
    members = list(arrays)
    if all(isinstance(member, MVar) for member in members):
        return MVar(np.concatenate([member._held for member in members], axis))
    terms = [flat.terms_of(member) for member in members]
    if any(part is None for part in terms):
        raise GurobiError(10003, "Only arrays of variables, expressions or numbers can be joined")
    return array_of(flat.concatenate([part for part in terms if part is not None], axis))


def _at_least(arrays: Any, dimensions: int) -> list[Any]:
    found = []
    for member in arrays:
        if len(member.shape) < dimensions:
            row = (1,) * (dimensions - len(member.shape)) + tuple(member.shape)
            member = member.reshape(row)
        found.append(member)
    return found


def hstack(arrays: Any) -> Any:
    """Join arrays one beside the other."""
    members = _at_least(arrays, 1)
    return concatenate(members, 0 if len(members[0].shape) == 1 else 1)


def vstack(arrays: Any) -> Any:
    """Join arrays one below the other."""
    return concatenate(_at_least(arrays, 2), 0)


def addMVar(
    model: Any,
    shape: Any,
    lb: Any = 0.0,
    ub: Any = 1e100,
    obj: Any = 0.0,
    vtype: Any = "C",
    name: Any = "",
) -> MVar:
    """Add an array of variables; the other arguments are broadcast to the shape."""
    state, shape = model._state, shape_of(shape)
    numbers = repeated(lb, shape), repeated(ub, shape), repeated(obj, shape)
    letters = np.asarray("C" if vtype is None else vtype)
    if letters.ndim:
        each = np.broadcast_to(letters, shape).reshape(-1)
        kinds = bytes(kind_of(str(letter)) for letter in each)
    else:
        kinds = bytes([kind_of(str(letters))]) * len(numbers[0])
    made = MVar(add_cols(state, shape, numbers, kinds, new_var))
    if not isinstance(name, str) and name is not None:
        names = np.broadcast_to(np.asarray(name, object), shape).reshape(-1)
        state.col_names.add_many([str(item) for item in names])
    elif name and not shape:
        state.col_names.add(name)
    else:
        state.col_names.add_group(name or "", keys_of(shape))
    return made


def _name_rows(names: Any, name: Any, shape: tuple[int, ...]) -> None:
    """Give names to the rows just added."""
    count = int(np.prod(shape, dtype=int))
    if isinstance(name, str) or name is None:
        if not name:
            names.add_many([""] * count)
        elif not shape:
            names.add(name)
        else:
            names.add_group(name, keys_of(shape))
    else:
        chosen = np.broadcast_to(np.asarray(name, object), shape).reshape(-1)
        names.add_many([str(item) for item in chosen])


def add_comparison(model: Any, terms: ExpressionArray, sense: str, name: Any) -> Any:
    """Add a constraint for each expression, compared with zero."""
    state = model._state
    state.check(terms.variables)
    if terms.is_quadratic:
        return add_each(model, _quadratics(terms, sense), name)
    made = add_rows(state, terms, sense, np.zeros(terms.size), new_constr, np.inf)
    _name_rows(state.row_names, name, terms.shape)
    return handles_array(made, terms.shape)


def _quadratics(terms: ExpressionArray, sense: str) -> Objects:
    items = flat.expressions(terms, LinExpr, QuadExpr)
    made = [relate(TempConstr, item, sense, 0.0) for item in items.reshape(-1)]
    return flat.objects(made).reshape(items.shape)


def add_each(model: Any, items: Objects, name: Any) -> Any:
    """Add each comparison of an array."""
    made = []
    for key, item in zip(np.ndindex(items.shape), items.reshape(-1), strict=True):
        text = f"{name}[{','.join(map(str, key))}]" if name and key else name or ""
        made.append(addConstr(model, item, text))
    return handles_array(made, items.shape)


def _variables(model: Any, x: Any, count: int, what: str) -> ExpressionArray:
    """The variables that a matrix's columns belong to."""
    if x is None:
        model._state.update()
        found = flat.objects(model._state.columns)
    elif isinstance(x, MVar):
        found = x._held
    else:
        found = flat.objects(getattr(item, "item", lambda item=item: item)() for item in x)
    if found.size != count:
        raise GurobiError(-1, f"Incompatible no. columns in argument '{what}'")
    return flat.of_variables(found.reshape(-1))


def addMConstr(model: Any, A: Any, x: Any, sense: Any, b: Any, name: Any = "") -> MConstr:
    """Add A x (sense) b; `sense` may be one for each row, x None means all variables."""
    matrix = numbers_of(A)
    left = flat.product(matrix, _variables(model, x, matrix.shape[1], "A"))
    assert left is not None
    state = model._state
    state.check(left.variables)
    if np.shape(b) != left.shape:
        raise GurobiError(-1, "Incompatible 'rhs' argument length")
    rhs = np.asarray(b, float)
    senses = [sense] if isinstance(sense, str) else list(sense)
    letters = [sense_of(str(item)) for item in senses]
    if len(letters) != left.size and not isinstance(sense, str):
        raise GurobiError(-1, "Incompatible 'sense' argument length")
    if None in letters or len(letters) not in (1, left.size):
        raise GurobiError(10003, "Invalid constraint sense")
    first = len(state.rows)
    made = add_rows(state, left, str(letters[0]), rhs, new_constr, np.inf)
    if len(letters) > 1:
        state.senses[first:] = "".join(map(str, letters)).encode()
    _name_rows(state.row_names, name, left.shape)
    return MConstr(flat.objects(made).reshape(left.shape))


def _add_quadratic(model: Any, terms: ExpressionArray, sense: Any, name: Any) -> Any:
    letter = sense_of(str(sense))
    if letter is None:
        raise GurobiError(10003, "Invalid constraint sense")
    return add_comparison(model, terms, letter, name).item()


addMQConstr, setMObjective = quadratic_methods(_variables, _add_quadratic, array_of)


for _class in (MVar, MLinExpr, MQuadExpr, MConstr, MQConstr, MGenConstr):
    _class.__module__ = "gurobipy._matrixapi"
