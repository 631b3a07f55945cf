"""Errors of a blueprint, put into a model on purpose: a family dropped, a bound tightened, an index
shifted.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix

from ordojo.core.errors import DataError, GeneratorError
from ordojo.core.seeds import generator
from ordojo.formulation.build import build
from ordojo.problems.registry import templates
from ordojo.solvers.equivalence.comparison import find_mapping
from ordojo.structures import flat_model, read_flat
from ordojo.structures.flat import GE, LE, Flat, Ints, model_of
from ordojo.structures.inspection.difference import Difference
from ordojo.structures.inspection.finding import InspectionFinding, inspect
from ordojo.structures.inspection.layout import ModelLayout
from perf.figure import Figure, command
from perf.score import nameless, shuffled

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


def inject(layout: ModelLayout, error: Error, draw: np.random.Generator) -> Injected | None:
    """An error somewhere in a model; None where the model has no place for one of that kind."""
    return _WAYS[error](layout, draw)


def hidden(flat: Flat, seed: int) -> Flat:
    """The same model with running names, rows and columns in another order."""
    # Names first: afterwards running names would still tell the old order.
    return nameless(shuffled(flat, seed)[0])


def _drop(layout: ModelLayout, draw: np.random.Generator) -> Injected | None:
    live = [f for f, rows in enumerate(layout.rows_of) if _sided(layout, rows).any()]
    if not live:
        return None
    family = int(draw.choice(live))
    flat = _rows_kept(layout.flat, layout.families != family)
    name = layout.family_names[family]
    return Injected(flat, Error.DROP, family, -1, f"family '{name}' left out")


def _tighten(layout: ModelLayout, draw: np.random.Generator) -> Injected | None:
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


def _shift(layout: ModelLayout, draw: np.random.Generator) -> Injected | None:
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


def _sided(layout: ModelLayout, rows: Ints) -> Mask:
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


_WAYS: dict[Error, Callable[[ModelLayout, np.random.Generator], Injected | None]] = {
    Error.DROP: _drop,
    Error.TIGHTEN: _tighten,
    Error.SHIFT: _shift,
}


_TRIES = 30
_SETTLE, _SOLVE = 5.0, 2.0
"""Seconds in which an error must turn out to change nothing, and for each solve."""


@dataclass(frozen=True)
class Case:
    """One injected error and what inspection made of it.

    `right`: the first difference names the family (or the group, for a tightened bound of columns)
    that was changed; `listed`: some difference does; `shown`: and the mapped optimum breaks it.
    `families` is how many the model has. `void` counts the errors drawn before that left the same
    problem.
    """

    model: str
    error: Error
    named: bool
    injected: str
    finding: InspectionFinding
    right: bool
    listed: bool
    shown: bool
    families: int
    void: int
    seconds: float


def study(
    models: Sequence[tuple[str, Flat]], count: int, seed: int = 0, time_limit: float = 30.0
) -> Iterator[Case]:
    """`count` cases over the models in turn; kinds of errors in turn, names kept in every second.

    `time_limit` is for the mapping and the alignment of a case. An error that leaves the same
    problem (found by a mapping) is drawn again. GeneratorError where no model has a place for any.
    """
    layouts = [ModelLayout.of(flat) for _, flat in models]
    kinds = list(Error)
    for index in range(count):
        draw = generator(seed, "inspection", index)
        kind, named = kinds[index // 2 % len(kinds)], index % 2 == 0
        void = 0
        for attempt in range(_TRIES):
            place = (index // 2 + attempt * 7) % len(models)
            layout = layouts[place]
            made = inject(layout, kind, draw)
            if made is None:
                continue
            deadline = time.perf_counter() + _SETTLE
            if find_mapping(layout.model, model_of(made.flat), False, deadline)[1] is None:
                break
            void += 1
        else:
            raise GeneratorError(f"no model has a place for '{kind}'; give models with families")
        flat = made.flat if named else hidden(made.flat, seed + index)
        begin = time.perf_counter()
        found = inspect(layout.flat, flat, None, time_limit, _SOLVE)
        seconds = time.perf_counter() - begin
        hits = [fault for fault in found.differences if _names(made, fault)]
        yield Case(
            model=models[place][0],
            error=kind,
            named=named,
            injected=made.text,
            finding=found,
            right=hits[:1] == list(found.differences[:1]) != [],
            listed=bool(hits),
            shown=any(fault.violated for fault in hits),
            families=len(layout.rows_of),
            void=void,
            seconds=seconds,
        )


def _names(made: Injected, fault: Difference) -> bool:
    if made.group >= 0:
        return fault.group == made.group
    return fault.family == made.family


def shares(cases: Sequence[Case]) -> dict[str, tuple[int, int]]:
    """How many are right of how many: by kind of error, with names and without, and together.

    Besides: those in models of several families, and those that the mapped optimum shows.
    """
    found = {}
    for kind in (*Error, None):
        of = [case for case in cases if kind in (case.error, None)]
        for words, some in (
            ("names kept", [case for case in of if case.named]),
            ("names removed, shuffled", [case for case in of if not case.named]),
            ("all", of),
        ):
            title = f"{kind or 'all errors'}, {words}"
            found[title] = sum(case.right for case in some), len(some)
    several = [case for case in cases if case.families > 1]
    found["in models of several families"] = sum(c.right for c in several), len(several)
    found["shown by the mapped optimum"] = sum(c.right and c.shown for c in cases), len(cases)
    return found


TARGET = 0.9
_SIZES = ("small", "medium")
_NONZEROS = 15_000


def bench_inspection(
    cases: int = 200, folder: str = "", seed: int = 0, each: list[Case] | None = None
) -> list[Figure]:
    """Shares of right answers over so many cases: generated models, and MPS files of a folder.

    Files with over 15,000 nonzeros are left out, for each case is solved twice. `each` gets the
    cases as they come.
    """
    models = [*_generated(), *(_files(Path(folder)) if folder else ())]
    found = [] if each is None else each
    for case in study(models, cases, seed):
        found.append(case)
    figures = []
    for name, (right, of) in shares(found).items():
        target = f"{TARGET:.0%}" if name == "all errors, all" else ""
        share = right / of if of else float("nan")
        figures.append(Figure(name, share, f"({right} of {of})", target))
    void = sum(case.void for case in found)
    figures.append(Figure("drawn again, for the error left the same problem", void, "cases", ""))
    figures.append(Figure("models", len(models), "models", ""))
    return figures


def _generated() -> Iterator[tuple[str, Flat]]:
    for template in templates():
        for size in _SIZES:
            tables = template.tables(template.settings(size), 0, 0)
            yield (
                f"{template.name}-{size}",
                flat_model(build(template.spec, tables, template.name).model),
            )


def _files(folder: Path) -> Iterator[tuple[str, Flat]]:
    if not folder.is_dir():
        raise DataError(f"{folder} is no folder; name one with MPS files")
    for path in sorted(folder.glob("*.mps*")):
        flat = read_flat(path)
        if flat.nonzeros <= _NONZEROS and not flat.sections:
            yield path.name.partition(".mps")[0], flat


if __name__ == "__main__":
    command(bench_inspection)()
