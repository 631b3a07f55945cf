"""How long a model's description is under a partition, in bits; the search for the shortest.

The idea is minimum description length (Rissanen, 1978). A model is told group by group and family
by family, as a program would: what all members have in common is said once, what only some have
costs a condition. A term, the coefficients of one sign that one family has with one group, is cheap
where it follows an index: each row has one entry, or each column has, or all stand. Where rows and
columns both have several, it takes a table, and that is the dearest part by far. The file's order
and names say nothing here.

Items are seen through small codes: how often one meets a class (exactly up to 5, then by steps of a
half, or all of it), whether with other coefficients than 1 and of which decade, the item's own
numbers. Of a class only the counts of codes matter, so the description is priced from two small
arrays, and what a change of one class does (`State.after`) from the entries of its members.

The search goes from the coarsest partition down, one change at a time. A class is split by one code
of its members, by all codes of one kind, by whom they meet at all, or as `split.py` says; two
classes are joined. The change that saves most is made. Where none saves, a second one is tried
after each of the `LOOK` least harmful: a group and the families that meet it often only pay when
split together.
"""

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ordojo.milp.tolerances import SAME
from ordojo.structures.arrays import begins, numbered, stretches
from ordojo.structures.flat import Flat, Floats, Ints, Mask
from ordojo.structures.grouping import split
from ordojo.structures.grouping.features import column_types, fixings, row_kinds

Which = Literal["cols", "rows"]
Codes = NDArray[np.uint8]
OTHER: dict[Which, Which] = {"cols": "rows", "rows": "cols"}

WEIGHTS = {
    "group": 1.59,
    "lone": -0.16,
    "term": -0.15,
    "full": 0.56,
    "table": 1.84,
    "column if": 1.30,
    "column factors": 0.38,
    "column values": 1.06,
    "column value": 0.21,
    "row if": 1.18,
    "row factors": 0.50,
    "row counts": 0.45,
    "row value": 0.17,
}
"""Bits of a description's parts, fitted by `perf.weights`, "full" and "row factors" by decision 17.

A group (what a family costs is in its terms), a class of one member, a term, one of which all
entries stand, one that takes a table. Per term of a class: that only some members have it, each
more decade of its factors, and that its rows have several counts. Per class and own number: each
more code, and the rule for who has which.
"""
PARTS = tuple(WEIGHTS)

_CODES = 64
_ALL = _CODES - 1
_STEPS = np.array([0, 1, 2, 3, 4, 5, 7, 10, 15, 22, 33, 50, 75, 113, 170, 255, 400, 600, 1000])
_STEP = (np.searchsorted(_STEPS, np.arange(1001), "right") - 1).astype(np.uint8)
_UNIT = 4.0
"""A rule for who has something is said in about as many words for few as for many: its bits are the
logarithm of the entropy, over this."""
FINE = 1024
"""Logarithms are rounded to this part of a bit, so that sums are exact and equal everywhere."""


class SideView(NamedTuple):
    """The columns' or the rows' view: where the entries of each begin, whom they meet, and how."""

    starts: Ints
    other: Ints
    negative: Ints
    odd: Mask
    size: Ints
    numbers: Codes

    @property
    def items(self) -> int:
        """How many columns or rows."""
        return len(self.starts) - 1


def sides(flat: Flat) -> dict[Which, SideView]:
    """Both views of a model, without the rows that fix one column: they say nothing of it."""
    kept = ~fixings(flat)[flat.index]
    row, col, value = flat.index[kept].astype(np.int64), flat.entry_cols[kept], flat.value[kept]
    with np.errstate(divide="ignore"):
        size = np.clip(np.rint(np.log10(np.abs(value)) * 16), -99, 199).astype(np.int64)
    by_row = np.argsort(row, kind="stable")
    found: dict[Which, SideView] = {}
    numbers = {"cols": [flat.objective, flat.lower, flat.upper], "rows": [flat.rhs]}
    for which, mine, other, order, count in (
        ("cols", col, row, slice(None), flat.n),
        ("rows", row, col.astype(np.int64), by_row, flat.m),
    ):
        found[which] = SideView(  # type: ignore[index]
            begins(mine, count),
            other[order],
            (value[order] < 0).astype(np.int64),
            np.abs(value[order]) != 1,
            size[order],
            np.stack([_number_codes(values) for values in numbers[which]]),
        )
    return found


def _number_codes(values: Floats) -> Codes:
    """Each of at most four values its own code; of more 0, 1 and -1, else sign and decade."""
    found = np.unique(values)
    if len(found) <= 4:
        return np.searchsorted(found, values).astype(np.uint8)
    with np.errstate(divide="ignore", invalid="ignore"):
        decade = np.clip(np.floor(np.log10(np.abs(values)) + SAME), -9, 15)
        code = np.where(np.isfinite(values), 15 + decade + 25 * (values < 0), 3)
    code[values == 0], code[values == 1], code[values == -1] = 0, 1, 2
    code[np.isneginf(values)] = 4
    return np.asarray(code, np.uint8)


def _codes(counts: Ints, odd: Ints, size: Ints, whole: Ints) -> Codes:
    """Two layers of codes: how often, with which factors; `whole` is the classes' sizes."""
    often = _STEP[np.minimum(counts, 1000)]
    often[(counts > 2) & (counts == whole)] = _ALL
    decade = np.floor_divide(size, 16 * np.maximum(counts, 1)) + 12
    factor = np.where(counts > 0, np.where(odd > 0, decade, 1), 0)
    return np.stack([often, factor.astype(np.uint8)])


class State:
    """A partition with the counts of codes that its description is priced from.

    `labels` number the classes of a side; `codes[side][layer, key, item]` say how an item meets a
    class of the other side, the key being twice the class, one more for negative coefficients;
    `held[side][layer, class, key, code]` count them, `values[side][class, number, code]` the own
    numbers.
    """

    def __init__(self, views: dict[Which, SideView], labels: dict[Which, Ints]) -> None:
        self.views, self.labels = views, labels
        self.sizes = {which: np.bincount(label) for which, label in labels.items()}
        self.codes: dict[Which, Codes] = {}
        self.held: dict[Which, Ints] = {}
        self.values: dict[Which, Ints] = {}
        for which, view in views.items():
            other, classes = labels[OTHER[which]], len(self.sizes[which])
            mine = np.repeat(np.arange(view.items), np.diff(view.starts))
            found = _met(view, mine, slice(None), other[view.other], self.sizes[OTHER[which]])
            self.codes[which] = found
            self.held[which] = _counted(labels[which], found, classes)
            self.values[which] = _counted(labels[which], view.numbers[None], classes)[0]

    def parts(self) -> Ints:
        """How much of each of `PARTS` the description has, in parts of `FINE`."""
        return _parts(self.sizes, self.held, self.values)

    def after(self, which: Which, items: Ints, part: Ints) -> Ints:
        """`parts` if `items`, all members of some classes, were the classes that `part` says."""
        old = np.unique(self.labels[which][items])
        new, rest, view = int(part.max()) + 1, OTHER[which], self.views[which]
        sizes, held, values = dict(self.sizes), dict(self.held), dict(self.values)
        fresh = np.bincount(part)
        sizes[which] = np.concatenate([np.delete(sizes[which], old), fresh])
        own = _counted(part, self.codes[which][:, :, items], new)
        held[which] = np.concatenate([np.delete(held[which], old, 1), own], 1)
        own = _counted(part, view.numbers[None, :, items], new)[0]
        values[which] = np.concatenate([np.delete(values[which], old, 0), own])
        item, entry = stretches(view.starts[items], np.diff(view.starts)[items])
        codes = _met(view, view.other[entry], entry, part[item], fresh, self.views[rest].items)
        met = _counted(self.labels[rest], codes, len(sizes[rest]))
        gone = np.concatenate([2 * old, 2 * old + 1])
        held[rest] = np.concatenate([np.delete(held[rest], gone, 2), met], 2)
        return _parts(sizes, held, values)

    def changed(self, which: Which, items: Ints, part: Ints) -> "State":
        """The partition with that change."""
        label = self.labels[which].copy()
        old, numbers = np.unique(label[items]), np.arange(len(self.sizes[which]))
        kept = np.delete(numbers, old)
        numbers[kept] = np.arange(len(kept))
        label = numbers[label]
        label[items] = len(kept) + part
        return State(self.views, {**self.labels, which: label})


def _met(
    view: SideView,
    mine: Ints,
    entry: Ints | slice,
    other: Ints,
    whole: Ints,
    count: int | None = None,
) -> Codes:
    """Codes of items `mine` meeting classes `other` of sizes `whole`, an entry each."""
    wide, count = 2 * len(whole), view.items if count is None else count
    cell = (other * 2 + view.negative[entry]) * count + mine
    counts, odd, size = (
        np.bincount(cell[kept], weight, wide * count).astype(np.int64).reshape(wide, count)
        for kept, weight in (
            (slice(None), None),
            (view.odd[entry], None),
            (slice(None), view.size[entry]),
        )
    )
    return _codes(counts, odd, size, np.repeat(whole, 2)[:, None])


def _counted(label: Ints, codes: Codes, classes: int) -> Ints:
    """How many items of each class have each code, by layer and key."""
    layers, keys, _ = codes.shape
    base = label * _CODES
    found = np.empty((layers, classes, keys, _CODES), np.int64)
    for layer in range(layers):
        for key in range(keys):
            many = np.bincount(base + codes[layer, key], minlength=classes * _CODES)
            found[layer, :, key] = many.reshape(classes, _CODES)
    return found


def _entropy(counts: Ints) -> Floats:
    return np.asarray(counts * np.log2(np.maximum(counts, 1)))


def _rule(entropy: Floats) -> int:
    return int(np.rint(FINE * np.log2(1 + np.maximum(entropy, 0) / _UNIT)).sum())


def _parts(sizes: dict[Which, Ints], held: dict[Which, Ints], values: dict[Which, Ints]) -> Ints:
    found, several, full, some = {}, {}, {}, {}
    for which in OTHER:
        whole, other = sizes[which][:, None], sizes[OTHER[which]]
        often, factors = held[which]
        present = whole - often[:, :, 0]
        some[which] = present > 0
        several[which] = often[:, :, 2:].any(2)
        code = np.repeat(np.where(other > 2, _ALL, other), 2)
        full[which] = often[:, np.arange(len(code)), code] == whole
        number = values[which]
        found[which] = [
            FINE * int((some[which] & (present < whole)).sum()),
            FINE * int(np.maximum((factors[:, :, 1:] > 0).sum(2) - 1, 0).sum()),
            FINE * int(((number > 0).sum(2) - 1).sum())
            if which == "cols"
            else _rule(_entropy(present) - _entropy(often[:, :, 1:]).sum(2)),
            _rule(_entropy(whole) - _entropy(number).sum(2)),
        ]
    groups, families = len(sizes["cols"]), len(sizes["rows"])
    across = several["cols"].reshape(groups, families, 2).swapaxes(0, 1)
    lone = int((sizes["cols"] == 1).sum() + (sizes["rows"] == 1).sum())
    table = several["rows"] & across.reshape(families, -1) & ~full["rows"]
    first = [groups, lone, some["rows"].sum(), full["rows"].sum(), table.sum()]
    return np.array([*(FINE * int(k) for k in first), *found["cols"], *found["rows"]])


LOOK, WORST = 3, 6.0
"""How many changes are tried for a second one, and the bits that one of them may cost: more finds
shorter descriptions that two changes together make, in more time."""
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


def shortest(flat: Flat, fixed: dict[Which, Ints], free: dict[Which, Mask]) -> dict[Which, Ints]:
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
        free: dict[Which, Mask],
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
