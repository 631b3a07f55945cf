"""Structure's figures: partitions against the modellers' own, and round trips, as tables."""

import hashlib
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ordojo.core.errors import DataError
from ordojo.structures import read_mps
from ordojo.structures.abstraction import Report, abstract, check, write
from ordojo.structures.arrays import numbered
from ordojo.structures.convert import read_flat
from ordojo.structures.flat import Flat, Ints
from ordojo.structures.grouping import partition
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


def scores(folder: Path, models: Iterable[str] | None = None, seed: int = 1) -> list[Score]:
    """Score models of a folder with `truth/NAME.npz` under all conditions; all by default.

    Rows that the truth does not have (those of indicator constraints, at the end) are not scored.
    """
    names = models or sorted(path.stem for path in (folder / "truth").glob("*.npz"))
    found = []
    for name in names:
        flat = read_mps(folder / f"{name}.mps.xz")
        with np.load(folder / "truth" / f"{name}.npz") as truth:
            columns, rows = truth["column_group"], truth["row_group"]
        for condition in CONDITIONS:
            parts = flat, columns.astype(np.int64), rows.astype(np.int64)
            found.append(_score(name, condition, *parts, seed))
    return found


def _score(name: str, condition: str, flat: Flat, columns: Ints, rows: Ints, seed: int) -> Score:
    cols, places = np.arange(flat.n), np.arange(flat.m)
    if condition == "mangled":
        flat = mangled(flat, hashlib.sha256(name.encode()).digest()[0])
    elif condition != "names":
        flat = nameless(flat)
    if condition == "shuffled":
        flat, cols, places = shuffled(flat, seed)
    begin = time.perf_counter()
    chosen = partition(flat)
    seconds = time.perf_counter() - begin
    groups, families = np.empty(flat.n, np.int64), np.empty(flat.m, np.int64)
    groups[cols], families[places] = chosen.groups, chosen.families
    families = numbered(families[: len(rows)])
    return Score(
        name,
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
