"""gurobipy's expressions and comparisons."""

import warnings
from collections.abc import Callable, Iterable
from typing import Any

from ordojo.compat.core import expr as core
from ordojo.compat.core.quad import QuadExpr as CoreQuad
from ordojo.compat.core.quad import acquaint, converter, joined
from ordojo.compat.core.tuples import TupleDict
from ordojo.compat.gurobipy.errors import GurobiError, failure

_MODULE = "gurobipy._core"


class Spelled(core.Operators):
    """What gurobipy's operators do beyond linear and quadratic expressions."""

    __slots__ = ()
    __hash__ = core.Operators.__hash__

    def _formula(self, operation: str, first: Any, second: Any) -> Any:
        from ordojo.compat.gurobipy.nlexpr import formula

        return formula(operation, first, second)

    def _unequal(self) -> Any:
        raise GurobiError(0, "Inequality constraints not supported")


class LinExpr(Spelled, core.LinExpr):
    """A linear expression."""

    __slots__ = ()
    __hash__: Any = None
    __le__, __ge__, __eq__ = core.Compared.__le__, core.Compared.__ge__, core.Compared.__eq__
    __mul__ = core.LinExpr.__mul__
    __rmul__ = core.LinExpr.__mul__
    __add__ = core.LinExpr.__add__

    def _uneven(self) -> Exception:
        return failure("INVALID_ARGUMENT", "Linear expression arguments of different length")

    def linTerms(self) -> Iterable[tuple[float, Any]]:
        """Pairs of coefficient and variable."""
        coeffs, variables, _ = self._parts()
        return iter([(float(c), v) for c, v in zip(coeffs, variables, strict=True)])

    def __repr__(self) -> str:
        return f"<gurobi.LinExpr: {self._text()}>"

    def __str__(self) -> str:
        return self._text()

    def __lt__(self, other: Any) -> Any:
        raise NotImplementedError()

    __gt__ = __lt__


class Term(core.Term, LinExpr):
    """A linear expression of one term."""

    __slots__ = ()
    __hash__: Any = None
    __mul__ = core.Term.__mul__
    __rmul__ = core.Term.__mul__


class QuadExpr(Spelled, CoreQuad):
    """A quadratic expression."""

    __slots__ = ()
    __hash__: Any = None
    __mul__ = CoreQuad.__mul__
    __rmul__ = CoreQuad.__mul__
    __add__ = CoreQuad.__add__
    __radd__ = CoreQuad.__radd__
    __sub__ = CoreQuad.__sub__
    __rsub__ = CoreQuad.__rsub__

    def linTerms(self) -> Iterable[tuple[float, Any]]:
        """Pairs of coefficient and variable of the linear part."""
        found: Iterable[tuple[float, Any]] = self._linear.linTerms()
        return found

    def quadTerms(self) -> Iterable[tuple[float, Any, Any]]:
        """Triples of coefficient and two variables."""
        return iter([(float(c), a, b) for c, a, b in zip(self._q, self._a, self._b, strict=True)])

    def __repr__(self) -> str:
        return f"<gurobi.QuadExpr: {self._text()}>"

    def __str__(self) -> str:
        return self._text()


class TempConstr(core.Relation):
    """A comparison that `Model.addConstr` makes a constraint."""

    __slots__ = ()

    def __bool__(self) -> bool:
        raise GurobiError(0, 'Constraint has no bool value (are you trying "lb <= expr <= ub"?)')

    def __rshift__(self, other: Any) -> "TempConstr":
        implied: TempConstr = core.relate(TempConstr, self, ">>", other)
        return implied

    def __repr__(self) -> str:
        sense = {"<": "<=", ">": ">=", "=": "==", ">>": "=="}[self._sense]
        left = self._lhs._text() if isinstance(self._lhs, _TEXTED) else _name(self._lhs)
        right = self._rhs._text() if isinstance(self._rhs, _TEXTED) else str(self._rhs)
        return f"<gurobi.TempConstr: {left} {sense} {right}>"


_TEXTED = (core.LinExpr, CoreQuad)


def _name(value: Any) -> str:
    return value._label() if isinstance(value, core.Var) else str(value)


def quicksum(items: Iterable[Any]) -> Any:
    """The sum of numbers, variables and expressions."""
    if isinstance(items, TupleDict):
        warnings.warn(
            "Calling quicksum on a tupledict is deprecated, use .sum() instead.",
            DeprecationWarning,
            stacklevel=2,
        )
        items = items.values()
    total, rest = core.collect(items, LinExpr)
    return _further(total, rest) if rest else total


def add_up(items: Iterable[Any]) -> Any:
    """The sum of an iterable's members."""
    total, rest = core.collect(items, LinExpr)
    return _further(total, rest) if rest else total


def _further(total: Any, rest: list[Any]) -> Any:
    """A linear sum and members that are not linear."""
    found = joined(total, rest)
    if found is not None:
        return found
    for item in rest:
        try:
            total = total + item
        except TypeError:
            kind = type(item).__name__
            raise TypeError(
                f"unsupported operand type(s) for +=: '{_MODULE}.LinExpr' and '{kind}'"
            ) from None
    return total


as_expression: Callable[[Any], LinExpr | QuadExpr | None] = converter(LinExpr, QuadExpr)
"""A number, variable or expression as a linear or quadratic one; None for other things."""


acquaint(Term, LinExpr, QuadExpr, TempConstr)
for _named in (LinExpr, QuadExpr, TempConstr, Term):
    _named.__module__ = _MODULE
Term.__name__ = Term.__qualname__ = "LinExpr"
