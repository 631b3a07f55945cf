"""A join of two sides: which meet where values are equal, perhaps within a window.

Pairs are counted by keys, and made only when asked for.
"""

from dataclasses import dataclass

import numpy as np

from ordojo.structures.arrays import joint, met, span, stretches
from ordojo.structures.flat import Ints


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
        first, last, keys = self._keys()
        order = np.argsort(keys, kind="stable")
        begin, end = _stretch(first, last, keys[order])
        which, place = stretches(begin, end - begin)
        row, col = self.rows[which], self.cols[order[place]]
        order = np.lexsort((col, row))
        return row[order], col[order]

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
