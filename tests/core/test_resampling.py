"""Percentile bootstraps by whole clusters."""

import math

import numpy as np
import pytest

from ordojo.core.resampling import ResampledFigure, bootstrap_figures, gap_of, mean_of
from ordojo.core.statistics import mean_interval


def test_it_agrees_with_the_interval_of_a_mean_and_repeats_itself() -> None:
    values, alone = np.repeat([1.0, 0.0], [40, 60]), np.arange(100)
    found = bootstrap_figures({"mean": mean_of(values)}, alone, draws=2000)["mean"]
    assert found == bootstrap_figures({"mean": mean_of(values)}, alone, draws=2000)["mean"]
    assert found != bootstrap_figures({"mean": mean_of(values)}, alone, 1, draws=2000)["mean"]
    expected = mean_interval(values.tolist())
    assert found.value == expected.value == 0.4
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=0.02)
    assert (found.n, found.clusters) == (100, 100)


def test_whole_clusters_are_drawn() -> None:
    groups = np.array([0, 1, 0, 2, 1, 0])
    drawn = []

    def watched(sums: np.ndarray) -> np.ndarray:
        drawn.append(sums)
        return sums[:, 0] / sums.sum(axis=1)

    every = np.ones(6, dtype=bool)
    columns = tuple(np.eye(6))
    found = bootstrap_figures({"": ResampledFigure(every, columns, watched)}, groups, draws=50)[""]
    assert (found.n, found.clusters) == (6, 3)
    (sums,) = drawn
    assert (sums[0] == 1).all() and len(sums) == 51
    assert (sums[:, 0] == sums[:, 2]).all() and (sums[:, 0] == sums[:, 5]).all()
    assert (sums[:, 1] == sums[:, 4]).all()
    assert (sums[:, 0] + sums[:, 1] + sums[:, 3] == 3).all()
    assert len(np.unique(sums, axis=0)) > 3


def test_a_gap_looks_at_its_own_rows() -> None:
    rng = np.random.default_rng(0)
    x, groups = rng.normal(size=300), np.repeat(np.arange(100), 3)
    first, second = rng.random(300) < 0.5, rng.random(300) < 0.3
    found = bootstrap_figures({"gap": gap_of(x, first, second)}, groups, draws=1000)["gap"]
    assert found.value == pytest.approx(x[first].mean() - x[second].mean())
    assert found.n == int((first | second).sum())
    by_hand = []
    for _ in range(1000):
        rows = (rng.integers(100, size=100)[:, None] * 3 + np.arange(3)).ravel()
        by_hand.append(x[rows][first[rows]].mean() - x[rows][second[rows]].mean())
    low, high = np.quantile(by_hand, [0.025, 0.975])
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.1 * (high - low))


def test_what_has_no_value_is_nan_and_warns_of_nothing() -> None:
    nothing = bootstrap_figures({"": mean_of(np.empty(0))}, np.empty(0, dtype=np.intp))[""]
    assert (nothing.n, nothing.clusters) == (0, 0) and math.isnan(nothing.value)
    every = np.ones(5, dtype=bool)
    never = ResampledFigure(every, (every.astype(float),), lambda s: np.full(len(s), math.nan))
    found = bootstrap_figures({"": never}, np.arange(5))[""]
    assert math.isnan(found.value) and math.isnan(found.low) and math.isnan(found.high)
    at_times = gap_of(np.array([0.25, 0, 0]), np.array([True, False, False]), every[:3])
    found = bootstrap_figures({"": at_times}, np.arange(3))[""]
    assert found.low <= found.value <= found.high
    one = bootstrap_figures({"": mean_of(np.ones(4))}, np.zeros(4, dtype=np.intp))[""]
    assert one.value == 1 and math.isnan(one.low) and one.clusters == 1
