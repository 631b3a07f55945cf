"""The sections ROWS, COLUMNS, RHS, RANGES and BOUNDS, a block of lines at a time."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ordojo.structure.flat import Bytes, Floats, Ints, NameBuffer
from ordojo.structure.reader.stream import (
    NumberReader,
    Tokens,
    Words,
    hash_of,
    hashed,
    in_order,
    refusal,
)


class HashTable:
    """Open addressing; holds the hashes given at the start, which must all differ."""

    def __init__(self, hashes: Words) -> None:
        bits = max(4, int(len(hashes) * 2 + 1).bit_length())
        self.shift, self.mask = np.uint64(64 - bits), (1 << bits) - 1
        self.hashes = hashes
        self.slots = np.full(1 << bits, -1, np.int32)
        left = np.arange(len(hashes), dtype=np.int32)
        at = self._home(hashes)
        while len(left):
            empty = self.slots[at] < 0
            self.slots[at[empty]] = left[empty]
            lost = self.slots[at] != left
            left, at = left[lost], (at[lost] + 1) & self.mask

    def _home(self, hashes: Words) -> Ints:
        return (hashes >> self.shift).view(np.int64)

    def find(self, hashes: Words) -> Ints:
        """The number of each hash, -1 where it is not held."""
        at = self._home(hashes)
        found = self.slots[at]
        if not len(self.hashes):
            return found.astype(np.int64)
        wrong = np.flatnonzero((self.hashes[found] != hashes) & (found >= 0))
        while len(wrong):
            at[wrong] = (at[wrong] + 1) & self.mask
            found[wrong] = self.slots[at[wrong]]
            still = (found[wrong] >= 0) & (self.hashes[found[wrong]] != hashes[wrong])
            wrong = wrong[still]
        return found.astype(np.int64)


def repeated(hashes: Words) -> int:
    """The place of the first hash that stood before, or -1."""
    ordered = np.sort(hashes)
    if not (ordered[1:] == ordered[:-1]).any():
        return -1
    order = np.argsort(hashes, kind="stable")
    return int(order[1:][hashes[order[1:]] == hashes[order[:-1]]].min())


_MARKER = hash_of(b"'MARKER'")
_LETTERS = np.zeros(256, np.uint8)
for _letter in b"NLGE":
    _LETTERS[_letter] = _LETTERS[_letter + 32] = _letter


class NameStore:
    """Names in order of appearance with their hashes and the lines where they first stand."""

    def __init__(self) -> None:
        self.buffers: list[Bytes] = []
        self.lengths: list[Ints] = []
        self.hashes: list[Words] = []
        self.lines: list[Ints] = []
        self.count = 0

    def add(self, tokens: Tokens, k: int, which: Ints, hashes: Words) -> None:
        """Take word k of the lines `which`, whose hashes are given."""
        start, end = tokens.start[which, k], tokens.end[which, k]
        length = end - start
        shift = np.repeat(start - (np.cumsum(length) - length), length)
        self.buffers.append(tokens.data[np.arange(len(shift)) + shift])
        self.lengths.append(length)
        self.hashes.append(hashes)
        self.lines.append(tokens.line[which])
        self.count += len(which)

    def names(self) -> NameBuffer:
        """All names."""
        starts = np.zeros(self.count + 1, np.int64)
        if self.count:
            np.cumsum(np.concatenate(self.lengths), out=starts[1:])
        return NameBuffer(np.concatenate([np.zeros(0, np.uint8), *self.buffers]), starts)

    def table(self, path: Path, kind: str) -> HashTable:
        """Where each name is found; raises DataError where a name stands twice."""
        hashes = np.concatenate([np.zeros(0, np.uint64), *self.hashes])
        twice = repeated(hashes)
        if twice >= 0:
            line = int(np.concatenate(self.lines)[twice])
            name = self.names().text(twice)
            raise refusal(path, line, f"has the {kind} '{name}' a second time")
        return HashTable(hashes)


class RowReader:
    """The section ROWS: a sense and a name a line."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.store = NameStore()
        self.senses: list[NDArray[np.uint8]] = []

    def add(self, tokens: Tokens) -> None:
        """Take some lines; raises DataError at the first that is wrong."""
        if tokens.count != 2:
            raise refusal(self.path, int(tokens.line[0]), f"has {tokens.count} words, not 2")
        start, end = tokens.start[:, 0], tokens.end[:, 0]
        letters = _LETTERS[tokens.data[start]]
        wrong = np.flatnonzero((letters == 0) | (end - start != 1))
        if len(wrong):
            what = "has the sense '{}', which is none of N, L, G, E"
            raise tokens.refusal(self.path, int(wrong[0]), 0, what)
        self.senses.append(letters)
        self.store.add(tokens, 1, np.arange(len(letters)), tokens.hashes(1))


class ColumnReader:
    """The section COLUMNS: a column, and one or two rows with a coefficient each."""

    def __init__(self, path: Path, rows: HashTable, numbers: NumberReader) -> None:
        self.path, self.rows, self.numbers = path, rows, numbers
        self.store = NameStore()
        self.integer: list[NDArray[np.bool_]] = []
        self.col: list[NDArray[np.int32]] = []
        self.row: list[NDArray[np.int32]] = []
        self.value: list[Floats] = []
        self.inside, self.last = False, np.uint64(0)
        self.total = 0

    def add(self, groups: list[Tokens]) -> None:
        """Take the lines of a block, grouped by their number of words."""
        parts = [_pairs(self.path, group) for group in groups if len(group.line)]
        if not parts:
            return
        if len(parts) == 1 and parts[0].count == 3:
            self._take(parts[0], parts[0].hashes(1))
            return
        part = in_order(parts, lead=True)
        self._take(part, part.hashes(1))

    def _take(self, tokens: Tokens, keys: Words) -> None:
        marks = np.flatnonzero(keys == _MARKER)
        if not len(marks):
            self._entries(tokens, keys, np.full(len(keys), self.inside))
            return
        change = np.zeros(len(keys) + 1, np.int64)
        state = self.inside
        for mark in marks.tolist():
            word = tokens.word(mark, 2)
            if word not in (b"'INTORG'", b"'INTEND'"):
                raise tokens.refusal(self.path, mark, 2, "has the marker {}, unknown")
            change[mark] = (word == b"'INTORG'") - int(state)
            state = word == b"'INTORG'"
        inside = (np.cumsum(change[:-1]) + int(self.inside)).astype(bool)
        self.inside = state
        plain = keys != _MARKER
        if plain.any():
            self._entries(tokens.take(plain), keys[plain], inside[plain])

    def _entries(self, tokens: Tokens, keys: Words, inside: NDArray[np.bool_]) -> None:
        heads = tokens.hashes(0)
        new = np.empty(len(heads), bool)
        np.not_equal(heads[1:], heads[:-1], out=new[1:])
        new[0] = self.store.count == 0 or heads[0] != self.last
        self.last = heads[-1]
        first = np.flatnonzero(new)
        col = (np.cumsum(new) + (self.store.count - 1)).astype(np.int32)
        self.store.add(tokens, 0, first, heads[first])
        self.integer.append(inside[first])
        row = self.rows.find(keys)
        value, bad = self.numbers.read(tokens.data, tokens.start[:, 2], tokens.end[:, 2])
        self._check(tokens, row, value, bad)
        self.col.append(col)
        self.row.append(row.astype(np.int32))
        self.value.append(value)
        self.total += len(value)

    def _check(self, tokens: Tokens, row: Ints, value: Floats, bad: int) -> None:
        unknown = np.flatnonzero(row < 0)
        endless = np.flatnonzero(~np.isfinite(value)) if bad < 0 else np.array([bad])
        if len(unknown) and (not len(endless) or unknown[0] <= endless[0]):
            what = "names the row '{}', which ROWS does not have"
            raise tokens.refusal(self.path, int(unknown[0]), 1, what)
        if len(endless):
            what = "has '{}' where a finite number must stand"
            raise tokens.refusal(self.path, int(endless[0]), 2, what)


def _pairs(path: Path, tokens: Tokens) -> Tokens:
    if tokens.count not in (3, 5):
        line = int(tokens.line[0])
        raise refusal(path, line, f"has {tokens.count} words, not a column, a row and a number")
    return tokens


BOUNDS: dict[str, tuple[str, str, bool, bool]] = {
    "LO": ("value", "", False, False),
    "UP": ("", "value", False, False),
    "FX": ("value", "value", False, False),
    "LI": ("value", "", True, False),
    "UI": ("", "value", True, False),
    "SC": ("", "value", False, True),
    "SI": ("", "value", True, True),
    "FR": ("-inf", "inf", False, False),
    "MI": ("-inf", "", False, False),
    "PL": ("", "inf", False, False),
    "BV": ("0", "1", True, False),
}
"""What each kind of bound sets: lower, upper ("": as it was), integer, semicontinuous."""
KINDS = tuple(BOUNDS)
_BARE = np.array(["value" not in kind for kind in BOUNDS.values()])
_SETS, _WHOLE, _SEMI = (np.array([kind[k] for kind in BOUNDS.values()]) for k in (slice(2), 2, 3))
_CODES = np.full(1 << 16, -1, np.int8)
for _k, _kind in enumerate(KINDS):
    for _word in (_kind, _kind.lower()):
        _CODES[int.from_bytes(_word.encode(), "little")] = _k


class SideReader:
    """A section of pairs of a row and a number, with or without the name of the set before."""

    def __init__(
        self, path: Path, rows: HashTable, count: int, numbers: NumberReader, what: str
    ) -> None:
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
            what = f"begins a second set '{{}}' of {self.what}"
            raise group.refusal(self.path, int(other[0]), 0, what)

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
            what = f"gives the row '{{}}' a second {self.what}"
            raise group.refusal(self.path, int(twice.min()), 0, what)


class BoundReader:
    """The section BOUNDS; later lines win."""

    def __init__(
        self, path: Path, cols: HashTable, integer: NDArray[np.bool_], numbers: NumberReader
    ):
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
            what = f"has the bound '{{}}', which is none of {KINDS}"
            raise group.refusal(self.path, int(wrong[0]), 0, what)
        bare = _BARE[kind]
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
            raise group.refusal(self.path, k, int(place[k]), "names the unknown column '{}'")
        need = np.flatnonzero(~bare)
        if len(need):
            if group.count == 2:
                raise refusal(self.path, int(group.line[need[0]]), "has a bound without number")
            some = group.take(need)
            last = group.count - 1
            found, bad = self.numbers.read(some.data, some.start[:, last], some.end[:, last])
            _said(self.path, some, last, found, bad)
            value[need] = found
        return group.line, kind, col, value

    def _apply(self, kind: Ints, col: Ints, value: Floats) -> None:
        self.touched[col] = True
        for side, bound in enumerate((self.lower, self.upper)):
            sets = _SETS[kind, side]
            given = sets != ""
            plain = given & (sets != "value")
            number = value.copy()
            number[plain] = sets[plain].astype(np.float64)
            bound[col[given]] = number[given]
            if side == 0:
                self.given[col[given]] = True
        # As HiGHS and CPLEX have it: below an upper bound under 0 lies no lower one of 0.
        up = np.isin(kind, [KINDS.index("UP"), KINDS.index("UI")])
        below = col[up & (value < 0)]
        self.lower[below[~self.given[below]]] = -np.inf
        self.integer[col[_WHOLE[kind]]] = True
        self.semi[col[_SEMI[kind]]] = True

    def close(self) -> None:
        """An integer column between markers that no line here mentions is binary (as in HiGHS)."""
        self.upper[self.integer & ~self.touched] = 1.0


def _known(path: Path, group: Tokens, k: int, found: Ints, what: str) -> None:
    if (found < 0).any():
        at = int(np.argmax(found < 0))
        raise group.refusal(path, at, k, f"names the unknown {what} '{{}}'")


def _said(path: Path, group: Tokens, k: int, value: Floats, bad: int) -> None:
    if bad >= 0 or np.isnan(value).any():
        at = bad if bad >= 0 else int(np.argmax(np.isnan(value)))
        raise group.refusal(path, at, k, "has '{}' where a number must stand")
