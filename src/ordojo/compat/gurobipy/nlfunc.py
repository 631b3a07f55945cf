"""Functions of expressions for nonlinear constraints, `y == nlfunc.exp(x)`."""

from collections.abc import Callable
from typing import Any

from ordojo.compat.core.expressions import FUNCTIONS
from ordojo.compat.gurobipy.errors import unsupported
from ordojo.compat.gurobipy.expressions import formula


def _function(name: str) -> Callable[[Any], Any]:
    def apply(expr: Any) -> Any:
        made = formula(name, expr)
        if made is NotImplemented:
            raise TypeError(f"Unsupported operand {expr!r}")
        return made

    apply.__name__, apply.__doc__ = name, f"The function {name} of an expression."
    return apply


for _name in FUNCTIONS:
    globals()[_name] = _function(_name)


def signpow(expr: Any, exponent: Any) -> Any:
    """Not supported."""
    raise unsupported("nlfunc.signpow", "write x * y ** (a - 1), y from addGenConstrAbs")
