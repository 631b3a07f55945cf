"""Tables that others say already: turned around, or one after the other through a third index.

A reference is one table's, or `{"turned": reference}`, or `{"first": reference, "then": another}`.
"""

from collections.abc import Iterator

import numpy as np

from ordojo.structure.abstraction.tables import Spec, Tables
from ordojo.structure.flat import Ints

_MOST, _LEAST, _FEW = 8, 4, 16
"""Tables tried at most, places or pairs that are worth it, and places that are looked at first."""


def put_places(places: Ints, store: Tables) -> Spec:
    """Keep the place that each one has; perhaps as the place of a place."""
    some = np.linspace(0, len(places) - 1, _FEW).astype(np.int64)
    firsts = store.stated("places", len(places)) if len(places) >= _LEAST else []
    for first in firsts[:_MOST]:
        step = store.get(first)
        if np.array_equal(step, places):
            return first
        for then in store.stated("places")[:_MOST]:
            to = store.get(then)
            inside = int(step.max()) < len(to) and (to[step[some]] == places[some]).all()
            if inside and np.array_equal(to[step], places):
                return {"first": first, "then": then}
    return store.put(places, "places")


def get_places(spec: Spec, store: Tables) -> Ints:
    """The places of a reference."""
    if "then" in spec:
        return get_places(spec["then"], store)[get_places(spec["first"], store)]
    return store.get(spec).astype(np.int64)


def put_pairs(table: Ints, store: Tables) -> Spec:
    """Keep a table of pairs, in order; perhaps as others turned around or joined."""
    some = table[table[:, 0] == table[0, 0]]
    sides = list(_sides(store))
    for spec, one in sides:
        if one.shape == table.shape and np.array_equal(one, table):
            return spec
    for first, one in sides if len(table) >= _LEAST else []:
        begin = one[one[:, 0] == table[0, 0]]
        for then, other in sides:
            likely = np.array_equal(joined(begin, other, len(some)), some)
            if likely and np.array_equal(joined(one, other, len(table)), table):
                return {"first": first, "then": then}
    return store.put(table, "pairs")


def is_stated(table: Ints, store: Tables) -> bool:
    """Whether a table of pairs is there, perhaps turned around or as others joined."""
    trial = store.trial()
    put_pairs(table, trial)
    return not trial.arrays


def get_pairs(spec: Spec, store: Tables) -> Ints:
    """The pairs of a reference."""
    if "turned" in spec:
        return turned(get_pairs(spec["turned"], store))
    if "then" in spec:
        sides = get_pairs(spec["first"], store), get_pairs(spec["then"], store)
        return joined(*sides, 1 << 40)
    return store.get(spec)


def _sides(store: Tables) -> Iterator[tuple[Spec, Ints]]:
    for spec in store.stated("pairs")[:_MOST]:
        table = store.get(spec)
        yield spec, table
        yield {"turned": spec}, turned(table)


def turned(table: Ints) -> Ints:
    """A table of pairs with the second index first, in order."""
    return np.ascontiguousarray(table[np.lexsort((table[:, 0], table[:, 1]))][:, ::-1])


def joined(one: Ints, other: Ints, most: int) -> Ints:
    """The pairs (i, k) with some (i, j) and (j, k), in order; none where they are far too many."""
    begin = np.searchsorted(other[:, 0], one[:, 1])
    many = np.searchsorted(other[:, 0], one[:, 1], "right") - begin
    total = int(many.sum())
    if total > 8 * most + 64:
        return np.zeros((0, 2), np.int64)
    place = np.arange(total) - np.repeat(np.cumsum(many) - many - begin, many)
    pairs = np.stack([np.repeat(one[:, 0], many), other[place, 1]], 1)
    return np.unique(pairs, axis=0)
