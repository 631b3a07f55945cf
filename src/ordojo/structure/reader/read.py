"""Reading an MPS file into arrays: free format, fixed where names hold blanks, packed or not."""

from pathlib import Path

import numpy as np

from ordojo.core.errors import DataError
from ordojo.structure.flat import Flat
from ordojo.structure.reader.assembly import assemble
from ordojo.structure.reader.columns import ColumnReader, RowReader
from ordojo.structure.reader.numbers import Numbers
from ordojo.structure.reader.sides import BoundReader, SideReader
from ordojo.structure.reader.stream import MAX_BYTES, PAD, blocks, refusal
from ordojo.structure.reader.table import Table
from ordojo.structure.reader.tokens import Tokens, split

PLAIN = ("ROWS", "COLUMNS", "RHS", "RANGES", "BOUNDS", "ENDATA")
KEPT = (
    *("SOS", "SOS1", "SOS2", "SETS", "INDICATORS", "QUADOBJ", "QMATRIX", "QSECTION"),
    *("QCMATRIX", "CSECTION", "PWLOBJ", "GENCONS", "SCENARIOS"),
)
REFUSED = ("LAZYCONS", "USERCUTS", "DELAYEDROWS", "MODELCUTS", "OBJECTIVE")
MAX_ENTRIES = 500_000_000
MAX_FIXED = 1 << 26
"""Bytes of a file in fixed format with blanks in names, which is read line by line."""


class Parser:
    """What is known after the lines so far; `feed` takes blocks, `flat` gives the model."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.section, self.name = "", b""
        self.maximize, self.objective_name = False, b""
        self.sections: list[bytes] = []
        self.seen: set[str] = set()
        self.numbers = Numbers()
        self.rows = RowReader(path)
        self.row_table: Table | None = None
        self.col_table: Table | None = None
        self.columns: ColumnReader | None = None
        self.rhs: SideReader | None = None
        self.ranges: SideReader | None = None
        self.bounds: BoundReader | None = None

    @property
    def done(self) -> bool:
        """Whether ENDATA was read."""
        return self.section == "ENDATA"

    def feed(self, block: np.ndarray[tuple[int], np.dtype[np.uint8]], first: int) -> None:
        """Take a padded block of whole lines, the first of which has the number `first`."""
        ends = np.flatnonzero(block[PAD:-PAD] == 10) + PAD
        starts = np.concatenate([[PAD], ends[:-1] + 1])
        lead = block[starts]
        comments = np.flatnonzero(lead == 42)
        if len(comments):
            block = block.copy()
            for k in comments.tolist():
                block[starts[k] : ends[k]] = 32
            lead = block[starts]
        low = 0
        for k in np.flatnonzero(lead > 32).tolist():
            line = block[starts[k] : ends[k]].tobytes()
            words = line.split()
            head = words[0].decode("utf-8", "replace").upper()
            if not self._is_header(head, len(words)):
                continue
            self._lines(block, starts, ends, low, k, first)
            self._header(head, words, line, first + k)
            low = k + 1
            if self.done:
                return
        self._lines(block, starts, ends, low, len(ends), first)

    def _is_header(self, head: str, words: int) -> bool:
        if head in PLAIN:
            return words == 1 or self.section not in ("RHS", "RANGES", "BOUNDS", "COLUMNS")
        if self.section in ("ROWS", "COLUMNS", "RHS", "RANGES", "BOUNDS"):
            return (head in KEPT and words <= 3) or (head in REFUSED and words == 1)
        return (
            head in (*KEPT, *REFUSED) or head[:4] == "OBJS" or head in ("NAME", "OBJNAME", "RANGES")
        )

    def _header(self, head: str, words: list[bytes], line: bytes, number: int) -> None:
        if head in REFUSED:
            raise refusal(self.path, number, f"begins the section {head}, which is not supported")
        self.section = head
        if head in PLAIN:
            if head in self.seen:
                raise refusal(self.path, number, f"begins the section {head} a second time")
            self.seen.add(head)
            self._open(head, number)
        elif head == "NAME":
            self.name = line.strip()[4:].strip()
        elif head in KEPT:
            self._finish_columns()
            self.sections.append(line.rstrip() + b"\n")
        elif len(words) > 1:
            self._word(words[1], number)

    def _word(self, word: bytes, number: int) -> None:
        """A line under OBJSENSE or OBJNAME, or behind it."""
        if self.section == "OBJNAME":
            self.objective_name = word
            return
        text = word.upper()
        if text in (b"MAX", b"MAXIMIZE", b"MAXIMISE", b"MIN", b"MINIMIZE", b"MINIMISE"):
            self.maximize = text.startswith(b"MAX")
            return
        what = word.decode("utf-8", "replace")
        raise refusal(self.path, number, f"has the objective sense '{what}', neither MAX nor MIN")

    def _open(self, head: str, number: int) -> None:
        if head == "ROWS":
            return
        if "ROWS" not in self.seen:
            raise refusal(self.path, number, f"begins the section {head} before ROWS")
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
        self._finish_columns()

    def _finish_columns(self) -> None:
        if self.col_table is None and self.columns is not None:
            self.col_table = self.columns.store.table(self.path, "column")
            integer = np.concatenate([np.zeros(0, bool), *self.columns.integer])
            self.bounds = BoundReader(self.path, self.col_table, integer, self.numbers)

    def _lines(
        self,
        block: np.ndarray[tuple[int], np.dtype[np.uint8]],
        starts: np.ndarray[tuple[int], np.dtype[np.int64]],
        ends: np.ndarray[tuple[int], np.dtype[np.int64]],
        low: int,
        high: int,
        first: int,
    ) -> None:
        if low >= high:
            return
        if self.section in KEPT:
            self.sections[-1] += block[starts[low] : ends[high - 1] + 1].tobytes()
            return
        begin, stop = int(starts[low]), int(ends[high - 1]) + 1
        groups = split(block, begin, stop, ends[low:high], first + low)
        if groups:
            self.take(groups)

    def take(self, groups: list[Tokens]) -> None:
        """Take the lines of the section at hand."""
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
            self._word(groups[0].word(0, 0), line)
        else:
            what = (
                "stands before any section" if not section else f"stands in the section {section}"
            )
            raise refusal(self.path, line, what)

    def flat(self) -> Flat:
        """The model; raises DataError where the file ended too early."""
        if not self.done:
            raise DataError(f"{self.path.name}: there is no ENDATA line; the file is cut or no MPS")
        self._finish_columns()
        return assemble(self)


def read_mps(path: Path | str, max_bytes: int = MAX_BYTES) -> Flat:
    """Read an MPS file (.gz, .xz and .bz2 too), as it stands: no number is changed.

    Raises DataError, in a sentence with the line's number, for whatever is not a whole model.
    Time and memory grow with the bytes that are there, never with what they declare.
    """
    path = Path(path)
    try:
        return _free(path, max_bytes)
    except DataError as error:
        from ordojo.structure.reader.fixed import FixedParser

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
