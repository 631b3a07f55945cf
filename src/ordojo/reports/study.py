"""The runs of a report, put in order: one column a benchmark, version and dataset."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal

from ordojo.core.benchmark import AnyBenchmark
from ordojo.core.errors import RunError
from ordojo.core.hardness import Hardness
from ordojo.core.panels import Published
from ordojo.core.progress import counted
from ordojo.core.records import Endings, RunHeader, RunView, SampleRecord, Usage, endings, pass_at
from ordojo.core.selection import described, pooled
from ordojo.core.statistics import NOTHING, Estimate
from ordojo.evaluation.scripted import is_scripted
from ordojo.reports.text import number, slugs
from ordojo.reports.training import Training

Lookup = Callable[[str], AnyBenchmark]
Kind = Literal["model", "baseline", "published"]

Key = tuple[str, str, str, str]
"""Benchmark, version, dataset with its split, and its hash: what makes a column."""

AS_PUBLISHED = "as published"
"""Stands for the dataset of quoted scores that fit no column of runs."""


def is_baseline(model: str) -> bool:
    """Whether a run is of a scripted policy, shown apart from models; replayed answers are not."""
    return is_scripted(model) and not model.startswith("ordojo/replay")


@dataclass(frozen=True)
class Counts:
    """How the items of a run ended, under its headline rule; `inside` counts errors of our own."""

    finished: int
    items: int
    unparsed: int
    unsupported: int
    unscored: int
    errors: int
    inside: int
    endings: Endings

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
        """The least and greatest headline score over all rules, None where they agree.

        A rule that decides fewer replies than the headline rule, or is averaged over more, reads
        other replies, not the same ones differently: it is left out.
        """
        found = [self.score_under(rule) for rule in self.metrics]
        values = [e.value for e in found if e.n and e.n == self.score.n]
        if not values or max(values) - min(values) < 5e-4:
            return None
        return min(values), max(values)

    @cached_property
    def usage(self) -> Usage:
        """Tokens and dollars of all samples."""
        return sum((record.usage for record in self.run.records), Usage())

    @property
    def passes(self) -> Mapping[int, Estimate]:
        """By k, the chance that one of k samples of an item is right, under the headline rule."""
        found = self.metrics[self.header.rule]
        return {
            int(k): e for name, e in found.items() if (k := name.removeprefix("pass@")).isdigit()
        }

    @cached_property
    def failures(self) -> Sequence[SampleRecord]:
        """Failed samples that no later attempt finished."""
        done = {record.item for record in self.run.records}
        return [error for error in self.run.errors if error.item not in done]


@dataclass(frozen=True)
class StudyColumn:
    """All runs on one version of one benchmark's one dataset, best first, and quoted scores."""

    benchmark: AnyBenchmark
    version: str
    dataset: str
    sha256: str
    runs: tuple[RunSummary, ...]
    published: tuple[Published, ...]

    @cached_property
    def lead(self) -> "Lead | None":
        """The best model's figure, over all seeds of its setting; see `Lead`."""
        return _lead(self)

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
        """Every rule that decided something in a run of the column."""
        return tuple(
            sorted({r for run in self.runs for r in run.metrics if run.score_under(r).n})
            or sorted({run.header.rule for run in self.runs})
        )

    @property
    def quoted(self) -> tuple[Published, ...]:
        """The published rows that give the headline figure."""
        return tuple(row for row in self.published if not math.isnan(row.score))

    @cached_property
    def bounds(self) -> tuple[float, float]:
        """The range that scores are drawn in: [0, 1] unless a score lies outside."""
        values = [run.score.value for run in self.runs] + [row.score for row in self.quoted]
        known = [value for value in values if value == value]
        return min([0.0, *known]), max([1.0, *known])


@dataclass(frozen=True)
class Study:
    """Everything a report shows."""

    title: str
    columns: tuple[StudyColumn, ...]
    trainings: tuple[Training, ...] = ()
    hardness: tuple[Hardness, ...] = ()

    @property
    def runs(self) -> tuple[RunSummary, ...]:
        """All runs, column by column."""
        return tuple(run for column in self.columns for run in column.runs)

    @property
    def benchmarks(self) -> tuple[AnyBenchmark, ...]:
        """The benchmarks met, in the order of columns."""
        return tuple({column.benchmark.name: column.benchmark for column in self.columns}.values())

    @property
    def versions(self) -> Mapping[str, Sequence[str]]:
        """Benchmarks of which runs of several versions are here, by title."""
        found: dict[str, dict[str, None]] = {}
        for column in self.columns:
            if column.runs:
                found.setdefault(column.benchmark.title, {})[column.version] = None
        return {title: list(several) for title, several in found.items() if len(several) > 1}

    def alike(self, column: StudyColumn) -> bool:
        """Whether runs of the column's benchmark fill other columns too."""
        filled = [c for c in self.columns if c.runs and c.benchmark.name == column.benchmark.name]
        return len(filled) > 1

    def name(self, column: StudyColumn) -> str:
        """The benchmark's title, with dataset and version where several columns have it."""
        if column.runs and not self.alike(column):
            return column.benchmark.title
        version = f" v{column.version}" if column.version else ""
        return f"{column.benchmark.title} · {column.dataset}{version}"


def study(
    runs: Sequence[RunView],
    lookup: Lookup,
    title: str,
    trainings: Sequence[Training] = (),
    hardness: Sequence[Hardness] = (),
) -> Study:
    """Compute every figure of `runs`; their order does not matter."""
    if not (runs or trainings or hardness):
        raise RunError("there is no run to report; name a run folder or a folder of runs")
    names = sorted(run.name for run in runs)
    twice = next((a for a, b in pairwise(names) if a == b), None)
    if twice is not None:
        raise RunError(f"two runs are called '{twice}'; rename one of the folders")
    files = slugs(names)
    groups: dict[Key, list[RunSummary]] = {}
    for run in counted(sorted(runs, key=lambda run: run.name), "summarizing runs"):
        benchmark = lookup(run.header.benchmark)
        summary = summarize(run, files[run.name], benchmark)
        groups.setdefault(column_key(run.header, benchmark), []).append(summary)
    columns: list[StudyColumn] = []
    for name in sorted({key[0] for key in groups}):
        columns += _columns(lookup(name), {k: groups[k] for k in sorted(groups) if k[0] == name})
    return Study(title, tuple(columns), tuple(trainings), tuple(hardness))


def column_key(header: RunHeader, benchmark: AnyBenchmark) -> Key:
    """What runs must share to stand in one column."""
    data = header.dataset
    dataset = data.get("id", "") + _split(header, benchmark)
    return benchmark.name, header.benchmark_version, dataset, data.get("sha256", "")


def _split(header: RunHeader, benchmark: AnyBenchmark) -> str:
    """The split that was asked, where it is not the one that the benchmark means."""
    usual = benchmark.options.model_fields.get("split")
    asked = header.options.get("split")
    return "" if usual is None or asked in (None, usual.default) else f", {asked} split"


def summarize(run: RunView, slug: str, benchmark: AnyBenchmark) -> RunSummary:
    """Compute one run's figures under every rule that gave a score, and its headline rule."""
    header = run.header
    rules = {header.rule} | {
        rule
        for record in run.records
        for rule, verdict in record.verdicts.items()
        if verdict.score is not None
    }
    verdicts = [record.verdict(header.rule) for record in run.records]
    outcomes = [verdict.outcome for verdict in verdicts if verdict is not None]
    done = {record.item for record in run.records if not record.error}
    broken = [record for record in (*run.records, *run.errors) if record.error]
    failed = {record.item for record in broken} - done
    inside = {record.item for record in broken if record.traceback}
    return RunSummary(
        run=run,
        slug=slug,
        setting=described(run, benchmark.setting(header.options)),
        kind="baseline" if is_baseline(header.model) else "model",
        metrics={rule: _metrics(run, rule, benchmark) for rule in sorted(rules)},
        counts=Counts(
            finished=len(done),
            items=header.items,
            unparsed=outcomes.count("unparsed"),
            unsupported=outcomes.count("unsupported"),
            unscored=outcomes.count("unscored"),
            errors=len(failed),
            inside=len(failed & inside),
            endings=endings(run.records),
        ),
    )


def _metrics(run: RunView, rule: str, benchmark: AnyBenchmark) -> dict[str, Estimate]:
    """The benchmark's figures; pass@k too, where right or wrong is all that the rule tells."""
    found = dict(benchmark.metrics(run.records, rule))
    judged = [(r, v) for r in run.records if (v := r.verdict(rule)) and v.score is not None]
    if run.header.epochs > 1 and {v.score for _, v in judged} <= {0, 1}:
        known = {name.partition("@")[0] for name in found}
        if not known & {"pass", "repair"}:
            found |= pass_at(judged, "pass")
    return found


def _columns(benchmark: AnyBenchmark, groups: dict[Key, list[RunSummary]]) -> list[StudyColumn]:
    quoted = tuple(benchmark.published())
    names = [(key[1], key[2]) for key in groups]
    columns = []
    shown: set[str] = set()
    for key, runs in groups.items():
        dataset = key[2] if names.count((key[1], key[2])) == 1 else f"{key[2]}@{key[3][:12]}"
        ranked = sorted(runs, key=lambda r: (-r.score.value if r.score.n else 9, r.run.name))
        # Of two versions or hashes of a dataset, none can be told to be the paper's.
        alone = sum(other[2] == key[2] for other in groups) == 1
        here = tuple(row for row in quoted if alone and row.dataset == key[2])
        shown |= {row.dataset for row in here}
        columns.append(StudyColumn(benchmark, key[1], dataset, key[3], tuple(ranked), here))
    if apart := tuple(row for row in quoted if row.dataset not in shown and row.score == row.score):
        columns.append(StudyColumn(benchmark, "", AS_PUBLISHED, "", (), apart))
    return columns


UNSCORED = 0.05
"""The share of unscored replies above which no headline stands without it."""


@dataclass(frozen=True)
class Lead:
    """The figure that the first screen shows of a column, and what random answers score.

    It is the best of the models' settings of which everything was asked and is finished, or, where
    there is none, of all, whose `setting` then says what is missing. Seeds are pooled: the best of
    several seeds is nobody's score.
    """

    model: str
    setting: str
    score: Estimate
    tied: int
    baseline: str


def _lead(column: StudyColumn) -> Lead | None:
    benchmark = column.benchmark
    models = pooled([run.run for run in column.runs if run.kind == "model"])
    scored = [(pool, score) for pool in models if (score := headline(benchmark, pool)).n]
    chosen = [pair for pair in scored if pair[0].whole] or scored
    if not chosen:
        return None
    pool, score = max(chosen, key=lambda pair: pair[1].value)
    setting = described(pool, benchmark.setting(pool.header.options))
    if (share := _unscored(pool)) > UNSCORED:
        setting = f"{setting}, {share:.0%} unscored".removeprefix(", ")
    return Lead(
        pool.header.model,
        setting,
        score,
        sum(other.value == score.value for _, other in chosen) - 1,
        _baseline(column),
    )


def _unscored(run: RunView) -> float:
    found = [v.outcome for r in run.records if (v := r.verdict(run.header.rule)) is not None]
    return found.count("unscored") / len(found) if found else 0.0


def headline(benchmark: AnyBenchmark, run: RunView) -> Estimate:
    """A run's headline estimate."""
    return next(iter(benchmark.metrics(run.records, run.header.rule).values()), NOTHING)


def _baseline(column: StudyColumn) -> str:
    """What random answers score: as they were run here, or as follows from the protocol."""
    random = [run.run for run in column.runs if run.model == "ordojo/random"]
    scored = [
        (not pool.whole, -e.n, e)
        for pool in pooled(random)
        if (e := headline(column.benchmark, pool)).n
    ]
    if scored:
        # Of several, the one of most samples, of everything if there is one.
        return f"random {number(min(scored, key=lambda found: found[:2])[2].value)}"
    chance = column.benchmark.chance
    return "no baseline was run" if chance is None else f"chance {number(chance)}"
