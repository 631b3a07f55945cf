"""Which members of a family meet which of a group: a ladder from joins of indices to lists.

A relation's pairs are (row, column), both local, by row and then column. Rungs: `join` (indices
equal up to offsets, one perhaps within a window or equal modulo a number), `pairs` (a join through
a table of index pairs), `interval` (from a first to a last column, by row or the reverse), `key`
(equally many columns a row, or the reverse), `list`.
"""

import numpy as np

from ordojo.structure.abstraction import vectors
from ordojo.structure.abstraction.joins import Join, expand, find_join, find_pairs
from ordojo.structure.abstraction.tables import Spec, Tables
from ordojo.structure.flat import Ints

Pairs = tuple[Ints, Ints]


def encode(
    row: Ints, col: Ints, left: list[Ints], right: list[Ints], sizes: tuple[int, int], store: Tables
) -> Spec:
    """The first rung that says exactly these pairs, which must be in order and all different.

    `left` and `right` are the index fields of the family and of the group, `sizes` their members.
    """
    join = find_join(row, col, left, right, sizes)
    if join is None:
        join = find_pairs(row, col, left, right, sizes)
    if join is not None:
        spec = {"kind": "pairs" if join.pairs is not None else "join"}
        return spec | _join_spec(join, left, right, sizes, store)
    flipped = np.lexsort((row, col))
    ways = [
        (side, *_runs(a, b, size), size)
        for side, a, b, size in (
            ("rows", row, col, sizes[0]),
            ("cols", col[flipped], row[flipped], sizes[1]),
        )
    ]
    best: Spec | None = None
    cost = len(row) * 0.67
    for side, first, count, whole, size in ways:
        if whole and 2 * size < cost:
            cost = 2.0 * size
            best = {"kind": "interval", "by": side, "first": first, "count": count}
    for side, _, count, _, _ in ways:
        used = count[count > 0]
        if len(used) and bool((used == used[0]).all()) and used[0] <= 4 and best is None:
            other = col if side == "rows" else row[flipped]
            best = {"kind": "key", "by": side, "count": count, "to": other}
    if best is None:
        count = np.bincount(row, minlength=sizes[0])
        best = {"kind": "list", "by": "rows", "count": count, "to": col}
    fields = left if best["by"] == "rows" else right
    place = [np.arange(len(best["count"])), *fields]
    best["count"] = vectors.encode(best["count"].astype(np.int64), place, store)
    if "first" in best:
        best["first"] = vectors.encode(best["first"].astype(np.int64), place, store)
    if "to" in best:
        best["to"] = store.put(best["to"].astype(np.int64))
    return best


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
        first = vectors.decode(spec["first"], place, size, store).astype(np.int64)
        other = np.arange(len(one)) - np.repeat(np.cumsum(count) - count - first, count)
    else:
        other = store.get(spec["to"]).astype(np.int64)
    if by_rows:
        return one, other
    order = np.lexsort((one, other))
    return other[order], one[order]


def _runs(one: Ints, other: Ints, size: int) -> tuple[Ints, Ints, bool]:
    """For pairs sorted by `one`: the first partner and how many, and whether they are adjacent."""
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
        spec["through"] = {"of": [a, b], "table": store.put(table)}
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
    pairs = (*through["of"], store.get(through["table"])) if through else None
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
