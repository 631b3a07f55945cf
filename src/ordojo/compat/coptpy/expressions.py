"""coptpy's expressions, linear, quadratic and nonlinear, comparisons, and containers of tuples."""

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from ordojo.compat.coptpy.constants import LETTERS, sense_of, unsupported
from ordojo.compat.core import expressions as core
from ordojo.compat.core import tuples
from ordojo.compat.core.assemble import Draft, take_apart
from ordojo.compat.core.calls import refusing
from ordojo.compat.core.expressions import Formula, converter, number
from ordojo.compat.core.expressions import QuadExpr as CoreQuad
from ordojo.compat.core.store import FormulaPart
from ordojo.compat.core.tuples import combined_keys
from ordojo.milp.objects.sketch import sides

NO_BOOL = "Boolean value of 'ConstrBuilder' object is not defined"


class CoptOperators(core.Operators):
    """What coptpy's operators do beyond linear and quadratic expressions."""

    __slots__ = ()
    __hash__: Any = None

    def __ne__(self, other: Any) -> Any:
        raise ValueError(NO_BOOL)

    def _beyond(self, other: Any, again: Any) -> Any:
        if isinstance(other, str):
            float(other)  # COPT reads a text as a number, or says that it is none.
        return super()._beyond(other, again)


def pairs(first: Any, second: Any) -> tuple[list[Any], list[float]]:
    """Things and their coefficients, of lists, dictionaries, arrays, or one number for all."""
    if isinstance(first, Mapping):
        things = list(first.values())
        if isinstance(second, Mapping):
            return things, [float(second[key]) for key in first]
    else:
        things = [core.plain(item) for item in first]
    number = core.number(second)
    if number is not None:
        return things, [float(number)] * len(things)
    coeffs = [float(c) for c in (second.values() if isinstance(second, Mapping) else second)]
    if len(coeffs) != len(things):
        raise ValueError("Lengths of the coefficients and of what they belong to differ")
    return things, coeffs


def _same(name: str) -> Any:
    """A method that does the same as another one."""
    return lambda self, *given, **words: getattr(self, name)(*given, **words)


class LinExpr(CoptOperators, core.LinExpr):
    """A linear expression."""

    __slots__ = ()
    __hash__: Any = None

    def __init__(self, arg1: Any = 0.0, arg2: Any = None) -> None:
        self._c, self._v, self._k = [], [], 0.0
        single = core.plain(arg1)
        found = core.linear(float(single) if isinstance(single, str) else single)
        if found is not None:
            by = 1.0 if arg2 is None else float(arg2)
            self._c, self._v = [by * c for c in found[0]], list(found[1])
            self._k = by * found[2]
        elif arg2 is not None:
            self.addTerms(single, arg2)
        else:
            for var, coefficient in single:
                self._c.append(float(coefficient))
                self._v.append(var)

    def __imul__(self, other: Any) -> Any:
        found = self * other
        if not isinstance(found, core.LinExpr):
            return found
        self._to_lists()
        self._c, self._v, self._k = (list(found._c), list(found._v), found._k)
        return self

    def __itruediv__(self, other: Any) -> Any:
        return self.__imul__(1.0 / other)

    def addTerm(self, var: Any, coeff: float = 1.0) -> None:
        self._to_lists()
        self._c.append(float(coeff))
        self._v.append(core.plain(var))

    def addTerms(self, vars: Any, coeffs: Any) -> None:
        self._to_lists()
        single = core.plain(vars)
        if isinstance(single, core.Var):
            self.addTerm(single, coeffs)
            return
        variables, numbers = pairs(single, coeffs)
        self._c += numbers
        self._v += variables

    def setCoeff(self, idx: int, newval: float) -> None:
        self._to_lists()
        self._c[idx] = float(newval)

    def setConstant(self, newval: float) -> None:
        self._to_lists()
        self._k = float(newval)

    def reserve(self, n: int) -> None:
        """Nothing: lists grow by themselves."""

    def getSize(self) -> int:
        return len(self._parts()[0])

    # A lone term copies and adds in its own way: the names stand for what the object's class does.
    getExpr = clone = _same("copy")
    addExpr = _same("add")
    size: Any = property(getSize)
    constant = property(lambda self: float(self._parts()[2]), setConstant)
    coeffs = property(lambda self: [float(c) for c in self._parts()[0]])
    vars = property(lambda self: list(self._parts()[1]))
    value = property(core.LinExpr.getValue)

    def __repr__(self) -> str:
        coeffs, variables, constant = self._parts()
        return f"{float(constant)}{terms_text(coeffs, variables)} "


def terms_text(coeffs: list[float], *factors: list[Any]) -> str:
    """Terms as COPT prints them; each is a coefficient times one or two variables."""
    text = ""
    for c, *names in zip(coeffs, *factors, strict=True):
        by = "" if abs(c) == 1.0 else f"{abs(float(c))} * "
        text += f" {'-' if c < 0 else '+'} {by}{'  * '.join(map(repr, names))}"
    return text


class Term(core.Term, LinExpr):
    """A linear expression of one term."""

    __slots__ = ()
    size: Any = LinExpr.size
    __hash__: Any = None


class ConstrBuilder(core.TemporaryConstraint):
    """A comparison that `Model.addConstr` makes a constraint."""

    __slots__ = ()

    def __init__(self) -> None:
        self._lhs, self._sense, self._rhs = LinExpr(), "=", 0.0

    def __bool__(self) -> bool:
        raise ValueError(NO_BOOL)

    def __rshift__(self, other: Any) -> "ConstrBuilder":
        tests = self._sense == "=" and core.number(self._rhs) is not None
        if not (tests and isinstance(self._lhs, core.Var) and isinstance(other, ConstrBuilder)):
            raise ValueError("Invalid operand for 'rshift'")
        made: ConstrBuilder = core.relate(ConstrBuilder, self, ">>", other)
        return made

    def setBuilder(self, expr: Any, sense: str, rhs: Any = 0.0) -> None:
        """Become another comparison."""
        self._lhs, self._sense, self._rhs = expr, sense_of(sense) or "N", rhs

    def getExpr(self) -> Any:
        """Left less right side."""
        left = self._lhs if core.number(self._lhs) is None else LinExpr(self._lhs)
        return left - self._rhs

    def getSense(self) -> str:
        """COPT's letter of the sense."""
        return LETTERS[self._sense]

    def __repr__(self) -> str:
        if self._sense == ">>":
            then = self._rhs
            sense = {"<": "<=", ">": ">=", "=": "=="}[then._sense]
            left = f"{self._lhs._lhs!r} == {int(self._lhs._rhs)}"
            return f"({left})  -> ({then.getExpr()!r} {sense} 0.0)"
        quadratic = isinstance(self._lhs, CoreQuad) or isinstance(self._rhs, CoreQuad)
        return f"<coptpy.{'Q' if quadratic else ''}ConstrBuilder>"


QConstrBuilder = ConstrBuilder


class QuadExpr(CoptOperators, CoreQuad):
    """A quadratic expression."""

    __slots__ = ()
    __hash__: Any = None

    def __init__(self, arg1: Any = 0.0, arg2: Any = None) -> None:
        single = core.plain(arg1)
        if isinstance(single, str) or as_expression(single) is None:
            raise incompatible(single)
        super().__init__(single if arg2 is None else single * arg2)

    def __imul__(self, other: Any) -> Any:
        return self * other

    def __itruediv__(self, other: Any) -> Any:
        return self / other

    clone = CoreQuad.copy

    def addTerm(self, coeff: float, var1: Any, var2: Any = None) -> None:
        """Add a linear term, or a product where a second variable is given."""
        if var2 is None:
            self._linear.addTerm(var1, coeff)
            return
        self._q.append(float(coeff))
        self._a.append(core.plain(var1))
        self._b.append(core.plain(var2))

    def addTerms(self, coeffs: Any, vars1: Any, vars2: Any = None) -> None:
        """Add linear terms, or products where second variables are given."""
        first, numbers = pairs(_list(vars1), coeffs)
        if vars2 is None:
            self._linear.addTerms(first, numbers)
            return
        second, _ = pairs(_list(vars2), coeffs)
        for terms in zip(numbers, first, second, strict=True):
            self.addTerm(*terms)

    def addLinExpr(self, expr: Any, mult: float = 1.0) -> None:
        self._linear.add(expr, mult)

    addQuadExpr = CoreQuad.add

    def setCoeff(self, idx: int, newval: float) -> None:
        self._q[idx] = float(newval)

    def getConstant(self) -> float:
        return float(self._linear._k)

    def setConstant(self, newval: float) -> None:
        self._linear.setConstant(newval)

    def reserve(self, n: int) -> None:
        """Nothing: lists grow by themselves."""

    getSize = CoreQuad.size
    size: Any = property(CoreQuad.size)
    constant = property(getConstant, setConstant)
    value = property(CoreQuad.getValue)

    def __repr__(self) -> str:
        return f"{self._linear!r}{terms_text(self._q, self._a, self._b)} "


def incompatible(given: Any) -> TypeError:
    """The error of what is no expression."""
    return TypeError(f"Type of 'arg1' is not compatible with QuadExpr: {type(given)}")


def _list(given: Any) -> Any:
    single = core.plain(given)
    return [single] if isinstance(single, core.Var) else single


ExprBuilder = LinExpr
"""COPT has two kinds of linear expression; here they are one."""


def quicksum(termlist: Iterable[Any]) -> Any:
    """The sum of numbers, variables and expressions."""
    items: Any = termlist.values() if isinstance(termlist, Mapping) else termlist
    if hasattr(items, "_sum_all"):
        items = items.tolist()
    return core.summed(items, LinExpr)


as_expression: Callable[[Any], LinExpr | QuadExpr | None] = converter(LinExpr, QuadExpr)
"""A number, variable or expression as a linear or quadratic one; None for other things."""


class NlExpr(Formula):
    """An operation and its operands: numbers, variables, expressions and other formulas."""

    __slots__ = ()
    _relation = ConstrBuilder

    def __init__(self, op: Any = "leaf", args: Any = (0.0,)) -> None:
        if isinstance(op, str):
            super().__init__(op, args)
        else:
            super().__init__("leaf", (op,))

    clone = Formula.copy

    def __repr__(self) -> str:
        return "<coptpy.NlExpr>"


NlExpr.__module__ = LinExpr.__module__ = "coptcore"
formula = NlExpr.of
CoptOperators._term, CoptOperators._lin, CoptOperators._quad = Term, LinExpr, QuadExpr
CoptOperators._relation, CoptOperators._nonlinear = ConstrBuilder, NlExpr


def add_formula(draft: Draft, part: FormulaPart) -> None:
    """Add `formula (sense) right side` to a draft; the part's result is (sense, right side).

    Of the sense "objective" the formula is what a further column costs.
    """
    sense, rhs = part.result
    column = draft.column(float(sense == "objective"))
    named = FormulaPart(name=part.name, formula=part.formula)
    named.result = SimpleNamespace(_col=column)
    take_apart(draft, named)
    if sense != "objective":
        draft.rows.append((f"{part.name or 'nl'}.{column}", {column: 1.0}, *sides(sense, rhs)))


def _function(name: str) -> Any:
    def wrong(given: Any) -> Exception:
        return TypeError(f"nl.{name} takes an expression, not {type(given).__name__}")

    return staticmethod(core.function(NlExpr, name, wrong))


def _lacking(name: str) -> Any:
    return staticmethod(refusing(f"nl.{name}", unsupported))


class nl:
    """Functions of expressions for nonlinear constraints and objectives."""

    exp, log, log10, sqrt = map(_function, ("exp", "log", "log10", "sqrt"))
    sin, cos, tan, tanh = map(_function, ("sin", "cos", "tan", "tanh"))
    abs, atan2, floor, ceil = map(_lacking, ("abs", "atan2", "floor", "ceil"))
    acos, asin, atan = map(_lacking, ("acos", "asin", "atan"))
    acosh, asinh, atanh = map(_lacking, ("acosh", "asinh", "atanh"))

    @staticmethod
    def neg(expr: Any) -> Any:
        return formula("*", -1.0, expr)

    @staticmethod
    def pow(base: Any, expo: Any) -> Any:
        return formula("**", base, expo)

    @staticmethod
    def sinh(expr: Any) -> Any:
        return (nl.exp(expr) - nl.exp(-1.0 * expr)) * 0.5

    @staticmethod
    def cosh(expr: Any) -> Any:
        return (nl.exp(expr) + nl.exp(-1.0 * expr)) * 0.5

    @staticmethod
    def sum(*ops: Any) -> Any:
        """The sum of all operands, or of the members of a lone list or dictionary."""
        items = ops
        if len(ops) == 1:
            items = ops[0].values() if hasattr(ops[0], "values") else ops[0]
        return functools.reduce(lambda total, item: formula("+", total, item), items, 0.0)


for _class in (LinExpr, QuadExpr, ConstrBuilder, Term):
    _class.__module__ = "coptcore"
Term.__name__ = Term.__qualname__ = "LinExpr"


def _fit(keys: Iterable[Any], others: Iterable[Any]) -> None:
    """Raise KeyError where one is not as wide as the first key; COPT takes no shorter patterns."""
    first = next(iter(keys), None)
    width = len(first) if isinstance(first, tuple) else 1
    if any((len(other) if isinstance(other, tuple) else 1) != width for other in others):
        raise KeyError(f"Key should have length {width}")


class _Fitted(tuples.Indexed):
    """A container that takes patterns of full length only."""

    def _found(self: Any, pattern: tuple[Any, ...]) -> Any:
        _fit(self, [pattern] if self and pattern else [])
        return super()._found(pattern)


class tuplelist(_Fitted, tuples.TupleList):
    """A list of tuples that are selected by patterns."""

    def __init__(self, items: Iterable[Any] = ()) -> None:
        super().__init__(items)
        _fit(self, self)

    def add(self, key: Any) -> None:
        self.append(key)


class tupledict(_Fitted, tuples.TupleDict):
    """A dictionary with tuple keys, with sums by patterns."""

    _sum_of = staticmethod(quicksum)

    def prod(self, coeff: Any, *args: Any) -> Any:
        if not hasattr(coeff, "keys"):
            kind = type(coeff).__name__
            raise AttributeError(f"'{kind}' object has no attribute 'keys'")
        return super().prod(coeff, *args)


def multidict(data: Any) -> list[Any]:
    """Split a dictionary of lists into its keys and a tupledict for each position."""
    return tuples.multidict(data, tuplelist, tupledict)


tuplelist.__module__ = tupledict.__module__ = "coptcore"


def index_keys(indices: Sequence[Any]) -> tuple[list[Any], list[int]]:
    """The keys that index arguments mean, and how many keys each argument has."""
    lists: list[list[Any]] = []
    for part in indices:
        count = number(part)
        if isinstance(part, str):
            raise TypeError("'int', 'float' or 'str' object(s) are required for argument 'indices'")
        lists.append(list(range(int(count))) if count is not None else list(part))
    return combined_keys(lists), [len(part) for part in lists]
