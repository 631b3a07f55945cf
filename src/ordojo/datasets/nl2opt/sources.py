"""Reading the sources' JSON: one value, a list, or an object a line; faults have their place."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ordojo.core import files
from ordojo.core.errors import DataError
from ordojo.datasets.rows import json_lines

Record = dict[str, Any]


def read_text(path: Path) -> str:
    """A file's text; raises DataError."""
    try:
        return files.read_text(path).strip()
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror}; get the dataset again") from error
    except UnicodeDecodeError:
        raise DataError(f"{path} is not UTF-8; get the dataset again") from None


def read_json(path: Path) -> Any:
    """A file's one JSON value; raises DataError."""
    try:
        return files.parse_json(read_text(path))
    except ValueError as error:
        raise DataError(f"{path} is not whole JSON ({error}); get the dataset again") from None


def read_records(path: Path) -> Iterator[tuple[str, Record]]:
    """The objects of a JSON array, or one a line, each with its place; raises DataError.

    Some sources call JSON lines `.json`, so the content decides, not the name.
    """
    text = read_text(path)
    if text.startswith("["):
        values = [(f"{path}, item {number}", v) for number, v in enumerate(read_json(path), 1)]
    else:
        lines = json_lines(text, path, "get the dataset again")
        values = [(f"{path}:{number}", value) for number, value in lines]
    for where, value in values:
        if not isinstance(value, dict):
            raise DataError(f"{where} is not a JSON object; get the dataset again")
        yield where, value


def need(record: Record, key: str, where: str) -> Any:
    """The record's value for `key`; raises DataError if it has none."""
    if key not in record:
        raise DataError(f"{where} has no '{key}'; get the dataset again")
    return record[key]


def need_text(record: Record, key: str, where: str) -> str:
    """The record's text for `key`, without blanks around it; raises DataError if it has none."""
    value = need(record, key, where)
    if not isinstance(value, str) or not value.strip():
        raise DataError(f"{where} has a '{key}' that is not text; get the dataset again")
    return value.strip()


def labels_of(record: Record, **names: str) -> dict[str, str]:
    """Labels from those of the record's fields that it has: label=field."""
    return {label: str(record[key]) for label, key in names.items() if record.get(key) is not None}


def folders_in(path: Path) -> list[Path]:
    """The folders in a folder, `prob_2` before `prob_10`."""

    def natural(folder: Path) -> tuple[str, int, str]:
        head = folder.name.rstrip("0123456789")
        return (head, int(folder.name[len(head) :] or -1), folder.name)

    return sorted((child for child in path.iterdir() if child.is_dir()), key=natural)
