"""The instance: a frozen problem together with the evidence that its ground truth is true.

Built instances are written as rows of JSON, all or nothing; the fields of a stored problem are
checked where it is read.
"""

import dataclasses
import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar

from ordojo.core.canonical import Json, digest
from ordojo.core.errors import DataError
from ordojo.core.files import parse_file
from ordojo.core.outputs import whole_file

P = TypeVar("P")


@dataclass(frozen=True)
class Certificate:
    """Evidence for an instance's ground truth.

    `kind` names what it is ("answer-key", "solver", "iis", "closed-form"); `data` holds it, as
    JSON. A benchmark's `verify` checks it again from scratch.
    """

    kind: str
    data: Mapping[str, Json]


@dataclass(frozen=True)
class Instance(Generic[P]):
    """One item of a benchmark.

    `problem` is a frozen dataclass of the benchmark's own. Instances with one `cluster` are not
    independent (questions on one text), and intervals respect that. `labels` are the categories
    by which reports break results down.
    """

    id: str
    benchmark: str
    version: str
    problem: P
    certificate: Certificate
    cluster: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 over benchmark, problem and certificate: equal content, equal hash."""
        return digest([self.benchmark, self.problem, self.certificate])


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


def check_fields(problem: Mapping[str, Any], names: Collection[str], what: str) -> None:
    """Raise DataError unless a stored problem has exactly these fields; `what` it is, in words."""
    for name in sorted(set(names) - set(problem)):
        raise DataError(f"problem lacks '{name}'")
    for name in sorted(set(problem) - set(names)):
        raise DataError(f"problem has '{name}', which no {what} has")


def check_texts(problem: Mapping[str, Any], names: Iterable[str]) -> None:
    """Raise DataError unless these fields of a stored problem are texts."""
    for name in names:
        if not isinstance(problem[name], str):
            raise DataError(f"{name} is {problem[name]!r}, it must be text")


def number_of(name: str, value: object) -> float:
    """The number that a field holds; raises DataError."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise DataError(f"{name} is {value!r}, it must be a number")
    try:
        return float(value)
    except OverflowError:
        raise DataError(f"{name} is too large to be a number") from None
