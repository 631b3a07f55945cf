"""Constraints beside the linear ones, made from expressions."""

from typing import Any

from ordojo.compat.core.expr import make
from ordojo.compat.core.parts import QuadraticPart


def add_quadratic(
    state: Any, whole: Any, sense: str, name: str, rhs: float = 0.0, low: float | None = None
) -> QuadraticPart:
    """Add `whole` (sense) rhs; with the sense R, low <= whole <= rhs."""
    linear = whole._linear
    state.check([*linear._v, *whole._a, *whole._b])
    part = QuadraticPart(
        name=name,
        linear=make(whole._lin, linear._c[:], linear._v[:], 0.0),
        products=(whole._q[:], whole._a[:], whole._b[:]),
        sense=sense,
        rhs=float(rhs - linear._k),
        low=None if low is None else float(low - linear._k),
    )
    state.add_part(part)
    return part
