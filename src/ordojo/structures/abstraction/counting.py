"""Row names that only count: where columns tell the rows apart, a running number is no index."""

import numpy as np

from ordojo.structures.abstraction.tables import Members
from ordojo.structures.flat import Flat, Ints

FEWEST = 3
"""Rows of a family whose numbers are looked at."""


class Counting:
    """Which families are numbered in their order, though each row stands for a column of a group.

    `setup_1` to `setup_90`, each with one `x[t, i]`, are over (t, i). Where the number is an index
    of the columns up to a shift, as in `capacity_1` to `capacity_15` with all `x[t, i]` of one t,
    it stays.
    """

    def __init__(self, flat: Flat, cols: Members, rows: Members, right: list[list[Ints]]) -> None:
        self._flat, self._cols, self._rows, self._right = flat, cols, rows, right

    def __call__(self, family: int, fields: list[Ints]) -> bool:
        """Whether the fields of a family's names are such a running number."""
        if len(fields) != 1 or len(fields[0]) < FEWEST or (np.diff(fields[0]) != 1).any():
            return False
        starts, col, _ = self._flat.by_rows
        items = self._rows.items[family]
        many = np.diff(starts)[items]
        row = np.repeat(np.arange(len(items)), many)
        shift = np.repeat(starts[items] - np.cumsum(many) + many, many)
        met = col[np.arange(len(row)) + shift]
        single = False
        for group in np.unique(self._cols.label[met]).tolist():
            mine = self._cols.label[met] == group
            place, number = self._cols.local[met[mine]], fields[0][row[mine]]
            if any(len(set((f[place] - number).tolist())) == 1 for f in self._right[group]):
                return False
            alone = bool((np.bincount(row[mine], minlength=len(items)) == 1).all())
            single |= (
                alone and len(self._right[group]) > 0 and len(set(place.tolist())) == len(items)
            )
        return single
