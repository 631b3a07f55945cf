"""What expressions are made of: numbers of any library, arrays, comparisons, texts."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np

_new = object.__new__


def number(value: Any) -> float | None:
    """A real number of any library as a float; None for everything else."""
    if isinstance(value, int | float):
        return value
    if isinstance(value, np.ndarray):
        return float(value) if value.ndim == 0 and value.dtype != object else None
    if isinstance(value, np.complexfloating):
        return None
    return float(value) if isinstance(value, np.number | np.bool_ | Real | Decimal) else None


def plain(value: Any) -> Any:
    """A matrix object that holds a single expression as that expression; others unchanged."""
    single = getattr(value, "_as_expression", None)
    if single is not None:
        return single()
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return value.item()
    return value


def members(given: Any) -> list[Any]:
    """The members of a list, array, generator or dictionary."""
    found = given.values() if isinstance(given, Mapping) else given
    if hasattr(found, "tolist"):
        found = found.tolist()
    return [plain(item) for item in found]


def spread(operate: Callable[[Any], Any], array: Any) -> Any:
    """Apply an operator to every element of a numpy array."""
    out = np.empty(array.shape, object)
    flat = out.reshape(-1)
    for place, item in enumerate(array.reshape(-1)):
        flat[place] = operate(item)
    return out


class Relation:
    """A comparison of two expressions, which is not yet a constraint of a model."""

    __slots__ = ("_lhs", "_rhs", "_sense")
    _lhs: Any
    _sense: str
    _rhs: Any
    __hash__ = object.__hash__


def make(kind: type[Any], coeffs: list[float], variables: list[Any], constant: float) -> Any:
    """A linear expression that takes over the lists."""
    found = _new(kind)
    found._c = coeffs
    found._v = variables
    found._k = constant
    return found


def relate(kind: type[Any], lhs: Any, sense: str, rhs: Any) -> Any:
    """A comparison; `sense` is one of < > =."""
    found = _new(kind)
    found._lhs = lhs
    found._sense = sense
    found._rhs = rhs
    return found


def text_of(coefficient: float, name: str) -> str:
    """A term as text; a coefficient of one is left out."""
    return name if coefficient == 1.0 else f"{float(coefficient)} {name}"
