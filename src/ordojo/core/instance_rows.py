"""Built instances as rows of JSON: writing a file of them, all or nothing."""

import dataclasses
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ordojo.core.errors import DataError
from ordojo.core.instance import Instance
from ordojo.core.outputs import whole_file


def to_row(instance: Instance[Any]) -> dict[str, Any]:
    """An instance as plain JSON."""
    certificate, problem = instance.certificate, instance.problem
    return {
        "benchmark": instance.benchmark,
        "version": instance.version,
        "id": instance.id,
        "problem": {f.name: getattr(problem, f.name) for f in dataclasses.fields(problem)}
        if dataclasses.is_dataclass(problem)
        else problem,
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


def object_of(row: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """The object that a row has under a name; raises DataError."""
    if name not in row:
        raise DataError(f"lacks '{name}'")
    found: Any = row[name]
    if not isinstance(found, dict):
        raise DataError(f"{name} is {str(found)[:60]}, it must be an object")
    return found
