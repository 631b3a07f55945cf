"""The search for the shortest description: from the coarsest partition down, one change at a time.

A class is split by one code of its members, by all codes of one kind, by whom they meet at all, or
as `split.py` says; two classes are joined. The change that saves most is made. Where none saves, a
second one is tried after each of the `LOOK` least harmful: a group and the families that meet it
often only pay when split together.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ordojo.structures.arrays import numbered
from ordojo.structures.flat import Flat, Ints
from ordojo.structures.grouping import split
from ordojo.structures.grouping.description import FINE, OTHER, WEIGHTS, Codes, State, Which, sides
from ordojo.structures.grouping.features import column_types, fixings, row_kinds

LOOK, WORST = 3, 6.0
"""How many changes are tried for a second one, and the bits that one of them may cost."""
MOST_MOVES, MOST_PARTS = 24, 8
"""Splits of one class that are priced, the most even ones, and parts of one: time follows."""
MOST_JOINED = 30
"""Up to so many classes of a side each two are tried together; time is its square."""
BUDGET = 30_000_000
"""Entries and items that may be looked at. It bounds the time without a clock, so that the result
is the same everywhere; a model of 12,000 coefficients without pattern gets there in seconds."""


class Regrouping(NamedTuple):
    """Items, all members of some classes of a side, and the class that each becomes."""

    which: Which
    items: Ints
    part: Ints


def unnamed(flat: Flat) -> dict[Which, Ints]:
    """What is apart whatever the description: types; senses, and rows that fix one column."""
    return {"cols": column_types(flat), "rows": row_kinds(flat) * 2 + fixings(flat)}


def shortest(
    flat: Flat,
    fixed: dict[Which, Ints],
    free: dict[Which, NDArray[np.bool_]],
) -> dict[Which, Ints]:
    """Classes of columns and rows: different `fixed` stay apart, what is not `free` together."""
    search = PartitionSearch(flat, fixed, free)
    start = {which: numbered(kinds) for which, kinds in fixed.items()}
    return search.run(State(sides(flat), start)).labels


class PartitionSearch:
    """One search, the states it went through and what it may still look at."""

    def __init__(
        self,
        flat: Flat,
        fixed: dict[Which, Ints],
        free: dict[Which, NDArray[np.bool_]],
        weights: Iterable[float] = WEIGHTS.values(),
    ) -> None:
        self.flat, self.fixed, self.free = flat, fixed, free
        self.weights = np.rint(100 * np.array(list(weights))).astype(np.int64)
        self.left, self.states = BUDGET, list[State]()

    def run(self, state: State) -> State:
        """The state from which no one or two changes lead to a shorter description."""
        best = int(self.weights @ state.parts())
        while True:
            self.states.append(state)
            ranked = self.ranked(state)
            if ranked and ranked[0][0] < best:
                best = ranked[0][0]
                state = state.changed(*ranked[0][1])
                continue
            found = None
            for bits, change in ranked[:LOOK]:
                if bits > best + WORST * 100 * FINE or self.left < 0:
                    break
                middle = state.changed(*change)
                second = self.ranked(middle)
                if second and second[0][0] < best:
                    best, found = second[0][0], middle.changed(*second[0][1])
            if found is None:
                return state
            state = found

    def ranked(self, state: State) -> list[tuple[int, Regrouping]]:
        """The changes with the bits after them, the shortest first, in their order where equal."""
        found = []
        for change in self.changes(state):
            view = state.views[change.which]
            self.left -= len(change.items) + state.views[OTHER[change.which]].items
            self.left -= int(np.diff(view.starts)[change.items].sum())
            if self.left < 0:
                break
            found.append((int(self.weights @ state.after(*change)), change))
        return sorted(found, key=lambda one: one[0])

    def changes(self, state: State) -> Iterator[Regrouping]:
        """All changes that are tried."""
        for which in OTHER:
            order = np.argsort(state.labels[which], kind="stable")
            members = np.split(order, np.cumsum(state.sizes[which])[:-1])
            opened = [items for items in members if self.free[which][items[0]]]
            codes, numbers = state.codes[which], state.views[which].numbers
            for items in opened:
                seen = np.concatenate([*codes[:, :, items], numbers[:, items]])
                for part in _splits(seen, codes.shape[1]):
                    yield Regrouping(which, items, part)
            for k, one in enumerate(opened[:MOST_JOINED]):
                for other in opened[k + 1 : MOST_JOINED]:
                    if self.fixed[which][one[0]] == self.fixed[which][other[0]]:
                        both = np.concatenate([one, other])
                        yield Regrouping(which, both, np.zeros(len(both), np.int64))
        yield from self._uncoded(state)

    def _uncoded(self, state: State) -> Iterator[Regrouping]:
        """The splits that no code tells: statements that come in twos."""
        groups, families = state.labels["cols"], state.labels["rows"]
        found = split.terms(self.flat, groups, families)
        tags: list[tuple[Which, Ints]] = [
            ("cols", split.twins(self.flat, found, "cols", groups, families)),
            ("rows", split.twins(self.flat, found, "rows", groups, families)),
            ("rows", split.halves(self.flat, found, families)),
        ]
        for which, tag in tags:
            for k in np.unique(state.labels[which][tag > 0]).tolist():
                items = np.flatnonzero(state.labels[which] == k)
                part = numbered(tag[items])
                if part.any() and self.free[which][items[0]]:
                    yield Regrouping(which, items, part)


def _splits(codes: Codes, keys: int) -> Iterator[Ints]:
    """Ways to split a class by its members' codes, the first `keys` lines being how often."""
    size = codes.shape[1]
    single: list[tuple[int, int, int]] = []
    kinds: list[Ints] = []
    for line, row in enumerate(codes):
        counts = np.bincount(row)
        found = np.flatnonzero(counts).tolist()
        if len(found) > 1:
            single += [(-min(int(counts[c]), size - int(counts[c])), line, c) for c in found]
        if 2 < len(found) <= MOST_PARTS:
            kinds.append(row.astype(np.int64))
    if not single:
        return
    generator = np.random.Generator(np.random.PCG64(keys))
    met = (codes[:keys] > 0).T @ generator.integers(0, 1 << 40, keys)
    even = sorted(single)[:MOST_MOVES]
    parts = [(codes[line] == code).astype(np.int64) for _, line, code in even]
    done = set[bytes]()
    for part in map(numbered, [*parts, met, *kinds]):
        if 0 < part.max() < MOST_PARTS and part.tobytes() not in done:
            done.add(part.tobytes())
            yield part
