"""What an attribute is, and the values that Gurobi's attributes take."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ordojo.compat.core.store import LARGE
from ordojo.compat.gurobipy.errors import GurobiError, failure

KINDS = "CIBSN"
"""Gurobi's letters of the variable types, in the order of `VarType`."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """How an attribute is read from a handle, set on it, and which Python type it takes.

    A `hint` leaves the solution of the last solve in place, as names do.
    """

    name: str
    get: Callable[[Any], Any]
    set: Callable[[Any, Any], None] | None = None
    takes: str = "double"
    hint: bool = False


def converted(attribute: Attribute, value: Any) -> Any:
    """The value as the attribute's type; AttributeError as Gurobi says it."""
    try:
        if attribute.takes == "string":
            if not isinstance(value, str):
                raise TypeError
            return value
        if attribute.takes == "character":
            if not isinstance(value, str):
                raise TypeError
            return kind_of(value) if attribute.name == "VType" else _sense(value)
        if isinstance(value, str):
            raise TypeError
        return int(value) if attribute.takes == "integer" else float(value)
    except TypeError:
        raise AttributeError(
            f"Attribute '{attribute.name}' takes {attribute.takes} value"
        ) from None
    except GurobiError as error:
        raise AttributeError(str(error)) from None


def single(letter: Any) -> str:
    """A letter of a list of several; ValueError or TypeError as Gurobi's where it is none."""
    if isinstance(letter, bytes) and len(letter) == 1:
        return letter.decode("latin-1")
    if not isinstance(letter, str):
        kind = type(letter).__name__
        raise TypeError(f"ord() expected string of length 1, but {kind} found")
    if len(letter) != 1:
        raise ValueError(
            "only single character unicode strings can be converted to Py_UCS4, "
            f"got length {len(letter)}"
        )
    return letter


def kind_of(letter: Any) -> int:
    """The code of a variable type's letter, the first of a word."""
    if isinstance(letter, bytes):
        raise TypeError("ord() expected string of length 1, but int found")
    found = KINDS.find(letter[0].upper())
    if found < 0:
        raise failure("INVALID_ARGUMENT", f"Invalid variable type '{letter[0]}'")
    return found


def _sense(text: str) -> str:
    if text[:1] not in ("<", ">", "="):
        raise failure("INVALID_ARGUMENT", f"Invalid constraint sense: '{text}'")
    return text[0]


def infinite(value: float) -> float:
    """A bound with Gurobi's large numbers made infinite."""
    return float("inf") if value >= LARGE else -float("inf") if value <= -LARGE else value
