"""Rows without names over named columns: apart by the indices they sum over and by what they add.

Where `x[v, r, c]` is summed over all v in some rows and over all c in others, these are two
statements, however alike they look. Nothing is said of rows that hold some columns of a slice only.
Nor is `make <= 90 setup` one with `carry <= setup`, though to say both at once is shorter.
"""

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from ordojo.structures.arrays import codes, numbered, ordered
from ordojo.structures.flat import Flat, Ints
from ordojo.structures.indices import LEAST, packed, recut, split_names, split_words

MOST_FIELDS = 4
"""Indices of a group that are looked at; more are rare, and ways to sum double with each."""
FEW, SHARE = 3, 0.1
"""The rows that a way to sum must have, and their share of those of a kind: a border may well be a
whole sum by chance."""


def slices(flat: Flat, groups: Ints, kinds: Ints) -> Ints:
    """For each row how it sums groups as a whole, 0 where it does not, or too few of a kind do."""
    ways = np.zeros(flat.m, np.int64)
    group = groups[flat.entry_cols]
    order = ordered(group)
    ends = np.cumsum(np.bincount(group, minlength=int(groups.max(initial=-1)) + 1)).tolist()
    for number, (begin, end) in enumerate(zip([0, *ends[:-1]], ends, strict=True)):
        entries = order[begin:end]
        members = np.flatnonzero(groups == number)
        fields = _fields(flat, members)
        if 1 < len(fields) <= MOST_FIELDS and len(entries):
            ways = numbered_ways(ways, _ways(flat, entries, members, fields))
    kind = kinds * (int(ways.max(initial=0)) + 1) + ways
    _, place, many = np.unique(kind, return_inverse=True, return_counts=True)
    _, whole, rows = np.unique(kinds, return_inverse=True, return_counts=True)
    rare = many[place] < np.maximum(FEW, SHARE * rows[whole])
    return np.where(rare, 0, ways)


def numbered_ways(before: Ints, way: Ints) -> Ints:
    """Both as one number, 0 for rows that have neither."""
    both = codes([before, way], len(way))
    return np.where(before + way > 0, numbered(np.append(-1, both))[1:], 0)


def _fields(flat: Flat, members: Ints) -> list[Ints]:
    names = flat.cols.take(members)
    found = split_names(names) or split_words(names, {})
    if not found:
        return []
    cuts = [one.cut for one in packed(*found) if one.bits >= LEAST]
    fields = recut(*found, cuts, {})[1]
    return [field for field in fields if (field != field[0]).any()]


def _ways(flat: Flat, entries: Ints, members: Ints, fields: list[Ints]) -> Ints:
    """For each row 0, or one more than the set of indices that it sums over, as bits."""
    local = np.searchsorted(members, flat.entry_cols[entries])
    row = flat.index[entries].astype(np.int64)
    order = ordered(row)
    row, local = row[order], local[order]
    begins = np.flatnonzero(np.diff(row, prepend=-1))
    sizes = np.diff(np.append(begins, len(row)))
    fixed = [
        np.minimum.reduceat(field[local], begins) == np.maximum.reduceat(field[local], begins)
        for field in fields
    ]
    summed = sum(((~one) << k for k, one in enumerate(fixed)), np.zeros(len(begins), np.int64))
    fits = list[tuple[int, int, Ints]]()
    for way in np.unique(summed[sizes > 1]).tolist():
        kept = [field for k, field in enumerate(fields) if not way >> k & 1]
        key = codes(kept, len(members))
        whole = np.unique(key, return_inverse=True, return_counts=True)
        full = (summed & ~way == 0) & (sizes == whole[2][whole[1]][local[begins]])
        fits.append((int(full.sum()), way, row[begins[full]]))
    found = np.zeros(flat.m, np.int64)
    # Where an index has one value, a sum over it looks like none: of all ways, most rows' is meant.
    for _, way, rows in sorted(fits, key=lambda one: one[:2]):
        found[rows] = way + 1
    return found


def added(flat: Flat, groups: Ints, kinds: Ints) -> Ints:
    """For each row which groups it adds, those being one that some row of its kind adds together.

    0 where a row of the kind adds none: as the last node of a flow, it may be of any statement.
    """
    plus = flat.value > 0
    row, group = flat.index[plus], groups[flat.entry_cols[plus]]
    node = flat.m + numbered(kinds)[row] * (int(groups.max(initial=-1)) + 1) + group
    size = int(node.max(initial=flat.m)) + 1
    graph = coo_matrix((np.ones(len(row), np.int8), (row, node)), (size, size))
    _, label = connected_components(graph, directed=False)
    nothing = np.bincount(row, minlength=flat.m) == 0
    return np.where(np.isin(kinds, kinds[nothing]), 0, label[: flat.m].astype(np.int64) + 1)
