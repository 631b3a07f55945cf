"""coptpy's matrix interface: arrays, their comparisons, and the model's methods."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from ordojo.compat.coptpy.constants import COPT, INFINITY, sense_of
from ordojo.compat.coptpy.errors import invalid, unsupported
from ordojo.compat.coptpy.expressions import ConstrBuilder, LinExpr, QuadExpr
from ordojo.compat.coptpy.handles import Constraint, Handle, Var, kind_of, new_constr, new_var
from ordojo.compat.core import expressions as core
from ordojo.compat.core import matrix as flat
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

    T: Any
    stack: Any
    hstack: Any
    vstack: Any
    expand: Any

    _lists = True
    _sum_all = True

    def _made(self, terms: ExpressionArray) -> Any:
        return array_of(terms)

    def _related(self, terms: ExpressionArray, sense: str) -> Any:
        return MConstrBuilder._of(terms, sense)

    def _too_high(self, operation: str, left: Any, right: Any) -> Any:
        raise unsupported("a nonlinear formula of arrays", "state it entry by entry with nl")

    def _product(self, left: Any, right: Any) -> Any:
        if core.number(left) is not None or core.number(right) is not None:
            return left * right
        try:
            return super()._product(left, right)
        except ValueError as error:
            raise invalid(str(error)) from None

    @abstractmethod
    def _entries(self) -> Objects:
        """The expressions as an array of objects."""

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

    def pick(self, indexes: Any) -> Any:
        """Entries at places, in one dimension."""
        places = np.asarray(indexes, np.int64)
        numbers = self._numbers()
        return self._taken(numbers[tuple(places.T)] if places.ndim == 2 else numbers[places])

    def clone(self) -> Any:
        """Another array with the same content."""
        return self._taken(self._numbers())


def _rearranged(change: Callable[..., Any]) -> Callable[..., Any]:
    """A method that gives the entries in another arrangement, as numpy's does of their numbers."""

    def method(self: CoptArray, *given: Any, **words: Any) -> Any:
        return self._taken(change(self._numbers(), *given, **words))

    method.__doc__ = f"The same entries, as numpy's `{change.__name__}` arranges them."
    return method


_ARRANGED: Mapping[str, Callable[..., Any]] = {
    "transpose": np.transpose,
    "reshape": np.reshape,
    "flatten": np.ravel,
    "diagonal": np.diagonal,
    "expand": lambda numbers, axis=0: np.expand_dims(numbers, axis),
    "squeeze": lambda numbers, axis=0: np.squeeze(numbers, axis),
    "repeat": lambda numbers, repeats, axis=0: np.repeat(numbers, repeats, axis),
}
for _name, _change in _ARRANGED.items():
    setattr(CoptArray, _name, _rearranged(_change))
CoptArray.T = property(lambda self: self._taken(self._numbers().T))


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
        variables = self._held.variables
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

    def _made(self, terms: ExpressionArray) -> Any:
        return MQuadExpr._of(terms)


def array_of(terms: ExpressionArray) -> Any:
    """Expressions as the array of their kind."""
    return (MQuadExpr if terms.is_quadratic else MLinExpr)._of(terms)


class MConstrBuilder:
    """A comparison of an array of expressions with zero."""

    __hash__ = object.__hash__
    _held: ExpressionArray
    _sense: str

    @classmethod
    def _of(cls, terms: ExpressionArray, sense: str) -> "MConstrBuilder":
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
        return array_of(self._held)

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
        return add_comparison(model, self._held, self._sense, name, how)


MQConstrBuilder = MConstrBuilder


class _MHandles(Handles):
    """Information of an array of variables or constraints."""

    def getInfo(self, infoname: str) -> Any:
        """A piece of information of each."""
        return self._apply(lambda handle: handle.getInfo(infoname))

    getAttr = getInfo

    def setInfo(self, infoname: str, newval: Any) -> None:
        """Change a piece of information of each, from one value or an array of them."""
        for handle, value in self._each(newval):
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

    def _terms(self) -> ExpressionArray:
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

    def __iter__(self) -> Iterator[Any]:
        return iter(self._held.reshape(-1))

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


def constraints(made: list[Any], shape: tuple[int, ...]) -> MConstr:
    """Constraints as the array of their kind."""
    kind = MConstr if all(type(item) is Constraint for item in made) else MQConstr
    return kind(flat.objects(made), shape)


def stack(left: Any, right: Any, axis: int = 0) -> Any:
    """Two arrays along an axis."""
    if isinstance(left, MVar) and isinstance(right, MVar):
        return MVar(np.concatenate([left._held, right._held], axis))
    one, two = flat.terms_of(flat.nested(left)), flat.terms_of(flat.nested(right))
    if one is None or two is None:
        raise TypeError("Only arrays of variables, expressions or numbers can be joined")
    return array_of(flat.concatenate([one, two], axis))


def hstack(left: Any, right: Any) -> Any:
    """Two arrays one beside the other."""
    return stack(left, right, 0 if len(left.shape) < 2 else 1)


def vstack(left: Any, right: Any) -> Any:
    """Two arrays one below the other."""
    one, two = (part.expand(0) if len(part.shape) < 2 else part for part in (left, right))
    return stack(one, two, 0)


def addMVar(
    model: Any,
    shape: Any,
    lb: Any = 0.0,
    ub: Any = COPT.INFINITY,
    obj: Any = 0.0,
    vtype: Any = COPT.CONTINUOUS,
    nameprefix: str = "",
) -> MVar:
    """Add an array of variables; the other arguments are broadcast to the shape."""
    state, shape = model._state, shape_of(shape)
    lower, upper, cost = (
        repeated(np.clip(np.asarray(part, float), -INFINITY, INFINITY), shape)
        for part in (lb, ub, obj)
    )
    letters = np.broadcast_to(np.asarray(vtype), shape).reshape(-1).tolist()
    kinds = bytes(kind_of(str(letter)) for letter in letters)
    made = add_cols(state, shape, (lower, upper, cost), kinds, new_var)
    state.col_names.add_group(str(nameprefix), keys_of(shape))
    return MVar(made)


def add_comparison(model: Any, terms: ExpressionArray, sense: str, name: str, how: str) -> MConstr:
    """Add a constraint for each expression, compared with zero."""
    state = model._state
    state.check(terms.variables)
    if terms.is_quadratic:
        if how != "addQConstr":
            raise TypeError("'QConstrBuilder' or 'MQConstrBuilder' is not valid for argument 'lhs'")
        made = []
        for item in flat.expressions(terms, LinExpr, QuadExpr).reshape(-1):
            relation = core.relate(ConstrBuilder, item, sense, 0.0)
            made.append(model.addQConstr(relation, name=name))
        return constraints(made, terms.shape)
    made = add_rows(state, terms, sense, np.zeros(terms.size), new_constr, INFINITY)
    if name and not terms.shape:
        state.row_names.add(str(name))
    else:
        state.row_names.add_group(str(name), keys_of(terms.shape))
    return constraints(made, terms.shape)


def _variables(model: Any, x: Any, count: int, what: str = "") -> ExpressionArray:
    """The variables that a matrix's columns belong to."""
    if x is None:
        found = flat.objects(model._state.columns)
    elif isinstance(x, MVar):
        found = x._held.reshape(-1)
    else:
        found = flat.objects(core.plain(item) for item in x)
    if found.size != count:
        raise invalid(f"Operand 1 has a mismatch at axis 1, size {count} != {found.size}")
    return flat.of_variables(found)


def _letter(sense: Any) -> str:
    found = sense_of(sense)
    if found is None:
        raise unsupported("a free row of a matrix", "leave the row out")
    return found


def addMConstr(model: Any, A: Any, x: Any, sense: Any, b: Any, nameprefix: str = "") -> MConstr:
    """Add A x (sense) b; x None means all variables."""
    matrix = numbers_of(A)
    left = flat.product(matrix, _variables(model, x, matrix.shape[1]))
    assert left is not None
    whole = flat.plus(left, flat.of_constants(np.asarray(b, float)), -1.0)
    return add_comparison(model, whole, _letter(sense), nameprefix, "addConstr")


def _add_quadratic(model: Any, terms: ExpressionArray, sense: Any, name: Any) -> MConstr:
    return add_comparison(model, terms, _letter(sense), name, "addQConstr")


addMQConstr, setMObjective = quadratic_methods(_variables, _add_quadratic, array_of)


def loadMatrix(
    model: Any, c: Any, A: Any, lhs: Any, rhs: Any, lb: Any, ub: Any, vtype: Any = None
) -> None:
    """Make the model: minimize c x with lhs <= A x <= rhs, lb <= x <= ub."""
    matrix = numbers_of(A)
    m, n = matrix.shape
    model.clear()
    costs = np.zeros(n) if c is None else c
    lower = np.zeros(n) if lb is None else lb
    upper = np.full(n, INFINITY) if ub is None else ub
    letters = [COPT.CONTINUOUS] * n if vtype is None else list(vtype)
    x = addMVar(model, n, lower, upper, costs, letters, "")
    made = addMConstr(model, matrix, x, COPT.LESS_EQUAL, np.zeros(m), "")
    sides = zip(np.asarray(lhs, float).tolist(), np.asarray(rhs, float).tolist(), strict=True)
    for constr, (low, high) in zip(made.tolist(), sides, strict=True):
        model._state.set_sides(constr._row, low, high)


CoptArray.stack, CoptArray.hstack, CoptArray.vstack = stack, hstack, vstack
for _class in (MLinExpr, MQuadExpr, NdArray, MConstrBuilder, MVar, MConstr, MQConstr):
    _class.__module__ = "coptcore"
