"""Relations from a first to a last index that depend on the row, or on the column."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np

from ordojo.structure.flat import Ints
from ordojo.structure.formulation.codes import codes, function_of, line_of
from ordojo.structure.formulation.relation import Entries, Fields, Mask, Relation, matched


def spans(
    e: Entries, base: Relation, rows: Mask | None, cols: Mask | None
) -> Iterator[tuple[float, Relation]]:
    """From a first to a last index that depend on the row, or on the column."""
    for side, fields, words, used, mine, own, mask in (
        ("rows", e.right, e.right_words, base.bound | base.fixed, e.row, e.col, rows),
        ("cols", e.left, e.left_words, {a for a, _ in base.bound.values()}, e.col, e.row, cols),
    ):
        size = e.sizes[0] if side == "rows" else e.sizes[1]
        others = e.left if side == "rows" else e.right
        for k, values in enumerate(fields):
            if k in used or words[k] or len(e.row) < 1.5 * size:
                continue
            low = np.full(size, np.iinfo(np.int64).max)
            high = np.full(size, np.iinfo(np.int64).min)
            np.minimum.at(low, mine, values[own])
            np.maximum.at(high, mine, values[own])
            if mask is not None:
                low[~mask], high[~mask] = 1, 0
            found = replace(base, rung="interval", span=(side, k, low, high))
            if matched(e, found) != len(e.row):
                continue
            first = _unclipped(low, int(values.min()), -1, others)
            last = _unclipped(high, int(values.max()), 1, others)
            price = sum(
                _price(end if base is None else end - others[base], others)
                for end, base in (first, last)
            )
            ends = first[0], last[0]
            yield price, replace(found, span=(side, k, *ends), bases=(first[1], last[1]))


def _unclipped(end: Ints, edge: int, sign: int, others: Fields) -> tuple[Ints, int | None]:
    """An end as an index plus what fewer indices decide, without the cut at the outermost index.

    Indices beyond the outermost exist for no member, so nothing changes where it is cut.
    """
    best, base, price = end, None, _price(end, others)
    cut = (end - edge) * sign >= 0
    for k, other in enumerate(others):
        shift = end - other
        for which in [(), *((j,) for j in range(len(others)) if j != k),
                      *combinations([j for j in range(len(others)) if j != k], 2)]:  # fmt: skip
            keys = codes([others[j] for j in which], len(end))
            _, place = np.unique(keys, return_inverse=True)
            count = int(place.max()) + 1
            if count >= 0.5 * price:
                continue
            most = np.full(count, np.iinfo(np.int64).min)
            np.maximum.at(most, place, np.where(cut, np.iinfo(np.int64).min, shift))
            outer = np.full(count, np.iinfo(np.int64).min)
            np.maximum.at(outer, place, shift * sign)
            found = np.where(most > np.iinfo(np.int64).min, most, outer * sign)[place]
            whole = other + found
            right = (whole == end) | (cut & ((whole - edge) * sign >= 0))
            if right.all():
                best, base, price = whole, k, float(count)
    return best, base


def _price(vector: Ints, fields: Fields) -> float:
    if bool((vector == vector[0]).all()):
        return 1.0
    if any(line_of(vector, one) is not None for one in fields):
        return 1.0
    found = function_of(vector, fields)
    return float(found[1] if found else len(vector))
