"""Percentile bootstraps of figures that are functions of sums, by whole clusters, all at once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ordojo.core.statistics import NOTHING, Estimate

DRAWS = 400
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
    draws: int = DRAWS,
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
