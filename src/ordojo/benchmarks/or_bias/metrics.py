"""OR-Bias-Bench's figures: rationality, bias, anchoring on the mean, and what the errors cost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from ordojo.benchmarks.or_bias.inference import Decision, absolute, regression
from ordojo.benchmarks.or_bias.schema import BUCKETS, LEVELS
from ordojo.core.records import SampleRecord
from ordojo.core.resampling import Figure, Numbers, bootstrap_figures, gap_of, mean_of
from ordojo.core.statistics import Estimate, mean_interval

SPLITS = ("ID", "OOD")
"""The splits that figures are broken down by."""

HEADLINES = {"rational": "rationality", "within-5pct": "within_5pct", "within-1pct": "within_1pct"}
"""What stands first under each rule."""

MEASURES = ("q", "optimum", "mean", "critical_ratio", "regret", "relative_regret")
"""The measures of a verdict that figures are made of."""


@dataclass(frozen=True)
class Answers:
    """The scored records of a run as columns; measures are NaN where no quantity was read."""

    clusters: NDArray[np.intp]
    unparsed: NDArray[np.bool_]
    labels: Mapping[str, NDArray[np.str_]]
    measures: Mapping[str, Numbers]

    @property
    def rational(self) -> NDArray[np.bool_]:
        """Where a rational quantity was read."""
        return np.isfinite(self.measures["q"])

    @property
    def ratio(self) -> Numbers:
        """Q/Q*, NaN where it is not defined."""
        q, optimum = self.measures["q"], self.measures["optimum"]
        return q / np.where(optimum > 0, optimum, np.nan)

    def having(self, label: str, value: str) -> NDArray[np.bool_]:
        """Where a label has a value."""
        return np.asarray(self.labels[label] == value, dtype=bool)

    def fraction(self, event: NDArray[np.bool_], where: NDArray[np.bool_]) -> Estimate:
        """The share of `event` among the records `where`, with Wilson's interval."""
        return mean_interval(event[where].astype(float).tolist(), self.clusters[where].tolist())

    def within(self, share: float) -> NDArray[np.bool_]:
        """Where the quantity lies within a share of the optimum."""
        m = self.measures
        return np.abs(m["q"] - m["optimum"]) <= share * m["optimum"]


def answers(records: Sequence[SampleRecord], rule: str) -> Answers:
    """The records that `rule` scored, as columns."""
    rows = [
        (record, verdict)
        for record in records
        if (verdict := record.verdict(rule)) is not None and verdict.score is not None
    ]
    index: dict[str, int] = {}
    return Answers(
        np.array([index.setdefault(r.cluster or r.id, len(index)) for r, _ in rows], dtype=int),
        np.array([v.outcome == "unparsed" for _, v in rows], dtype=bool),
        {
            label: np.array([r.labels.get(label, "") for r, _ in rows], dtype=str)
            for label in ("split", "level", "bucket")
        },
        {
            name: np.array([v.metrics.get(name, np.nan) for _, v in rows], dtype=float)
            for name in MEASURES
        },
    )


def metrics(records: Sequence[SampleRecord], rule: str) -> Mapping[str, Estimate]:
    """All figures; a reply without a rational quantity counts in shares and in nothing else."""
    found = answers(records, rule)
    every = np.ones(len(found.clusters), dtype=bool)
    parts = {"": every}
    parts |= {f"/{split}": found.having("split", split) for split in SPLITS}
    parts |= {f"/{level}": found.having("level", level) for level in LEVELS}
    parts |= {f"/{bucket}": found.having("bucket", bucket) for bucket in BUCKETS}
    figures: dict[str, Estimate] = {}
    for end, where in parts.items():
        figures[f"rationality{end}"] = found.fraction(found.rational, where)
        figures[f"within_5pct{end}"] = found.fraction(found.within(0.05), where)
    figures["within_1pct"] = found.fraction(found.within(0.01), every)
    figures["unparsed_rate"] = found.fraction(found.unparsed, every)
    resampled = bootstrap_figures(_figures(found, parts), found.clusters)
    for name, figure in resampled.items():
        if name.startswith("pull_to_center"):
            figures[name.replace("pull_to_center", "bias_difference")] = absolute(figure)
    figures |= resampled
    for end, where in parts.items():
        if end[1:] not in BUCKETS:
            figures[f"anchoring_weight{end}"] = anchoring(found, where)
    figures |= _regressions(found)
    headline = HEADLINES.get(rule, "rationality")
    return {headline: figures.pop(headline), **figures}


def _figures(found: Answers, parts: Mapping[str, NDArray[np.bool_]]) -> dict[str, Figure]:
    m = found.measures
    ratio = found.ratio
    known = np.isfinite(ratio)
    high, low = known & (m["critical_ratio"] > 0.5), known & (m["critical_ratio"] < 0.5)
    figures: dict[str, Figure] = {}
    for end, where in parts.items():
        figures[f"ratio{end}"] = mean_of(ratio, known & where)
        figures[f"relative_error{end}"] = mean_of(np.abs(ratio - 1), known & where)
        for name in ("regret", "relative_regret"):
            figures[f"{name}{end}"] = mean_of(m[name], np.isfinite(m[name]) & where)
        if end[1:] not in BUCKETS:
            figures[f"pull_to_center{end}"] = gap_of(ratio, low & where, high & where)
    near, far = (figures[f"pull_to_center/{split}"] for split in SPLITS)
    figures["id_to_ood"] = Figure(
        near.where | far.where,
        (*near.columns, *far.columns),
        lambda s: np.abs(far.of(s[:, 4:])) - np.abs(near.of(s[:, :4])),
    )
    return figures


def anchoring(found: Answers, where: NDArray[np.bool_]) -> Estimate:
    """The weight w of the mean in Q = w mu + (1 - w) Q*: regression of Q - Q* on mu - Q*."""
    return _regress(found, where, intercept=False)[0]


def _regress(found: Answers, where: NDArray[np.bool_], *, intercept: bool) -> tuple[Estimate, ...]:
    m = found.measures
    used = found.rational & np.isfinite(m["mean"]) & where
    y, x = (m[name][used] - m["optimum"][used] for name in ("q", "mean"))
    return regression(y, [x, np.ones(len(x))] if intercept else [x], found.clusters[used])


def _regressions(found: Answers) -> dict[str, Estimate]:
    m = found.measures
    every = np.ones(len(found.clusters), dtype=bool)
    weight, constant = _regress(found, every, intercept=True)
    read = found.rational
    q, optimum, clusters = m["q"][read], m["optimum"][read], found.clusters[read]
    slope = regression(q, [optimum, np.ones(len(q))], clusters)[0]
    used = read & np.isfinite(m["mean"])
    both = regression(m["q"][used], [m["mean"][used], m["optimum"][used]], found.clusters[used])
    return {
        "anchoring_weight_with_intercept": weight,
        "anchoring_intercept": constant,
        "weight_of_mean": both[0],
        "weight_of_optimum": both[1],
        "slope": slope,
    }


def decisions(records: Sequence[SampleRecord], rule: str) -> Mapping[str, Decision]:
    """The rational answer to every item, the mean over its epochs, by content hash and id."""
    rows: dict[str, list[Mapping[str, float]]] = {}
    for record in records:
        verdict = record.verdict(rule)
        if verdict is not None and all(name in verdict.metrics for name in Decision._fields):
            rows.setdefault(f"{record.content_hash} {record.id}", []).append(verdict.metrics)
    return {
        key: Decision(*(fmean(m[name] for m in found) for name in Decision._fields))
        for key, found in rows.items()
    }
