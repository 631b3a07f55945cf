"""From what the sections said to one model: order, duplicates, the objective row apart."""

from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ordojo.core.errors import DataError
from ordojo.structure.flat import Bytes, Flat, Floats, Ints, Names
from ordojo.structure.reader.columns import ColumnReader
from ordojo.structure.reader.outline import Outline
from ordojo.structure.reader.stream import lines

Mask = NDArray[np.bool_]
T = TypeVar("T", bound=np.generic)


class Pieces(NamedTuple):
    """Rows with their numbers (NaN: none given), columns, and entries by column and then row.

    Row `goal` is the objective (-1: none). Column c's entries begin at `starts[c]`.
    """

    rows: Names
    senses: Bytes
    rhs: Floats
    ranges: Floats
    goal: int
    cols: Names
    lower: Floats
    upper: Floats
    integer: Mask
    semi: Mask
    starts: Ints
    row: NDArray[np.int32]
    value: Floats
    objective: Floats | None = None
    """The objective's coefficients, where the entries hold them no more."""


def assemble(outline: Outline, pieces: Pieces) -> Flat:
    """Make the model."""
    rows, senses, rhs, ranges = pieces.rows, pieces.senses, pieces.rhs, pieces.ranges
    row, value, starts, goal = pieces.row, pieces.value, pieces.starts, pieces.goal
    rhs = np.where(np.isnan(rhs), 0.0, rhs)
    objective = np.zeros(len(pieces.cols)) if pieces.objective is None else pieces.objective
    offset, name = 0.0, b""
    if goal >= 0:
        if pieces.objective is None:
            mine = row == goal
            col = np.repeat(np.arange(len(objective)), np.diff(starts))
            objective[col[mine]] = value[mine]
            starts = starts - np.searchsorted(np.flatnonzero(mine), starts)
            row, value = row[~mine], value[~mine]
            row = row - (row > goal).astype(row.dtype)
        offset, name = 0.0 - float(rhs[goal]), rows[goal]
        rows, senses = _without_name(rows, goal), _without(senses, goal)
        rhs, ranges = _without(rhs, goal), _without(ranges, goal)
    return Flat(
        name=outline.name,
        maximize=outline.maximize,
        objective_name=name,
        objective=objective,
        offset=offset,
        cols=pieces.cols,
        lower=pieces.lower,
        upper=pieces.upper,
        types=pieces.integer.view(np.uint8) + 2 * pieces.semi.view(np.uint8),
        rows=rows,
        senses=senses,
        rhs=rhs,
        ranges=ranges,
        starts=starts,
        index=row.astype(np.int32, copy=False),
        value=value,
        sections=tuple(outline.sections),
    )


def _without(array: NDArray[T], k: int) -> NDArray[T]:
    """The array without place k; nothing is copied where that is the first."""
    return np.concatenate([array[:k], array[k + 1 :]]) if k else array[1:]


def _without_name(names: Names, k: int) -> Names:
    low, high = int(names.starts[k]), int(names.starts[k + 1])
    buffer = names.buffer
    return Names(
        np.concatenate([buffer[:low], buffer[high:]]) if k else buffer[high:],
        np.concatenate([names.starts[:k], names.starts[k + 1 :] - (high - low)]),
    )


def in_place(
    path: Path, columns: ColumnReader, rows: Names, cols: Names
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
