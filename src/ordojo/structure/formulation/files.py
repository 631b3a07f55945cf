"""The tables of a formulation as CSV files."""

import csv
import io

import numpy as np

from ordojo.structure.abstraction.tables import Array
from ordojo.structure.formulation.spec import Formulation, Table
from ordojo.structure.formulation.text import shortest


def data_files(formulation: Formulation) -> dict[str, str]:
    """Every file that the formulation names, with its text; numbers read back to the same bits.

    `data/sets.csv` has the first and last member of each set of numbers, `data/parameters.csv` the
    scalars, every other file the tuples of one table with its columns.
    """
    found = {}
    dense = [one for one in formulation.sets if one.first is not None]
    if dense:
        rows = [[one.name, str(one.first), str(one.last)] for one in dense]
        found["data/sets.csv"] = _text(["set", "first", "last"], rows)
    scalars = [one for one in formulation.parameters if one.value is not None]
    lines = [[one.name, shortest(one.value or 0.0)] for one in scalars]
    if formulation.offset:
        lines.append(["offset", shortest(formulation.offset)])
    if lines:
        found["data/parameters.csv"] = _text(["name", "value"], lines)
    for table in formulation.tables:
        if table.columns or len(table.keys) > 1 or _listed(formulation, table):
            found[table.file] = _table(formulation, table)
    return found


def _listed(formulation: Formulation, table: Table) -> bool:
    return any(one.name == table.name and one.first is None for one in formulation.sets)


def _table(f: Formulation, table: Table) -> str:
    words = {one.name: one.words for one in f.sets}
    arrays = f.arrays[table.name]
    columns = [
        _column(f, arrays[key], words[one]) for key, one in zip(table.keys, table.sets, strict=True)
    ]
    columns += [_column(f, arrays[name], arrays[name].dtype == np.uint32) for name in table.columns]
    head = [*table.keys, *table.columns]
    return _text(head, [list(row) for row in zip(*columns, strict=True)])


def _column(f: Formulation, values: Array, words: bool) -> list[str]:
    if words:
        return [f.symbols[k] for k in values.tolist()]
    if values.dtype.kind == "f":
        return [shortest(value) for value in values.tolist()]
    return [str(value) for value in values.tolist()]


def _text(head: list[str], rows: list[list[str]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return out.getvalue()
