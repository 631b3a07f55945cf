"""Reading the sections with machine code: what is right, fast. What is not raises `Doubt`."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ordojo.structure.flat import FREE, Bytes, Flat, Floats, Names
from ordojo.structure.reader.assembly import Pieces, assemble
from ordojo.structure.reader.compiled.growing import LEAST, Growing, Scratch
from ordojo.structure.reader.compiled.lookup import Numbers, find_all, lookup
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
Scan = Callable[..., tuple[int, int]]


class Doubt(Exception):  # noqa: N818
    """Something is not simply right: the reader that needs only numpy shall say what."""


class CompiledParser(Outline):
    """The reader that needs numba; it gives the same model as `Parser`, or raises Doubt.

    `size` is the file's number of bytes.
    """

    counted = False

    def __init__(self, path: Path, scratch: Scratch, size: int) -> None:
        super().__init__(path)
        scratch.begin(size)
        self.scratch, self.row_count, self.state = scratch, 0, np.zeros(4, np.int64)
        self.rows: Words | None = None
        self.cols: Words | None = None
        self.sides: dict[str, tuple[Floats, Bytes]] = {}
        self.bounds: tuple[NDArray[Any], ...] = ()

    def open(self, head: str) -> None:
        """Begin a section of PLAIN behind ROWS."""
        if self.rows is None:
            use = self.scratch
            starts = use.row_starts.array[: self.row_count + 1]
            self.rows = _known(lookup(use.row_text.array, starts, use.row_slots))
        if head in ("RHS", "RANGES"):
            self.sides[head] = np.full(self.row_count, np.nan), np.zeros(LONGEST_SET, np.uint8)
        if head != "COLUMNS":
            self.finish_columns()

    def finish_columns(self) -> None:
        """Note that COLUMNS is over, if it began."""
        if self.cols is not None or "COLUMNS" not in self.seen:
            return
        count, use = int(self.state[COLUMNS]), self.scratch
        starts = use.col_starts.array[: count + 1]
        self.cols = _known(lookup(use.col_text.array, starts, use.col_slots))
        lower, upper = np.zeros(count), np.full(count, np.inf)
        given, touched, semi = (np.zeros(count, np.bool_) for _ in range(3))
        self.bounds = lower, upper, given, touched, use.integer.array[:count].copy(), semi

    def heads(self, block: Bytes) -> list[int]:
        """Where the lines begin that are comments, or may be headers by their first letters."""
        heads = self.scratch.heads
        count = line_heads(block, PAD, len(block) - PAD, heads)
        if count < 0:
            raise Doubt
        found: list[int] = heads[:count].tolist()
        return found

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
            kinds = self.scratch.kinds.room(0, (high - low) // LEAST + 1)
            col, value = self._pairs(block, low, high, scan_bounds, kinds, self.cols)
            bind(kinds, col, value, *self.bounds)
        elif text := block[low:high].tobytes().strip():
            if (self.section != "OBJNAME" and self.section[:4] != "OBJS") or b"\n" in text:
                raise Doubt
            self.word(text.split()[0], first)

    def _rows(self, block: Bytes, low: int, high: int) -> None:
        use, more = self.scratch, (high - low) // LEAST + 1
        starts = use.row_starts.room(self.row_count + 1, more)
        text = use.row_text.room(int(starts[self.row_count]), high - low + SLACK)
        parts = text, starts, use.senses.room(self.row_count, more), self.row_count
        self.row_count = scan_rows(block, low, high, *parts)
        if self.row_count < 0:
            raise Doubt

    def _columns(self, block: Bytes, low: int, high: int) -> None:
        more, state, use = (high - low) // LEAST + 2, self.state, self.scratch
        entries, count = int(state[ENTRIES]), int(state[COLUMNS])
        columns = Columns(
            use.col_text.room(int(state[TEXT]), high - low + SLACK),
            use.col_starts.room(count + 1, more),
            use.begins.room(count + 1, more),
            use.integer.room(count, more),
            use.value.room(entries, more),
        )
        pairs = Pairs(use.code.room(0, more), use.doubts.room(0, 3 * more))
        doubts = scan_columns(block, low, high, columns, pairs, state, KEY)
        if doubts < 0 or state[ENTRIES] > MAX_ENTRIES:
            raise Doubt
        if doubts and not all(map(math.isfinite, _ask_python(block, pairs, doubts, columns.value))):
            raise Doubt
        _find(self.rows, pairs.code, use.row.room(entries, more)[entries : int(state[ENTRIES])])

    def _pairs(
        self, block: Bytes, low: int, high: int, scan: Scan, extra: Bytes, names: Words | None
    ) -> tuple[Numbers, Floats]:
        """The names' numbers and the values of the pairs of a section."""
        more, use = (high - low) // LEAST + 1, self.scratch
        pairs = Pairs(use.code.room(0, more), use.doubts.room(0, 3 * more))
        value = use.number.room(0, more)
        found, doubts = scan(block, low, high, extra, pairs, value, KEY)
        if found < 0:
            raise Doubt
        if doubts:
            _ask_python(block, pairs, doubts, value)
        numbers = np.empty(found, np.int32)
        _find(names, pairs.code, numbers)
        return numbers, value[:found]

    def flat(self) -> Flat:
        """The model; raises DataError where the file ended too early."""
        self.whole()
        self.finish_columns()
        if self.rows is None or not self.bounds:
            raise Doubt
        lower, upper, _, touched, integer, semi = self.bounds
        upper[integer & ~touched] = 1.0
        use, count = self.scratch, len(integer)
        senses = use.senses.given(self.row_count)
        goal = self._goal(senses)
        begins = use.begins.array[: count + 1]
        objective, starts = np.zeros(count), np.empty(count + 1, np.int64)
        row, value = use.row.array, use.value.array
        kept = order(begins, row, value, len(senses), goal, objective, starts)
        if kept < 0:
            raise Doubt
        del row, value
        given = [
            self.sides[head][0] if head in self.sides else np.full(len(senses), np.nan)
            for head in ("RHS", "RANGES")
        ]
        return assemble(
            self,
            Pieces(
                _names(use.row_text, use.row_starts, self.row_count),
                senses,
                given[0],
                given[1],
                goal,
                _names(use.col_text, use.col_starts, count),
                lower,
                upper,
                integer,
                semi,
                starts,
                use.row.given(kept),
                use.value.given(kept),
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


def _known(table: Words | None) -> Words:
    if table is None:
        raise Doubt
    return table


def _find(names: Words | None, codes: Words, found: Numbers) -> None:
    if names is None or not find_all(names, codes, found):
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


def _names(text: Growing, starts: Growing, count: int) -> Names:
    ends = starts.given(count + 1)
    return Names(text.given(int(ends[-1])), ends)
