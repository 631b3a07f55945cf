"""Errors of a blueprint, put into a model on purpose: a family dropped, a bound tightened, an index
shifted.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix

from ordojo.structure.flat import GE, LE, Flat, Ints
from ordojo.structure.inspection.layout import Layout
from ordojo.structure.score import nameless, shuffled

Mask = NDArray[np.bool_]


class Error(StrEnum):
    """What is done to one family, or to the bounds of one group."""

    DROP = "family dropped"
    TIGHTEN = "bound tightened"
    SHIFT = "index shifted"


@dataclass(frozen=True)
class Injected:
    """A model with an error in family `family` or in the bounds of group `group` (else -1)."""

    flat: Flat
    error: Error
    family: int
    group: int
    text: str


def inject(layout: Layout, error: Error, draw: np.random.Generator) -> Injected | None:
    """An error somewhere in a model; None where the model has no place for one of that kind."""
    return _WAYS[error](layout, draw)


def hidden(flat: Flat, seed: int) -> Flat:
    """The same model with running names, rows and columns in another order."""
    # Names first: afterwards running names would still tell the old order.
    return nameless(shuffled(flat, seed)[0])


def _drop(layout: Layout, draw: np.random.Generator) -> Injected | None:
    live = [f for f, rows in enumerate(layout.rows_of) if _sided(layout, rows).any()]
    if not live:
        return None
    family = int(draw.choice(live))
    flat = _rows_kept(layout.flat, layout.families != family)
    name = layout.family_names[family]
    return Injected(flat, Error.DROP, family, -1, f"family '{name}' left out")


def _tighten(layout: Layout, draw: np.random.Generator) -> Injected | None:
    """A family's finite one-sided right-hand sides by 10 to 50 percent, or a group's bounds."""
    flat = layout.flat
    bounded = np.isfinite(flat.upper) & (flat.upper > flat.lower + 1)
    places = [
        (f, -1)
        for f, rows in enumerate(layout.rows_of)
        if (np.isin(flat.senses[rows], (LE, GE)) & np.isnan(flat.ranges[rows])).all()
    ]
    places += [(-1, g) for g, columns in enumerate(layout.columns_of) if bounded[columns].any()]
    if not places:
        return None
    family, group = places[int(draw.integers(len(places)))]
    part = float(draw.uniform(0.1, 0.5))
    if family >= 0:
        rows = layout.rows_of[family]
        rhs = flat.rhs.copy()
        top = np.ones(flat.m)
        np.maximum.at(top, flat.index, np.abs(flat.value))
        step = part * np.where(rhs[rows] != 0, np.abs(rhs[rows]), top[rows])
        if not (flat.value % 1).any():
            step = np.ceil(step)  # rounding would leave the points of whole rows as they are
        rhs[rows] += np.where(flat.senses[rows] == LE, -step, step)
        name = layout.family_names[family]
        text = f"right-hand sides of '{name}' tightened by {part:.0%}"
        return Injected(replace(flat, rhs=rhs), Error.TIGHTEN, family, -1, text)
    columns = layout.columns_of[group]
    upper = flat.upper.copy()
    mine = columns[bounded[columns]]
    low = np.where(np.isfinite(flat.lower[mine]), flat.lower[mine], 0.0)
    cut = low + (1 - part) * (upper[mine] - low)
    upper[mine] = np.maximum(low, np.where(flat.types[mine] > 0, np.floor(cut), cut))
    text = f"upper bounds of '{layout.group_names[group]}' tightened by {part:.0%}"
    return Injected(replace(flat, upper=upper), Error.TIGHTEN, -1, group, text)


def _shift(layout: Layout, draw: np.random.Generator) -> Injected | None:
    """One group's terms in one family refer to the next index; the last one's leave or wrap."""
    flat = layout.flat
    places = np.unique(
        np.stack([layout.families[flat.index], layout.groups[flat.entry_cols]], 1), axis=0
    )
    for k in draw.permutation(len(places)).tolist():
        family, group = (int(p) for p in places[k])
        fields = layout.fields(group)
        place = int(draw.integers(len(fields)))
        after = _successor(fields, place, bool(draw.integers(2)))
        if after is None:
            continue
        members = layout.columns_of[group]
        image = np.full(flat.n, -1)
        image[members] = np.where(after >= 0, members[after], -1)
        mine = (layout.families[flat.index] == family) & (layout.groups[flat.entry_cols] == group)
        col = np.where(mine, image[flat.entry_cols], flat.entry_cols.astype(np.int64))
        moved = _entries(flat, col, col >= 0)
        name, of = layout.family_names[family], layout.group_names[group]
        text = f"in family '{name}' index {place + 1} of '{of}' shifted by +1"
        return Injected(moved, Error.SHIFT, family, -1, text)
    return None


def _successor(fields: list[Ints], place: int, wrap: bool) -> Ints | None:
    """For each member the one whose index is the next, others equal; -1 for none; None: few are."""
    values = np.unique(fields[place])
    if len(values) < 2:
        return None
    rank = np.searchsorted(values, fields[place])
    rest = [f for k, f in enumerate(fields) if k != place]
    where = {(int(r), *(int(f[k]) for f in rest)): k for k, r in enumerate(rank.tolist())}
    after = np.full(len(rank), -1)
    for k, r in enumerate(rank.tolist()):
        key = tuple(int(f[k]) for f in rest)
        to = where.get((r + 1, *key))
        if to is None and wrap and r == len(values) - 1:
            to = where.get((0, *key))
        after[k] = -1 if to is None else to
    return after if (after >= 0).mean() >= 0.5 else None


def _sided(layout: Layout, rows: Ints) -> Mask:
    low, up = layout.flat.row_bounds
    return np.isfinite(low[rows]) | np.isfinite(up[rows])


def _rows_kept(flat: Flat, kept: Mask) -> Flat:
    rows = np.flatnonzero(kept)
    place = np.cumsum(kept) - 1
    changed = _entries(flat, flat.entry_cols.astype(np.int64), kept[flat.index])
    return replace(
        changed,
        rows=flat.rows.take(rows),
        senses=flat.senses[rows],
        rhs=flat.rhs[rows],
        ranges=flat.ranges[rows],
        index=place[changed.index].astype(np.int32),
    )


def _entries(flat: Flat, col: Ints, kept: Mask) -> Flat:
    """The model with entries in other columns; those in one place are summed."""
    parts = (flat.value[kept], (flat.index[kept], col[kept]))
    matrix = coo_matrix(parts, (flat.m, flat.n)).tocsc()
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    return replace(
        flat,
        starts=matrix.indptr.astype(np.int64),
        index=matrix.indices.astype(np.int32),
        value=matrix.data.astype(np.float64),
    )


_WAYS: dict[Error, Callable[[Layout, np.random.Generator], Injected | None]] = {
    Error.DROP: _drop,
    Error.TIGHTEN: _tighten,
    Error.SHIFT: _shift,
}
