"""coptpy's matrix interface: arrays, their comparisons, and the model's methods."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ordojo.compat.coptpy.building import Building
from ordojo.compat.coptpy.constants import COPT, INFINITY, LETTERS, invalid, sense_of, unsupported
from ordojo.compat.coptpy.expressions import ConstrBuilder, LinExpr, NlExpr, QuadExpr
from ordojo.compat.coptpy.handles import Constraint
from ordojo.compat.core import expressions as core
from ordojo.compat.core import matrix as flat
from ordojo.compat.core.matrix import ExpressionArray, numbers_of


class NdArray(np.ndarray[Any, Any]):
    """An array of values: numpy's, with coptpy's further methods."""

    def __new__(cls, args: Any = (), dtype: Any = None, shape: Any = None) -> "NdArray":
        """An array of the numbers given."""
        made = np.asarray(args, dtype)
        return (made if shape is None else made.reshape(shape)).view(cls)

    def tonumpy(self) -> Any:
        return np.asarray(self)

    def dim(self, i: int) -> int:
        return int(self.shape[i])


def _rearranged(change: Callable[..., Any]) -> Callable[..., Any]:
    """A method that gives the entries as `change` arranges their numbers, without new ones."""
    return lambda self, *given, **words: self._taken(change(self._numbers(), *given, **words))


class CoptArray(flat.MArray):
    """An array whose operators give coptpy's objects."""

    _lists = True
    _sum_all = True
    _nonlinear, _unsupported = NlExpr, staticmethod(unsupported)

    def _product(self, left: Any, right: Any) -> Any:
        if core.number(left) is not None or core.number(right) is not None:
            return left * right
        try:
            return super()._product(left, right)
        except ValueError as error:
            raise invalid(str(error)) from None

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

    def _several(self) -> Exception:
        return invalid("Only an array of one item has an item")

    def dim(self, i: int) -> Any:
        return self.shape[i]

    def pick(self, indexes: Any) -> Any:
        """Entries at places, in one dimension."""
        places = np.asarray(indexes, np.int64)
        numbers = self._numbers()
        return self._taken(numbers[tuple(places.T)] if places.ndim == 2 else numbers[places])

    clone = _rearranged(lambda numbers: numbers)
    transpose = _rearranged(np.transpose)
    reshape = _rearranged(lambda numbers, shape, order="C": numbers.reshape(shape, order=order))
    flatten = _rearranged(np.ravel)
    diagonal = _rearranged(np.diagonal)
    expand = _rearranged(lambda numbers, axis=0: np.expand_dims(numbers, axis))
    squeeze = _rearranged(lambda numbers, axis=0: numbers.squeeze(axis))
    repeat = _rearranged(lambda numbers, repeats, axis=0: numbers.repeat(repeats, axis))
    T = property(transpose)

    def stack(self, other: Any, axis: int = 0) -> Any:
        return stack(self, other, axis)

    def hstack(self, other: Any) -> Any:
        return hstack(self, other)

    def vstack(self, other: Any) -> Any:
        return vstack(self, other)


class MLinExpr(flat.MLinear, CoptArray):
    """An array of linear expressions."""

    _lin, _quad = LinExpr, QuadExpr

    def __init__(self, args: Any = 0.0, shape: Any = None) -> None:
        found = flat.terms_of(flat.nested(args))
        if found is None:
            raise TypeError(f"A {type(args).__name__} is no array of expressions")
        self._held = found if shape is None else found.reshape(shape)

    def addTerms(self, vars: Any, coeffs: Any) -> None:
        self._become(self + vars * coeffs)

    def addMLinExpr(self, exprs: Any, mult: float = 1.0) -> None:
        self._become(self + exprs * mult)

    addMQuadExpr = addMLinExpr

    def getValue(self) -> Any:
        found = self._values()
        return found.view(NdArray) if found.shape else float(found)

    value = property(getValue)

    def __repr__(self) -> str:
        return f"<coptpy.{type(self).__name__}: shape={self.shape}>"


class MQuadExpr(MLinExpr):
    """An array of quadratic expressions."""

    _quadratic = True


class MConstrBuilder(flat.ArrayComparison):
    """A comparison of an array of expressions with zero."""

    def getSense(self) -> str:
        """COPT's letter of the sense."""
        return LETTERS[self._sense]

    def getExpr(self) -> Any:
        """Left less right sides."""
        return CoptArray._made(self._held)

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
        rhs = 0.0 - single._lhs._k if isinstance(single._lhs, core.LinExpr) else 0.0
        if (alone := core.lone(single._lhs + rhs)) is not None:
            single = core.relate(ConstrBuilder, alone, self._sense, rhs)
        return single >> (other.item() if isinstance(other, MConstrBuilder) else other)

    def _add_to(self, model: Any, name: str, curved: bool) -> Any:
        return model._add_comparison(self._held, self._sense, name, curved)


MQConstrBuilder = MConstrBuilder


class _MHandles(flat.Handles):
    """Information of an array of variables or constraints."""

    def getInfo(self, infoname: str) -> Any:
        return self._apply(lambda handle: handle.getInfo(infoname))

    _read = getAttr = getInfo

    def setInfo(self, infoname: str, newval: Any) -> None:
        """Change a piece of information of each, from one value or an array of them."""
        for handle, value in self._each(newval):
            handle.setInfo(infoname, value)

    _write = setAttr = setInfo

    def _apply(self, read: Callable[[Any], Any]) -> Any:
        found = [read(handle) for handle in self._held.reshape(-1)]
        if not self._held.shape:
            return found[0]
        return np.array(found).reshape(self._held.shape).view(NdArray)

    def __repr__(self) -> str:
        return f"<coptpy.{type(self).__name__}: shape={self._held.shape}>"


class MVar(_MHandles, flat.Variables, CoptArray):
    """An array of variables."""

    def _taken(self, numbers: Any) -> Any:
        chosen = self._held.reshape(-1)[numbers]
        return MVar(
            chosen if isinstance(chosen, np.ndarray) else flat.objects([chosen]), numbers.shape
        )


class MConstr(_MHandles):
    """An array of linear constraints."""

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


def stack(left: Any, right: Any, axis: int = 0) -> Any:
    """Two arrays along an axis."""
    found = CoptArray._joined([left, right], axis)
    if found is None:
        raise TypeError("Only arrays of variables, expressions or numbers can be joined")
    return found


def hstack(left: Any, right: Any) -> Any:
    """Two arrays one beside the other."""
    arrays, axis = flat.stacking((left, right), below=False)
    return stack(arrays[0], arrays[1], axis)


def vstack(left: Any, right: Any) -> Any:
    """Two arrays one below the other."""
    arrays, axis = flat.stacking((left, right), below=True)
    return stack(arrays[0], arrays[1], axis)


(CoptArray._variables, CoptArray._linear) = (MVar, MLinExpr)
(CoptArray._curved, CoptArray._comparison) = (MQuadExpr, MConstrBuilder)
for _class in (MLinExpr, MQuadExpr, NdArray, MConstrBuilder, MVar, MConstr, MQConstr):
    _class.__module__ = "coptcore"


def _letter(sense: Any) -> str:
    found = sense_of(sense)
    if found is None:
        raise unsupported("a free row of a matrix", "leave the row out")
    return found


class Matrices(Building):
    """Adds arrays of variables and constraints."""

    _array = CoptArray
    clear: Any

    def addMVar(
        self,
        shape: Any,
        lb: Any = 0.0,
        ub: Any = COPT.INFINITY,
        obj: Any = 0.0,
        vtype: Any = COPT.CONTINUOUS,
        nameprefix: str = "",
    ) -> MVar:
        """Add an array of variables; the other arguments are broadcast to the shape."""
        numbers = [np.clip(np.asarray(part, float), -INFINITY, INFINITY) for part in (lb, ub, obj)]
        return MVar(self._column_array(shape, numbers, vtype, str(nameprefix)))

    def addMConstr(self, A: Any, x: Any, sense: Any, b: Any, nameprefix: str = "") -> MConstr:
        """Add A x (sense) b; x None means all variables."""
        return MConstr(self._product_array(A, x, _letter(sense), b, str(nameprefix)))

    def _mismatch(self, wanted: int, given: int, what: str) -> Exception:
        return invalid(f"Operand 1 has a mismatch at axis 1, size {wanted} != {given}")

    def _add_form(self, terms: ExpressionArray, sense: Any, name: Any) -> Any:
        return self._add_comparison(terms, _letter(sense), name, curved=True)

    def _add_comparison(
        self, terms: ExpressionArray, sense: str, name: str, curved: bool = False
    ) -> MConstr:
        """Add a constraint for each expression, compared with zero, `curved` ones where asked."""
        if not terms.is_quadratic:
            return MConstr(self._row_array(terms, sense, 0.0, str(name)))
        if not curved:
            raise TypeError("'QConstrBuilder' or 'MQConstrBuilder' is not valid for argument 'lhs'")
        made = []
        for item in flat.expressions(terms, LinExpr, QuadExpr).reshape(-1):
            relation = core.relate(ConstrBuilder, item, sense, 0.0)
            made.append(self.addQConstr(relation, name=name))
        kind = MConstr if all(type(item) is Constraint for item in made) else MQConstr
        return kind(flat.objects(made), terms.shape)

    def loadMatrix(
        self, c: Any, A: Any, lhs: Any, rhs: Any, lb: Any, ub: Any, vtype: Any = None
    ) -> None:
        """Make the model: minimize c x with lhs <= A x <= rhs, lb <= x <= ub."""
        matrix = numbers_of(A)
        m, n = matrix.shape
        self.clear()
        costs = np.zeros(n) if c is None else c
        lower = np.zeros(n) if lb is None else lb
        upper = np.full(n, INFINITY) if ub is None else ub
        letters = [COPT.CONTINUOUS] * n if vtype is None else list(vtype)
        x = self.addMVar(n, lower, upper, costs, letters, "")
        made = self.addMConstr(matrix, x, COPT.LESS_EQUAL, np.zeros(m), "")
        sides = zip(np.asarray(lhs, float).tolist(), np.asarray(rhs, float).tolist(), strict=True)
        for constr, (low, high) in zip(made.tolist(), sides, strict=True):
            self._state.set_sides(constr._row, low, high)
