"""What looks alike and is apart: statements that come in twos, or by keys; rows that sum otherwise.

Rows without names over named columns are apart by the indices that they sum over and by what they
add: where `x[v, r, c]` is summed over all v in some rows and over all c in others, these are two
statements, however alike they look. Nothing is said of rows that hold some columns of a slice only.
Nor is `make <= 90 setup` one with `carry <= setup`, though to say both at once is shorter.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, product

import numpy as np

from ordojo.structures.arrays import begins, codes, connected, numbered, ordered, runs
from ordojo.structures.flat import Flat, Ints, Mask
from ordojo.structures.indices import LEAST, packed, recut, split_names, split_words

TAGS = 16
"""More parts than any way of splitting makes; a class and its part are told by one number."""
SHORT = 8
"""Rows of fewer entries are not told apart by length: a short sum may well lack its border. With
4 as with 16 no model of 46 changes."""


@dataclass(frozen=True)
class SignedTerm:
    """The coefficients of one sign that one family has of one group, by columns."""

    family: int
    group: int
    row: Ints
    col: Ints
    negative: bool


def terms(flat: Flat, groups: Ints, families: Ints) -> list[SignedTerm]:
    """All terms, by family and group, positive coefficients first."""
    wide = int(groups.max(initial=0)) + 1
    key = (families[flat.index] * wide + groups[flat.entry_cols]) * 2 + (flat.value < 0)
    order = ordered(key)
    key = key[order]
    row, col = flat.index[order].astype(np.int64), flat.entry_cols[order].astype(np.int64)
    return [
        SignedTerm(*divmod(int(key[a]) // 2, wide), row[a:b], col[a:b], bool(key[a] & 1))
        for a, b in runs(key)
    ]


def local(ids: Ints, room: Ints) -> tuple[Ints, Ints]:
    """Numbers for ids, and the ids so numbered; `room` is as long as ids can be, for any use."""
    place = np.arange(len(ids))
    room[ids] = place
    last = room[ids]
    kept = last == place
    return (np.cumsum(kept) - 1)[last], ids[kept]


def twins(flat: Flat, found: list[SignedTerm], side: str, groups: Ints, families: Ints) -> Ints:
    """1 and 2 for items that a class has with opposite signs, in the same numbers for each partner.

    Surplus and shortage in a goal's row, or a bound from above and one from below; not the flow
    into and out of a node, where one column has both signs.
    """
    count, mine = (flat.n, groups) if side == "cols" else (flat.m, families)
    tag = np.zeros(count, np.int64)
    sizes = np.bincount(mine)
    room, other_room = np.zeros(count, np.int64), np.zeros(flat.n + flat.m, np.int64)
    by_pair: dict[tuple[int, int], list[SignedTerm]] = defaultdict(list)
    for term in found:
        by_pair[term.family, term.group].append(term)
    for (family, group), both_signs in by_pair.items():
        if len(both_signs) < 2:
            continue
        sides = [(t.col, t.row) if side == "cols" else (t.row, t.col) for t in both_signs]
        item, partner = (np.concatenate(parts) for parts in zip(*sides, strict=True))
        negative = np.arange(len(item)) >= len(sides[0][0])
        place, met = local(partner, other_room)
        plus = np.bincount(place[~negative], minlength=len(met))
        minus = np.bincount(place[negative], minlength=len(met))
        both = (plus > 0) & (minus > 0)
        if 2 * both.sum() < len(met) or _mixed(plus[both]) or _mixed(minus[both]):
            continue
        kept = both[place]
        first, second = item[kept & ~negative], item[kept & negative]
        of = local(first, room)[1], local(second, room)[1]
        whole = len(local(np.concatenate([first, second]), room)[1])
        few = (
            min(len(of[0]), len(of[1])) < 2
            or 2 * whole < sizes[group if side == "cols" else family]
        )
        if few or whole < len(of[0]) + len(of[1]) or tag[of[0]].any() or tag[of[1]].any():
            continue
        if side == "cols" and _together(flat, families, *of):
            continue
        tag[of[0]], tag[of[1]] = 1, 2
    return tag


def _together(flat: Flat, families: Ints, one: Ints, two: Ints) -> bool:
    """Whether rows of a family have columns of both sets with one sign, in changing numbers."""
    mark = np.zeros(flat.n, np.int8)
    mark[one], mark[two] = 1, 2
    of = mark[flat.entry_cols]
    place = flat.index.astype(np.int64) * 2 + (flat.value < 0)
    first, second = (np.bincount(place[of == k], minlength=2 * flat.m) for k in (1, 2))
    key = np.repeat(families, 2) * 2 + np.tile([0, 1], flat.m)
    for shared in np.unique(key[(first > 0) & (second > 0)]).tolist():
        mine = (key == shared) & (first + second > 0)
        if _mixed(first[mine]) or _mixed(second[mine]):
            return True
    return False


def _mixed(counts: Ints) -> bool:
    return bool((counts != counts[:1]).any())


def keyed(flat: Flat, found: list[SignedTerm], groups: Ints, families: Ints) -> Ints:
    """Numbers from 1 for rows of a family that several groups key one to one, each its part."""
    tag = np.zeros(flat.m, np.int64)
    room, members, sizes = (
        np.zeros(flat.n + flat.m, np.int64),
        np.bincount(groups),
        np.bincount(families),
    )
    parts: dict[int, list[Ints]] = defaultdict(list)
    for term in found:
        many = len(term.row)
        whole = 2 <= many < sizes[term.family] and members[term.group] <= 2 * many
        if whole and len(local(term.row, room)[1]) == len(local(term.col, room)[1]) == many:
            parts[term.family].append(term.row)
    for family, keys in parts.items():
        rows = np.concatenate(keys)
        apart = len(rows) == sizes[family] and len(local(rows, room)[1]) == len(rows)
        if apart and 1 < len(keys) < TAGS:
            for k, part in enumerate(keys):
                tag[part] = k + 1
    return tag


def lengths(flat: Flat, families: Ints) -> Ints:
    """1 and 2 for rows of a family that are all of one length or all of another, clearly longer.

    A sum over whole index sets is as long in each row of its statement.
    """
    tag = np.zeros(flat.m, np.int64)
    length = np.bincount(flat.index, minlength=flat.m)
    count = int(families.max(initial=-1)) + 1
    low = np.full(count, flat.n + 1)
    high = np.zeros(count, np.int64)
    np.minimum.at(low, families, length)
    np.maximum.at(high, families, length)
    short, long = length == low[families], length == high[families]
    for family in np.flatnonzero((low >= SHORT) & (high >= 2 * low)).tolist():
        mine = families == family
        if (short | long)[mine].all() and min(short[mine].sum(), long[mine].sum()) > 1:
            tag[mine] = 1 + long[mine]
    return tag


MOST_TWICE = 0.8
"""So much of a term at least must be columns that stand twice. With 0.4 the same partitions;
without this split 7 of 46 models keep two families in one."""


def halves(flat: Flat, found: list[SignedTerm], families: Ints) -> Ints:
    """1 and 2 for rows of a family in which each column of a group stands twice: once in each half.

    Rows that share such a column are in different halves. Where that leaves a choice (the rows
    are not all linked), and no group keys the rows one to one (then they are one statement over
    more indices), the file's order decides, if it has one half behind the other, or both in turns;
    else what the columns meet elsewhere (`_sided`).
    """
    tag = np.zeros(flat.m, np.int64)
    sizes = np.bincount(families)
    room = np.zeros(flat.n + flat.m, np.int64)
    links: dict[tuple[int, int], list[tuple[Ints, Ints, Ints]]] = defaultdict(list)
    entries: dict[tuple[int, int], int] = defaultdict(int)
    single, spoiled = set[int](), set[tuple[int, int]]()
    for term in found:
        pair = term.family, term.group
        same = term.col[1:] == term.col[:-1]
        once = not same.any() and len(term.row) == sizes[term.family]
        if once and len(local(term.row, room)[1]) == sizes[term.family]:
            single.add(term.family)
        if (same[1:] & same[:-1]).any():
            spoiled.add(pair)
        links[pair].append((term.row[:-1][same], term.row[1:][same], term.col[1:][same]))
        entries[pair] += len(term.row)
    order = sorted(links, key=lambda pair: -sum(len(a) for a, *_ in links[pair]))
    done = set[int]()
    for pair in order:
        family = pair[0]
        one, two, col = (np.concatenate(parts) for parts in zip(*links[pair], strict=True))
        if pair in spoiled or family in done or 2 * len(one) < max(MOST_TWICE * entries[pair], 1):
            continue
        rows = np.sort(local(np.concatenate([one, two]), room)[1])
        if len(rows) < sizes[family]:
            continue
        ends = np.searchsorted(rows, one), np.searchsorted(rows, two)
        half = _coloured(*ends, len(rows), family in single)
        if half is None and family not in single:
            half = _sided(flat, found, pair, rows, ends, col)
        if half is not None:
            tag[rows] = half + 1
            done.add(family)
    return tag


def _coloured(one: Ints, two: Ints, count: int, linked: bool) -> Ints | None:
    """Two colours for items so that no link has one colour, the first of each part's being 0."""
    ends = np.concatenate([one, one + count]), np.concatenate([two + count, two])
    label = connected(*ends, 2 * count)
    parts = int(label.max(initial=-1)) + 1
    colour: Ints = (label[:count] > label[count:]).astype(np.int64)
    if (label[:count] == label[count:]).any() or min(colour.sum(), count - colour.sum()) < 2:
        return None
    changes = int((np.diff(colour) != 0).sum())
    # Only pairs come in turns: longer chains of links are of neighbours, as day after day.
    turns = changes == count - 1 and parts == count
    if parts > 2 and (linked or not (changes == 1 or turns)):
        return None
    return colour


def _sided(
    flat: Flat,
    found: list[SignedTerm],
    pair: tuple[int, int],
    rows: Ints,
    ends: tuple[Ints, Ints],
    col: Ints,
) -> Ints | None:
    """Two colours for rows linked by a column, by where the row's other column stands elsewhere.

    Of `z <= x_i` and `z <= x_j` the first is the one whose x stands in the row that z is in with a
    given sign, or in the row of some column there: that of `u_i` where `u_i - u_j + 9 z <= 8`.
    One such way must tell the rows of each link apart.
    """
    family, group = pair
    row, mine = flat.index.astype(np.int64), flat.entry_cols.astype(np.int64)
    cells = np.sort(_cells(flat, row, mine, flat.value < 0))
    colour = np.zeros(len(rows), bool)
    for term in found:
        other = _once(term.row, term.col, rows) if term.family == family else None
        if other is None:
            continue
        for place, negative in product(_places(found, family, group, col), (False, True)):
            first, second = (
                np.isin(_cells(flat, place, other[end], negative), cells) for end in ends
            )
            colour[ends[0]], colour[ends[1]] = first, second
            if (first != second).all() and np.array_equal(colour[ends[0]], first):
                return np.asarray(colour != colour[0], np.int64)
    return None


def _places(found: list[SignedTerm], family: int, group: int, col: Ints) -> Iterator[Ints]:
    """For columns of a group the row of another family each has, and those one column further."""
    for way in found:
        row = _once(way.col, way.row, col) if way.group == group and way.family != family else None
        if row is None:
            continue
        yield row
        for step in found:
            via = _once(step.row, step.col, row) if step.family == way.family else None
            if via is None:
                continue
            for last in found:
                if last.group == step.group and last.family not in (family, way.family):
                    there = _once(last.col, last.row, via)
                    if there is not None:
                        yield there


def _cells(flat: Flat, row: Ints, col: Ints, negative: Mask | bool) -> Ints:
    return (row * flat.n + col) * 2 + negative


def _once(keys: Ints, values: Ints, wanted: Ints) -> Ints | None:
    """The one value of each wanted key; None where one has none, or any key has several."""
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    if (keys[1:] == keys[:-1]).any():
        return None
    place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return values[order][place] if (keys[place] == wanted).all() else None


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
    ends = begins(group, int(groups.max(initial=-1)) + 1).tolist()
    for number, (begin, end) in enumerate(pairwise(ends)):
        entries = order[begin:end]
        members = np.flatnonzero(groups == number)
        fields = _fields(flat, members)
        if 1 < len(fields) <= MOST_FIELDS and len(entries):
            way = _ways(flat, entries, members, fields)
            both = numbered(np.append(-1, codes([ways, way], flat.m)))[1:]
            ways = np.where(ways + way > 0, both, 0)
    kind = kinds * (int(ways.max(initial=0)) + 1) + ways
    _, place, many = np.unique(kind, return_inverse=True, return_counts=True)
    _, whole, rows = np.unique(kinds, return_inverse=True, return_counts=True)
    rare = many[place] < np.maximum(FEW, SHARE * rows[whole])
    return np.where(rare, 0, ways)


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
    first = np.flatnonzero(np.diff(row, prepend=-1))
    sizes = np.diff(np.append(first, len(row)))
    fixed = [
        np.minimum.reduceat(field[local], first) == np.maximum.reduceat(field[local], first)
        for field in fields
    ]
    summed = sum(((~one) << k for k, one in enumerate(fixed)), np.zeros(len(first), np.int64))
    fits = list[tuple[int, int, Ints]]()
    for way in np.unique(summed[sizes > 1]).tolist():
        kept = [field for k, field in enumerate(fields) if not way >> k & 1]
        key = codes(kept, len(members))
        whole = np.unique(key, return_inverse=True, return_counts=True)
        full = (summed & ~way == 0) & (sizes == whole[2][whole[1]][local[first]])
        fits.append((int(full.sum()), way, row[first[full]]))
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
    label = connected(row, node, size)
    nothing = np.bincount(row, minlength=flat.m) == 0
    return np.where(np.isin(kinds, kinds[nothing]), 0, label[: flat.m] + 1)
