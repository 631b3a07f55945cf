"""Is a flat model one of a library's declarations? Found by structure, proved by building it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ordojo.core.errors import GeneratorError
from ordojo.formulation.build import Built, build
from ordojo.formulation.spec import Objective, Spec, Tables
from ordojo.structures.flat import Flat, Ints
from ordojo.structures.recognition.assign import Assigner, Assignment, Line, lines
from ordojo.structures.recognition.data import Recovery
from ordojo.structures.recognition.keys import Keys
from ordojo.structures.recognition.pattern import OBJECTIVE, patterns

LARGEST = 200_000
"""Nonzeros up to which a model is compared with the library."""
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

    `columns` and `rows` say for each column and row of the declaration which one of the model it
    is; `lacks` are its families that the model is without.
    """

    known: Known
    spec: Spec
    tables: Tables
    columns: Ints
    rows: Ints
    lacks: tuple[str, ...]


def recognise(flat: Flat, library: Iterable[Known], label: Sequence[int] | None = None) -> Match | None:
    """The first declaration of a library that makes the model again, element by element.

    Up to names, order, the sign and scale of rows and objective, and rounding (`CLOSE`). `label`
    says which rows are thought to be of one family. None where there is none, or the model is
    larger than `LARGEST`.
    """
    if flat.nonzeros > LARGEST or not flat.n:
        return None
    there = lines(flat)
    if not there:
        return None
    label = label if label is not None else [0] * flat.m
    for known in library:
        found = _match(flat, there, known, [*label, -1])
        if found is not None:
            return found
    return None


def _match(flat: Flat, there: list[Line], known: Known, label: Sequence[int]) -> Match | None:
    for goal in (known.spec.objective, *known.goals):
        spec = replace(known.spec, objective=goal)
        said = patterns(spec)
        needed = frozenset(one.name for one in spec.families) - set(known.optional)
        for way in Assigner(flat, there, spec, said, label, needed).ways():
            present = {said[k].name for k, _ in way.rows}
            lacks = tuple(one.name for one in spec.families if one.name not in present)
            if not set(lacks) <= set(known.optional):
                continue
            left = replace(spec, families=tuple(f for f in spec.families if f.name in present))
            keys = Keys(left, said, there, way)
            if not keys.sound:
                continue
            found = _certified(flat, there, left, keys)
            if found is not None:
                return Match(known, left, *found, lacks)
    return None


def _certified(
    flat: Flat, there: list[Line], spec: Spec, keys: Keys
) -> tuple[Tables, Ints, Ints] | None:
    """The tables, and which column and row is which, if the declaration makes the model of them."""
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
    cols = {(groups[name], keys.col(c)): c for c, name in enumerate(keys.way.cols)}
    rows = {
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
    if not _same(flat, there, built, columns, lines_, recovery):
        return None
    return tables, np.array(columns), np.array(lines_)


def _same(
    flat: Flat, there: list[Line], built: Built, columns: list[int], rows: list[int],
    recovery: Recovery,
) -> bool:  # fmt: skip
    """Whether the model built is the flat one, number by number."""
    model = built.model
    at = np.array(columns)
    if not _near(model.col_lower, flat.lower[at]) or not _near(model.col_upper, flat.upper[at]):
        return False
    sign = -1.0 if model.maximize else 1.0
    cost = np.zeros(flat.n)
    cost[there[-1].cols] = there[-1].values
    scale = recovery.scale(len(there) - 1)
    if not _near(model.objective * sign * scale, cost[at]):
        return False
    if not _near(np.array([model.offset * sign * scale]), np.array([there[-1].right])):
        return False
    for i, r in enumerate(rows):
        turn = recovery.keys.way.rows[r][1] * recovery.scale(r)
        mine = slice(int(model.starts[i]), int(model.starts[i + 1]))
        made = {columns[c]: value for c, value in zip(model.index[mine].tolist(), model.value[mine].tolist(), strict=True)}
        low, high = float(model.row_lower[i]), float(model.row_upper[i])
        line = there[r]
        if np.isinf(high):
            made, high = {c: -value for c, value in made.items()}, -low
        elif line.sense == "=" and low != high:
            return False
        if set(made) != set(line.cols):
            return False
        values = np.array([made[c] for c in line.cols] + [high])
        if not _near(values * turn, np.array([*line.values, line.right])):
            return False
    return True


def _near(a: np.ndarray, b: np.ndarray) -> bool:
    return bool(np.allclose(a, b, rtol=CLOSE, atol=CLOSE))
