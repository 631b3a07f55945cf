"""The entries of each column by row, and the objective's apart, in place."""

import numpy as np
from numpy.typing import NDArray

from ordojo.structure.flat import Floats, Ints
from ordojo.structure.reader.compiled.jit import compiled, signed


@compiled
def order(
    begins: Ints, row: NDArray[np.int32], value: Floats, goal: int, objective: Floats, counts: Ints
) -> int:
    """Sort and move the entries; gives how many stay, or -1 where one stands twice.

    Column c has the entries from `begins[c]` on. Those in row `goal` go to `objective`; `counts`
    takes how many others each column has.
    """
    kept = 0
    for c in range(len(begins) - 1):
        low, high = begins[c], begins[c + 1]
        for k in range(low + 1, high):
            if row[k] < row[k - 1]:
                _sort(row, value, low, high)
                break
        before, former = kept, -1
        for k in range(low, high):
            number, entry = signed(row[k]), value[k]
            if number == former:
                return -1
            former = number
            if number == goal:
                objective[c] = entry
                continue
            row[kept] = number - 1 if 0 <= goal < number else number
            value[kept] = entry
            kept += 1
        counts[c] = kept - before
    return kept


@compiled
def _sort(row: NDArray[np.int32], value: Floats, low: int, high: int) -> None:
    """Shell's method with Tokuda's ratio of the gaps."""
    gap = 1
    while gap * 9 // 4 + 1 < high - low:
        gap = gap * 9 // 4 + 1
    while gap > 0:
        for k in range(low + gap, high):
            number, entry = row[k], value[k]
            place = k
            while place >= low + gap and row[place - gap] > number:
                row[place], value[place] = row[place - gap], value[place - gap]
                place -= gap
            row[place], value[place] = number, entry
        gap = 0 if gap == 1 else max(1, gap * 4 // 9)
