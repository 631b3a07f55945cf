"""Functions of expressions for nonlinear constraints, `y == nlfunc.exp(x)`."""

from typing import Any

from ordojo.compat.core.expressions import function
from ordojo.compat.gurobipy.errors import unsupported
from ordojo.compat.gurobipy.expressions import NLExpr


def _function(name: str) -> Any:
    return function(NLExpr, name, lambda given: TypeError(f"Unsupported operand {given!r}"))


exp, log, log2, log10 = _function("exp"), _function("log"), _function("log2"), _function("log10")
sin, cos, tan, tanh = _function("sin"), _function("cos"), _function("tan"), _function("tanh")
sqrt, square, logistic = _function("sqrt"), _function("square"), _function("logistic")


def signpow(expr: Any, exponent: Any) -> Any:
    """Not supported."""
    raise unsupported("nlfunc.signpow", "write x * y ** (a - 1), y from addGenConstrAbs")
