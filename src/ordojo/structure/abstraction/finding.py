"""Joins that say given pairs: guessed from samples, proved by equal counts."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ordojo.structure.abstraction.joins import Join, Mask, count, placed
from ordojo.structure.flat import Ints
from ordojo.structure.grouping.keys import distinct, span

SLACK = 1.5
"""Numbers in a table of index pairs may be at most the pairs said, divided by this."""


def find_join(
    row: Ints, col: Ints, left: list[Ints], right: list[Ints], sizes: tuple[int, int]
) -> Join | None:
    """A join, perhaps with a window or a modulus, that says exactly these pairs; or None."""
    a_fields, b_fields = placed(left, sizes[0]), placed(right, sizes[1])
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
    row: Ints, col: Ints, left: list[Ints], right: list[Ints], sizes: tuple[int, int],
    stated: Callable[[Ints], bool] | None = None,
) -> Join | None:  # fmt: skip
    """A join through a table of index pairs, clearly shorter than the list of pairs; or None.

    `stated`: whether other terms say such a table already, if they say any; then it may be long.
    """
    a_fields, b_fields = placed(left, sizes[0]), placed(right, sizes[1])
    equal, wide = _equal(row, col, a_fields, b_fields)
    masks = _taking_part(row, sizes[0]), _taking_part(col, sizes[1])
    telling = [[len(distinct(one)) == len(one) for one in fields] for fields in (left, right)]
    for a, b in wide:
        # Where both indices tell all members apart, there are as many pairs of them as of members.
        long = a < 0 or b < 0 or (telling[0][a] and telling[1][b])
        if long and (stated is None or a < 0 or b < 0):
            continue
        av, bv = left[a][row], right[b][col]
        low, wide_b = span(bv)
        if (float(av.max()) - float(av.min()) + 1) * wide_b > 2**60:
            continue
        keys = distinct((av - av.min()) * wide_b + (bv - low))
        long = long or 2 * len(keys) * SLACK > len(row)
        if long and stated is None:
            continue
        table = np.stack([keys // wide_b + av.min(), keys % wide_b + low], 1)
        if long and not (stated and stated(table)):
            continue
        found = Join(equal, None, None, (a, b, table), *masks, 8 * len(row) + 100)
        if count(found, left, right, sizes) == len(row):
            return _plainest(found, left, right, sizes, len(row))
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
        less = replace(join, equal=rest)
        if count(less, left, right, sizes) == total:
            join = less
    return _plainest(join, left, right, sizes, total)


def _plainest(
    join: Join, left: list[Ints], right: list[Ints], sizes: tuple[int, int], total: int
) -> Join:
    """The join without the masks that its atoms imply."""
    masked = join.rows is not None or join.cols is not None
    for rows, cols in ((None, None), (None, join.cols), (join.rows, None)) if masked else ():
        less = replace(join, rows=rows, cols=cols)
        if count(less, left, right, sizes) == total:
            return less
    return join
