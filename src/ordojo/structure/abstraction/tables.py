"""The tables of an abstraction: arrays under running names, in the narrowest type that fits."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Spec = dict[str, Any]
Array = NDArray[Any]
_NARROW = (np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32, np.int64)


class Tables:
    """Arrays by name; `put` gives the reference that stands in structure.json."""

    def __init__(self, arrays: dict[str, Array] | None = None) -> None:
        self.arrays: dict[str, Array] = arrays or {}

    def put(self, array: Array) -> Spec:
        """Keep an array; its values come back bit for bit, in its own type."""
        name = f"t{len(self.arrays):04d}"
        self.arrays[name] = narrowed(array)
        return {"table": name, "type": array.dtype.str}

    def get(self, spec: Spec) -> Array:
        """The array of a reference."""
        return self.arrays[str(spec["table"])].astype(str(spec["type"]))

    def numbers(self, names: set[str] | None = None) -> int:
        """How many numbers the tables hold."""
        return sum(a.size for name, a in self.arrays.items() if names is None or name in names)


def narrowed(array: Array) -> Array:
    """The same values in the narrowest whole-number type that gives back every bit, if any."""
    if array.dtype.kind == "b":
        return array.astype(np.uint8)
    if not array.size or (array.dtype.kind == "f" and not _whole(array)):
        return array
    low, high = int(array.min()), int(array.max())
    for kind in _NARROW:
        if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max:
            return array.astype(kind)
    return array


def _whole(array: Array) -> bool:
    if not np.isfinite(array).all() or np.abs(array).max() > 2**53:
        return False
    back = np.trunc(array).astype(np.int64).astype(array.dtype)
    return same_bits(back, array)


def same_bits(a: Array, b: Array) -> bool:
    """Whether two arrays of one type hold the same bits."""
    return a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes()
