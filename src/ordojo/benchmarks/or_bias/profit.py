"""Expected profit of an order, its optimum, and the regret of missing it.

An order of q units bought at `cost` sells min(q, D) at `price` and the rest at `salvage`. Its
expected profit is (price - cost) * E[D] less the cost of mismatch, the expected underage and
overage; the optimum is the demand's quantile at the critical ratio.
"""

import math
from functools import lru_cache
from typing import Protocol

from ordojo.benchmarks.or_bias.demand import Demand
from ordojo.benchmarks.or_bias.numerical import maximise_numerically
from ordojo.core.errors import BenchmarkError

__all__ = [
    "Sale",
    "expected_profit",
    "maximise_numerically",
    "mismatch_cost",
    "optimal_order",
    "optimal_profit",
    "regret",
]

LIMIT = 1e100
"""Orders count as at most this (and at least its negative): every profit is finite."""


class Sale(Protocol):
    """What `regret` needs to know of a scenario."""

    @property
    def price(self) -> float:
        """Of a unit sold."""

    @property
    def cost(self) -> float:
        """Of a unit ordered."""

    @property
    def salvage(self) -> float:
        """Of a unit left over."""

    @property
    def demand(self) -> Demand:
        """Its distribution."""


def mismatch_cost(q: float, price: float, cost: float, salvage: float, demand: Demand) -> float:
    """(price - cost) * E[shortage] + (cost - salvage) * E[leftover], at least 0.

    Defined for every q but NaN, which raises BenchmarkError; beyond `LIMIT` it stays as there.
    """
    if not -LIMIT <= q <= LIMIT:
        if math.isnan(q):
            raise BenchmarkError("an order of NaN has no profit; judge it as not rational instead")
        q = math.copysign(LIMIT, q)
    left = demand.expected_leftover(q)
    short = left + demand.mean - q
    return (price - cost) * (short if short > 0 else 0.0) + (cost - salvage) * left


def expected_profit(q: float, price: float, cost: float, salvage: float, demand: Demand) -> float:
    """Expected profit of ordering `q`, in closed form; finite for every q but NaN."""
    return (price - cost) * demand.mean - mismatch_cost(q, price, cost, salvage, demand)


def optimal_order(price: float, cost: float, salvage: float, demand: Demand) -> float:
    """The demand's quantile at the critical ratio; of several optima the smallest."""
    return demand.quantile((price - cost) / (price - salvage))


@lru_cache(maxsize=65536)
def _least_mismatch(price: float, cost: float, salvage: float, demand: Demand) -> float:
    q = optimal_order(price, cost, salvage, demand)
    return mismatch_cost(q, price, cost, salvage, demand)


def optimal_profit(price: float, cost: float, salvage: float, demand: Demand) -> float:
    """Expected profit of the best order, cached; it may be negative if demand may be."""
    return (price - cost) * demand.mean - _least_mismatch(price, cost, salvage, demand)


def regret(q: float, scenario: Sale) -> float:
    """What ordering `q` loses against the optimum in expectation: 0 there, never below."""
    price, cost, salvage = scenario.price, scenario.cost, scenario.salvage
    demand = scenario.demand
    lost = mismatch_cost(q, price, cost, salvage, demand) - _least_mismatch(
        price, cost, salvage, demand
    )
    return lost if lost > 0 else 0.0
