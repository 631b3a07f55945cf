"""Functions of expressions for nonlinear constraints, `y == nlfunc.exp(x)`."""

from typing import Any

from ordojo.compat.gurobipy.errors import unsupported
from ordojo.compat.gurobipy.expressions import apply


def exp(expr: Any) -> Any:
    """The exponential function."""
    return apply("exp", expr)


def log(expr: Any) -> Any:
    """The natural logarithm."""
    return apply("log", expr)


def log2(expr: Any) -> Any:
    """The logarithm to base 2."""
    return apply("log2", expr)


def log10(expr: Any) -> Any:
    """The logarithm to base 10."""
    return apply("log10", expr)


def sin(expr: Any) -> Any:
    """The sine."""
    return apply("sin", expr)


def cos(expr: Any) -> Any:
    """The cosine."""
    return apply("cos", expr)


def tan(expr: Any) -> Any:
    """The tangent."""
    return apply("tan", expr)


def sqrt(expr: Any) -> Any:
    """The square root."""
    return apply("sqrt", expr)


def square(expr: Any) -> Any:
    """The square."""
    return apply("square", expr)


def tanh(expr: Any) -> Any:
    """The hyperbolic tangent."""
    return apply("tanh", expr)


def logistic(expr: Any) -> Any:
    """The logistic function 1 / (1 + exp(-x))."""
    return apply("logistic", expr)


def signpow(expr: Any, exponent: Any) -> Any:
    """Not supported."""
    raise unsupported("nlfunc.signpow")
