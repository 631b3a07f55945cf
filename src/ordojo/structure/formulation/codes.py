"""Tuples of indices as numbers, and which indices a vector is a function of."""

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ordojo.structure.abstraction.tables import Array
from ordojo.structure.flat import Ints

MOST_OF = 3
"""A function is sought of at most so many indices, or of all."""
_SAMPLE = 2000


def codes(fields: list[Ints], size: int) -> Ints:
    """A number for each tuple, in the order of the tuples; equal tuples get the same."""
    key = np.zeros(size, np.int64)
    room = 1
    for field in fields:
        low, high = int(field.min(initial=0)), int(field.max(initial=0))
        if room * (high - low + 1) > 2**62:
            key = np.unique(key, return_inverse=True)[1].astype(np.int64)
            room = int(key.max(initial=0)) + 1
            if room * (high - low + 1) > 2**62:
                values, field = np.unique(field, return_inverse=True)
                low, high = 0, len(values) - 1
        key = key * (high - low + 1) + (field - low)
        room *= high - low + 1
    return key


def firsts(fields: list[Ints], size: int) -> Ints:
    """Where each distinct tuple first stands, in the order of the tuples."""
    if not fields:
        return np.zeros(min(size, 1), np.int64)
    return np.unique(codes(fields, size), return_index=True)[1]


def is_function(bits: NDArray[Any], key: Ints) -> bool:
    """Whether equal keys have equal values."""
    order = np.argsort(key, kind="stable")
    same = key[order][1:] == key[order][:-1]
    values = bits[order]
    return bool((values[1:][same] == values[:-1][same]).all())


def function_of(vector: Array, fields: list[Ints]) -> tuple[tuple[int, ...], int] | None:
    """The indices, with the fewest tuples, that a vector depends on, and how many tuples.

    None where it is a function of no few of them (all of them together are not tried).
    """
    size = len(vector)
    bits = vector.view(np.int64) if vector.dtype == np.float64 else vector
    step = max(1, size // _SAMPLE)
    whole = len(fields)
    for width in range(1, min(MOST_OF, whole - 1) + 1):
        found: list[tuple[int, tuple[int, ...]]] = []
        for which in combinations(range(whole), width):
            mine = [fields[k] for k in which]
            if step > 1:
                some = slice(None, None, step)
                few = codes([field[some] for field in mine], len(bits[some]))
                if not is_function(bits[some], few):
                    continue
            key = codes(mine, size)
            if is_function(bits, key):
                found.append((len(np.unique(key)), which))
        if found:
            count, which = min(found)
            return which, count
    return None


def line_of(vector: Array, field: Ints) -> tuple[int, int] | None:
    """(step, start) where a vector is a whole line through an index of four values or more."""
    if len(vector) < 4 or vector.dtype.kind not in "fi":
        return None
    low, high = int(np.argmin(field)), int(np.argmax(field))
    run = int(field[high]) - int(field[low])
    if run < 3:
        return None
    with np.errstate(invalid="ignore"):
        step = float(vector[high] - vector[low]) / run
    if not np.isfinite(step) or step == 0 or step != np.trunc(step) or abs(step) > 2**31:
        return None
    start = float(vector[low]) - step * float(field[low])
    if start != np.trunc(start) or abs(start) > 2**53 or len(np.unique(field[:64])) < 4:
        return None
    line = (field * int(step) + int(start)).astype(vector.dtype)
    return (int(step), int(start)) if line.tobytes() == vector.tobytes() else None
