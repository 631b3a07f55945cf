"""What numpy lacks: counting, numbering and joining of whole-number keys, faster than by a sort.

`Meeting` is a join of two sides, perhaps within a window: pairs are counted by keys, and made only
when asked for.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]
Whole = NDArray[np.int64] | NDArray[np.int32]

_ROOM = 64
"""A table may be so many times as long as what is counted with it: memory against a sort."""


def bits_of(vector: NDArray[Any]) -> NDArray[Any]:
    """Floats as whole numbers, which are equal where all bits are; other numbers as they are."""
    return vector.view(np.int64) if vector.dtype == np.float64 else vector


def ordered(keys: Whole) -> Ints:
    """The places of keys from 0 on by size, equal ones in their order."""
    # Numpy counts 16-bit numbers instead of comparing them.
    order = np.argsort(keys.astype(np.uint16), kind="stable")
    top = int(keys.max(initial=0)) >> 16
    return order[ordered(keys[order] >> 16)] if top else order


def begins(keys: Whole, count: int) -> Ints:
    """Where each of 0, 1, ..., `count` begins among keys in order."""
    return np.append(0, np.cumsum(np.bincount(keys, minlength=count)))


def connected(one: Whole, other: Whole, count: int) -> Ints:
    """The part that each of `count` items is in, in order of appearance: pairs join their items."""
    label = np.arange(count)
    while len(one):
        one, other = label[one], label[other]
        low, high = np.minimum(one, other), np.maximum(one, other)
        apart = low != high
        one, other = low[apart], high[apart]
        # Each item is led to the first that its own first is led to.
        np.minimum.at(label, other, one)
        while not np.array_equal(label, further := label[label]):
            label = further
    return numbered(label)


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


def numbered(keys: Ints) -> Ints:
    """Equal numbers for equal keys, from 0 in order of appearance."""
    low, wide = span(keys)
    if wide <= 2 * len(keys):
        place = keys - low
        begins = np.full(wide, len(keys))
        begins[place[::-1]] = np.arange(len(keys))[::-1]
        rank = np.empty(wide, np.int64)
        rank[np.argsort(begins, kind="stable")] = np.arange(wide)
        return rank[place]
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    new = np.ones(len(keys), bool)
    new[1:] = ordered[1:] != ordered[:-1]
    first = order[new]
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first, kind="stable")] = np.arange(len(first))
    found = np.empty(len(keys), np.int64)
    found[order] = rank[np.cumsum(new) - 1]
    return found


def codes(fields: list[Ints], size: int) -> Ints:
    """A number for each tuple, in the order of the tuples; equal tuples get the same."""
    key = np.zeros(size, np.int64)
    room = 1
    for column in fields:
        low, high = int(column.min(initial=0)), int(column.max(initial=0))
        if room * (high - low + 1) > 2**62:
            key = np.unique(key, return_inverse=True)[1].astype(np.int64)
            room = int(key.max(initial=0)) + 1
            if room * (high - low + 1) > 2**62:
                values, column = np.unique(column, return_inverse=True)
                low, high = 0, len(values) - 1
        key = key * (high - low + 1) + (column - low)
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


def runs(keys: Ints) -> list[tuple[int, int]]:
    """Where each stretch of equal keys, none of them negative, begins and ends."""
    return list(pairwise([*np.flatnonzero(np.diff(keys, prepend=-1)).tolist(), len(keys)]))


def taking_part(which: Ints, size: int) -> Mask | None:
    """Which of 0, 1, ... are among the given; None for all of them."""
    mask = np.zeros(size, bool)
    mask[which] = True
    return None if mask.all() else mask


def stretches(begin: Ints, many: Ints) -> tuple[Ints, Ints]:
    """`many[k]` places from `begin[k]` on, stretch after stretch: the k of each, and the place."""
    which = np.repeat(np.arange(len(many)), many)
    return which, np.arange(len(which)) - np.repeat(np.cumsum(many) - many - begin, many)


def joint(sides: list[tuple[Ints, Ints]], one: int, other: int) -> tuple[Ints, Ints]:
    """Keys of both sides that are equal where all values are."""
    if not sides:
        return np.zeros(one, np.int64), np.zeros(other, np.int64)
    both = codes([np.concatenate(side) for side in sides], one + other)
    return both[:one], both[one:]


def within(sides: list[tuple[Ints, Ints]], one: int, other: int) -> bool:
    """Whether each tuple of values of the one side is one of the other's."""
    mine, theirs = joint(sides, one, other)
    return bool(np.isin(mine, theirs).all())


def met(one: Ints, other: Ints) -> int:
    """How many pairs have equal keys, none of them negative."""
    if not len(one) or not len(other):
        return 0
    top = int(max(one.max(), other.max())) + 1
    if top <= 8 * (len(one) + len(other)) + 1024:
        return int(np.bincount(one, minlength=top) @ np.bincount(other, minlength=top))
    order, mine = np.sort(other), np.sort(one)
    return int((np.searchsorted(order, mine, "right") - np.searchsorted(order, mine)).sum())


@dataclass(frozen=True, eq=False)
class Meeting:
    """Rows and columns that meet where all `equal` values are the same on both sides.

    `equal` has (values of the rows, values of the columns); with a `window` (lows, highs, values) a
    column's value must also lie between a row's low and high. A row may stand there several times.
    """

    rows: Ints
    cols: Ints
    equal: list[tuple[Ints, Ints]]
    window: tuple[Ints, Ints, Ints] | None = None

    def count(self) -> int:
        """How many pairs there are."""
        if not len(self.rows) or not len(self.cols):
            return 0
        if self.window is None:
            return met(*joint(self.equal, len(self.rows), len(self.cols)))
        first, last, keys = self._keys()
        begin, end = _stretch(first, last, np.sort(keys))
        return int((end - begin).sum())

    def pairs(self) -> tuple[Ints, Ints]:
        """The pairs, by row and then column."""
        row, col = self.unordered()
        order = np.lexsort((col, row))
        return row[order], col[order]

    def unordered(self) -> tuple[Ints, Ints]:
        """The pairs in any order."""
        first, last, keys = self._keys()
        order = np.argsort(keys, kind="stable")
        begin, end = _stretch(first, last, keys[order])
        which, place = stretches(begin, end - begin)
        return self.rows[which], self.cols[order[place]]

    def _keys(self) -> tuple[Ints, Ints, Ints]:
        """For each row the least and the greatest key that it meets, and each column's key."""
        row, col = joint(self.equal, len(self.rows), len(self.cols))
        if self.window is None:
            return row, row, col
        low, high, value = self.window
        start, wide = span(value)
        wide += 1
        if int(max(row.max(initial=0), col.max(initial=0))) * float(wide) > 2**62:
            both = np.unique(np.concatenate([row, col]), return_inverse=True)[1]
            row, col = both[: len(row)], both[len(row) :]
        # The last place of each key stays empty, so that an end before all values meets none.
        first = row * wide + np.clip(low - start, 0, wide - 1)
        last = row * wide + np.clip(high - start, -1, wide - 2)
        return first, last, col * wide + (value - start)


def _stretch(first: Ints, last: Ints, keys: Ints) -> tuple[Ints, Ints]:
    """From where to where each row's keys stand among the columns' keys in order."""
    begin = np.searchsorted(keys, first)
    return begin, np.maximum(np.searchsorted(keys, last, "right"), begin)
