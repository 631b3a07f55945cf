"""The partition: from names where they mean something, from what items meet where not.

Named items are grouped by the template of their names (`features.py`). The others begin as one
class for each kind of column or row. In a model of up to `SEARCHED` coefficients these are split
and joined as long as the description gets shorter (`description.py`). In a larger one
each side is merged anew by which classes of the other it meets, in turns until nothing
changes: colour refinement (Weisfeiler and Leman, 1968) run towards coarser classes. What looks
alike but comes in twos is split last (`split.py`).

Classes are merged as long as the description of the model gets shorter (minimum description length,
Rissanen, 1978): a model is told class by class, what all members of a class have in common once. A
class costs its name; each look that any member has (a class of the other side that it meets, and
how; a number) costs words; a look that only some members have costs the rule that says which.
Greedy: begin with the items that look the same, and merge the two classes that save most bits until
none saves any. It is agglomerative clustering with bits for a distance, quadratic in the classes,
so only the `MOST` largest take part.

The weights were chosen on half 0 of the models with known truth in `perf/grouping.py` (halves by a
hash of the name) and checked on half 1. Beside each stands what moving it does to 46 small models
without names, 21 of them in half 0 (`python -m perf.sensitivity`): as they are, 39 get the
modeller's own groups and 36 his families.
"""

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ordojo.structures.arrays import codes, numbered
from ordojo.structures.flat import INTEGER, Flat, Floats, Ints, Mask, NameBuffer
from ordojo.structures.grouping import split
from ordojo.structures.grouping.description import Which, shortest, unnamed
from ordojo.structures.grouping.features import (
    classes,
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
from ordojo.structures.grouping.split import added, slices
from ordojo.structures.grouping.words import Spelled, joined

CLASS_BITS = 60.0
"""What a class costs. Less leaves statements in pieces (30: 31 and 32 the modeller's own), more
joins different ones (120: 31 and 27)."""
APART_BITS = 60.0
"""What merging classes costs that meet nothing alike: their statements share no variable, so they
are hardly one. Halved and doubled: the same."""
TERM_BITS, ODD_BITS, MANY_BITS, NUMBER_BITS = 12.0, 4.0, 4.0, 2.0
"""What one more look costs: meeting a class, so with other coefficients, so twice; a number.

A sum is more words than a factor in it, a factor more than a bound. The first matters: halved 37
and 35, doubled 37 and 32; of the others, halved or doubled, none moves more than one model.
"""
FEW, FEW_WEIGHT = 0.02, 0.8
"""Up to this share of a class may lack (or have) a look as an exception at the border, which is
said in fewer words. Halved or doubled: no more than one model moves."""
MIX_BITS, MIX_UNIT, MIX_MOST = 7.0, 8.0, 6.0
"""The rule for who has a look: bits a doubling of the entropy, from how many bits on, and doublings
at most. Dear rules keep classes apart that differ: with 3.5 bits 31 and 27, with 14 bits 26 and 31;
a limit of 3 doublings gives 36 and 27, one of 12 the same as 6."""


def mixture(members: Floats, having: Floats) -> Floats:
    """Bits for which of a class's members have a look.

    The entropy would grow with the members, but a rule over indices ("but for the border") says it
    in about the same words for few and for many: so its logarithm, up to a limit.
    """
    lacking = members - having
    share = np.where(having > 0, having / np.maximum(members, 1), 1.0)
    rest = np.where(lacking > 0, lacking / np.maximum(members, 1), 1.0)
    entropy = -(having * np.log2(share) + lacking * np.log2(rest))
    few = np.minimum(having, lacking) <= FEW * members
    bits = MIX_BITS * np.minimum(np.log2(1 + entropy / MIX_UNIT), MIX_MOST)
    return np.asarray(np.where(few, FEW_WEIGHT, 1.0) * bits)


def price(members: Floats, having: Floats, cost: Floats, weight: Floats) -> Floats:
    """Bits of classes, without the price of naming each: `having` counts members by class and look.

    `cost` is what having a look costs, `weight` what its mixture counts.
    """
    looks = (having > 0) * cost + weight * mixture(members[:, None], having)
    return np.asarray(looks.sum(-1))


MOST = 100
"""So many of the finest classes, the largest, are merged; the others join where they fit best.

Time is its square; with 50 or 200 the same partitions.
"""


def _merged(fixed: Ints, looks: Mask, silent: Mask, sums: "_Sums") -> Ints:
    """Classes of items, none mixing different `fixed`; items `silent` weigh nothing.

    Begins with the items that look the same and merges the two classes that gain most, in turns.
    """
    finest = classes(fixed * 2 + silent, looks)
    count = int(finest.max(initial=-1)) + 1
    if count <= 1:
        return finest
    first = np.zeros(count, np.int64)
    first[finest[::-1]] = np.arange(len(finest))[::-1]
    kinds = fixed[first]
    members: Floats = np.where(silent[first], 0.0, np.bincount(finest, minlength=count))
    having: Floats = np.where(looks[first], members[:, None], 0.0)
    order = np.lexsort((np.arange(count), -members))
    label = np.empty(count, np.int64)
    top = order[:MOST]
    label[top] = sums.merge(members[top], having[top], kinds[top])
    rest = order[MOST:]
    label[rest] = sums.place(looks[first[rest]], kinds[rest])
    return label[finest]


class _Sums:
    """The merged classes: their members, how many have each look, and their kind.

    `cost` and `weight` are those of the looks, `naming` is the price of a class itself. The first
    `met` looks are what items meet: classes that share none of them hardly belong together.
    """

    def __init__(self, cost: Floats, weight: Floats, naming: float, met: int) -> None:
        self.cost, self.weight, self.naming, self.met = cost, weight, naming, met

    def merge(self, members: Floats, having: Floats, kinds: Ints) -> Ints:
        """Merge these classes; the number of the merged one for each."""
        count = len(members)
        label, alive = np.arange(count), np.ones(count, bool)
        own = price(members, having, self.cost, self.weight)
        gain = np.full((count, count), -np.inf)
        changed = [(a, np.arange(count) > a) for a in range(count)]
        while True:
            for a, among in changed:
                others = np.flatnonzero(alive & among & (kinds == kinds[a]))
                both = members[others] + members[a], having[others] + having[a]
                shared = np.minimum(having[others, : self.met], having[a, : self.met]).any(1)
                shared |= (members[others] == 0) | (members[a] == 0)
                saved = (
                    own[others] + own[a] + np.where(shared, self.naming, self.naming - APART_BITS)
                )
                gain[a, others] = saved - price(*both, self.cost, self.weight)
                gain[others, a] = gain[a, others]
            a, b = divmod(int(np.argmax(gain)), count)
            if gain[a, b] <= 0:
                break
            members[a] += members[b]
            having[a] += having[b]
            own[a] = price(members[[a]], having[[a]], self.cost, self.weight)[0]
            alive[b] = False
            gain[[a, b], :] = gain[:, [a, b]] = -np.inf
            label[label == b] = a
            changed = [(a, np.arange(count) != a)]
        used = np.flatnonzero(alive)
        self.members, self.having, self.kinds = members[used], having[used], kinds[used]
        return np.searchsorted(used, label).astype(np.int64)

    def place(self, looks: Mask, kinds: Ints) -> Ints:
        """The merged class that each of these adds least to, or a new one for a new kind."""
        new = np.setdiff1d(kinds, self.kinds)
        members, having, before = self.members[:, None], self.having, self.kinds
        alone = mixture(members, having)
        lacks = self.weight * (mixture(members + 1, having) - alone)
        has = self.weight * (mixture(members + 1, having + 1) - alone) + self.cost * (having == 0)
        found = np.empty(len(kinds), np.int64)
        for kind in np.unique(kinds).tolist():
            mine, own = np.flatnonzero(kinds == kind), np.flatnonzero(before == kind)
            if not len(own):
                found[mine] = len(before) + np.searchsorted(new, kind)
                continue
            rise = looks[mine].astype(np.float64) @ (has[own] - lacks[own]).T + lacks[own].sum(1)
            found[mine] = own[np.argmin(rise, axis=1)]
        return found


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
    open: Mask
    naming: float = field(default_factory=lambda: CLASS_BITS)  # which perf.sensitivity moves
    sums: Ints | None = None

    def apart(self, kinds: Ints) -> Ints:
        """Kinds of items without a name, with those apart that sum otherwise."""
        return kinds if self.sums is None else kinds * (int(self.sums.max()) + 1) + self.sums


def partition(flat: Flat) -> Partition:
    """Choose groups and families.

    Items without telling names are merged by what they meet until neither side changes, then what
    looks alike but comes in twos is split.
    """
    sides = _conditions(flat)
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
        # Merged in turns until a side stays as it was: the other, found from it, then does as well.
        for turn in range(ROUNDS):
            before = groups
            groups = _merge(flat, cols, groups, families)
            if turn and np.array_equal(before, groups):
                break
            before = families
            families = _merge(flat, rows, families, groups)
            if np.array_equal(before, families):
                break
        groups, families = _split(flat, cols, rows, groups, families)
    groups = np.where(cols.open, groups * 8 + column_types(flat), groups * 8)
    return Partition(numbered(groups), numbered(families), *named)


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
    sums = _Sums(cost, weight, side.naming, widths[0])
    return numbered(_beside(side.fixed, _merged(side.fixed, looks, silent, sums), silent))


def _beside(fixed: Ints, found: Ints, silent: Mask) -> Ints:
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


def _conditions(flat: Flat) -> dict[Which, SideConditions]:
    """What names fix of either side; nothing where they say nothing."""
    plain: dict[Which, Ints] = {"cols": column_kinds(flat), "rows": row_shapes(flat)}
    nothing = {
        side: SideConditions(side, -1 - kinds, np.ones(len(kinds), bool))
        for side, kinds in plain.items()
    }
    read: dict[Which, _Read] = {
        "cols": _Read.of(flat.cols, flat.entry_cols, column_kinds(flat)),
        "rows": _Read.of(flat.rows, flat.index, row_kinds(flat)),
    }
    spelled = {side: one.spelled for side, one in read.items()}
    roots = joined(flat, spelled, flat.nonzeros <= SEARCHED)
    found = {side: one.conditions(flat, nothing[side], roots[side]) for side, one in read.items()}
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
    cut: Mask

    @classmethod
    def of(cls, names: NameBuffer, entries: NDArray[np.int32], kinds: Ints) -> "_Read":
        names = unwritten(names, np.bincount(entries, minlength=len(names)))
        label, texts, cut = untruncated(*unpadded(*spellings(names), names), names)
        return cls(names, Spelled(label, texts, kinds), cut)

    def conditions(self, flat: Flat, nothing: SideConditions, roots: Ints) -> SideConditions:
        """What the names fix, `roots` being the first template of each template's statement."""
        label, texts = onto(roots, self.spelled.label, self.spelled.texts)
        if not meaningful(label, texts, self.names):
            one = nothing.name == "cols" and len(texts) == 1 and not generic(texts[0])
            return replace(nothing, naming=ONE_NAME * CLASS_BITS) if one else nothing
        silent = np.array([generic(text) for text in texts.to_list()])[label]
        # A statement may relax binaries, so only general integers are apart among named columns.
        rows = nothing.name == "rows"
        kind = row_kinds(flat) if rows else (column_types(flat, label) == INTEGER).astype(np.int64)
        fixed = np.where(silent, nothing.fixed, label * 1000 + kind)
        return SideConditions(nothing.name, fixed, silent | self.cut)
