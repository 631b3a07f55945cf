"""Debugging instances in JSON Lines: writing, strict reading, and the files that come along."""

import dataclasses
import gzip
import json
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from ordojo.benchmarks.or_debug.recipe import check_recipe, is_recipe
from ordojo.benchmarks.or_debug.schema import (
    NATURAL,
    READABLE,
    SEVERAL,
    SILENT,
    TYPES,
    Debugging,
    make_instance,
)
from ordojo.core.canonical import Json, digest
from ordojo.core.errors import DataError
from ordojo.core.instance import (
    Certificate,
    Instance,
    check_fields,
    check_texts,
    collect,
    number_of,
    object_of,
    read_instances,
)

LIBRARY = "library"
"""Where worked examples and retrieved cases come from, and what adversaries are fitted on: the
first twenty of each type of the train split of seed 0, as `generate` makes them."""

_FIELDS = {field.name for field in dataclasses.fields(Debugging)}
_TEXT = ("split", "type", "family", "text", "method")
_WHOLE = ("index", "regenerations")
_NAMES = ("targets", "fix", "iis_rows", "iis_bounds")
_MODELS = ("original", "sabotaged")


def content_key(problem: Debugging) -> str:
    """A digest of what is asked, text and sabotaged model: equal for the same item anywhere."""
    return digest([problem.text, problem.sabotaged])


def read_instance(row: Mapping[str, Json]) -> Instance[Debugging]:
    """The instance of a row; raises DataError, naming the field, where the row cannot be one.

    The certificate is taken as it stands: `certificate.verify` is what checks it.
    """
    if (version := row.get("version")) not in READABLE:
        raise DataError(f"version is {version!r}, this ordojo reads or-debug {', '.join(READABLE)}")
    problem = _problem(object_of(row, "problem"))
    certificate = object_of(row, "certificate")
    data = object_of(certificate, "data")
    solvers = object_of(data, "solvers")
    found = object_of(data, "found") if "found" in data else None
    named = {name: str(value) for name, value in solvers.items()}
    instance = make_instance(problem, named, found, str(version))
    if row.get("id") != instance.id:
        raise DataError(f"id is {row.get('id')!r}, this problem's is {instance.id}")
    stored = Certificate(str(certificate.get("kind")), data)
    return dataclasses.replace(instance, certificate=stored)


def read_text(lines: Iterable[str]) -> list[Instance[Debugging]]:
    """Every instance of JSON lines, in order; raises DataError with field and line."""
    return collect(_parsed(lines), "or-debug", read_instance)


def shipped(name: str) -> list[str]:
    """The lines of a set that comes with ordojo. Raises DataError where its file is damaged."""
    file = files("ordojo.benchmarks.or_debug").joinpath(f"data/{name}.jsonl.gz")
    try:
        return gzip.decompress(file.read_bytes()).decode("utf-8").splitlines()
    except (OSError, EOFError) as error:
        raise DataError(f"the set {name} is damaged ({error}); install ordojo again") from None


def read_file(path: Path) -> list[Instance[Debugging]]:
    """Every instance of a built file, in order; raises DataError with field and file:line."""
    return read_instances(path, "or-debug", read_instance)


def _parsed(lines: Iterable[str]) -> Iterator[tuple[str, Mapping[str, Json]]]:
    for place, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            raise DataError(f"line {place}: not JSON; build the file again") from None
        if not isinstance(row, dict):
            raise DataError(f"line {place}: not an object; build the file again")
        yield f"line {place}", row


def _problem(given: Mapping[str, Any]) -> Debugging:
    check_fields(given, _FIELDS, "debugging problem")
    check_texts(given, _TEXT)
    values = dict(given)
    if given["type"] not in (*TYPES, SEVERAL, NATURAL, *SILENT):
        known = ", ".join((*TYPES, *SILENT))
        raise DataError(f"type is {given['type']!r}, it must be one of {known}")
    for name in _WHOLE:
        value = given[name]
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise DataError(f"{name} is {value!r}, it must be a whole number, 0 or more")
    values["objective"] = number_of("objective", given["objective"])
    for name in _NAMES:
        names = given[name]
        if not isinstance(names, list) or not all(isinstance(text, str) for text in names):
            raise DataError(f"{name} must be a list of texts")
        values[name] = tuple(names)
    for name in _MODELS:
        object_of(given, name)
    problem = Debugging(**values)
    if is_recipe(given["original"]):
        _check_recipes(problem)
        return problem
    for name in _MODELS:
        if name == "original" and not given[name]:
            continue  # it is not known
        try:
            _ = problem.original_model if name == "original" else problem.model
        except DataError as error:
            raise DataError(f"{name}: {error}") from None
    return problem


def _check_recipes(problem: Debugging) -> None:
    """What can be said of a recipe without making its models, which takes seconds."""
    check_recipe(problem.original)
    rest = {name: value for name, value in problem.sabotaged.items() if name != "error"}
    if rest != problem.original or len(rest) == len(problem.sabotaged):
        raise DataError("sabotaged: not the original's recipe with an error")
    check_recipe(problem.sabotaged)
