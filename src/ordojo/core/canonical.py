"""JSON values, their one canonical spelling, and digests of it."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

Json = None | bool | int | float | str | Sequence[Any] | Mapping[str, Any]


def canonical(value: Json) -> str:
    """Spell a JSON value in the one way that equal values share: sorted keys, no blanks, UTF-8."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest(value: Json) -> str:
    """SHA-256 of the canonical spelling, 64 hexadecimal digits."""
    return hashlib.sha256(canonical(value).encode("utf-8", "surrogatepass")).hexdigest()
