"""Which members of a family meet which of a group: a ladder from joins of indices to lists.

A relation's pairs are (row, column), both local, by row and then column. Rungs: `join` (indices
equal up to offsets, one perhaps within a window or equal modulo a number), `pairs` (a join through
a table of index pairs), `interval` (from a first to a last column, by row or the reverse), `key`
(equally many columns a row, or the reverse), `list`. Tables that other relations state are referred
to, as they are, turned around, or one after the other.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from ordojo.structure.abstraction import vectors
from ordojo.structure.abstraction.finding import find_join, find_pairs
from ordojo.structure.abstraction.hops import (
    get_pairs,
    get_places,
    is_stated,
    put_pairs,
    put_places,
)
from ordojo.structure.abstraction.joins import Join, expand
from ordojo.structure.abstraction.tables import Spec, Tables
from ordojo.structure.flat import Ints
from ordojo.structure.grouping.keys import ordered

Pairs = tuple[Ints, Ints]


def encode(
    row: Ints, col: Ints, left: list[Ints], right: list[Ints], sizes: tuple[int, int], store: Tables
) -> Spec:
    """The first rung that says exactly these pairs, which must be in order and all different.

    `left` and `right` are the index fields of the family and of the group, `sizes` their members.
    """
    join = find_join(row, col, left, right, sizes)
    if join is None:
        stated = partial(is_stated, store=store) if store.stated("pairs") else None
        join = find_pairs(row, col, left, right, sizes, stated)
    if join is not None:
        spec = {"kind": "pairs" if join.pairs is not None else "join"}
        return spec | _join_spec(join, left, right, sizes, store)
    flipped = ordered(col)
    ways = (
        _Way("rows", col, *_runs(row, col, sizes[0]), left),
        _Way("cols", row[flipped], *_runs(col[flipped], row[flipped], sizes[1]), right),
    )
    tried = [_tried(way.interval, store) for way in ways if way.whole]
    if tried:
        price, spec, tables = min(tried, key=lambda one: one[0])
        if price < len(row) * 0.67:
            store.keep(tables)
            return spec
    keys = [way for way in ways if way.key] or ways
    if len(keys) > 1 and store.stated("places", len(row)):
        prices = [_tried(way.listed, store)[0] for way in keys]
        return keys[2 * prices[1] < prices[0]].listed(store)
    return keys[0].listed(store)


def _tried(said: Callable[[Tables], Spec], store: Tables) -> tuple[int, Spec, Tables]:
    """How many numbers a way to say it adds, the way, and the tables, not kept yet."""
    tables = store.trial()
    spec = said(tables)
    return tables.numbers(), spec, tables


class _Way(NamedTuple):
    """Pairs by their rows or columns: how many partners each of these has, and all partners."""

    by: str
    partners: Ints
    first: Ints
    many: Ints
    whole: bool
    fields: list[Ints]

    def interval(self, store: Tables) -> Spec:
        """The first partner of each that has any, and how many."""
        used = self.many > 0
        fields = [np.flatnonzero(used), *(field[used] for field in self.fields)]
        start = vectors.encode(self.first[used], fields, store)
        return {"kind": "interval", "by": self.by, "count": self._count(store), "start": start}

    @property
    def key(self) -> bool:
        """Whether all that have partners have equally many, and few."""
        used = self.many[self.many > 0]
        return len(used) > 0 and bool((used == used[0]).all()) and int(used[0]) <= 4

    def listed(self, store: Tables) -> Spec:
        """All partners."""
        to = put_places(self.partners.astype(np.int64), store)
        kind = "key" if self.key else "list"
        return {"kind": kind, "by": self.by, "count": self._count(store), "to": to}

    def _count(self, store: Tables) -> Spec:
        fields = [np.arange(len(self.many)), *self.fields]
        return vectors.encode(self.many.astype(np.int64), fields, store)


def decode(
    spec: Spec, left: list[Ints], right: list[Ints], sizes: tuple[int, int], store: Tables
) -> Pairs:
    """The pairs that a spec says."""
    if spec["kind"] in ("join", "pairs"):
        return expand(_join_of(spec, left, right, sizes, store), left, right, sizes)
    by_rows = spec["by"] == "rows"
    size = sizes[0] if by_rows else sizes[1]
    place = [np.arange(size), *(left if by_rows else right)]
    count = vectors.decode(spec["count"], place, size, store).astype(np.int64)
    one = np.repeat(np.arange(size), count)
    if spec["kind"] == "interval":
        used = count > 0
        first = np.zeros(size, np.int64)
        fields = [field[used] for field in place]
        first[used] = vectors.decode(spec["start"], fields, int(used.sum()), store)
        other = np.arange(len(one)) - np.repeat(np.cumsum(count) - count - first, count)
    else:
        other = get_places(spec["to"], store)
    if by_rows:
        return one, other
    order = ordered(other)
    return other[order], one[order]


def _runs(one: Ints, other: Ints, size: int) -> tuple[Ints, Ints, bool]:
    """For pairs sorted by `one`: the first partner, how many, and whether these are adjacent."""
    count = np.bincount(one, minlength=size)
    begin = np.cumsum(count) - count
    first = np.zeros(size, np.int64)
    used = count > 0
    first[used] = other[begin[used]]
    last = other[(begin + count - 1)[used]]
    return first, count, bool((last - first[used] + 1 == count[used]).all())


def _join_spec(
    join: Join, left: list[Ints], right: list[Ints], sizes: tuple[int, int], store: Tables
) -> Spec:
    spec: Spec = {"equal": [list(atom) for atom in join.equal]}
    if join.window:
        spec["window"] = list(join.window)
    if join.modular:
        spec["modular"] = list(join.modular)
    if join.pairs is not None:
        a, b, table = join.pairs
        spec["through"] = {"of": [a, b], "table": put_pairs(table, store)}
    for key, mask, fields, size in (
        ("rows", join.rows, left, sizes[0]),
        ("cols", join.cols, right, sizes[1]),
    ):
        if mask is not None:
            spec[key] = vectors.encode(mask.astype(np.uint8), [np.arange(size), *fields], store)
    return spec


def _join_of(
    spec: Spec, left: list[Ints], right: list[Ints], sizes: tuple[int, int], store: Tables
) -> Join:
    masks = []
    for key, fields, size in (("rows", left, sizes[0]), ("cols", right, sizes[1])):
        mask = None
        if key in spec:
            mask = vectors.decode(spec[key], [np.arange(size), *fields], size, store) > 0
        masks.append(mask)
    through = spec.get("through")
    pairs = (*through["of"], get_pairs(through["table"], store)) if through else None
    equal = [(int(a), int(b), int(shift)) for a, b, shift in spec["equal"]]
    window, modular = spec.get("window"), spec.get("modular")
    return Join(
        equal,
        tuple(window) if window else None,
        tuple(modular) if modular else None,
        pairs,
        masks[0],
        masks[1],
    )
