"""Terms that say what a family holds of a group, and the relation of each: joins of indices.

A term is a set of (row, column) pairs; rows and columns have index fields. This is query reverse
engineering (Tran, Chan and Parthasarathy, 2009) for joins: find a join of the two index tables,
with conditions, whose result is the given pairs. Every condition tried holds of all pairs by
construction (a shift that is the same for all, the least and greatest difference, the tuples that
occur), so what it says contains them. Hence one count decides: a join that says as many pairs as
there are says them and no others. It is counted by keys, never made.

`relate` tries in the order of what a reader finds simplest: indices equal or shifted, a window or a
modulus, and the same where not all take part; then intervals, lookups and tables of tuples, the one
with the fewest numbers. Listing all pairs in a table always holds, so there always is an answer.

The entries of one family and one group may be several sums: `x[i, t] - x[i, t - 1]`, or
`x[i, t] + x[j, t]` in rows (i, j, t). Each way to part them (as found, by sign, by a cover, by the
shift between two indices, by the place in the row) is priced: what a term costs, the numbers of its
relation, and those of its coefficients. The cheapest is kept.

Bindings, covers, windows and moduli are those of `abstraction.terms` and `abstraction.relations`,
over the fewer indices that a reader is shown; a cover must say all entries here.

What moving a weight does is measured (`python -m perf.sensitivity`): 117 models, 528,620 numbers
in 2,016 terms, 132 of them lists of pairs.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations

import numpy as np

from ordojo.structures.abstraction.relations import conditions, limits, steps
from ordojo.structures.abstraction.terms import Atoms, cover
from ordojo.structures.arrays import Meeting, codes, firsts, taking_part
from ordojo.structures.flat import Ints, Mask
from ordojo.structures.formulation.units import Part, function_of, joined, line_of, slots

Fields = list[Ints]


@dataclass(frozen=True, eq=False)
class Relation:
    """Column positions bound to a row field plus a shift, `fixed` to a value, or looked up by row.

    window: (row field, column field, lowest, highest shift); modular: (row field, column field,
    shift, modulus). span: (side, field of the other side, first, last by members of the side);
    bases: the index of the side that the first and last are best said as a shift of, if any.
    pairs: a table of the tuples of these row fields and column fields. lookup: column positions
    that a table gives, by members of the family; owner: row fields, by members of the group. rows,
    cols: who takes part. price: how many numbers it takes.
    """

    bound: dict[int, tuple[int, int]] = field(default_factory=dict)
    fixed: dict[int, int] = field(default_factory=dict)
    window: tuple[int, int, int, int] | None = None
    modular: tuple[int, int, int, int] | None = None
    span: tuple[str, int, Ints, Ints] | None = None
    bases: tuple[int | None, int | None] = (None, None)
    pairs: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    lookup: dict[int, Ints] = field(default_factory=dict)
    owner: dict[int, Ints] = field(default_factory=dict)
    rows: Mask | None = None
    cols: Mask | None = None
    price: float = 0.0


def matched(e: Part, r: Relation) -> int:
    """How many pairs a relation says that its rungs can say by counting (no table, no lookup)."""
    rows = np.arange(e.family.size) if r.rows is None else np.flatnonzero(r.rows)
    cols = _columns(e, r)
    own = [(e.left[a][rows], mine[cols]) for a, mine in r.owner.items()]
    equal, window = conditions(e.left, e.right, rows, cols, _equal(r), r.modular, r.window, own)
    if r.span and r.span[0] == "rows":
        _, b, first, last = r.span
        window = first[rows], last[rows], e.right[b][cols]
    elif r.span:
        _, a, first, last = r.span
        window = first[cols], last[cols], e.left[a][rows]
        turned = [(theirs, mine) for mine, theirs in equal]
        return Meeting(cols, rows, turned, window).count()
    return Meeting(rows, cols, equal, window).count()


def _equal(r: Relation) -> Atoms:
    return [(a, b, shift) for b, (a, shift) in r.bound.items()]


def _columns(e: Part, r: Relation) -> Ints:
    """The columns that take part, fixed indices considered."""
    cols = np.arange(e.group.size) if r.cols is None else np.flatnonzero(r.cols)
    for b, value in r.fixed.items():
        cols = cols[e.right[b][cols] == value]
    return cols


def table_met(
    e: Part, base: Relation, some: tuple[int, ...], those: tuple[int, ...], at: Ints
) -> int:
    """How many pairs a table of tuples, together with the base, says; -1 for far too many."""
    taking = np.arange(e.family.size) if base.rows is None else np.flatnonzero(base.rows)
    left = [(e.left[a][taking], e.left[a][e.row][at]) for a in some]
    found = Meeting(taking, at, left)
    # Too many already to become few by the rest of the join; bounds time and memory.
    if found.count() > 8 * len(e.row) + 100:
        return -1
    rows, entries = found.unordered()  # they are only counted
    cols = _columns(e, base)
    own = [(e.right[b][e.col][entries], e.right[b][cols]) for b in those]
    return Meeting(
        rows, cols, *conditions(e.left, e.right, rows, cols, _equal(base), None, None, own)
    ).count()


def spans(
    e: Part, base: Relation, rows: Mask | None, cols: Mask | None
) -> Iterator[tuple[float, Relation]]:
    """From a first to a last index that depend on the row, or on the column."""
    bound = {a for a, _ in base.bound.values()}
    for side, fields, words, used, mine, own, mask in (
        ("rows", e.right, e.group.words, base.bound | base.fixed, e.row, e.col, rows),
        ("cols", e.left, e.family.words, bound, e.col, e.row, cols),
    ):
        size = e.family.size if side == "rows" else e.group.size
        others = e.left if side == "rows" else e.right
        for k, values in enumerate(fields):
            # An interval has two ends a member: with fewer entries a lookup says as much.
            if k in used or words[k] or len(e.row) < 1.5 * size:
                continue
            low = np.full(size, np.iinfo(np.int64).max)
            high = np.full(size, np.iinfo(np.int64).min)
            np.minimum.at(low, mine, values[own])
            np.maximum.at(high, mine, values[own])
            if mask is not None:
                low[~mask], high[~mask] = 1, 0
            found = replace(base, span=(side, k, low, high))
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
            # "i + d[j]" is harder to read than "last[i, j]": it has to halve the numbers.
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


def lookup(e: Part, base: Relation, rows: Mask | None) -> tuple[float, Relation] | None:
    """One column a row: its free indices as functions of the row."""
    taking = e.family.size if rows is None else int(rows.sum())
    if len(e.row) != taking:
        return None
    lookup, price = {}, 0.0
    part = [left[e.row] for left in e.left]
    for b, right in enumerate(e.right):
        if b in base.bound or b in base.fixed:
            continue
        vector = np.zeros(e.family.size, np.int64)
        vector[e.row] = right[e.col]
        lookup[b] = vector
        found = function_of(right[e.col], part)
        price += found[1] if found else taking
    if not lookup:
        return None
    return price, replace(base, lookup=lookup, rows=rows)


def keys(e: Part, base: Relation, cols: Mask | None) -> Iterator[tuple[float, Relation]]:
    """One row a column: its free indices, one or all, as functions of the column."""
    used = {a for a, _ in base.bound.values()}
    owners: dict[int, Ints] = {}
    for a, left in enumerate(e.left):
        vector = np.zeros(e.group.size, np.int64)
        vector[e.col] = left[e.row]
        if a not in used and (vector[e.col] == left[e.row]).all():
            owners[a] = vector
    part = [right[e.col] for right in e.right]
    for some in [{a: own} for a, own in owners.items()] + [owners] * (len(owners) > 1):
        found = replace(base, owner=some, cols=cols)
        if some and matched(e, found) == len(e.row):
            prices = [function_of(own[e.col], part) for own in some.values()]
            taking = len(firsts(part, len(e.row)))
            yield float(sum(of[1] if of else taking for of in prices)), found


def pairs(
    e: Part, base: Relation, limit: float, partial: bool = False
) -> Iterator[tuple[float, Relation]]:
    """A table of tuples of some row fields and column fields.

    With all of them it always holds: at last that, if not `partial`.
    """
    total = len(e.row)
    bound_rows = {a for a, _ in base.bound.values()}
    loose = [b for b in range(len(e.right)) if b not in base.bound and b not in base.fixed]
    free = [a for a in range(len(e.left)) if a not in bound_rows]
    for width in range(min(2, len(free)) + 1):
        for some in combinations(free, width):
            for count in range(len(loose) + 1):
                for those in combinations(loose, count):
                    if not some and not those:
                        continue
                    fields = [e.left[a][e.row] for a in some] + [e.right[b][e.col] for b in those]
                    rows = firsts(fields, total)
                    price = float(len(rows) * len(fields))
                    # A table must save three numbers in ten, or the pairs may as well be listed.
                    if price > 0.7 * total or price >= limit:
                        continue
                    if table_met(e, base, some, those, rows) == total:
                        limit = price
                        yield price, replace(base, pairs=(some, those))
    if partial:
        return
    every = tuple(range(len(e.left)))
    yield (
        float(total * (len(e.left) + len(loose))),
        replace(base, pairs=(every, tuple(loose))),
    )


_MANY, _SAMPLE = 20_000, 50
"""With more pairs than this, a relation is first counted on so many rows: most are refuted by a
few, and none is accepted by them. Time only."""


def relate(e: Part, single: bool = False) -> Relation:
    """The cheapest kind that says exactly these pairs; every pair in a table, at worst.

    `single`: there is one column a row, and no sum is wanted for it.
    """
    base = _base(e)
    if single:
        taking = taking_part(e.row, e.family.size)
        looked = lookup(e, base, taking)
        return replace(base, rows=taking) if looked is None else looked[1]
    if _holds(e, base):
        return base
    for found in _closed(e, base):
        if _holds(e, found):
            return replace(found, price=2.0)  # the two numbers of a window, or of a modulus
    rows, cols = taking_part(e.row, e.family.size), taking_part(e.col, e.group.size)
    options: list[tuple[float, Relation]] = []
    for mine in ({"cols": cols}, {"rows": rows}, {"rows": rows, "cols": cols}):
        kept = {key: mask for key, mask in mine.items() if mask is not None}
        if len(kept) < len(mine):
            continue
        for candidate in (base, *_closed(e, base)):
            found = replace(candidate, rows=kept.get("rows"), cols=kept.get("cols"))
            if _holds(e, found):
                price = sum(
                    _mask_price(mask, e.left if key == "rows" else e.right)
                    for key, mask in kept.items()
                )
                options.append((price, found))
                break
    options += spans(e, base, rows, cols)
    looked = lookup(e, base, rows)
    if looked is not None:
        options.append(looked)
    options += keys(e, base, cols)
    limit = min((price for price, _ in options), default=np.inf)
    options += pairs(e, base, limit)
    if rows is not None:
        scope = _mask_price(rows, e.left)
        limit = min(price for price, _ in options)
        masked = pairs(e, replace(base, rows=rows), limit - scope, partial=True)
        options += [(price + scope, found) for price, found in masked]
    price, found = min(options, key=lambda option: option[0])
    return replace(found, price=price)


def _holds(e: Part, relation: Relation) -> bool:
    """Whether a relation says these pairs alone; of some rows first, where there are many."""
    if len(e.row) > _MANY:
        some = np.zeros(e.family.size, bool)
        some[np.linspace(0, e.family.size - 1, _SAMPLE).astype(np.int64)] = True
        rows = some if relation.rows is None else some & relation.rows
        if matched(e, replace(relation, rows=rows)) != int(some[e.row].sum()):
            return False
    return matched(e, relation) == len(e.row)


def _base(e: Part) -> Relation:
    """Positions bound by a constant shift, or fixed at one value."""
    bound: dict[int, tuple[int, int]] = {}
    fixed: dict[int, int] = {}
    equal, _ = steps(e.row, e.col, dict(enumerate(e.left)), dict(enumerate(e.right)))
    for b, right in enumerate(e.right):
        values = right[e.col]
        flat, word = bool((values == values[0]).all()), e.group.words[b]
        mine = [
            (abs(step), abs(a - b), a, step) for a, k, step in equal
            if k == b and e.family.words[a] == word and not (step and (word or flat))
        ]  # fmt: skip
        if mine:
            bound[b] = min(mine)[2:]
        elif flat and len(np.unique(right)) > 1:
            fixed[b] = int(values[0])
    if len(bound) > 1:
        bound = _fewest(e, bound, fixed)
    return Relation(bound, fixed)


def _fewest(
    e: Part, bound: dict[int, tuple[int, int]], fixed: dict[int, int]
) -> dict[int, tuple[int, int]]:
    """Without shifts that hold by accident: those that the other positions imply."""
    whole = matched(e, Relation(bound, fixed))
    for b, (_, step) in sorted(bound.items(), key=lambda item: -abs(item[1][1])):
        if not step:
            break
        less = {k: atom for k, atom in bound.items() if k != b}
        if less and matched(e, Relation(less, fixed)) == whole:
            bound = less
    return bound


def _closed(e: Part, base: Relation) -> Iterator[Relation]:
    """The base with one window or one modulus on a free position."""
    for b, right in enumerate(e.right):
        if b in base.bound or b in base.fixed or e.group.words[b]:
            continue
        for a, left in enumerate(e.left):
            if e.family.words[a]:
                continue
            for window, modular in limits(a, b, right[e.col] - left[e.row]):
                yield replace(base, window=window, modular=modular)


def _mask_price(mask: Mask, fields: Fields) -> float:
    found = function_of(mask, fields)
    if found is None:
        return float(mask.sum()) * len(fields)
    mine = [fields[k][mask] for k in found[0]]
    return float(len(firsts(mine, int(mask.sum())))) * len(mine)


MOST_SHIFTS = 4
"""Parts of a cover, and shifts that part entries, at most. A reader takes in about four terms of
one group; with 2: 1,268 numbers more in 22 terms less, with 8: 842 less in 78 more."""
_PLAIN = 6.0
"""A single term up to this price is left as it is; only saves time: with 3 the same, with 12 two
terms and 24 numbers differ."""
_TERM = 3.0
"""What a term costs beside its numbers. With 1: 23 terms more for 40 numbers, with 6: 13 less."""
Terms = list[tuple[Part, Relation]]


def best_split(parts: list[Part]) -> Terms:
    """The cheapest terms for the parts of one family and one group."""
    found, price = _said(parts)
    if price <= _PLAIN * len(parts) and len(parts) < 3:
        return found
    whole = joined(parts)
    options = [[whole]]
    signs = whole.split([whole.value > 0, ~(whole.value > 0)])
    if len(signs) > 1:
        options.append(signs)
    for option in options:
        told = [_piece(piece) for piece in option]
        total = sum(cost for _, cost in told)
        if total < price:
            found, price = [one for said, _ in told for one in said], total
    return found


def _piece(piece: Part) -> tuple[Terms, float]:
    """One piece whole; a cover by indices that agree; by shifts; or each row's few columns."""
    found, price = _said([piece])
    if price <= _PLAIN:
        return found, price
    for parts in _ways(piece):
        said, cost = _said(parts)
        if cost < price:
            found, price = said, cost
    if len(found) == 1 and found[0][1].pairs:
        said, cost = _said(_slots(piece))
        if 0 < cost < price and all(relation.lookup for _, relation in said):
            found, price = said, cost
    return found, price


def _slots(piece: Part) -> list[Part]:
    """The first, second, ... columns of the rows, where all that have any have equally few."""
    rows, place = np.unique(piece.row, return_inverse=True)
    few = slots(replace(piece, row=place), len(rows))
    return [Part(piece.family, piece.group, rows, *slot) for slot in few]


def _ways(e: Part) -> Iterator[list[Part]]:
    covered, rest = cover(e.block, partial(_told, e))
    if len(covered) > 1 and not rest.any():
        yield e.split(covered)
    for a, left in enumerate(e.left):
        for b, right in enumerate(e.right):
            if e.family.words[a] or e.group.words[b]:
                continue
            shift = right[e.col] - left[e.row]
            values = np.unique(shift)
            if 1 < len(values) <= MOST_SHIFTS:
                yield e.split([shift == value for value in values.tolist()])


def _said(parts: list[Part]) -> tuple[Terms, float]:
    found = [(part, relate(part)) for part in parts]
    return found, sum(_TERM + how.price + _coefficient(part, how) for part, how in found)


def _coefficient(e: Part, relation: Relation) -> float:
    """How many numbers the coefficients need."""
    bits = e.value.view(np.int64)
    if bool((bits == bits[0]).all()):
        return 0.0
    free = [b for b in range(len(e.right)) if b not in relation.bound]
    fields = [left[e.row] for left in e.left] + [e.right[b][e.col] for b in free]
    if any(line_of(e.value, one) for one in fields):
        return 1.0
    found = function_of(e.value, fields)
    return float(found[1] if found else len(bits))


def _told(e: Part, found: Atoms) -> Atoms:
    """The equations of one index of the columns that a reader is shown."""
    shifts = Counter(a for a, _, _ in found)
    return [
        (a, b, shift) for a, b, shift in found
        if e.family.words[a] == e.group.words[b]
        and (not shift or not (e.group.words[b] or shifts[a] > MOST_SHIFTS))
    ]  # fmt: skip
