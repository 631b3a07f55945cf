"""What the report shows of or-bias: scores, anchoring, regret; and of one order, its curve.

First what was published on newsvendor orders: the paper's models, and people in experiments.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from ordojo.benchmarks.or_bias.distributions import IQR
from ordojo.benchmarks.or_bias.judges import (
    answers,
    compare_bias,
    compare_weight,
    decisions,
    metrics,
)
from ordojo.benchmarks.or_bias.schema import BUCKETS, INSTANCES, LEVELS, OrBiasOptions, Scenario
from ordojo.benchmarks.or_bias.sets import ID_RANGES, OOD_RANGES, uniformity
from ordojo.core.canonical import Json
from ordojo.core.files import shipped_table
from ordojo.core.instance import Instance
from ordojo.core.panels import Bars, Cell, Heatmap, Panel, Plot, Published, Series, Story, Table
from ordojo.core.records import RunView, SampleRecord
from ordojo.core.selection import Protocol, RunPart, RunPool, parted, run_table, shown

DATASET = f"or-bias@v{INSTANCES}/eval/normal"
"""The scenarios that stand for the paper's."""

SOURCE = "Solver-in-the-loop paper, table 36"

HUMANS = "Lau, Hasija and Bearden (2014), table 2"


@dataclass(frozen=True)
class Experiment:
    """People's mean order in a newsvendor experiment: demand of mean `mean`, optimum `optimum`."""

    name: str
    mean: float
    optimum: float
    order: float

    @property
    def weight(self) -> float:
        """The weight of the mean in the mean order."""
        return (self.order - self.optimum) / (self.mean - self.optimum)


EXPERIMENTS = (
    Experiment("people, low margin (Bolton and Katok 2008, study 1)", 100, 75, 88),
    Experiment("people, high margin (Bolton and Katok 2008, study 1)", 50, 75, 61),
    Experiment("people, low margin (Mechanical Turk)", 100, 75, 90),
    Experiment("people, high margin (Mechanical Turk)", 50, 75, 53),
)
"""Mean orders as `HUMANS` gives them (doi 10.1016/j.dss.2012.12.041), in whole units."""

HUMAN_WEIGHT = round(sum(e.weight for e in EXPERIMENTS[:2]) / 2, 2)
"""0.54, the mean of Bolton and Katok's two conditions: the weight of the policy "heuristic"."""


def table36() -> Mapping[str, Mapping[str, float]]:
    """The models of table 36 with their scores as shares."""
    return {
        row.pop("model"): {
            name.removesuffix("_pct"): round(float(value) / 100, 6) for name, value in row.items()
        }
        for row in shipped_table(__package__, "tables/or_bias_table36.csv")
    }


def published_scores() -> Sequence[Published]:
    """Table 36, one entry for each model and set: rationality and bias difference.

    The paper does not give the share within 5% of the optimum, which is the headline.
    """
    return [
        Published(
            model,
            split,
            math.nan,
            SOURCE,
            {"rationality": scores[f"rationality_{split}"]}
            | {"bias_difference": scores[f"bias_{split}"]},
            DATASET,
        )
        for model, scores in table36().items()
        for split in ("ID", "OOD")
    ]


POINTS = 400
"""Most points of a plot; more are thinned out evenly."""

BIN = 0.05
"""Width of a bar of the histograms."""

RANGES = {"ID": ID_RANGES, "OOD": OOD_RANGES}
"""Over which ranges the critical ratios of a level are uniform."""


Runs = Sequence[RunPool]


def bias_by_bucket(runs: Runs) -> Heatmap:
    """Mean Q/Q* - 1 in every bucket of every level, a row for each run and level."""
    rows: list[str] = []
    values: list[list[float | None]] = []
    for run in runs:
        found = answers(run.records, run.header.rule)
        read = np.isfinite(found.ratio)
        for level in LEVELS:
            at = read & found.having("level", level)
            if at.any():
                cells = [found.ratio[at & found.having("bucket", b)] - 1 for b in BUCKETS]
                rows.append(f"{run.label} · {level}")
                values.append([float(c.mean()) if len(c) else None for c in cells])
    known = [abs(v) for row in values for v in row if v is not None]
    reach = math.ceil(10 * max(known, default=0.1) + 1e-9) / 10
    return Heatmap(
        "Bias by level and critical ratio",
        rows,
        [f"{name} ({low:g}-{high:g})" for name, (low, high) in BUCKETS.items()],
        values,
        low=-reach,
        high=reach,
        note="Mean of Q/Q* - 1 over rational answers. Pull to center: positive on the left, "
        "negative on the right.",
    )


def orders(runs: Runs) -> list[Plot]:
    """Q against Q*, one plot a run, with the line fitted to all of its answers."""
    found = []
    for run in runs:
        m = answers(run.records, run.header.rule).measures
        read = np.isfinite(m["q"]) & np.isfinite(m["optimum"])
        if not read.any():
            continue
        x, y = m["optimum"][read], m["q"][read]
        limit = 2 * max(x)
        shown = np.flatnonzero(y <= limit)
        kept = shown[np.linspace(0, len(shown) - 1, min(POINTS, len(shown))).round().astype(int)]
        slope, label = run.figures["slope"], run.label
        series = [(label, [(float(a), float(b)) for a, b in zip(x[kept], y[kept], strict=True)])]
        note = f"{len(kept)} of {len(y)} rational answers; {len(y) - len(shown)} lie above."
        if np.isfinite(slope.value):
            line = np.linspace(min(x), max(x), 25)
            fit = float(y.mean()) + slope.value * (line - float(x.mean()))
            dots = [(float(a), float(b)) for a, b in zip(line, fit, strict=True) if 0 <= b <= limit]
            series.append((f"least squares, slope {slope.value:.3f}", dots))
            note += (
                f" Fitted slope {slope.value:.3f}, 95% interval {slope.low:.3f} to "
                f"{slope.high:.3f}; the optimum has slope 1."
            )
        found.append(Plot(f"Q against Q*: {label}", "Q*", "Q", series, diagonal=True, note=note))
    return found


def critical_ratios(runs: Sequence[RunView]) -> list[Bars]:
    """The critical ratios of the scenarios, by set and level, against the uniform distribution."""
    ratios: dict[tuple[str, str], dict[str, float]] = {}
    asked: dict[tuple[str, str], set[str]] = {}
    for run in runs:
        for record in run.records:
            key = record.labels.get("split", ""), record.labels.get("level", "")
            asked.setdefault(key, set()).add(record.content_hash + record.id)
            for verdict in record.verdicts.values():
                if "critical_ratio" in verdict.metrics:
                    found = ratios.setdefault(key, {})
                    found[record.content_hash + record.id] = verdict.metrics["critical_ratio"]
    return [
        _histogram(split, level, list(ratios[split, level].values()), len(asked[split, level]))
        for split, ranges in RANGES.items()
        for level in ranges
        if (split, level) in ratios
    ]


def _histogram(split: str, level: str, ratios: Sequence[float], asked: int) -> Bars:
    ranges = RANGES[split][level]
    shares: list[float] = []
    names: list[str] = []
    for low, high in ranges:
        counts, edges = np.histogram(ratios, round((high - low) / BIN), (low, high))
        shares += (counts / len(ratios)).tolist()
        names += [f"{a:.2f}-{b:.2f}" for a, b in pairwise(edges)]
    test = uniformity(ratios, ranges)
    where = " and ".join(f"[{low:g}, {high:g}]" for low, high in ranges)
    return Bars(
        f"Critical ratios, {split} {level}",
        names,
        [Series(f"{split} {level}", shares)],
        unit="share of scenarios",
        reference=1 / len(names),
        reference_label="uniform",
        note=f"Over {where}: {test}. Of {asked} scenarios, those that some run answered. "
        "Stratified numbers are more even than independent ones, so a small p-value counts and a "
        "large one does not prove chance.",
    )


SETS = {
    "eval": "ID and OOD",
    "full": "ID and OOD, full",
    "id": "ID",
    "ood": "OOD",
    "train": "training set",
}

PROTOCOL = Protocol.of(DATASET, OrBiasOptions(), ["mode"])
"""Under what table 36 was made. Its models answer in chats, which is an option of ours."""


def setting(options: Mapping[str, Json]) -> str:
    """A run's settings in a few words: the set, and what departs from the paper."""
    words = ["own instances" if options.get("instances") else SETS[str(options["set"])]]
    for name, usual in (("decision", "newsvendor"), ("family", "normal"), ("mode", "completion")):
        if options.get(name, usual) != usual:
            words.append(str(options[name]))
    if options.get("iqr", IQR) != IQR:
        words.append(f"IQR {options['iqr']}")
    return ", ".join(words)


def panels(runs: Sequence[RunView]) -> Sequence[Panel]:
    """Everything that the page shows of newsvendor decisions, from runs alone.

    Runs that differ in the seed alone are pooled.
    """
    pools = shown(runs, setting, metrics)
    return [
        _regret(pools),
        *map(_scores, parted(pools, PROTOCOL)),
        bias_by_bucket(pools),
        *orders(pools),
        _anchoring(pools),
        _people(),
        *_comparisons(pools),
        *critical_ratios(pools),
    ]


def _scores(part: RunPart) -> Table:
    quoted = ("rationality_ID", "rationality_OOD", "bias_ID", "bias_OOD", "delta")
    source = f"Published rows: {SOURCE}. " if part.published else ""
    return run_table(
        setting,
        f"Rationality and bias difference{part.end}",
        {
            "rationality/ID": "rational, ID",
            "rationality/OOD": "rational, OOD",
            "bias_difference/ID": "bias, ID",
            "bias_difference/OOD": "bias, OOD",
            "id_to_ood": "change",
        },
        part.pools,
        [run.figures for run in part.pools],
        f"{source}Rational: a quantity was read, neither negative nor absurd, which random "
        "orders are, too. Bias: |E[Q/Q* | CR > 0.5] - E[Q/Q* | CR < 0.5]| over rational answers, "
        "bootstrap intervals. Change: bias OOD less bias ID. The bias difference has no direction; "
        "the weight of the mean, below, has.",
        [
            [model, "as published", *(scores[name] for name in quoted)]
            for model, scores in (table36().items() if part.published else ())
        ],
    )


def _anchoring(runs: Runs) -> Table:
    return run_table(
        setting,
        "Weight of the mean",
        {
            "anchoring_weight": "weight of the mean",
            "anchoring_weight_with_intercept": "with intercept",
            "anchoring_intercept": "intercept",
            "weight_of_mean": "of the mean, free",
            "weight_of_optimum": "of the optimum, free",
            "pull_to_center": "pull to center",
        },
        runs,
        [run.figures for run in runs],
        "The weight w in Q = w μ + (1 - w) Q*: least squares of Q - Q* on μ - Q*, through the "
        "origin and with an intercept; 0 is the optimum, 1 the mean, and above 1 or below 0 lies "
        "on neither's side. Free: Q on μ and Q*, weights that need not add up to 1. Intervals are "
        "robust and by item. Pull to center: E[Q/Q* | CR < 0.5] - E[Q/Q* | CR > 0.5], positive "
        "where orders are drawn to the mean.",
    )


def _people() -> Table:
    rows: list[list[Cell]] = [[e.name, e.weight] for e in EXPERIMENTS]
    note = f"Other scenarios than the benchmark's: from mean orders in {HUMANS}."
    columns = ["experiment", "weight of the mean"]
    return Table.quoting("Weight of the mean in people's orders", columns, [], rows, note)


def _regret(runs: Runs) -> Table:
    names = ("within_5pct", "within_1pct", "regret", "relative_regret", "relative_error")
    return run_table(
        setting,
        "What the errors cost",
        {name: name.replace("_", " ").replace("pct", "%") for name in names},
        runs,
        [run.figures for run in runs],
        "Regret: expected profit of the optimum less that of the answer, in the story's "
        "currency; relative: as a share of the optimum's. Relative error: |Q - Q*| / Q*. Means "
        "over rational answers; within 5% and 1% are shares of all answers.",
    )


def _comparisons(runs: Runs) -> Sequence[Table]:
    """Every pair of runs on the items that both answered."""
    if len(runs) < 2:
        return ()
    answered = [(run.label, decisions(run.records, run.header.rule)) for run in runs]
    rows: list[list[Cell]] = []
    for (name, first), (beside, second) in combinations(answered, 2):
        if common := sorted(first.keys() & second.keys()):
            one, other = ([run[key] for key in common] for run in (first, second))
            bias, weight = compare_bias(one, other), compare_weight(one, other)
            cells: list[Cell] = [bias.difference, _p(bias.p_value)]
            cells += [weight.difference, _p(weight.p_value)]
            rows.append([name, beside, len(common), *cells])
    return (
        Table(
            "One run against another",
            [
                "first",
                "second",
                "items",
                "bias, first less second",
                "p",
                "weight of the mean, first less second",
                "p (weight)",
            ],
            rows,
            note="Paired, on the items to which both gave a rational answer: bootstrap intervals "
            "over items, and p-values of permutation tests that swap the two runs' answers item "
            "by item. p-values are not corrected for the number of pairs.",
        ),
    )


def _p(value: float) -> str | None:
    if math.isnan(value):
        return None
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


STEPS = 60
"""Pieces of the curve: no corner is seen on a screen."""

_NEAR = 0.02
"""Of the way from the mean to the optimum: nearer to an end counts as there."""


def story(record: SampleRecord, instance: Instance[Any] | None) -> Story | None:
    """The order beside the mean and the optimum, on the demand's distribution if it is known."""
    figures = next((v.metrics for v in record.verdicts.values() if "regret" in v.metrics), None)
    if figures is None or "mean" not in figures:
        return None
    q, optimum, mean = (figures[name] for name in ("q", "optimum", "mean"))
    ratio = figures["critical_ratio"]
    said = (
        f"Ordered {q:,.4g}. The optimum is {optimum:,.4g}, which covers demand with a chance of "
        f"{ratio:.1%}, the critical ratio; mean demand is {mean:,.4g}. {_place(q, optimum, mean)} "
        f"The order gives up {figures['regret']:,.4g} of expected profit"
    )
    if "relative_regret" in figures:
        said += f", {figures['relative_regret']:.2%} of the best"
    if instance is None or not isinstance(instance.problem, Scenario):
        return Story(f"{said}.")
    demand = instance.problem.demand
    low = min(q, mean - 3 * demand.std) if q >= 0 else mean - 3 * demand.std
    low = max(0.0, low) if mean > 0 else low
    # A far order is off the curve; the sentence has it.
    high = min(max(q, optimum, mean + 3 * demand.std), mean + 12 * demand.std)
    places = [low + (high - low) * k / STEPS for k in range(STEPS + 1)]
    curve = Plot(
        "The order on the curve of demand",
        "quantity",
        "chance that demand is covered",
        [
            ("demand", [(x, demand.cdf(x)) for x in places]),
            ("the order", [(q, demand.cdf(q))] if low <= q <= high else []),
            ("the optimum", [(optimum, demand.cdf(optimum))]),
            ("mean demand", [(mean, demand.cdf(mean))]),
        ],
        kind="lines",
    )
    return Story(f"{said}.", [curve])


def _place(q: float, optimum: float, mean: float) -> str:
    """In words where the order lies between the mean and the optimum."""
    if mean == optimum:
        return "Mean and optimum are the same here."
    way = (q - mean) / (optimum - mean)
    if abs(way - 1) <= _NEAR:
        return "The order is the optimum, but for rounding."
    if abs(way) <= _NEAR:
        return "The order is the mean: no margin was reckoned with."
    if 0 < way < 1:
        return f"The order lies {way:.0%} of the way from the mean to the optimum."
    where = "beyond the optimum" if way > 1 else "on the wrong side of the mean"
    return f"The order lies {where}."
