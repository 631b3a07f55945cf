"""Partitions against the modellers' own, and round trips: `python -m perf.grouping FOLDER...`."""

import hashlib
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np

from ordojo.core.errors import DataError
from ordojo.structures import read_mps
from ordojo.structures.abstraction import Report, abstract, check, write
from ordojo.structures.arrays import numbered
from ordojo.structures.flat import Flat, Ints, flat_model, read_flat
from ordojo.structures.grouping import partition
from perf.problems import sample
from perf.score import CONDITIONS, adjusted_rand, mangled, nameless, relation, shuffled


@dataclass(frozen=True)
class Score:
    """One model under one condition: how groups and families lie to the truth, with their index."""

    model: str
    condition: str
    columns: str
    columns_index: float
    rows: str
    rows_index: float
    seconds: float


@dataclass(frozen=True)
class Known:
    """A model with the modeller's own statements: a number for each column and row."""

    model: str
    flat: Flat
    columns: Ints
    rows: Ints


def in_folder(folder: Path, models: Iterable[str] | None = None) -> Iterator[Known]:
    """The models of a folder with `truth/NAME.npz`; all by default."""
    for name in models or sorted(path.stem for path in (folder / "truth").glob("*.npz")):
        with np.load(folder / "truth" / f"{name}.npz") as truth:
            columns, rows = truth["column_group"], truth["row_group"]
        flat = read_mps(folder / f"{name}.mps.xz")
        yield Known(name, flat, columns.astype(np.int64), rows.astype(np.int64))


def in_library(count: int) -> Iterator[Known]:
    """So many problems of the library."""
    for built in sample(count, "small", 7):
        flat = flat_model(built.model)
        yield Known(built.model.name, flat, np.asarray(built.groups), np.asarray(built.families))


def scores(
    models: Iterable[Known], part: int | None = None, conditions: Iterable[str] = CONDITIONS
) -> list[Score]:
    """Score models under conditions; of one half only with `part`.

    Rows that the truth does not have (those of indicator constraints, at the end) are not scored.
    """
    kept = (one for one in models if part is None or half(one.model) == part)
    return [_score(one, condition) for one in kept for condition in conditions]


def _score(known: Known, condition: str) -> Score:
    flat, columns, rows = known.flat, known.columns, known.rows
    cols, places = np.arange(flat.n), np.arange(flat.m)
    if condition in ("cut", "packed"):
        flat = mangled(flat, condition)
    elif condition == "numbered":
        flat = nameless(flat, b"x%d", b"c%d")
    elif condition != "names":
        flat = nameless(flat)
    if condition == "shuffled":
        flat, cols, places = shuffled(flat, 1)
    begin = time.perf_counter()
    chosen = partition(flat)
    seconds = time.perf_counter() - begin
    groups, families = np.empty(flat.n, np.int64), np.empty(flat.m, np.int64)
    groups[cols], families[places] = chosen.groups, chosen.families
    families = numbered(families[: len(rows)])
    return Score(
        known.model,
        condition,
        relation(groups, columns),
        adjusted_rand(groups, columns),
        relation(families, rows),
        adjusted_rand(families, rows),
        seconds,
    )


def half(model: str) -> int:
    """The half of the models that one falls in, by its name: 0 to choose by, 1 to check with."""
    return hashlib.sha256(model.encode()).digest()[-1] % 2


def score_table(found: list[Score], halves: bool = False) -> str:
    """How many models are the same, finer, coarser, crossing; mean and median index; a line each.

    With `halves` each half of the models has its own lines behind those of all.
    """
    lines = ["condition  side     same finer coarser crossing  mean median ARI"]
    for part in (None, 0, 1) if halves else (None,):
        if part is not None:
            lines.append(f"half {part}")
        kept = [score for score in found if part is None or half(score.model) == part]
        for condition in CONDITIONS:
            mine = [score for score in kept if score.condition == condition]
            lines += [_score_line(condition, side, mine) for side in ("columns", "rows") if mine]
    return "\n".join(lines)


def _score_line(condition: str, side: str, mine: list[Score]) -> str:
    kinds = Counter(getattr(score, side) for score in mine)
    index = [getattr(score, f"{side}_index") for score in mine]
    counts = [kinds[kind] for kind in ("same", "finer", "coarser", "crossing")]
    return (
        f"{condition:10s} {side:8s} {counts[0]:4d} {counts[1]:5d} {counts[2]:7d} {counts[3]:8d}  "
        f"{np.mean(index):.3f}  {np.median(index):.3f}  "
        f"({counts[0] / len(mine):.0%} same of {len(mine)})"
    )


def round_trips(paths: Iterable[Path]) -> list[tuple[str, Report | str, float]]:
    """Each file read, abstracted, written and regenerated: a report or the refusal; seconds."""
    found: list[tuple[str, Report | str, float]] = []
    for path in paths:
        begin = time.perf_counter()
        report: Report | str
        try:
            flat = read_flat(path)
            with tempfile.TemporaryDirectory() as folder:
                write(abstract(flat), folder)
                report = check(folder, flat)
        except DataError as error:
            report = str(error)
        found.append((path.name, report, time.perf_counter() - begin))
    return found


def round_trip_table(found: list[tuple[str, Report | str, float]]) -> str:
    """A line for each file, and the sums."""
    head = f"{'file':32s} groups families closed tables residual compression seconds"
    lines = [head]
    exact = 0
    for name, report, seconds in found:
        if isinstance(report, str):
            lines.append(f"{name:32s} refused: {report}")
            continue
        exact += report.exact
        mark = "" if report.exact else "  NOT EXACT"
        lines.append(
            f"{name:32s} {report.groups:6d} {report.families:8d} {report.closed:6.2f} "
            f"{report.tabled:6.2f} {report.residual:8.2f} {report.compression:11.1f} "
            f"{seconds:7.2f}{mark}"
        )
    refused = sum(isinstance(report, str) for _, report, _ in found)
    lines.append(f"{exact} exact, {refused} refused, {len(found) - exact - refused} not exact")
    return "\n".join(lines)


def worst(found: list[Score], count: int) -> Iterator[str]:
    """The models with the lowest index over all conditions, and where they differ."""
    by_model: dict[str, list[Score]] = {}
    for score in found:
        by_model.setdefault(score.model, []).append(score)
    mean = {
        model: np.mean([[one.columns_index, one.rows_index] for one in mine])
        for model, mine in by_model.items()
    }
    for model in sorted(mean, key=mean.__getitem__)[:count]:
        told = (f"{one.condition} {one.columns}/{one.rows}" for one in by_model[model])
        yield f"{model:24s} {mean[model]:.2f}  {', '.join(told)}"


@click.command()
@click.argument("folders", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--library", type=click.IntRange(0), default=0, help="So many problems of it, too.")
@click.option("--half", "part", type=click.IntRange(0, 1), help="That half of each only.")
@click.option(
    "--condition", "conditions", multiple=True, type=click.Choice(CONDITIONS), default=CONDITIONS
)
@click.option("--worst", "count", type=click.IntRange(0), default=10, show_default=True)
def main(
    folders: tuple[Path, ...],
    library: int,
    part: int | None,
    conditions: tuple[str, ...],
    count: int,
) -> None:
    """How many models get the modellers' groups and families, by source and condition."""
    sources = [(folder.name, in_folder(folder)) for folder in folders]
    if library:
        sources.append(("library", in_library(library)))
    for name, models in sources:
        found = scores(models, part, conditions)
        click.echo(f"{name}\n{score_table(found)}\nthe worst")
        click.echo("\n".join(worst(found, count)))


if __name__ == "__main__":
    main()
