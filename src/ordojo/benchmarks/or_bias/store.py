"""Instances in JSON Lines: writing, and strict reading."""

import dataclasses
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ordojo.benchmarks.or_bias.schema import READABLE, Parameters, Scenario
from ordojo.benchmarks.or_bias.schema import make_instance as wrap
from ordojo.benchmarks.or_bias.validity import check
from ordojo.core.canonical import Json
from ordojo.core.errors import DataError
from ordojo.core.instance import Certificate, Instance
from ordojo.datasets.instances import object_of, read_instances, to_row, write_instances

__all__ = ["read_file", "read_instance", "to_row", "write"]

_FIELDS = {field.name for field in dataclasses.fields(Scenario)}
_REAL, _WHOLE = ("price", "cost", "salvage", "iqr"), ("index", "stage")


def write(path: Path, scenarios: Iterable[Scenario], version: str) -> int:
    """Write one instance a line, all or nothing; returns how many. Raises DataError."""
    return write_instances(path, (wrap(scenario, version) for scenario in scenarios))


def read_instance(row: Mapping[str, Json], version: str) -> Instance[Scenario]:
    """The instance of a row; raises DataError, naming the field, where the row cannot be one.

    The certificate is taken as it stands: `verify` is what checks it.
    """
    if (found := row.get("version")) not in READABLE:
        raise DataError(f"version is {found!r}, this ordojo reads or-bias {' and '.join(READABLE)}")
    problem, certificate = object_of(row, "problem"), object_of(row, "certificate")
    scenario = _scenario(problem)
    check(scenario)
    instance = wrap(scenario, version)
    if row.get("id") != instance.id:
        raise DataError(f"id is {row.get('id')!r}, this scenario's is {instance.id}")
    stored = Certificate(str(certificate.get("kind")), object_of(certificate, "data"))
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
    values["parameters"] = _parameters(object_of(problem, "parameters"))
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


def read_file(path: Path, version: str) -> list[Instance[Scenario]]:
    """Every instance of a built file, in order; raises DataError with field and file:line."""
    return read_instances(path, "or-bias", lambda row: read_instance(row, version))
