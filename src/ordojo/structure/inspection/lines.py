"""Rows of two models in common terms, and which row of one is which of the other."""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix

from ordojo.milp.model import Floats, Model
from ordojo.solvers.equivalence.search import cluster, mixed
from ordojo.structure.flat import Ints

Hashes = NDArray[np.uint64]
_NEAR_ZERO = 1e-11
_OVERLAP = 0.3
"""Rows that share less of their columns are not taken for one another."""
_MOST = 20_000
"""With more rows left over, overlaps are not looked for."""


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
class Lines:
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
    def of(cls, model: Model, numbers: Ints) -> "Lines":
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


def match_rows(a: Lines, b: Lines, names: tuple[list[bytes], list[bytes]]) -> tuple[Ints, Ints]:
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

    take(*pair(keys["same"][0], keys["same"][1]), Match.SAME)
    mine = [names[0][i] for i in a.live.tolist()]
    yours = [names[1][i] for i in b.live.tolist()]
    equal = np.flatnonzero(how == Match.SAME).tolist()
    if sum(mine[i] == yours[int(mate[i])] for i in equal) >= 0.9 * len(equal):
        rows, others = left()
        where = {yours[k]: k for k in others.tolist()}
        found = [(i, where[mine[i]]) for i in rows.tolist() if mine[i] in where]
        take(*_columns(found), Match.NAME)
    for kind, name in ((Match.TERMS, "terms"), (Match.COLUMNS, "columns")):
        rows, others = left()
        at, to = pair(keys[name][0][rows], keys[name][1][others])
        take(rows[at], others[to], kind)
    rows, others = left()
    if len(rows) <= _MOST and len(others) <= _MOST:
        at, to = _overlapping(a, b, rows, others)
        take(at, to, Match.OVERLAP)
    rows, others = left()
    at, to = pair(keys["shape"][0][rows], keys["shape"][1][others])
    take(rows[at], others[to], Match.SHAPE)
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


def _keys(a: Lines, b: Lines) -> dict[str, tuple[Hashes, Hashes]]:
    coef = mixed(cluster(np.concatenate([a.coef, b.coef]), 0.0).astype(np.uint64))
    low = cluster(np.concatenate([a.low, b.low]), _NEAR_ZERO).astype(np.uint64)
    up = cluster(np.concatenate([a.up, b.up]), _NEAR_ZERO).astype(np.uint64)
    sides = mixed(mixed(low) ^ up)
    found: dict[str, list[Hashes]] = {"same": [], "terms": [], "columns": [], "shape": []}
    for k, lines in enumerate((a, b)):
        entry = slice(0, len(a.coef)) if k == 0 else slice(len(a.coef), None)
        mine = sides[: len(a.live)] if k == 0 else sides[len(a.live) :]
        col = mixed(lines.col.astype(np.uint64) + np.uint64(1 << 32))
        count = len(lines.live)
        terms = row_sums(lines.row, count, mixed(col ^ coef[entry]))
        found["same"].append(terms + mine)
        found["terms"].append(terms)
        found["columns"].append(row_sums(lines.row, count, col))
        found["shape"].append(row_sums(lines.row, count, mixed(coef[entry])) + mine)
    return {name: (one, other) for name, (one, other) in found.items()}


def _columns(pairs: list[tuple[int, int]]) -> tuple[Ints, Ints]:
    array = np.array(pairs, np.int64).reshape(-1, 2)
    return array[:, 0], array[:, 1]


def _overlapping(a: Lines, b: Lines, rows: Ints, others: Ints) -> tuple[Ints, Ints]:
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
