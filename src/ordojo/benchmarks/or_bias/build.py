"""`ordojo build or-bias`: the sets of a seed as files, and what their critical ratios look like.

Scenarios are written one a line (`write`) and read back strictly (`read_instance`, `read_file`).
"""

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal

from ordojo.benchmarks.or_bias import sets
from ordojo.benchmarks.or_bias.distributions import IQR, Parameters
from ordojo.benchmarks.or_bias.schema import INSTANCES, READABLE, Scenario, check
from ordojo.benchmarks.or_bias.schema import make_instance as wrap
from ordojo.benchmarks.or_bias.sets import uniformity
from ordojo.core.building import Overwriting, setting
from ordojo.core.canonical import Json
from ordojo.core.errors import DataError, UsageError
from ordojo.core.instance import (
    Certificate,
    Instance,
    check_fields,
    check_texts,
    number_of,
    object_of,
    read_instances,
    write_instances,
)
from ordojo.core.outputs import named, whole_folder
from ordojo.core.ranges import COUNT, NumberRange
from ordojo.core.words import amount

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
    check_fields(problem, _FIELDS, "scenario")
    values = dict(problem)
    for name in _REAL:
        values[name] = number_of(name, problem[name])
    for name in _WHOLE:
        if isinstance(problem[name], bool) or not isinstance(problem[name], int):
            raise DataError(f"{name} is {problem[name]!r}, it must be a whole number")
    check_texts(problem, ("split", "level", "family", "distractor", "text"))
    values["parameters"] = _parameters(object_of(problem, "parameters"))
    pairs = problem["percentiles"]
    if not isinstance(pairs, list) or not all(isinstance(p, list) and len(p) == 2 for p in pairs):
        raise DataError("percentiles must be a list of pairs of share and quantile")
    values["percentiles"] = tuple(
        tuple(number_of("percentiles", x) for x in pair) for pair in pairs
    )
    return Scenario(**values)


def _parameters(found: Mapping[str, Any]) -> Parameters:
    return {
        name: tuple(number_of(name, x) for x in value)
        if isinstance(value, list)
        else number_of(name, value)
        for name, value in found.items()
    }


def read_file(path: Path, version: str) -> list[Instance[Scenario]]:
    """Every instance of a built file, in order; raises DataError with field and file:line."""
    return read_instances(path, "or-bias", lambda row: read_instance(row, version))


class ScenarioSettings(Overwriting):
    """Build newsvendor scenarios: the ID, OOD, evaluation and training sets, or N in one file.

    A name that ends in .jsonl is one file (ID and OOD without --n); any other is a folder.
    """

    example: ClassVar[str] = "ordojo build or-bias --n 500 --seed 1 -o scenarios.jsonl"
    doing: ClassVar[str] = "building scenarios of or-bias"
    out_is: ClassVar[str] = "FILE.jsonl or a folder."

    n: int | None = COUNT.field(None, "N scenarios of all levels, in one file.")
    family: Literal["normal", "lognormal", "gamma", "poisson", "empirical"] = setting(
        "normal", "The demand's distribution."
    )
    training: sets.Training = setting(
        "stages", "Critical ratios of the training set: by the paper's stages, or [0.3, 0.7]."
    )
    iqr: float | None = NumberRange(1.3, 1.4).field(
        None,
        "Interquartile range that turns percentiles into a deviation: exact, or the paper's 1.35.",
    )


def build(out: Path, settings: ScenarioSettings) -> Iterator[str]:
    """Write the files and yield a line on each of them, and on each level's critical ratios.

    `out` is a file if it ends in ".jsonl": n scenarios, or the ID and OOD sets. Any other is a
    folder, of the files id, ood, eval-id, eval-ood and train. Raises UsageError, DataError or
    GeneratorError.
    """
    seed, size, family = settings.seed, settings.n, settings.family
    deviation = IQR if settings.iqr is None else settings.iqr
    if size is not None:
        if out.suffix != ".jsonl":
            raise UsageError(f"{out} would be one file of {size}; give it a name ending in .jsonl")
        yield from _write(out, sets.pool(seed, size, family, deviation), sets.ID_RANGES)
        return
    inside = sets.id_set(seed, family, deviation)
    outside = sets.ood_set(seed, family, deviation)
    if out.suffix == ".jsonl":
        count = write(out, [*inside, *outside], INSTANCES)
        yield f"{out}: {amount(count, 'scenario')}"
        yield from _tests(inside, sets.ID_RANGES)
        yield from _tests(outside, sets.OOD_RANGES)
        return
    train = sets.curriculum(seed, family, deviation, settings.training)
    with whole_folder(out, keep=True) as folder:
        yield from _write(folder / "id.jsonl", inside, sets.ID_RANGES)
        yield from _write(folder / "ood.jsonl", outside, sets.OOD_RANGES)
        yield from _write(folder / "eval-id.jsonl", sets.eval_subset(inside), sets.ID_RANGES)
        yield from _write(folder / "eval-ood.jsonl", sets.eval_subset(outside), sets.OOD_RANGES)
        count = write(folder / "train.jsonl", train, INSTANCES)
    yield f"{out / 'train.jsonl'}: {amount(count, 'scenario')}"
    ranges = {f"stage {stage}": r for stage, r in sets.training_ranges(settings.training).items()}
    yield from _tests(train, ranges, lambda scenario: f"stage {scenario.stage}")


def _write(
    path: Path, scenarios: Sequence[Scenario], ranges: Mapping[str, sets.Ranges]
) -> Iterator[str]:
    count = write(path, scenarios, INSTANCES)
    yield f"{named(path)}: {amount(count, 'scenario')}"
    yield from _tests(scenarios, ranges)


def _tests(
    scenarios: Sequence[Scenario],
    ranges: Mapping[str, sets.Ranges],
    part_of: Callable[[Scenario], str] = lambda scenario: scenario.level,
) -> Iterator[str]:
    """Uniformity of each part; a range of single points is no matter for a test."""
    for part, wanted in ranges.items():
        ratios = [s.critical_ratio for s in scenarios if part_of(s) == part]
        spelt = " and ".join(f"[{low:g}, {high:g}]" for low, high in wanted)
        if wanted[0][0] == wanted[0][1]:
            points = " and ".join(
                f"{low:g} ({sum(abs(ratio - low) < 1e-9 for ratio in ratios)})" for low, _ in wanted
            )
            yield f"  {part}: critical ratios {points}"
        elif ratios:
            yield f"  {part}: critical ratios over {spelt}: {uniformity(ratios, wanted)}"
