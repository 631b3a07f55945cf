"""Pairs of rows and columns whose indices agree: found from samples, proved by counting."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ordojo.structure.flat import Ints
from ordojo.structure.grouping.keys import distinct, span

Mask = NDArray[np.bool_]
SLACK = 1.5
"""Numbers in a table of index pairs may be at most the pairs said, divided by this."""


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


def _fields(fields: list[Ints], size: int) -> dict[int, Ints]:
    found = dict(enumerate(fields))
    found[-1] = np.arange(size)
    return found


def find_join(
    row: Ints, col: Ints, left: list[Ints], right: list[Ints], sizes: tuple[int, int]
) -> Join | None:
    """A join, perhaps with a window or a modulus, that says exactly these pairs; or None."""
    a_fields, b_fields = _fields(left, sizes[0]), _fields(right, sizes[1])
    equal, wide = _equal(row, col, a_fields, b_fields)
    masks = _taking_part(row, sizes[0]), _taking_part(col, sizes[1])
    base = Join(equal, None, None, None, *masks)
    if count(base, left, right, sizes) == len(row):
        return _simplest(base, left, right, sizes, len(row))
    for a, b in wide:
        shift = b_fields[b][col] - a_fields[a][row]
        low, high = int(shift.min()), int(shift.max())
        for window, modular in (((a, b, low, high), None), (None, _modulus(a, b, shift))):
            if window is None and modular is None:
                continue
            found = Join(equal, window, modular, None, *masks)
            if count(found, left, right, sizes) == len(row):
                return _simplest(found, left, right, sizes, len(row))
    return None


def find_pairs(
    row: Ints, col: Ints, left: list[Ints], right: list[Ints], sizes: tuple[int, int]
) -> Join | None:
    """A join through a table of index pairs, clearly shorter than the list of pairs; or None."""
    a_fields, b_fields = _fields(left, sizes[0]), _fields(right, sizes[1])
    equal, wide = _equal(row, col, a_fields, b_fields)
    masks = _taking_part(row, sizes[0]), _taking_part(col, sizes[1])
    telling = [[len(distinct(one)) == len(one) for one in fields] for fields in (left, right)]
    for a, b in wide:
        # Where both indices tell all members apart, there are as many pairs of them as of members.
        if a < 0 or b < 0 or (telling[0][a] and telling[1][b]):
            continue
        av, bv = left[a][row], right[b][col]
        low, wide_b = span(bv)
        if (float(av.max()) - float(av.min()) + 1) * wide_b > 2**60:
            continue
        keys = distinct((av - av.min()) * wide_b + (bv - low))
        if 2 * len(keys) * SLACK > len(row):
            continue
        table = np.stack([keys // wide_b + av.min(), keys % wide_b + low], 1)
        found = Join(equal, None, None, (a, b, table), *masks, 2 * len(row) + 100)
        if count(found, left, right, sizes) == len(row):
            return found
    return None


def _equal(
    row: Ints, col: Ints, a_fields: dict[int, Ints], b_fields: dict[int, Ints]
) -> tuple[list[tuple[int, int, int]], list[tuple[int, int]]]:
    """The indices that differ by the same number in all pairs, with it; and the others."""
    equal, wide = [], []
    sample = slice(None, None, max(1, len(row) // 200))
    for a, af in a_fields.items():
        for b, bf in b_fields.items():
            few = bf[col[sample]] - af[row[sample]]
            if (few == few[0]).all():
                every = bf[col] - af[row]
                if (every == every[0]).all():
                    equal.append((a, b, int(every[0])))
                    continue
            wide.append((a, b))
    return equal, wide


def _taking_part(which: Ints, size: int) -> Mask | None:
    mask = np.zeros(size, bool)
    mask[which] = True
    return None if mask.all() else mask


def _modulus(a: int, b: int, shift: Ints) -> tuple[int, int, int, int] | None:
    step = int(np.gcd.reduce(shift - shift[0]))
    return (a, b, int(shift[0]) % step, step) if step > 1 else None


def _simplest(
    join: Join, left: list[Ints], right: list[Ints], sizes: tuple[int, int], total: int
) -> Join:
    """The join without the atoms and masks that the others imply."""
    for atom in sorted(join.equal, key=lambda atom: (atom[0] >= 0 and atom[1] >= 0, abs(atom[2]))):
        rest = [other for other in join.equal if other != atom]
        less = Join(rest, join.window, join.modular, join.pairs, join.rows, join.cols)
        if count(less, left, right, sizes) == total:
            join = less
    for rows, cols in ((None, None), (None, join.cols), (join.rows, None)):
        less = Join(join.equal, join.window, join.modular, join.pairs, rows, cols)
        if count(less, left, right, sizes) == total:
            return less
    return join


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
    a_fields, b_fields = _fields(left, sizes[0]), _fields(right, sizes[1])
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
