"""Judging an order quantity by named rules, and the figures of a run.

Rationality, bias, anchoring on the mean, and what the errors cost.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from ordojo.benchmarks.or_bias.distributions import optimal_profit, regret
from ordojo.benchmarks.or_bias.reading import read_quantity_by
from ordojo.benchmarks.or_bias.schema import BUCKETS, LEVELS, Scenario
from ordojo.core.episode import Episode
from ordojo.core.errors import BenchmarkError
from ordojo.core.instance import Instance
from ordojo.core.judge import Judge, Verdict
from ordojo.core.records import SampleRecord, scored
from ordojo.core.statistics import (
    EQUAL,
    NOTHING,
    Estimate,
    Numbers,
    PairedComparison,
    ResampledFigure,
    bootstrap_figures,
    gap_of,
    group_sums,
    mean_interval,
    mean_of,
    within,
)

ABSURD = 100.0
"""An order of more than this many times the mean demand is no rational answer; nor is an
economic order quantity that is so many times off the optimum."""

TOLERANCES: Mapping[str, float | None] = {
    "rational": None,
    "within-5pct": 0.05,
    "within-1pct": 0.01,
}
"""Rules by name. "rational" is the paper's rationality: one number was read, and it is neither
negative nor absurd. The others also ask that it lie within a share of the optimum."""

RULES = tuple(TOLERANCES)

ROUND_OFF = 1e-9
"""By so much an answer may lie outside a tolerance that it was rounded to."""

_latest: tuple[Scenario, float, dict[str, float]] | None = None


def judge_with(rule: str) -> Judge:
    """The judge that reads the quantity in the last reply and decides by `rule`.

    Only a rational answer carries metrics; any other one is counted, and enters no mean.
    """
    if rule not in TOLERANCES:
        raise BenchmarkError(f"there is no rule '{rule}'; choose from {', '.join(RULES)}")
    tolerance = TOLERANCES[rule]

    def judge(instance: Instance[Scenario], episode: Episode) -> Verdict:
        quantity, how = read_quantity_by(episode.last_reply)
        if quantity is None:
            return Verdict(rule, "unparsed", 0.0, reason=f"no quantity could be read: {how}")
        scenario = instance.problem
        mean = scenario.demand.mean
        if quantity < 0:
            return Verdict(rule, "wrong", 0.0, quantity, "a negative order")
        if quantity > ABSURD * mean:
            reason = f"more than {ABSURD:g} times the mean demand"
            return Verdict(rule, "wrong", 0.0, quantity, reason)
        figures = metrics_of(quantity, scenario)
        slack = None if tolerance is None else tolerance + ROUND_OFF
        right = slack is None or figures["relative_error"] <= slack
        return Verdict(
            rule,
            "correct" if right else "wrong",
            float(right),
            quantity,
            f"the quantity is read by the rule '{how}'",
            figures,
        )

    return judge


def metrics_of(quantity: float, scenario: Scenario) -> dict[str, float]:
    """The figures of a rational order.

    "relative_regret" is the regret as a share of the best expected profit, left out where that is
    not above 0. The same mapping serves every rule: do not change it.
    """
    # A reply is judged by each rule in turn, and once more for the reward.
    global _latest
    if _latest is not None and _latest[0] is scenario and _latest[1] == quantity:
        return _latest[2]
    optimum, demand = scenario.optimum, scenario.demand
    terms = (scenario.price, scenario.cost, scenario.salvage, demand)
    lost, best = regret(quantity, *terms), optimal_profit(*terms)
    figures = {
        "q": quantity,
        "optimum": optimum,
        "mean": demand.mean,
        "critical_ratio": scenario.critical_ratio,
        "ratio": quantity / optimum,
        "relative_error": abs(quantity - optimum) / optimum,
        "regret": lost,
    }
    if best > 0:
        figures["relative_regret"] = lost / best
    _latest = (scenario, quantity, figures)
    return figures


PERMUTATIONS = 2000
"""Rearrangements of a permutation test."""

_BLOCK = 1_000_000


def absolute(signed: Estimate) -> Estimate:
    """The absolute value; its interval reaches down to 0 if the signed one includes 0."""
    ends = abs(signed.low), abs(signed.high)
    low = 0.0 if signed.low <= 0 <= signed.high else min(ends)
    high = max(ends)
    if np.isnan(signed.low):
        low, high = np.nan, np.nan
    return Estimate(abs(signed.value), low, high, signed.n, signed.clusters)


def regression(
    y: Numbers, columns: Sequence[Numbers], groups: NDArray[np.intp]
) -> tuple[Estimate, ...]:
    """Least squares of `y` on `columns`, nothing added: one coefficient each.

    Intervals are cluster-robust (sandwich with the CR1 correction, t with clusters - 1 degrees of
    freedom) and never narrower than rounding. NaN where the columns do not determine the
    coefficients.
    """
    n, k = len(y), len(columns)
    x = np.stack(columns, axis=1)
    scale = np.sqrt((x**2).sum(axis=0))
    if n < k or (scale == 0).any() or np.linalg.matrix_rank(x / scale) < k:
        return (NOTHING,) * k
    x = x / scale
    bread = np.linalg.inv(x.T @ x)
    beta = bread @ (x.T @ y)
    residual = y - x @ beta
    index = np.unique(groups, return_inverse=True)[1]
    count = int(index.max()) + 1
    if count <= k:
        return tuple(Estimate(float(b), np.nan, np.nan, n, count) for b in beta / scale)
    scores = np.stack([group_sums(index, column * residual, count) for column in x.T], axis=1)
    correction = count / (count - 1) * (n - 1) / (n - k)
    covariance = bread @ (scores.T @ scores) @ bread * correction
    reach = float(stdtrit(count - 1, 0.975)) * np.sqrt(np.diag(covariance)) / scale + EQUAL
    return tuple(
        Estimate(float(b), float(b - r), float(b + r), n, count)
        for b, r in zip(beta / scale, reach, strict=True)
    )


class OrderDecision(NamedTuple):
    """What a run answered to one item."""

    q: float
    optimum: float
    mean: float
    critical_ratio: float


def compare_bias(
    first: Sequence[OrderDecision], second: Sequence[OrderDecision]
) -> PairedComparison:
    """How much greater the first's bias difference is: paired, the items in the same order.

    The interval is a bootstrap over items. The p-value is that of a permutation test that swaps
    the two runs' answers item by item; it counts the observed arrangement, so it is never 0.
    """
    ratio = np.array([item.critical_ratio for item in first])
    high, low = ratio > 0.5, ratio < 0.5
    a, b = (np.array([item.q / item.optimum for item in run]) for run in (first, second))
    columns = (*within(high, a), *within(low, a), *within(high, b), *within(low, b))

    def difference(s: Numbers) -> Numbers:
        biases = [s[:, i] / s[:, i + 1] - s[:, i + 2] / s[:, i + 3] for i in (0, 4)]
        return np.asarray(np.abs(biases[0]) - np.abs(biases[1]))

    return _paired(ResampledFigure(high | low, columns, difference))


def compare_weight(
    first: Sequence[OrderDecision], second: Sequence[OrderDecision]
) -> PairedComparison:
    """How much greater the first's anchoring weight is: paired, as in `compare_bias`."""
    x = np.array([item.mean - item.optimum for item in first])
    every = np.ones(len(x), dtype=bool)
    a, b = (np.array([item.q - item.optimum for item in run]) for run in (first, second))
    columns = (x * a, x * x, x * b, x * x)
    figure = ResampledFigure(every, columns, lambda s: s[:, 0] / s[:, 1] - s[:, 2] / s[:, 3])
    return _paired(figure)


def _paired(figure: ResampledFigure) -> PairedComparison:
    """The first half of the columns is one run's, the second half the other's."""
    n = len(figure.where)
    estimate = bootstrap_figures({"": figure}, np.arange(n), 0)[""]
    if np.isnan(estimate.value):
        return PairedComparison(NOTHING, np.nan)
    columns = np.stack(figure.columns, axis=1)
    one, other = np.split(columns, 2, axis=1)
    rng = np.random.default_rng(0)
    observed, extreme = abs(estimate.value) - EQUAL, 0
    block = max(1, _BLOCK // n)
    for start in range(0, PERMUTATIONS, block):
        kept = rng.integers(0, 2, size=(min(block, PERMUTATIONS - start), n)).astype(float)
        moved = kept @ (one - other)
        swapped = np.concatenate([other.sum(axis=0) + moved, one.sum(axis=0) - moved], axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            extreme += int((np.abs(figure.of(swapped)) >= observed).sum())
    return PairedComparison(estimate, (extreme + 1) / (PERMUTATIONS + 1))


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
    rows = scored(records, rule)
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


def _figures(found: Answers, parts: Mapping[str, NDArray[np.bool_]]) -> dict[str, ResampledFigure]:
    m = found.measures
    ratio = found.ratio
    known = np.isfinite(ratio)
    high, low = known & (m["critical_ratio"] > 0.5), known & (m["critical_ratio"] < 0.5)
    figures: dict[str, ResampledFigure] = {}
    for end, where in parts.items():
        figures[f"ratio{end}"] = mean_of(ratio, known & where)
        figures[f"relative_error{end}"] = mean_of(np.abs(ratio - 1), known & where)
        for name in ("regret", "relative_regret"):
            figures[f"{name}{end}"] = mean_of(m[name], np.isfinite(m[name]) & where)
        if end[1:] not in BUCKETS:
            figures[f"pull_to_center{end}"] = gap_of(ratio, low & where, high & where)
    near, far = (figures[f"pull_to_center/{split}"] for split in SPLITS)
    figures["id_to_ood"] = ResampledFigure(
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


def decisions(records: Sequence[SampleRecord], rule: str) -> Mapping[str, OrderDecision]:
    """The rational answer to every item, the mean over its epochs, by content hash and id."""
    rows: dict[str, list[Mapping[str, float]]] = {}
    for record in records:
        verdict = record.verdict(rule)
        if verdict is not None and all(name in verdict.metrics for name in OrderDecision._fields):
            rows.setdefault(f"{record.content_hash} {record.id}", []).append(verdict.metrics)
    return {
        key: OrderDecision(*(fmean(m[name] for m in found) for name in OrderDecision._fields))
        for key, found in rows.items()
    }
