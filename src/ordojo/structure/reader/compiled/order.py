"""The entries of each column by row, and the objective's apart, in place."""

import numpy as np
from numpy.typing import NDArray

from ordojo.structure.flat import Floats, Ints
from ordojo.structure.reader.compiled.jit import compiled, signed

Numbers = NDArray[np.int32]
_SHORT = np.uint64(8)
"""So many entries of a column are sorted by putting in one after the other."""

_ONE = np.uint64(1)


@compiled
def order(
    begins: Ints, row: Numbers, value: Floats, rows: int, goal: int, objective: Floats,
    counts: Ints,
) -> int:  # fmt: skip
    """Sort and move the entries; gives how many stay, or -1 where one stands twice.

    Column c has the entries from `begins[c]` on, at least one, in rows below `rows`. Those in row
    `goal` go to `objective`; `counts` takes how many others each column has.
    """
    if not _short_ordered(begins, row, value):
        _sort(begins, row, value, rows)
    # Places are unsigned: a signed one would be tested for counting from the end.
    kept = np.uint64(0)
    for c in range(len(begins) - 1):
        before, former = kept, -1
        for k in range(np.uint64(begins[c]), np.uint64(begins[c + 1])):
            number, entry = signed(row[k]), value[k]
            if number == former:
                return -1
            former = number
            if number == goal:
                objective[c] = entry
                continue
            row[kept] = number - 1 if 0 <= goal < number else number
            value[kept] = entry
            kept += _ONE
        counts[c] = signed(kept - before)
    return signed(kept)


@compiled
def _short_ordered(begins: Ints, row: Numbers, value: Floats) -> bool:
    """Sort the short columns; whether the others are sorted."""
    ordered = True
    for c in range(len(begins) - 1):
        low, high = np.uint64(begins[c]), np.uint64(begins[c + 1])
        short = high - low <= _SHORT
        for k in range(low + _ONE, high):
            if row[k] < row[k - _ONE]:
                if not short:
                    ordered = False
                    break
                number, entry, place = row[k], value[k], np.uint64(k)
                while place > low and row[place - _ONE] > number:
                    row[place], value[place] = row[place - _ONE], value[place - _ONE]
                    place -= _ONE
                row[place], value[place] = number, entry
    return ordered


@compiled
def _sort(begins: Ints, row: Numbers, value: Floats, rows: int) -> None:
    """Sort the entries by row and put them, in that order, back to their columns."""
    size = np.uint64(begins[-1])
    col, other, ends = np.empty(size, np.int32), np.empty(size), np.zeros(rows + 1, np.int64)
    for k in range(size):
        ends[np.uint64(row[k]) + _ONE] += 1
    for r in range(rows):
        ends[r + 1] += ends[r]
    for c in range(len(begins) - 1):
        for k in range(np.uint64(begins[c]), np.uint64(begins[c + 1])):
            place = np.uint64(ends[np.uint64(row[k])])
            ends[np.uint64(row[k])] += 1
            col[place], other[place] = c, value[k]
    free, low = begins.copy(), np.uint64(0)
    for r in range(rows):
        high = np.uint64(ends[r])
        for k in range(low, high):
            place = np.uint64(free[np.uint64(col[k])])
            free[np.uint64(col[k])] += 1
            row[place], value[place] = r, other[k]
        low = high
