"""What a relation says over index fields, and how many pairs that is, by counting alone."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ordojo.structure.flat import Ints
from ordojo.structure.formulation.codes import codes

Mask = NDArray[np.bool_]
Fields = list[Ints]


@dataclass(frozen=True, eq=False)
class Entries:
    """The pairs of a term, local to family and group, with the index fields of both sides.

    `left_words`, `right_words`: whether a field's values are words (no arithmetic on those).
    """

    row: Ints
    col: Ints
    left: Fields
    right: Fields
    sizes: tuple[int, int]
    left_words: list[bool]
    right_words: list[bool]


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

    rung: str
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


def matched(e: Entries, r: Relation) -> int:
    """How many pairs a relation says that its rungs can say by counting (no table, no lookup)."""
    rows = np.arange(e.sizes[0]) if r.rows is None else np.flatnonzero(r.rows)
    cols = np.arange(e.sizes[1]) if r.cols is None else np.flatnonzero(r.cols)
    for b, value in r.fixed.items():
        cols = cols[e.right[b][cols] == value]
    sides = [(e.left[a][rows] + shift, e.right[b][cols]) for b, (a, shift) in r.bound.items()]
    sides += [(e.left[a][rows], own[cols]) for a, own in r.owner.items()]
    if r.modular:
        a, b, shift, step = r.modular
        sides.append(((e.left[a][rows] + shift) % step, e.right[b][cols] % step))
    row_key, col_key = joint(sides, len(rows), len(cols))
    if r.window:
        a, b, low, high = r.window
        first, last = e.left[a][rows] + low, e.left[a][rows] + high
        return int(_between(row_key, first, last, col_key, e.right[b][cols]).sum())
    if r.span and r.span[0] == "rows":
        _, b, low_of, high_of = r.span
        return int(_between(row_key, low_of[rows], high_of[rows], col_key, e.right[b][cols]).sum())
    if r.span:
        _, a, low_of, high_of = r.span
        return int(_between(col_key, low_of[cols], high_of[cols], row_key, e.left[a][rows]).sum())
    return met(row_key, col_key)


def met(one: Ints, other: Ints) -> int:
    """How many pairs have equal keys, none of them negative."""
    if not len(one) or not len(other):
        return 0
    top = int(max(one.max(), other.max())) + 1
    if top <= 8 * (len(one) + len(other)) + 1024:
        return int(np.bincount(one, minlength=top) @ np.bincount(other, minlength=top))
    order, mine = np.sort(other), np.sort(one)
    return int((np.searchsorted(order, mine, "right") - np.searchsorted(order, mine)).sum())


def joint(sides: list[tuple[Ints, Ints]], one: int, other: int) -> tuple[Ints, Ints]:
    """Keys of both sides that are equal where all values are."""
    if not sides:
        return np.zeros(one, np.int64), np.zeros(other, np.int64)
    both = codes([np.concatenate(side) for side in sides], one + other)
    return both[:one], both[one:]


def _between(key: Ints, low: Ints, high: Ints, other: Ints, value: Ints) -> Ints:
    """For each key, how many of the others have it and a value from low to high."""
    if not len(other) or not len(key):
        return np.zeros(len(key), np.int64)
    _, both = np.unique(np.concatenate([key, other]), return_inverse=True)
    key, other = both[: len(key)], both[len(key) :]
    start, width = int(value.min()), int(value.max() - value.min()) + 2
    order = np.sort(other * width + (value - start))
    first = key * width + np.clip(low - start, 0, width - 1)
    last = key * width + np.clip(high - start, -1, width - 2)
    count = np.searchsorted(order, last, "right") - np.searchsorted(order, first)
    return np.asarray(np.maximum(count, 0))


def table_met(
    e: Entries, base: Relation, some: tuple[int, ...], those: tuple[int, ...], at: Ints
) -> int:
    """How many pairs a table of tuples, together with the base, says; -1 for far too many."""
    taking = np.arange(e.sizes[0]) if base.rows is None else np.flatnonzero(base.rows)
    left = [(e.left[a][taking], e.left[a][e.row][at]) for a in some]
    row_key, table_row = joint(left, len(taking), len(at))
    order = np.argsort(table_row, kind="stable")
    begin = np.searchsorted(table_row[order], row_key)
    many = np.searchsorted(table_row[order], row_key, "right") - begin
    if int(many.sum()) > 8 * len(e.row) + 100:
        return -1
    rows = np.repeat(taking, many)
    place = order[np.arange(len(rows)) - np.repeat(np.cumsum(many) - many - begin, many)]
    cols = np.arange(e.sizes[1])
    for b, value in base.fixed.items():
        cols = cols[e.right[b][cols] == value]
    sides = [(e.left[a][rows] + s, e.right[b][cols]) for b, (a, s) in base.bound.items()]
    sides += [(e.right[b][e.col][at][place], e.right[b][cols]) for b in those]
    return met(*joint(sides, len(rows), len(cols)))
