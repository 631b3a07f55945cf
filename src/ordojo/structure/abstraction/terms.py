"""Terms: what one family holds of one group, as relations with coefficients."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ordojo.structure.abstraction import relations
from ordojo.structure.abstraction.covers import cover
from ordojo.structure.abstraction.tables import (
    Spec,
    Tables,
    decode_vector,
    encode_vector,
    same_bits,
)
from ordojo.structure.arrays import commonest
from ordojo.structure.flat import Floats, Ints

Mask = NDArray[np.bool_]
CLOSED = ("join",)
"""The kinds of relations that are said by indices alone, without a table."""
MOST_PARTS, MOST_SHIFTS = 4, 6
"""Parts by value, and by shift, at most; bound time and the terms of one family and group. The
tables of 117 models hold 531,460 numbers in 1,975 terms; with 2 parts by value 532,816 in 1,924,
with 8 529,500 in 2,047; with 3 shifts 532,004 in 1,952, with 12 531,213 in 1,978."""
_TERM = 8.0
"""What a term costs beside the numbers of its tables: about those of its spec. With 2: 105 terms
more for 250 numbers, with 32: 121 less for 716 more."""


class Block:
    """The entries of one family and one group, local, by row and then column."""

    def __init__(
        self, row: Ints, col: Ints, value: Floats, left: list[Ints], right: list[Ints],
        sizes: tuple[int, int],
    ) -> None:  # fmt: skip
        self.row, self.col, self.value = row, col, value
        self.left, self.right, self.sizes = left, right, sizes

    def part(self, kept: Mask) -> "Block":
        """Some of the entries."""
        parts = self.row[kept], self.col[kept], self.value[kept]
        return Block(*parts, self.left, self.right, self.sizes)

    def spec(self, tables: Tables) -> Spec:
        """One relation for all entries, with their coefficients."""
        relation = relations.encode(self.row, self.col, self.left, self.right, self.sizes, tables)
        return {"relation": relation, "nonzeros": len(self.row), "coefficient": self._value(tables)}

    def _value(self, tables: Tables) -> Spec:
        for by, which, fields, size in (
            ("rows", self.row, self.left, self.sizes[0]),
            ("cols", self.col, self.right, self.sizes[1]),
        ):
            one = np.full(size, self.value[0])
            one[which] = self.value
            if same_bits(one[which], self.value):
                spec = encode_vector(one, [np.arange(size), *fields], tables)
                return {"by": by, "vector": spec}
        return {"by": "pairs", "values": tables.put(self.value)}


def encode(block: Block, tables: Tables) -> list[Spec]:
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

    specs: list[Spec]
    tables: Tables
    price: float


def _tried(parts: list[Block], tables: Tables) -> _Tried:
    """The terms of some parts, not kept yet; a pair that is listed costs twice."""
    mine = tables.trial()
    specs = [part.spec(mine) for part in parts]
    listed = sum(spec["nonzeros"] for spec in specs if spec["relation"]["kind"] == "list")
    return _Tried(specs, mine, mine.numbers() + _TERM * len(parts) + listed)


def _closed(specs: list[Spec]) -> bool:
    return all(
        spec["relation"]["kind"] in CLOSED and spec["coefficient"]["by"] != "pairs"
        for spec in specs
    )


def _splits(block: Block) -> Iterator[list[Block]]:
    negative = block.value < 0
    signs = [part for part in (block.part(~negative), block.part(negative)) if len(part.row)]
    if len(signs) > 1:
        yield signs
    for way in (_by_index, _by_shift):
        parts = [part for sign in signs for part in way(sign)]
        if len(parts) > len(signs):
            yield parts
    values = np.unique(block.value)
    if 2 < len(values) <= MOST_PARTS:
        yield [block.part(block.value == value) for value in values.tolist()]
    if len(signs) > 1 and len(parts := _by_shift(block)) > 1:
        yield parts


def _by_index(block: Block) -> list[Block]:
    """Entries apart by the indices of the row that those of the column equal."""
    masks = cover(block.row, block.col, block.left, block.right, block.sizes)
    return [block.part(mask) for mask in masks]


def _by_shift(block: Block) -> list[Block]:
    """Entries apart by the commonest difference between an index of the row and of the column.

    Until those left differ by one number alone, where all together did not.
    """
    left = block.left or [np.arange(block.sizes[0])]
    right = block.right or [np.arange(block.sizes[1])]
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


def decode(
    spec: Spec, left: list[Ints], right: list[Ints], sizes: tuple[int, int], tables: Tables
) -> tuple[Ints, Ints, Floats]:
    """The entries of a term: local rows, local columns, values."""
    row, col = relations.decode(spec["relation"], left, right, sizes, tables)
    how = spec["coefficient"]
    if how["by"] == "pairs":
        return row, col, tables.get(how["values"])
    fields, size, which = (left, sizes[0], row) if how["by"] == "rows" else (right, sizes[1], col)
    one = decode_vector(how["vector"], [np.arange(size), *fields], size, tables)
    return row, col, one[which]
