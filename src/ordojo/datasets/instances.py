"""Files of built instances, one a line, read strictly."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TypeVar

from ordojo.core.canonical import Json
from ordojo.core.errors import DataError
from ordojo.core.instance import Instance
from ordojo.datasets.rows import parse_file

P = TypeVar("P")


def read_instances(
    path: Path, benchmark: str, read: Callable[[Mapping[str, Json]], Instance[P]]
) -> list[Instance[P]]:
    """Every instance of a built file, in order; raises DataError with field and file:line."""
    return collect(parse_file(path), benchmark, read)


def collect(
    rows: Iterable[tuple[str, Mapping[str, Json]]],
    benchmark: str,
    read: Callable[[Mapping[str, Json]], Instance[P]],
) -> list[Instance[P]]:
    """The instances of rows, each with the place that errors name; raises DataError."""
    found: dict[str, Instance[P]] = {}
    for where, row in rows:
        if row.get("benchmark") != benchmark:
            raise DataError(f"{where}: benchmark is {row.get('benchmark')!r}, not '{benchmark}'")
        try:
            instance = read(row)
        except DataError as error:
            raise DataError(f"{where}: {error}") from None
        if instance.id in found:
            raise DataError(f"{where}: id {instance.id} stands in the file twice")
        found[instance.id] = instance
    return list(found.values())
