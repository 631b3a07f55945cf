"""Terms: what one family holds of one group, as relations with coefficients."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ordojo.structure.abstraction import relations, vectors
from ordojo.structure.abstraction.tables import Spec, Tables, same_bits
from ordojo.structure.flat import Floats, Ints
from ordojo.structure.grouping.keys import commonest

Mask = NDArray[np.bool_]
CLOSED = ("join",)
MOST_PARTS, MOST_SHIFTS = 4, 6


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
                spec = vectors.encode(one, [np.arange(size), *fields], tables)
                return {"by": by, "vector": spec}
        return {"by": "pairs", "values": tables.put(self.value)}


def encode(block: Block, tables: Tables) -> list[Spec]:
    """The shortest of: one term, one for each sign, for each of few values, for each shift."""
    best, cost = _tried([block], Tables())
    closed = best[0]["relation"]["kind"] in CLOSED and best[0]["coefficient"]["by"] != "pairs"
    if closed or len(block.row) < 4:
        return _tried([block], tables)[0]
    chosen = [block]
    for parts in _splits(block):
        specs, price = _tried(parts, Tables())
        if price < cost and len(specs) > 1:
            best, cost, chosen = specs, price, parts
    return _tried(chosen, tables)[0]


def _tried(parts: list[Block], tables: Tables) -> tuple[list[Spec], float]:
    before = tables.numbers()
    specs = [part.spec(tables) for part in parts]
    return specs, tables.numbers() - before + 8.0 * len(parts)


def _splits(block: Block) -> Iterator[list[Block]]:
    negative = block.value < 0
    if negative.any() and not negative.all():
        signs = [block.part(~negative), block.part(negative)]
        yield signs
        yield [part for sign in signs for part in _by_shift(sign)]
    values = np.unique(block.value)
    if 2 < len(values) <= MOST_PARTS:
        yield [block.part(block.value == value) for value in values.tolist()]
    parts = _by_shift(block)
    if len(parts) > 1:
        yield parts


def _by_shift(block: Block) -> list[Block]:
    """Entries apart by the commonest difference between an index of the row and of the column."""
    found, rest = [], block
    for _ in range(MOST_SHIFTS - 1):
        kept = _commonest(rest)
        if kept is None:
            break
        found.append(rest.part(kept))
        rest = rest.part(~kept)
        if not len(rest.row):
            return found
    return [*found, rest]


def _commonest(block: Block) -> Mask | None:
    best: Mask | None = None
    most = 0.15 * len(block.row)
    left = block.left or [np.arange(block.sizes[0])]
    right = block.right or [np.arange(block.sizes[1])]
    for a in left:
        for b in right:
            shift = b[block.col] - a[block.row]
            value, times = commonest(shift)
            if len(shift) > times > most:
                best, most = shift == value, float(times)
    return best


def decode(
    spec: Spec, left: list[Ints], right: list[Ints], sizes: tuple[int, int], tables: Tables
) -> tuple[Ints, Ints, Floats]:
    """The entries of a term: local rows, local columns, values."""
    row, col = relations.decode(spec["relation"], left, right, sizes, tables)
    how = spec["coefficient"]
    if how["by"] == "pairs":
        return row, col, tables.get(how["values"])
    fields, size, which = (left, sizes[0], row) if how["by"] == "rows" else (right, sizes[1], col)
    one = vectors.decode(how["vector"], [np.arange(size), *fields], size, tables)
    return row, col, one[which]
