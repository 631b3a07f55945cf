"""The charts of OR-Bias-Bench's page: bias by bucket, orders, critical ratios."""

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from ordojo.benchmarks.or_bias.metrics import answers
from ordojo.benchmarks.or_bias.schema import BUCKETS, LEVELS
from ordojo.benchmarks.or_bias.sets import ID_RANGES, OOD_RANGES
from ordojo.benchmarks.or_bias.uniformity import uniformity
from ordojo.core.panels import Bars, Heatmap, Plot, Series
from ordojo.core.records import RunView
from ordojo.core.statistics import Estimate

POINTS = 400
"""Most points of a plot; more are thinned out evenly."""

BIN = 0.05
"""Width of a bar of the histograms."""

RANGES = {"ID": ID_RANGES, "OOD": OOD_RANGES}
"""Over which ranges the critical ratios of a level are uniform."""


def bias_by_bucket(runs: Sequence[RunView], labels: Sequence[str]) -> Heatmap:
    """Mean Q/Q* - 1 in every bucket of every level, a row for each run and level."""
    rows: list[str] = []
    values: list[list[float | None]] = []
    for run, label in zip(runs, labels, strict=True):
        found = answers(run.records, run.header.rule)
        read = np.isfinite(found.ratio)
        for level in LEVELS:
            at = read & found.having("level", level)
            if at.any():
                cells = [found.ratio[at & found.having("bucket", b)] - 1 for b in BUCKETS]
                rows.append(f"{label} · {level}")
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


def orders(
    runs: Sequence[RunView], labels: Sequence[str], figures: Sequence[Mapping[str, Estimate]]
) -> list[Plot]:
    """Q against Q*, one plot a run, with the line fitted to all of its answers."""
    found = []
    for run, label, known in zip(runs, labels, figures, strict=True):
        m = answers(run.records, run.header.rule).measures
        read = np.isfinite(m["q"]) & np.isfinite(m["optimum"])
        if not read.any():
            continue
        x, y = m["optimum"][read], m["q"][read]
        limit = 2 * max(x)
        shown = np.flatnonzero(y <= limit)
        kept = shown[np.linspace(0, len(shown) - 1, min(POINTS, len(shown))).round().astype(int)]
        slope = known["slope"]
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
