"""OR-Bias-Bench's figures: what theory says they are, and intervals that hold what they promise."""

import math
import time
from collections.abc import Mapping, Sequence
from functools import cache
from statistics import NormalDist, fmean

import numpy as np
import pytest
from scipy.stats import kstest

from ordojo.benchmarks.or_bias.judges import (
    OrderDecision,
    absolute,
    compare_bias,
    compare_weight,
    decisions,
    metrics,
    regression,
)
from ordojo.benchmarks.or_bias.schema import BUCKETS, LEVELS, Scenario
from ordojo.benchmarks.or_bias.sets import ID_RANGES, uniformity
from ordojo.core.records import SampleRecord
from ordojo.core.statistics import Estimate, bootstrap_figures, gap_of, mean_interval
from tests.benchmarks.or_bias.made import Decide, anchored, gold, record, records, scenarios, silent
from tests.core.helpers import failed

RULE = "rational"
NORMAL = NormalDist()


def by_hand(scenario: Scenario) -> tuple[float, float, float]:
    """Mean, optimum and critical ratio from what the text shows, without the project's code."""
    ratio = (scenario.price - scenario.cost) / (scenario.price - scenario.salvage)
    if scenario.percentiles:
        q25, mean, q75 = (quantile for _, quantile in scenario.percentiles)
        std = (q75 - q25) / (NORMAL.inv_cdf(0.75) - NORMAL.inv_cdf(0.25))
    else:
        mean, std = (scenario.parameters[name] for name in ("mean", "std"))
    assert isinstance(mean, float) and isinstance(std, float)
    return mean, mean + std * NORMAL.inv_cdf(ratio), ratio


def theory(asked: Sequence[Scenario], weight: float) -> float:
    """E[Q/Q* | CR > 0.5] - E[Q/Q* | CR < 0.5] of someone who weighs the mean so."""
    high, low = [], []
    for mean, optimum, ratio in map(by_hand, asked):
        error = weight * (mean - optimum) / optimum
        (high if ratio > 0.5 else low).append(1 + error)
    return fmean(high) - fmean(low)


def test_gold_is_rational_without_bias_and_without_regret() -> None:
    figures = metrics(records(gold), RULE)
    assert next(iter(figures)) == "rationality"
    assert figures["rationality"].value == figures["within_1pct"].value == 1
    for name in ("", "/ID", "/OOD", *(f"/{level}" for level in LEVELS)):
        bias = figures[f"bias_difference{name}"]
        assert bias.low == 0 and bias.value <= bias.high <= 1e-9
    for name in ("regret", "relative_regret", "relative_error", "id_to_ood", "weight_of_mean"):
        assert figures[name].value == pytest.approx(0, abs=1e-9), name
        assert figures[name].high <= 1e-8, name
    weight = figures["anchoring_weight"]
    assert weight.low <= 0 <= weight.high and weight.high - weight.low < 1e-6
    assert figures["slope"].value == pytest.approx(1)
    assert figures["weight_of_optimum"].value == pytest.approx(1)


@pytest.mark.parametrize("seed", [0, 1])
def test_always_mean_has_the_bias_difference_of_theory(seed: int) -> None:
    asked = scenarios(seed)
    figures = metrics(records(anchored(1), asked), RULE)
    parts = {"": asked}
    parts |= {f"/{split}": [s for s in asked if s.split == split] for split in ("ID", "OOD")}
    parts |= {f"/{level}": [s for s in asked if s.level == level] for level in LEVELS}
    for name, part in parts.items():
        expected = theory(part, 1)
        assert expected < 0
        assert figures[f"bias_difference{name}"].value == pytest.approx(-expected, abs=1e-9)
        assert figures[f"pull_to_center{name}"].value == pytest.approx(-expected, abs=1e-9)
    change = abs(theory(parts["/OOD"], 1)) - abs(theory(parts["/ID"], 1))
    assert figures["id_to_ood"].value == pytest.approx(change, abs=1e-9)
    assert figures["id_to_ood"].low < change < figures["id_to_ood"].high


@pytest.mark.parametrize("weight", [0, 0.3, 0.6, 0.9, 1, -0.1, 1.3])
def test_the_weight_of_the_mean_is_found(weight: float) -> None:
    figures = metrics(records(anchored(weight)), RULE)
    for name in ("", "/ID", "/OOD", "_with_intercept", *(f"/{level}" for level in LEVELS)):
        found = figures[f"anchoring_weight{name}"]
        assert found.low <= weight <= found.high
        assert found.value == pytest.approx(weight, abs=1e-9)
    assert figures["anchoring_intercept"].value == pytest.approx(0, abs=1e-9)
    assert figures["weight_of_mean"].value == pytest.approx(weight, abs=1e-9)
    assert figures["weight_of_optimum"].value == pytest.approx(1 - weight, abs=1e-9)
    bias = figures["bias_difference"]
    assert bias.value == pytest.approx(abs(theory(scenarios(), weight)), abs=1e-9)


@pytest.mark.parametrize("weight", [0, 0.3, 0.6, 0.9])
def test_the_weight_is_in_its_interval_as_often_as_promised(weight: float) -> None:
    asked = [(*by_hand(s)[:2], s.demand.std) for s in scenarios()[:200]]
    mean, optimum, std = np.array(asked).T
    rng = np.random.default_rng(1)
    covered = 0
    for _ in range(400):
        q = weight * mean + (1 - weight) * optimum + rng.normal(0, 0.5, len(mean)) * std
        (found,) = regression(q - optimum, [mean - optimum], np.arange(len(mean)))
        covered += found.low <= weight <= found.high
    assert 0.92 <= covered / 400 <= 0.98


def test_a_regression_is_the_textbooks() -> None:
    rng = np.random.default_rng(0)
    x, groups = rng.normal(size=30), np.repeat(np.arange(10), 3)
    y = 2 * x - 1 + rng.normal(size=30)
    slope, constant = regression(y, [x, np.ones(30)], groups)
    fitted = np.polyfit(x, y, 1)
    assert [slope.value, constant.value] == pytest.approx(fitted.tolist())
    design = np.stack([x, np.ones(30)], axis=1)
    bread = np.linalg.inv(design.T @ design)
    residual = y - design @ fitted
    meat = np.zeros((2, 2))
    for group in range(10):
        score = design[groups == group].T @ residual[groups == group]
        meat += np.outer(score, score)
    errors = np.sqrt(np.diag(bread @ meat @ bread) * 10 / 9 * 29 / 28)
    assert slope.high - slope.value == pytest.approx(2.262157 * errors[0], rel=1e-5)
    assert constant.value - constant.low == pytest.approx(2.262157 * errors[1], rel=1e-5)
    assert (slope.n, slope.clusters) == (30, 10)


@pytest.mark.parametrize("columns", [[np.zeros(5)], [np.ones(5), 2 * np.ones(5)]])
def test_what_the_columns_do_not_determine_is_nan(columns: list[np.ndarray]) -> None:
    for estimate in regression(np.arange(5.0), columns, np.arange(5)):
        assert math.isnan(estimate.value) and math.isnan(estimate.low) and estimate.n == 0


def test_an_absolute_value_has_its_interval() -> None:
    def ends(value: float, low: float, high: float) -> tuple[float, float, float]:
        found = absolute(Estimate(value, low, high, 5, 5))
        return found.value, found.low, found.high

    assert ends(-2, -3, -1) == (2, 1, 3)
    assert ends(-0.1, -0.5, 0.3) == (0.1, 0, 0.5)
    assert ends(2, 1, 3) == (2, 1, 3)
    value, low, high = ends(1, math.nan, math.nan)
    assert value == 1 and math.isnan(low) and math.isnan(high)


GROUPS = ("all", "one", "two", "silent", "half", "negative", "huge", "zero", "same")


@cache
def group_of(kind: str) -> list[SampleRecord]:
    """Records that are alike in one way, made when first asked for: not while tests are found."""
    decide: Mapping[str, Decide] = {
        "silent": silent,
        "half": lambda s: s.optimum if s.index % 2 else None,
        "negative": lambda s: -1.0,
        "huge": lambda s: 99 * s.demand.mean,
        "zero": lambda s: 0.0,
    }
    every = records(decide.get(kind, anchored(0.5)))
    parts = {"one": every[:1], "two": every[:2], "same": every[:1] * 9}
    return parts.get(kind, every)


SHARES = ("rationality", "within_5pct", "within_1pct", "unparsed_rate")


@pytest.mark.parametrize("kind", GROUPS)
@pytest.mark.parametrize("rule", ["rational", "within-5pct", "within-1pct"])
def test_every_interval_holds_its_value(kind: str, rule: str) -> None:
    for name, figure in metrics(group_of(kind), rule).items():
        if math.isnan(figure.value):
            assert math.isnan(figure.low) and math.isnan(figure.high) and figure.n == 0, name
        elif not math.isnan(figure.low):
            assert figure.low <= figure.value <= figure.high, name
        else:
            assert figure.clusters <= 2 and math.isnan(figure.high), name
        if name.partition("/")[0] in SHARES and figure.n:
            assert 0 <= figure.low <= figure.high <= 1


def test_nothing_scored_gives_nan_everywhere() -> None:
    for group, rule in ([], RULE), ([failed("x", "1")], RULE), (group_of("all"), "other"):
        figures = metrics(group, rule)
        assert all(math.isnan(f.value) and math.isnan(f.low) and f.n == 0 for f in figures.values())
        assert figures.keys() == metrics(group_of("all"), RULE).keys()


@pytest.mark.parametrize("kind", ["silent", "negative"])
def test_a_run_without_a_rational_answer_has_shares_alone(kind: str) -> None:
    for name, figure in metrics(group_of(kind), RULE).items():
        if name == "unparsed_rate":
            assert figure.value == (kind == "silent")
        else:
            share = name.partition("/")[0] in SHARES
            assert figure.value == 0 if share else math.isnan(figure.value), name


def test_what_is_not_rational_enters_no_mean() -> None:
    read = records(anchored(0.4))
    extra = [record(s, q, epoch=2) for s in scenarios()[:100] for q in (None, -5.0)]
    before, after = metrics(read, RULE), metrics(read + extra, RULE)
    assert after["rationality"].value == pytest.approx(600 / 800)
    for name in before:
        if name.partition("/")[0] not in SHARES:
            assert after[name].value == pytest.approx(before[name].value, abs=1e-12), name


def test_each_rule_has_its_headline_first() -> None:
    group = records(lambda s: s.optimum * (1.03 if s.index % 2 else 1.2))
    for rule in ("rational", "within-5pct", "within-1pct"):
        headline, figure = next(iter(metrics(group, rule).items()))
        assert headline.replace("_", "-").startswith(rule[:8])
        scores = [v.score for r in group if (v := r.verdict(rule)) is not None]
        assert figure.value == fmean(score for score in scores if score is not None)


def test_parts_are_the_figures_of_their_records() -> None:
    group = records(anchored(0.7))
    figures = metrics(group, RULE)
    for label, values in ("split", ("ID", "OOD")), ("level", LEVELS), ("bucket", BUCKETS):
        for value in values:
            own = metrics([r for r in group if r.labels[label] == value], RULE)
            for name in ("ratio", "regret", "relative_error", "within_5pct", "rationality"):
                part = figures[f"{name}/{value}"]
                assert part.value == pytest.approx(own[name].value), (name, value)
                assert part.n == own[name].n


def test_repetitions_of_one_item_are_one_cluster() -> None:
    rng = np.random.default_rng(0)
    asked = [(s, 0.5 * s.demand.mean + 0.5 * s.optimum + rng.normal(0, 9)) for s in scenarios()]
    once = metrics([record(s, q) for s, q in asked], RULE)
    often = metrics([record(s, q, epoch) for epoch in (1, 2, 3) for s, q in asked], RULE)
    for name in ("bias_difference", "regret", "anchoring_weight", "rationality", "slope"):
        one, many = once[name], often[name]
        assert many.value == pytest.approx(one.value)
        assert many.clusters == one.clusters and many.n == 3 * one.n
        assert many.high - many.low > 0.9 * (one.high - one.low)


def test_the_bias_interval_holds_the_truth_as_often_as_promised() -> None:
    rng = np.random.default_rng(0)
    high = np.arange(120) % 2 == 0
    covered = 0
    for seed in range(200):
        x = np.where(high, 0.9, 1.2) + rng.normal(0, 0.3, 120)
        found = bootstrap_figures({"": gap_of(x, ~high, high)}, np.arange(120), seed)[""]
        covered += found.low <= 0.3 <= found.high
    assert 0.9 <= covered / 200 <= 0.98


def answered(decide: Decide, noise: float = 0.0, seed: int = 0) -> list[OrderDecision]:
    rng = np.random.default_rng(seed)
    return [
        OrderDecision((decide(s) or 0) + rng.normal(0, noise), *by_hand(s)[1::-1], by_hand(s)[2])
        for s in scenarios()
    ]


def test_one_run_against_another() -> None:
    mean, best = answered(anchored(1)), answered(gold)
    bias, weight = compare_bias(mean, best), compare_weight(mean, best)
    expected = metrics(records(anchored(1)), RULE)["bias_difference"]
    assert bias.difference.value == pytest.approx(expected.value)
    assert weight.difference.value == pytest.approx(1)
    assert bias.p_value == weight.p_value == pytest.approx(1 / 2001)
    other = compare_bias(best, mean)
    assert other.difference.value == pytest.approx(-bias.difference.value)
    same = compare_bias(mean, mean)
    assert (same.difference.value, same.difference.low, same.difference.high) == (0, 0, 0)
    assert same.p_value == compare_weight(best, best).p_value == 1


def test_runs_that_do_not_differ_are_seldom_told_apart() -> None:
    biases, weights = [], []
    for seed in range(30):
        first, second = (answered(anchored(0.5), 10, 2 * seed + i) for i in (0, 1))
        biases.append(compare_bias(first, second).p_value)
        weights.append(compare_weight(first, second).p_value)
    for found in biases, weights:
        assert sum(p < 0.05 for p in found) <= 5
        assert kstest(found, "uniform").pvalue > 0.001


def test_a_comparison_of_nothing_is_nan() -> None:
    found = compare_bias([], [])
    assert math.isnan(found.difference.value) and math.isnan(found.p_value)
    # One side of CR 0.5 alone leaves the bias difference undefined.
    half = [item for item in answered(gold) if item.critical_ratio > 0.5]
    assert math.isnan(compare_bias(half, half).p_value)


def test_decisions_are_means_over_epochs() -> None:
    scenario = scenarios()[0]
    group = [record(scenario, q, epoch) for epoch, q in enumerate((10.0, 20.0, None), 1)]
    (found,) = decisions(group, RULE).values()
    assert found == OrderDecision(15.0, *found[1:]) and found.optimum == scenario.optimum


def test_the_uniformity_test_is_kolmogorovs_over_both_ranges_of_l2() -> None:
    x = [s.critical_ratio for s in scenarios() if s.split == "ID" and s.level == "L2"]
    found = uniformity(x, ID_RANGES["L2"])
    mapped = [r - 0.05 if r < 0.5 else r - 0.65 for r in x]
    test = kstest(mapped, "uniform", (0, 0.3))
    assert found.ks == pytest.approx(test.statistic) and found.holds
    assert kstest(x, "uniform", (0.05, 0.9)).pvalue < 1e-6


def test_two_thousand_records_take_well_under_two_seconds() -> None:
    group = records(anchored(0.5)) + [record(s, s.optimum, e) for e in (2, 3) for s in scenarios()]
    metrics(group, RULE)
    start = time.perf_counter()
    metrics(group, RULE)
    assert time.perf_counter() - start < 2


def test_shares_have_wilsons_interval() -> None:
    figures = metrics(group_of("half"), RULE)
    hits = [float(s.index % 2) for s in scenarios()]
    assert figures["rationality"] == mean_interval(hits, range(600))
