"""Closed-form profit against simulation, and the optimum against numerical maximisation."""

import math
import time
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ordojo.benchmarks.or_bias.distributions import (
    FAMILIES,
    Demand,
    DiscreteDemand,
    expected_profit,
    make_demand,
    optimal_order,
    optimal_profit,
    regret,
)
from ordojo.core.errors import BenchmarkError
from ordojo.core.seeds import generator


@dataclass(frozen=True)
class Sale:
    price: float
    cost: float
    salvage: float
    demand: Demand

    @property
    def terms(self):
        return self.price, self.cost, self.salvage, self.demand

    @property
    def optimum(self):
        return optimal_order(*self.terms)


def a_sale(family: str, index: int) -> Sale:
    """A random scenario, with critical ratios over the whole of (0.02, 0.98)."""
    rng = generator(3, f"test/{family}", index)
    ratio, price = rng.uniform(0.02, 0.98), rng.uniform(2, 500)
    salvage = price * rng.uniform(0, 0.6)
    cost = price - ratio * (price - salvage)
    mean = math.exp(rng.uniform(math.log(5), math.log(5000)))
    if family == "empirical":
        values = rng.gamma(4, mean / 4, int(rng.integers(5, 60))).round(1)
        return Sale(
            price, cost, salvage, make_demand(family, {"sample": tuple(map(float, values))})
        )
    highest = 0.45 if family == "normal" else 1.5
    std = mean * rng.uniform(0.03, highest)
    parameters = {"mean": mean} if family == "poisson" else {"mean": mean, "std": std}
    return Sale(price, cost, salvage, make_demand(family, parameters))


@pytest.mark.parametrize("family", FAMILIES)
def test_numerical_maximisation_finds_the_closed_form(family):
    for index in range(250):
        sale = a_sale(family, index)
        found, right = sale.demand.maximise(*sale.terms[:3]), sale.optimum
        best = optimal_profit(*sale.terms)
        assert regret(found, *sale.terms) <= 1e-9 * (abs(best) + sale.price * sale.demand.mean)
        if isinstance(sale.demand, DiscreteDemand):
            assert found == right
        else:
            assert found == pytest.approx(right, abs=2e-5 * sale.demand.std)


@pytest.mark.parametrize("family", FAMILIES)
def test_simulated_profit_agrees_with_the_closed_form(family):
    for index in range(12):
        sale = a_sale(family, index)
        price, cost, salvage, demand = sale.terms
        draws = demand.sample(np.random.default_rng(index), 200_000)
        for q in (0.0, 0.6 * demand.mean, sale.optimum, 1.7 * demand.mean):
            realised = price * np.minimum(q, draws) + salvage * np.maximum(q - draws, 0) - cost * q
            # The last term of the tolerance is for events too rare to be drawn.
            error = realised.std() / math.sqrt(len(draws))
            closed = expected_profit(q, *sale.terms)
            assert realised.mean() == pytest.approx(
                closed, abs=5 * error + 1e-5 * price * demand.mean
            )


@pytest.mark.parametrize("family", FAMILIES)
def test_regret_is_zero_at_the_optimum_and_nowhere_below(family):
    for index in range(200):
        sale = a_sale(family, index)
        assert regret(sale.optimum, *sale.terms) == 0
        assert regret(sale.optimum + 1e-7 * sale.demand.std, *sale.terms) <= 1e-5 * sale.price
        worse = [regret(sale.optimum * f, *sale.terms) for f in (1.1, 1.5, 2, 5)]
        assert all(x >= 0 for x in worse) and worse == sorted(worse) and worse[-1] > 0
        if sale.optimum > 0 and not isinstance(sale.demand, DiscreteDemand):
            worse = [regret(sale.optimum * f, *sale.terms) for f in (0.9, 0.5, 0.2)]
            assert worse == sorted(worse) and worse[0] > 0
        q = 1.3 * sale.demand.mean
        difference = optimal_profit(*sale.terms) - expected_profit(q, *sale.terms)
        assert regret(q, *sale.terms) == pytest.approx(difference, abs=1e-9 * sale.price * q)


@given(
    family=st.sampled_from(FAMILIES),
    index=st.integers(0, 10_000),
    q=st.floats(allow_nan=False, width=64),
)
@settings(max_examples=500)
def test_regret_of_any_order_is_finite_and_not_negative(family, index, q):
    sale = a_sale(family, index)
    assert 0 <= regret(q, *sale.terms) < math.inf
    assert math.isfinite(expected_profit(q, *sale.terms))


@pytest.mark.parametrize("family", FAMILIES)
def test_an_order_of_nothing_earns_nothing_where_demand_is_never_negative(family):
    sale = a_sale(family, 1)
    if family != "normal":
        assert expected_profit(0.0, *sale.terms) == pytest.approx(0, abs=1e-8 * sale.price)


def test_an_order_of_nan_is_a_misuse():
    with pytest.raises(BenchmarkError, match="NaN"):
        regret(math.nan, *a_sale("normal", 0).terms)


def test_textbook_example():
    """Ratio 0.75, mean 100, deviation 20: z = 0.6745, density 0.31778."""
    sale = Sale(10.0, 4.0, 2.0, make_demand("normal", {"mean": 100.0, "std": 20.0}))
    assert sale.optimum == pytest.approx(113.4898, abs=1e-4)
    assert optimal_profit(*sale.terms) == pytest.approx(600 - 8 * 20 * 0.3177766, abs=1e-4)


def test_a_regret_costs_microseconds():
    """20,000 decisions a second leave 50 microseconds for all; the bound is for loaded machines."""
    sales = [a_sale("normal", index) for index in range(100)]
    best = math.inf
    for _ in range(5):
        started = time.perf_counter()
        for sale in sales:
            for q in (50.0, 100.0, 200.0):
                regret(q, *sale.terms)
        best = min(best, (time.perf_counter() - started) / 300)
    assert best < 30e-6
