"""The runs of a report, put in order: one column a benchmark, version and dataset."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal

from ordojo.core.benchmark import AnyBenchmark
from ordojo.core.errors import RunError
from ordojo.core.panels import Published
from ordojo.core.records import RunHeader, RunView, SampleRecord
from ordojo.core.statistics import NOTHING, Estimate
from ordojo.evaluate.scripted import is_scripted
from ordojo.report.text import slugs
from ordojo.report.training import Training

Lookup = Callable[[str], AnyBenchmark]
Kind = Literal["model", "baseline", "published"]

Key = tuple[str, str, str, str]
"""Benchmark, version, dataset and its hash: what makes a column."""

AS_PUBLISHED = "as published"
"""Stands for the dataset of quoted scores that fit no column of runs."""


def is_baseline(model: str) -> bool:
    """Whether a run is of a scripted policy, shown apart from models; replayed answers are not."""
    return is_scripted(model) and not model.startswith("ordojo/replay")


@dataclass(frozen=True)
class Counts:
    """How the items of a run ended, under its headline rule."""

    finished: int
    items: int
    unparsed: int
    unscored: int
    errors: int

    @property
    def complete(self) -> bool:
        """Whether every item is finished."""
        return self.finished >= self.items


@dataclass(frozen=True)
class RunSummary:
    """One run with all its figures; `metrics` maps every rule to the benchmark's metrics."""

    run: RunView
    slug: str
    setting: str
    kind: Kind
    metrics: Mapping[str, Mapping[str, Estimate]]
    counts: Counts

    @property
    def header(self) -> RunHeader:
        """The run's header."""
        return self.run.header

    @property
    def model(self) -> str:
        """The model's name."""
        return self.run.header.model

    @property
    def label(self) -> str:
        """Model and setting."""
        return f"{self.model} · {self.setting}" if self.setting else self.model

    @property
    def metric(self) -> str:
        """The headline metric's name."""
        return next(iter(self.metrics[self.header.rule]), "score")

    @property
    def score(self) -> Estimate:
        """The headline estimate under the headline rule."""
        return next(iter(self.metrics[self.header.rule].values()), NOTHING)

    def score_under(self, rule: str) -> Estimate:
        """The headline estimate under another rule, empty if the run was not judged by it."""
        return next(iter(self.metrics.get(rule, {}).values()), NOTHING)

    @cached_property
    def spread(self) -> tuple[float, float] | None:
        """The least and greatest headline score over all rules, None where they agree."""
        found = [self.score_under(rule).value for rule in self.metrics]
        values = [value for value in found if value == value]
        if not values or max(values) - min(values) < 5e-4:
            return None
        return min(values), max(values)

    @cached_property
    def failures(self) -> Sequence[SampleRecord]:
        """Failed samples that no later attempt finished."""
        done = {(record.id, record.epoch) for record in self.run.records}
        return [error for error in self.run.errors if (error.id, error.epoch) not in done]


@dataclass(frozen=True)
class Column:
    """All runs on one version of one benchmark's one dataset, best first, and quoted scores."""

    benchmark: AnyBenchmark
    version: str
    dataset: str
    sha256: str
    runs: tuple[RunSummary, ...]
    published: tuple[Published, ...]

    @property
    def key(self) -> str:
        """A short name that is unique in the report."""
        return f"{self.benchmark.name}/{self.version}/{self.dataset}"

    @property
    def metric(self) -> str:
        """The headline metric's name, several joined."""
        return " / ".join(sorted({run.metric for run in self.runs})) or "score"

    @property
    def rules(self) -> tuple[str, ...]:
        """Every rule that judged a run of the column."""
        return tuple(sorted({rule for run in self.runs for rule in run.metrics}))

    @cached_property
    def bounds(self) -> tuple[float, float]:
        """The range that scores are drawn in: [0, 1] unless a score lies outside."""
        values = [run.score.value for run in self.runs] + [row.score for row in self.published]
        known = [value for value in values if value == value]
        return min([0.0, *known]), max([1.0, *known])


@dataclass(frozen=True)
class Study:
    """Everything a report shows."""

    title: str
    columns: tuple[Column, ...]
    trainings: tuple[Training, ...] = ()

    @property
    def runs(self) -> tuple[RunSummary, ...]:
        """All runs, column by column."""
        return tuple(run for column in self.columns for run in column.runs)

    @property
    def benchmarks(self) -> tuple[AnyBenchmark, ...]:
        """The benchmarks met, in the order of columns."""
        return tuple({column.benchmark.name: column.benchmark for column in self.columns}.values())

    def alike(self, column: Column) -> bool:
        """Whether runs of the column's benchmark fill other columns too."""
        filled = [c for c in self.columns if c.runs and c.benchmark.name == column.benchmark.name]
        return len(filled) > 1

    def name(self, column: Column) -> str:
        """The benchmark's title, with dataset and version where several columns have it."""
        if column.runs and not self.alike(column):
            return column.benchmark.title
        version = f" v{column.version}" if column.version else ""
        return f"{column.benchmark.title} · {column.dataset}{version}"


def study(
    runs: Sequence[RunView], lookup: Lookup, title: str, trainings: Sequence[Training] = ()
) -> Study:
    """Compute every figure of `runs`; their order does not matter."""
    if not runs and not trainings:
        raise RunError("there is no run to report; name a run folder or a folder of runs")
    names = sorted(run.name for run in runs)
    twice = next((a for a, b in pairwise(names) if a == b), None)
    if twice is not None:
        raise RunError(f"two runs are called '{twice}'; rename one of the folders")
    files = slugs(names)
    groups: dict[Key, list[RunSummary]] = {}
    for run in sorted(runs, key=lambda run: run.name):
        data = run.header.dataset
        key = (
            lookup(run.header.benchmark).name,
            run.header.benchmark_version,
            data.get("id", ""),
            data.get("sha256", ""),
        )
        summary = summarize(run, files[run.name], lookup(run.header.benchmark))
        groups.setdefault(key, []).append(summary)
    columns: list[Column] = []
    for name in sorted({key[0] for key in groups}):
        columns += _columns(lookup(name), {k: groups[k] for k in sorted(groups) if k[0] == name})
    return Study(title, tuple(columns), tuple(trainings))


def summarize(run: RunView, slug: str, benchmark: AnyBenchmark) -> RunSummary:
    """Compute one run's figures under every rule that judged it."""
    header = run.header
    rules = {header.rule}.union(*(record.verdicts for record in run.records))
    verdicts = [record.verdict(header.rule) for record in run.records]
    outcomes = [verdict.outcome for verdict in verdicts if verdict is not None]
    done = {(record.id, record.epoch) for record in run.records if not record.error}
    failed = {(record.id, record.epoch) for record in (*run.records, *run.errors) if record.error}
    return RunSummary(
        run=run,
        slug=slug,
        setting=benchmark.setting(header.options),
        kind=(
            "published" if run.published else "baseline" if is_baseline(header.model) else "model"
        ),
        metrics={rule: dict(benchmark.metrics(run.records, rule)) for rule in sorted(rules)},
        counts=Counts(
            finished=len(done),
            items=header.items,
            unparsed=outcomes.count("unparsed"),
            unscored=outcomes.count("unscored"),
            errors=len(failed - done),
        ),
    )


def _columns(benchmark: AnyBenchmark, groups: dict[Key, list[RunSummary]]) -> list[Column]:
    quoted = tuple(benchmark.published())
    names = [(key[1], key[2]) for key in groups]
    home = _home(benchmark, list(groups))
    columns = []
    for key, runs in groups.items():
        dataset = key[2] if names.count((key[1], key[2])) == 1 else f"{key[2]}@{key[3][:12]}"
        ranked = sorted(runs, key=lambda r: (-r.score.value if r.score.n else 9, r.run.name))
        here = quoted if key == home else ()
        columns.append(Column(benchmark, key[1], dataset, key[3], tuple(ranked), here))
    if quoted and home is None:
        columns.append(Column(benchmark, "", AS_PUBLISHED, "", (), quoted))
    return columns


def _home(benchmark: AnyBenchmark, keys: Sequence[Key]) -> Key | None:
    """The column that quoted scores belong to: the only one, on the benchmark's default dataset.

    None if there is no such column, so that they stand apart.
    """
    field = benchmark.options.model_fields.get("dataset")
    fits = field is None or keys[0][2] == field.default
    return keys[0] if len(keys) == 1 and fits else None
