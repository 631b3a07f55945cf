"""Estimates with honest intervals: clustered, defined at 0 and 1, NaN when there is nothing.

Of means and paired scores in closed form; of any function of sums by a bootstrap of whole clusters.
"""

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr

Z95 = 1.959963984540054
"""Two-sided 95% quantile of the standard normal."""

Z80 = 0.8416212335729143
"""80% quantile of the standard normal."""

EQUAL = 1e-9
"""Scores that differ by less are equal but for rounding."""


@dataclass(frozen=True)
class Estimate:
    """A value with its 95% interval; `n` observations in `clusters` clusters. Empty: NaN."""

    value: float
    low: float
    high: float
    n: int
    clusters: int


NOTHING = Estimate(math.nan, math.nan, math.nan, 0, 0)


def measured(figures: Mapping[str, Estimate], name: str) -> Estimate | None:
    """The figure of that name, None where there is none or it is over nothing."""
    found = figures.get(name, NOTHING)
    return found if found.n else None


def mean_interval(values: Sequence[float], clusters: Sequence[Hashable] | None = None) -> Estimate:
    """Mean of scores in [0, 1] with a 95% interval that respects clusters.

    Wilson's interval on the effective sample size n / deff, where deff is the ratio of the
    cluster-robust (sandwich, with the G/(G-1) correction) to the independent variance: it stays
    inside [0, 1] and has width at 0 and 1, where the normal interval has none. A deff below 1 is
    taken as 1. Where it cannot be estimated, for a single cluster or equal values, every cluster
    counts as one observation.
    """
    x = np.asarray(values, dtype=float)
    n = len(x)
    if n == 0:
        return NOTHING
    mean = float(x.mean())
    groups = group_index(clusters, n)
    count = int(groups.max()) + 1
    effective = float(n)
    if clusters is not None and (count == 1 or np.ptp(x) < EQUAL):
        effective = float(count)
    elif clusters is not None:
        independent = float(((x - mean) ** 2).sum())
        sums = np.bincount(groups, weights=x - mean)
        robust = float((sums**2).sum()) * count / (count - 1)
        effective = n / max(1.0, robust / independent)
    low, high = _wilson(mean, effective)
    return Estimate(mean, low, high, n, count)


def _wilson(p: float, n: float) -> tuple[float, float]:
    z2 = Z95**2
    centre = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = Z95 / (1 + z2 / n) * math.sqrt(p * (1 - p) / n + z2 / (4 * n * n))
    return max(0.0, min(p, centre - half)), min(1.0, max(p, centre + half))


DRAWS = 10_000
"""Arrangements of a permutation test: p from 0.0001, which Holm can multiply."""


@dataclass(frozen=True)
class PairedComparison:
    """Two runs on the same items: mean difference with its interval, and two-sided p-values.

    `p_value` is of the permutation test. `first` and `second` count the clusters in which either is
    better, and `sign_p` is of the exact sign test on them: McNemar's exact test, where scores are 0
    or 1 and every item is its own cluster.
    """

    difference: Estimate
    p_value: float
    first: int = 0
    second: int = 0
    sign_p: float = math.nan

    @property
    def detectable(self) -> float:
        """Least true difference found at 0.05 with 80% power on so many items; NaN: no spread."""
        spread = (self.difference.high - self.difference.value) / Z95
        return (Z95 + Z80) * spread if spread > EQUAL else math.nan

    @property
    def needed(self) -> int | None:
        """Items, clustered alike, on which the seen difference would be detectable."""
        seen = abs(self.difference.value)
        if math.isnan(self.detectable) or seen < EQUAL:
            return None
        return math.ceil(self.difference.n * (self.detectable / seen) ** 2)


def paired_comparison(
    first: Sequence[float],
    second: Sequence[float],
    clusters: Sequence[Hashable] | None = None,
    draws: int = DRAWS,
    seed: int = 0,
) -> PairedComparison:
    """Compare paired scores by flipping the sign of whole clusters (a permutation test).

    The p-value counts the observed arrangement, so it is never 0. Clusters that differ by as much
    are flipped together, as their number of plus signs is all that counts.
    """
    delta = np.asarray(first, dtype=float) - np.asarray(second, dtype=float)
    n = len(delta)
    if n == 0:
        return PairedComparison(NOTHING, math.nan)
    groups = group_index(clusters, n)
    sums = np.bincount(groups, weights=delta)
    count = len(sums)
    rng = np.random.default_rng(seed)
    arranged = np.zeros(draws)
    for size, alike in zip(*np.unique(np.abs(sums).round(9), return_counts=True), strict=True):
        if size:
            arranged += size * (2 * rng.binomial(alike, 0.5, draws) - alike)
    extreme = int((np.abs(arranged) >= abs(float(sums.sum())) - count * EQUAL).sum())
    mean = float(delta.mean())
    residual = np.bincount(groups, weights=delta - mean)
    spread = math.sqrt(float((residual**2).sum()) * count / max(1, count - 1)) / n
    estimate = Estimate(mean, mean - Z95 * spread, mean + Z95 * spread, n, count)
    more, less = int((sums > EQUAL).sum()), int((sums < -EQUAL).sum())
    sign_p = min(1.0, 2 * float(bdtr(min(more, less), more + less, 0.5)))
    return PairedComparison(estimate, (extreme + 1) / (draws + 1), more, less, sign_p)


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values, which bound the chance of any false rejection; NaN stays NaN."""
    adjusted = list(p_values)
    order = sorted((p, place) for place, p in enumerate(p_values) if not math.isnan(p))
    largest = 0.0
    for rank, (p, place) in enumerate(order):
        largest = max(largest, min(1.0, (len(order) - rank) * p))
        adjusted[place] = largest
    return adjusted


def group_index(clusters: Sequence[Hashable] | None, n: int) -> NDArray[np.intp]:
    """Of each of `n` rows the number of its cluster, by first appearance; None: its own."""
    if clusters is None:
        return np.arange(n)
    seen: dict[Hashable, int] = {}
    return np.asarray([seen.setdefault(cluster, len(seen)) for cluster in clusters])


RESAMPLES = 400
"""Resamples of a figure."""

_BLOCK = 1_000_000

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class ResampledFigure:
    """A figure that is a function of sums over rows.

    `of` takes the sums of `columns`, one row a resample, to the figure's values, NaN where it is
    not defined; the columns are 0 outside the rows `where` it looks at.
    """

    where: NDArray[np.bool_]
    columns: tuple[Numbers, ...]
    of: Callable[[Numbers], Numbers]


def mean_of(values: Numbers, where: NDArray[np.bool_] | None = None) -> ResampledFigure:
    """The mean over the rows `where`, all without."""
    where = np.ones(len(values), dtype=bool) if where is None else where
    return ResampledFigure(where, within(where, values), lambda s: s[:, 0] / s[:, 1])


def gap_of(values: Numbers, first: NDArray[np.bool_], second: NDArray[np.bool_]) -> ResampledFigure:
    """The mean over the rows `first` less that over `second`."""
    return ResampledFigure(
        first | second,
        (*within(first, values), *within(second, values)),
        lambda s: s[:, 0] / s[:, 1] - s[:, 2] / s[:, 3],
    )


def within(where: NDArray[np.bool_], values: Numbers) -> tuple[Numbers, Numbers]:
    """The columns whose sums give a mean over the rows `where`: the values, and the count."""
    return np.where(where, values, 0.0), where.astype(float)


def bootstrap_figures(
    figures: Mapping[str, ResampledFigure],
    groups: NDArray[np.intp],
    seed: int = 0,
    draws: int = RESAMPLES,
) -> dict[str, Estimate]:
    """Percentile bootstrap of all figures at once, on the same resamples of whole clusters.

    `groups` says of each row which cluster it belongs to, counted from 0. An interval needs two
    clusters; without them its ends are NaN.
    """
    if not len(groups):
        return dict.fromkeys(figures, NOTHING)
    count = int(groups.max()) + 1
    columns = [column for figure in figures.values() for column in figure.columns]
    sums = np.stack([group_sums(groups, column, count) for column in columns], axis=1)
    resampled = _resample(sums, seed, draws)
    found: dict[str, Estimate] = {}
    start = 0
    for name, figure in figures.items():
        stop = start + len(figure.columns)
        with np.errstate(divide="ignore", invalid="ignore"):
            values = figure.of(resampled[:, start:stop])
        clusters = len(np.unique(groups[figure.where]))
        found[name] = _percentiles(values, int(figure.where.sum()), clusters)
        start = stop
    return found


def group_sums(groups: NDArray[np.intp], column: Numbers, count: int) -> Numbers:
    """The sum of a column over each group."""
    return np.bincount(groups, column, count).astype(float)


def _resample(sums: Numbers, seed: int, draws: int) -> Numbers:
    """The total of `sums`, then its totals over resampled clusters, one row each."""
    count = len(sums)
    rng = np.random.default_rng(seed)
    rows = [sums.sum(axis=0)[None]]
    block = max(1, _BLOCK // count)
    for start in range(0, draws, block):
        size = min(block, draws - start)
        drawn = rng.integers(count, size=(size, count)) + np.arange(size)[:, None] * count
        weights = np.bincount(drawn.ravel(), minlength=size * count).reshape(size, count)
        rows.append(weights.astype(float) @ sums)
    return np.concatenate(rows)


def _percentiles(values: Numbers, n: int, clusters: int) -> Estimate:
    value = float(values[0])
    if n == 0 or not np.isfinite(value):
        return NOTHING
    drawn = values[1:][np.isfinite(values[1:])]
    if clusters < 2 or not len(drawn):
        return Estimate(value, np.nan, np.nan, n, clusters)
    low, high = (float(x) for x in np.quantile(drawn, [0.025, 0.975]))
    return Estimate(value, min(low, value), max(high, value), n, clusters)
