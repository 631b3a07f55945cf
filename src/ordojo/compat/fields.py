"""What a message says, read field by field."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ordojo.compat.wire import TYPES, BadMessage


class Fields:
    """A mapping from outside, read field by field with the types that are expected.

    Every method raises BadMessage, naming the field, where it does not fit.
    """

    def __init__(self, data: Any, what: str) -> None:
        if not isinstance(data, dict):
            raise BadMessage(f"{what} is not a set of fields")
        self._data, self._what = data, what

    def has(self, name: str) -> bool:
        """Whether the field is there and not null."""
        return self._data.get(name) is not None

    def raw(self, name: str) -> Any:
        """The field as it is."""
        if name not in self._data:
            raise BadMessage(f"{self._what} has no '{name}'")
        return self._data[name]

    def _bad(self, name: str, wanted: str) -> BadMessage:
        return BadMessage(f"'{name}' of {self._what} is not {wanted}")

    def text(self, name: str) -> str:
        """A text."""
        found = self.raw(name)
        if not isinstance(found, str):
            raise self._bad(name, "a text")
        return found

    def flag(self, name: str) -> bool:
        """True or false."""
        found = self.raw(name)
        if not isinstance(found, bool):
            raise self._bad(name, "true or false")
        return found

    def whole(self, name: str, low: int = -(2**53), high: int = 2**53) -> int:
        """An integer in [low, high]."""
        found = self.raw(name)
        if type(found) is not int or not low <= found <= high:
            raise self._bad(name, f"a whole number from {low} to {high}")
        return found

    def number(self, name: str, finite: bool = True, nan: bool = False) -> float:
        """A number; infinite and NaN ones only where allowed."""
        found = self.raw(name)
        if isinstance(found, bool) or not isinstance(found, int | float):
            raise self._bad(name, "a number")
        try:
            value = float(found)
        except OverflowError:
            value = math.inf
        if (math.isnan(value) and not nan) or (finite and math.isinf(value)):
            raise self._bad(name, "a finite number")
        return value

    def maybe(self, name: str, read: Callable[..., Any], *limits: Any) -> Any:
        """What `read` makes of the field, None where it is absent."""
        return read(name, *limits) if self.has(name) else None

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts."""
        found = self.raw(name)
        if not isinstance(found, list) or not all(type(part) is str for part in found):
            raise self._bad(name, "a list of texts")
        return tuple(found)

    def items(self, name: str, limit: int) -> list[Any]:
        """A list of at most `limit` things."""
        found = self.raw(name)
        if not isinstance(found, list) or len(found) > limit:
            raise self._bad(name, f"a list of at most {limit}")
        return found

    def floats(
        self, name: str, length: int | None = None, finite: bool = True, nan: bool = False
    ) -> NDArray[np.float64]:
        """An array of float64 of that length; infinite and NaN ones only where allowed."""
        found = self._array(name, "f8", length)
        if not (np.isfinite(found).all() if finite else nan or not np.isnan(found).any()):
            raise self._bad(name, "an array of numbers that it may hold")
        return found

    def numbers(
        self, name: str, length: int | None, below: int, unique: bool = False
    ) -> NDArray[np.int32]:
        """An array of int32 in [0, below), without repetition where `unique`."""
        found = self._array(name, "i4", length)
        if len(found) and (found.min() < 0 or found.max() >= below):
            raise self._bad(name, f"an array of numbers below {below}")
        if unique and len(np.unique(found)) != len(found):
            raise self._bad(name, "free of repetitions")
        return found

    def codes(self, name: str, length: int, below: int) -> NDArray[np.uint8]:
        """An array of bytes in [0, below)."""
        found = self._array(name, "u1", length)
        if len(found) and found.max() >= below:
            raise self._bad(name, f"an array of codes below {below}")
        return found

    def _array(self, name: str, kind: str, length: int | None) -> NDArray[Any]:
        found = self.raw(name)
        if not isinstance(found, np.ndarray) or found.dtype != TYPES[kind]:
            raise self._bad(name, f"an array of {kind}")
        if length is not None and len(found) != length:
            raise self._bad(name, f"of length {length} but {len(found)}")
        return found
