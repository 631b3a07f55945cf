"""Terms: what one family holds of one group, as relations with coefficients, parted if shorter.

One family and one group may meet in several sums, `x[i, t] + x[j, t]`. A binding is a set of
equations between indices; what it says are the pairs that fulfil all of them. A cover is bindings
that share no pair and together say all entries. It is found greedily, as for set cover (Chvatal,
1979): the binding that holds of most of the entries that are left, if it says no pair beside those.
Which bindings is settled on a few rows; all entries are then parted by them. Entries are parted by
sign, shift and value too, and what takes the fewest numbers is kept.
"""

from collections.abc import Callable, Iterator
from itertools import product
from typing import NamedTuple

import numpy as np

from ordojo.structures.abstraction import relations
from ordojo.structures.abstraction.relations import Join, Sides, count
from ordojo.structures.abstraction.tables import (
    Entry,
    Tables,
    decode_vector,
    encode_vector,
    same_bits,
)
from ordojo.structures.arrays import commonest, distinct
from ordojo.structures.flat import Floats, Ints, Mask

MOST_TERMS = 6
"""Parts of a cover; with 2: 103 numbers more in 21 terms less, of 531,460 and 1,975."""
_ROWS, _ENTRIES, _WAYS, _TRIES = 60, 2000, 200, 8
"""Rows and entries that bindings are sought on, bindings, and counts in all: they bound time."""
_COMMON = 0.1
"""The share of entries for which a shift between two indices must be the same: as many parts as a
cover may have, each of them about equally large, still show."""

Atoms = list[tuple[int, int, int]]


class Block(NamedTuple):
    """The entries of one family and one group, local, by row and then column."""

    row: Ints
    col: Ints
    value: Floats
    sides: Sides

    def part(self, kept: Mask) -> "Block":
        """Some of the entries."""
        return Block(self.row[kept], self.col[kept], self.value[kept], self.sides)

    def spec(self, tables: Tables) -> Entry:
        """One relation for all entries, with their coefficients."""
        relation = relations.encode(self.row, self.col, self.sides, tables)
        return {"relation": relation, "nonzeros": len(self.row), "coefficient": self._value(tables)}

    def _value(self, tables: Tables) -> Entry:
        ways = ("rows", "cols"), (self.row, self.col), self.sides[:2], self.sides.sizes
        for by, which, fields, size in zip(*ways, strict=True):
            one = np.full(size, self.value[0])
            one[which] = self.value
            if same_bits(one[which], self.value):
                spec = encode_vector(one, [np.arange(size), *fields], tables)
                return {"by": by, "vector": spec}
        return {"by": "pairs", "values": tables.put(self.value)}


def cover(block: Block, kept: Callable[[Atoms], Atoms] = list) -> tuple[list[Mask], Mask]:
    """Disjoint parts of the entries, and those that no binding says; found on some rows alone.

    `kept`: which of the equations of one index of the columns bindings may have.
    """
    taking, sides = distinct(block.row), block.sides
    rows = min(len(taking), _ROWS, 4 + _ENTRIES * len(taking) // len(block.row))
    some = np.zeros(sides.sizes[0], bool)
    some[taking[np.linspace(0, len(taking) - 1, rows).astype(np.int64)]] = True
    few = block.part(some[block.row])
    ways = [(way, _held(way, few)) for way in _ways(few, kept)]
    rest, chosen, tries = np.ones(len(few.row), bool), list[Atoms](), _TRIES
    while rest.any() and len(chosen) < MOST_TERMS:
        ways = [(way, held & rest) for way, held in ways]
        ways.sort(key=lambda one: (int(one[1].sum()), len(one[0])), reverse=True)
        for way, held in ways:
            if not held.any() or not tries:
                return _apart(chosen, block)
            tries -= 1
            met = np.zeros(sides.sizes[0], bool)
            met[few.row[held]] = True
            said = Join(way, None, None, None, met, None)
            if count(said, sides) == held.sum():
                chosen.append(way)
                rest &= ~held
                break
        else:
            break
    return _apart(chosen, block)


def _apart(chosen: list[Atoms], block: Block) -> tuple[list[Mask], Mask]:
    rest, found = np.ones(len(block.row), bool), []
    for way in chosen:
        found.append(_held(way, block) & rest)
        rest &= ~found[-1]
    return found, rest


def _held(way: Atoms, block: Block) -> Mask:
    """The entries of which all equations hold."""
    row, col, _, sides = block
    held = np.ones(len(row), bool)
    for a, b, shift in way:
        held &= sides.right[b][col] == sides.left[a][row] + shift
    return held


def _equations(block: Block) -> list[Atoms]:
    """For each index of the column: where it is one of the row's plus a shift, for many entries."""
    row, col, _, (left, right, _) = block
    options: list[Atoms] = []
    for b, field in enumerate(right):
        mine: Atoms = []
        for a, other in enumerate(left):
            shifts, times = np.unique(field[col] - other[row], return_counts=True)
            mine += [(a, b, int(shift)) for shift in shifts[times >= _COMMON * len(row)]]
        options.append(mine)
    return options


def _ways(block: Block, kept: Callable[[Atoms], Atoms]) -> list[Atoms]:
    """Equations for some indices of the column, each at most one: equal, or a common shift."""
    options = list(map(kept, _equations(block)))
    if np.prod([len(one) + 1 for one in options]) > _WAYS:
        options = [[atom for atom in one if not atom[2]] for one in options]
    if np.prod([len(one) + 1 for one in options]) > _WAYS:
        return []
    every = product(*([None, *one] for one in options))
    return [way for one in every if (way := [atom for atom in one if atom is not None])]


CLOSED = ("join",)
"""The kinds of relations that are said by indices alone, without a table."""
MOST_PARTS, MOST_SHIFTS = 4, 6
"""Parts by value, and by shift, at most; bound time and the terms of one family and group. The
tables of 117 models hold 531,460 numbers in 1,975 terms; with 2 parts by value 532,816 in 1,924,
with 8 529,500 in 2,047; with 3 shifts 532,004 in 1,952, with 12 531,213 in 1,978."""
_TERM = 8.0
"""What a term costs beside the numbers of its tables: about those of its spec. With 2: 105 terms
more for 250 numbers, with 32: 121 less for 716 more."""


def encode(block: Block, tables: Tables) -> list[Entry]:
    """The shortest of: one term, one for each sign, index, shift, or of few values.

    Joins of indices alone come before what is shorter by chance.
    """
    best = _tried([block], tables)
    if not (_closed(best.specs) or len(block.row) < 4):
        for parts in _splits(block):
            found = _tried(parts, tables)
            if _closed(found.specs) and found.price <= _TERM * len(parts):
                best = found
                break
            best = min(best, found, key=lambda one: one.price)
    tables.keep(best.tables)
    return best.specs


class _Tried(NamedTuple):
    """Terms, the tables that they add, and their price."""

    specs: list[Entry]
    tables: Tables
    price: float


def _tried(parts: list[Block], tables: Tables) -> _Tried:
    """The terms of some parts, not kept yet; a pair that is listed costs twice."""
    mine = tables.trial()
    specs = [part.spec(mine) for part in parts]
    listed = sum(spec["nonzeros"] for spec in specs if spec["relation"]["kind"] == "list")
    return _Tried(specs, mine, mine.numbers() + _TERM * len(parts) + listed)


def _closed(specs: list[Entry]) -> bool:
    return all(
        spec["relation"]["kind"] in CLOSED and spec["coefficient"]["by"] != "pairs"
        for spec in specs
    )


def _splits(block: Block) -> Iterator[list[Block]]:
    negative = block.value < 0
    signs = [part for part in (block.part(~negative), block.part(negative)) if len(part.row)]
    if len(signs) > 1:
        yield signs
    for way in (_covered, _by_shift):
        parts = [part for sign in signs for part in way(sign)]
        if len(parts) > len(signs):
            yield parts
    values = np.unique(block.value)
    if 2 < len(values) <= MOST_PARTS:
        yield [block.part(block.value == value) for value in values.tolist()]
    if len(signs) > 1 and len(parts := _by_shift(block)) > 1:
        yield parts


def _covered(block: Block) -> list[Block]:
    found, rest = cover(block)
    return [block.part(mask) for mask in (*found, rest) if mask.any()]


def _by_shift(block: Block) -> list[Block]:
    """Entries apart by the commonest difference between an index of the row and of the column.

    Until those left differ by one number alone, where all together did not.
    """
    left = block.sides.left or [np.arange(block.sides.sizes[0])]
    right = block.sides.right or [np.arange(block.sides.sizes[1])]
    sides = [(a, b) for a in left for b in right]
    found, rest, alike = list[Block](), block, -1
    while len(found) < MOST_SHIFTS - 1:
        kept, same = _commonest(rest, sides)
        if kept is None or (found and same > alike):
            break
        alike = same
        found.append(rest.part(kept))
        rest = rest.part(~kept)
        if not len(rest.row):
            return found
    return [*found, rest]


def _commonest(block: Block, sides: list[tuple[Ints, Ints]]) -> tuple[Mask | None, int]:
    """The entries of the commonest difference, and how many are the same for all entries."""
    best: Mask | None = None
    most, same = 0.15 * len(block.row), 0
    for a, b in sides:
        shift = b[block.col] - a[block.row]
        value, times = commonest(shift)
        same += times == len(shift)
        if len(shift) > times > most:
            best, most = shift == value, float(times)
    return best, same


def decode(spec: Entry, sides: Sides, tables: Tables) -> tuple[Ints, Ints, Floats]:
    """The entries of a term: local rows, local columns, values."""
    row, col = relations.decode(spec["relation"], sides, tables)
    how = spec["coefficient"]
    if how["by"] == "pairs":
        return row, col, tables.get(how["values"])
    k = 0 if how["by"] == "rows" else 1
    fields, size, which = sides[k], sides.sizes[k], (row, col)[k]
    one = decode_vector(how["vector"], [np.arange(size), *fields], size, tables)
    return row, col, one[which]
