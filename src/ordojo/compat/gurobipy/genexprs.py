"""Functions of variables that one may be set equal to: max_, min_, abs_, and_, or_, norm."""

from typing import Any

from ordojo.compat.core import expr as core
from ordojo.compat.core.pieces import members
from ordojo.compat.gurobipy.expressions import TempConstr
from ordojo.compat.problem import Function


class GenExpr:
    """A function of variables that one variable may be set equal to."""

    __slots__ = ("_constant", "_operands")
    _function: Function
    _title = ""

    def __init__(self, operands: Any, constant: Any = None) -> None:
        self._operands, self._constant = operands, constant

    def __eq__(self, other: Any) -> Any:
        return core.relate(TempConstr, self, "=", other)

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"<gurobi.{type(self).__name__}: ({self._operands})>"


class GenExprMax(GenExpr):
    """The largest of variables and a constant."""

    __slots__ = ()
    _function = Function.MAX

    def __repr__(self) -> str:
        return f"<gurobi.{type(self).__name__}: ({self._operands}), constant={self._constant}>"


class GenExprMin(GenExprMax):
    """The least of variables and a constant."""

    __slots__ = ()
    _function = Function.MIN


class GenExprAbs(GenExpr):
    """The absolute value of a variable."""

    __slots__ = ()
    _function = Function.ABS

    def __repr__(self) -> str:
        value = self._operands[0]
        return f"<gurobi.GenExprAbs: ({value._text() if hasattr(value, '_text') else value})>"


class GenExprAnd(GenExpr):
    """One if all of the binary variables are."""

    __slots__ = ()
    _function = Function.AND


class GenExprOr(GenExpr):
    """One if any of the binary variables is."""

    __slots__ = ()
    _function = Function.OR


class GenExprNorm(GenExpr):
    """A norm of variables; the constant is its order."""

    __slots__ = ()
    _function = Function.NORM

    def __repr__(self) -> str:
        return f"<gurobi.GenExprNorm-{self._constant}: ({self._operands})>"


def max_(*args: Any, constant: float | None = None) -> GenExprMax:
    """The largest of variables and numbers."""
    return GenExprMax(_several(args), constant)


def min_(*args: Any, constant: float | None = None) -> GenExprMin:
    """The least of variables and numbers."""
    return GenExprMin(_several(args), constant)


def abs_(argvar: Any) -> GenExprAbs:
    """The absolute value of a variable."""
    return GenExprAbs([argvar])


def and_(*args: Any) -> GenExprAnd:
    """Whether all binary variables are one."""
    return GenExprAnd(_several(args))


def or_(*args: Any) -> GenExprOr:
    """Whether any binary variable is one."""
    return GenExprOr(_several(args))


def norm(argvars: Any, which: float) -> GenExprNorm:
    """The norm of order 0, 1, 2 or infinity."""
    return GenExprNorm(members(argvars), which)


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
