"""A recovered partition against the modeller's own: adjusted Rand index and how they lie."""

import re
from collections.abc import Callable

import numpy as np

from ordojo.structures.flat import Flat, Ints, NameBuffer

CONDITIONS = ("names", "no names", "numbered", "shuffled", "cut", "packed")


def adjusted_rand(found: Ints, truth: Ints) -> float:
    """The adjusted Rand index of Hubert and Arabie; 1 where both partitions are equal."""
    table = _table(found, truth)
    pairs = _pairs(table[2])
    first, second = _pairs(np.bincount(found)), _pairs(np.bincount(truth))
    total = len(found) * (len(found) - 1) / 2
    expected = first * second / total if total else 0.0
    most = (first + second) / 2
    return 1.0 if most == expected else (pairs - expected) / (most - expected)


def relation(found: Ints, truth: Ints) -> str:
    """How the first lies to the second: "same", "finer", "coarser" or "crossing"."""
    a, b, _ = _table(found, truth)
    finer, coarser = len(np.unique(a)) == len(a), len(np.unique(b)) == len(b)
    return {(1, 1): "same", (1, 0): "finer", (0, 1): "coarser"}.get((finer, coarser), "crossing")


def _table(found: Ints, truth: Ints) -> tuple[Ints, Ints, Ints]:
    width = int(truth.max(initial=0)) + 1
    cells, counts = np.unique(found.astype(np.int64) * width + truth, return_counts=True)
    return cells // width, cells % width, counts


def _pairs(counts: Ints) -> float:
    sizes = counts.astype(np.float64)
    return float((sizes * (sizes - 1) / 2).sum())


def nameless(flat: Flat, col: bytes = b"C%d", row: bytes = b"R%d") -> Flat:
    """The same model with running numbers for names."""
    from dataclasses import replace

    cols = NameBuffer.of([col % k for k in range(flat.n)])
    return replace(flat, cols=cols, rows=NameBuffer.of([row % k for k in range(flat.m)]))


def mangled(flat: Flat, how: str) -> Flat:
    """The model with names as old formats and exports leave them.

    "packed": letters and numbers of a fixed width without separators, as X0312. "cut": eight
    characters, a running number at the end where two would be one.
    """
    from dataclasses import replace

    change = {"packed": _packed, "cut": _cut}[how]
    return replace(flat, cols=_changed(flat.cols, change), rows=_changed(flat.rows, change))


def _changed(names: NameBuffer, change: Callable[[list[bytes]], list[bytes]]) -> NameBuffer:
    found = change(names.to_list())
    return NameBuffer.of(found) if len(set(found)) == len(found) else names


_PIECE = re.compile(rb"\d+|[A-Za-z]+")


def _pieces(names: list[bytes]) -> list[tuple[tuple[bytes, ...], list[bytes]]]:
    """The letters and the numbers of each name."""
    found = [_PIECE.findall(name) for name in names]
    return [
        (tuple(b"#" if one.isdigit() else one for one in parts), [o for o in parts if o.isdigit()])
        for parts in found
    ]


def _packed(names: list[bytes]) -> list[bytes]:
    split = _pieces(names)
    width: dict[tuple[bytes, ...], int] = {}
    for stem, numbers in split:
        width[stem] = max([width.get(stem, 0), *(len(str(int(one))) for one in numbers)])
    found = []
    for stem, numbers in split:
        left = iter(numbers)
        found.append(
            b"".join(
                b"%0*d" % (width[stem], int(next(left))) if one == b"#" else one.upper()
                for one in stem
            )
        )
    return found


def _cut(names: list[bytes]) -> list[bytes]:
    seen: set[bytes] = set()
    found = []
    for number, name in enumerate(names):
        short = name[:8]
        if short in seen:
            end = b"%d" % number
            short = name[: 8 - len(end)] + end
        seen.add(short)
        found.append(short)
    return found


def shuffled(flat: Flat, seed: int) -> tuple[Flat, Ints, Ints]:
    """The model with columns and rows in another order; item k was `cols[k]` or `rows[k]`."""
    from dataclasses import replace

    generator = np.random.default_rng(seed)
    cols, rows = generator.permutation(flat.n), generator.permutation(flat.m)
    place, row_place = np.empty_like(cols), np.empty_like(rows)
    place[cols], row_place[rows] = np.arange(flat.n), np.arange(flat.m)
    col, row = place[flat.entry_cols], row_place[flat.index]
    order = np.lexsort((row, col))
    starts = np.concatenate([[0], np.cumsum(np.bincount(col, minlength=flat.n))])
    changed = replace(
        flat,
        cols=flat.cols.take(cols),
        objective=flat.objective[cols],
        lower=flat.lower[cols],
        upper=flat.upper[cols],
        types=flat.types[cols],
        rows=flat.rows.take(rows),
        senses=flat.senses[rows],
        rhs=flat.rhs[rows],
        ranges=flat.ranges[rows],
        starts=starts.astype(np.int64),
        index=row[order].astype(np.int32),
        value=flat.value[order],
    )
    return changed, cols, rows
