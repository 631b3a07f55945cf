"""A table from 64-bit hashes to numbers, looked up for many at once."""

import numpy as np

from ordojo.structure.flat import Ints
from ordojo.structure.reader.tokens import Words


class Table:
    """Open addressing; holds the hashes given at the start, which must all differ."""

    def __init__(self, hashes: Words) -> None:
        bits = max(4, int(len(hashes) * 2 + 1).bit_length())
        self.shift, self.mask = np.uint64(64 - bits), (1 << bits) - 1
        self.hashes = hashes
        self.slots = np.full(1 << bits, -1, np.int32)
        left = np.arange(len(hashes), dtype=np.int32)
        at = self._home(hashes)
        while len(left):
            empty = self.slots[at] < 0
            self.slots[at[empty]] = left[empty]
            lost = self.slots[at] != left
            left, at = left[lost], (at[lost] + 1) & self.mask

    def _home(self, hashes: Words) -> Ints:
        return (hashes >> self.shift).view(np.int64)

    def find(self, hashes: Words) -> Ints:
        """The number of each hash, -1 where it is not held."""
        at = self._home(hashes)
        found = self.slots[at]
        if not len(self.hashes):
            return found.astype(np.int64)
        wrong = np.flatnonzero((self.hashes[found] != hashes) & (found >= 0))
        while len(wrong):
            at[wrong] = (at[wrong] + 1) & self.mask
            found[wrong] = self.slots[at[wrong]]
            still = (found[wrong] >= 0) & (self.hashes[found[wrong]] != hashes[wrong])
            wrong = wrong[still]
        return found.astype(np.int64)


def repeated(hashes: Words) -> int:
    """The place of the first hash that stood before, or -1."""
    ordered = np.sort(hashes)
    twice = ordered[1:][ordered[1:] == ordered[:-1]]
    if not len(twice):
        return -1
    seen: set[int] = set()
    wanted = set(twice.tolist())
    for place in np.flatnonzero(np.isin(hashes, twice)).tolist():
        value = int(hashes[place])
        if value in seen and value in wanted:
            return place
        seen.add(value)
    return -1
