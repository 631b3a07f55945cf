"""Index fields for families whose names have none: those of the variables that each row holds."""

from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np

from ordojo.structure.flat import Floats, Ints
from ordojo.structure.formulation.units import Unit, firsts

MOST_SLOTS = 4
MOST_FIELDS = 5


@dataclass(eq=False)
class Part:
    """The entries of one term, local to family and group, by row and then column."""

    family: int
    group: int
    row: Ints
    col: Ints
    value: Floats


def adopt(unit: Unit, parts: list[Part], groups: list[Unit]) -> list[Part] | None:
    """Give a family the indices of its variables, if those tell its rows apart; its parts anew.

    None, and nothing changed, where they do not.
    """
    whole = _whole(parts)
    found: list[tuple[Ints, bool, str]] = []
    for part in whole:
        group = groups[part.group]
        for cols, _ in slots(part, unit.size, group):
            for k, one in enumerate(group.fields):
                _keep(found, one[cols], group.words[k], group.hints[k])
        for k, one in enumerate(group.fields):
            vector = _by_row(part, one, unit.size)
            if vector is not None:
                _keep(found, vector, group.words[k], group.hints[k])
    found = [one for one in found if (one[0] != one[0][0]).any()]
    fields = [one[0] for one in found]
    if not fields or len(firsts(fields, unit.size)) < unit.size:
        return None
    if len(fields) > MOST_FIELDS:
        found = _key(found, unit.size)
    unit.fields = [one[0] for one in found]
    unit.words = [one[1] for one in found]
    unit.hints = [one[2] for one in found]
    unit.named, unit.weak = False, False
    return [new for part in whole for new in _apart(part, unit, groups[part.group])]


def _whole(parts: list[Part]) -> list[Part]:
    """One part for each group and sign."""
    by_group: dict[int, list[Part]] = {}
    for part in parts:
        by_group.setdefault(part.group, []).append(part)
    joined = []
    for group, mine in by_group.items():
        row = np.concatenate([part.row for part in mine])
        col = np.concatenate([part.col for part in mine])
        value = np.concatenate([part.value for part in mine])
        order = np.lexsort((col, row))
        row, col, value = row[order], col[order], value[order]
        for kept in (value > 0, ~(value > 0)):
            if kept.any():
                joined.append(Part(mine[0].family, group, row[kept], col[kept], value[kept]))
    return joined


def slots(part: Part, size: int, group: Unit) -> list[tuple[Ints, Floats]]:
    """The first, second, ... column of each row with its value, where all have equally few."""
    count, rest = divmod(len(part.row), size)
    if rest or not 0 < count <= MOST_SLOTS:
        return []
    shape = size, count
    if not (part.row.reshape(shape) == np.arange(size)[:, None]).all():
        return []
    cols = part.col.reshape(shape)
    order = _chain(cols, group)
    cols = np.take_along_axis(cols, order, 1)
    values = np.take_along_axis(part.value.reshape(shape), order, 1)
    return [(np.ascontiguousarray(cols[:, k]), values[:, k].copy()) for k in range(count)]


def _chain(cols: Ints, group: Unit) -> Ints:
    """Each row's columns so that an index of one is another index of the next: x[i, j], x[j, k].

    As they are, where no two indices do this for all rows.
    """
    plain = np.tile(np.arange(cols.shape[1]), (len(cols), 1))
    for c, b in combinations(range(len(group.fields)), 2):
        if cols.shape[1] < 2 or group.words[b] != group.words[c]:
            continue
        ends, begins = group.fields[b][cols], group.fields[c][cols]
        order, open_ = plain.copy(), np.ones(len(cols), bool)
        for way in permutations(range(cols.shape[1])):
            fits = (ends[:, way[:-1]] == begins[:, way[1:]]).all(1) & open_
            order[fits], open_ = way, open_ & ~fits
        if not open_.any():
            return order
    return plain


def _by_row(part: Part, one: Ints, size: int) -> Ints | None:
    """An index of the columns where it is the same for all of a row, for all rows."""
    vector = np.zeros(size, np.int64)
    seen = np.zeros(size, bool)
    vector[part.row], seen[part.row] = one[part.col], True
    return vector if seen.all() and bool((vector[part.row] == one[part.col]).all()) else None


def _keep(found: list[tuple[Ints, bool, str]], vector: Ints, words: bool, hint: str) -> None:
    for other, wordy, _ in found:
        shift = vector - other
        if wordy == words and bool((shift == shift[0]).all()) and not (words and shift[0]):
            return
    found.append((vector, words, hint))


def _key(found: list[tuple[Ints, bool, str]], size: int) -> list[tuple[Ints, bool, str]]:
    """The first fields that tell the rows apart."""
    kept: list[tuple[Ints, bool, str]] = []
    count = 1
    for one in found:
        more = len(firsts([*(k[0] for k in kept), one[0]], size))
        if more > count:
            kept.append(one)
            count = more
        if count == size:
            break
    return kept


def _apart(part: Part, unit: Unit, group: Unit) -> list[Part]:
    """A part as slots bound to the new indices, or as it is."""
    found = slots(part, unit.size, group)
    if len(found) > 1 and all(_bound(cols, unit, group) for cols, _ in found):
        every = np.arange(unit.size)
        return [Part(part.family, part.group, every, *slot) for slot in found]
    return [part]


def _bound(cols: Ints, unit: Unit, group: Unit) -> bool:
    for k, one in enumerate(group.fields):
        shifts = (
            one[cols] - own
            for own, w in zip(unit.fields, unit.words, strict=True)
            if w == group.words[k]
        )
        if not any(bool((shift == shift[0]).all()) for shift in shifts):
            return False
    return True
