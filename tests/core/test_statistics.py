"""Estimates and their intervals, in closed form and by bootstraps of whole clusters."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordojo.core.statistics import (
    NOTHING,
    Estimate,
    ResampledFigure,
    bootstrap_figures,
    gap_of,
    mean_interval,
    mean_of,
    paired_comparison,
)


def wilson(p: float, n: float) -> tuple[float, float]:
    """Roots of (p - x)^2 = z^2 x (1 - x) / n."""
    z2 = 1.959963984540054**2
    a, b, c = 1 + z2 / n, -(2 * p + z2 / n), p * p
    root = math.sqrt(max(0.0, b * b - 4 * a * c))
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


def bounds(estimate: Estimate) -> Any:
    return pytest.approx((estimate.low, estimate.high), abs=1e-9)


def ones(hits: int, n: int) -> list[float]:
    return [1.0] * hits + [0.0] * (n - hits)


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    # Newcombe 1998, Statistics in Medicine 17, table I, method 3.
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_without_clusters_it_is_wilsons_interval(
    hits: int, n: int, low: float, high: float
) -> None:
    estimate = mean_interval(ones(hits, n))
    assert (estimate.low, estimate.high) == pytest.approx((low, high), abs=5e-5)
    assert (estimate.value, estimate.n, estimate.clusters) == (hits / n, n, n)


def test_copies_of_an_observation_add_no_certainty() -> None:
    values = ones(4, 10)
    clusters = [place for place in range(10) for _ in range(7)]
    copied = mean_interval([value for value in values for _ in range(7)], clusters)
    # The design effect is 7 * G / (G - 1): nine observations are left of seventy.
    assert bounds(copied) == wilson(0.4, 9)
    assert (copied.value, copied.n, copied.clusters) == (0.4, 70, 10)


def test_clusters_that_balance_out_do_not_narrow_the_interval() -> None:
    values = [0.0, 1.0] * 20
    clustered = mean_interval(values, [place // 2 for place in range(40)])
    assert bounds(clustered) == wilson(0.5, 40)


def test_the_interval_covers_the_truth_where_clusters_decide() -> None:
    rng = np.random.default_rng(5)
    clusters = np.repeat(np.arange(40), 10)
    covered = {"clustered": 0, "independent": 0}
    for _ in range(300):
        chances = np.repeat(rng.beta(0.6, 1.4, size=40), 10)
        values = (rng.random(400) < chances).astype(float)
        for name, groups in (("clustered", list(clusters)), ("independent", None)):
            estimate = mean_interval(values.tolist(), groups)
            covered[name] += estimate.low <= 0.3 <= estimate.high
    assert covered["clustered"] > 0.91 * 300
    assert covered["independent"] < 0.8 * 300


@pytest.mark.parametrize("value", [0.0, 1.0, 5 / 6, 0.1])
@pytest.mark.parametrize("size", [1, 3])
def test_equal_values_count_once_a_cluster(value: float, size: int) -> None:
    estimate = mean_interval([value] * 12, [place // size for place in range(12)])
    assert bounds(estimate) == wilson(value, 12 / size)


@pytest.mark.parametrize("values", [[1.0], [1.0] * 9, [0.0] * 9, ones(5, 9)])
def test_a_single_cluster_is_a_single_observation(values: list[float]) -> None:
    estimate = mean_interval(values, ["one"] * len(values))
    assert bounds(estimate) == wilson(estimate.value, 1)
    assert estimate.clusters == 1


def test_nothing_is_nan_and_one_value_is_no_trouble() -> None:
    for nothing in (mean_interval([]), mean_interval([], [])):
        assert (nothing.n, nothing.clusters) == (0, 0)
        assert all(map(math.isnan, (nothing.value, nothing.low, nothing.high)))
    one = mean_interval([1.0])
    assert (one.value, one.high) == (1, 1) and one.low == pytest.approx(0.2065, abs=1e-4)


scores = st.lists(
    st.tuples(st.sampled_from([0.0, 1.0]) | st.floats(0, 1), st.integers(0, 5)), min_size=1
)


@given(scores)
def test_every_interval_lies_in_0_to_1_around_its_mean(pairs: list[tuple[float, int]]) -> None:
    values, clusters = [value for value, _ in pairs], [cluster for _, cluster in pairs]
    for groups in (None, clusters):
        estimate = mean_interval(values, groups)
        assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1
        assert estimate.low < estimate.high
        assert estimate.clusters == len(set(groups or range(len(values))))


def test_identical_runs_do_not_differ() -> None:
    same = paired_comparison(ones(3, 9), ones(3, 9))
    assert same.p_value == 1
    assert (same.difference.value, same.difference.low, same.difference.high) == (0, 0, 0)


def test_a_clear_difference_has_the_least_p_value_there_is() -> None:
    better, worse = ones(90, 100), ones(30, 100)
    comparison = paired_comparison(better, worse, draws=2000)
    assert comparison.p_value == 1 / 2001
    assert comparison.difference.value == pytest.approx(0.6)
    assert 0.4 < comparison.difference.low < 0.6 < comparison.difference.high < 0.8
    reverse = paired_comparison(worse, better, draws=2000)
    assert reverse.p_value == comparison.p_value
    assert reverse.difference.low == pytest.approx(-comparison.difference.high)


def test_the_p_value_is_that_of_all_sign_flips() -> None:
    # Three differences of 1: two of the eight arrangements are as extreme.
    comparison = paired_comparison([1, 1, 1], [0, 0, 0], draws=20_000)
    assert comparison.p_value == pytest.approx(2 / 8, abs=0.02)
    # A hundred of them in three clusters are no stronger evidence.
    clusters = [place % 3 for place in range(99)]
    clustered = paired_comparison([1.0] * 99, [0.0] * 99, clusters, draws=20_000)
    assert clustered.p_value == pytest.approx(2 / 8, abs=0.02)
    assert clustered.difference.clusters == 3


def test_chance_differences_are_rarely_significant() -> None:
    rng = np.random.default_rng(0)
    p_values = [
        paired_comparison(
            rng.integers(0, 2, 60).tolist(), rng.integers(0, 2, 60).tolist(), draws=400, seed=trial
        ).p_value
        for trial in range(200)
    ]
    assert 0 < sum(p <= 0.05 for p in p_values) < 22


@pytest.mark.parametrize("clusters", [None, ["x"]])
def test_one_pair_proves_nothing(clusters: list[str] | None) -> None:
    comparison = paired_comparison([1.0], [0.0], clusters)
    assert (comparison.p_value, comparison.difference.value) == (1, 1)


def test_no_pairs_are_nan_and_one_cluster_proves_nothing() -> None:
    nothing = paired_comparison([], [])
    assert nothing.difference == NOTHING and math.isnan(nothing.p_value)
    assert paired_comparison([1.0] * 50, [0.0] * 50, ["x"] * 50).p_value == 1


def test_a_bootstrap_agrees_with_the_interval_of_a_mean_and_repeats_itself() -> None:
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
