"""Variables, linear and quadratic expressions, nonlinear formulas, and comparisons of them."""

import math
import operator
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from decimal import Decimal
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np

_new = object.__new__


def number(value: Any) -> float | None:
    """A real number of any library as a float; None for everything else."""
    if isinstance(value, int | float):
        return value
    if isinstance(value, np.ndarray):
        return float(value) if value.ndim == 0 and value.dtype != object else None
    if isinstance(value, np.complexfloating):
        return None
    return float(value) if isinstance(value, np.number | np.bool_ | Real | Decimal) else None


def plain(value: Any) -> Any:
    """A matrix object that holds a single expression as that expression; others unchanged."""
    single = getattr(value, "_as_expression", None)
    if single is not None:
        return single()
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return value.item()
    return value


def members(given: Any) -> list[Any]:
    """The members of a list, array, generator or dictionary."""
    found = given.values() if isinstance(given, Mapping) else given
    if hasattr(found, "tolist"):
        found = found.tolist()
    return [plain(item) for item in found]


def spread(operate: Callable[[Any], Any], array: Any) -> Any:
    """Apply an operator to every element of a numpy array."""
    out = np.empty(array.shape, object)
    out[...] = np.frompyfunc(operate, 1, 1)(array)
    return out


class TemporaryConstraint:
    """A comparison of two expressions, which is not yet a constraint of a model."""

    __slots__ = ("_lhs", "_rhs", "_sense")
    _lhs: Any
    _sense: str
    _rhs: Any
    __hash__ = object.__hash__


def make(kind: type[Any], coeffs: list[float], variables: list[Any], constant: float) -> Any:
    """A linear expression that takes over the lists."""
    found = _new(kind)
    found._c = coeffs
    found._v = variables
    found._k = constant
    return found


def relate(kind: type[Any], lhs: Any, sense: str, rhs: Any) -> Any:
    """A comparison; `sense` is one of < > =."""
    found = _new(kind)
    found._lhs = lhs
    found._sense = sense
    found._rhs = rhs
    return found


def text_of(coefficient: float, name: str) -> str:
    """A term as text; a coefficient of one is left out."""
    return name if coefficient == 1.0 else f"{float(coefficient)} {name}"


class ColumnHandle:
    """A column of a model: its store and its number there (-1 once it is removed)."""

    __slots__ = ("_col", "_store")
    _store: Any
    _col: int


class ExpressionTerms:
    """Lists of coefficients and variables, and a constant."""

    __slots__ = ("_c", "_k", "_v")
    _c: Any
    _v: Any
    _k: float


class Single(ExpressionTerms):
    """A lone coefficient and variable in place of the lists; the constant is not there."""

    __slots__ = ()


def linear(value: Any) -> tuple[list[float], list[Any], float] | None:
    """Coefficients, variables and constant of anything linear; the lists may be the inner ones."""
    if isinstance(value, Single):
        return [value._c], [value._v], 0.0
    if isinstance(value, ExpressionTerms):
        return value._c, value._v, value._k
    if isinstance(value, ColumnHandle):
        return [1.0], [value], 0.0
    found = number(value)
    return None if found is None else ([], [], found)


def lone(value: Any) -> Any:
    """The variable, where an expression is nothing but one; else None."""
    coeffs, variables, constant = linear(value) or ([], [], 0.0)
    return variables[0] if coeffs == [1.0] and constant == 0.0 else None


def zipped(xs: Iterable[float], ys: Iterable[float]) -> tuple[float, ...]:
    """The points of a piecewise-linear function as x1, y1, x2, y2, ..."""
    return tuple(number for pair in zip(xs, ys, strict=True) for number in pair)


def _compared(sense: str) -> Any:
    """A comparison of one sense; with a plain number, as most constraints have, no detour."""

    def compare(self: Any, other: Any) -> Any:
        kind = type(other)
        if kind is float or kind is int:
            found = _new(self._relation)
            found._lhs = self
            found._sense = sense
            found._rhs = other
            return found
        if hasattr(other, "_compares_itself"):
            return NotImplemented
        return relate(self._relation, self, sense, other)

    return compare


class Operators:
    """The operators that variables and expressions share, by way of their linear parts."""

    __slots__ = ()
    __mul__: Any
    __array_ufunc__ = None
    __hash__ = object.__hash__
    _term: ClassVar[type[Any]]
    _lin: ClassVar[type[Any]]
    _quad: ClassVar[Any]
    _relation: ClassVar[type[TemporaryConstraint]]
    _nonlinear: ClassVar[type["Formula"]]

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
            return self._nonlinear.of("/", self, other)
        return self * (1.0 / by)

    def __rtruediv__(self, other: Any) -> Any:
        return self._nonlinear.of("/", other, self)

    def __pow__(self, power: Any) -> Any:
        exponent = number(power)
        if exponent == 0:
            return 1.0
        if exponent == 1:
            return self
        if exponent == 2:
            return self * self
        return self._nonlinear.of("**", self, power)

    def __rpow__(self, base: Any) -> Any:
        return self._nonlinear.of("**", base, self)

    __le__, __ge__, __eq__ = _compared("<"), _compared(">"), _compared("=")

    def _beyond(self, other: Any, again: Callable[[Any], Any]) -> Any:
        """An operand that is not linear: an array, a lone expression in one, or one that knows."""
        if isinstance(other, np.ndarray) and other.ndim:
            return spread(again, other)
        single = plain(other) if isinstance(other, np.ndarray) else other
        return NotImplemented if single is other else again(single)


class Var(Operators, ColumnHandle):
    """A variable."""

    __slots__ = ()
    __hash__ = object.__hash__

    def __mul__(self, other: Any) -> Any:
        kind = type(other)
        if kind is float or kind is int:
            term = _new(self._term)
            term._c = other
            term._v = self
            return term
        return multiply(self, other)

    __rmul__ = __mul__

    def _label(self) -> str:
        """The name, for texts."""
        return str(self._store.label(self._col))


class LinExpr(Operators, ExpressionTerms):
    """A sum of coefficients times variables, in the order written, and a constant."""

    __slots__ = ()
    __hash__: Any = None

    def __mul__(self, other: Any) -> Any:
        kind = type(other)
        if kind is float or kind is int:
            return make(self._lin, [c * other for c in self._c], self._v[:], self._k * other)
        return multiply(self, other)

    __rmul__ = __mul__

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Term):
            return make(self._lin, [*self._c, other._c], [*self._v, other._v], self._k)
        return Operators.__add__(self, other)

    def __iadd__(self, other: Any) -> Any:
        found = linear(other)
        if found is None:
            return self.__add__(other)
        self._c += found[0]
        self._v += found[1]
        self._k += found[2]
        return self

    def __isub__(self, other: Any) -> Any:
        found = linear(other)
        if found is None:
            return self.__sub__(other)
        self._c += [-c for c in found[0]]
        self._v += found[1]
        self._k -= found[2]
        return self

    def _to_lists(self) -> None:
        """Become a plain expression of lists, where this is a lone term."""

    def add(self, arg1: Any, mult: float = 1.0) -> None:
        """Add `mult` times a number, variable or linear expression, in place."""
        self._to_lists()
        found = linear(plain(arg1))
        if found is None:
            raise TypeError(f"cannot add {type(arg1).__name__!r} to a linear expression")
        self._c += [mult * c for c in found[0]]
        self._v += found[1]
        self._k += mult * found[2]

    def addConstant(self, c: float) -> None:
        """Add a number, in place."""
        self._to_lists()
        self._k += float(c)

    def clear(self) -> None:
        """Empty the expression."""
        self._to_lists()
        self._c, self._v, self._k = [], [], 0.0

    def copy(self) -> Any:
        """Another expression with the same content."""
        return make(self._lin, self._c[:], self._v[:], self._k)

    def size(self) -> int:
        """The number of terms, a variable that occurs twice counted twice."""
        return len(self._c)

    def getVar(self, i: int) -> Any:
        """The variable of term i."""
        self._to_lists()
        return self._v[i]

    def getCoeff(self, i: int) -> float:
        """The coefficient of term i."""
        self._to_lists()
        return float(self._c[i])

    def getConstant(self) -> float:
        """The constant."""
        self._to_lists()
        return float(self._k)

    def remove(self, which: Any) -> None:
        """Drop term number `which`, or all terms of that variable."""
        self._to_lists()
        if isinstance(which, int):
            del self._c[which], self._v[which]
            return
        kept = [place for place, var in enumerate(self._v) if var is not which]
        self._c = [self._c[place] for place in kept]
        self._v = [self._v[place] for place in kept]

    def getValue(self) -> float:
        """The value at the solution."""
        coeffs, variables, constant = self._parts()
        return float(sum(c * v.x for c, v in zip(coeffs, variables, strict=True)) + constant)

    def _parts(self) -> tuple[list[float], list[Any], float]:
        return linear(self) or ([], [], 0.0)

    def _text(self) -> str:
        coeffs, variables, constant = self._parts()
        texts = [text_of(c, var._label()) for c, var in zip(coeffs, variables, strict=True)]
        if constant or not texts:
            texts.insert(0, str(float(constant)))
        return " + ".join(texts)


class Term(LinExpr, Single):
    """A linear expression of one term, which keeps no lists until it is changed in place."""

    __slots__ = ()
    __hash__: Any = None

    def __mul__(self, other: Any) -> Any:
        kind = type(other)
        if kind is float or kind is int:
            return self._v * (self._c * other)
        return multiply(self, other)

    __rmul__ = __mul__

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Term):
            return make(self._lin, [self._c, other._c], [self._v, other._v], 0.0)
        return Operators.__add__(self, other)

    def __iadd__(self, other: Any) -> Any:
        self._to_lists()
        return LinExpr.__iadd__(self, other)

    def __isub__(self, other: Any) -> Any:
        self._to_lists()
        return LinExpr.__isub__(self, other)

    def _to_lists(self) -> None:
        coefficient, var = self._c, self._v
        self.__class__ = self._lin
        self._c, self._v, self._k = [coefficient], [var], 0.0

    def copy(self) -> Any:
        """Another expression with the same content."""
        return make(self._lin, [self._c], [self._v], 0.0)

    def size(self) -> int:
        """One."""
        return 1


def multiply(left: Any, right: Any) -> Any:
    """A variable or linear expression times anything: number, linear, array; else declines."""
    by = number(right)
    if by is not None:
        return left * float(by)
    theirs = linear(right)
    if theirs is not None:
        mine = linear(left)
        return left._quad._product(mine, theirs)
    if isinstance(right, np.ndarray):
        return spread(lambda item: left * item, right) if right.ndim else left * right.item()
    if isinstance(right, str):
        try:
            return left * float(right)
        except ValueError:
            return NotImplemented
    return NotImplemented


def collect(items: Iterable[Any], kind: type[Any]) -> tuple[Any, list[Any]]:
    """The sum of everything linear in `items`, as `kind`, and the rest in order."""
    term, lin = kind._term, kind._lin
    coeffs: list[float] = []
    variables: list[Any] = []
    constant: float = 0.0
    rest: list[Any] = []
    for item in items:
        found = type(item)
        if found is term:
            coeffs.append(item._c)
            variables.append(item._v)
        elif isinstance(item, Var):
            coeffs.append(1.0)
            variables.append(item)
        elif found is lin:
            coeffs += item._c
            variables += item._v
            constant += item._k
        elif found is float or found is int:
            constant += item
        else:
            single = plain(item)
            parts = linear(single)
            if parts is None:
                rest.append(single)
                continue
            coeffs += parts[0]
            variables += parts[1]
            constant += parts[2]
    return make(lin, coeffs, variables, constant), rest


Products = tuple[list[float], list[Any], list[Any]]


class QuadExpr(Operators):
    """`_linear` + the sum of `_q[k] * _a[k] * _b[k]`, products in the order written."""

    __slots__ = ("_a", "_b", "_linear", "_q")
    __hash__: Any = None
    _linear: Any
    _q: list[float]
    _a: list[Any]
    _b: list[Any]

    def __init__(self, expr: Any = 0.0) -> None:
        self._linear = self._lin()
        self._q, self._a, self._b = [], [], []
        self.add(expr)

    @classmethod
    def _of(cls, lin: Any, q: list[float], a: list[Any], b: list[Any]) -> Self:
        found = _new(cls)
        found._linear, found._q, found._a, found._b = lin, q, a, b
        return found

    @classmethod
    def _product(
        cls, left: tuple[list[float], list[Any], float], right: tuple[list[float], list[Any], float]
    ) -> Any:
        """The product of two linear expressions in parts."""
        (c1, v1, k1), (c2, v2, k2) = left, right
        q = [x * y for x in c1 for y in c2]
        a = [x for x in v1 for _ in v2]
        b = v2 * len(v1)
        coeffs: list[float] = []
        variables: list[Any] = []
        if k2:
            coeffs += [x * k2 for x in c1]
            variables += v1
        if k1:
            coeffs += [k1 * y for y in c2]
            variables += v2
        return cls._of(make(cls._lin, coeffs, variables, k1 * k2), q, a, b)

    def __add__(self, other: Any) -> Any:
        lin, q, a, b = _parts(other)
        if lin is None:
            return self._beyond(other, lambda item: self + item)
        return self._of(self._linear + lin, self._q + q, self._a + a, self._b + b)

    def __radd__(self, other: Any) -> Any:
        lin, q, a, b = _parts(other)
        if lin is None:
            return self._beyond(other, lambda item: item + self)
        return self._of(lin + self._linear, q + self._q, a + self._a, b + self._b)

    def __sub__(self, other: Any) -> Any:
        lin, q, a, b = _parts(other)
        if lin is None:
            return self._beyond(other, lambda item: self - item)
        negative = [-c for c in q]
        return self._of(self._linear - lin, self._q + negative, self._a + a, self._b + b)

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        by = number(other)
        if by is not None:
            scaled = self._linear * float(by)
            return self._of(scaled, [c * by for c in self._q], self._a[:], self._b[:])
        if isinstance(other, np.ndarray):
            return spread(lambda item: self * item, other) if other.ndim else self * other.item()
        return self._nonlinear.of("*", self, other)

    __rmul__ = __mul__

    def __iadd__(self, other: Any) -> Any:
        if _parts(other)[0] is None:
            return self.__add__(other)
        self.add(other)
        return self

    def __isub__(self, other: Any) -> Any:
        if _parts(other)[0] is None:
            return self.__sub__(other)
        self.add(other, -1.0)
        return self

    def add(self, expr: Any, mult: float = 1.0) -> None:
        """Add `mult` times a number, variable or expression, in place."""
        lin, q, a, b = _parts(plain(expr))
        if lin is None:
            raise TypeError(f"cannot add {type(expr).__name__!r} to a quadratic expression")
        self._linear.add(lin, mult)
        self._q += [mult * c for c in q]
        self._a += a
        self._b += b

    def addConstant(self, c: float) -> None:
        """Add a number, in place."""
        self._linear.addConstant(c)

    def clear(self) -> None:
        """Empty the expression."""
        self._linear.clear()
        self._q, self._a, self._b = [], [], []

    def copy(self) -> Any:
        """Another expression with the same content."""
        return self._of(self._linear.copy(), self._q[:], self._a[:], self._b[:])

    def size(self) -> int:
        """The number of products."""
        return len(self._q)

    def getValue(self) -> float:
        """The value at the solution."""
        products = zip(self._q, self._a, self._b, strict=True)
        return float(self._linear.getValue() + sum(c * a.x * b.x for c, a, b in products))

    def getLinExpr(self) -> Any:
        """The linear part, with the constant."""
        return self._linear.copy()

    def getCoeff(self, i: int) -> float:
        """The coefficient of product i."""
        return float(self._q[i])

    def getVar1(self, i: int) -> Any:
        """The first variable of product i."""
        return self._a[i]

    def getVar2(self, i: int) -> Any:
        """The second variable of product i."""
        return self._b[i]

    def remove(self, which: Any) -> None:
        """Drop product number `which`, or every term with that variable."""
        if isinstance(which, int):
            del self._q[which], self._a[which], self._b[which]
            return
        self._linear.remove(which)
        kept = [
            k
            for k, (a, b) in enumerate(zip(self._a, self._b, strict=True))
            if a is not which and b is not which
        ]
        self._q, self._a, self._b = (
            [part[k] for k in kept] for part in (self._q, self._a, self._b)
        )

    def _text(self) -> str:
        lin = self._linear._text()
        if not self._q:
            return str(lin)
        products = []
        for c, a, b in zip(self._q, self._a, self._b, strict=True):
            name = f"{a._label()} ^ 2" if a is b else f"{a._label()} * {b._label()}"
            products.append(text_of(c, name))
        return f"{lin} + [ {' + '.join(products)} ]"


def _parts(value: Any) -> tuple[Any, list[float], list[Any], list[Any]]:
    """Linear part and products of anything up to quadratic; None first for other things."""
    if isinstance(value, QuadExpr):
        return value._linear, value._q, value._a, value._b
    if isinstance(value, LinExpr):
        return value, [], [], []
    found = linear(value)
    if found is None:
        return None, [], [], []
    return (value if not found[1] else 1.0 * value), [], [], []


def summed(items: Iterable[Any], kind: type[Any]) -> Any:
    """The sum of numbers, variables and expressions, as `kind` where it is linear."""
    total, rest = collect(items, kind)
    if rest and all(isinstance(item, QuadExpr) for item in rest):
        total = kind._quad(total)
    for item in rest:
        try:
            total += item
        except TypeError:
            mine, theirs = f"{kind.__module__}.{kind.__name__}", type(item).__name__
            text = f"unsupported operand type(s) for +=: '{mine}' and '{theirs}'"
            raise TypeError(text) from None
    return total


def converter(lin: type[LinExpr], quad: type[QuadExpr]) -> Callable[[Any], Any]:
    """What makes a number, variable or expression a `lin` or `quad`; None of other things."""

    def as_expression(value: Any) -> Any:
        single = plain(value)
        if isinstance(single, quad):
            return single
        found = linear(single)
        return None if found is None else make(lin, list(found[0]), list(found[1]), found[2])

    return as_expression


FUNCTIONS: dict[str, Callable[[float], float]] = {
    "exp": math.exp,
    "log": math.log,
    "log2": math.log2,
    "log10": math.log10,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "sqrt": math.sqrt,
    "square": lambda value: value * value,
    "tanh": math.tanh,
    "logistic": lambda value: 1.0 / (1.0 + math.exp(-value)),
}
_OPERATORS: dict[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "**": operator.pow,
}


def _operation(sign: str) -> tuple[Any, Any]:
    """An operator of formulas, and the same with the formula at the right."""
    return (
        lambda self, other: self.of(sign, self, other),
        lambda self, other: self.of(sign, other, self),
    )


def _relation_of(sense: str) -> Any:
    return lambda self, other: relate(self._relation, self, sense, other)


class Formula:
    """An operation and its operands: numbers, variables, expressions and other formulas.

    A layer's class names the class of its comparisons.
    """

    __slots__ = ("_args", "_op")
    __hash__: Any = None
    __array_ufunc__ = None
    _relation: ClassVar[type[TemporaryConstraint]]

    def __init__(self, op: str, args: tuple[Any, ...]) -> None:
        self._op, self._args = op, args

    @classmethod
    def of(cls, op: str, *args: Any) -> Any:
        """A formula; NotImplemented where an operand is nothing that formulas are made of."""
        operands: list[Any] = []
        for arg in args:
            single = plain(arg)
            found = number(single)
            if found is not None:
                operands.append(float(found))
            elif isinstance(single, LinExpr | QuadExpr):
                operands.append(single.copy())
            elif isinstance(single, Var | Formula):
                operands.append(single)
            else:
                return NotImplemented
        return cls(op, tuple(operands))

    def copy(self) -> Self:
        """Another formula with the same content."""
        return type(self)(self._op, self._args)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        # Without the several calls a level that Python's own way takes: sums are deep.
        return type(self)(self._op, tuple(deepcopy(arg, memo) for arg in self._args))

    __add__, __radd__ = _operation("+")
    __sub__, __rsub__ = _operation("-")
    __mul__, __rmul__ = _operation("*")
    __truediv__, __rtruediv__ = _operation("/")
    __pow__, __rpow__ = _operation("**")

    def __neg__(self) -> Any:
        return self.of("*", -1.0, self)

    __le__, __ge__, __eq__ = _relation_of("<"), _relation_of(">"), _relation_of("=")

    def getValue(self) -> float:
        """The value at the solution."""
        return evaluate(self)


def function(formula: type[Formula], name: str, wrong: Callable[[Any], Exception]) -> Any:
    """A function that makes a formula of an expression; `wrong` makes the error for others."""

    def apply(expr: Any) -> Any:
        made = formula.of(name, expr)
        if made is NotImplemented:
            raise wrong(expr)
        return made

    apply.__name__, apply.__doc__ = name, f"The function {name} of an expression."
    return apply


def evaluate(node: Any) -> float:
    """The value of a formula at the solution."""
    if isinstance(node, float):
        return node
    if isinstance(node, Var):
        found: Any = node
        return float(found.x)
    if not isinstance(node, Formula):
        return float(node.getValue())
    values = [evaluate(arg) for arg in node._args]
    if node._op in FUNCTIONS:
        return FUNCTIONS[node._op](values[0])
    if node._op == "leaf":
        return values[0]
    return float(_OPERATORS[node._op](*values))
