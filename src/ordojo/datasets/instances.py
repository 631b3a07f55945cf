"""Files of built instances, one a line: writing them all or nothing, reading them strictly."""

import dataclasses
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from ordojo.core.canonical import Json
from ordojo.core.errors import DataError
from ordojo.core.instance import Instance
from ordojo.core.outputs import whole_file
from ordojo.datasets.rows import parse_file

P = TypeVar("P")


def to_row(instance: Instance[Any]) -> dict[str, Any]:
    """An instance as plain JSON."""
    certificate, problem = instance.certificate, instance.problem
    return {
        "benchmark": instance.benchmark,
        "version": instance.version,
        "id": instance.id,
        "problem": {f.name: getattr(problem, f.name) for f in dataclasses.fields(problem)},
        "certificate": {"kind": certificate.kind, "data": dict(certificate.data)},
        "content_hash": instance.content_hash,
    }


def write_instances(path: Path, instances: Iterable[Instance[Any]]) -> int:
    """Write one instance a line, all or nothing; returns how many. Raises DataError."""
    count = 0
    with whole_file(path) as draft, draft.open("w", encoding="utf-8", newline="\n") as file:
        for instance in instances:
            file.write(json.dumps(to_row(instance), ensure_ascii=False, sort_keys=True) + "\n")
            count += 1
    return count


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


def object_of(row: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """The object that a row has under a name; raises DataError."""
    if name not in row:
        raise DataError(f"lacks '{name}'")
    found: Any = row[name]
    if not isinstance(found, dict):
        raise DataError(f"{name} is {str(found)[:60]}, it must be an object")
    return found
