"""`ordojo build or-bias`: the sets of a seed as files, and what their critical ratios look like."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from ordojo.benchmarks.or_bias import sets
from ordojo.benchmarks.or_bias.percentiles import IQR
from ordojo.benchmarks.or_bias.schema import VERSION, Scenario
from ordojo.benchmarks.or_bias.store import write
from ordojo.benchmarks.or_bias.uniformity import uniformity
from ordojo.core.errors import UsageError


def build(
    out: Path,
    seed: int,
    size: int | None = None,
    family: str = "normal",
    training: sets.Training = "stages",
    iqr: float | None = None,
) -> Iterator[str]:
    """Write the files and yield a line on each of them, and on each level's critical ratios.

    `out` is a file if it ends in ".jsonl": `size` scenarios, or the ID and OOD sets. Any other
    is a folder, of the files id, ood, eval-id, eval-ood and train. Raises UsageError, DataError
    or GeneratorError.
    """
    deviation = IQR if iqr is None else iqr
    if size is not None:
        if out.suffix != ".jsonl":
            raise UsageError(f"{out} would be one file of {size}; give it a name ending in .jsonl")
        yield from _write(out, sets.pool(seed, size, family, deviation), sets.ID_RANGES)
        return
    inside = sets.id_set(seed, family, deviation)
    outside = sets.ood_set(seed, family, deviation)
    if out.suffix == ".jsonl":
        count = write(out, [*inside, *outside], VERSION)
        yield f"{out}: {count} scenarios"
        yield from _tests(inside, sets.ID_RANGES)
        yield from _tests(outside, sets.OOD_RANGES)
        return
    yield from _write(out / "id.jsonl", inside, sets.ID_RANGES)
    yield from _write(out / "ood.jsonl", outside, sets.OOD_RANGES)
    yield from _write(out / "eval-id.jsonl", sets.eval_subset(inside), sets.ID_RANGES)
    yield from _write(out / "eval-ood.jsonl", sets.eval_subset(outside), sets.OOD_RANGES)
    train = sets.curriculum(seed, family, deviation, training)
    yield f"{out / 'train.jsonl'}: {write(out / 'train.jsonl', train, VERSION)} scenarios"
    ranges = {f"stage {stage}": r for stage, r in sets.training_ranges(training).items()}
    yield from _tests(train, ranges, lambda scenario: f"stage {scenario.stage}")


def _write(
    path: Path, scenarios: Sequence[Scenario], ranges: Mapping[str, sets.Ranges]
) -> Iterator[str]:
    yield f"{path}: {write(path, scenarios, VERSION)} scenarios"
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
