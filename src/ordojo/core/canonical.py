"""JSON values, their one canonical spelling, and digests of it."""

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any

Json = None | bool | int | float | str | Sequence[Any] | Mapping[str, Any]


def canonical(value: Any) -> str:
    """Spell a JSON value in the one way that equal values share: sorted keys, no blanks.

    Dataclasses count as their fields, numpy's numbers and arrays as Python's.
    """
    import json  # models need it only for their digests

    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=_fields
    )


def _fields(value: Any) -> Any:
    if hasattr(value, "tolist"):
        return value.tolist()
    return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}


def significant(value: float, digits: int = 12) -> float:
    """A computed number as it is kept: to this many significant digits.

    Twelve: 1e6 times finer than what a certificate promises (1e-6), 1e3 times coarser than what
    another compiler's or processor's arithmetic moves. Of the two zeros it is the positive one.
    """
    return float(f"{value:.{digits}g}") + 0.0


def digest(value: Any) -> str:
    """SHA-256 of the canonical spelling, 64 hexadecimal digits."""
    import hashlib  # which loads a library of cryptography

    return hashlib.sha256(canonical(value).encode("utf-8", "surrogatepass")).hexdigest()


def finite(value: Any) -> Any:
    """The value with null for what is infinite or NaN, which JSON does not have, at any depth."""
    if isinstance(value, Mapping):
        return {name: finite(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [finite(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
