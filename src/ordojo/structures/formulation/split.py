"""Which terms say best what a family holds of a group: as found, or apart in one of some ways.

The entries of one family and one group may be several sums: `x[i, t] - x[i, t - 1]`, or
`x[i, t] + x[j, t]` in rows (i, j, t). Each way to part them (by sign, by a cover, by the shift
between two indices, by the place in the row) is priced: what a term costs, the numbers of its
relation (`relate.py`), and those of its coefficients. The cheapest is kept.

A cover is a set of joins on equal (or shifted) indices that share no entry and together say all
entries. It is found greedily, the join that says most of what is left first, as for set cover
(Chvatal, 1979); a join counts only if every pair that it says is an entry.

What moving a weight does is measured (`python -m perf.sensitivity`): 117 models, 528,620 numbers
in 2,016 terms, 132 of them lists of pairs.
"""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np

from ordojo.structures.abstraction.terms import equations
from ordojo.structures.arrays import Meeting
from ordojo.structures.flat import Ints
from ordojo.structures.formulation.relate import Entries, Mask, Relation, matched, relate
from ordojo.structures.formulation.units import Part, Unit, function_of, joined, line_of, slots

MOST_SHIFTS = 4
"""Parts of a cover, and shifts that part entries, at most. A reader takes in about four terms of
one group; with 2: 1,268 numbers more in 22 terms less, with 8: 842 less in 78 more."""
_PLAIN = 6.0
"""A single term up to this price is left as it is; only saves time: with 3 the same, with 12 two
terms and 24 numbers differ."""
_TERM = 3.0
"""What a term costs beside its numbers. With 1: 23 terms more for 40 numbers, with 6: 13 less."""
_COMBINATIONS = 200
"""Ways to bind the columns' indices that are tried; with 50 as with 800 the same."""

Terms = list[tuple[Part, Relation]]


def entries(part: Part, family: Unit, groups: list[Unit]) -> Entries:
    """The pairs of a part with the index fields of both sides."""
    group = groups[part.group]
    return Entries(
        part.row, part.col, family.fields, group.fields, (family.size, group.size),
        family.words, group.words,
    )  # fmt: skip


def best_split(parts: list[Part], family: Unit, groups: list[Unit]) -> Terms:
    """The cheapest terms for the parts of one family and one group."""
    found, price = _said(parts, family, groups)
    if price <= _PLAIN * len(parts) and len(parts) < 3:
        return found
    whole = joined(parts)
    options = [[whole]]
    signs = whole.split([whole.value > 0, ~(whole.value > 0)])
    if len(signs) > 1:
        options.append(signs)
    for option in options:
        pieces: Terms = []
        total = 0.0
        for piece in option:
            said, cost = _piece(piece, family, groups)
            pieces += said
            total += cost
        if total < price:
            found, price = pieces, total
    return found


def _piece(piece: Part, family: Unit, groups: list[Unit]) -> tuple[Terms, float]:
    """One piece whole; a cover by indices that agree; by shifts; or each row's few columns."""
    found, price = _said([piece], family, groups)
    if price <= _PLAIN:
        return found, price
    for parts in _ways(piece, entries(piece, family, groups)):
        said, cost = _said(parts, family, groups)
        if cost < price:
            found, price = said, cost
    if len(found) == 1 and found[0][1].pairs:
        said, cost = _said(_slots(piece, groups[piece.group]), family, groups)
        if 0 < cost < price and all(relation.kind == "lookup" for _, relation in said):
            found, price = said, cost
    return found, price


def _slots(piece: Part, group: Unit) -> list[Part]:
    """The first, second, ... columns of the rows, where all that have any have equally few."""
    rows, place = np.unique(piece.row, return_inverse=True)
    few = slots(replace(piece, row=place), len(rows), group)
    return [Part(piece.family, piece.group, rows, *slot) for slot in few]


def _ways(piece: Part, e: Entries) -> Iterator[list[Part]]:
    covered = cover(e)
    if covered:
        yield piece.split(covered)
    for a, left in enumerate(e.left):
        for b, right in enumerate(e.right):
            if e.left_words[a] or e.right_words[b]:
                continue
            shift = right[e.col] - left[e.row]
            values = np.unique(shift)
            if 1 < len(values) <= MOST_SHIFTS:
                yield piece.split([shift == value for value in values.tolist()])


def _said(parts: list[Part], family: Unit, groups: list[Unit]) -> tuple[Terms, float]:
    found: Terms = []
    price = 0.0
    for part in parts:
        e = entries(part, family, groups)
        relation = relate(e)
        found.append((part, relation))
        price += _TERM + relation.price + _coefficient(part, relation, e)
    return found, price


def _coefficient(part: Part, relation: Relation, e: Entries) -> float:
    """How many numbers the coefficients need."""
    bits = part.value.view(np.int64)
    if bool((bits == bits[0]).all()):
        return 0.0
    free = [b for b in range(len(e.right)) if b not in relation.bound]
    fields = [left[e.row] for left in e.left] + [e.right[b][e.col] for b in free]
    if any(line_of(part.value, one) for one in fields):
        return 1.0
    found = function_of(part.value, fields)
    return float(found[1] if found else len(bits))


def cover(e: Entries) -> list[Mask] | None:
    """Disjoint parts that bindings of column indices to row indices say, if they say it all.

    Such as `x[i, t] + x[j, t]` for rows (i, j, t): each binding's pairs, where such columns exist.
    """
    key = e.row * e.sizes[1] + e.col
    left = np.ones(len(key), bool)
    found: list[Mask] = []
    ways = _bindings(e)
    while left.any() and len(found) < MOST_SHIFTS:
        best: Ints | None = None
        for bound in list(ways):
            size = matched(e, Relation("", bound))
            if not 0 < size <= int(left.sum()):
                continue
            if best is not None and size <= len(best):
                continue
            at = _places(e, bound, key)
            if at is None or not left[at].all():
                ways.remove(bound)
            else:
                best = at
        if best is None:
            return None
        mask = np.zeros(len(key), bool)
        mask[best] = True
        left &= ~mask
        found.append(mask)
    return found if not left.any() and len(found) > 1 else None


def _bindings(e: Entries) -> list[dict[int, tuple[int, int]]]:
    """Ways to bind column positions to row fields, by equality or a common shift."""
    options: list[list[tuple[int, int] | None]] = []
    for b, found in enumerate(equations(e.row, e.col, e.left, e.right)):
        shifts = Counter(a for a, _, _ in found)
        mine = [
            (a, shift) for a, _, shift in found
            if e.left_words[a] == e.right_words[b]
            and (not shift or not (e.right_words[b] or shifts[a] > MOST_SHIFTS))
        ]  # fmt: skip
        options.append([*mine, None])
    if math.prod(map(len, options)) > _COMBINATIONS:
        return []
    return [
        {b: atom for b, atom in enumerate(way) if atom is not None}
        for way in product(*options)
        if any(atom is not None for atom in way)
    ]


def _places(e: Entries, bound: dict[int, tuple[int, int]], key: Ints) -> Ints | None:
    """Where the pairs of a binding stand among the entries; None if one is not there."""
    equal = [(e.left[a] + shift, e.right[b]) for b, (a, shift) in bound.items()]
    rows, cols = Meeting(np.arange(e.sizes[0]), np.arange(e.sizes[1]), equal).pairs()
    wanted = rows * e.sizes[1] + cols
    at = np.searchsorted(key, wanted)
    inside = at < len(key)
    if not inside.all() or not (key[at] == wanted).all():
        return None
    return np.asarray(at, np.int64)
