"""What each row of a flat model looks like: counts, signs, sizes, as arrays over all rows."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_matrix

from ordojo.structure.flat import INTEGER, SEMICONTINUOUS, Flat, Floats, Ints

Mask = NDArray[np.bool_]
SAME = 1e-9
"""Coefficients that differ by less, relative to the larger one, are equal."""


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
        place = np.arange(1, flat.nonzeros + 1)
        place[flat.value == 0] = 0
        turned = csc_matrix((place, flat.index, flat.starts), (flat.m, flat.n)).tocsr()
        turned.eliminate_zeros()
        start = turned.indptr.astype(np.int64)
        low, up = flat.row_bounds
        flip = np.isfinite(low) & ~np.isfinite(up)
        sign = np.repeat(np.where(flip, -1.0, 1.0), np.diff(start))
        return cls(flat, start, turned.indices.astype(np.int64), flat.value[turned.data - 1] * sign)

    @cached_property
    def sides(self) -> tuple[Floats, Floats]:
        """The lower and upper sides as the file has them."""
        return self.flat.row_bounds

    @cached_property
    def flipped(self) -> Mask:
        """Rows whose signs were turned."""
        low, up = self.sides
        return np.asarray(np.isfinite(low) & ~np.isfinite(up))

    @cached_property
    def b(self) -> Floats:
        """The right-hand side of each row as `a'x <= b`; infinite for a free one."""
        low, up = self.sides
        return np.where(self.flipped, -low, up)

    @cached_property
    def equal(self) -> Mask:
        """Rows whose sides agree."""
        low, up = self.sides
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
        return columns_whole(self.flat)[self.col]

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


def columns_whole(flat: Flat) -> Mask:
    """Columns that are integer or binary."""
    return np.asarray(flat.types == INTEGER)


def columns_binary(flat: Flat) -> Mask:
    """Integer columns within 0 and 1."""
    return np.asarray(columns_whole(flat) & (flat.lower >= 0) & (flat.upper <= 1))


def columns_semi(flat: Flat) -> Mask:
    """Semicontinuous and semi-integer columns."""
    return np.asarray(flat.types >= SEMICONTINUOUS)


def near(a: NDArray[Any], b: NDArray[Any] | float) -> Mask:
    """Where two arrays of numbers agree, but for rounding."""
    return np.asarray(np.abs(a - b) <= SAME * np.maximum(1.0, np.abs(a)))
