"""Nonlinear formulas: trees of operations over variables and expressions."""

import math
from collections.abc import Callable
from typing import Any

from ordojo.compat.core import expr as core
from ordojo.compat.core.quad import QuadExpr as CoreQuad
from ordojo.compat.gurobipy.errors import failure
from ordojo.compat.gurobipy.expressions import LinExpr, QuadExpr, TempConstr

FUNCTIONS: dict[str, Callable[[float], float]] = {
    "exp": math.exp,
    "log": math.log,
    "log2": math.log2,
    "log10": math.log10,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "sqrt": math.sqrt,
    "square": lambda value: value * value,
    "tanh": math.tanh,
    "logistic": lambda value: 1.0 / (1.0 + math.exp(-value)),
}


class NLExpr:
    """An operation and its operands: numbers, variables, expressions and other formulas."""

    __slots__ = ("_args", "_op")
    __hash__ = None  # type: ignore[assignment]
    __array_ufunc__ = None

    def __init__(self, op: str, args: tuple[Any, ...]) -> None:
        self._op, self._args = op, args

    def __add__(self, other: Any) -> Any:
        return formula("+", self, other)

    def __radd__(self, other: Any) -> Any:
        return formula("+", other, self)

    def __sub__(self, other: Any) -> Any:
        return formula("-", self, other)

    def __rsub__(self, other: Any) -> Any:
        return formula("-", other, self)

    def __mul__(self, other: Any) -> Any:
        return formula("*", self, other)

    def __rmul__(self, other: Any) -> Any:
        return formula("*", other, self)

    def __truediv__(self, other: Any) -> Any:
        return formula("/", self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return formula("/", other, self)

    def __pow__(self, other: Any) -> Any:
        return formula("**", self, other)

    def __rpow__(self, other: Any) -> Any:
        return formula("**", other, self)

    def __neg__(self) -> Any:
        return formula("*", -1.0, self)

    def __le__(self, other: Any) -> Any:
        return core.relate(TempConstr, self, "<", other)

    def __ge__(self, other: Any) -> Any:
        return core.relate(TempConstr, self, ">", other)

    def __eq__(self, other: Any) -> Any:
        return core.relate(TempConstr, self, "=", other)

    def copy(self) -> "NLExpr":
        """Another formula with the same content."""
        return NLExpr(self._op, self._args)

    def getValue(self) -> float:  # noqa: N802
        """The value at the solution."""
        return evaluate(self)

    def _text(self) -> str:
        parts = [_text(arg) for arg in self._args]
        if self._op in FUNCTIONS:
            return f"{self._op}({', '.join(parts)})"
        return f" {self._op} ".join(parts) if len(parts) > 1 else parts[0]

    def __repr__(self) -> str:
        return f"<gurobi.NLExpr: {self._text()}>"

    def __str__(self) -> str:
        return self._text()


NLExpr.__module__ = "gurobipy"


def _text(arg: Any) -> str:
    if isinstance(arg, NLExpr):
        text = arg._text()
        return text if arg._op in FUNCTIONS else f"({text})"
    if isinstance(arg, core.Var):
        return arg._label()
    return str(arg)


def formula(op: str, *args: Any) -> Any:
    """A formula; NotImplemented where an operand is nothing that formulas are made of."""
    plain: list[Any] = []
    for arg in args:
        single = core.plain(arg)
        found = core.number(single)
        if found is not None:
            plain.append(float(found))
        elif isinstance(single, core.Var | core.LinExpr | CoreQuad | NLExpr):
            plain.append(single.copy() if isinstance(single, core.LinExpr | CoreQuad) else single)
        else:
            return NotImplemented
    return NLExpr(op, tuple(plain))


def apply(name: str, argument: Any) -> Any:
    """A function of a formula, as `gurobipy.nlfunc` gives it."""
    made = formula(name, argument)
    if made is NotImplemented:
        kind = type(argument).__name__
        raise failure("INVALID_ARGUMENT", f"nlfunc.{name} takes an expression, not {kind}")
    return made


def evaluate(node: Any) -> float:
    """The value of a formula at the solution."""
    if isinstance(node, float):
        return node
    if isinstance(node, core.Var):
        return float(node.x)  # type: ignore[attr-defined]
    if isinstance(node, LinExpr | QuadExpr):
        return node.getValue()
    values = [evaluate(arg) for arg in node._args]
    if node._op in FUNCTIONS:
        return FUNCTIONS[node._op](values[0])
    if node._op == "leaf":
        return values[0]
    first, second = values
    return {
        "+": lambda: first + second,
        "-": lambda: first - second,
        "*": lambda: first * second,
        "/": lambda: first / second,
        "**": lambda: float(first**second),
    }[node._op]()
