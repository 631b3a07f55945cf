"""Relations that tables say: columns looked up by row, rows by column, or tuples of indices."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np

from ordojo.structure.flat import Ints
from ordojo.structure.formulation.codes import firsts, function_of
from ordojo.structure.formulation.relation import (
    Entries,
    Mask,
    Relation,
    matched,
    table_met,
)


def lookup(e: Entries, base: Relation, rows: Mask | None) -> tuple[float, Relation] | None:
    """One column a row: its free indices as functions of the row."""
    taking = e.sizes[0] if rows is None else int(rows.sum())
    if len(e.row) != taking:
        return None
    lookup, price = {}, 0.0
    part = [left[e.row] for left in e.left]
    for b, right in enumerate(e.right):
        if b in base.bound or b in base.fixed:
            continue
        vector = np.zeros(e.sizes[0], np.int64)
        vector[e.row] = right[e.col]
        lookup[b] = vector
        found = function_of(right[e.col], part)
        price += found[1] if found else taking
    if not lookup:
        return None
    return price, replace(base, rung="lookup", lookup=lookup, rows=rows)


def keys(e: Entries, base: Relation, cols: Mask | None) -> Iterator[tuple[float, Relation]]:
    """One row a column: its free indices, one or all, as functions of the column."""
    used = {a for a, _ in base.bound.values()}
    owners: dict[int, Ints] = {}
    for a, left in enumerate(e.left):
        vector = np.zeros(e.sizes[1], np.int64)
        vector[e.col] = left[e.row]
        if a not in used and (vector[e.col] == left[e.row]).all():
            owners[a] = vector
    part = [right[e.col] for right in e.right]
    for some in [{a: own} for a, own in owners.items()] + [owners] * (len(owners) > 1):
        found = replace(base, rung="key", owner=some, cols=cols)
        if some and matched(e, found) == len(e.row):
            prices = [function_of(own[e.col], part) for own in some.values()]
            taking = len(firsts(part, len(e.row)))
            yield float(sum(of[1] if of else taking for of in prices)), found


def pairs(
    e: Entries, base: Relation, limit: float, partial: bool = False
) -> Iterator[tuple[float, Relation]]:
    """A table of tuples of some row fields and column fields.

    With all of them it always holds: at last that, if not `partial`.
    """
    total = len(e.row)
    bound_rows = {a for a, _ in base.bound.values()}
    loose = [b for b in range(len(e.right)) if b not in base.bound and b not in base.fixed]
    free = [a for a in range(len(e.left)) if a not in bound_rows]
    for width in range(min(2, len(free)) + 1):
        for some in combinations(free, width):
            for count in range(len(loose) + 1):
                for those in combinations(loose, count):
                    if not some and not those:
                        continue
                    fields = [e.left[a][e.row] for a in some] + [e.right[b][e.col] for b in those]
                    rows = firsts(fields, total)
                    price = float(len(rows) * len(fields))
                    if price > 0.7 * total or price >= limit:
                        continue
                    if table_met(e, base, some, those, rows) == total:
                        limit = price
                        yield price, replace(base, rung="pairs", pairs=(some, those))
    if partial:
        return
    every = tuple(range(len(e.left)))
    yield (
        float(total * (len(e.left) + len(loose))),
        replace(base, rung="table", pairs=(every, tuple(loose))),
    )
