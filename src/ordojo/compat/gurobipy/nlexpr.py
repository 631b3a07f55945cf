"""Nonlinear formulas as gurobipy has them."""

from typing import Any

from ordojo.compat.core.nonlinear import Formula
from ordojo.compat.gurobipy.errors import failure
from ordojo.compat.gurobipy.expressions import TempConstr


class NLExpr(Formula):
    """An operation and its operands: numbers, variables, expressions and other formulas."""

    __slots__ = ()
    _relation = TempConstr

    def __repr__(self) -> str:
        return f"<gurobi.NLExpr: {self._text()}>"

    def __str__(self) -> str:
        return self._text()


NLExpr.__module__ = "gurobipy"
formula = NLExpr.of


def apply(name: str, argument: Any) -> Any:
    """A function of a formula, as `gurobipy.nlfunc` gives it."""
    made = formula(name, argument)
    if made is NotImplemented:
        kind = type(argument).__name__
        raise failure("INVALID_ARGUMENT", f"nlfunc.{name} takes an expression, not {kind}")
    return made
