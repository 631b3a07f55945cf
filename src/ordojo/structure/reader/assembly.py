"""From what the sections said to one model: order, duplicates, the objective row apart."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ordojo.core.errors import DataError
from ordojo.structure.flat import FREE, Flat, Floats, Ints
from ordojo.structure.reader.columns import ColumnReader
from ordojo.structure.reader.stream import lines
from ordojo.structure.reader.tokens import hash_of

if TYPE_CHECKING:
    from ordojo.structure.reader.read import Parser


def assemble(parser: "Parser") -> Flat:
    """Make the model; raises DataError where a coefficient stands twice."""
    columns, bounds = parser.columns, parser.bounds
    if columns is None or bounds is None:
        raise DataError(f"{parser.path.name}: there is no COLUMNS section; give a whole MPS file")
    rows, cols = parser.rows.store.names(), columns.store.names()
    n, m = len(cols), len(rows)
    bounds.close()
    senses = np.concatenate([np.zeros(0, np.uint8), *parser.rows.senses])
    goal = _objective(parser, senses)
    col, row, value = _sorted(columns, m)
    twice = np.flatnonzero((col[1:] == col[:-1]) & (row[1:] == row[:-1]))
    if len(twice):
        k = int(twice[0])
        names = cols.text(int(col[k])), rows.text(int(row[k]))
        line = _line_of(parser.path, cols[int(col[k])], rows[int(row[k])])
        raise DataError(
            f"{parser.path.name}: line {line} gives column "
            f"'{names[0]}' a second coefficient in row '{names[1]}'; correct the file"
        )
    rhs = parser.rhs.values if parser.rhs else np.full(m, np.nan)
    ranges = parser.ranges.values if parser.ranges else np.full(m, np.nan)
    rhs = np.where(np.isnan(rhs), 0.0, rhs)
    objective, offset, name = np.zeros(n), 0.0, b""
    if goal >= 0:
        mine = row == goal
        objective[col[mine]] = value[mine]
        offset, name = 0.0 - float(rhs[goal]), rows[goal]
        col, row, value = col[~mine], row[~mine], value[~mine]
        row = row - (row > goal).astype(row.dtype)
        kept = np.delete(np.arange(m), goal)
        rows, senses, rhs, ranges = rows.take(kept), senses[kept], rhs[kept], ranges[kept]
    return Flat(
        name=parser.name,
        maximize=parser.maximize,
        objective_name=name,
        objective=objective,
        offset=offset,
        cols=cols,
        lower=bounds.lower,
        upper=bounds.upper,
        types=(bounds.integer + 2 * bounds.semi).astype(np.uint8),
        rows=rows,
        senses=senses,
        rhs=rhs,
        ranges=ranges,
        starts=np.concatenate([[0], np.cumsum(np.bincount(col, minlength=n))]).astype(np.int64),
        index=row.astype(np.int32),
        value=value,
        sections=tuple(parser.sections),
    )


def _objective(parser: "Parser", senses: np.ndarray[tuple[int], np.dtype[np.uint8]]) -> int:
    free = np.flatnonzero(senses == FREE)
    if parser.objective_name:
        table, wanted = parser.row_table, np.array([hash_of(parser.objective_name)])
        found = -1 if table is None else int(table.find(wanted)[0])
        if found < 0 or senses[found] != FREE:
            name = parser.objective_name.decode("utf-8", "replace")
            raise DataError(f"{parser.path.name}: no N row is called '{name}'; correct OBJNAME")
        return found
    return int(free[0]) if len(free) else -1


def _sorted(columns: ColumnReader, m: int) -> tuple[Ints, Ints, Floats]:
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
