"""The panels of OR-Debug-Bench's page that label whole runs: curves, types, failures, levels."""

from collections.abc import Mapping, Sequence

from ordojo.benchmarks.or_debug import published
from ordojo.benchmarks.or_debug.metrics import KINDS, LEVELS, RANGES, K, calibrate, level
from ordojo.benchmarks.or_debug.patterns import PUBLISHED, patterns
from ordojo.benchmarks.or_debug.published import PAPER
from ordojo.benchmarks.or_debug.schema import DIFFICULTY, TYPES
from ordojo.core.panels import Cell, Heatmap, Plot, Table
from ordojo.core.records import RunView
from ordojo.core.selection import RunPart
from ordojo.core.statistics import NOTHING, Estimate

Figures = Mapping[str, Estimate]


def curve(part: RunPart, labels: Sequence[str], found: Sequence[Figures]) -> Plot:
    """RR@k for k = 1 to 20, a line a run, with the points that the paper gives."""
    ours = [
        (label, [(float(k), f[f"rr@{k}"].value) for k in range(1, K + 1)])
        for label, f in zip(labels, found, strict=True)
        if f["rr@1"].n
    ]
    rates = [s.rr_at_5 for s in published.table32()]
    span = ((5.0, min(rates)), (5.0, max(rates)))
    quoted = [*published.CURVES.items(), ("lowest to highest of 30 (published)", span)]
    source = f" Published points: {PAPER}, section 5.5 and tables 11 and 32."
    return Plot(
        f"RR@k{part.end}",
        "k, counted steps",
        "RR@k",
        [*ours, *(quoted if part.published else ())],
        kind="lines",
        note="Full successes within k counted steps, the layout of the paper's figure 5."
        + (source if part.published else ""),
    )


def attempts(labels: Sequence[str], found: Sequence[Figures]) -> Sequence[Plot]:
    """Success within k attempts, for runs of several epochs."""
    series = [
        (label, [(float(k), f[f"attempts@{k}"].value) for k in range(1, 1 + _tries(f))])
        for label, f in zip(labels, found, strict=True)
        if _tries(f)
    ]
    if not series:
        return ()
    return [
        Plot(
            "Several attempts",
            "attempts",
            "solved by one of them",
            series,
            kind="lines",
            note="The multi-attempt protocol (algorithm 2) over the epochs of a run: the chance "
            "that one of k attempts is a full success, over all choices of k among those made.",
        )
    ]


def _tries(figures: Figures) -> int:
    return sum(name.startswith("attempts@") for name in figures)


def by_type(part: RunPart, labels: Sequence[str], found: Sequence[Figures]) -> Heatmap:
    """RR@5 of every run on every error type."""
    values: list[list[float | None]] = [
        [_value(f, f"rr@5/{kind}") for kind in TYPES] for f in found
    ]
    quoted = ["mean of 26 models"] if part.published else []
    return Heatmap(
        f"RR@5 by error type{part.end}",
        [*labels, *quoted],
        [f"{kind} {name}" for kind, name in TYPES.items()],
        [*values, *([published.BY_TYPE[kind] for kind in TYPES] for _ in quoted)],
        note=f"Published row: {PAPER}, table 39." if quoted else "",
        published=frozenset({len(labels)} if quoted else ()),
    )


def _value(figures: Figures, name: str) -> float | None:
    estimate = figures.get(name, NOTHING)
    return estimate.value if estimate.n else None


def by_level(part: RunPart, labels: Sequence[str], found: Sequence[Figures]) -> Table:
    """RR@5 of every run on every level, and on LPs and MIPs apart."""
    parts = [*LEVELS, *KINDS]
    rows: list[list[Cell]] = [
        [label, *(e if (e := f[f"rr@5/{part}"]).n else None for part in parts)]
        for label, f in zip(labels, found, strict=True)
    ]
    quoted: list[Cell] = ["mean of 26 models", *published.BY_LEVEL.values(), None, None]
    return Table(
        f"RR@5 by difficulty and kind of model{part.end}",
        ["run", *parts],
        [*rows, *([quoted] if part.published else ())],
        note="Levels are the paper's (table 7)."
        + (f" Published row: {PAPER}, table 39." if part.published else ""),
        published=frozenset({len(rows)} if part.published else ()),
    )


def curve_by_level(
    part: RunPart, labels: Sequence[str], found: Sequence[Figures]
) -> Sequence[Plot]:
    """RR@k of every run on every level that it was asked."""
    series = [
        (f"{label}, {level}", [(float(k), f[f"rr@{k}/{level}"].value) for k in range(1, K + 1)])
        for label, f in zip(labels, found, strict=True)
        for level in LEVELS
        if f[f"rr@1/{level}"].n
    ]
    if not series:
        return ()
    low, high = published.GAINS["easy"], published.GAINS["hard"]
    note = "Full successes within k counted steps, by the levels of table 7."
    if part.published:
        note += (
            f" From k = 1 to 5 the paper has {high:+.1%} on hard and {low:+.1%} on easy problems "
            f"({PAPER}, section 5.5)."
        )
    title = f"RR@k by difficulty{part.end}"
    return [Plot(title, "k, counted steps", "RR@k", series, kind="lines", note=note)]


def luck(part: RunPart, labels: Sequence[str], found: Sequence[Figures]) -> Plot:
    """RR@5 against DA, a point a run."""
    known = [(label, f) for label, f in zip(labels, found, strict=True) if f["da"].n]
    quoted = [
        (f"{name} (published)", [(s.da, s.rr_at_5) for s in published.table32() if s.kind == kind])
        for kind, name in (("Local", "8 models trained for it"), ("API", "22 models of an API"))
    ]
    ours = [(label, [(f["da"].value, f["rr@5"].value)]) for label, f in known]
    return Plot(
        f"RR@5 against DA{part.end}",
        "DA",
        "RR@5",
        [*ours, *(quoted if part.published else ())],
        note="High RR@5 at low DA is repair without a diagnosis."
        + (f" Published points: {PAPER}, tables 11 and 32." if part.published else ""),
    )


def optimality(labels: Sequence[str], found: Sequence[Figures]) -> Sequence[Plot]:
    """OP against DA, a point a run."""
    kept = [
        (label, [(f["da"].value, f["op"].value)])
        for label, f in zip(labels, found, strict=True)
        if f["da"].n and f["op"].n
    ]
    note = "OP is over episodes that end OPTIMAL; the paper gives none for its models."
    return [Plot("OP against DA", "DA", "OP", kept, note=note)] if kept else []


def failures(part: RunPart, labels: Sequence[str]) -> Table:
    """How many failures of every run show each pattern."""
    counted = [patterns(run.records, run.header.rule) for run in part.pools]
    names = [*PUBLISHED, *(n for n in patterns([], "") if n not in PUBLISHED)]
    rows: list[list[Cell]] = [
        [label, sum(counts.values()), *(counts[name] for name in names)]
        for label, counts in zip(labels, counted, strict=True)
    ]
    quoted: list[Cell] = ["Qwen3-8B-GRPO", 100, *(PUBLISHED.get(name) for name in names)]
    return Table(
        f"Why episodes failed{part.end}",
        ["run", "failures", *names],
        [*rows, *([quoted] if part.published else ())],
        note="Episodes that fail under the run's headline rule, each counted once, by the first "
        "pattern that fits. The first five names are the paper's, the tests are ours."
        + (f" Published row: {PAPER}, table 35, a sample of 100." if part.published else ""),
        published=frozenset({len(rows)} if part.published else ()),
    )


_SCRIPTED = frozenset(
    f"ordojo/{name}"
    for name in ("gold", "noop", "random", "drop-everything", "greedy-iis", "elastic", "heuristic")
)


def calibration(runs: Sequence[RunView], found: Sequence[Figures]) -> Sequence[Table]:
    """C.11 on the mean of the language models' runs; nothing where they lack a type."""
    models = [f for run, f in zip(runs, found, strict=True) if run.header.model not in _SCRIPTED]
    whole = [f for f in models if all(f[f"rr@5/{kind}"].n for kind in TYPES)]
    if not whole:
        return ()
    rates = {kind: sum(f[f"rr@5/{kind}"].value for f in whole) / len(whole) for kind in TYPES}
    result = calibrate(rates)
    types: list[list[Cell]] = [
        [
            f"{kind} {name}",
            DIFFICULTY[kind],
            published.BY_TYPE[kind],
            rates[kind],
            level(rates[kind]),
            result.levels[kind],
        ]
        for kind, name in TYPES.items()
    ]
    levels: list[list[Cell]] = [
        [
            name,
            f"{low:.0%} to {high:.0%}",
            ", ".join(kind for kind in TYPES if DIFFICULTY[kind] == name),
            published.BY_LEVEL.get(name),
            ", ".join(kind for kind in TYPES if result.levels[kind] == name),
            result.means.get(name),
        ]
        for name, (low, high) in RANGES.items()
    ]
    return [
        Table(
            "Difficulty, measured",
            ["type", "paper's level", "paper's RR@5", "RR@5", "its level", "after calibration"],
            types,
            note=f"RR@5: mean over {len(whole)} runs of language models. After calibration: levels "
            "regrouped until each level's mean lies in its range (C.11), "
            f"{result.rounds} rounds. Paper's RR@5: {PAPER}, table 39.",
        ),
        Table(
            "Difficulty levels",
            ["level", "target RR@5", "paper's types", "paper's RR@5", "types", "RR@5"],
            levels,
            note=f"Targets and published figures: {PAPER}, table 24.",
        ),
    ]
