"""General constraints of functions of one variable: exponential, logarithm, sine, by points."""

from itertools import pairwise
from typing import Any

from ordojo.compat.gurobipy.errors import GurobiError, failure
from ordojo.compat.gurobipy.genconstr import add_general, variable_of
from ordojo.compat.gurobipy.handles import GenConstr
from ordojo.compat.problem import Function


def _function(function: Function, *numbers: str) -> Any:
    """The `addGenConstr...` of a function of one variable with these constants."""

    def add(
        model: Any,
        xvar: Any,
        yvar: Any,
        *args: Any,
        name: str = "",
        options: str = "",
        **words: Any,
    ) -> GenConstr:
        given = [*args]
        constants = []
        for word in numbers:
            value = words.pop(word) if word in words else given.pop(0)
            if isinstance(value, str) or value is None:
                raise TypeError(f"must be real number, not {type(value).__name__}")
            constants.append(float(value))
        if given:
            name = given.pop(0)
        if words:
            raise TypeError(f"unexpected keyword argument {next(iter(words))!r}")
        if function == Function.EXPA and constants[0] <= 0:
            raise failure(
                "INVALID_ARGUMENT", "non-positive base for exponential function not supported"
            )
        operands = [variable_of(xvar)]
        return add_general(model, name, function, variable_of(yvar), operands, tuple(constants))

    add.__name__ = f"addGenConstr{function.value.capitalize()}"
    add.__doc__ = f"Add yvar = {function.value} of xvar."
    return add


addGenConstrExp = _function(Function.EXP)
addGenConstrExpA = _function(Function.EXPA, "a")
addGenConstrLog = _function(Function.LOG)
addGenConstrLogA = _function(Function.LOGA, "a")
addGenConstrPow = _function(Function.POW, "a")
addGenConstrSin = _function(Function.SIN)
addGenConstrCos = _function(Function.COS)
addGenConstrTan = _function(Function.TAN)
addGenConstrLogistic = _function(Function.LOGISTIC)


def addGenConstrPoly(
    model: Any, xvar: Any, yvar: Any, p: Any, name: str = "", options: str = ""
) -> GenConstr:
    """Add yvar = polynomial in xvar, the highest power's coefficient first."""
    numbers = tuple(float(c) for c in p)
    return add_general(model, name, Function.POLY, variable_of(yvar), [variable_of(xvar)], numbers)


def addGenConstrPWL(
    model: Any, xvar: Any, yvar: Any, xpts: Any, ypts: Any, name: str = ""
) -> GenConstr:
    """Add yvar = piecewise-linear function of xvar through the points."""
    return add_general(
        model, name, Function.PWL, variable_of(yvar), [variable_of(xvar)], points(xpts, ypts)
    )


def points(xpts: Any, ypts: Any) -> tuple[float, ...]:
    """The points of a piecewise-linear function as x1, y1, x2, y2, ..."""
    xs, ys = [float(x) for x in xpts], [float(y) for y in ypts]
    if len(xs) != len(ys):
        raise GurobiError(-1, "Arguments xpts and ypts must have the same length")
    if any(b < a for a, b in pairwise(xs)):
        raise failure("INVALID_ARGUMENT", "x values for PWL constraint aren't sorted")
    return tuple(number for pair in zip(xs, ys, strict=True) for number in pair)
