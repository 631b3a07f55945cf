"""The entries of each column by row, and the objective's apart, in place."""

import numpy as np
from numpy.typing import NDArray

from ordojo.structure.flat import Floats, Ints
from ordojo.structure.reader.compiled.jit import compiled, signed

Numbers = NDArray[np.int32]
_MOVES = np.uint64(12)
"""So many moves an entry are made to sort a column by putting in one after the other."""

_NONE, _ONE = np.uint64(0), np.uint64(1)
_NO_ROW = 1 << 40


@compiled
def order(
    begins: Ints, row: Numbers, value: Floats, rows: int, goal: int, objective: Floats,
    starts: Ints,
) -> int:  # fmt: skip
    """Sort and move the entries; gives how many stay, or -1 where one stands twice.

    Column c has the entries from `begins[c]` on, at least one, in rows below `rows`. Those in row
    `goal` go to `objective`; `starts` takes where each column's others begin, and their number.
    """
    if goal < 0:
        goal = _NO_ROW
    # Places are unsigned: a signed one would be tested for counting from the end.
    kept, ordered = _NONE, True
    starts[0] = 0
    for c in range(len(begins) - 1):
        low, high = np.uint64(begins[c]), np.uint64(begins[c + 1])
        before, highest, met, loose = kept, -1, False, False
        left = _MOVES * (high - low)
        for k in range(low, high):
            number, entry, place = signed(row[k]), value[k], kept
            if number == goal:
                if met:
                    return -1
                objective[c], met = entry, True
                continue
            number -= signed(number > goal)
            kept += _ONE
            if number > highest:
                highest = number
            elif not loose:
                while place > before and row[place - _ONE] > number:
                    row[place], value[place] = row[place - _ONE], value[place - _ONE]
                    place -= _ONE
                if place > before and row[place - _ONE] == number:
                    return -1
                if left < kept - place:
                    loose = True
                left -= kept - place
            row[place], value[place] = number, entry
        starts[c + 1] = signed(kept)
        ordered &= not loose
    if not ordered and not _sort(starts, row, value, rows):
        return -1
    return signed(kept)


@compiled
def _sort(starts: Ints, row: Numbers, value: Floats, rows: int) -> bool:
    """Sort the entries by row and put them, in that order, back to their columns.

    Gives whether no entry stands twice.
    """
    size = np.uint64(starts[-1])
    col, other, ends = np.empty(size, np.int32), np.empty(size), np.zeros(rows + 1, np.int64)
    for k in range(size):
        ends[np.uint64(row[k]) + _ONE] += 1
    for r in range(rows):
        ends[r + 1] += ends[r]
    for c in range(len(starts) - 1):
        for k in range(np.uint64(starts[c]), np.uint64(starts[c + 1])):
            place = np.uint64(ends[np.uint64(row[k])])
            ends[np.uint64(row[k])] += 1
            col[place], other[place] = c, value[k]
    free, low = starts.copy(), _NONE
    for r in range(rows):
        high = np.uint64(ends[r])
        for k in range(low, high):
            place = np.uint64(free[np.uint64(col[k])])
            free[np.uint64(col[k])] += 1
            if k > low and col[k] == col[k - _ONE]:
                return False
            row[place], value[place] = r, other[k]
        low = high
    return True
