"""Which family each row is of, and which group each column: all ways that signs and sums allow.

What a model cannot be is told before by the kinds of its rows and columns: kinds are few, rows are
many. They are counted once for a model (`Glance`); most declarations are ruled out by them before a
row is read.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np

from ordojo.formulation.spec import Group, Spec
from ordojo.milp.tolerances import SAME
from ordojo.structures.arrays import begins, ordered
from ordojo.structures.flat import CONTINUOUS, EQ, GE, INTEGER, Flat, Floats, Ints, Mask
from ordojo.structures.recognition.pattern import RowPattern, patterns

T = TypeVar("T")
Domain = tuple[int, float, float]
"""A column's type and bounds; 2 stands for all numbers other than 0 and 1."""
Entries = tuple[tuple[int, int], ...]
"""By number the kinds, of columns or of rows, of which a row or a column has entries; the signs."""


def _turned(flat: Flat) -> tuple[Ints, Ints, Ints, Floats, list[str], Floats]:
    """A model's rows, the objective as the last, turned to "<=", "=" or "min".

    Where each begins, the row, column and value of each entry, the rows' senses and sides.
    """
    starts, col, place = flat.by_rows
    turn = np.append(np.where(flat.senses == GE, -1.0, 1.0), -1.0 if flat.maximize else 1.0)
    priced = np.flatnonzero(flat.objective)
    starts = np.append(starts, flat.nonzeros + len(priced))
    row = np.repeat(np.arange(flat.m + 1), np.diff(starts))
    value = np.append(flat.value[place], flat.objective[priced]) * turn[row]
    senses = [*np.where(flat.senses == EQ, "=", "<=").tolist(), "min"]
    return (
        starts,
        row,
        np.append(col, priced),
        value,
        senses,
        np.append(flat.rhs, flat.offset) * turn,
    )


@dataclass(frozen=True)
class RowKind:
    """Rows of one family and sense, the right-hand side's sign, and with which columns' domains.

    Without `even` the coefficients differ in size.
    """

    family: int
    sense: str
    right: int
    even: bool
    entries: Entries


@dataclass(frozen=True)
class Glance:
    """The kinds of rows (the objective's, too) and of columns.

    `domains` are numbered, with the group; `columns` are a domain's number and the kinds of rows.
    """

    domains: Mapping[int, tuple[int, Domain]]
    rows: Mapping[int, RowKind]
    columns: Sequence[tuple[int, Entries]]

    @classmethod
    def of(cls, flat: Flat, groups: Ints, families: Ints) -> "Glance":
        """Of a model whose columns are numbered by group and whose rows are by family."""
        _, row, col, value, senses, right = _turned(flat)
        kind, kinds = _numbered(zip(groups.tolist(), domains(flat), strict=True))
        heads = zip(
            [*families.tolist(), -1], senses,
            np.where(abs(right) <= SAME, 0, np.sign(right)).astype(int).tolist(),
            _even(row, abs(value), flat.m + 1),
            _entries(row, kind[col], value, flat.m + 1), strict=True,
        )  # fmt: skip
        which, rows = _numbered(heads)
        met = _entries(col, which[row], value, flat.n)
        columns = list(dict.fromkeys(zip(kind.tolist(), met, strict=True)))
        return cls(kinds, {k: RowKind(*head) for k, head in rows.items()}, columns)

    def without(self, kind: str, number: int) -> "Glance":
        """The same without a family of rows, or without a group of columns."""
        kinds, rows, even = self.domains, self.rows, kind == "group"
        if kind == "group":
            kinds = {k: one for k, one in kinds.items() if one[0] != number}
        else:
            rows = {k: one for k, one in rows.items() if one.family != number}
        return Glance(
            kinds,
            {k: replace(one, even=one.even or even, entries=_among(one.entries, kinds))
             for k, one in rows.items()},
            [(of, _among(met, rows)) for of, met in self.columns if of in kinds],
        )  # fmt: skip

    def may_be(self, spec: Spec, needed: frozenset[str], least: int) -> bool:
        """Whether nothing speaks against a declaration with at least these and so many families."""
        groups = {
            k: frozenset(one.name for one in spec.groups if fits(one, domain))
            for k, (_, domain) in self.domains.items()
        }
        said = patterns(spec) if all(groups.values()) else ()
        while said:
            reads = {}
            for k, row in self.rows.items():
                reads[k] = list(_reads(row, said, groups))
                if not reads[k]:
                    return False
            there = {pattern.name for mine in reads.values() for pattern, _ in mine}
            if not needed <= there or len(there) <= least:
                return False
            left = {k: frozenset[str]() for k in groups}
            for of, met in self.columns:
                mine = frozenset(group for group in groups[of] if _stands(group, met, reads))
                if not mine:
                    return False
                left[of] |= mine
            if left == groups:
                return True
            groups = left
        return False


KindRead = tuple[RowPattern, int]
"""What a row may be, and -1 where it is turned for it."""


def _reads(
    row: RowKind, said: Sequence[RowPattern], groups: Mapping[int, frozenset[str]]
) -> Iterator[KindRead]:
    entries = {(groups[k], sign): 1 for k, sign in row.entries}
    for turn in (1, -1) if row.sense == "=" else (1,):
        for one in said:
            signed = one.constant is None or np.sign(one.constant) == row.right * turn
            even = row.even or not all(mine <= one.pinned for mine, _ in entries)
            if one.sense == row.sense and signed and even and one.admits(entries, turn):
                yield one, turn


def _stands(group: str, met: Entries, reads: Mapping[int, list[KindRead]]) -> bool:
    """Whether a column of a group may be in all these kinds of rows."""
    return all(
        any((group, sign * turn) in one.by_group for one, turn in reads[k]) for k, sign in met
    )


def domains(flat: Flat) -> list[Domain]:
    """What is asked about each column."""
    ends = [np.where((end == 0) | (end == 1) | np.isinf(end), end, 2.0).tolist()
            for end in (flat.lower, flat.upper)]  # fmt: skip
    return list(zip(flat.types.tolist(), *ends, strict=True))


def fits(group: Group, domain: Domain) -> bool:
    """Whether a column's type and bounds may be a group's."""
    kind, low, high = domain
    if group.domain == "binary":
        return domain == (INTEGER, 0, 1)
    if kind != (INTEGER if group.domain == "integer" else CONTINUOUS):
        return False
    ends = (group.lower, low), (group.upper, high)
    return all(value == 0 if text == "0" else bool(text) != np.isinf(value) for text, value in ends)


def _numbered(things: Iterable[T]) -> tuple[Ints, dict[int, T]]:
    """The number of each thing among those that differ, and these by number."""
    found: dict[T, int] = {}
    numbers = [found.setdefault(one, len(found)) for one in things]
    return np.array(numbers, np.int64), {k: one for one, k in found.items()}


def _entries(of: Ints, kinds: Ints, value: Floats, size: int) -> list[Entries]:
    """The kinds and signs of the entries of each row (or column)."""
    wide = 2 * (int(kinds.max(initial=0)) + 1)
    pairs = np.unique(of * wide + 2 * kinds + (value > 0))
    ends = np.searchsorted(pairs, np.arange(size + 1) * wide).tolist()
    said = [(k // 2, 2 * (k % 2) - 1) for k in (pairs % wide).tolist()]
    return [tuple(said[a:b]) for a, b in pairwise(ends)]


def _even(row: Ints, value: Floats, size: int) -> list[bool]:
    """Whether all of a row's coefficients are of one size."""
    low, high = np.full(size, np.inf), np.zeros(size)
    np.minimum.at(low, row, value)
    np.maximum.at(high, row, value)
    return [bool(one) for one in high - low <= SAME * high]


def _among(entries: Entries, there: Mapping[int, object]) -> Entries:
    return tuple(one for one in entries if one[0] in there)


TRIED = 12
"""Ways that are looked into for one declaration. Where names are gone a few templates need 6."""
STEPS = 2_000
"""Choices on the way there. It bounds time where rows look alike, the same on every machine."""
_WAY = 10
"""What a way costs, in entries that are looked at: its keys and its data are sought."""
_SHORT = 8
"""Entries up to which rows are told apart by their order, too: that costs less than counting."""
Read = tuple[int, int]
"""A pattern's number, and whether a row is to be turned (-1) for it."""
Pinned = frozenset[frozenset[str]] | None
"""By which groups columns are known whose entries are all 1 or -1; None where all are such."""
_NONE = frozenset[Any]()


@dataclass(frozen=True)
class AssignedLine:
    """A row, or the objective as the last one: turned to "<=", "=" or "min".

    `signs` are the values', 1 or -1.
    """

    sense: str
    cols: list[int]
    values: list[float]
    signs: list[int]
    right: float

    @cached_property
    def sizes(self) -> frozenset[float]:
        """The values' sizes."""
        return frozenset(map(abs, self.values))


@dataclass
class Budget:
    """How many entries may still be looked at."""

    left: int


@dataclass(frozen=True)
class View:
    """A model by lines: its rows, then the objective; `on` has each column's lines with signs.

    Lines of one `label` are thought to be of one family. `kinds` are the columns' types and bounds.
    """

    flat: Flat
    lines: list[AssignedLine]
    on: list[list[tuple[int, int]]]
    label: list[int]
    kinds: list[Domain]
    budget: Budget

    @classmethod
    def of(cls, flat: Flat, label: Ints, budget: Budget) -> "View":
        """Of a model of which each row has one side, or two that are equal."""
        starts, row, col, value, senses, right = _turned(flat)
        sign = np.where(value > 0, 1, -1)
        cols, values, signs, sides = col.tolist(), value.tolist(), sign.tolist(), right.tolist()
        lines = [
            AssignedLine(senses[r], cols[a:b], values[a:b], signs[a:b], sides[r])
            for r, (a, b) in enumerate(pairwise(starts.tolist()))
        ]
        by_col = ordered(col)
        pairs = list(zip(row[by_col].tolist(), sign[by_col].tolist(), strict=True))
        on = [pairs[a:b] for a, b in pairwise(begins(col, flat.n).tolist())]
        return cls(flat, lines, on, [*label.tolist(), -1], domains(flat), budget)


def without(flat: Flat, rows: Mask, cols: Mask) -> Flat:
    """A model of some of the rows and columns."""
    kept = rows[flat.index] & cols[flat.entry_cols]
    index = (np.cumsum(rows) - 1)[flat.index[kept]]
    column = (np.cumsum(cols) - 1)[flat.entry_cols[kept]]
    return replace(
        flat,
        objective=flat.objective[cols], cols=flat.cols.take(np.flatnonzero(cols)),
        lower=flat.lower[cols], upper=flat.upper[cols], types=flat.types[cols],
        rows=flat.rows.take(np.flatnonzero(rows)), senses=flat.senses[rows], rhs=flat.rhs[rows],
        ranges=flat.ranges[rows], starts=begins(column, int(cols.sum())),
        index=index.astype(np.int32), value=flat.value[kept],
    )  # fmt: skip


@dataclass(frozen=True)
class Assignment:
    """Each line's pattern and turn, each column's group; -1 and "" where they are not known."""

    rows: list[Read]
    cols: list[str]


class Assigner:
    """The ways in which a model's rows and columns may be those of a declaration."""

    def __init__(
        self, view: View, spec: Spec, patterns: Sequence[RowPattern], needed: frozenset[str],
        sound: Callable[[Assignment], bool],
    ) -> None:  # fmt: skip
        self.view, self.spec, self.patterns = view, spec, patterns
        self.lines, self.on, self.sound = view.lines, view.on, sound
        self.needed = {k for k, one in enumerate(patterns) if one.name in needed}
        self.total = {
            group.name: [k for k, one in enumerate(patterns) if group.name in one.total]
            for group in spec.groups
        }
        self.one = [one.naming for one in patterns]
        self.groups: list[frozenset[str]] = []
        self.admitted: dict[tuple[object, ...], list[tuple[Read, Pinned]]] = {}
        self.left, self.steps = TRIED, STEPS
        self.size = sum(len(line.cols) for line in view.lines)

    def ways(self) -> Iterator[Assignment]:
        """The ways, those with the most constants first; at most `TRIED`."""
        kinds = {
            domain: frozenset(one.name for one in self.spec.groups if fits(one, domain))
            for domain in set(self.view.kinds)
        }
        cols = [kinds[domain] for domain in self.view.kinds]
        senses = {
            sense: frozenset(
                (k, turn) for k, one in enumerate(self.patterns) if one.sense == sense
                for turn in ((1, -1) if sense == "=" else (1,))
            )
            for sense in ("<=", "=", "min")
        }  # fmt: skip
        self.groups = cols
        yield from self._search([senses[line.sense] for line in self.lines], cols, None)

    def _search(
        self, rows: list[frozenset[Read]], cols: list[frozenset[str]], changed: list[int] | None
    ) -> Iterator[Assignment]:
        self.steps -= 1
        if (
            self.left <= 0
            or self.steps < 0
            or self.view.budget.left < 0
            or not self._narrow(rows, cols, changed)
        ):
            return
        self.view.budget.left -= self.size
        open_rows: dict[tuple[object, ...], list[int]] = {}
        for r, reads in enumerate(rows):
            if len(reads) > 1:
                line = self.lines[r]
                met = frozenset(zip([cols[c] for c in line.cols], line.signs, strict=True))
                key = reads, self.view.label[r], line.sense, met
                open_rows.setdefault(key, []).append(r)
        sure = Assignment(
            [next(iter(one)) if len(one) == 1 else (-1, 1) for one in rows],
            [next(iter(one)) if len(one) == 1 else "" for one in cols],
        )
        if open_rows and not self.sound(sure):
            return
        if open_rows:
            mine = min(open_rows.values(), key=lambda one: (len(rows[one[0]]), one[0]))
            for read, chosen in self._choices(rows[mine[0]], mine):
                new = rows.copy()
                for r in chosen:
                    new[r] = frozenset([read])
                yield from self._search(new, cols.copy(), chosen)
            return
        free = [c for c, groups in enumerate(cols) if len(groups) > 1]
        if free:
            alike = [c for c in free if cols[c] == cols[free[0]]
                     and sorted(self.on[c]) == sorted(self.on[free[0]])]  # fmt: skip
            for group in [one.name for one in self.spec.groups if one.name in cols[free[0]]]:
                new_cols = cols.copy()
                for c in alike:
                    new_cols[c] = frozenset([group])
                yield from self._search(
                    rows.copy(), new_cols, [r for c in alike for r, _ in self.on[c]]
                )
            return
        self.left -= 1
        self.view.budget.left -= _WAY * self.size
        yield sure

    def _choices(
        self, reads: frozenset[Read], alike: list[int]
    ) -> Iterator[tuple[Read, list[int]]]:
        """What rows that look alike may be: one of them a family's only row, or all of a family.

        All, where they have no column in common.
        """
        cols = [c for r in alike for c in self.lines[r].cols]
        apart = len(set(cols)) == len(cols)
        for read in sorted(reads, key=self._order):
            if not self.patterns[read[0]].scope:
                yield from ((read, [r]) for r in alike)
        for read in sorted(reads, key=self._order):
            if self.patterns[read[0]].scope:
                yield read, alike if apart else alike[:1]

    def _order(self, read: Read) -> tuple[bool, int, int]:
        return self.patterns[read[0]].constant is None, read[0], -read[1]

    def _narrow(
        self, rows: list[frozenset[Read]], cols: list[frozenset[str]], changed: list[int] | None
    ) -> bool:
        """Take away what cannot be until nothing changes; whether every row and column is left."""
        asked = set(range(len(rows))) if changed is None else set(changed)
        columns = set(range(len(cols))) if changed is None else set()
        for r in changed or ():
            columns.update(self.lines[r].cols)
        while asked or columns:
            self.view.budget.left -= len(asked) + len(columns)
            for r in sorted(asked):
                if self.view.budget.left < 0:
                    return False
                left = self._row_left(r, rows[r], cols)
                if not left:
                    return False
                if left != rows[r]:
                    rows[r] = left
                    columns.update(self.lines[r].cols)
            sure = {r for r in asked if len({k for k, _ in rows[r]}) == 1}
            asked = self._singles(rows) | self._exclude(rows, sure)
            for r in asked:
                columns.update(self.lines[r].cols)
            there = {k for reads in set(rows) for k, _ in reads}
            if not self.needed <= there:
                return False
            known: dict[tuple[object, ...], frozenset[str]] = {}
            for c in sorted(columns):
                met = frozenset([(rows[r], sign) for r, sign in self.on[c]])
                few = known.get((cols[c], met))
                if few is None:
                    few = frozenset(one for one in cols[c] if self._col_fits(one, met, there))
                    known[cols[c], met] = few
                if not few:
                    return False
                if few != cols[c]:
                    cols[c] = few
                    asked.update(r for r, _ in self.on[c])
            columns = set()
        return True

    def _singles(self, rows: list[frozenset[Read]]) -> set[int]:
        """Families of one row are taken from all rows once a row is theirs; the rows changed."""
        changed = set()
        for k, pattern in enumerate(self.patterns):
            if pattern.scope:
                continue
            some = {reads for reads in set(rows) if any(one[0] == k for one in reads)}
            alone = {reads for reads in some if {one[0] for one in reads} == {k}}
            if not alone or some == alone:
                continue
            if sum(reads in alone for reads in rows) != 1:
                continue
            for r, reads in enumerate(rows):
                if reads in some - alone:
                    rows[r] = frozenset(one for one in reads if one[0] != k)
                    changed.add(r)
        return changed

    def _exclude(self, rows: list[frozenset[Read]], sure: set[int]) -> set[int]:
        """A column is in one row of a family that it names; the rows changed."""
        changed = set[int]()
        open_ = {r for r, reads in enumerate(rows) if len(reads) > 1}
        near: dict[int, list[tuple[int, int]]] = {}
        for r in sure if open_ else ():
            ((k, turn), *both) = rows[r]
            line = self.lines[r]
            if both or not self.one[k] or not self.patterns[k].name:
                continue
            for c, mine in zip(line.cols, line.signs, strict=True):
                sign = turn * mine
                if c not in near:
                    near[c] = [one for one in self.on[c] if one[0] in open_]
                if near[c] and all((g, sign) in self.one[k] for g in self.groups[c]):
                    for other, way in near[c]:
                        if other != r and (k, way * sign) in rows[other] and len(rows[other]) > 1:
                            rows[other] -= {(k, way * sign)}
                            changed.add(other)
        return changed

    def _row_left(
        self, r: int, reads: frozenset[Read], cols: list[frozenset[str]]
    ) -> frozenset[Read]:
        """What a row may still be."""
        line = self.lines[r]
        self.view.budget.left -= len(reads) * len(line.cols)
        of = [cols[c] for c in line.cols]
        # Most rows have the entries of others. Of short ones their order is the same, too.
        key: tuple[object, ...] = (reads, *of, *line.signs)
        if len(of) > _SHORT:
            key = reads, frozenset(Counter(zip(of, line.signs, strict=True)).items())
        known = self.admitted.get(key)
        if known is None:
            entries = Counter(zip(of, line.signs, strict=True))
            kinds = {groups for groups, _ in entries}
            known = self.admitted[key] = []
            for read in reads:
                pattern = self.patterns[read[0]]
                if pattern.admits(entries, read[1]):
                    # In which kinds of columns they show how a row is scaled.
                    mine = frozenset(groups for groups in kinds if groups <= pattern.pinned)
                    known.append((read, None if mine == kinds else mine))
        left = [one for one, how in known if self._scale_fits(line, one, of, how)]
        return reads if len(left) == len(reads) else frozenset(left)

    def _scale_fits(
        self, line: AssignedLine, read: Read, of: list[frozenset[str]], pinned: Pinned
    ) -> bool:
        pattern = self.patterns[read[0]]
        if pattern.constant is None and pinned == _NONE:
            return True
        scales = line.sizes if pinned is None else _NONE
        if pinned:
            pairs = zip(of, line.values, strict=True)
            scales = frozenset([abs(value) for groups, value in pairs if groups in pinned])
        if len(scales) > 1 and max(scales) - min(scales) > SAME * max(scales):
            return False
        right = line.right * read[1]
        if pattern.constant is None:
            return True
        if pattern.constant == 0 or scales:
            return abs(right - pattern.constant * max(scales, default=1.0)) <= SAME
        return right * pattern.constant > 0

    def _col_fits(
        self, group: str, met: frozenset[tuple[frozenset[Read], int]], there: set[int]
    ) -> bool:
        seen = set()
        for reads, sign in met:
            mine = [k for k, turn in reads if (group, sign * turn) in self.patterns[k].by_group]
            if not mine:
                return False
            seen.update(mine)
        return all(k in seen for k in self.total[group] if k in there)
