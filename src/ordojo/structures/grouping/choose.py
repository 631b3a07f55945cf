"""The partition: from names where they mean something, from what items meet where not.

Named items are grouped by the template of their names (`features.py`). The others begin as one
class for each kind of column or row. In a model of up to `SEARCHED` coefficients these are split
and joined as long as the description gets shorter (`description.py`). In a larger one
each side is merged anew by which classes of the other it meets (`merge.py`), in turns until nothing
changes: colour refinement (Weisfeiler and Leman, 1968) run towards coarser classes. What looks
alike but comes in twos is split last (`split.py`).
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ordojo.structures.arrays import codes, numbered
from ordojo.structures.flat import INTEGER, Flat, Ints, NameBuffer
from ordojo.structures.grouping import split
from ordojo.structures.grouping.description import Which, shortest, unnamed
from ordojo.structures.grouping.features import (
    column_kinds,
    column_types,
    fixings,
    generic,
    meaningful,
    meetings,
    numbers,
    onto,
    row_kinds,
    row_shapes,
    spellings,
    unpadded,
    untruncated,
    unwritten,
)
from ordojo.structures.grouping.merge import (
    CLASS_BITS,
    MANY_BITS,
    NUMBER_BITS,
    ODD_BITS,
    TERM_BITS,
    merged,
)
from ordojo.structures.grouping.split import added, slices
from ordojo.structures.grouping.words import Spelled, joined

ROUNDS = 5
"""Turns of merging one side by the other; a side that stays as it was ends them earlier.

With one turn 30 and 31 of 46 models get the modeller's groups and families, with 5 or 10: 39, 36.
"""
SPLITS = 3
"""Turns of splitting twins; none: 36 and 27 of 46, one: as three."""
SEARCHED = 12_000
"""Up to so many coefficients the shortest description is searched for: from about there on the
search takes a second, and merging finds as much of what modellers wrote."""
ONE_NAME = 1.5
"""How much dearer a class of columns is where all have one name with a number, `x_17` of any group,
and rows have names.

Such a name was given to all at once, so they are rather one statement than many. One running name
of rows is what counts them, whatever the statement.
"""


@dataclass(frozen=True)
class Partition:
    """A group for each column and a family for each row, counted from 0 in order of appearance."""

    groups: Ints
    families: Ints
    cols_named: bool
    rows_named: bool


@dataclass(frozen=True)
class SideConditions:
    """What is fixed of one side: items of different `fixed` never share a class.

    The items of `open` may be told apart by what they meet, the others are what their names say;
    `fixed` is below zero where no name says anything, so that items of one `fixed` may be joined.
    `sums` tells rows without names apart by what they sum as a whole and by what they add
    (`split.py`).
    """

    name: Which
    fixed: Ints
    open: NDArray[np.bool_]
    naming: float = CLASS_BITS
    sums: Ints | None = None

    def apart(self, kinds: Ints) -> Ints:
        """Kinds of items without a name, with those apart that sum otherwise."""
        return kinds if self.sums is None else kinds * (int(self.sums.max()) + 1) + self.sums


def partition(flat: Flat, use_names: bool = True) -> Partition:
    """Choose groups and families; `use_names` false looks at the numbers only.

    Items without telling names are merged by what they meet until neither side changes, then what
    looks alike but comes in twos is split.
    """
    sides = _conditions(flat, use_names)
    cols, rows = sides["cols"], sides["rows"]
    groups, families = numbered(cols.fixed), numbered(rows.fixed)
    named = not cols.open.any(), not rows.open.any()
    # One running name for all columns is evidence that only merging weighs.
    plainly = cols.naming == CLASS_BITS
    if not all(named) and plainly and 0 < flat.nonzeros <= SEARCHED:
        # What one statement gives; bounds and lengths are the description's to tell.
        plain = unnamed(flat)
        fixed: dict[Which, Ints] = {
            side.name: np.where(side.fixed < 0, -1 - side.apart(plain[side.name]), side.fixed)
            for side in (cols, rows)
        }
        found = shortest(flat, fixed, {"cols": cols.open, "rows": rows.open})
        return Partition(numbered(found["cols"]), numbered(found["rows"]), *named)
    if not all(named) and flat.nonzeros:
        groups, families = _settled(flat, cols, rows, groups, families)
        groups, families = _split(flat, cols, rows, groups, families)
    groups = np.where(cols.open, groups * 8 + column_types(flat), groups * 8)
    return Partition(numbered(groups), numbered(families), *named)


def _settled(
    flat: Flat, cols: SideConditions, rows: SideConditions, groups: Ints, families: Ints
) -> tuple[Ints, Ints]:
    """Merge in turns until a side stays as it was: the other, found from it, then does as well."""
    for turn in range(ROUNDS):
        before = groups
        groups = _merge(flat, cols, groups, families)
        if turn and np.array_equal(before, groups):
            break
        before = families
        families = _merge(flat, rows, families, groups)
        if np.array_equal(before, families):
            break
    return groups, families


def _split(
    flat: Flat, cols: SideConditions, rows: SideConditions, groups: Ints, families: Ints
) -> tuple[Ints, Ints]:
    found = split.terms(flat, groups, families)
    for _ in range(SPLITS):
        apart = split.twins(flat, found, "cols", groups, families) * cols.open
        if apart.any():
            groups = numbered(groups * split.TAGS + apart)
            families = _merge(flat, rows, families, groups)
            found = split.terms(flat, groups, families)
        if not rows.open.any():
            break
        tag = split.twins(flat, found, "rows", groups, families)
        tag = np.where(tag > 0, tag, split.keyed(flat, found, groups, families))
        tag = np.where(tag > 0, tag, split.halves(flat, found, families))
        tag = np.where(tag > 0, tag, split.lengths(flat, families)) * rows.open
        if tag.any():
            families = numbered(families * split.TAGS + tag)
            rows = replace(rows, fixed=numbered(rows.fixed * split.TAGS + tag))
            found = split.terms(flat, groups, families)
        elif not apart.any():
            break
    return groups, families


def _merge(flat: Flat, side: SideConditions, mine: Ints, other: Ints) -> Ints:
    """The classes of one side by what its items meet of the other's, as long as it is open."""
    if not side.open.any():
        return mine
    tables = [*meetings(flat, side.name, other), numbers(flat, side.name)]
    looks = np.concatenate(tables, 1)
    widths = [table.shape[1] for table in tables]
    cost = np.repeat([TERM_BITS, ODD_BITS, MANY_BITS, NUMBER_BITS], widths)
    weight = np.repeat([1.0, 1.0, 1.0, 2.0 if side.name == "rows" else 1.0], widths)
    silent = ~np.any(tables[0], axis=1)
    if side.name == "rows":
        silent |= fixings(flat)
    looks &= (side.open & ~silent)[:, None]
    silent &= side.open
    found = merged(side.fixed, looks, silent, cost, weight, side.naming, widths[0])
    return numbered(_beside(side.fixed, found, silent))


def _beside(fixed: Ints, found: Ints, silent: NDArray[np.bool_]) -> Ints:
    """The classes, with items that say nothing in that of the nearest before them (or behind)."""
    speaking = np.flatnonzero(~silent)
    if not silent.any() or not len(speaking):
        return found
    items = np.flatnonzero(silent)
    after = np.searchsorted(speaking, items)
    before = speaking[np.maximum(after - 1, 0)]
    behind = speaking[np.minimum(after, len(speaking) - 1)]
    for near in (behind, before):
        fits = fixed[near] == fixed[items]
        found[items[fits]] = found[near[fits]]
    return found


def _conditions(flat: Flat, use_names: bool) -> dict[Which, SideConditions]:
    """What names fix of either side; nothing where they say nothing."""
    plain: dict[Which, Ints] = {"cols": column_kinds(flat), "rows": row_shapes(flat)}
    nothing = {
        side: SideConditions(side, -1 - kinds, np.ones(len(kinds), bool))
        for side, kinds in plain.items()
    }
    if not use_names:
        return nothing
    read: dict[Which, _Read] = {
        "cols": _Read.of(flat.cols, flat.entry_cols, column_kinds(flat)),
        "rows": _Read.of(flat.rows, flat.index, row_kinds(flat)),
    }
    roots = joined(flat, {side: one.spelled for side, one in read.items()})
    # A statement may relax binaries, so only general integers are apart among named columns.
    whole = (column_types(flat) == INTEGER).astype(np.int64)
    named: dict[Which, Ints] = {"cols": whole, "rows": row_kinds(flat)}
    found = {
        side: one.conditions(nothing[side], named[side], roots[side]) for side, one in read.items()
    }
    # However running numbers are spelled, where both sides have nothing else there are no names.
    if all((one.fixed < 0).all() for one in found.values()):
        return nothing
    return found | {"rows": _summed(flat, found["cols"], found["rows"])}


def _summed(flat: Flat, cols: SideConditions, rows: SideConditions) -> SideConditions:
    """Rows with those without a name apart by what they sum and add of named columns."""
    silent = rows.fixed < 0
    if cols.open.any() or not silent.any():
        return rows
    groups = numbered(cols.fixed)
    both = [slices(flat, groups, rows.fixed), added(flat, groups, np.minimum(rows.fixed, 0))]
    rows = replace(rows, sums=codes(both, flat.m))
    return replace(rows, fixed=np.where(silent, -1 - rows.apart(-1 - rows.fixed), rows.fixed))


@dataclass(frozen=True)
class _Read:
    """The names of a side, their templates, and which items' names were cut."""

    names: NameBuffer
    spelled: Spelled
    cut: NDArray[np.bool_]

    @classmethod
    def of(cls, names: NameBuffer, entries: NDArray[np.int32], kinds: Ints) -> "_Read":
        names = unwritten(names, np.bincount(entries, minlength=len(names)))
        label, texts, cut = untruncated(*unpadded(*spellings(names), names), names)
        return cls(names, Spelled(label, texts, kinds), cut)

    def conditions(self, nothing: SideConditions, named: Ints, roots: Ints) -> SideConditions:
        """What the names fix, `roots` being the first template of each template's statement."""
        label, texts = onto(roots, self.spelled.label, self.spelled.texts)
        if not meaningful(label, texts, self.names):
            one = nothing.name == "cols" and len(texts) == 1 and not generic(texts[0])
            return replace(nothing, naming=ONE_NAME * CLASS_BITS) if one else nothing
        silent = np.array([generic(text) for text in texts.to_list()])[label]
        fixed = np.where(silent, nothing.fixed, label * 1000 + named)
        return SideConditions(nothing.name, fixed, silent | self.cut)
