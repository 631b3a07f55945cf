"""Which column of a candidate is which of the reference: by names, or by what columns meet."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from time import perf_counter

import numpy as np

from ordojo.solvers.equivalence.form import Form
from ordojo.solvers.equivalence.search import Partition, graph_of, match, refined
from ordojo.structure.flat import Ints, Names
from ordojo.structure.grouping.names import generic, templates
from ordojo.structure.inspection.layout import Layout
from ordojo.structure.inspection.lines import Hashes, Lines, Match, match_rows, pair
from ordojo.structure.inspection.sketch import (
    Mask,
    even,
    masked,
    rough_match,
    signatures,
    sketch,
    with_rows,
)

_ENOUGH = 0.5
"""Names are believed where so many of the rows then agree, without a look at the structure."""
_TELLING = 0.9
"""And where so many of the reference's names occur, unless they are running numbers."""


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
    `extra` are the candidate's rows that are nobody's.
    """

    how: How
    cols: Ints
    rows: Ints
    matches: Ints
    extra: Ints
    inverse: Ints

    @property
    def alike(self) -> float:
        """The share of the reference's rows that have an equal in the candidate."""
        return float((self.matches == Match.SAME).mean()) if len(self.matches) else 1.0

    @property
    def unlike(self) -> int:
        """How many rows of either model have no equal in the other."""
        return int((self.matches != Match.SAME).sum()) + len(self.extra)


def align(reference: Layout, candidate: Layout, seconds: float) -> Alignment:
    """The matching under which the fewest families differ, then the fewest rows.

    The structure is searched for `seconds`. Columns that only one model names so are matched by
    what they meet.
    """
    found = []
    named = _by_name(reference.flat.cols, candidate.flat.cols)
    common = float((named >= 0).mean()) if len(named) else 0.0
    if common >= _ENOUGH:
        if common < 1:
            forms = sketch(reference.model), sketch(candidate.model)
            named = rough_match(*forms, named)
        best = _aligned(reference, candidate, named, How.NAMES)
        told = common >= _TELLING and not all(generic(t) for t in templates(candidate.flat.cols)[1])
        if told or best.alike >= _ENOUGH:
            return best
        found.append(best)
    found += _by_structure(reference, candidate, perf_counter() + seconds)
    return min(found, key=lambda one: (_blamed(reference, one), one.unlike))


def _aligned(reference: Layout, candidate: Layout, cols: Ints, how: How) -> Alignment:
    one, other = reference.model, candidate.model
    numbers = one.n + np.arange(other.n)
    numbers[cols[cols >= 0]] = np.flatnonzero(cols >= 0)
    a, b = Lines.of(one, np.arange(one.n)), Lines.of(other, numbers)
    names = reference.flat.rows.to_list(), candidate.flat.rows.to_list()
    mate, kind = match_rows(a, b, names)
    rows, matches = np.full(one.m, -1), np.full(one.m, int(Match.SAME))
    rows[a.live] = np.where(mate >= 0, b.live[mate] if len(b.live) else -1, -1)
    matches[a.live] = kind
    used = np.zeros(len(b.live), bool)
    used[mate[mate >= 0]] = True
    back = np.full(other.n, -1)
    back[cols[cols >= 0]] = np.flatnonzero(cols >= 0)
    return Alignment(how, cols, rows, matches, b.live[~used], back)


def _by_name(mine: Names, yours: Names) -> Ints:
    where = {name: j for j, name in enumerate(yours.to_list())}
    return np.array([where.get(name, -1) for name in mine.to_list()], np.int64)


def _by_structure(reference: Layout, candidate: Layout, deadline: float) -> Iterator[Alignment]:
    """The rough matching, and the best exact one of all but one family at a time.

    Both models without what differs are the same problem, so colour refinement finds a matching of
    the rest; which family to leave out is tried.
    """
    forms = sketch(reference.model), sketch(candidate.model)
    nothing = np.full(reference.model.n, -1)
    rough = _aligned(reference, candidate, rough_match(*forms, nothing), How.ROUGH)
    if _blamed(reference, rough) <= 1:
        yield replace(rough, how=How.STRUCTURE)
        return
    yield rough
    if reference.model.n != candidate.model.n:
        return
    forms = masked(*forms)
    keys = signatures(*forms)
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


def _blamed(reference: Layout, found: Alignment) -> int:
    """How many families have rows without an equal; up to one, the matching is proven."""
    return len(np.unique(reference.families[found.matches != Match.SAME]))


def _matching(
    forms: tuple[Form, Form], keys: tuple[Hashes, Hashes], kept: Mask, deadline: float
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
    found, pairs = match(Partition(graph, colours), settled, lambda: perf_counter() > deadline)
    if found:
        return np.array([pairs[j] - graph.half for j in range(graph.n)], np.int64), How.STRUCTURE
    if found is False:
        return None
    hashes = colours.astype(np.uint64)
    at, to = pair(hashes[: graph.n], hashes[graph.half : graph.half + graph.n])
    cols = np.full(graph.n, -1)
    cols[at] = to
    return cols, How.ROUGH
