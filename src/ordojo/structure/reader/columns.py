"""The sections ROWS and COLUMNS, a block of lines at a time."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ordojo.structure.flat import Bytes, Floats, Ints, Names
from ordojo.structure.reader.numbers import Numbers
from ordojo.structure.reader.stream import Tokens, Words, hash_of, in_order, refusal


class Table:
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
    twice = ordered[1:][ordered[1:] == ordered[:-1]]
    if not len(twice):
        return -1
    seen: set[int] = set()
    wanted = set(twice.tolist())
    for place in np.flatnonzero(np.isin(hashes, twice)).tolist():
        value = int(hashes[place])
        if value in seen and value in wanted:
            return place
        seen.add(value)
    return -1


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

    def names(self) -> Names:
        """All names."""
        starts = np.zeros(self.count + 1, np.int64)
        if self.count:
            np.cumsum(np.concatenate(self.lengths), out=starts[1:])
        return Names(np.concatenate([np.zeros(0, np.uint8), *self.buffers]), starts)

    def table(self, path: Path, kind: str) -> Table:
        """Where each name is found; raises DataError where a name stands twice."""
        hashes = np.concatenate([np.zeros(0, np.uint64), *self.hashes])
        twice = repeated(hashes)
        if twice >= 0:
            line = int(np.concatenate(self.lines)[twice])
            name = self.names().text(twice)
            raise refusal(path, line, f"has the {kind} '{name}' a second time")
        return Table(hashes)


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
            word = tokens.word(int(wrong[0]), 0).decode("utf-8", "replace")
            line = int(tokens.line[wrong[0]])
            raise refusal(self.path, line, f"has the sense '{word}', which is none of N, L, G, E")
        self.senses.append(letters)
        self.store.add(tokens, 1, np.arange(len(letters)), tokens.hashes(1))


class ColumnReader:
    """The section COLUMNS: a column, and one or two rows with a coefficient each."""

    def __init__(self, path: Path, rows: Table, numbers: Numbers) -> None:
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
                what = word.decode("utf-8", "replace")
                raise refusal(self.path, int(tokens.line[mark]), f"has the marker {what}, unknown")
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
            name = tokens.word(int(unknown[0]), 1).decode("utf-8", "replace")
            line = int(tokens.line[unknown[0]])
            raise refusal(self.path, line, f"names the row '{name}', which ROWS does not have")
        if len(endless):
            word = tokens.word(int(endless[0]), 2).decode("utf-8", "replace")
            line = int(tokens.line[endless[0]])
            raise refusal(self.path, line, f"has '{word}' where a finite number must stand")


def _pairs(path: Path, tokens: Tokens) -> Tokens:
    if tokens.count not in (3, 5):
        line = int(tokens.line[0])
        raise refusal(path, line, f"has {tokens.count} words, not a column, a row and a number")
    return tokens
