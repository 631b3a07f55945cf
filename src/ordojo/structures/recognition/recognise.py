"""Is a flat model one of a library's declarations? Found by structure, proved by building it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from ordojo.core.errors import GeneratorError
from ordojo.core.words import joined
from ordojo.formulation.build import Built, build
from ordojo.formulation.spec import PARAMETERS, Family, Group, Objective, Spec, Tables
from ordojo.milp.tolerances import SAME
from ordojo.structures.flat import FREE, Flat, Floats, Ints, Mask
from ordojo.structures.recognition.assign import Assigner, Assignment, Budget, Glance, View, without
from ordojo.structures.recognition.data import Recovery, fillable
from ordojo.structures.recognition.keys import Key, Keys
from ordojo.structures.recognition.pattern import OBJECTIVE, patterns

LARGEST = 100_000
"""Entries up to which a model is compared with the library."""
WORK, EACH = 200_000, 10
"""Entries that are looked at for one model, and more for each of its own: a tenth of a second.

Of the library's instances, as written and disguised, and of public models no match took more than
62,000 (of 2,300 entries), most less than 10,000. Less loses matches, more costs where none is.
"""
MOST = 12
"""Groups (families) up to which each is left out once."""
CLOSE = SAME
"""How much a number may differ, relatively: scaled rows and products of data are rounded."""


@dataclass(frozen=True)
class Known:
    """A declaration of a library: its name and title, other objectives, families it may lack.

    `scenes` say for such a family what of the scenario tells of it, and what is told without it.
    """

    name: str
    title: str
    spec: Spec
    application: tuple[str, str]
    goals: tuple[Objective, ...] = ()
    optional: tuple[str, ...] = ()
    scenes: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    @cached_property
    def variants(self) -> tuple[Spec, ...]:
        """The declaration with each of its objectives."""
        return self.spec, *(replace(self.spec, objective=goal) for goal in self.goals)

    @cached_property
    def needed(self) -> frozenset[str]:
        """The families that it may not lack."""
        return frozenset(one.name for one in self.spec.families) - set(self.optional)

    def scene(self, lacks: Sequence[str]) -> str:
        """The scenario without what tells of some families."""
        text = self.spec.scenario
        for name in lacks:
            if name in self.scenes:
                text = text.replace(*self.scenes[name])
        return text

    @property
    def least(self) -> int:
        """How many families a model has to have in common with it, for anything to be told."""
        return max(2, (len(self.spec.families) + 1) // 2)


UNDETERMINED = "not determined", "not determined"
"""The class of a model that is none of the library's problems: only a whole match states one."""


@dataclass(frozen=True)
class Recognition:
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
    def application(self) -> tuple[str, str]:
        """The main class and the problem class of what the model is, whole."""
        return self.known.application if self.whole else UNDETERMINED

    @property
    def whole(self) -> bool:
        """Whether all of the model is the declaration, but for families that it may lack."""
        return not self.extra and set(self.lacks) <= set(self.known.optional)

    @property
    def without(self) -> str:
        """What it lacks, as a sentence goes on; "" where it lacks nothing."""
        return f", without {self._rules}" if self.lacks else ""

    @property
    def _rules(self) -> str:
        return joined([f"`{name}`" for name in self.lacks])

    def besides(self, spec: Spec) -> list[tuple[str, str]]:
        """`extra` with names, which are those of the model's own declaration."""
        units: dict[str, Sequence[Family | Group]] = {"family": spec.families, "group": spec.groups}
        return [(kind, units[kind][number].name) for kind, number in self.extra]

    def text(self, spec: Spec) -> str:
        """What the model is, in a sentence or two: the title, and what is more or less than that.

        `spec` is the model's own declaration.
        """
        said = f'Its structure is that of the problem "{self.known.title}"'
        if self.whole:
            return f"{said}{self.without}, entry by entry."
        rest = [f"without {self._rules}"] if self.lacks else []
        rest += [f"with the {kind} `{name}` besides" for kind, name in self.besides(spec)]
        return f"{said}, but {' and '.join(rest)}; that it is this problem is not claimed."


def recognise(
    flat: Flat, library: Sequence[Known], groups: Ints | None = None, families: Ints | None = None
) -> Recognition | str:
    """The plainest declaration of a library that makes the model again, element by element.

    Up to names, order, the sign and scale of rows and objective, and rounding (`CLOSE`). Where
    there is none, one that does without some of its families, or without one of the model's groups
    or families, as `groups` and `families` number them. Else the reason why there is none, in
    words.
    """
    if flat.nonzeros > LARGEST:
        return f"not compared with the library: more than {LARGEST:,} entries"
    if groups is None or families is None:
        groups, families = np.zeros(flat.n, np.int64), np.zeros(flat.m, np.int64)
    if (flat.senses == FREE).any() or not np.isnan(flat.ranges).all() or flat.sections:
        return (
            "not compared with the library: it has rows with two sides or none, or more than rows"
        )

    def asks(known: Known) -> int:
        # Of two problems that a model may be, the plainer one is told.
        return len(known.spec.families) + len(known.spec.sets) + len(known.spec.parameters)

    search = RecognitionSearch(flat, sorted(library, key=asks), groups, families)
    found = search.found(partial=False)
    found = search.plainly(found) if found else search.found(partial=True) or search.within()
    if found is None and search.budget.left < 0:
        return "no problem of the library was found in the time for it"
    return found or "no problem of the library"


class RecognitionSearch:
    """The declarations of a library that a model may be, by the time that is left."""

    def __init__(self, flat: Flat, library: Sequence[Known], groups: Ints, families: Ints) -> None:
        self.flat, self.library = flat, library
        self.labels = {"family": families, "group": groups}
        self.glance = Glance.of(flat, groups, families)
        self.budget = Budget(WORK + EACH * flat.nonzeros)

    @cached_property
    def view(self) -> View:
        """The model by rows, which most declarations do not need."""
        return View.of(self.flat, self.labels["family"], self.budget)

    def found(self, partial: bool) -> Recognition | None:
        """The first declaration that is the model, if `partial` without some of its families."""
        for one in self._near(self.glance, partial):
            if (match := _match(self.view, *one)) is not None:
                return match
        return None

    def plainly(self, match: Recognition) -> Recognition:
        """A family of one row that sums all columns is none: no element stands for such a row."""
        label = self.labels["family"]
        for at, family in enumerate(match.spec.families):
            (row, *more) = np.flatnonzero(match.rows == at)
            alone = not more and (label == label[row]).sum() == 1
            if family.scope and alone and len(self.view.lines[row].cols) == self.flat.n:
                rows = np.where(match.rows == at, -1, match.rows)
                extra = (("family", int(label[row])),)
                return replace(match, rows=rows, lacks=(*match.lacks, family.name), extra=extra)
        return match

    def within(self) -> Recognition | None:
        """A declaration that is the model without one of its families or groups."""
        for kind, label in self.labels.items():
            count = int(label.max(initial=-1)) + 1
            for number in range(count) if 1 < count <= MOST else ():
                kept = label != number
                near = self._near(self.glance.without(kind, number), False)
                found = self._without(kind, kept, list(near))
                if found is not None:
                    return replace(found, extra=((kind, number),))
        return None

    def _near(self, glance: Glance, partial: bool) -> Iterator[tuple[Known, Spec, frozenset[str]]]:
        for known in self.library:
            for spec in known.variants if self.budget.left >= 0 else ():
                needed = frozenset() if partial else known.needed
                if glance.may_be(spec, needed, known.least):
                    yield known, spec, needed

    def _without(
        self, kind: str, kept: Mask, near: list[tuple[Known, Spec, frozenset[str]]]
    ) -> Recognition | None:
        if not near:
            return None
        flat, families = self.flat, self.labels["family"]
        rows = kept if kind == "family" else np.ones(flat.m, bool)
        cols = kept if kind == "group" else np.ones(flat.n, bool)
        self.budget.left -= flat.nonzeros
        view = View.of(without(flat, rows, cols), families[rows], self.budget)
        found = next(filter(None, (_match(view, *one) for one in near)), None)
        if found is None:
            return None
        columns, lines_ = np.full(flat.n, -1), np.full(flat.m, -1)
        columns[cols], lines_[rows] = found.columns, found.rows
        there = iter(found.keys)
        every = tuple(next(there) if one else () for one in cols.tolist())
        return replace(found, columns=columns, rows=lines_, keys=every)


def _match(view: View, known: Known, spec: Spec, needed: frozenset[str]) -> Recognition | None:
    said = patterns(spec)
    steps = any(place.shift for one in said for term in one.terms for place in term.places)

    def sound(way: Assignment) -> bool:
        # Where no index is a step from another, none can contradict another.
        return not steps or Keys(spec, said, view.lines, way, whole=False).sound

    for way in Assigner(view, spec, said, needed, sound).ways():
        present = {said[k].name for k, _ in way.rows}
        if len(present) <= known.least:
            continue
        left = replace(spec, families=tuple(f for f in spec.families if f.name in present))
        if not fillable(left, said, way):
            continue
        keys = Keys(left, said, view.lines, way)
        tables = _certified(view, left, keys) if keys.sound else None
        if tables is not None:
            groups = {one.name: k for k, one in enumerate(left.groups)}
            families = {one.name: k for k, one in enumerate(left.families)}
            columns = np.array([groups[name] for name in way.cols])
            rows = np.array([families[said[k].name] for k, _ in way.rows[:-1]], np.int64)
            lacks = tuple(one.name for one in spec.families if one.name not in present)
            indices_ = tuple(keys.col(c) for c in range(len(columns)))
            return Recognition(known, left, tables, columns, rows, indices_, lacks)
    return None


def _certified(view: View, spec: Spec, keys: Keys) -> Tables | None:
    """The tables, if the declaration makes the model of them, number by number."""
    flat = view.flat
    recovery = Recovery(spec, keys, flat) if keys.filling else None
    if recovery is None or not recovery.whole:
        return None
    tables = recovery.tables()
    if _degenerate(spec, tables):
        return None
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


def _degenerate(spec: Spec, tables: Tables) -> bool:
    """Whether two families say the same with these numbers, or a part of the objective is nothing.

    Then one of the families, or that part, is not there.
    """
    goal = set(re.findall(r"\w+", spec.objective.rule))
    for one in spec.parameters:
        if one.name in goal and not any(tables[one.table][one.name]):
            return True
    scalars = {name: repr(value) for name, (value,) in tables[PARAMETERS].items()}
    rules = [one.rule for one in spec.families]
    said = {re.sub(r"\w+", lambda word: scalars.get(word[0], word[0]), rule) for rule in rules}
    return len(said) < len(rules)


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
