"""Reading the sections with numpy, many lines at once; every refusal has its words here."""

from pathlib import Path

import numpy as np

from ordojo.core.errors import DataError
from ordojo.structure.flat import FREE, Bytes, Flat, Floats
from ordojo.structure.reader.assembly import Pieces, assemble, in_place
from ordojo.structure.reader.columns import ColumnReader, RowReader
from ordojo.structure.reader.numbers import Numbers
from ordojo.structure.reader.outline import Outline
from ordojo.structure.reader.sides import BoundReader, SideReader
from ordojo.structure.reader.stream import refusal
from ordojo.structure.reader.table import Table
from ordojo.structure.reader.tokens import Tokens, hash_of, split

MAX_ENTRIES = 500_000_000


class Parser(Outline):
    """The reader that needs nothing but numpy."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.numbers = Numbers()
        self.rows = RowReader(path)
        self.row_table: Table | None = None
        self.col_table: Table | None = None
        self.columns: ColumnReader | None = None
        self.rhs: SideReader | None = None
        self.ranges: SideReader | None = None
        self.bounds: BoundReader | None = None

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
        self.whole()
        self.finish_columns()
        columns, bounds = self.columns, self.bounds
        if columns is None or bounds is None:
            raise DataError(f"{self.path.name}: there is no COLUMNS section; give a whole MPS file")
        bounds.close()
        rows, cols = self.rows.store.names(), columns.store.names()
        senses = np.concatenate([np.zeros(0, np.uint8), *self.rows.senses])
        goal = self._goal(senses)
        entries = in_place(self.path, columns, rows, cols)
        return assemble(
            self,
            Pieces(
                rows,
                senses,
                _said(self.rhs, len(rows)),
                _said(self.ranges, len(rows)),
                goal,
                cols,
                bounds.lower,
                bounds.upper,
                bounds.integer,
                bounds.semi,
                *entries,
            ),
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


def _said(sides: SideReader | None, count: int) -> Floats:
    return sides.values if sides else np.full(count, np.nan)
