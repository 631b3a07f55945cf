"""Tables as the texts of CSV files, and back."""

import csv
import io
from collections.abc import Mapping

from ordojo.core.errors import DataError
from ordojo.templates.spec import Column, Number, Tables


def csv_texts(tables: Tables) -> dict[str, str]:
    """By path (`data/NAME.csv`), the text of each table: a header, and a line for each row."""
    found = {}
    for name, columns in tables.items():
        rows = zip(*columns.values(), strict=True)
        lines = [",".join(columns), *(",".join(map(repr, row)) for row in rows)]
        found[f"data/{name}.csv"] = "\n".join(lines) + "\n"
    return found


def read_tables(texts: Mapping[str, str]) -> Tables:
    """The tables of such texts; raises DataError that names file and line."""
    found: Tables = {}
    for path, text in texts.items():
        reader = csv.reader(io.StringIO(text))
        names = next(reader, [])
        columns: list[Column] = [[] for _ in names]
        for line, row in enumerate(reader, 2):
            if len(row) != len(names):
                raise DataError(f"{path}:{line} has not as many values as columns; mend the file")
            for column, value in zip(columns, row, strict=True):
                column.append(_number(value, f"{path}:{line}"))
        name = path.removeprefix("data/").removesuffix(".csv")
        found[name] = dict(zip(names, columns, strict=True))
    return found


def _number(text: str, where: str) -> Number:
    try:
        return int(text) if text.lstrip("-").isdigit() else float(text)
    except ValueError:
        raise DataError(f"{where} has '{text}' where a number is needed; mend the file") from None
