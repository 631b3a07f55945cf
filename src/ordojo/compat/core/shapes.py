"""What variables and linear expressions hold, and anything linear as its parts."""

from typing import Any

from ordojo.compat.core.pieces import number


class Column:
    """A column of a model: its store and its number there (-1 once it is removed)."""

    __slots__ = ("_col", "_store")
    _store: Any
    _col: int


class Sum:
    """Lists of coefficients and variables, and a constant."""

    __slots__ = ("_c", "_k", "_v")
    _c: Any
    _v: Any
    _k: float


class Single(Sum):
    """A lone coefficient and variable in place of the lists; the constant is not there."""

    __slots__ = ()


def linear(value: Any) -> tuple[list[float], list[Any], float] | None:
    """Coefficients, variables and constant of anything linear; the lists may be the inner ones."""
    if isinstance(value, Single):
        return [value._c], [value._v], 0.0
    if isinstance(value, Sum):
        return value._c, value._v, value._k
    if isinstance(value, Column):
        return [1.0], [value], 0.0
    found = number(value)
    return None if found is None else ([], [], found)
