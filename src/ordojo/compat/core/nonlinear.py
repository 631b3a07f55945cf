"""Nonlinear formulas, trees of operations over variables and expressions, of both layers."""

import math
from collections.abc import Callable
from typing import Any, ClassVar, Self

from ordojo.compat.core import expr as core
from ordojo.compat.core.quad import QuadExpr as CoreQuad

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


class Formula:
    """An operation and its operands: numbers, variables, expressions and other formulas.

    A layer's class names the class of its comparisons.
    """

    __slots__ = ("_args", "_op")
    __hash__: Any = None
    __array_ufunc__ = None
    _relation: ClassVar[type[core.Relation]]

    def __init__(self, op: str, args: tuple[Any, ...]) -> None:
        self._op, self._args = op, args

    @classmethod
    def of(cls, op: str, *args: Any) -> Any:
        """A formula; NotImplemented where an operand is nothing that formulas are made of."""
        plain: list[Any] = []
        for arg in args:
            single = core.plain(arg)
            found = core.number(single)
            if found is not None:
                plain.append(float(found))
            elif isinstance(single, core.LinExpr | CoreQuad):
                plain.append(single.copy())
            elif isinstance(single, core.Var | Formula):
                plain.append(single)
            else:
                return NotImplemented
        return cls(op, tuple(plain))

    def copy(self) -> Self:
        """Another formula with the same content."""
        return type(self)(self._op, self._args)

    def __add__(self, other: Any) -> Any:
        return self.of("+", self, other)

    def __radd__(self, other: Any) -> Any:
        return self.of("+", other, self)

    def __sub__(self, other: Any) -> Any:
        return self.of("-", self, other)

    def __rsub__(self, other: Any) -> Any:
        return self.of("-", other, self)

    def __mul__(self, other: Any) -> Any:
        return self.of("*", self, other)

    def __rmul__(self, other: Any) -> Any:
        return self.of("*", other, self)

    def __truediv__(self, other: Any) -> Any:
        return self.of("/", self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return self.of("/", other, self)

    def __pow__(self, other: Any) -> Any:
        return self.of("**", self, other)

    def __rpow__(self, other: Any) -> Any:
        return self.of("**", other, self)

    def __neg__(self) -> Any:
        return self.of("*", -1.0, self)

    def __le__(self, other: Any) -> Any:
        return core.relate(self._relation, self, "<", other)

    def __ge__(self, other: Any) -> Any:
        return core.relate(self._relation, self, ">", other)

    def __eq__(self, other: Any) -> Any:
        return core.relate(self._relation, self, "=", other)

    def getValue(self) -> float:
        """The value at the solution."""
        return evaluate(self)

    def _text(self) -> str:
        parts = [_text(arg) for arg in self._args]
        if self._op in FUNCTIONS:
            return f"{self._op}({', '.join(parts)})"
        return f" {self._op} ".join(parts) if len(parts) > 1 else parts[0]


def _text(arg: Any) -> str:
    if isinstance(arg, Formula):
        text = arg._text()
        return text if arg._op in FUNCTIONS else f"({text})"
    if isinstance(arg, core.Var):
        return arg._label()
    return str(arg)


def evaluate(node: Any) -> float:
    """The value of a formula at the solution."""
    if isinstance(node, float):
        return node
    if isinstance(node, core.Var):
        found: Any = node
        return float(found.x)
    if not isinstance(node, Formula):
        return float(node.getValue())
    values = [evaluate(arg) for arg in node._args]
    if node._op in FUNCTIONS:
        return FUNCTIONS[node._op](values[0])
    if node._op == "leaf":
        return values[0]
    first, second = values
    if node._op == "+":
        return first + second
    if node._op == "-":
        return first - second
    if node._op == "*":
        return first * second
    return first / second if node._op == "/" else float(first**second)
