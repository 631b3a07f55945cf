"""Sorting and counting whole numbers, without comparing them where their range is small."""

import numpy as np

from ordojo.structure.flat import Ints

_ROOM = 64
"""A table may be so many times as long as what is counted with it."""


def ordered(keys: Ints) -> Ints:
    """The places of keys from 0 on by size, equal ones in their order."""
    # Numpy counts 16-bit numbers instead of comparing them.
    narrow = keys.astype(np.uint16) if keys.max(initial=0) < 1 << 16 else keys
    return np.argsort(narrow, kind="stable")


def distinct(keys: Ints) -> Ints:
    """The different keys by size."""
    low, wide = span(keys)
    if wide > _ROOM * len(keys):
        by_size: Ints = np.sort(keys)
        found: Ints = by_size[np.append(True, by_size[1:] != by_size[:-1])]
        return found
    used = np.zeros(wide, bool)
    used[keys - low] = True
    return np.flatnonzero(used) + low


def commonest(keys: Ints) -> tuple[int, int]:
    """The key that stands most often, the least of such, and how often."""
    low, wide = span(keys)
    if wide > len(keys):
        values, counts = np.unique(keys, return_counts=True)
        k = int(np.argmax(counts))
        return int(values[k]), int(counts[k])
    counts = np.bincount(keys - low)
    k = int(np.argmax(counts))
    return low + k, int(counts[k])


def span(keys: Ints) -> tuple[int, int]:
    """The least key, and how many there are from it to the greatest."""
    if not len(keys):
        return 0, 0
    low = int(keys.min())
    return low, int(keys.max()) - low + 1
