"""Training runs in a report: what each step, epoch and look at held-out instances came to."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from ordojo.core.errors import RunError
from ordojo.core.files import parse_json, read_text
from ordojo.core.panels import Cell, Panel, Plot, Table
from ordojo.core.registry import benchmark_names, get_benchmark
from ordojo.core.statistics import Estimate
from ordojo.evaluation.runs import sound
from ordojo.training import HELD_OUT
from ordojo.training.models.session import METRICS, SUMMARY, read_metrics

Rows = Sequence[Mapping[str, float]]

POINTS = 80
"""A curve of more steps is drawn by the means of as many equal parts."""

VALIDATION = "validation-"

CURVES = (
    ("loss", "loss"),
    ("reward", "mean reward"),
    ("kl", "KL"),
    ("entropy", "entropy"),
    ("accuracy", "token accuracy"),
)
"""Columns of the log that are drawn, and what they are called."""


@dataclass(frozen=True)
class Training:
    """One training run: its log by step, held-out figures by benchmark and step, its summary."""

    name: str
    rows: Rows
    validation: Mapping[str, Rows]
    held_out: Mapping[str, Any]
    summary: Mapping[str, Any]

    @property
    def stage(self) -> str:
        """The trainer, "sft" say; told by the log where the run has not ended."""
        known = "grpo" if any("reward" in row for row in self.rows) else "training"
        return str(self.summary.get("stage", known))


def logs(paths: Sequence[Path]) -> dict[Path, str]:
    """The folders of training runs in folders, and in folders within, with their names."""
    found: dict[Path, str] = {}
    for path in paths:
        for pattern in (METRICS, f"*/{METRICS}", f"*/*/{METRICS}"):
            for file in sorted(path.glob(pattern)):
                name = file.parent.relative_to(path).as_posix()
                found.setdefault(file.parent.resolve(), path.name if name == "." else name)
    return found


def read_trainings(
    paths: Sequence[Path], damaged: Callable[[RunError], None] | None = None
) -> list[Training]:
    """The training runs in folders, and in folders within (a curriculum's stages), by name.

    Raises RunError where a log is damaged, or tells `damaged` and leaves it out.
    """
    found = sound(logs(paths).items(), _read, damaged)
    return sorted(found, key=lambda one: one.name)


def _read(log: tuple[Path, str]) -> Training:
    path, name = log
    try:
        return Training(
            name,
            read_metrics(path / METRICS),
            {
                file.stem.removeprefix(VALIDATION): read_metrics(file)
                for file in sorted(path.glob(f"{VALIDATION}*.csv"))
            },
            _json(path / HELD_OUT),
            _json(path / SUMMARY),
        )
    except (OSError, ValueError, AttributeError) as error:
        raise RunError(
            f"{path} is no log of a training run that can be read ({error}); move it away"
        ) from None


def _json(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    found = parse_json(read_text(path))
    if not isinstance(found, dict):
        raise ValueError(f"{path.name} is no object")
    return found


def panels(run: Training) -> list[Panel]:
    """The panels of one run: table 26, held-out figures, curves."""
    found: list[Panel] = [by_epoch(run)] if run.rows else []
    if run.held_out:
        found.append(_held_out(run.held_out))
    checks = [
        (f"{benchmark} {words}", [(row["step"], row[name]) for row in rows if name in row])
        for benchmark, rows in run.validation.items()
        for name, words in _curves(benchmark, rows).items()
    ]
    if any(points for _, points in checks):
        kept = [series for series in checks if series[1]]
        found.append(Plot("Held out, by step", "step", "share", kept, kind="lines"))
    for column, label in CURVES:
        points = [(row["step"], row[column]) for row in run.rows if column in row]
        if points:
            title = label[0].upper() + label[1:]
            found.append(Plot(title, "step", label, [(label, thin(points))], kind="lines"))
    groups = [
        (row["step"], row["zero_groups"] / row["groups"]) for row in run.rows if row.get("groups")
    ]
    if groups:
        series = [("share of groups", thin(groups))]
        note = "Groups whose rewards are all equal: nothing is learnt from them."
        found.append(
            Plot("Zero-spread groups", "step", "share of groups", series, kind="lines", note=note)
        )
    return found


def by_epoch(run: Training) -> Table:
    """Table 26: a row an epoch, means over its steps; held-out figures are its last ones.

    A run of less than two epochs is cut into quarters of its steps.
    """
    parts = _parts(run.rows)
    names = [
        ("reward", "mean reward"),
        ("reward_std", "std reward"),
        ("success", "success"),
        ("zero", "zero-spread"),
        ("kl", "KL"),
        ("entropy", "entropy"),
        ("loss", "loss"),
    ]
    checks = [
        (benchmark, name, words)
        for benchmark, rows in run.validation.items()
        for name, words in _curves(benchmark, rows).items()
        if any(name in row for row in rows)
    ]
    rows: list[list[Cell]] = []
    for label, part in parts:
        means = {
            name: fmean(row[name] for row in part if name in row)
            for name, _ in names
            if any(name in row for row in part)
        }
        groups = sum(row.get("groups", 0.0) for row in part)
        if groups:
            means["zero"] = sum(row.get("zero_groups", 0.0) for row in part) / groups
        last = part[-1]["step"]
        seen = [_last(run.validation[benchmark], name, last) for benchmark, name, _ in checks]
        rows.append([label, int(last), *(means.get(name) for name, _ in names), *seen])
    used = [place for place in range(len(rows[0])) if any(row[place] is not None for row in rows)]
    heads = ["part", "up to step", *(label for _, label in names)]
    heads += [f"{words} (val, {benchmark})" for benchmark, _, words in checks]
    return Table(
        "By epoch",
        [heads[place] for place in used],
        [[row[place] for place in used] for row in rows],
        note="Means over the steps of a part; held-out figures are those at or before its end.",
    )


def _parts(rows: Rows) -> list[tuple[str, Rows]]:
    epochs: dict[int, list[Mapping[str, float]]] = {}
    for row in rows:
        # A step that ends an epoch belongs to it.
        epochs.setdefault(max(1, -int(-row.get("epoch", 0.0) // 1)), []).append(row)
    if len(epochs) > 1:
        return [(f"epoch {number}", part) for number, part in sorted(epochs.items())]
    size = max(1, -(-len(rows) // 4))
    quarters = [rows[at : at + size] for at in range(0, len(rows), size)]
    return [(f"quarter {number}", part) for number, part in enumerate(quarters, 1)]


def _last(rows: Rows, name: str, step: float) -> float | None:
    known = [row[name] for row in rows if name in row and row["step"] <= step]
    return known[-1] if known else None


def _held_out(found: Mapping[str, Any]) -> Table:
    rows: list[list[Cell]] = []
    whens = [when for when in ("before", "after") if isinstance(found.get(when), dict)]
    for benchmark in found[whens[-1]] if whens else ():
        every = [found[when].get(benchmark, {}) for when in whens]
        for name in dict.fromkeys(name for one in every for name in one if name != "n"):
            cells = [_estimate(one.get(name), int(one.get("n", 0))) for one in every]
            rows.append([benchmark, name, *cells])
    return Table("Held out", ["benchmark", "figure", *whens], rows)


def _estimate(value: Any, n: int) -> Cell:
    if not isinstance(value, list) or len(value) != 3:
        return None
    value = [float("nan") if part is None else float(part) for part in value]
    return Estimate(value[0], value[1], value[2], n, n)


def thin(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """At most `POINTS` points: the means of equal parts."""
    size = -(-len(points) // POINTS)
    parts = [points[at : at + size] for at in range(0, len(points), size)]
    return [(fmean(x for x, _ in part), fmean(y for _, y in part)) for part in parts]


def _curves(benchmark: str, rows: Rows) -> Mapping[str, str]:
    """The columns of held-out figures that are shown of a benchmark, and what they are called."""
    known = get_benchmark(benchmark).teaching().curves if benchmark in benchmark_names() else {}
    every = dict.fromkeys(name for row in rows for name in row)
    return known or {n: n for n in every if n != "step" and not n.startswith("mean ")}


def overview(runs: Iterable[Training]) -> Table:
    """One row a run: its stage, its steps, and what it ended with."""
    rows: list[list[Cell]] = []
    for run in runs:
        last = run.rows[-1] if run.rows else {}
        end = "finished" if run.summary else "not finished"
        shown = [last.get(name) for name, _ in CURVES[:4]]
        rows.append([run.name, run.stage, int(last.get("step", 0)), end, *shown])
    heads = ["run", "stage", "steps", "state", *(label for _, label in CURVES[:4])]
    return Table("Runs", heads, rows, note="Figures of the last step.")
