"""Nonlinear formulas of coptpy, and the functions in `coptpy.nl`."""

import math
from types import SimpleNamespace
from typing import Any

from ordojo.compat.coptpy.errors import unsupported
from ordojo.compat.coptpy.expressions import ConstrBuilder
from ordojo.compat.core.assemble import Draft, sides
from ordojo.compat.core.nonlinear import Formula, evaluate
from ordojo.compat.core.parts import FormulaPart
from ordojo.compat.gurobipy.formula import take_apart


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
        return f"<coptpy.NlExpr: {self._text()}>"

    __str__ = __repr__


NlExpr.__module__ = "coptcore"
formula = NlExpr.of


def add_formula(draft: Draft, part: FormulaPart) -> None:
    """Add `formula (sense) right side` to a draft; the part's result is (sense, right side)."""
    sense, rhs = part.result
    column = draft.column()
    named = FormulaPart(name=part.name, formula=part.formula)
    named.result = SimpleNamespace(_col=column)
    take_apart(draft, named)
    if sense != "objective":
        draft.row(f"{part.name or 'nl'}.{column}", [column], [1.0], *sides(sense, rhs))


def check_formula(part: FormulaPart) -> None:
    """Refuse a solution at which a formula is not what it should be (a division by zero)."""
    sense, rhs = part.result
    if sense == "objective":
        return
    try:
        value = evaluate(part.formula)
    except (ArithmeticError, ValueError):
        raise unsupported("a formula that has no value at the solution") from None
    lower, upper = sides(sense, rhs)
    slack = 1e-3 * max(1.0, abs(value), abs(rhs))
    if not lower - slack <= value <= upper + slack or math.isnan(value):
        raise unsupported("a formula that does not hold at the solver's solution")


def _function(name: str) -> Any:
    def apply(expr: Any) -> Any:
        made = formula(name, expr)
        if made is NotImplemented:
            raise TypeError(f"nl.{name} takes an expression, not {type(expr).__name__}")
        return made

    apply.__name__, apply.__doc__ = name, f"The function {name} of an expression."
    return staticmethod(apply)


class nl:
    """Functions of expressions for nonlinear constraints and objectives."""

    exp = _function("exp")
    log = _function("log")
    log10 = _function("log10")
    sqrt = _function("sqrt")
    sin = _function("sin")
    cos = _function("cos")
    tan = _function("tan")
    tanh = _function("tanh")

    @staticmethod
    def neg(expr: Any) -> Any:
        """The negative."""
        return formula("*", -1.0, expr)

    @staticmethod
    def pow(base: Any, expo: Any) -> Any:
        """The power."""
        return formula("**", base, expo)

    @staticmethod
    def sinh(expr: Any) -> Any:
        """The hyperbolic sine."""
        return (nl.exp(expr) - nl.exp(-1.0 * expr)) * 0.5

    @staticmethod
    def cosh(expr: Any) -> Any:
        """The hyperbolic cosine."""
        return (nl.exp(expr) + nl.exp(-1.0 * expr)) * 0.5

    @staticmethod
    def sum(*ops: Any) -> Any:
        """The sum of all operands, or of the members of a lone list or dictionary."""
        items = ops
        if len(ops) == 1:
            items = ops[0].values() if hasattr(ops[0], "values") else ops[0]
        total: Any = 0.0
        for item in items:
            total = formula("+", total, item)
        return total


def _lacking(name: str) -> Any:
    def refuse(*ops: Any) -> Any:
        raise unsupported(f"nl.{name}")

    refuse.__name__, refuse.__doc__ = name, "Not supported."
    return staticmethod(refuse)


for _name in ["abs", "atan2", "floor", "ceil", "acos", "asin", "atan", "acosh", "asinh", "atanh"]:
    setattr(nl, _name, _lacking(_name))
