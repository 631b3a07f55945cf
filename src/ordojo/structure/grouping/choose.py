"""The partition: from names where they mean something, from what items meet where not."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ordojo.structure.flat import INTEGER, Flat, Ints
from ordojo.structure.grouping.features import (
    classes,
    column_kinds,
    lengths_apart,
    meetings,
    numbered,
    row_kinds,
)
from ordojo.structure.grouping.merge import merged
from ordojo.structure.grouping.names import generic, meaningful, templates
from ordojo.structure.grouping.price import price

ROUNDS = 3
_WAYS = ((True, 1.0), (False, 1.0), (True, 5.0), (False, 5.0))
"""Whether signs count, and how much dearer classes are against what their members meet."""
LARGE = 300_000
"""With more nonzeros, fewer candidates are tried."""


@dataclass(frozen=True)
class Partition:
    """A group for each column and a family for each row, counted from 0 in order of appearance."""

    groups: Ints
    families: Ints
    cols_named: bool
    rows_named: bool


@dataclass(frozen=True)
class Side:
    """What is fixed of one side: items of different `fixed` never share a class.

    The items of `open` may be told apart by what they meet, the others are what their names say.
    """

    fixed: Ints
    open: NDArray[np.bool_]


def partition(flat: Flat, use_names: bool = True) -> Partition:
    """Choose groups and families; `use_names` false looks at the numbers only.

    Items without telling names get the candidate with the shortest description.
    """
    cols, rows = _side(flat, "cols", use_names), _side(flat, "rows", use_names)
    groups, families = numbered(cols.fixed), numbered(rows.fixed)
    if (cols.open.any() or rows.open.any()) and flat.nonzeros:
        best = price(flat, groups, families)
        for candidate in _candidates(flat, cols, rows):
            cost = price(flat, *candidate)
            if cost < best:
                best, (groups, families) = cost, candidate
    named = not cols.open.any(), not rows.open.any()
    return Partition(numbered(groups), numbered(families), *named)


def _candidates(flat: Flat, cols: Side, rows: Side) -> Iterator[tuple[Ints, Ints]]:
    """Partitions by what items meet, refined in turns, from either side, with signs or without."""
    small = flat.nonzeros <= LARGE
    for signs, scale in _WAYS if small else _WAYS[:1]:
        for order in (("rows", "cols"), ("cols", "rows")) if small else (("rows", "cols"),):
            groups, families = numbered(cols.fixed), numbered(rows.fixed)
            for _ in range(ROUNDS):
                before = groups, families
                for side in order:
                    if side == "rows" and rows.open.any():
                        families = _merge(rows, meetings(flat, "rows", groups, signs), scale)
                        yield groups, families
                    elif side == "cols" and cols.open.any():
                        groups = _merge(cols, meetings(flat, "cols", families, signs), scale)
                        yield groups, families
                if np.array_equal(before[0], groups) and np.array_equal(before[1], families):
                    break


def _merge(side: Side, met: NDArray[np.int8], scale: float) -> Ints:
    met = met * side.open[:, None]
    return numbered(merged(side.fixed, met, classes(side.fixed, met), scale))


def _side(flat: Flat, side: str, use_names: bool) -> Side:
    names = flat.cols if side == "cols" else flat.rows
    kinds = column_kinds(flat) if side == "cols" else row_kinds(flat)
    which = flat.entry_cols if side == "cols" else flat.index
    apart = lengths_apart(kinds, np.bincount(which, minlength=len(names)))
    nothing = Side(apart, np.ones(len(names), bool))
    if not use_names:
        return nothing
    label, spelled = templates(names)
    if not meaningful(label, spelled, names):
        return nothing
    # A statement may relax binaries, so only general integers are apart among named columns.
    named = (kinds == INTEGER).astype(np.int64) if side == "cols" else kinds
    silent = np.array([generic(text) for text in spelled])[label]
    return Side(np.where(silent, kinds, (label + 1) * 1000 + named), silent)
