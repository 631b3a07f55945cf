"""Rows of JSONL and CSV files, each with its place, for errors to name."""

import csv
import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ordojo.core.errors import DataError, UsageError
from ordojo.core.files import parse_json, read_bytes
from ordojo.core.words import amount

Row = dict[str, Any]


def parse_file(path: Path, name: str = "") -> list[tuple[str, Row]]:
    """Every row of a file with its "file:line"; the suffix of `name`, or of `path`, tells how.

    Raises DataError for a file that cannot be read, decoded or parsed, or has no rows, and
    UsageError for one that is neither JSONL nor CSV.
    """
    suffix = Path(name or path.name).suffix.lower()
    if suffix not in PARSERS:
        raise UsageError(f"{path} is neither a .jsonl nor a .csv file; convert it to one of them")
    try:
        data = read_bytes(path)
    except FileNotFoundError:
        raise DataError(f"there is no file {path}; check the path") from None
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror}; check its permissions") from error
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DataError(f"{path}:{line} is not UTF-8; save the file as UTF-8") from None
    rows = [(f"{path}:{line}", row) for line, row in PARSERS[suffix](text, path)]
    if not rows:
        raise DataError(f"{path} has no rows; give a file with at least one item")
    return rows


def json_lines(text: str, path: Path, advice: str) -> Iterator[tuple[int, Any]]:
    """The value of each line with its number; raises DataError, with the advice, for a torn one."""
    # Not splitlines: JSON texts may hold U+2028 and its like.
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield number, parse_json(line)
            except ValueError as error:
                raise DataError(
                    f"{path}:{number} is not a whole JSON object ({error}); {advice}"
                ) from None


def _parse_jsonl(text: str, path: Path) -> Iterator[tuple[int, Row]]:
    for number, row in json_lines(text, path, "the file may be cut off there: get it again"):
        if not isinstance(row, dict):
            raise DataError(f"{path}:{number} is not a JSON object; give one object a line")
        yield number, row


def _parse_csv(text: str, path: Path) -> Iterator[tuple[int, Row]]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    header: list[str] | None = None
    number = 1
    try:
        for cells in reader:
            if header is None:
                header = cells
            elif cells and len(cells) != len(header):
                raise DataError(
                    f"{path}:{number} has {amount(len(cells), 'cell')} where the header has "
                    f"{len(header)}; check its quotes and commas"
                )
            elif cells:
                yield number, dict(zip(header, cells, strict=True))
            number = reader.line_num + 1
    except csv.Error as error:
        raise DataError(
            f"{path}:{number} is not valid CSV ({error}); check its quotes and commas"
        ) from None


PARSERS: dict[str, Callable[[str, Path], Iterator[tuple[int, Row]]]] = {
    ".jsonl": _parse_jsonl,
    ".csv": _parse_csv,
}
