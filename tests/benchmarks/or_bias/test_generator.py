"""Single scenarios: what they show, what follows from it, and what is refused."""

import dataclasses
import math
import re
from collections import Counter
from typing import Any

import numpy as np
import pytest
from scipy import stats

from ordojo.benchmarks.or_bias.distributions import FAMILIES, IQR, implied_parameters
from ordojo.benchmarks.or_bias.schema import DISTRACTORS, Scenario, bucket_of, check
from ordojo.benchmarks.or_bias.sets import (
    LEAST_OPTIMUM,
    SAMPLE,
    make_scenario,
)
from ordojo.benchmarks.or_bias.stories import REMARKS, TRADES
from ordojo.core.errors import DataError, GeneratorError
from ordojo.core.seeds import generator

RANGES = {"L1": (0.4, 0.6), "L2": (0.8, 0.95), "L3": (0.3, 0.4), "L4": (0.6, 0.8)}


def make(level: str, index: int = 0, family: str = "normal", **settings: Any) -> Scenario:
    low, high = RANGES[level]
    rng = generator(5, f"or-bias/ID/{level}", index)
    return make_scenario(
        rng, index, "ID", level, **{"low": low, "high": high, "family": family} | settings
    )


def some(level: str, family: str = "normal", n: int = 60) -> list[Scenario]:
    return [make(level, index, family) for index in range(n)]


@pytest.mark.parametrize("level", RANGES)
def test_numbers_lie_in_the_ranges_of_the_paper_and_are_rounded(level: str) -> None:
    for s in some(level):
        assert 10 <= s.price <= 100
        assert 0 <= s.salvage <= 0.3 * s.price + 0.005
        assert all(round(x, 2) == x for x in (s.price, s.cost, s.salvage))
        mean, std = s.parameters["mean"], s.parameters["std"]
        assert isinstance(mean, float) and isinstance(std, float)
        assert 50 <= mean <= 200 and 10 <= std <= 50
        assert round(mean, 1) == mean and round(std, 1) == std
        low, high = RANGES[level]
        assert low <= s.critical_ratio <= high
        assert s.critical_ratio == (s.price - s.cost) / (s.price - s.salvage)


def test_the_optimum_is_the_papers_formula_on_the_shown_numbers() -> None:
    for s in some("L1") + some("L2"):
        price, cost, salvage = (float(x) for x in (s.price, s.cost, s.salvage))
        ratio = (price - cost) / (price - salvage)
        mean, std = s.parameters["mean"], s.parameters["std"]
        assert s.optimum == pytest.approx(mean + std * stats.norm.ppf(ratio), rel=1e-9)


def test_the_examples_of_the_paper() -> None:
    balanced = Scenario(0, "ID", "L1", 60, 30, 0, "normal", {"mean": 100, "std": 20})
    assert balanced.critical_ratio == 0.5
    assert balanced.optimum == pytest.approx(100, abs=1e-12)
    scarce = Scenario(0, "OOD", "L1", 55, 50, 5, "normal", {"mean": 100, "std": 20})
    assert scarce.critical_ratio == 0.1
    assert scarce.optimum == pytest.approx(74.369, abs=1e-3)


def test_percentiles_alone_give_the_optimum() -> None:
    for s in some("L4"):
        (_, low), (_, middle), (_, high) = s.percentiles
        assert [p for p, _ in s.percentiles] == [0.25, 0.5, 0.75]
        right = middle + (high - low) / IQR * stats.norm.ppf(s.critical_ratio)
        assert s.optimum == pytest.approx(right, rel=1e-9)
        # Rounded percentiles are near the parameters, which are not told.
        assert s.demand.mean == s.parameters["mean"]
        assert s.demand.std == pytest.approx(s.parameters["std"], abs=0.1)
        told = re.sub(r"P\d+ = [\d.]+|\$[\d.]+", "", s.text)
        assert not re.search(r"\d", told), told


def test_the_papers_iqr_is_an_option() -> None:
    s = make("L4", iqr=1.35)
    exact = dataclasses.replace(s, iqr=IQR)
    spread = s.percentiles[2][1] - s.percentiles[0][1]
    assert s.demand.std == pytest.approx(spread / 1.35)
    assert 0 < abs(s.optimum - exact.optimum) < 0.1


@pytest.mark.parametrize(
    ("family", "percentiles"),
    [
        ("lognormal", stats.lognorm(0.4, scale=90).ppf([0.25, 0.5, 0.75])),
        ("gamma", stats.gamma(4.2, scale=21).ppf([0.25, 0.5, 0.75])),
        ("poisson", stats.poisson(87).ppf([0.25, 0.5, 0.75])),
    ],
)
def test_percentiles_give_back_the_demand_they_came_from(
    family: str, percentiles: list[float]
) -> None:
    shown = tuple(zip((0.25, 0.5, 0.75), map(float, percentiles), strict=True))
    found = implied_parameters(family, shown)
    right = {
        "lognormal": stats.lognorm(0.4, scale=90),
        "gamma": stats.gamma(4.2, scale=21),
        "poisson": stats.poisson(87),
    }[family]
    assert found["mean"] == pytest.approx(right.mean(), rel=1e-9)
    if family != "poisson":
        assert found["std"] == pytest.approx(right.std(), rel=1e-9)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("level", RANGES)
def test_every_family_is_valid_and_says_what_it_is(family: str, level: str) -> None:
    for s in some(level, family, 25):
        check(s)
        assert s.optimum >= LEAST_OPTIMUM * s.demand.mean
        if family == "empirical":
            assert f"{SAMPLE} " in s.text
        else:
            assert (family if family != "poisson" else "Poisson") in s.text
        if family == "poisson":
            assert s.optimum == int(s.optimum)


def test_an_empirical_optimum_is_the_only_one() -> None:
    for s in some("L1", "empirical"):
        sample = np.sort(s.parameters["sample"])
        rank = s.critical_ratio * len(sample)
        assert abs(rank - round(rank)) > 1e-6
        assert s.optimum == sample[int(np.ceil(rank)) - 1]


def test_each_distractor_is_one_remark_of_its_kind_and_changes_nothing() -> None:
    scenarios = some("L3", n=200)
    assert Counter(s.distractor for s in scenarios) == dict.fromkeys(DISTRACTORS, 40)
    seen: dict[str, set[int]] = {kind: set() for kind in DISTRACTORS}
    for s in scenarios:
        found = [
            (kind, place)
            for kind, wordings in REMARKS.items()
            for place, wording in enumerate(wordings)
            if re.search(re.sub(r"\\\{.*?\\\}", r".{1,40}?", re.escape(wording)), s.text)
        ]
        assert {kind for kind, _ in found} == {s.distractor}
        seen[s.distractor] |= {place for _, place in found}
        if limit := re.search(r"(\d{3}) units\.|space for (\d+)|Up to (\d+)", s.text):
            assert float(next(filter(None, limit.groups()))) > 2 * s.optimum
    assert all(len(places) == len(REMARKS[kind]) for kind, places in seen.items())
    assert all(DISTRACTORS.values())


def test_wording_is_not_the_test() -> None:
    texts = [s.text for s in some("L1", n=400)]
    shapes = Counter(re.sub(r"\d+(\.\d+)?", "#", text) for text in texts)
    assert len(TRADES) >= 12
    assert len(shapes) > 380
    money_first = sum(
        t.index("$") < re.search(r"(?i)mean|expected value", t).start() for t in texts
    )
    assert 150 < money_first < 250
    for trade in TRADES:
        assert sum(trade.items in text for text in texts) > 5


def test_a_range_with_nothing_in_it_is_named() -> None:
    with pytest.raises(GeneratorError, match=r"\[1e-07, 2e-07\]"):
        make("L1", low=1e-7, high=2e-7)


@pytest.mark.parametrize(
    ("ratio", "bucket"),
    [
        (0.05, "very low"),
        (0.2, "low"),
        (0.4, "neutral"),
        (0.6, "high"),
        (0.8, "high"),
        (0.81, "very high"),
        (0.99, "very high"),
    ],
)
def test_buckets_are_the_papers(ratio: float, bucket: str) -> None:
    assert bucket_of(ratio) == bucket


@pytest.mark.parametrize(
    ("level", "family", "changes", "says"),
    [
        ("L1", "normal", {"cost": 1e5}, "price .* lies below cost"),
        ("L1", "normal", {"salvage": 99.0, "cost": 50.0, "price": 100.0}, "salvage .* above cost"),
        ("L1", "normal", {"cost": 30.0, "price": 30.0, "salvage": 1.0}, "critical ratio is 0"),
        ("L1", "normal", {"cost": 1.0, "price": 30.0, "salvage": 1.0}, "critical ratio is 1"),
        ("L1", "normal", {"salvage": -1.0}, "salvage .* negative"),
        ("L1", "normal", {"price": math.nan}, "price is nan"),
        ("L1", "normal", {"cost": math.inf}, "cost is inf"),
        ("L1", "normal", {"price": 1e300}, "price is 1e\\+300"),
        ("L1", "normal", {"parameters": {"mean": 100.0, "std": 0.0}}, "std is 0.0"),
        ("L1", "normal", {"parameters": {"mean": 100.0, "std": -3.0}}, "std is -3.0"),
        ("L1", "normal", {"parameters": {"mean": math.nan, "std": 3.0}}, "mean is nan"),
        ("L1", "normal", {"parameters": {"mean": 100.0}}, "parameters lack 'std'"),
        ("L1", "normal", {"parameters": {"mean": 1.0, "std": 1.0, "x": 1.0}}, "parameters have"),
        ("L1", "poisson", {"parameters": {"mean": 1e18}}, "mean is 1e\\+18"),
        ("L1", "lognormal", {"parameters": {"mean": 1e-300, "std": 1e6}}, "optimum"),
        ("L1", "empirical", {"parameters": {"sample": ()}}, "sample must be a list"),
        ("L1", "empirical", {"parameters": {"sample": (3.0, 3.0)}}, "sample has nothing but 3"),
        ("L1", "empirical", {"parameters": {"sample": (3.0, -3.0)}}, "sample has a negative"),
        ("L2", "normal", {"parameters": {"mean": 5.0, "std": 50.0}, "cost": 99.0, "price": 100.0,
                          "salvage": 0.0}, "optimum -"),
        ("L1", "normal", {"percentiles": ((0.25, 1.0),)}, "percentiles must be shown in level L4"),
        ("L4", "normal", {"percentiles": ()}, "percentiles must be shown in level L4"),
        ("L4", "normal", {"percentiles": ((0.25, 9.0), (0.5, 5.0), (0.75, 1.0))}, "not fall"),
        ("L4", "normal", {"percentiles": ((0.25, 9.0), (0.5, 9.0), (0.75, 9.0))}, "std is 0"),
        ("L4", "normal", {"percentiles": ((0.1, 9.0), (0.5, 19.0), (0.9, 29.0))}, "P25, P50"),
        ("L4", "gamma", {"percentiles": ((0.25, 0.0), (0.5, 9.0), (0.75, 19.0))}, "mean is nan"),
        ("L3", "normal", {"distractor": "gossip"}, "distractor is 'gossip'"),
        ("L3", "normal", {"distractor": ""}, "distractor must be named"),
        ("L1", "normal", {"level": "L5"}, "level is 'L5'"),
        ("L1", "normal", {"family": "cauchy"}, "family is 'cauchy'"),
        ("L1", "normal", {"text": " "}, "text is empty"),
        ("L4", "normal", {"iqr": 2.0}, "iqr is 2.0"),
    ],
)  # fmt: skip
def test_what_is_invalid_is_refused_by_name(
    level: str, family: str, changes: dict[str, Any], says: str
) -> None:
    with pytest.raises(DataError, match=says):
        check(dataclasses.replace(make(level, family=family), **changes))
