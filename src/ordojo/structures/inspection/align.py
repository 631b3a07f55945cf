"""Rows of two models in common terms, and which row of one is which of the other."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from functools import partial
from itertools import chain, combinations
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix

from ordojo.milp.model import INF, Floats, Model
from ordojo.milp.tolerances import NEAR_ZERO, SAME
from ordojo.solvers.equivalence.forms import (
    NodePartition,
    StandardForm,
    cluster,
    form_of,
    graph_of,
    match,
    mixed,
    refined,
)
from ordojo.solvers.equivalence.reduce import ReducedModel
from ordojo.structures.flat import Ints, Mask
from ordojo.structures.grouping.features import generic, templates
from ordojo.structures.inspection.layout import ModelLayout

Hashes = NDArray[np.uint64]
_OVERLAP = 0.3
"""Rows that share less of their columns are not taken for one another: lower, and strangers are
told to differ in all they have; higher, and a row that lost columns is told as missing."""
_MOST = 20_000
"""With more rows left over, overlaps are not looked for; bounds time and memory."""


class Match(IntEnum):
    """How a row of the reference was found in the candidate, the best first."""

    SAME = 0
    NAME = 1
    TERMS = 2
    COLUMNS = 3
    OVERLAP = 4
    SHAPE = 5
    NONE = 6


@dataclass(frozen=True, eq=False)
class NormalRows:
    """A model's live rows, each scaled to a largest coefficient of 1 and turned one way.

    Entries are (row, col, coef), by rows; `col` counts the columns of both models as one set.
    """

    live: Ints
    row: Ints
    col: Ints
    coef: Floats
    low: Floats
    up: Floats

    @classmethod
    def of(cls, model: Model, numbers: Ints) -> "NormalRows":
        """`numbers` are the common numbers of the model's columns."""
        kept = np.isfinite(model.row_lower) | np.isfinite(model.row_upper)
        live = np.flatnonzero(kept)
        place = np.cumsum(kept) - 1
        inside = kept[model.entry_rows] & (model.value != 0)
        row = place[model.entry_rows[inside]].astype(np.int64)
        col, coef = numbers[model.index[inside]], model.value[inside].astype(np.float64)
        order = np.lexsort((col, row))
        row, col, coef = row[order], col[order], coef[order]
        low, up = model.row_lower[live], model.row_upper[live]
        count = len(live)
        top = np.zeros(count)
        np.maximum.at(top, row, np.abs(coef))
        top[top == 0] = 1.0
        first = np.ones(count)
        first[row[::-1]] = coef[::-1]
        turn = np.where(np.isinf(up), True, np.isfinite(low) & (first < 0))
        factor = np.where(turn, -1.0, 1.0) / top
        sides = low * factor, up * factor
        return cls(
            live,
            row,
            col,
            coef * factor[row],
            np.where(turn, sides[1], sides[0]) + 0.0,
            np.where(turn, sides[0], sides[1]) + 0.0,
        )


def match_rows(
    a: NormalRows, b: NormalRows, names: tuple[list[bytes], list[bytes]]
) -> tuple[Ints, Ints]:
    """For each live row of a: the live row of b, or -1, and the `Match` that found it.

    Equal rows first; then by name where the equal ones' names agree, by equal terms, by equal
    columns, by the share of common columns, by coefficients and sides alone.
    """
    keys = _keys(a, b)
    mate = np.full(len(a.live), -1)
    how = np.full(len(a.live), int(Match.NONE))

    def take(rows: Ints, mates: Ints, kind: Match) -> None:
        mate[rows], how[rows] = mates, int(kind)

    def left() -> tuple[Ints, Ints]:
        used = np.zeros(len(b.live), bool)
        used[mate[mate >= 0]] = True
        return np.flatnonzero(mate < 0), np.flatnonzero(~used)

    def by(name: str, kind: Match) -> None:
        rows, others = left()
        at, to = pair(keys[name][0][rows], keys[name][1][others])
        take(rows[at], others[to], kind)

    by("same", Match.SAME)
    mine = [names[0][i] for i in a.live.tolist()]
    yours = [names[1][i] for i in b.live.tolist()]
    equal = np.flatnonzero(how == Match.SAME).tolist()
    if sum(mine[i] == yours[int(mate[i])] for i in equal) >= 0.9 * len(equal):
        rows, others = left()
        where = {yours[k]: k for k in others.tolist()}
        found = [(i, where[mine[i]]) for i in rows.tolist() if mine[i] in where]
        take(*_columns(found), Match.NAME)
    by("terms", Match.TERMS)
    by("columns", Match.COLUMNS)
    rows, others = left()
    if len(rows) <= _MOST and len(others) <= _MOST:
        take(*_overlapping(a, b, rows, others), Match.OVERLAP)
    by("shape", Match.SHAPE)
    return mate, how


def pair(a: Hashes, b: Hashes) -> tuple[Ints, Ints]:
    """Places of equal keys, the first with the first where a key occurs more than once."""

    def single(keys: Hashes) -> Hashes:
        order = np.argsort(keys, kind="stable")
        ranked = keys[order]
        rank = np.arange(len(keys)) - np.searchsorted(ranked, ranked, "left")
        found = np.empty_like(keys)
        found[order] = mixed(mixed(ranked) + rank.astype(np.uint64))
        return found

    _, at, to = np.intersect1d(single(a), single(b), assume_unique=True, return_indices=True)
    order = np.argsort(at)
    return at[order].astype(np.int64), to[order].astype(np.int64)


def row_sums(row: Ints, count: int, terms: Hashes) -> Hashes:
    """Sums of hashes by row, for entries in the order of rows."""
    found = np.zeros(count, np.uint64)
    if len(row):
        begins = np.concatenate([[0], np.flatnonzero(np.diff(row)) + 1])
        found[row[begins]] = np.add.reduceat(terms, begins)
    return found


def _clustered(*parts: NDArray[np.floating[Any]], least: float = 0.0) -> list[Hashes]:
    """A number for each value that is the same for all that are equal but for rounding."""
    found = cluster(np.concatenate(parts), least).astype(np.uint64)
    return np.split(found, np.cumsum([len(part) for part in parts])[:-1])


def _sides(lows: tuple[Floats, Floats], ups: tuple[Floats, Floats]) -> list[Hashes]:
    """A hash of both sides of the rows of each model."""
    ends = (_clustered(*end, least=NEAR_ZERO) for end in (lows, ups))
    return [mixed(mixed(low) ^ up) for low, up in zip(*ends, strict=True)]


def _keys(a: NormalRows, b: NormalRows) -> dict[str, tuple[Hashes, Hashes]]:
    coefs, sides = _clustered(a.coef, b.coef), _sides((a.low, b.low), (a.up, b.up))
    found = []
    for lines, coef, side in zip((a, b), map(mixed, coefs), sides, strict=True):
        col = mixed(lines.col.astype(np.uint64) + np.uint64(1 << 32))
        terms, columns, values = (
            row_sums(lines.row, len(lines.live), of) for of in (mixed(col ^ coef), col, mixed(coef))
        )
        found.append(
            {"same": terms + side, "terms": terms, "columns": columns, "shape": values + side}
        )
    return {name: (found[0][name], found[1][name]) for name in found[0]}


def _columns(pairs: list[tuple[int, int]]) -> tuple[Ints, Ints]:
    array = np.array(pairs, np.int64).reshape(-1, 2)
    return array[:, 0], array[:, 1]


def _overlapping(a: NormalRows, b: NormalRows, rows: Ints, others: Ints) -> tuple[Ints, Ints]:
    """Rows that share the largest part of their columns, taken from the largest part down."""
    width = int(max(a.col.max(initial=0), b.col.max(initial=0))) + 1
    parts = []
    for lines, kept in ((a, rows), (b, others)):
        ones = np.ones(len(lines.row))
        whole = coo_matrix((ones, (lines.row, lines.col)), (len(lines.live), width)).tocsr()
        parts.append(whole[kept])
    sizes = [np.asarray(part.sum(1)).ravel() for part in parts]
    common = (parts[0] @ parts[1].T).tocoo()
    share = common.data / (sizes[0][common.row] + sizes[1][common.col] - common.data)
    kept = share >= _OVERLAP
    at, to, share = common.row[kept], common.col[kept], share[kept]
    free_at, free_to = set(range(len(rows))), set(range(len(others)))
    found = []
    for k in np.lexsort((to, at, -share)).tolist():
        i, j = int(at[k]), int(to[k])
        if i in free_at and j in free_to:
            free_at.remove(i)
            free_to.remove(j)
            found.append((int(rows[i]), int(others[j])))
    return _columns(found)


_DEPTH = 6
"""Steps from columns to rows and back that a column's surroundings reach: farther tells more
columns apart and is spoiled by more faults, so each depth is kept. Time grows with it."""


def sketch(model: Model) -> StandardForm:
    """A model in the form in which signs and scales of rows do not count; columns as they are."""
    free = np.full(model.n, INF)
    form = form_of(ReducedModel(replace(model, col_lower=-free, col_upper=free)), scaled=False)
    low, up = model.effective_bounds
    return with_rows(
        replace(form, low=low, up=up), np.isfinite(form.row_low) | np.isfinite(form.row_up)
    )


def with_rows(form: StandardForm, rows: Mask) -> StandardForm:
    """Only these rows."""
    inside = rows[form.entry_row]
    place = np.cumsum(rows) - 1
    return replace(
        form,
        rows=form.rows[rows],
        entry_row=place[form.entry_row[inside]],
        entry_col=form.entry_col[inside],
        coef=form.coef[inside],
        row_low=form.row_low[rows],
        row_up=form.row_up[rows],
        two_faced=form.two_faced[rows],
    )


_SAID = (("low", "up"), ("cost",), ("kind",))
"""What a column says itself."""


def masked(one: StandardForm, other: StandardForm) -> tuple[StandardForm, StandardForm]:
    """Both without what their columns disagree in: of bounds, costs and types as few as possible.

    A second one whose costs are turned around optimizes the other way, which is no other cost.
    """
    turned = replace(other, cost=-other.cost)
    found = one, other
    for few in range(len(_SAID) + 1):
        for fields in combinations(_SAID, few):
            for theirs in (other, turned):
                found = _without(one, *chain(*fields)), _without(theirs, *chain(*fields))
                if len(pair(*_own(*found))[0]) == min(len(form.cols) for form in found):
                    return found
    return found


def _without(form: StandardForm, *fields: str) -> StandardForm:
    if not fields:
        return form
    return replace(form, **{name: np.zeros_like(getattr(form, name)) for name in fields})


def _own(one: StandardForm, other: StandardForm) -> tuple[Hashes, Hashes]:
    """A hash of what each column says itself."""
    mine, yours = (np.zeros(len(form.cols), np.uint64) for form in (one, other))
    for a, b in ((one.kind * 1.0, other.kind * 1.0), (one.cost, other.cost),
                 (one.low, other.low), (one.up, other.up)):  # fmt: skip
        first, second = _clustered(a, b, least=NEAR_ZERO)
        mine, yours = mixed(mine) ^ first, mixed(yours) ^ second
    return mixed(mine), mixed(yours)


def signatures(one: StandardForm, other: StandardForm) -> tuple[Hashes, Hashes]:
    """A hash of what each row says: its sides, and its terms by coefficient and kind of column."""
    own = _own(one, other)
    values = [*map(mixed, _clustered(one.coef, -one.coef, other.coef, -other.coef))]
    sides = _sides((one.row_low, other.row_low), (one.row_up, other.row_up))
    found = []
    for k, form in enumerate((one, other)):
        mine = own[k][form.entry_col]
        face, back = (
            mixed(row_sums(form.entry_row, len(form.rows), mixed(mine ^ coef)))
            for coef in values[2 * k : 2 * k + 2]
        )
        found.append(np.where(form.two_faced, face + back, face) ^ sides[k])
    return found[0], found[1]


def even(a: Hashes, b: Hashes) -> tuple[Mask, Mask]:
    """The rows whose signature occurs as often in both."""
    keys, place = np.unique(np.concatenate([a, b]), return_inverse=True)
    mine, yours = np.split(place, [len(a)])
    same = np.bincount(mine, minlength=len(keys)) == np.bincount(yours, minlength=len(keys))
    return same[mine], same[yours]


Forms = tuple[StandardForm, StandardForm]


def rough_match(whole: Forms, forms: Forms, given: Ints) -> Ints:
    """Columns alike to the greatest depth: as far as their neighbours' neighbours agree.

    Neighbours are seen in `forms`, which are the `whole` ones or these `masked`; of columns alike
    in them those that are alike in all come first. `given` are the columns of the second that are
    known already, -1 where not.
    """
    sizes = _clustered(*(np.abs(form.coef) for form in forms))
    weights = [mixed(size + np.uint64(1 << 40)) for size in sizes]
    colours = list(_own(*forms))
    known = np.flatnonzero(given >= 0)
    colours[0][known] = colours[1][given[known]] = mixed(known.astype(np.uint64))
    depths = [(colours[0], colours[1])]
    for _ in range(_DEPTH):
        for k, form in enumerate(forms):
            terms = mixed(colours[k][form.entry_col] ^ weights[k])
            rows = mixed(row_sums(form.entry_row, len(form.rows), terms))
            order = np.argsort(form.entry_col, kind="stable")
            met = mixed(rows[form.entry_row] ^ weights[k])[order]
            sums = row_sums(form.entry_col[order], len(form.cols), met)
            colours[k] = mixed(colours[k]) + sums
        depths.append((colours[0], colours[1]))
    own = _own(*whole)
    kinds = mixed(whole[0].kind.astype(np.uint64)), mixed(whole[1].kind.astype(np.uint64))
    cols = given.copy()
    for first, second in [*reversed(depths), kinds]:
        for one, other in ((first ^ own[0], second ^ own[1]), (first, second)):
            left = np.flatnonzero(cols < 0)
            free = np.setdiff1d(np.arange(len(forms[1].cols)), cols)
            at, to = pair(one[left], other[free])
            cols[left[at]] = free[to]
    return cols


_ENOUGH = 0.5
"""Names are believed where so many of the rows then agree, without a look at the structure. Lower
believes names that agree by accident, higher takes longer for models with many faults."""
_TELLING = 0.9
"""And where so many of the reference's names occur, unless they are running numbers. Lower believes
names of another model, higher looks at the structure where a few columns are left out."""


class How(StrEnum):
    """What a matching of columns rests on."""

    NAMES = "names"
    STRUCTURE = "structure"
    ROUGH = "rough"
    """Columns that look alike nearby; with several errors, or models built in another way."""


@dataclass(frozen=True, eq=False)
class Alignment:
    """`cols[j]` is the candidate's column for column j of the reference, `rows` likewise, -1: none.

    `inverse` holds the reference's column for each of the candidate's.

    `matches` holds each row's `Match`; rows without sides count as found, they say nothing.
    `extra` are the candidate's rows that are nobody's; `odd` counts columns that say other things
    themselves than their counterparts.
    """

    how: How
    cols: Ints
    rows: Ints
    matches: Ints
    extra: Ints
    inverse: Ints
    odd: int

    @property
    def alike(self) -> float:
        """The share of the reference's rows that have an equal in the candidate."""
        return float((self.matches == Match.SAME).mean()) if len(self.matches) else 1.0

    @property
    def lone(self) -> int:
        """How many of the reference's rows have no equal in the candidate."""
        return int((self.matches != Match.SAME).sum())

    @property
    def unlike(self) -> int:
        """How many rows of either model have no equal in the other, and how many columns."""
        return self.lone + len(self.extra) + self.odd


def align(reference: ModelLayout, candidate: ModelLayout, seconds: float) -> Alignment:
    """The matching under which the fewest families differ, then the fewest rows.

    The structure is searched for `seconds`. Columns that only one model names so are matched by
    what they meet.
    """
    found = []
    where = {name: j for j, name in enumerate(candidate.flat.cols.to_list())}
    named = np.array([where.get(name, -1) for name in reference.flat.cols.to_list()], np.int64)
    common = float((named >= 0).mean()) if len(named) else 0.0
    if common >= _ENOUGH:
        if common < 1:
            whole = sketch(reference.model), sketch(candidate.model)
            named = rough_match(whole, whole, named)
        best = _aligned(reference, candidate, named, How.NAMES)
        told = common >= _TELLING and not all(generic(t) for t in templates(candidate.flat.cols)[1])
        if told or best.alike >= _ENOUGH:
            return best
        found.append(best)
    found += _by_structure(reference, candidate, perf_counter() + seconds)
    return min(found, key=partial(_faults, reference))


def _aligned(reference: ModelLayout, candidate: ModelLayout, cols: Ints, how: How) -> Alignment:
    one, other = reference.model, candidate.model
    numbers = one.n + np.arange(other.n)
    numbers[cols[cols >= 0]] = np.flatnonzero(cols >= 0)
    a, b = NormalRows.of(one, np.arange(one.n)), NormalRows.of(other, numbers)
    names = reference.flat.rows.to_list(), candidate.flat.rows.to_list()
    mate, kind = match_rows(a, b, names)
    rows, matches = np.full(one.m, -1), np.full(one.m, int(Match.SAME))
    rows[a.live] = np.where(mate >= 0, b.live[mate] if len(b.live) else -1, -1)
    matches[a.live] = kind
    used = np.zeros(len(b.live), bool)
    used[mate[mate >= 0]] = True
    back = np.full(other.n, -1)
    back[cols[cols >= 0]] = np.flatnonzero(cols >= 0)
    return Alignment(how, cols, rows, matches, b.live[~used], back, _odd(one, other, cols))


def _odd(one: Model, other: Model, cols: Ints) -> int:
    kept = np.flatnonzero(cols >= 0)
    at = cols[kept]
    alike = one.types[kept] == other.types[at]
    for a, b in zip(_ends(one), _ends(other), strict=True):
        alike &= np.isclose(a[kept], b[at], rtol=SAME, atol=NEAR_ZERO)
    return len(cols) - int(alike.sum())


def _ends(model: Model) -> tuple[Floats, ...]:
    """Bounds and costs, these without the sign that optimizing the other way turns."""
    return *model.effective_bounds, np.abs(model.objective)


def _by_structure(
    reference: ModelLayout, candidate: ModelLayout, deadline: float
) -> Iterator[Alignment]:
    """The rough matching, and the best exact one of all but one family at a time.

    Both models without what differs are the same problem, so colour refinement finds a matching of
    the rest; which family to leave out is tried.
    """
    whole = sketch(reference.model), sketch(candidate.model)
    forms = masked(*whole)
    nothing = np.full(reference.model.n, -1)
    rough = min(
        (
            _aligned(reference, candidate, rough_match(whole, seen, nothing), How.ROUGH)
            for seen in dict.fromkeys((whole, forms))
        ),
        key=partial(_faults, reference),
    )
    same = reference.model.n == candidate.model.n
    keys = signatures(*forms)
    # No matching finds an equal for these rows, so that one with as few of others is the best.
    fewest = len(keys[0]) - len(pair(*keys)[0]) if same else len(keys[0])
    if _blamed(reference, rough) <= 1 and rough.lone <= fewest:
        yield replace(rough, how=How.STRUCTURE)
        return
    yield rough
    if not same:
        return
    uneven = ~even(*keys)[0]
    families = reference.families[forms[0].rows]
    count = np.bincount(families[uneven], minlength=len(reference.rows_of))
    for family in (-1, *np.argsort(-count, kind="stable").tolist()):
        if perf_counter() > deadline:
            return
        matching = _matching(forms, keys, families != family, deadline)
        if matching is None:
            continue
        found = _aligned(reference, candidate, *matching)
        yield found
        if _blamed(reference, found) <= 1:
            return


def _blamed(reference: ModelLayout, found: Alignment) -> int:
    """How many families have rows without an equal; up to one, the matching is proven."""
    return len(np.unique(reference.families[found.matches != Match.SAME]))


def _faults(reference: ModelLayout, found: Alignment) -> tuple[int, int]:
    """The fewer, the better a matching is."""
    return _blamed(reference, found), found.unlike


def _matching(
    forms: Forms, keys: tuple[Hashes, Hashes], kept: Mask, deadline: float
) -> tuple[Ints, How] | None:
    """The columns' matching by all rows that are `kept` in the first and even in both.

    Where time ends the search, the colours' own, which may take alike columns for one another.
    """
    rows = np.flatnonzero(kept)
    same = even(keys[0][rows], keys[1])
    mine = np.zeros(len(kept), bool)
    mine[rows[same[0]]] = True
    graph = graph_of(with_rows(forms[0], mine), with_rows(forms[1], same[1]))
    coloured = refined(graph) if graph is not None else None
    if graph is None or coloured is None:
        return None
    colours, settled = coloured
    found, pairs = match(NodePartition(graph, colours), settled, lambda: perf_counter() > deadline)
    if found:
        return np.array([pairs[j] - graph.half for j in range(graph.n)], np.int64), How.STRUCTURE
    if found is False:
        return None
    hashes = colours.astype(np.uint64)
    at, to = pair(hashes[: graph.n], hashes[graph.half : graph.half + graph.n])
    cols = np.full(graph.n, -1)
    cols[at] = to
    return cols, How.ROUGH
