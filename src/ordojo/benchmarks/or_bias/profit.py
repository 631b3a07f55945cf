"""Expected profit of an order, its optimum, and the regret of missing it.

An order of q units bought at `cost` sells min(q, D) at `price` and the rest at `salvage`. Its
expected profit is (price - cost) * E[D] less the cost of mismatch, the expected underage and
overage; the optimum is the demand's quantile at the critical ratio.
"""

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import special
from scipy.optimize import minimize_scalar

from ordojo.benchmarks.or_bias.distributions import (
    Demand,
    Empirical,
    Gamma,
    Lognormal,
    Normal,
    Poisson,
)
from ordojo.core.errors import BenchmarkError


def maximise_numerically(price: float, cost: float, salvage: float, demand: Demand) -> float:
    """The order of highest expected profit, found without the closed form.

    Expected profit is the integral of realised profit against the density (Gauss-Legendre on
    either side of the kink at q), maximised by search; for discrete demand it is the sum
    over the support, enumerated, and of several optima the smallest counts. Continuous optima are
    found to about 1e-6 standard deviations: the profit is flat there.
    """
    if isinstance(demand, Empirical | Poisson):
        values, weights = _support(demand)
        return _best_of_support(values, weights, price, cost, salvage)
    low, high = _reach(demand)

    def profit(place: float) -> float:
        total = 0.0
        q = _demand_at(demand, place)
        for start, end in ((low, place), (place, high)):
            half = 0.5 * (end - start)
            x, density = _density(demand, start + half * (1 + _NODES))
            realised = price * np.minimum(q, x) + salvage * np.maximum(q - x, 0) - cost * q
            total += half * float(_WEIGHTS @ (density * realised))
        return total

    return _demand_at(demand, highest(profit, low, high))


def highest(value: Callable[[float], float], low: float, high: float) -> float:
    """The place in [low, high] of the highest `value`, which has one peak there."""
    close = {"xatol": 1e-8 * (high - low)}
    found = minimize_scalar(lambda x: -value(x), bounds=(low, high), options=close)
    return float(found.x)


_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(96)
_TAIL = 1e-15


def _reach(demand: Demand) -> tuple[float, float]:
    """Where the integral is taken, in demand (normal) or in its logarithm."""
    if isinstance(demand, Normal):
        return demand.mean - 9 * demand.std, demand.mean + 9 * demand.std
    if isinstance(demand, Lognormal):
        return demand.mu - 9 * demand.sigma, demand.mu + 9 * demand.sigma
    if isinstance(demand, Gamma):
        low = special.gammaincinv(demand.shape, _TAIL)
        high = special.gammainccinv(demand.shape, _TAIL)
        scale = math.log(demand.scale)
        return math.log(max(low, 1e-300)) + scale, math.log(high) + scale
    raise BenchmarkError(f"{demand.family} demand has no density to integrate")


def _demand_at(demand: Demand, place: float) -> float:
    return place if isinstance(demand, Normal) else math.exp(place)


def _density(
    demand: Demand, at: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Demand at each place of the integral, and the density per unit of place."""
    if isinstance(demand, Normal):
        return at, _bell((at - demand.mean) / demand.std) / demand.std
    if isinstance(demand, Lognormal):
        return np.exp(at), _bell((at - demand.mu) / demand.sigma) / demand.sigma
    if not isinstance(demand, Gamma):
        raise BenchmarkError(f"{demand.family} demand has no density to integrate")
    x = np.exp(at)
    shape, scale = demand.shape, demand.scale
    log_density = shape * (at - math.log(scale)) - x / scale - math.lgamma(shape)
    return x, np.exp(log_density)


def _bell(z: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.exp(-0.5 * z * z) / math.sqrt(2 * math.pi)


def _support(demand: Empirical | Poisson) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Values and their probabilities, but for a mass too small to matter."""
    if isinstance(demand, Empirical):
        values, counts = np.unique(np.asarray(demand.values), return_counts=True)
        return values, counts / counts.sum()
    reach = 9 * demand.std + 40
    values = np.arange(max(0, math.floor(demand.mean - reach)), math.ceil(demand.mean + reach))
    logs = values * math.log(demand.mean) - demand.mean - special.gammaln(values + 1.0)
    return values.astype(np.float64), np.exp(logs)


def _best_of_support(
    values: NDArray[np.float64],
    weights: NDArray[np.float64],
    price: float,
    cost: float,
    salvage: float,
) -> float:
    below = np.cumsum(weights)
    sales = np.cumsum(values * weights) + values * (below[-1] - below)
    profits = (price - salvage) * sales - (cost - salvage) * values
    near = profits >= profits.max() - 1e-12 * (price - salvage) * float(values.max())
    return float(values[int(np.argmax(near))])


LIMIT = 1e100
"""Orders count as at most this (and at least its negative): every profit is finite."""


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


def regret(q: float, price: float, cost: float, salvage: float, demand: Demand) -> float:
    """What ordering `q` loses against the optimum in expectation: 0 there, never below."""
    terms = (price, cost, salvage, demand)
    lost = mismatch_cost(q, *terms) - _least_mismatch(*terms)
    return lost if lost > 0 else 0.0
