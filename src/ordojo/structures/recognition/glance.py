"""What a model cannot be, told by the kinds of its rows and columns: kinds are few, rows are many.

They are counted once for a model; most declarations are ruled out by them before a row is read.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeVar

import numpy as np

from ordojo.formulation.spec import Group, Spec
from ordojo.structures.flat import CONTINUOUS, EQ, GE, INTEGER, Flat, Floats, Ints
from ordojo.structures.recognition.pattern import SAME, RowPattern, patterns

T = TypeVar("T")
Domain = tuple[int, float, float]
"""A column's type and bounds; 2 stands for all numbers other than 0 and 1."""
Entries = tuple[tuple[int, int], ...]
"""By number the kinds, of columns or of rows, of which a row or a column has entries; the signs."""


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
        turn = np.append(np.where(flat.senses == GE, -1, 1), -1 if flat.maximize else 1)
        priced = np.flatnonzero(flat.objective)
        row = np.append(flat.index, np.full(len(priced), flat.m)).astype(np.int64)
        col = np.append(flat.entry_cols, priced).astype(np.int64)
        value = np.append(flat.value, flat.objective[priced]) * turn[row]
        right = np.append(flat.rhs, flat.offset) * turn
        senses = [*np.where(flat.senses == EQ, "=", "<=").tolist(), "min"]
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


Read = tuple[RowPattern, int]
"""What a row may be, and -1 where it is turned for it."""


def _reads(
    row: RowKind, said: Sequence[RowPattern], groups: Mapping[int, frozenset[str]]
) -> Iterator[Read]:
    entries = {(groups[k], sign): 1 for k, sign in row.entries}
    for turn in (1, -1) if row.sense == "=" else (1,):
        for one in said:
            signed = one.constant is None or np.sign(one.constant) == row.right * turn
            even = row.even or not all(mine <= one.pinned for mine, _ in entries)
            if one.sense == row.sense and signed and even and one.admits(entries, turn):
                yield one, turn


def _stands(group: str, met: Entries, reads: Mapping[int, list[Read]]) -> bool:
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
