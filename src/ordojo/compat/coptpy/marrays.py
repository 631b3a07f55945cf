"""coptpy's arrays of variables, expressions, constraints and values."""
# ruff: noqa: N802, N815

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ordojo.compat.coptpy.errors import invalid, unsupported
from ordojo.compat.coptpy.expressions import ConstrBuilder, LinExpr, QuadExpr
from ordojo.compat.coptpy.handles import Constraint, Handle, Var
from ordojo.compat.core import expr as core
from ordojo.compat.core import matrix as flat
from ordojo.compat.core.marray import MArray
from ordojo.compat.core.matrix import Objects, Terms


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
        return (MQuadExpr if terms.is_quadratic else MLinExpr)._of(terms)

    def _related(self, terms: Terms, sense: str) -> Any:
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
            return self._taken(self._numbers()[key])
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
        return joined(self, other, axis)

    def hstack(self, other: Any) -> Any:
        """The other array beside this one."""
        return hstack(self, other)

    def vstack(self, other: Any) -> Any:
        """The other array below this one."""
        return vstack(self, other)

    def clone(self) -> Any:
        """Another array with the same content."""
        return self._taken(self._numbers())


class MLinExpr(CoptArray):
    """An array of linear expressions."""

    _quadratic = False

    def __init__(self, args: Any = 0.0, shape: Any = None) -> None:
        found = flat.terms_of(flat.nested(args))
        if found is None:
            raise TypeError(f"A {type(args).__name__} is no array of expressions")
        self._held = found if shape is None else found.reshape(shape)

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
        return flat.expressions(self._held, LinExpr, QuadExpr)

    def _become(self, found: Any) -> Any:
        if found is NotImplemented:
            return found
        if found._terms().is_quadratic and not self._quadratic:
            return found
        self._held = found._terms()
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


class _MHandles:
    """Information of an array of variables or constraints."""

    _held: Objects

    def getInfo(self, infoname: str) -> Any:
        """A piece of information of each."""
        return self._apply(lambda handle: handle.getInfo(infoname))

    getAttr = getInfo

    def setInfo(self, infoname: str, newval: Any) -> None:
        """Change a piece of information of each, from one value or an array of them."""
        single = isinstance(newval, str) or core.number(newval) is not None
        array = np.full(self._held.shape, newval, object) if single else np.asarray(newval)
        values = np.broadcast_to(array, self._held.shape).reshape(-1)
        for handle, value in zip(self._held.reshape(-1), values.tolist(), strict=True):
            handle.setInfo(infoname, value)

    setAttr = setInfo

    def _apply(self, read: Callable[[Any], Any]) -> Any:
        found = [read(handle) for handle in self._held.reshape(-1)]
        if not self._held.shape:
            return found[0]
        return np.array(found).reshape(self._held.shape).view(NdArray)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        return self.getInfo(name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            object.__setattr__(self, name, value)
        else:
            self.setInfo(name, value)

    def __repr__(self) -> str:
        return f"<coptpy.{type(self).__name__}: shape={self._held.shape}>"


def _array(args: Any, shape: Any) -> Objects:
    found = flat.nested(args)
    if isinstance(found, Handle):
        found = flat.objects([found]).reshape(())
    if isinstance(found, MVar | MConstr):
        found = found._held
    array: Objects = found if isinstance(found, np.ndarray) else flat.objects(found)
    return array if shape is None else array.reshape(shape)


class MVar(_MHandles, CoptArray):
    """An array of variables."""

    def __init__(self, args: Any, shape: Any = None) -> None:
        self._held = _array(args, shape)

    @classmethod
    def fromlist(cls, vars: Any) -> "MVar":
        """Variables of a list, perhaps of lists."""
        return cls(vars)

    @classmethod
    def fromvar(cls, var: Var) -> "MVar":
        """A single variable as an array without dimensions."""
        return cls(var)

    def _terms(self) -> Terms:
        return flat.of_variables(self._held)

    def _entries(self) -> Objects:
        return self._held

    def _taken(self, numbers: Any) -> Any:
        chosen = self._held.reshape(-1)[numbers]
        return MVar(
            chosen if isinstance(chosen, np.ndarray) else flat.objects([chosen]), numbers.shape
        )


class MConstr(_MHandles):
    """An array of linear constraints."""

    def __init__(self, args: Any, shape: Any = None) -> None:
        self._held = _array(args, shape)

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
        chosen = self._held[key]
        return type(self)(chosen)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._held.reshape(-1))

    def item(self) -> Any:
        """The only constraint."""
        return self._held.item()

    def _as_expression(self) -> Any:
        return self.item() if self.size == 1 else self

    def tolist(self) -> list[Any]:
        """All constraints in one list."""
        return list(self._held.reshape(-1))

    def flatten(self) -> Any:
        """The same constraints in one dimension."""
        return type(self)(self._held.reshape(-1))

    def reshape(self, shape: Any, order: Any = "C") -> Any:
        """The same constraints in another shape."""
        return type(self)(self._held.reshape(shape, order=order))


class MQConstr(MConstr):
    """An array of quadratic constraints."""


class MConstrBuilder:
    """A comparison of an array of expressions with zero."""

    __hash__ = object.__hash__
    _held: Terms
    _sense: str

    @classmethod
    def _of(cls, terms: Terms, sense: str) -> "MConstrBuilder":
        made = cls.__new__(cls)
        made._held, made._sense = terms, sense
        return made

    @property
    def shape(self) -> tuple[int, ...]:
        """The length of each dimension."""
        return self._held.shape

    def getSense(self) -> str:
        """COPT's letter of the sense."""
        return {"<": "L", ">": "G", "=": "E"}[self._sense]

    def getExpr(self) -> Any:
        """Left less right sides."""
        return (MQuadExpr if self._held.is_quadratic else MLinExpr)._of(self._held)

    def _relations(self) -> list[Any]:
        entries = self.getExpr()._entries().reshape(-1)
        return [core.relate(ConstrBuilder, item, self._sense, 0.0) for item in entries]

    def item(self) -> Any:
        """The only comparison."""
        if self._held.size != 1:
            raise invalid("Only an array of one item has an item")
        return self._relations()[0]

    def __bool__(self) -> bool:
        raise ValueError("Boolean value of 'MConstrBuilder' object is not defined")

    def __rshift__(self, other: Any) -> Any:
        single = self.item()
        linear = single._lhs
        if isinstance(linear, core.LinExpr) and len(linear._v) == 1 and linear._c[0] == 1.0:
            single = core.relate(ConstrBuilder, linear._v[0], self._sense, 0.0 - linear._k)
        return single >> (other.item() if isinstance(other, MConstrBuilder) else other)

    def _add_to(self, model: Any, name: str, how: str) -> Any:
        from ordojo.compat.coptpy import matrix

        return matrix.add_comparison(model, self._held, self._sense, name, how)


MQConstrBuilder = MConstrBuilder


def joined(left: Any, right: Any, axis: int) -> Any:
    """Two arrays along an axis."""
    if isinstance(left, MVar) and isinstance(right, MVar):
        return MVar(np.concatenate([left._held, right._held], axis))
    one, two = flat.terms_of(flat.nested(left)), flat.terms_of(flat.nested(right))
    if one is None or two is None:
        raise TypeError("Only arrays of variables, expressions or numbers can be joined")
    count = one.size + two.size
    whole = flat.plus(
        flat.add_up(one, np.arange(one.size), (count,)),
        flat.add_up(two, np.arange(one.size, count), (count,)),
    )
    first = np.arange(one.size).reshape(one.shape)
    second = np.arange(one.size, count).reshape(two.shape)
    found = flat.gather(whole, np.concatenate([first, second], axis))
    return (MQuadExpr if found.is_quadratic else MLinExpr)._of(found)


def hstack(left: Any, right: Any) -> Any:
    """Two arrays one beside the other."""
    return joined(left, right, 0 if len(left.shape) < 2 else 1)


def vstack(left: Any, right: Any) -> Any:
    """Two arrays one below the other."""
    one, two = (part.expand(0) if len(part.shape) < 2 else part for part in (left, right))
    return joined(one, two, 0)


def stack(left: Any, right: Any, axis: int = 0) -> Any:
    """Two arrays along an axis."""
    return joined(left, right, axis)


def constraints(made: list[Any], shape: tuple[int, ...]) -> MConstr:
    """Constraints as the array of their kind."""
    kind = MConstr if all(type(item) is Constraint for item in made) else MQConstr
    return kind(flat.objects(made), shape)


for _class in (MVar, MLinExpr, MQuadExpr, MConstr, MQConstr, MConstrBuilder, NdArray):
    _class.__module__ = "coptcore"
