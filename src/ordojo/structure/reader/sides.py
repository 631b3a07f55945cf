"""The sections RHS, RANGES and BOUNDS, a block of lines at a time."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ordojo.structure.flat import Floats, Ints
from ordojo.structure.reader.columns import Table
from ordojo.structure.reader.numbers import Numbers
from ordojo.structure.reader.stream import Tokens, hash_of, hashed, in_order, refusal

WITH_NUMBER = ("LO", "UP", "FX", "LI", "UI", "SC", "SI")
_WITHOUT = ("FR", "MI", "PL", "BV")
KINDS = (*WITH_NUMBER, *_WITHOUT)
_CODES = np.full(1 << 16, -1, np.int8)
for _k, _kind in enumerate(KINDS):
    for _word in (_kind, _kind.lower()):
        _CODES[int.from_bytes(_word.encode(), "little")] = _k


class SideReader:
    """A section of pairs of a row and a number, with or without the name of the set before."""

    def __init__(self, path: Path, rows: Table, count: int, numbers: Numbers, what: str) -> None:
        self.path, self.rows, self.numbers, self.what = path, rows, numbers, what
        self.values = np.full(count, np.nan)
        self.set: bytes | None = None

    def add(self, groups: list[Tokens]) -> None:
        """Take the lines of a block; raises DataError at the first that is wrong."""
        for group in groups:
            line = int(group.line[0])
            if group.count not in (2, 3, 4, 5):
                raise refusal(
                    self.path, line, f"has {group.count} words, not a set, row and number"
                )
            if group.count % 2:
                self._one_set(group)
        self._pairs(in_order(groups, lead=False))

    def _one_set(self, group: Tokens) -> None:
        if self.set is None:
            self.set = group.word(0, 0)
        other = np.flatnonzero(group.hashes(0) != hash_of(self.set))
        if len(other):
            name = group.word(int(other[0]), 0).decode("utf-8", "replace")
            line = int(group.line[other[0]])
            raise refusal(self.path, line, f"begins a second set '{name}' of {self.what}")

    def _pairs(self, group: Tokens) -> None:
        row = self.rows.find(group.hashes(0))
        value, bad = self.numbers.read(group.data, group.start[:, 1], group.end[:, 1])
        _known(self.path, group, 0, row, "row")
        _said(self.path, group, 1, value, bad)
        twice = np.flatnonzero(~np.isnan(self.values[row]))
        self.values[row] = value
        if not len(twice) and len(row) > 1:
            ordered = np.argsort(row, kind="stable")
            same = np.flatnonzero(row[ordered][1:] == row[ordered][:-1])
            twice = ordered[1:][same]
        if len(twice):
            name = group.word(int(twice.min()), 0).decode("utf-8", "replace")
            line = int(group.line[twice.min()])
            raise refusal(self.path, line, f"gives the row '{name}' a second {self.what}")


class BoundReader:
    """The section BOUNDS; later lines win."""

    def __init__(self, path: Path, cols: Table, integer: NDArray[np.bool_], numbers: Numbers):
        self.path, self.cols, self.numbers = path, cols, numbers
        count = len(integer)
        self.lower, self.upper = np.zeros(count), np.full(count, np.inf)
        self.given, self.touched = np.zeros(count, bool), np.zeros(count, bool)
        self.integer, self.semi = integer.copy(), np.zeros(count, bool)

    def add(self, groups: list[Tokens]) -> None:
        """Take the lines of a block; raises DataError at the first that is wrong."""
        parts = [self._part(group) for group in groups]
        if not parts:
            return
        line, kind, col, value = (np.concatenate([p[k] for p in parts]) for k in range(4))
        if len(parts) > 1:
            order = np.argsort(line, kind="stable")
            kind, col, value = kind[order], col[order], value[order]
        self._apply(kind, col, value)

    def _part(self, group: Tokens) -> tuple[Ints, Ints, Ints, Floats]:
        line = int(group.line[0])
        if group.count not in (2, 3, 4):
            raise refusal(self.path, line, f"has {group.count} words, not a bound of a column")
        start, length = group.start[:, 0], group.end[:, 0] - group.start[:, 0]
        letters = group.data[start].astype(np.int64) | (group.data[start + 1].astype(np.int64) << 8)
        kind = np.where(length == 2, _CODES[letters], -1).astype(np.int64)
        wrong = np.flatnonzero(kind < 0)
        if len(wrong):
            word = group.word(int(wrong[0]), 0).decode("utf-8", "replace")
            number = int(group.line[wrong[0]])
            raise refusal(self.path, number, f"has the bound '{word}', which is none of {KINDS}")
        bare = kind >= len(WITH_NUMBER)
        value = np.zeros(len(kind))
        if group.count == 2:
            place = np.ones(len(kind), np.int64)
        elif group.count == 4:
            place = np.full(len(kind), 2)
        else:
            place = np.where(bare, 2, 1)
            if bare.any():
                plain = self.cols.find(group.hashes(2)) < 0
                place = np.where(bare & plain, 1, place)
        lines = np.arange(len(kind))
        at, to = group.start[lines, place], group.end[lines, place]
        col = self.cols.find(hashed(group.data, at, to))
        if (col < 0).any():
            k = int(np.argmax(col < 0))
            name = group.word(k, int(place[k])).decode("utf-8", "replace")
            raise refusal(self.path, int(group.line[k]), f"names the unknown column '{name}'")
        need = np.flatnonzero(~bare)
        if len(need):
            if group.count == 2:
                raise refusal(self.path, int(group.line[need[0]]), "has a bound without number")
            some = Tokens(group.data, group.start[need], group.end[need], group.line[need])
            last = group.count - 1
            found, bad = self.numbers.read(some.data, some.start[:, last], some.end[:, last])
            _said(self.path, some, last, found, bad)
            value[need] = found
        return group.line, kind, col, value

    def _apply(self, kind: Ints, col: Ints, value: Floats) -> None:
        names = np.array(KINDS)[kind]
        self.touched[col] = True
        low = np.isin(names, ["LO", "LI", "FX", "FR", "MI", "BV"])
        self.lower[col[low]] = np.where(
            np.isin(names, ["FR", "MI"]), -np.inf, np.where(names == "BV", 0.0, value)
        )[low]
        self.given[col[low]] = True
        up = np.isin(names, ["UP", "UI", "FX", "FR", "PL", "BV", "SC", "SI"])
        self.upper[col[up]] = np.where(
            np.isin(names, ["FR", "PL"]), np.inf, np.where(names == "BV", 1.0, value)
        )[up]
        below = col[np.isin(names, ["UP", "UI"]) & (value < 0)]
        below = below[~self.given[below]]
        self.lower[below] = -np.inf
        whole = np.isin(names, ["LI", "UI", "BV", "SI"])
        self.integer[col[whole]] = True
        self.semi[col[np.isin(names, ["SC", "SI"])]] = True

    def close(self) -> None:
        """An integer column between markers that no line here mentions is binary (as in HiGHS)."""
        self.upper[self.integer & ~self.touched] = 1.0


def _known(path: Path, group: Tokens, k: int, found: Ints, what: str) -> None:
    if (found < 0).any():
        at = int(np.argmax(found < 0))
        name = group.word(at, k).decode("utf-8", "replace")
        raise refusal(path, int(group.line[at]), f"names the unknown {what} '{name}'")


def _said(path: Path, group: Tokens, k: int, value: Floats, bad: int) -> None:
    if bad >= 0 or np.isnan(value).any():
        at = bad if bad >= 0 else int(np.argmax(np.isnan(value)))
        word = group.word(at, k).decode("utf-8", "replace")
        raise refusal(path, int(group.line[at]), f"has '{word}' where a number must stand")
