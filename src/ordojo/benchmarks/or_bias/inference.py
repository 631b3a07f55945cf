"""Regression, resampling and tests: the statistics behind OR-Bias-Bench's figures."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from ordojo.core.resampling import Figure, Numbers, bootstrap_figures, group_sums, within
from ordojo.core.statistics import EQUAL, NOTHING, Comparison, Estimate

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


class Decision(NamedTuple):
    """What a run answered to one item."""

    q: float
    optimum: float
    mean: float
    critical_ratio: float


def compare_bias(
    first: Sequence[Decision], second: Sequence[Decision], seed: int = 0
) -> Comparison:
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

    return _paired(Figure(high | low, columns, difference), seed)


def compare_weight(
    first: Sequence[Decision], second: Sequence[Decision], seed: int = 0
) -> Comparison:
    """How much greater the first's anchoring weight is: paired, as in `compare_bias`."""
    x = np.array([item.mean - item.optimum for item in first])
    every = np.ones(len(x), dtype=bool)
    a, b = (np.array([item.q - item.optimum for item in run]) for run in (first, second))
    columns = (x * a, x * x, x * b, x * x)
    figure = Figure(every, columns, lambda s: s[:, 0] / s[:, 1] - s[:, 2] / s[:, 3])
    return _paired(figure, seed)


def _paired(figure: Figure, seed: int) -> Comparison:
    """The first half of the columns is one run's, the second half the other's."""
    n = len(figure.where)
    estimate = bootstrap_figures({"": figure}, np.arange(n), seed)[""]
    if np.isnan(estimate.value):
        return Comparison(NOTHING, np.nan)
    columns = np.stack(figure.columns, axis=1)
    one, other = np.split(columns, 2, axis=1)
    rng = np.random.default_rng(seed)
    observed, extreme = abs(estimate.value) - EQUAL, 0
    block = max(1, _BLOCK // n)
    for start in range(0, PERMUTATIONS, block):
        kept = rng.integers(0, 2, size=(min(block, PERMUTATIONS - start), n)).astype(float)
        moved = kept @ (one - other)
        swapped = np.concatenate([other.sum(axis=0) + moved, one.sum(axis=0) - moved], axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            extreme += int((np.abs(figure.of(swapped)) >= observed).sum())
    return Comparison(estimate, (extreme + 1) / (PERMUTATIONS + 1))
