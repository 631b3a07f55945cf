"""gurobipy's expressions and how it prints them, comparisons and containers of tuples."""

import warnings
from collections.abc import Callable, Iterable
from typing import Any

from ordojo.compat.core import expressions as core
from ordojo.compat.core import tuples
from ordojo.compat.core.expressions import FUNCTIONS, Formula, converter, members
from ordojo.compat.core.expressions import QuadExpr as CoreQuad
from ordojo.compat.core.tuples import TupleDict
from ordojo.compat.gurobipy.errors import GurobiError, invalid
from ordojo.solvers.problem import GeneralFunction

_MODULE = "gurobipy._core"


class GurobiOperators(core.Operators):
    """What gurobipy's operators do beyond linear and quadratic expressions."""

    __slots__ = ()
    __hash__ = core.Operators.__hash__

    def __ne__(self, other: Any) -> Any:
        raise GurobiError(0, "Inequality constraints not supported")


class _Shown:
    """Shown by its kind and text."""

    __slots__ = ()
    _text: Any

    def __repr__(self) -> str:
        return f"<gurobi.{type(self).__name__}: {self._text()}>"

    def __str__(self) -> str:
        return str(self._text())


class LinExpr(_Shown, GurobiOperators, core.LinExpr):
    """A linear expression."""

    __slots__ = ()
    __hash__: Any = None

    def __init__(self, arg1: Any = 0.0, arg2: Any = None) -> None:
        self._c, self._v, self._k = [], [], 0.0
        if arg2 is not None:
            self.addTerms(arg1, arg2)
            return
        found = core.linear(core.plain(arg1))
        if found is not None:
            self._c, self._v, self._k = list(found[0]), list(found[1]), found[2]
        elif arg1 is not None:
            self.addTerms(*([pair[k] for pair in arg1] for k in (0, 1)))

    def addTerms(self, newcoeffs: Any, newvars: Any) -> None:
        """Add one coefficient with its variable, or as many of them as both lists hold."""
        self._to_lists()
        if isinstance(newvars, core.Var):
            newcoeffs, newvars = [newcoeffs], [newvars]
        coeffs, variables = [float(c) for c in newcoeffs], list(newvars)
        if len(coeffs) != len(variables):
            raise invalid("Linear expression arguments of different length")
        if not all(issubclass(kind, core.Var) for kind in set(map(type, variables))):
            raise invalid("Second argument should be a list of Var")
        self._c += coeffs
        self._v += variables

    def linTerms(self) -> Iterable[tuple[float, Any]]:
        """Pairs of coefficient and variable."""
        coeffs, variables, _ = self._parts()
        return iter([(float(c), v) for c, v in zip(coeffs, variables, strict=True)])

    def __lt__(self, other: Any) -> Any:
        raise NotImplementedError("a comparison by < or > is no constraint; write <= or >=")

    __gt__ = __lt__


class Term(core.Term, LinExpr):
    """A linear expression of one term."""

    __slots__ = ()
    __hash__: Any = None


class QuadExpr(_Shown, GurobiOperators, CoreQuad):
    """A quadratic expression."""

    __slots__ = ()
    __hash__: Any = None

    def addTerms(self, coeffs: Any, vars: Any, vars2: Any = None) -> None:
        """Add linear terms, or products where a second variable (list) is given."""
        if vars2 is None:
            self._linear.addTerms(coeffs, vars)
            return
        first, second = LinExpr(coeffs, vars), LinExpr(coeffs, vars2)
        self._q += first._c
        self._a += first._v
        self._b += second._v

    def linTerms(self) -> Any:
        """Pairs of coefficient and variable of the linear part."""
        return self._linear.linTerms()

    def quadTerms(self) -> Iterable[tuple[float, Any, Any]]:
        """Triples of coefficient and two variables."""
        return iter([(float(c), a, b) for c, a, b in zip(self._q, self._a, self._b, strict=True)])


class TempConstr(core.TemporaryConstraint):
    """A comparison that `Model.addConstr` makes a constraint."""

    __slots__ = ()

    def __bool__(self) -> bool:
        raise GurobiError(0, 'Constraint has no bool value (are you trying "lb <= expr <= ub"?)')

    def __rshift__(self, other: Any) -> Any:
        return core.relate(TempConstr, self, ">>", other)

    def __repr__(self) -> str:
        sense = {"<": "<=", ">": ">=", "=": "==", ">>": "=="}[self._sense]
        left = self._lhs._label() if isinstance(self._lhs, core.Var) else self._lhs
        return f"<gurobi.TempConstr: {left} {sense} {self._rhs}>"


def quicksum(items: Iterable[Any]) -> Any:
    """The sum of numbers, variables and expressions."""
    if isinstance(items, TupleDict):
        warnings.warn(
            "Calling quicksum on a tupledict is deprecated, use .sum() instead.",
            DeprecationWarning,
            stacklevel=2,
        )
        items = items.values()
    return add_up(items)


def add_up(items: Iterable[Any]) -> Any:
    """The sum of an iterable's members."""
    return core.summed(items, LinExpr)


as_expression: Callable[[Any], LinExpr | QuadExpr | None] = converter(LinExpr, QuadExpr)
"""A number, variable or expression as a linear or quadratic one; None for other things."""


for _named in (LinExpr, QuadExpr, TempConstr, Term):
    _named.__module__ = _MODULE
Term.__name__ = Term.__qualname__ = "LinExpr"


_SUM, _DIFFERENCE, _NEGATED, _PRODUCT, _POWER, _ATOM = range(6)
"""Kinds of text, by how closely they bind."""
_SIDES = {
    "+": (_SUM, _SUM),
    "-": (_DIFFERENCE, _PRODUCT),
    "*": (_PRODUCT, _PRODUCT),
    "/": (_POWER, _POWER),
    "**": (_ATOM, _ATOM),
}
"""Operands, left and right, that bind less closely than this stand in brackets."""
_KINDS = {"+": _SUM, "-": _DIFFERENCE, "*": _PRODUCT, "/": _PRODUCT, "**": _POWER}


def formula_text(value: Any) -> str:
    """A formula, an expression, a variable or a number as text."""
    return _written(value)[0]


def _written(value: Any) -> tuple[str, int]:
    if isinstance(value, Formula):
        return _operation(value._op, value._args)
    if isinstance(value, core.Var):
        return value._label(), _ATOM
    if isinstance(value, core.LinExpr | core.QuadExpr):
        return _terms(value)
    return str(value), _ATOM


def _operation(op: str, args: tuple[Any, ...]) -> tuple[str, int]:
    first, last = args[0], args[-1]
    if op == "leaf":
        return _written(first)
    if op == "square" or (op == "**" and isinstance(last, float) and last == 2.0):
        return f"{_bracketed(first, _ATOM)}**2", _POWER
    if op in FUNCTIONS:
        return f"{op}({formula_text(first)})", _ATOM
    if op == "*" and isinstance(first, float) and first == -1.0:
        return f"-{_bracketed(last, _PRODUCT)}", _NEGATED
    left, right = _SIDES[op]
    return f"{_bracketed(first, left)} {op} {_bracketed(last, right)}", _KINDS[op]


def _bracketed(value: Any, least: int) -> str:
    text, kind = _written(value)
    return text if kind >= least else f"({text})"


def _terms(value: core.LinExpr | core.QuadExpr) -> tuple[str, int]:
    """The sum of a constant, terms and products, the constant first."""
    linear = value if isinstance(value, core.LinExpr) else value._linear
    coeffs, variables, constant = linear._parts()
    texts = [(c, v._label(), _ATOM) for c, v in zip(coeffs, variables, strict=True)]
    if isinstance(value, core.QuadExpr):
        texts += [
            (c, f"{a._label()}**2", _POWER)
            if a is b
            else (c, f"{a._label()} * {b._label()}", _PRODUCT)
            for c, a, b in zip(value._q, value._a, value._b, strict=True)
        ]
    found = [
        (text, kind) if c == 1.0 else (f"{float(c)} * {text}", _PRODUCT) for c, text, kind in texts
    ]
    if constant or not found:
        found.insert(0, (str(float(constant)), _ATOM))
    return found[0] if len(found) == 1 else (" + ".join(text for text, _ in found), _SUM)


class NLExpr(_Shown, Formula):
    """An operation and its operands: numbers, variables, expressions and other formulas."""

    __slots__ = ()
    _relation = TempConstr
    __hash__: Any = None

    def __eq__(self, other: Any) -> Any:
        """A comparison; a variable stands at its left, whichever way it is written."""
        other = core.plain(other)
        if isinstance(other, core.Var):
            return core.relate(TempConstr, other, "=", self)
        return core.relate(TempConstr, self, "=", other)

    def _text(self) -> str:
        return formula_text(self)


NLExpr.__module__ = "gurobipy"
formula = NLExpr.of
GurobiOperators._term, GurobiOperators._lin, GurobiOperators._quad = Term, LinExpr, QuadExpr
GurobiOperators._relation, GurobiOperators._nonlinear = TempConstr, NLExpr


class GenExpr:
    """A function of variables that one variable may be set equal to.

    The constant is one more operand; of a norm, its order.
    """

    __slots__ = ("_constant", "_operands")
    _function: GeneralFunction

    def __init__(self, operands: Any, constant: Any = None) -> None:
        self._operands, self._constant = operands, constant

    def __eq__(self, other: Any) -> Any:
        return core.relate(TempConstr, self, "=", other)

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        kind, shown, more = type(self).__name__, self._operands, ""
        if self._function in (GeneralFunction.MAX, GeneralFunction.MIN):
            more = f", constant={self._constant}"
        elif self._function == GeneralFunction.NORM:
            kind += f"-{self._constant}"
        elif self._function == GeneralFunction.ABS:
            shown = shown[0]._text() if isinstance(shown[0], _Shown) else shown[0]
        return f"<gurobi.{kind}: ({shown}){more}>"


def _kind(function: GeneralFunction) -> Any:
    """The class of one function, as `GenExprMax`."""
    known = {"__slots__": (), "_function": function}
    return type(f"GenExpr{function.value.capitalize()}", (GenExpr,), known)


def _of_several(function: GeneralFunction, doc: str) -> Callable[..., Any]:
    kind = _kind(function)

    def make(*args: Any, **constant: Any) -> Any:
        return kind(_several(args), **constant)

    make.__doc__ = doc
    return make


max_ = _of_several(GeneralFunction.MAX, "The largest of variables, numbers, and `constant`.")
min_ = _of_several(GeneralFunction.MIN, "The least of variables, numbers, and `constant`.")
and_ = _of_several(GeneralFunction.AND, "Whether all binary variables are one.")
or_ = _of_several(GeneralFunction.OR, "Whether any binary variable is one.")
_ABS, _NORM = _kind(GeneralFunction.ABS), _kind(GeneralFunction.NORM)


def abs_(argvar: Any) -> Any:
    """The absolute value of a variable."""
    return _ABS([argvar])


def norm(argvars: Any, which: float) -> Any:
    """The norm of order 0, 1, 2 or infinity."""
    return _NORM(argvars, which)


def _several(args: tuple[Any, ...]) -> list[Any]:
    """The operands, of which some may come as a list, generator or tupledict."""
    found: list[Any] = []
    for arg in args:
        single = core.plain(arg)
        if core.linear(single) is not None:
            found.append(single)
        else:
            found += members(single)
    return found


class tuplelist(tuples.TupleList):
    """A list of tuples that are selected by patterns, all of one length, or of single values."""

    def __init__(self, items: Iterable[Any] = ()) -> None:
        super().__init__(items)
        _check_lengths(self)

    def append(self, item: Any) -> None:
        """Add an item at the end."""
        _check_lengths([*self[:1], item])
        super().append(item)

    def extend(self, items: Iterable[Any]) -> None:
        """Add items at the end."""
        found = list(items)
        _check_lengths([*self[:1], *found])
        super().extend(found)

    def insert(self, index: Any, item: Any) -> None:
        """Add an item at a place."""
        _check_lengths([*self[:1], item])
        super().insert(index, item)

    def __iadd__(self, other: Iterable[Any]) -> Any:
        self.extend(other)
        return self

    def __repr__(self) -> str:
        return self._text("gurobi.tuplelist")


def _check_lengths(items: Iterable[Any]) -> None:
    lengths = {len(item) if isinstance(item, tuple) else -1 for item in items}
    if len(lengths) > 1:
        if -1 in lengths:
            raise ValueError("Cannot mix scalar and tuple values in a tuplelist")
        raise ValueError("All tuples in a tuplelist must be the same length")


class tupledict(tuples.TupleDict):
    """A dictionary with tuple keys, with sums by patterns."""

    _sum_of = staticmethod(add_up)

    def prod(self, coeff: Any, *pattern: Any) -> Any:
        """The sum of the matching values, each times its coefficient, a list's by its places."""
        if isinstance(coeff, list) and not pattern:
            coeff = dict(enumerate(coeff))
        if not isinstance(coeff, dict):
            raise TypeError("tupledict.prod requires a dictionary")
        return super().prod(coeff, *pattern)

    def iteritems(self) -> Any:
        return iter(self.items())

    def iterkeys(self) -> Any:
        return iter(self)

    def itervalues(self) -> Any:
        return iter(self.values())


def multidict(data: Any) -> list[Any]:
    """Split a dictionary of lists into its keys and a tupledict for each position."""
    return tuples.multidict(data, tuplelist, tupledict)


for _class in (tuplelist, tupledict):
    _class.__module__ = "gurobipy"
