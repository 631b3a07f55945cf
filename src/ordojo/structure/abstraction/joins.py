"""Pairs of rows and columns whose indices agree: what a join says, and how many pairs that is."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ordojo.structure.flat import Ints

Mask = NDArray[np.bool_]


@dataclass
class Join:
    """Atoms that hold of every pair; index k of a side is its field k, or its place for k = -1.

    equal: (row index, column index, shift): column = row + shift. window: the same with a lowest
    and highest shift. modular: (row, column, shift, modulus). pairs: (row, column, table of pairs).
    rows, cols: the members that take part at all (None: every one). most: give up where the table
    makes more rows than that.
    """

    equal: list[tuple[int, int, int]]
    window: tuple[int, ...] | None
    modular: tuple[int, ...] | None
    pairs: tuple[int, int, Ints] | None
    rows: Mask | None
    cols: Mask | None
    most: int = 1 << 40


def placed(fields: list[Ints], size: int) -> dict[int, Ints]:
    """The fields by their numbers, and the place in the set as number -1."""
    found = dict(enumerate(fields))
    found[-1] = np.arange(size)
    return found


def count(join: Join, left: list[Ints], right: list[Ints], sizes: tuple[int, int]) -> int:
    """How many pairs a join says, without making them; -1 where its numbers are too wide."""
    found = _ranges(join, left, right, sizes)
    return -1 if found is None else int((found[2] - found[1]).sum())


def expand(
    join: Join, left: list[Ints], right: list[Ints], sizes: tuple[int, int]
) -> tuple[Ints, Ints]:
    """The pairs of a join, by row and then column."""
    found = _ranges(join, left, right, sizes)
    if found is None:
        raise ValueError("a join over indices that are too wide")
    rows, low, high, cols = found
    many = high - low
    row = np.repeat(rows, many)
    place = np.arange(len(row)) - np.repeat(np.cumsum(many) - many - low, many)
    col = cols[place]
    order = np.lexsort((col, row))
    return row[order], col[order]


def _ranges(
    join: Join, left: list[Ints], right: list[Ints], sizes: tuple[int, int]
) -> tuple[Ints, Ints, Ints, Ints] | None:
    """Rows, and for each the stretch of the sorted columns that it meets."""
    a_fields, b_fields = placed(left, sizes[0]), placed(right, sizes[1])
    rows = np.arange(sizes[0]) if join.rows is None else np.flatnonzero(join.rows)
    cols = np.arange(sizes[1]) if join.cols is None else np.flatnonzero(join.cols)
    values = [(a_fields[a][rows] + shift, b_fields[b][cols]) for a, b, shift in join.equal]
    if join.modular:
        a, b, shift, step = join.modular
        values.append(((a_fields[a][rows] + shift) % step, b_fields[b][cols] % step))
    window = None
    if join.window:
        a, b, low, high = join.window
        window = (a_fields[a][rows] + low, a_fields[a][rows] + high, b_fields[b][cols])
    if join.pairs is not None:
        a, b, table = join.pairs
        order = np.argsort(table[:, 0], kind="stable")
        keys = table[order, 0]
        mine = a_fields[a][rows]
        begin, end = np.searchsorted(keys, mine), np.searchsorted(keys, mine, "right")
        many = end - begin
        if int(many.sum()) > join.most:
            return None
        again = np.repeat(np.arange(len(rows)), many)
        place = np.arange(len(again)) - np.repeat(np.cumsum(many) - many - begin, many)
        rows = rows[again]
        values = [(av[again], bv) for av, bv in values]
        values.append((table[order, 1][place], b_fields[b][cols]))
        if window:
            window = (window[0][again], window[1][again], window[2])
    row_key, col_key = np.zeros(len(rows), np.int64), np.zeros(len(cols), np.int64)
    room = 1.0
    for av, bv in values:
        low, high = int(bv.min(initial=0)), int(bv.max(initial=0))
        room *= high - low + 1.0
        if room > 2**50:
            return None
        inside = (av >= low) & (av <= high)
        col_key = col_key * (high - low + 1) + (bv - low)
        row_key = np.where(inside & (row_key >= 0), row_key * (high - low + 1) + (av - low), -1)
    if window:
        lows, highs, bv = window
        low, high = int(bv.min(initial=0)), int(bv.max(initial=0))
        width = high - low + 1
        if room * width > 2**62:
            return None
        col_key = col_key * width + (bv - low)
        first = np.where(row_key >= 0, row_key * width + np.clip(lows - low, 0, width), -1)
        last = np.where(row_key >= 0, row_key * width + np.clip(highs - low, -1, width - 1), -1)
    else:
        first = last = row_key
    order = np.argsort(col_key, kind="stable")
    col_key = col_key[order]
    begin = np.searchsorted(col_key, first)
    end = np.maximum(np.searchsorted(col_key, last, "right"), begin)
    return rows, begin, end, cols[order]
