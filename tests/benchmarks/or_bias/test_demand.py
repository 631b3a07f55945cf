"""The five families against simulation, numerical integration and scipy's own distributions."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from ordojo.benchmarks.or_bias.distributions import FAMILIES, Demand, make_demand
from ordojo.core.errors import DataError

SAMPLE = (12.0, 80.0, 95.5, 95.5, 101.0, 130.0, 44.0, 60.0, 71.0, 200.0)
EXAMPLES = {
    "normal": {"mean": 100.0, "std": 25.0},
    "lognormal": {"mean": 100.0, "std": 60.0},
    "gamma": {"mean": 100.0, "std": 70.0},
    "poisson": {"mean": 17.3},
    "empirical": {"sample": SAMPLE},
}


def example(family: str) -> Demand:
    return make_demand(family, EXAMPLES[family])


def reference(family: str, mean: float, std: float):
    if family == "normal":
        return stats.norm(mean, std)
    if family == "lognormal":
        spread = math.sqrt(math.log(1 + (std / mean) ** 2))
        return stats.lognorm(spread, scale=mean / math.sqrt(1 + (std / mean) ** 2))
    return stats.gamma((mean / std) ** 2, scale=std**2 / mean)


@pytest.mark.parametrize("family", FAMILIES)
def test_simulation_agrees_with_every_expectation(family):
    demand = example(family)
    draws = demand.sample(np.random.default_rng(7), 400_000)
    tolerance = 5 * draws.std() / math.sqrt(len(draws))
    assert draws.mean() == pytest.approx(demand.mean, abs=tolerance)
    assert draws.std() == pytest.approx(demand.std, rel=0.02)
    for q in (0.0, 13.0, 17.0, 17.5, 60.0, 95.5, 100.0, 140.0, 400.0):
        assert (draws <= q).mean() == pytest.approx(demand.cdf(q), abs=0.005)
        below = np.where(draws <= q, draws, 0).mean()
        assert below == pytest.approx(demand.partial_expectation(q), abs=tolerance)
        left = np.maximum(q - draws, 0).mean()
        assert left == pytest.approx(demand.expected_leftover(q), abs=tolerance)


@pytest.mark.parametrize("family", ["normal", "lognormal", "gamma"])
@pytest.mark.parametrize("variation", [0.05, 0.3, 1.0, 1.8])
def test_integration_agrees_with_the_partial_expectation(family, variation):
    mean = 250.0
    demand = make_demand(family, {"mean": mean, "std": variation * mean})
    known = reference(family, mean, variation * mean)
    assert known.mean() == pytest.approx(mean) and known.std() == pytest.approx(demand.std)
    for p in (0.02, 0.3, 0.5, 0.9, 0.999):
        q = float(known.ppf(p))
        assert demand.quantile(p) == pytest.approx(q, rel=1e-9, abs=1e-9 * mean)
        assert demand.cdf(q) == pytest.approx(p, abs=1e-12)
        # E[D; D <= q] as the integral of the quantile function up to p.
        area, _ = integrate.quad(known.ppf, 0, p, limit=400, epsabs=1e-8, epsrel=1e-10)
        assert demand.partial_expectation(q) == pytest.approx(area, rel=1e-6, abs=1e-6 * mean)


@given(mean=st.floats(0.05, 3000), p=st.floats(1e-6, 1 - 1e-6))
@settings(max_examples=300)
def test_poisson_quantile_is_the_smallest_that_reaches_the_ratio(mean, p):
    demand = make_demand("poisson", {"mean": mean})
    q = demand.quantile(p)
    assert q == int(q) and q >= 0
    assert demand.cdf(q) >= p - 1e-12
    assert q == 0 or demand.cdf(q - 1) < p
    assert q == pytest.approx(stats.poisson(mean).ppf(p), abs=0)


@given(
    sample=st.lists(st.integers(0, 60), min_size=2, max_size=40).filter(lambda x: len(set(x)) > 1),
    p=st.floats(1e-6, 1 - 1e-6),
)
@settings(max_examples=300)
def test_empirical_quantile_and_sums_are_those_of_the_sample(sample, p):
    demand = make_demand("empirical", {"sample": tuple(map(float, sample))})
    q = demand.quantile(p)
    assert q in sample
    assert sum(x <= q for x in sample) >= p * len(sample) - 1e-9
    smaller = [x for x in sample if x < q]
    assert not smaller or len(smaller) < p * len(sample)
    for at in (q, q + 0.5, 0.0, 100.0):
        assert demand.expected_leftover(at) == pytest.approx(
            np.maximum(at - np.array(sample), 0).mean()
        )
    assert demand.mean == pytest.approx(np.mean(sample))
    assert demand.std == pytest.approx(np.std(sample))


@pytest.mark.parametrize("share", range(1, 10))
def test_a_ratio_that_hits_a_step_takes_the_lower_unit(share):
    demand = make_demand("empirical", {"sample": tuple(float(x) for x in range(1, 11))})
    for price, cost, salvage in [(10.0, 10.0 - share, 0.0), (1.1, 1.1 - share / 10, 0.1)]:
        ratio = (price - cost) / (price - salvage)
        assert demand.quantile(ratio) in (share, share + (ratio > share / 10 + 1e-9))
    assert demand.quantile(0.1 * share) == share


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_left_over_is_the_integral_of_the_distribution(family):
    demand = example(family)
    low = demand.mean - 15 * demand.std
    for q in (-50.0, 0.0, demand.mean - demand.std, demand.mean, demand.mean + 2 * demand.std):
        left = demand.expected_leftover(q)
        assert left >= 0 and demand.mean - q + left >= -1e-9
        grid = np.linspace(low, max(q, low), 4_001)
        area = np.trapezoid([demand.cdf(x) for x in grid], grid)
        # A step of a discrete distribution is seen at most one cell too early or too late.
        assert left == pytest.approx(area, abs=1e-6 + grid[1] - grid[0])


@pytest.mark.parametrize("family", FAMILIES)
def test_equal_parameters_give_the_same_hashable_object(family):
    assert example(family) is example(family)
    assert hash(example(family)) == hash(example(family))
    assert example(family).family == family


def test_a_sample_may_be_a_list_as_in_json():
    assert make_demand("empirical", {"sample": list(SAMPLE)}) is example("empirical")  # type: ignore[dict-item]


@pytest.mark.parametrize(
    ("family", "parameters", "named"),
    [
        ("normal", {"mean": 100.0}, "'std'"),
        ("normal", {"std": 100.0}, "'mean'"),
        ("normal", {"mean": 100.0, "std": 0.0}, "std is 0.0"),
        ("gamma", {"mean": 100.0, "std": -1.0}, "std is -1.0"),
        ("lognormal", {"mean": 0.0, "std": 1.0}, "mean is 0.0"),
        ("normal", {"mean": math.nan, "std": 1.0}, "mean is nan"),
        ("normal", {"mean": 1.0, "std": math.inf}, "std is inf"),
        ("normal", {"mean": "many", "std": 1.0}, "'many'"),
        ("normal", {"mean": True, "std": 1.0}, "mean is True"),
        ("poisson", {}, "'mean'"),
        ("poisson", {"mean": -3.0}, "mean is -3.0"),
        ("empirical", {}, "'sample'"),
        ("empirical", {"sample": ()}, "sample"),
        ("empirical", {"sample": (1.0, -2.0)}, "sample"),
        ("empirical", {"sample": (1.0, math.nan)}, "sample"),
        ("empirical", {"sample": (4.0, 4.0)}, "nothing but 4"),
        ("zeta", {"mean": 2.0}, "'zeta'"),
    ],
)
def test_impossible_parameters_are_refused_by_name(family, parameters, named):
    with pytest.raises(DataError, match=named):
        make_demand(family, parameters)
