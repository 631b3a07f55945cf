"""The tables of a declaration as CSV files, and such files as tables again.

Every table is `data/NAME.csv`, a header and a line for each row, but for two: `data/sets.csv` has
the first and last member of each set of numbers, `data/parameters.csv` the scalars by name.
"""

import csv
import io
from collections.abc import Iterable, Mapping

from ordojo.core.errors import DataError
from ordojo.formulation.spec import PARAMETERS, SETS, Column, Number, Spec, Tables


def shortest(value: float) -> str:
    """The shortest text that Python reads as the same number: `3`, `0.1`, `-0.0`, `1e+30`."""
    value = float(value)
    text = repr(value)
    return text[:-2] if text.endswith(".0") and text != "-0.0" else text


def csv_texts(spec: Spec, tables: Tables) -> dict[str, str]:
    """The text of each file by its path; numbers read back to the same bits.

    A table of keys alone is one where a set is read from it.
    """
    rows = dict(tables)
    found = {}
    if ends := rows.pop(SETS, None):
        lines = [[name, *map(str, both)] for name, both in ends.items()]
        found[f"data/{SETS}.csv"] = _csv(["set", "first", "last"], lines)
    if scalars := rows.pop(PARAMETERS, None):
        lines = [[name, _text(value)] for name, (value,) in scalars.items()]
        found[f"data/{PARAMETERS}.csv"] = _csv(["name", "value"], lines)
    listed = {one.table for one in spec.sets}
    for table, columns in rows.items():
        if len(columns) > 1 or table in listed:
            texts = [[_text(value) for value in values] for values in columns.values()]
            found[f"data/{table}.csv"] = _csv([*columns], map(list, zip(*texts, strict=True)))
    return found


def _text(value: object) -> str:
    return shortest(value) if isinstance(value, float) else str(value)


def _csv(head: list[str], rows: Iterable[list[str]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return out.getvalue()


def read_tables(texts: Mapping[str, str]) -> Tables:
    """The tables of such texts, whose values are numbers; raises DataError with file and line.

    Scalars are also read as ordojo wrote them until November 2026: in one row, under their names.
    """
    found: Tables = {}
    for path, text in texts.items():
        reader = csv.reader(io.StringIO(text))
        names = next(reader, [])
        table = path.removeprefix("data/").removesuffix(".csv")
        named = table == PARAMETERS and names == ["name", "value"]
        columns: dict[str, Column] = {} if named else {name: [] for name in names}
        for line, row in enumerate(reader, 2):
            where = f"{path}:{line}"
            if len(row) != len(names):
                raise DataError(f"{where} has not as many values as columns; mend the file")
            for name, value in [row] if named else zip(names, row, strict=True):
                columns.setdefault(name, []).append(_number(value, where))
        found[table] = columns
    return found


def _number(text: str, where: str) -> Number:
    try:
        return int(text) if text.lstrip("-").isdigit() else float(text)
    except ValueError:
        raise DataError(f"{where} has '{text}' where a number is needed; mend the file") from None
