"""Arrays whose length is known only at the end, kept for the next reading."""

import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ordojo.structure.reader.stream import BLOCK, MAX_LINE, PAD

LEAST = 4
"""Bytes that an entry, a row or a bound takes in a file at least."""

_LIKELY = 16
"""What an entry takes in a file, if it takes little: room is made for so many at first."""

_MOST_KEPT = 1 << 25
"""Bytes of arrays that are kept at most."""

_MOST_COPIED = 1 << 21
"""Bytes of an array that is rather copied, so that its memory is kept, than given away."""


class Growing:
    """An array that grows as needed, from one place that holds 0."""

    def __init__(self, kind: type[np.generic]) -> None:
        self.array: NDArray[Any] = np.zeros(1, kind)

    def room(self, used: int, more: int) -> NDArray[Any]:
        """The array with its first `used` places kept and at least `more` behind."""
        if used + more > len(self.array):
            old = self.array
            # What is not used costs nothing: no memory is taken before something stands there.
            self.array = np.empty(max(2 * len(old), used + more), old.dtype)
            self.array[:used] = old[:used]
        return self.array

    def given(self, used: int) -> NDArray[Any]:
        """The array's first places; nothing else may hold it."""
        array = self.array[:used]
        if array.nbytes <= _MOST_COPIED:
            return array.copy()
        array, self.array = self.array, np.zeros(1, array.dtype)
        array.resize(used, refcheck=False)
        return array


class Scratch:
    """What a reading needs on the way: new memory takes as long as reading a small file."""

    def __init__(self) -> None:
        self.block = np.empty(MAX_LINE + BLOCK + 2 * PAD, np.uint8)
        self.heads = np.empty(BLOCK // LEAST, np.int64)
        self.senses, self.row_text = Growing(np.uint8), Growing(np.uint8)
        self.row_starts, self.row_slots = Growing(np.int64), Growing(np.uint64)
        self.col_text, self.integer = Growing(np.uint8), Growing(np.bool_)
        self.col_starts, self.col_slots = Growing(np.int64), Growing(np.uint64)
        self.begins, self.row = Growing(np.int64), Growing(np.int32)
        self.value, self.code = Growing(np.float64), Growing(np.uint64)
        self.doubts = Growing(np.int64)
        self.kinds, self.number = Growing(np.uint8), Growing(np.float64)

    def begin(self, size: int) -> None:
        """Make room for what a file of so many bytes is likely to hold."""
        likely = size // _LIKELY + BLOCK // LEAST
        self.row.room(0, likely)
        self.value.room(0, likely)

    def keep(self) -> None:
        """Keep it for the thread's next reading, if it is not large."""
        arrays = (one.array for one in vars(self).values() if isinstance(one, Growing))
        if sum(array.nbytes for array in arrays) <= _MOST_KEPT:
            _kept.scratch = self


_kept = threading.local()


def scratch() -> Scratch:
    """What the thread's last reading kept, or a new one; nobody else has it."""
    found: Scratch = vars(_kept).pop("scratch", None) or Scratch()
    return found
