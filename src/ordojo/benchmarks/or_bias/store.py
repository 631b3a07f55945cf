"""Instances in JSON Lines: writing, and strict reading."""

import dataclasses
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ordojo.benchmarks.or_bias.schema import Parameters, Scenario
from ordojo.benchmarks.or_bias.schema import make_instance as wrap
from ordojo.benchmarks.or_bias.validity import check
from ordojo.core.canonical import Json
from ordojo.core.errors import DataError
from ordojo.core.instance import Certificate, Instance
from ordojo.datasets.rows import parse_file

_FIELDS = {field.name for field in dataclasses.fields(Scenario)}
_REAL, _WHOLE = ("price", "cost", "salvage", "iqr"), ("index", "stage")


def to_row(instance: Instance[Scenario]) -> dict[str, Any]:
    """An instance as plain JSON."""
    certificate = instance.certificate
    problem = {name: getattr(instance.problem, name) for name in _FIELDS}
    return {
        "benchmark": instance.benchmark,
        "version": instance.version,
        "id": instance.id,
        "problem": problem,
        "certificate": {"kind": certificate.kind, "data": dict(certificate.data)},
        "content_hash": instance.content_hash,
    }


def write(path: Path, scenarios: Iterable[Scenario], version: str) -> int:
    """Write one instance a line, all or nothing; returns how many. Raises DataError."""
    draft = path.with_name(path.name + ".tmp")
    count = 0
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with draft.open("w", encoding="utf-8", newline="\n") as file:
            for scenario in scenarios:
                row = to_row(wrap(scenario, version))
                file.write(json.dumps(row, ensure_ascii=False, sort_keys=True) + "\n")
                count += 1
        draft.replace(path)
    except OSError as error:
        raise DataError(f"cannot write {path}: {error.strerror}; choose another place") from error
    return count


def read_instance(row: Mapping[str, Json], version: str) -> Instance[Scenario]:
    """The instance of a row; raises DataError, naming the field, where the row cannot be one.

    The certificate is taken as it stands: `verify` is what checks it.
    """
    if row.get("version") != version:
        raise DataError(f"version is {row.get('version')!r}, this ordojo has or-bias {version}")
    problem, certificate = _object(row, "problem"), _object(row, "certificate")
    scenario = _scenario(problem)
    check(scenario)
    instance = wrap(scenario, version)
    if row.get("id") != instance.id:
        raise DataError(f"id is {row.get('id')!r}, this scenario's is {instance.id}")
    stored = Certificate(str(certificate.get("kind")), _object(certificate, "data"))
    return dataclasses.replace(instance, certificate=stored)


def _scenario(problem: Mapping[str, Any]) -> Scenario:
    for name in sorted(_FIELDS - set(problem)):
        raise DataError(f"problem lacks '{name}'")
    for name in sorted(set(problem) - _FIELDS):
        raise DataError(f"problem has '{name}', which no scenario has")
    values = dict(problem)
    for name in _REAL:
        values[name] = _real(name, problem[name])
    for name in _WHOLE:
        if isinstance(problem[name], bool) or not isinstance(problem[name], int):
            raise DataError(f"{name} is {problem[name]!r}, it must be a whole number")
    for name in ("split", "level", "family", "distractor", "text"):
        if not isinstance(problem[name], str):
            raise DataError(f"{name} is {problem[name]!r}, it must be text")
    values["parameters"] = _parameters(_object(problem, "parameters"))
    pairs = problem["percentiles"]
    if not isinstance(pairs, list) or not all(isinstance(p, list) and len(p) == 2 for p in pairs):
        raise DataError("percentiles must be a list of pairs of share and quantile")
    values["percentiles"] = tuple(tuple(_real("percentiles", x) for x in pair) for pair in pairs)
    return Scenario(**values)


def _parameters(found: Mapping[str, Any]) -> Parameters:
    return {
        name: tuple(_real(name, x) for x in value)
        if isinstance(value, list)
        else _real(name, value)
        for name, value in found.items()
    }


def _real(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise DataError(f"{name} is {value!r}, it must be a number")
    try:
        return float(value)
    except OverflowError:
        raise DataError(f"{name} is too large to be a number") from None


def _object(row: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    if name not in row:
        raise DataError(f"lacks '{name}'")
    found: Any = row[name]
    if not isinstance(found, dict):
        raise DataError(f"{name} is {found!r}, it must be an object")
    return found


def read_file(path: Path, version: str) -> list[Instance[Scenario]]:
    """Every instance of a built file, in order; raises DataError with field and file:line."""
    found: dict[str, Instance[Scenario]] = {}
    for where, row in parse_file(path):
        if row.get("benchmark") != "or-bias":
            raise DataError(f"{where}: benchmark is {row.get('benchmark')!r}, not 'or-bias'")
        try:
            instance = read_instance(row, version)
        except DataError as error:
            raise DataError(f"{where}: {error}") from None
        if instance.id in found:
            raise DataError(f"{where}: id {instance.id} stands in the file twice")
        found[instance.id] = instance
    return list(found.values())
