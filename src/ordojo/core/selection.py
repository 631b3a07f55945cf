"""Choosing runs by their whole header: what is pooled, and what stands beside published scores.

Every panel takes its runs from here, so that none can mix settings: `pooled` puts runs together
that differ in nothing but the seed, and `parted` tells those that follow a published protocol in
full from all others.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ordojo.core.canonical import Json, canonical
from ordojo.core.options import Options
from ordojo.core.panels import Cell, Table
from ordojo.core.records import RunHeader, RunView, SampleRecord
from ordojo.core.statistics import Estimate, measured
from ordojo.core.words import amount

_NO_SETTING = frozenset({"answers_sha256", "model_args"})
"""What `generation` may hold without departing from a protocol."""


@dataclass(frozen=True)
class RunPool(RunView):
    """Runs of one setting under several seeds, as one run with the header of the least seed.

    `runs` are what it is made of, by seed. Epochs are numbered through all of them, so that an
    instance and an epoch are one record. What is shown has a `label` among others, and `figures`.
    """

    runs: tuple[RunView, ...] = ()
    label: str = ""
    figures: Mapping[str, Estimate] = field(default_factory=dict)

    @property
    def whole(self) -> bool:
        """Whether every instance of the dataset was asked and is finished."""
        return self.header.limit is None and self.header.sample is None and self.complete

    @property
    def size(self) -> str:
        """Seeds and samples in words, empty for one run of one epoch."""
        seeds, epochs = len(self.runs), sum(run.header.epochs for run in self.runs)
        if epochs == 1:
            return ""
        count = f"{seeds} seeds" if seeds > 1 else f"{epochs} epochs"
        return f"{count}, {amount(len(self.records), 'sample')}"


def key(header: RunHeader, but: Sequence[str] = ()) -> str:
    """All that makes runs comparable, as a text: the header without seed and epochs.

    Of a drawn sample the seed counts, too, as it chooses the instances. `but` names options that do
    not count.
    """
    options = {name: value for name, value in header.options.items() if name not in but}
    return canonical(
        [
            *(header.benchmark, header.benchmark_version, header.model, header.rule),
            *(options, dict(header.dataset), dict(header.generation)),
            *(header.limit, header.sample, header.seed if header.sample is not None else None),
        ]
    )


def pooled(runs: Sequence[RunView]) -> list[RunPool]:
    """Pool the runs that differ in nothing but the seed, in the order in which they come.

    Of several runs with one seed the best counts and the others are copies or beginnings of it: the
    one that is complete, of most epochs, of most samples. A run that is not complete is pooled with
    nothing.
    """
    best: dict[tuple[str, int], RunView] = {}
    for run in runs:
        # One record of each item, in an order that does not depend on who was first.
        records = {r.item: r for r in reversed(run.records)}
        run = replace(run, records=[records[item] for item in sorted(records)])
        place = key(run.header), run.header.seed
        if place not in best or _rank(run) < _rank(best[place]):
            best[place] = run
    groups: dict[tuple[str, int | None], list[RunView]] = {}
    for (setting, seed), run in best.items():
        groups.setdefault((setting, None if run.complete else seed), []).append(run)
    return [_pool(sorted(group, key=lambda run: run.header.seed)) for group in groups.values()]


def _rank(run: RunView) -> tuple[bool, int, int, str]:
    return not run.complete, -run.header.epochs, -len(run.records), run.name


def _pool(group: Sequence[RunView]) -> RunPool:
    first, before = group[0], 0
    records = []
    for run in group:
        records += [replace(r, epoch=r.epoch + before) if before else r for r in run.records]
        before += run.header.epochs
    header = replace(first.header, items=sum(run.header.items for run in group), epochs=before)
    errors = [error for run in group for error in run.errors]
    return RunPool(first.name, header, records, errors, tuple(group))


def departures(header: RunHeader) -> str:
    """What a run has beside its options: which instances were asked, how replies were generated."""
    words = []
    if header.limit is not None:
        words.append(f"first {header.limit}")
    if header.sample is not None:
        words.append(f"sample of {header.sample}, seed {header.seed}")
    for name, value in sorted(header.generation.items()):
        if isinstance(value, Mapping):
            words += [f"{name} {value}" for name, value in sorted(value.items())]
        elif name == "answers_sha256":
            words.append(f"answers {str(value)[:8]}")
        else:
            words.append(f"{name.replace('_', ' ')} {value}")
    return ", ".join(words)


def described(run: RunView, setting: str, *, sized: bool = True) -> str:
    """A run's setting in words, with its limit or sample, what is unfinished, what is pooled."""
    words = [setting, departures(run.header)]
    if not run.complete:
        words.append(f"{len(run.records):,} of {run.header.items:,} items")
    elif sized and isinstance(run, RunPool):
        words.append(run.size)
    return ", ".join(filter(None, words))


def run_table(
    setting: Callable[[Mapping[str, Json]], str],
    title: str,
    columns: Mapping[str, str],
    runs: Sequence[RunView],
    found: Sequence[Mapping[str, Estimate]],
    note: str,
    quoted: Sequence[Sequence[Cell]] = (),
) -> Table:
    """A row a run with its model, its setting and the figures that `columns` name and head.

    A figure over nothing is a cell that was not measured. The quoted rows stand below.
    """
    rows: list[list[Cell]] = [
        [
            run.header.model,
            described(run, setting(run.header.options)),
            *(measured(figures, name) for name in columns),
        ]
        for run, figures in zip(runs, found, strict=True)
    ]
    return Table.quoting(title, ["model", "setting", *columns.values()], rows, quoted, note)


def labels(runs: Sequence[RunView], setting: Callable[[Mapping[str, Json]], str]) -> list[str]:
    """Model and setting of each run, with what else it takes to tell them apart.

    That is the dataset, where runs of several are here, and the run's name.
    """
    several = len({r.header.dataset.get("id") for r in runs}) > 1
    found = []
    for r in runs:
        words = [r.header.model, described(r, setting(r.header.options))]
        words += [r.header.dataset.get("id", "")] if several else []
        found.append(" · ".join(filter(None, words)))
    return [
        label if found.count(label) == 1 else f"{label} ({run.name})"
        for run, label in zip(runs, found, strict=True)
    ]


def named(pools: Sequence[RunPool], setting: Callable[[Mapping[str, Json]], str]) -> list[RunPool]:
    """The pools, each with its label among them."""
    pairs = zip(pools, labels(pools, setting), strict=True)
    return [replace(pool, label=label) for pool, label in pairs]


def shown(
    runs: Sequence[RunView],
    setting: Callable[[Mapping[str, Json]], str],
    metrics: Callable[[Sequence[SampleRecord], str], Mapping[str, Estimate]],
) -> list[RunPool]:
    """The runs pooled, with labels and figures."""
    return [
        replace(pool, figures=metrics(pool.records, pool.header.rule))
        for pool in named(pooled(runs), setting)
    ]


def pooling(pools: Sequence[RunPool]) -> str:
    """A sentence that says which runs were pooled, and of what; empty where none was."""
    said = [f"{p.header.model} ({p.size})" for p in pools if p.size]
    return f"Repetitions pooled: {'; '.join(said)}." if said else ""


@dataclass(frozen=True)
class Protocol:
    """Under what a published table was made: a dataset, and how it was asked in full.

    `options` are the values that a run's options may have; one that a run lacks is as it was
    before there was a choice. `generation` is what must replace the benchmark's own settings.
    `sample` is how many drawn instances stand for all where the paper drew as many.
    """

    dataset: str
    options: Mapping[str, Sequence[Json]]
    generation: Mapping[str, Json] = field(default_factory=dict)
    sample: int | None = None

    @classmethod
    def of(
        cls,
        dataset: str,
        usual: Options,
        free: Sequence[str] = (),
        among: Mapping[str, Sequence[Json]] | None = None,
        **more: Json,
    ) -> "Protocol":
        """The protocol of these options, but that those in `free` may be anything.

        `among` has options that may have one of several values; `more` is the generation.
        """
        options = usual.model_dump(mode="json", exclude={"dataset", *free})
        values = {name: [value] for name, value in options.items()}
        return cls(dataset, {**values, **(among or {})}, more)

    def asked(self, header: RunHeader) -> bool:
        """Whether a run was asked in this way, on whatever instances."""
        generation = {k: v for k, v in header.generation.items() if k not in _NO_SETTING}
        return generation == self.generation and all(
            header.options.get(name, values[0]) in values for name, values in self.options.items()
        )

    def fits(self, pool: RunPool) -> bool:
        """Whether all of the dataset was asked in this way, or as large a sample as the paper's."""
        header = pool.header
        drawn = header.sample is not None and header.sample == self.sample
        enough = pool.whole or (drawn and header.limit is None and pool.complete)
        return header.dataset.get("id") == self.dataset and enough and self.asked(header)


class RunPart(NamedTuple):
    """Runs for one panel: what its title ends in, the runs, whether published scores join them."""

    end: str
    pools: list[RunPool]
    published: bool


def parted(pools: Sequence[RunPool], protocol: Protocol) -> list[RunPart]:
    """The runs that fit the protocol, with the published scores, and all others apart.

    Published scores stand only where a run was made on their dataset, or where there is no run.
    """
    fitting = [pool for pool in pools if protocol.fits(pool)]
    others = [pool for pool in pools if not protocol.fits(pool)]
    home = not pools or any(p.header.dataset.get("id") == protocol.dataset for p in pools)
    parts = [RunPart("", fitting, True)] if home else []
    return [*parts, RunPart(", other settings" if home else "", others, False)] if others else parts
