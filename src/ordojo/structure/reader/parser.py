"""Reading the sections with numpy, many lines at once; every refusal has its words here."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ordojo.core.errors import DataError
from ordojo.structure.flat import FREE, Bytes, Flat, Floats, Ints, NameBuffer
from ordojo.structure.reader.sections import (
    BoundReader,
    ColumnReader,
    HashTable,
    RowReader,
    SideReader,
)
from ordojo.structure.reader.stream import (
    MAX_BYTES,
    PAD,
    NumberReader,
    Tokens,
    UnreadableError,
    blocks,
    hash_of,
    lines,
    refusal,
    split,
)

PLAIN = ("ROWS", "COLUMNS", "RHS", "RANGES", "BOUNDS", "ENDATA")
KEPT = (
    *("SOS", "SOS1", "SOS2", "SETS", "INDICATORS", "QUADOBJ", "QMATRIX", "QSECTION"),
    *("QCMATRIX", "CSECTION", "PWLOBJ", "GENCONS", "SCENARIOS"),
)
REFUSED = ("LAZYCONS", "USERCUTS", "DELAYEDROWS", "MODELCUTS", "OBJECTIVE")
_HEADS = (*PLAIN, *KEPT, *REFUSED, "NAME", "OBJSENSE")
MAX_ENTRIES = 500_000_000
"""Coefficients of a file at most: about 10 GB of arrays."""
BEGINNINGS = np.array(sorted({int.from_bytes(head[:3].encode(), "little") for head in _HEADS}))


class Parser:
    """What is known after the lines so far; `feed` takes blocks, `flat` gives the model."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.section, self.name = "", b""
        self.maximize, self.objective_name = False, b""
        self.sections: list[bytes] = []
        self.seen: set[str] = set()
        self.numbers = NumberReader()
        self.rows = RowReader(path)
        self.row_table: HashTable | None = None
        self.col_table: HashTable | None = None
        self.columns: ColumnReader | None = None
        self.rhs: SideReader | None = None
        self.ranges: SideReader | None = None
        self.bounds: BoundReader | None = None

    @property
    def done(self) -> bool:
        """Whether ENDATA was read."""
        return self.section == "ENDATA"

    def feed(self, block: Bytes, first: int) -> None:
        """Take a padded block of whole lines, the first of which has the number `first`."""
        heads = self.heads(block)
        if comments := [at for at in heads if block[at] == 42]:
            block = _without(block, comments)
            heads = [at for at in heads if block[at] != 32]
        low, stop = PAD, len(block) - PAD
        for at in heads:
            line = _line(block, at)
            words = line.split()
            head = words[0].decode("utf-8", "replace").upper()
            if not self._is_header(head, len(words)):
                continue
            self._between(block, low, at, first)
            first += int(np.count_nonzero(block[low:at] == 10))
            self.header(head, words, line, first)
            first, low = first + 1, at + len(line) + 1
            if self.done:
                return
        self._between(block, low, stop, first)

    def heads(self, block: Bytes) -> list[int]:
        """Where the lines begin that are comments, or may be headers by their first letters."""
        begins = block[PAD - 1 : -PAD] == 10
        begins[0] = True
        begins[:-1] &= block[PAD:-PAD] > 32
        begins[-1] = False
        heads = np.flatnonzero(begins) + PAD
        if not len(heads):
            return []
        letters = [block[heads + k].astype(np.int64) for k in range(3)]
        upper: Ints = np.sum([(letter & 0xDF) << (8 * k) for k, letter in enumerate(letters)], 0)
        foreign = (letters[0] | letters[1] | letters[2]) > 127
        wanted = np.isin(upper, BEGINNINGS) | foreign | (letters[0] == 42)
        found: list[int] = heads[wanted].tolist()
        return found

    def _between(self, block: Bytes, low: int, high: int, first: int) -> None:
        if low < high and self.section in KEPT:
            self.sections[-1] += block[low:high].tobytes()
        elif low < high:
            self.lines(block, low, high, first)

    def _is_header(self, head: str, words: int) -> bool:
        if head in PLAIN:
            return words == 1 or self.section not in ("RHS", "RANGES", "BOUNDS", "COLUMNS")
        if self.section in ("ROWS", "COLUMNS", "RHS", "RANGES", "BOUNDS"):
            return (head in KEPT and words <= 3) or (head in REFUSED and words == 1)
        return (
            head in (*KEPT, *REFUSED) or head[:4] == "OBJS" or head in ("NAME", "OBJNAME", "RANGES")
        )

    def header(self, head: str, words: list[bytes], line: bytes, number: int) -> None:
        """Take the line that begins a section; raises DataError where it may not stand there."""
        if head in REFUSED:
            raise refusal(self.path, number, f"begins the section {head}, which is not supported")
        self.section = head
        if head in PLAIN:
            if head in self.seen:
                raise refusal(self.path, number, f"begins the section {head} a second time")
            self.seen.add(head)
            if head != "ROWS":
                if "ROWS" not in self.seen:
                    raise refusal(self.path, number, f"begins the section {head} before ROWS")
                self.open(head)
        elif head == "NAME":
            self.name = line.strip()[4:].strip()
        elif head in KEPT:
            self.finish_columns()
            self.sections.append(line.rstrip() + b"\n")
        elif len(words) > 1:
            self.word(words[1], number)

    def word(self, word: bytes, number: int) -> None:
        """Take a line under OBJSENSE or OBJNAME, or the word behind it."""
        if self.section == "OBJNAME":
            self.objective_name = word
            return
        text = word.upper()
        if text in (b"MAX", b"MAXIMIZE", b"MAXIMISE", b"MIN", b"MINIMIZE", b"MINIMISE"):
            self.maximize = text.startswith(b"MAX")
            return
        what = word.decode("utf-8", "replace")
        raise refusal(self.path, number, f"has the objective sense '{what}', neither MAX nor MIN")

    def open(self, head: str) -> None:
        """Begin a section of PLAIN behind ROWS."""
        if self.row_table is None:
            self.row_table = self.rows.store.table(self.path, "row")
        if head == "COLUMNS":
            self.columns = ColumnReader(self.path, self.row_table, self.numbers)
            return
        count = self.rows.store.count
        if head == "RHS":
            self.rhs = SideReader(self.path, self.row_table, count, self.numbers, "right-hand side")
        elif head == "RANGES":
            self.ranges = SideReader(self.path, self.row_table, count, self.numbers, "range")
        self.finish_columns()

    def finish_columns(self) -> None:
        """Note that COLUMNS is over, if it began."""
        if self.col_table is None and self.columns is not None:
            self.col_table = self.columns.store.table(self.path, "column")
            integer = np.concatenate([np.zeros(0, bool), *self.columns.integer])
            self.bounds = BoundReader(self.path, self.col_table, integer, self.numbers)

    def lines(self, block: Bytes, low: int, high: int, first: int) -> None:
        """Take the whole lines in `block[low:high]`."""
        ends = np.flatnonzero(block[low:high] == 10) + low
        groups = split(block, low, high, ends, first)
        if groups:
            self.take(groups)

    def take(self, groups: list[Tokens]) -> None:
        """Take the lines of the section at hand, grouped by their number of words."""
        section, line = self.section, int(min(group.line[0] for group in groups))
        if section == "ROWS":
            for group in groups:
                self.rows.add(group)
        elif section == "COLUMNS" and self.columns:
            self.columns.add(groups)
            if self.columns.total > MAX_ENTRIES:
                raise refusal(self.path, line, f"is behind more than {MAX_ENTRIES} coefficients")
        elif section in ("RHS", "RANGES"):
            sides = self.rhs if section == "RHS" else self.ranges
            if sides:
                sides.add(groups)
        elif section == "BOUNDS":
            if not self.bounds:
                raise refusal(self.path, line, "is a bound before COLUMNS")
            self.bounds.add(groups)
        elif section == "OBJNAME" or section[:4] == "OBJS":
            self.word(groups[0].word(0, 0), line)
        else:
            what = (
                "stands before any section" if not section else f"stands in the section {section}"
            )
            raise refusal(self.path, line, what)

    def flat(self) -> Flat:
        """The model; raises DataError where the file ended too early."""
        if not self.done:
            raise DataError(f"{self.path.name}: there is no ENDATA line; the file is cut or no MPS")
        self.finish_columns()
        columns, bounds = self.columns, self.bounds
        if columns is None or bounds is None:
            raise DataError(f"{self.path.name}: there is no COLUMNS section; give a whole MPS file")
        bounds.close()
        rows, cols = self.rows.store.names(), columns.store.names()
        senses = np.concatenate([np.zeros(0, np.uint8), *self.rows.senses])
        goal = self._goal(senses)
        starts, row, value = in_place(self.path, columns, rows, cols)
        rhs, ranges = _given(self.rhs, len(rows)), _given(self.ranges, len(rows))
        rhs[np.isnan(rhs)] = 0.0
        objective, offset, goal_name = np.zeros(len(cols)), 0.0, b""
        if goal >= 0:
            mine = row == goal
            objective[np.repeat(np.arange(len(cols)), np.diff(starts))[mine]] = value[mine]
            starts = starts - np.searchsorted(np.flatnonzero(mine), starts)
            row, value = row[~mine], value[~mine]
            row = row - (row > goal).astype(row.dtype)
            offset, goal_name = 0.0 - float(rhs[goal]), rows[goal]
            rows = _without_name(rows, goal)
            senses, rhs, ranges = (np.delete(part, goal) for part in (senses, rhs, ranges))
        return Flat(
            name=self.name,
            maximize=self.maximize,
            objective_name=goal_name,
            objective=objective,
            offset=offset,
            cols=cols,
            lower=bounds.lower,
            upper=bounds.upper,
            types=bounds.integer.view(np.uint8) + 2 * bounds.semi.view(np.uint8),
            rows=rows,
            senses=senses,
            rhs=rhs,
            ranges=ranges,
            starts=starts,
            index=row.astype(np.int32, copy=False),
            value=value,
            sections=tuple(self.sections),
        )

    def _goal(self, senses: Bytes) -> int:
        """Which row is the objective; -1 if none."""
        free = np.flatnonzero(senses == FREE)
        if self.objective_name:
            table, wanted = self.row_table, np.array([hash_of(self.objective_name)])
            found = -1 if table is None else int(table.find(wanted)[0])
            if found < 0 or senses[found] != FREE:
                name = self.objective_name.decode("utf-8", "replace")
                raise DataError(f"{self.path.name}: no N row is called '{name}'; correct OBJNAME")
            return found
        return int(free[0]) if len(free) else -1


def _without(block: Bytes, comments: list[int]) -> Bytes:
    """The block with blanks in place of comments."""
    block = block.copy()
    for at in comments:
        block[at : at + len(_line(block, at))] = 32
    return block


def _line(block: Bytes, at: int) -> bytes:
    """The line that begins at a place, without its end."""
    short = block[at : at + 256].tobytes().partition(b"\n")
    return short[0] if short[1] else block[at:].tobytes().partition(b"\n")[0]


def _without_name(names: NameBuffer, k: int) -> NameBuffer:
    low, high = int(names.starts[k]), int(names.starts[k + 1])
    starts = np.concatenate([names.starts[:k], names.starts[k + 1 :] - (high - low)])
    return NameBuffer(np.delete(names.buffer, np.s_[low:high]), starts)


def in_place(
    path: Path, columns: ColumnReader, rows: NameBuffer, cols: NameBuffer
) -> tuple[Ints, NDArray[np.int32], Floats]:
    """The entries by column, then row; raises DataError where a coefficient stands twice."""
    col, row, value = _sorted(columns, len(rows))
    twice = np.flatnonzero((col[1:] == col[:-1]) & (row[1:] == row[:-1]))
    if len(twice):
        k = int(twice[0])
        names = cols.text(int(col[k])), rows.text(int(row[k]))
        line = _line_of(path, cols[int(col[k])], rows[int(row[k])])
        raise DataError(
            f"{path.name}: line {line} gives column "
            f"'{names[0]}' a second coefficient in row '{names[1]}'; correct the file"
        )
    starts = np.zeros(len(cols) + 1, np.int64)
    np.cumsum(np.bincount(col, minlength=len(cols)), out=starts[1:])
    return starts, row, value


def _sorted(columns: ColumnReader, m: int) -> tuple[Ints, NDArray[np.int32], Floats]:
    """The entries by column, then row."""
    col = np.concatenate([np.zeros(0, np.int32), *columns.col])
    row = np.concatenate([np.zeros(0, np.int32), *columns.row])
    value = np.concatenate([np.zeros(0), *columns.value])
    if bool(((row[1:] > row[:-1]) | (col[1:] > col[:-1])).all()):
        return col, row, value
    order = np.argsort(col.astype(np.int64) * m + row, kind="stable")
    return col[order], row[order], value[order]


def _line_of(path: Path, col: bytes, row: bytes) -> int:
    """The line on which a column names a row for the second time."""
    inside, found = False, 0
    for number, line in lines(path):
        if line[:1] not in (b" ", b"\t", b"*", b""):
            inside = line.split()[0] == b"COLUMNS" or (inside and len(line.split()) > 1)
        if not inside or not line.lstrip().startswith(col):
            continue
        found += line[line.find(col) + len(col) :].split()[::2].count(row)
        if found > 1:
            return number
    return 0


def _given(sides: SideReader | None, count: int) -> Floats:
    return sides.values if sides else np.full(count, np.nan)


_FIELDS = ((1, 3), (4, 12), (14, 22), (24, 36), (39, 47), (49, 61))
_BLANK = 0x1F
"""Stands for a blank within a name while the words are read; no text holds it."""


class FixedParser(Parser):
    """Feeds the words of the fields to the parser of the free format."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.batch: dict[int, list[tuple[list[bytes], int]]] = {}
        self.pending = 0

    def read(self, max_bytes: int) -> Flat:
        """Read the whole file; raises DataError as the free format does."""
        for number, line in lines(self.path, max_bytes):
            text = line.rstrip()
            if not text or text[:1] == b"*":
                continue
            if text[:1] not in (b" ", b"\t"):
                self._flush()
                words = text.split()
                self.header(words[0].decode("utf-8", "replace").upper(), words, text, number)
                if self.done:
                    break
            elif self.section in ("ROWS", "COLUMNS", "RHS", "RANGES", "BOUNDS"):
                words = self._words(text, number)
                self.batch.setdefault(len(words), []).append((words, number))
                self.pending += 1
                if self.pending > 10_000:
                    self._flush()
            elif self.sections and self.section not in ("NAME", "OBJNAME"):
                raise refusal(
                    self.path, number, f"stands in {self.section}, unknown in fixed format"
                )
            else:
                self.word(text.split()[0], number)
        self._flush()
        return self.flat()

    def _words(self, text: bytes, number: int) -> list[bytes]:
        if b"\t" in text:
            raise refusal(self.path, number, "holds a tab, so its fields are not known")
        fields = [text[low:high].strip() for low, high in _FIELDS]
        gaps = [text[3:4], text[12:14], text[22:24], text[36:39], text[47:49], text[61:]]
        if any(gap.strip() for gap in gaps):
            raise refusal(self.path, number, "has a word between the fields of the fixed format")
        if self.section == "ROWS":
            fields = fields[:2]
        elif self.section != "BOUNDS":
            fields = fields[1:]
        if self.section in ("RHS", "RANGES") and not fields[0]:
            fields[0] = b"RHS"
        while fields and not fields[-1]:
            fields.pop()
        if not all(fields):
            raise refusal(self.path, number, "leaves a field empty")
        return fields

    def _flush(self) -> None:
        groups = [_tokens(found) for _, found in sorted(self.batch.items())]
        self.batch, self.pending = {}, 0
        if groups:
            self.take(_shared(groups))


def _tokens(found: list[tuple[list[bytes], int]]) -> tuple[bytes, Tokens]:
    words = [word for line, _ in found for word in line]
    text = b"\n".join(words) + b"\n"
    lengths = np.array([len(word) for word in words])
    start = np.cumsum(lengths + 1) - lengths - 1
    shape = (len(found), len(found[0][0]))
    numbers = np.array([number for _, number in found])
    empty = np.zeros(0, np.uint8)
    return text, Tokens(empty, start.reshape(shape), (start + lengths).reshape(shape), numbers)


def _shared(groups: list[tuple[bytes, Tokens]]) -> list[Tokens]:
    """The groups over one padded text; places keep the order of lines within a group only."""
    pad = bytes(PAD)
    data = np.frombuffer(pad + b"".join(text for text, _ in groups) + pad, np.uint8)
    found, shift = [], PAD
    for text, tokens in groups:
        found.append(Tokens(data, tokens.start + shift, tokens.end + shift, tokens.line))
        shift += len(text)
    return found


MAX_FIXED = 1 << 26
"""Bytes of a file in fixed format with blanks in names, which is read line by line."""


def read_mps(path: Path | str, max_bytes: int = MAX_BYTES) -> Flat:
    """Read an MPS file (.gz, .xz and .bz2 too), as it stands: no number is changed.

    Raises DataError, in a sentence with the line's number, for whatever is not a whole model.
    Time and memory grow with the bytes that are there, never with what they declare.
    """
    path = Path(path)
    try:
        return _free(path, max_bytes)
    except UnreadableError:
        raise
    except DataError as error:
        try:
            return FixedParser(path).read(min(max_bytes, MAX_FIXED))
        except DataError:
            raise error from None


def _free(path: Path, max_bytes: int) -> Flat:
    parser = Parser(path)
    for block, first in blocks(path, max_bytes):
        parser.feed(block, first)
        if parser.done:
            break
    return parser.flat()
