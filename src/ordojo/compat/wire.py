"""Messages between a program and the solver service: a JSON header, then raw arrays.

A message is MAGIC, the header's length as 8 bytes, the header (JSON, UTF-8), blanks up to a
multiple of 8, and the arrays that the header mentions as {"@": number}, each little-endian and
padded to 8 bytes; `arrays` in the header gives their types and lengths in order. Nothing here runs
what the other side sent: what does not fit raises BadMessage, one sentence.
"""

import dataclasses
import json
import math
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ordojo.core.errors import SolverError

HEAD = b"model of a library: "
"""Begins the message in which `told_models` sends a problem."""
MAGIC = b"ODJ1"
ARRAY = "@"
TYPES: Mapping[str, np.dtype[Any]] = MappingProxyType(
    {"f8": np.dtype("<f8"), "i4": np.dtype("<i4"), "u1": np.dtype("u1")}
)
_START = len(MAGIC) + 8
_DEEP = 12
"""Levels of a body: a problem has six; a reader that recurses must not be sent deeper."""

HEADER = 64 << 20
"""Bytes of a header: the names of three million columns and rows."""
COUNTED = {b",": 6_000_000, b"[": 3_000_000, b"{": 500_000}
"""How often each may stand in a header, names included. What they part is a value of up to 60
bytes to its reader, a list of 130, a set of fields of 470: a gigabyte for all together."""


class BadMessage(SolverError):  # noqa: N818 (it is a finding about the sender)
    """The other side sent something that is no message, or no problem."""


class Refused(SolverError):  # noqa: N818 (as above)
    """What was sent is a problem, but not one that is allowed or can be solved."""


def pack(header: Mapping[str, Any]) -> bytes:
    """A message as bytes; arrays (float64, int32 or uint8) may stand anywhere in the header.

    Dataclasses and named tuples count as their fields. Numbers that JSON lacks (infinite, NaN) are
    spelled as text in {"#": ...}.
    """
    arrays: list[NDArray[Any]] = []
    body = json.dumps({"body": _plain(header, arrays), "arrays": _listed(arrays)}).encode()
    parts: list[Any] = [
        MAGIC,
        len(body).to_bytes(8, "little"),
        body,
        b" " * (-(_START + len(body)) % 8),
    ]
    for array in arrays:
        parts += [array.data.cast("B") if array.size else b"", b"\0" * (-array.nbytes % 8)]
    return b"".join(parts)


def _listed(arrays: Sequence[NDArray[Any]]) -> list[list[Any]]:
    return [[array.dtype.str[1:], len(array)] for array in arrays]


def _plain(value: Any, arrays: list[NDArray[Any]]) -> Any:
    match value:
        case np.ndarray():
            kind = {"f": "f8", "i": "i4", "u": "u1", "b": "u1"}[value.dtype.kind]
            arrays.append(np.ascontiguousarray(value, TYPES[kind]))
            return {ARRAY: len(arrays) - 1}
        case None | bool() | str():
            return value if not isinstance(value, Enum) else value.value
        case int():
            return int(value)
        case float() | np.floating():
            number = float(value)
            return number if math.isfinite(number) else {"#": repr(number)}
        case np.integer():
            return int(value)
        case Mapping():
            return {str(key): _plain(part, arrays) for key, part in value.items()}
        case tuple() if hasattr(value, "_asdict"):
            return _plain(value._asdict(), arrays)
        case list() | tuple():
            if value and all(type(part) is str for part in value):
                return list(value)
            return [_plain(part, arrays) for part in value]
        case _ if dataclasses.is_dataclass(value):
            names = [field.name for field in dataclasses.fields(value)]
            return {name: _plain(getattr(value, name), arrays) for name in names}
    raise BadMessage(f"a {type(value).__name__} cannot be sent; send numbers, texts and arrays")


def unpack(data: bytes) -> dict[str, Any]:
    """The header of a message, its arrays (read-only) in their places; raises BadMessage."""
    if len(data) < _START or data[: len(MAGIC)] != MAGIC:
        raise BadMessage("the bytes are no message of this protocol")
    length = int.from_bytes(data[len(MAGIC) : _START], "little")
    if length > len(data) - _START:
        raise BadMessage("the message's header is cut off")
    header = data[_START : _START + length]
    _count(header)
    try:
        found = json.loads(header)
    except (ValueError, RecursionError):
        raise BadMessage("the message's header is not JSON") from None
    if not isinstance(found, dict) or not isinstance(found.get("body"), dict):
        raise BadMessage("the message has no body")
    arrays = _arrays(data, _START + length + -(_START + length) % 8, found.get("arrays"))
    body = _filled(found["body"], arrays, 0)
    assert isinstance(body, dict)
    return body


def _count(header: bytes) -> None:
    """Refuse what would cost its reader far more memory than its bytes, before it is read."""
    if len(header) > HEADER:
        raise BadMessage(f"the message's header is over {HEADER} bytes")
    for sign, most in COUNTED.items():
        if header.count(sign) > most:
            raise BadMessage(f"the message's header has over {most} of '{sign.decode()}'")


def _arrays(data: bytes, place: int, listed: Any) -> list[NDArray[Any]]:
    if not isinstance(listed, list):
        raise BadMessage("the message does not list its arrays")
    arrays = []
    for entry in listed:
        match entry:
            case [str(kind), int(count)] if kind in TYPES and count >= 0:
                size = count * TYPES[kind].itemsize
            case _:
                raise BadMessage("the message lists an array of no known type and length")
        if place + size > len(data):
            raise BadMessage("the message's arrays are cut off")
        arrays.append(np.frombuffer(data, TYPES[kind], count, place))
        place += size + -size % 8
    if place < len(data):
        raise BadMessage("the message is longer than its arrays")
    return arrays


def _filled(value: Any, arrays: list[NDArray[Any]], depth: int) -> Any:
    if depth > _DEEP:
        raise BadMessage("the message is nested too deep")
    if isinstance(value, dict):
        if value.keys() == {ARRAY}:
            number = value[ARRAY]
            if type(number) is not int or not 0 <= number < len(arrays):
                raise BadMessage("the message mentions an array that it does not have")
            return arrays[number]
        if value.keys() == {"#"}:
            if value["#"] not in ("inf", "-inf", "nan"):
                raise BadMessage("the message has a number that is none")
            return float(value["#"])
        return {key: _filled(part, arrays, depth + 1) for key, part in value.items()}
    if isinstance(value, list):
        if value and all(type(part) is str for part in value):
            return value
        return [_filled(part, arrays, depth + 1) for part in value]
    return value


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
