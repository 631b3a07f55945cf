"""A model by families and groups: the entries of each pair, and the index fields of its names.

And what labels say of a family: `FamilyLabel`.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ordojo.formulation.vocabulary import Scaffold, Semantic, name
from ordojo.milp.tolerances import SAME
from ordojo.structures.abstraction import Abstraction
from ordojo.structures.abstraction.tables import Entries, Entry, entries
from ordojo.structures.flat import INTEGER, Flat, Floats, Ints, Mask


@dataclass(frozen=True)
class FamilyLabel:
    """A family's labels; `why` and `how` are the evidence for type and scaffold.

    `miplib` is the commonest class of its rows, `classes` counts all of them.
    """

    family: int
    size: int
    semantic: Semantic
    why: str
    scaffold: Scaffold
    how: str
    miplib: str
    classes: dict[str, int]

    def to_json(self) -> dict[str, Any]:
        """Plain JSON; types by their names in lower case."""
        types = {"semantic": name(self.semantic), "scaffold": name(self.scaffold)}
        return asdict(self) | types


@dataclass(frozen=True)
class Rows:
    """A model by rows, each as `a'x <= b`; a row with a lower side alone has its signs turned.

    `start`, `col`, `value` are compressed rows without zeros. Where both sides are finite `b` is
    the upper one.
    """

    flat: Flat
    start: Ints
    col: Ints
    value: Floats

    @classmethod
    def of(cls, flat: Flat) -> "Rows":
        """The rows of a model."""
        starts, col, place = flat.by_rows
        value = flat.value[place]
        kept = value != 0
        row = np.repeat(np.arange(flat.m), np.diff(starts))[kept]
        start = np.searchsorted(row, np.arange(flat.m + 1))
        found = cls(flat, start, col[kept], value[kept])
        return replace(found, value=found.value * np.where(found.flipped, -1.0, 1.0)[found.row])

    @cached_property
    def flipped(self) -> Mask:
        """Rows whose signs were turned."""
        low, up = self.flat.row_bounds
        return np.asarray(np.isfinite(low) & ~np.isfinite(up))

    @cached_property
    def b(self) -> Floats:
        """The right-hand side of each row as `a'x <= b`; infinite for a free one."""
        low, up = self.flat.row_bounds
        return np.where(self.flipped, -low, up)

    @cached_property
    def equal(self) -> Mask:
        """Rows whose sides agree."""
        low, up = self.flat.row_bounds
        return np.asarray(np.isfinite(low) & (low == up))

    @cached_property
    def count(self) -> Ints:
        """Entries of each row."""
        return np.diff(self.start)

    @cached_property
    def row(self) -> Ints:
        """The row of each entry."""
        return np.repeat(np.arange(self.flat.m), self.count)

    @cached_property
    def binary(self) -> Mask:
        """Entries whose column is 0 or 1."""
        return columns_binary(self.flat)[self.col]

    @cached_property
    def whole(self) -> Mask:
        """Entries whose column is binary or integer."""
        return np.asarray(self.flat.types[self.col] == INTEGER)

    def total(self, which: Mask) -> Ints:
        """How many entries of each row are in `which`."""
        return np.bincount(self.row[which], minlength=self.flat.m)

    def every(self, which: Mask) -> Mask:
        """Rows all of whose entries are in `which`; an empty row is one."""
        return np.asarray(self.total(which) == self.count)

    def most(self, values: Floats, none: float) -> Floats:
        """The largest of the entries' `values` in each row; `none` for an empty one."""
        found = np.full(self.flat.m, none)
        used = self.count > 0
        if used.any():
            found[used] = np.maximum.reduceat(values, self.start[:-1][used])
        return found

    def least(self, values: Floats, none: float) -> Floats:
        """The smallest of the entries' `values` in each row; `none` for an empty one."""
        return -self.most(-values, -none)

    @cached_property
    def size(self) -> tuple[Floats, Floats]:
        """The smallest and largest absolute coefficient of each row."""
        return self.least(np.abs(self.value), 1.0), self.most(np.abs(self.value), 1.0)

    @cached_property
    def alike(self) -> Mask:
        """Rows whose coefficients are equal but for their sign."""
        small, large = self.size
        return np.asarray(large - small <= SAME * large)

    @cached_property
    def positive(self) -> Ints:
        """Entries above 0 of each row."""
        return self.total(self.value > 0)

    @cached_property
    def negative(self) -> Ints:
        """Entries below 0 of each row."""
        return self.total(self.value < 0)

    @cached_property
    def activity(self) -> Floats:
        """The largest value that each row's `a'x` can take within the columns' bounds."""
        lower, upper = self.flat.lower[self.col], self.flat.upper[self.col]
        ends = np.where(self.value > 0, upper, lower) * self.value
        return np.asarray(np.bincount(self.row, ends, self.flat.m), np.float64)


def columns_binary(flat: Flat) -> Mask:
    """Integer columns within 0 and 1."""
    return np.asarray((flat.types == INTEGER) & (flat.lower >= 0) & (flat.upper <= 1))


def near(a: NDArray[Any], b: NDArray[Any] | float) -> Mask:
    """Where two arrays of numbers agree, but for rounding."""
    return np.asarray(np.abs(a - b) <= SAME * np.maximum(1.0, np.abs(a)))


@dataclass(frozen=True)
class FamilyBlock:
    """What a family holds of a group: local rows and columns and values, with both sides' fields.

    `left_values` and `right_values` are the different values of each field, ascending; `terms` are
    the abstraction's relations that say it.
    """

    group: int
    row: Ints
    col: Ints
    value: Floats
    left: list[Ints]
    right: list[Ints]
    left_values: list[Ints]
    right_values: list[Ints]
    sizes: tuple[int, int]
    terms: tuple[Entry, ...]

    @cached_property
    def per_row(self) -> Ints:
        """Entries of each of the family's rows."""
        return np.bincount(self.row, minlength=self.sizes[0])

    @cached_property
    def per_col(self) -> Ints:
        """Entries of each of the group's columns."""
        return np.bincount(self.col, minlength=self.sizes[1])

    @cached_property
    def signs(self) -> tuple[Ints, Ints]:
        """Entries above and below 0 of each of the group's columns."""
        up, down = (
            np.bincount(self.col[kept], minlength=self.sizes[1])
            for kept in (self.value > 0, self.value < 0)
        )
        return up, down

    @property
    def through(self) -> Mask:
        """Columns with entries of both signs."""
        return np.asarray((self.signs[0] > 0) & (self.signs[1] > 0))


class LabelView:
    """A model with its abstraction, ready to be labelled."""

    def __init__(self, flat: Flat, found: Abstraction) -> None:
        self.flat, self.rows = flat, Rows.of(flat)
        self.groups, self.families = found.members("groups"), found.members("families")
        self.right, self.left = found.fields("groups"), found.fields("families")
        self.right_values = [[np.unique(field) for field in fields] for fields in self.right]
        self._terms: dict[tuple[int, int], list[Entry]] = {}
        for term in found.terms:
            self._terms.setdefault((term["family"], term["group"]), []).append(term)
        self._entries: dict[int, list[Entries]] = {}
        matrix = self.rows.row, self.rows.col, self.rows.value
        for one in entries(self.families, self.groups, *matrix):
            self._entries.setdefault(one[0], []).append(one)

    def blocks(self, family: int) -> Iterator[FamilyBlock]:
        """The family's blocks, by group; signs as in `Rows`."""
        fields = self.index(family)
        values = [np.unique(field) for field in fields]
        for _, group, row, col, value in self._entries.get(family, []):
            sizes = len(self.families.items[family]), len(self.groups.items[group])
            terms = tuple(self._terms.get((family, group), ()))
            sides = fields, self.right[group], values, self.right_values[group], sizes
            yield FamilyBlock(group, row, col, value, *sides, terms)

    def index(self, family: int) -> list[Ints]:
        """The indices of a family's rows that vary: those of the names, else what its columns say.

        Without names of its own, a family has each index that is the same in all of a row's columns
        of a group that stands in every row.
        """
        own = [field for field in self.left[family] if len(field) and (field != field[0]).any()]
        if own or self.left[family]:
            return own
        size = len(self.families.items[family])
        found: list[Ints] = []
        for _, group, row, col, _ in self._entries.get(family, []):
            for field in self.right[group]:
                values = np.full(size, np.iinfo(np.int64).min)
                values[row] = field[col]
                if (values[row] != field[col]).any() or values.min() == np.iinfo(np.int64).min:
                    continue
                new = (values != values[0]).any()
                if new and not any(np.array_equal(values, old) for old in found):
                    found.append(values)
        return found
