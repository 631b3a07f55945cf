"""Reading the sections with machine code: what is right, fast. What is not raises `Doubt`."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ordojo.structure.flat import FREE, Bytes, Flat, Floats, Ints, Names
from ordojo.structure.reader.assembly import Pieces, assemble
from ordojo.structure.reader.compiled.growing import Growing
from ordojo.structure.reader.compiled.lookup import Lookup, Numbers, find_all, lookup
from ordojo.structure.reader.compiled.order import order
from ordojo.structure.reader.compiled.sections import (
    COLUMNS,
    ENTRIES,
    TEXT,
    Columns,
    Pairs,
    scan_columns,
    scan_rows,
)
from ordojo.structure.reader.compiled.sides import bind, give, scan_bounds, scan_sides
from ordojo.structure.reader.compiled.words import SLACK, hash_at, line_heads
from ordojo.structure.reader.numbers import number
from ordojo.structure.reader.outline import Outline
from ordojo.structure.reader.parser import MAX_ENTRIES
from ordojo.structure.reader.stream import PAD
from ordojo.structure.reader.tokens import KEY, Words

LONGEST_SET = 256
_BYTES = 16
"""What an entry takes in a file, if it takes little: room is made for so many at first."""

Scan = Callable[..., tuple[int, int]]


class Doubt(Exception):  # noqa: N818
    """Something is not simply right: the reader that needs only numpy shall say what."""


class CompiledParser(Outline):
    """The reader that needs numba; it gives the same model as `Parser`, or raises Doubt.

    `size` is the file's number of bytes.
    """

    def __init__(self, path: Path, size: int) -> None:
        super().__init__(path)
        likely = size // _BYTES
        self.row_text, self.row_starts = Growing(np.uint8), Growing(np.int64)
        self.senses, self.row_count = Growing(np.uint8), 0
        self.rows: Lookup | None = None
        self.col_text, self.col_starts = Growing(np.uint8), Growing(np.int64)
        self.begins, self.integer = Growing(np.int64), Growing(np.bool_)
        self.row, self.value = Growing(np.int32, likely), Growing(np.float64, likely)
        self.state, self.heads = np.zeros(4, np.int64), np.empty(0, np.int64)
        self.pairs = Pairs(np.empty(0, np.uint64), np.empty(0, np.int64))
        self.cols: Lookup | None = None
        self.sides: dict[str, tuple[Floats, Bytes]] = {}
        self.bounds: tuple[NDArray[Any], ...] = ()

    def open(self, head: str) -> None:
        """Begin a section of PLAIN behind ROWS."""
        if self.rows is None:
            starts = self.row_starts.array[: self.row_count + 1]
            self.rows = _known(lookup(self.row_text.array, starts))
        if head in ("RHS", "RANGES"):
            self.sides[head] = np.full(self.row_count, np.nan), np.zeros(LONGEST_SET, np.uint8)
        if head != "COLUMNS":
            self.finish_columns()

    def finish_columns(self) -> None:
        """Note that COLUMNS is over, if it began."""
        if self.cols is not None or "COLUMNS" not in self.seen:
            return
        count = int(self.state[COLUMNS])
        starts = self.col_starts.array[: count + 1]
        self.cols = _known(lookup(self.col_text.array, starts))
        lower, upper = np.zeros(count), np.full(count, np.inf)
        given, touched, semi = (np.zeros(count, np.bool_) for _ in range(3))
        self.bounds = lower, upper, given, touched, self.integer.array[:count].copy(), semi

    def unindented(self, block: Bytes) -> Ints:
        """Where the lines begin that begin with no blank."""
        if len(self.heads) < len(block) // 4:
            self.heads = np.empty(len(block) // 4, np.int64)
        count = line_heads(block, PAD, len(block) - PAD, self.heads)
        if count < 0:
            raise Doubt
        return self.heads[:count]

    def lines(self, block: Bytes, low: int, high: int, first: int) -> None:
        """Take the whole lines in `block[low:high]`."""
        if self.section == "ROWS":
            self._rows(block, low, high)
        elif self.section == "COLUMNS":
            self._columns(block, low, high)
        elif self.section in self.sides:
            values, name = self.sides[self.section]
            row, value = self._pairs(block, low, high, scan_sides, name, self.rows)
            if not give(values, row, value):
                raise Doubt
        elif self.section == "BOUNDS":
            if not self.bounds:
                raise Doubt
            kinds = np.empty((high - low) // 4 + 1, np.uint8)
            col, value = self._pairs(block, low, high, scan_bounds, kinds, self.cols)
            bind(kinds, col, value, *self.bounds)
        elif text := block[low:high].tobytes().strip():
            if (self.section != "OBJNAME" and self.section[:4] != "OBJS") or b"\n" in text:
                raise Doubt
            self.word(text.split()[0], first)

    def _rows(self, block: Bytes, low: int, high: int) -> None:
        starts = self.row_starts.room(self.row_count + 1, (high - low) // 4 + 1)
        text = self.row_text.room(int(starts[self.row_count]), high - low + SLACK)
        senses = self.senses.room(self.row_count, (high - low) // 4 + 1)
        parts = text, starts, senses, self.row_count
        self.row_count = scan_rows(block, low, high, *parts)
        if self.row_count < 0:
            raise Doubt

    def _columns(self, block: Bytes, low: int, high: int) -> None:
        more, state = (high - low) // 4 + 2, self.state
        entries, count = int(state[ENTRIES]), int(state[COLUMNS])
        columns = Columns(
            self.col_text.room(int(state[TEXT]), high - low + SLACK),
            self.col_starts.room(count + 1, more),
            self.begins.room(count + 1, more),
            self.integer.room(count, more),
            self.value.room(entries, more),
        )
        pairs = self._room_for_pairs(more)
        doubts = scan_columns(block, low, high, columns, pairs, state, KEY)
        if doubts < 0 or state[ENTRIES] > MAX_ENTRIES:
            raise Doubt
        found = int(state[ENTRIES]) - entries
        if not all(map(math.isfinite, _ask_python(block, pairs, doubts, columns.value))):
            raise Doubt
        row = self.row.room(entries, more)[entries : entries + found]
        _find(self.rows, pairs.code, row)

    def _pairs(
        self, block: Bytes, low: int, high: int, scan: Scan, extra: Bytes, names: Lookup | None
    ) -> tuple[Numbers, Floats]:
        """The names' numbers and the values of the pairs of a section."""
        pairs = self._room_for_pairs((high - low) // 4 + 1)
        value = np.empty(len(pairs.code))
        found, doubts = scan(block, low, high, extra, pairs, value, KEY)
        if found < 0:
            raise Doubt
        _ask_python(block, pairs, doubts, value)
        numbers = np.empty(found, np.int32)
        _find(names, pairs.code, numbers)
        return numbers, value[:found]

    def _room_for_pairs(self, most: int) -> Pairs:
        if len(self.pairs.code) < most:
            self.pairs = Pairs(np.empty(most, np.uint64), np.empty(3 * most, np.int64))
        return self.pairs

    def flat(self) -> Flat:
        """The model; raises DataError where the file ended too early."""
        self.whole()
        self.finish_columns()
        if self.rows is None or self.cols is None:
            raise Doubt
        lower, upper, _, touched, integer, semi = self.bounds
        upper[integer & ~touched] = 1.0
        senses = self.senses.array[: self.row_count].copy()
        goal = self._goal(senses)
        count = len(integer)
        objective, counts = np.zeros(count), np.empty(count, np.int64)
        row, value = self.row.array, self.value.array
        begins = self.begins.array[: count + 1]
        kept = order(begins, row, value, len(senses), goal, objective, counts)
        if kept < 0:
            raise Doubt
        given = [
            self.sides[head][0] if head in self.sides else np.full(len(senses), np.nan)
            for head in ("RHS", "RANGES")
        ]
        return assemble(
            self,
            Pieces(
                _names(self.row_text, self.rows),
                senses,
                given[0],
                given[1],
                goal,
                _names(self.col_text, self.cols),
                lower,
                upper,
                integer,
                semi,
                counts,
                self.row.cut(kept),
                self.value.cut(kept),
                objective,
            ),
        )

    def _goal(self, senses: Bytes) -> int:
        if not self.objective_name:
            free = np.flatnonzero(senses == FREE)
            return int(free[0]) if len(free) else -1
        name, row = self.objective_name, np.empty(1, np.int32)
        text = np.zeros(len(name) + SLACK, np.uint8)
        text[: len(name)] = np.frombuffer(name, np.uint8)
        code = hash_at(text, 0, len(name), KEY)
        _find(self.rows, np.array([code], np.uint64), row)
        if senses[row[0]] != FREE:
            raise Doubt
        return int(row[0])


def _known(table: Lookup | None) -> Lookup:
    if table is None:
        raise Doubt
    return table


def _find(names: Lookup | None, codes: Words, found: Numbers) -> None:
    if names is None or not find_all(names.slots, codes, found):
        raise Doubt


def _ask_python(block: Bytes, pairs: Pairs, doubts: int, value: Floats) -> list[float]:
    """Read the numbers that are in doubt as Python does; gives them."""
    found = []
    for k, begin, end in pairs.doubts[: 3 * doubts].reshape(doubts, 3).tolist():
        said = number(block[begin:end].tobytes())
        if said is None:
            raise Doubt
        value[k] = said
        found.append(said)
    return found


def _names(text: Growing, table: Lookup) -> Names:
    return Names(text.array[: int(table.starts[-1])].copy(), table.starts.copy())
