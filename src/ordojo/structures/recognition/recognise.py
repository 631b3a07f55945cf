"""Is a flat model one of a library's declarations? Found by structure, proved by building it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ordojo.core.errors import GeneratorError
from ordojo.formulation.build import Built, build
from ordojo.formulation.spec import Objective, Spec, Tables
from ordojo.structures.flat import Flat, Floats, Ints
from ordojo.structures.recognition.assign import Assigner, Assignment, Budget, View, without
from ordojo.structures.recognition.data import Recovery
from ordojo.structures.recognition.keys import Key, Keys
from ordojo.structures.recognition.pattern import OBJECTIVE, Pattern, patterns

LARGEST = 100_000
"""Entries up to which a model is compared with the library."""
WORK = 1_000_000
"""Entries that are looked at for one model, a few seconds."""
MOST = 12
"""Groups (families) up to which each is left out once."""
CLOSE = 1e-9
"""How much a number may differ, relatively: scaled rows and products of data are rounded."""


@dataclass(frozen=True)
class Known:
    """A declaration of a library: its name and title, other objectives, families it may lack."""

    name: str
    title: str
    spec: Spec
    application: tuple[str, str]
    goals: tuple[Objective, ...] = ()
    optional: tuple[str, ...] = ()


@dataclass(frozen=True)
class Match:
    """A model that is `known` over `tables`: `spec` is the declaration, without what it lacks.

    `columns` and `rows` say of each of the model's which group (family) of the declaration it is,
    as its place there, or -1; `keys` are the columns' indices. `lacks` are families of the
    declaration that the model is without, `extra` groups and families of the model, by number, that
    the declaration is without.
    """

    known: Known
    spec: Spec
    tables: Tables
    columns: Ints
    rows: Ints
    keys: tuple[Key, ...]
    lacks: tuple[str, ...]
    extra: tuple[tuple[str, int], ...] = ()

    @property
    def whole(self) -> bool:
        """Whether all of the model is the declaration, but for families that it may lack."""
        return not self.extra and set(self.lacks) <= set(self.known.optional)


def recognise(
    flat: Flat,
    library: Sequence[Known],
    groups: Ints | None = None,
    families: Ints | None = None,
) -> Match | str:
    """The first declaration of a library that makes the model again, element by element.

    Up to names, order, the sign and scale of rows and objective, and rounding (`CLOSE`). Where
    there is none, one that does without some of its families, or without one of the model's groups
    or families, as `groups` and `families` number them. Else the reason why there is none, in
    words.
    """
    if flat.nonzeros > LARGEST:
        return f"not compared with the library: more than {LARGEST:,} entries"
    label = families if families is not None else np.zeros(flat.m, np.int64)
    budget = Budget(WORK)
    view = View.of(flat, label, budget)
    if view is None:
        return (
            "not compared with the library: it has rows with two sides or none, or more than rows"
        )
    for partial in (False, True):
        for known in library:
            found = _match(view, known, partial)
            if found is not None:
                return found
    within = _within(flat, library, groups, families, budget)
    if within is None and budget.left < 0:
        return "no problem of the library was found in the time for it"
    return within or "no problem of the library"


def _within(
    flat: Flat, library: Sequence[Known], groups: Ints | None, families: Ints | None,
    budget: Budget,
) -> Match | None:  # fmt: skip
    """A declaration that is the model without one of its families or groups."""
    if families is None or groups is None:
        return None
    for kind, label in (("family", families), ("group", groups)):
        count = int(label.max(initial=-1)) + 1
        for number in range(count) if 1 < count <= MOST else ():
            kept = label != number
            rows = kept if kind == "family" else np.ones(flat.m, bool)
            cols = kept if kind == "group" else np.ones(flat.n, bool)
            part = without(flat, rows, cols)
            budget.left -= part.nonzeros
            view = View.of(part, families[rows], budget) if budget.left > 0 else None
            if view is None:
                return None
            for known in library:
                found = _match(view, known, False)
                if found is not None:
                    columns, lines_ = np.full(flat.n, -1), np.full(flat.m, -1)
                    columns[cols], lines_[rows] = found.columns, found.rows
                    there = iter(found.keys)
                    every = tuple(next(there) if one else () for one in cols.tolist())
                    extra = ((kind, number),)
                    return replace(found, columns=columns, rows=lines_, keys=every, extra=extra)
    return None


def _match(view: View, known: Known, partial: bool) -> Match | None:
    for goal in (known.spec.objective, *known.goals):
        if view.budget.left < 0:
            return None
        spec = replace(known.spec, objective=goal)
        said = patterns(spec)
        names = [one.name for one in spec.families]
        needed = frozenset() if partial else frozenset(names) - set(known.optional)

        def sound(way: Assignment, spec: Spec = spec, said: Sequence[Pattern] = said) -> bool:
            return Keys(spec, said, view.lines, way, whole=False).sound

        for way in Assigner(view, spec, said, needed, sound).ways():
            present = {said[k].name for k, _ in way.rows}
            if len(present) - 1 < max(2, (len(names) + 1) // 2):
                continue
            left = replace(spec, families=tuple(f for f in spec.families if f.name in present))
            keys = Keys(left, said, view.lines, way)
            tables = _certified(view, left, keys) if keys.sound else None
            if tables is not None:
                groups = {one.name: k for k, one in enumerate(left.groups)}
                families = {one.name: k for k, one in enumerate(left.families)}
                columns = np.array([groups[name] for name in way.cols])
                rows = np.array([families[said[k].name] for k, _ in way.rows[:-1]], np.int64)
                lacks = tuple(name for name in names if name not in present)
                indices_ = tuple(keys.col(c) for c in range(len(columns)))
                return Match(known, left, tables, columns, rows, indices_, lacks)
    return None


def _certified(view: View, spec: Spec, keys: Keys) -> Tables | None:
    """The tables, if the declaration makes the model of them, number by number."""
    flat = view.flat
    recovery = Recovery(spec, keys, flat)
    if not recovery.whole:
        return None
    tables = recovery.tables()
    try:
        built = build(spec, tables)
    except (GeneratorError, KeyError, ZeroDivisionError, IndexError):
        return None
    groups = {one.name: k for k, one in enumerate(spec.groups)}
    families = {one.name: k for k, one in enumerate(spec.families)}
    cols: dict[tuple[int, tuple[float, ...]], int] = {
        (groups[name], keys.col(c)): c for c, name in enumerate(keys.way.cols)
    }
    rows: dict[tuple[int, tuple[float, ...]], int] = {
        (families[keys.patterns[k].name], keys.row(r)): r
        for r, (k, _) in enumerate(keys.way.rows) if keys.patterns[k].name != OBJECTIVE
    }  # fmt: skip
    try:
        columns = [cols[at] for at in zip(built.groups.tolist(), built.column_keys, strict=True)]
        lines_ = [rows[at] for at in zip(built.families.tolist(), built.row_keys, strict=True)]
    except KeyError:
        return None
    if sorted(columns) != list(range(flat.n)) or sorted(lines_) != list(range(flat.m)):
        return None
    return tables if _same(view, built, columns, lines_, recovery) else None


def _same(
    view: View, built: Built, columns: list[int], rows: list[int], recovery: Recovery
) -> bool:
    """Whether the model built is the flat one; `columns` and `rows` are where its own stand."""
    model, flat, there = built.model, view.flat, view.lines
    at = np.array(columns)
    sign = (-1.0 if model.maximize else 1.0) * recovery.scale(len(there) - 1)
    cost = np.zeros(flat.n)
    cost[there[-1].cols] = there[-1].values
    sides = (
        (model.col_lower, flat.lower[at]),
        (model.col_upper, flat.upper[at]),
        (model.objective * sign, cost[at]),
        (np.array([model.offset * sign]), np.array([there[-1].right])),
    )
    if not all(_near(*both) for both in sides):
        return False
    made = zip(model.row_lower.tolist(), model.row_upper.tolist(), strict=True)
    for i, (low, high) in enumerate(made):
        mine = slice(int(model.starts[i]), int(model.starts[i + 1]))
        line, turn = there[rows[i]], recovery.turn(rows[i])
        # Lines are "<=" or "="; what the declaration says with ">=" is turned as they are.
        turn, right = (-turn, low) if np.isinf(high) else (turn, high)
        if (low == high) != (line.sense == "="):
            return False
        values = dict(zip(at[model.index[mine]].tolist(), model.value[mine].tolist(), strict=True))
        if set(values) != set(line.cols):
            return False
        got = np.array([*(values[c] for c in line.cols), right]) * turn
        if not _near(got, np.array([*line.values, line.right])):
            return False
    return True


def _near(a: Floats, b: Floats) -> bool:
    return bool(np.allclose(a, b, rtol=CLOSE, atol=CLOSE))
