"""The loop scaffold of a family (paper 003, table 5), in the order of decision record 12.

The thresholds were set with that record; what moving one does was counted on 117 models with 733
families.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ordojo.formulation.vocabulary import Scaffold
from ordojo.milp.tolerances import SAME
from ordojo.structures.abstraction.relations import placed
from ordojo.structures.flat import Ints
from ordojo.structures.labels.view import FamilyBlock

MOST_SHIFTS = 0.9
"""The share of rows that meet one run of values: the border may cut or lack the others. With 0.8 as
with 1 no family changes."""
ANCHORED = 0.8
"""The share of rows in which one end of the run keeps its distance to the row's index. Lower than
the others, for a run may be cut on one side of the horizon; with 0.6 four families change, with 1
none."""
WIDE = 3
"""Values that make a run: two are a step (coupled), not a window. With 2 forty families change,
with 4 two."""


@dataclass(frozen=True)
class Pattern:
    """One index of the rows against one of the columns.

    `window`: a run of `width` or more values moves with the row. `wraps`: it goes around the end,
    modulo `modulus`. `steps`: the value itself and a neighbour.
    """

    window: bool
    width: int
    wraps: bool
    modulus: int
    steps: bool


def overlap(first: Ints, second: Ints) -> float:
    """The share of the smaller set that both have; sets of different numbers, ascending."""
    common = len(np.intersect1d(first, second, assume_unique=True))
    return common / max(1, min(len(first), len(second)))


def patterns(block: FamilyBlock) -> list[Pattern]:
    """A pattern for each pair of indices of one domain that shows any."""
    found = []
    for a, left in zip(block.left, block.left_values, strict=True):
        for b, right in zip(block.right, block.right_values, strict=True):
            if len(left) >= WIDE and overlap(left, right) >= 0.5:
                pattern = _pattern(block, a, b, right)
                found += [pattern] if pattern is not None else []
    return found


def _pattern(block: FamilyBlock, a: Ints, b: Ints, values: Ints) -> Pattern | None:
    low, high = int(values[0]), int(values[-1])
    span = high - low + 1
    if span < WIDE or span > 4 * len(values):
        return None
    value = b[block.col]
    shift = value - a[block.row]
    distinct, counts = np.unique(shift, return_counts=True)
    if len(distinct) == 1:
        return None
    # Each value counts once a row.
    cells = np.unique(block.row * span + (value - low))
    row, value = cells // span, cells % span + low
    first = np.flatnonzero(np.diff(row, prepend=-1))
    sizes = np.diff(np.append(first, len(row)))
    used = a[row[first]]
    lowest, highest = value[first], value[np.append(first[1:], len(row)) - 1]
    run = highest - lowest + 1 == sizes
    anchored = max(_same(lowest - used), _same(highest - used))
    moves = len(np.unique(lowest)) > 1 or len(np.unique(highest)) > 1
    wide = float(np.median(sizes)) >= WIDE
    window = bool(run.mean() >= MOST_SHIFTS and anchored >= ANCHORED and moves and wide)
    around = np.unique(shift % span)
    constant = float((sizes == len(around)).mean()) >= MOST_SHIFTS
    once = low <= int(used.min()) and int(used.max()) <= high
    wraps = bool(once and constant and len(around) < len(distinct) and 2 * len(around) <= span)
    if wraps and len(around) >= WIDE:
        gaps = np.diff(np.append(around, around[0] + span))  # neighbours on a circle, or not
        window = window or int((gaps > 1).sum()) <= 1
    by = dict(zip(distinct.tolist(), counts.tolist(), strict=True))
    rows = len(np.unique(row))
    neighbour = max(by.get(1, 0), by.get(-1, 0))
    steps = len(distinct) <= WIDE and min(by.get(0, 0), neighbour) >= 0.5 * rows
    if not (window or wraps or steps):
        return None
    width = len(around) if wraps else int(np.median(sizes))
    return Pattern(window, width, wraps, span, steps)


def _same(distance: Ints) -> float:
    """The share of the commonest distance."""
    return float(np.unique(distance, return_counts=True)[1].max() / len(distance))


MOST = 0.9
"""The share of a family's rows that must show a pattern; the others are its border. With 0.8 as
with 1 no family changes."""
HALF = 0.5
"""The share of common values that makes two fields one domain, of pairs that makes a family
pairwise, and of listed entries that makes it a subset. With a quarter 18 families change, with
three quarters 15."""
PRODUCT = 0.8
"""The share of a product of indices that tuples fill to count as two loops: a product with a few
pairs left out is one still. With half 5 families change, with all 13."""

Found = tuple[Scaffold, str]
Shapes = Sequence[tuple[FamilyBlock, list[Pattern]]]


def decide(size: int, blocks: Sequence[FamilyBlock]) -> tuple[Scaffold, str, set[int]]:
    """The scaffold of `size` rows, with its evidence, and the groups that they couple."""
    if size == 1:
        return Scaffold.GLOBAL, "one row", set()
    shapes = [(block, patterns(block)) for block in blocks]
    stepped = {block.group for block, found in shapes if _steps(size, block, found)}
    coupled = Scaffold.COUPLED, "one group at neighbouring values of an index"
    found = (
        _moving(size, shapes)
        or _pairwise(blocks)
        or (coupled if stepped else None)
        or _replicated(blocks)
        or _subset(blocks)
        or _looped(size, blocks[0].left if blocks else [])
    )
    return *found, stepped


def _looped(size: int, fields: Sequence[Ints]) -> Found:
    loops = _loops(fields)
    if len(loops) > 1:
        return Scaffold.NESTED_LOOP, f"{len(loops)} independent loops over {size} rows"
    if fields:
        return Scaffold.SINGLE_LOOP, f"one loop over {size} rows"
    return Scaffold.SINGLE_LOOP, f"{size} rows whose names have no index"


def _moving(size: int, shapes: Shapes) -> Found | None:
    """Windows first, then wrap-around."""
    cyclic: Found | None = None
    for block, found in shapes:
        for pattern in found:
            if pattern.window:
                words = f"a run of {pattern.width} along an index moves with the row's"
                return Scaffold.WINDOW, words + (", around the end" if pattern.wraps else "")
            if pattern.wraps and cyclic is None:
                cyclic = Scaffold.CYCLIC, f"neighbours modulo {pattern.modulus}"
        for term in block.terms:
            modular = term["relation"].get("modular")
            if modular and cyclic is None and size >= 2 * modular[3] and _around(block, *modular):
                cyclic = Scaffold.CYCLIC, f"indices agree modulo {modular[3]}"
    return cyclic


def _around(block: FamilyBlock, left: int, right: int, shift: int, modulus: int) -> bool:
    """Whether indices that agree modulo a number go once around it, past its end.

    Others that agree so are two loops in one running number.
    """
    a, b = placed(block.left, block.sizes[0])[left], placed(block.right, block.sizes[1])[right]
    once = all(int(one.max()) - int(one.min()) < modulus for one in (a, b))
    return once and modulus > 2 and len(np.unique(b[block.col] - a[block.row])) > 1


def _pairwise(blocks: Sequence[FamilyBlock]) -> Found | None:
    for block in blocks:
        values = block.left_values
        for a, first in enumerate(block.left):
            for b, second in enumerate(block.left[a + 1 :], a + 1):
                if overlap(values[a], values[b]) < HALF or (first == second).mean() > 1 - MOST:
                    continue
                if any(_both(block, field, first, second) for field in block.right):
                    return Scaffold.PAIRWISE, "one group is met through both indices of a pair"
        used = int((block.per_col > 0).sum())
        if used >= 4 and (block.per_row == 2).all():
            one, other = block.col[::2], block.col[1::2]
            pairs = len(np.unique(np.minimum(one, other) * block.sizes[1] + np.maximum(one, other)))
            if pairs >= HALF * used * (used - 1) / 2:
                return Scaffold.PAIRWISE, f"{pairs} of the pairs of {used} members, two a row"
    return None


def _both(block: FamilyBlock, field: Ints, first: Ints, second: Ints) -> bool:
    """Whether nearly every row meets the members at both of its indices, and no third."""
    value = field[block.col]
    at_first, at_second = value == first[block.row], value == second[block.row]
    if not (at_first | at_second).all():
        return False
    size = block.sizes[0]
    met = np.bincount(block.row, at_first, size).astype(bool)
    met &= np.bincount(block.row, at_second, size).astype(bool)
    return float(met.mean()) >= MOST


def _steps(size: int, block: FamilyBlock, found: Sequence[Pattern]) -> bool:
    """Whether rows meet a group at their own index (or place) and at a neighbour."""
    if any(pattern.steps for pattern in found):
        return True
    if block.left or block.right or size < 3:
        return False
    shift = block.col - block.row
    return set(np.unique(shift).tolist()) in ({-1, 0}, {0, 1}) and len(shift) > 1.5 * size


def _replicated(blocks: Sequence[FamilyBlock]) -> Found | None:
    """An index that all terms carry, over a rest that is a graph or a list."""
    fields = blocks[0].left if blocks else []
    if len(_loops(fields)) < 2:
        return None
    for k, layer in enumerate(fields):
        carried = all(
            any(np.array_equal(field[block.col], layer[block.row]) for field in block.right)
            for block in blocks
        )
        if carried and _copies(layer, blocks):
            rest = [field for a, field in enumerate(fields) if a != k]
            if any(_graph(block, rest) for block in blocks):
                copies = len(np.unique(layer))
                return Scaffold.REPLICATED, f"{copies} copies along an index that all terms carry"
    return None


def _copies(layer: Ints, blocks: Sequence[FamilyBlock]) -> bool:
    """Whether nearly all copies have as many entries, with the same sum, in every block."""
    _, copy = np.unique(layer, return_inverse=True)
    many = int(copy.max()) + 1
    for block in blocks:
        which = copy[block.row]
        count = np.bincount(which, minlength=many)
        total = np.bincount(which, block.value, many)
        near = np.isclose(total, np.median(total), rtol=SAME, atol=SAME)
        if min((count == np.median(count)).mean(), near.mean()) < MOST:
            return False
    return True


def _graph(block: FamilyBlock, rest: Sequence[Ints]) -> bool:
    """Whether a group is met through two of its indices, or by a table."""
    for field in rest:
        roles = [index[block.col] == field[block.row] for index in block.right]
        partial = [role for role in roles if role.any() and not role.all()]
        for a, first in enumerate(partial):
            if any((first | second).all() for second in partial[a + 1 :]):
                return True
    return any(term["relation"]["kind"] in ("pairs", "key", "list") for term in block.terms)


def _subset(blocks: Sequence[FamilyBlock]) -> Found | None:
    """Members that a list names, without weights of their own, several rows a member."""
    listed = total = 0
    for block in blocks:
        several = len(block.col) > 1.2 * max(1, int((block.per_col > 0).sum()))
        within = block.per_row.max(initial=0) > 1
        for term in block.terms:
            total += term["nonzeros"]
            kind = term["relation"]["kind"]
            lists = kind in ("list", "pairs") or (
                kind == "key" and term["relation"]["by"] == "rows"
            )
            if lists and several and within and term["coefficient"]["by"] != "pairs":
                listed += term["nonzeros"]
    if total and listed >= HALF * total:
        return Scaffold.SUBSET, f"{listed / total:.0%} of the entries are members of listed sets"
    return None


def _loops(fields: Sequence[Ints]) -> list[list[int]]:
    """The fields in loops: those whose pairs do not fill their product run together."""
    loops: list[list[int]] = []
    distinct = [len(np.unique(field)) for field in fields]
    for k in range(len(fields)):
        joined = [k]
        for loop in list(loops):
            if any(not _product(fields[k], fields[a], distinct[k] * distinct[a]) for a in loop):
                loops.remove(loop)
                joined = loop + joined
        loops.append(joined)
    return loops


def _product(first: Ints, second: Ints, most: int) -> bool:
    _, second = np.unique(second, return_inverse=True)
    pairs = len(np.unique((first - first.min()) * (int(second.max()) + 1) + second))
    return pairs >= PRODUCT * most
