"""Demand, the expected profit of an order, its optimum, and the regret of missing it.

Closed forms throughout: the normal loss function, and partial expectations of the other families.
The normal is not truncated at zero, as in the paper; the others have no mass below it. An order
of q units bought at `cost` sells min(q, D) at `price` and the rest at `salvage`. Its expected
profit is (price - cost) * E[D] less the cost of mismatch, the expected underage and overage; the
optimum is the demand's quantile at the critical ratio.
"""

import math
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate
from statistics import NormalDist
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import special
from scipy.optimize import brentq, minimize_scalar
from scipy.special import gammaincinv

from ordojo.core.canonical import significant
from ordojo.core.errors import BenchmarkError, DataError
from ordojo.core.instance import number_of

standard_quantile = NormalDist().inv_cdf
DIGITS = 10
"""Of a kept quantile: all that a certificate's tolerance (1e-9) asks for, and no more, as the
logarithms and special functions behind it differ between processors in their last bits."""

_ROOT_HALF = math.sqrt(0.5)
_DENSITY_AT_0 = 1 / math.sqrt(2 * math.pi)


def standard_cdf(z: float) -> float:
    """The standard normal distribution function, exact in the lower tail."""
    return 0.5 * math.erfc(-z * _ROOT_HALF)


def standard_density(z: float) -> float:
    """The standard normal density."""
    return _DENSITY_AT_0 * math.exp(-0.5 * z * z)


Floats = NDArray[np.float64]

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(96)
_TAIL = 1e-15


class Demand(ABC):
    """A distribution of demand; hashable, so that optima can be cached by it.

    `mean` and `std` are those of the demand itself in every family.
    """

    family: ClassVar[str]
    mean: float

    @property
    @abstractmethod
    def std(self) -> float:
        """The standard deviation."""

    @abstractmethod
    def quantile(self, p: float) -> float:
        """The smallest x with F(x) >= p, for 0 < p < 1 (up to `TIE`)."""

    def kept_quantile(self, p: float) -> float:
        """The quantile as certificates keep it, to `DIGITS` digits."""
        return significant(self.quantile(p), DIGITS)

    @abstractmethod
    def cdf(self, x: float) -> float:
        """P(D <= x)."""

    @abstractmethod
    def partial_expectation(self, q: float) -> float:
        """E[D; D <= q], the mean's part that lies at or below `q`."""

    @abstractmethod
    def sample(self, rng: np.random.Generator, n: int) -> Floats:
        """`n` independent draws."""

    def expected_leftover(self, q: float) -> float:
        """E[max(q - D, 0)]."""
        return max(0.0, q * self.cdf(q) - self.partial_expectation(q))

    @abstractmethod
    def maximise(self, price: float, cost: float, salvage: float) -> float:
        """The order of highest expected profit, found without the closed form."""


@dataclass(frozen=True)
class TwoMoments(Demand):
    """Given by the mean and deviation of the demand."""

    mean: float
    deviation: float

    @property
    def std(self) -> float:
        """The standard deviation."""
        return self.deviation

    @property
    @abstractmethod
    def reach(self) -> tuple[float, float]:
        """Where integrals are taken: in the demand's logarithm, or (normal) in demand."""

    @abstractmethod
    def density(self, place: Floats) -> Floats:
        """The density at each place, per unit of place."""

    def at(self, place: Any) -> Any:
        """The demand at a place, or at each of many."""
        return np.exp(place)

    def maximise(self, price: float, cost: float, salvage: float) -> float:
        """By search on the integral of realised profit (Gauss-Legendre on both sides of the kink).

        To about 1e-6 standard deviations: the profit is flat at the optimum.
        """
        low, high = self.reach

        def profit(place: float) -> float:
            total = 0.0
            q = self.at(place)
            for start, end in ((low, place), (place, high)):
                half = 0.5 * (end - start)
                there = start + half * (1 + _NODES)
                x, density = self.at(there), self.density(there)
                realised = price * np.minimum(q, x) + salvage * np.maximum(q - x, 0) - cost * q
                total += half * float(_WEIGHTS @ (density * realised))
            return total

        return float(self.at(highest(profit, low, high)))


class Normal(TwoMoments):
    """Normal, untruncated."""

    family: ClassVar[str] = "normal"

    def quantile(self, p: float) -> float:
        """Mean plus deviation times the standard normal quantile."""
        return self.mean + self.deviation * standard_quantile(p)

    def cdf(self, x: float) -> float:
        """P(D <= x)."""
        return standard_cdf((x - self.mean) / self.deviation)

    def partial_expectation(self, q: float) -> float:
        """E[D; D <= q]."""
        z = (q - self.mean) / self.deviation
        return self.mean * standard_cdf(z) - self.deviation * standard_density(z)

    def expected_leftover(self, q: float) -> float:
        """E[max(q - D, 0)] by the standard normal loss function."""
        z = (q - self.mean) / self.deviation
        return max(0.0, self.deviation * (standard_density(z) + z * standard_cdf(z)))

    def sample(self, rng: np.random.Generator, n: int) -> Floats:
        """`n` independent draws, negative ones included."""
        return rng.normal(self.mean, self.deviation, n)

    @property
    def reach(self) -> tuple[float, float]:
        """Nine deviations to either side."""
        return self.mean - 9 * self.deviation, self.mean + 9 * self.deviation

    def density(self, place: Floats) -> Floats:
        """The normal density."""
        return _bell((place - self.mean) / self.deviation) / self.deviation

    def at(self, place: Any) -> Any:
        """A place is the demand itself."""
        return place


class Lognormal(TwoMoments):
    """Lognormal, given by the mean and deviation of the demand, not of its logarithm."""

    family: ClassVar[str] = "lognormal"

    @cached_property
    def sigma(self) -> float:
        """The deviation of the logarithm."""
        return math.sqrt(math.log1p((self.deviation / self.mean) ** 2))

    @cached_property
    def mu(self) -> float:
        """The mean of the logarithm."""
        return math.log(self.mean) - 0.5 * self.sigma**2

    def quantile(self, p: float) -> float:
        """The exponential of the logarithm's quantile."""
        return math.exp(self.mu + self.sigma * standard_quantile(p))

    def cdf(self, x: float) -> float:
        """P(D <= x)."""
        return standard_cdf((math.log(x) - self.mu) / self.sigma) if x > 0 else 0.0

    def partial_expectation(self, q: float) -> float:
        """The mean times the distribution function, shifted by one variance of the logarithm."""
        if q <= 0:
            return 0.0
        return self.mean * standard_cdf((math.log(q) - self.mu) / self.sigma - self.sigma)

    def sample(self, rng: np.random.Generator, n: int) -> Floats:
        """`n` independent draws."""
        return rng.lognormal(self.mu, self.sigma, n)

    @property
    def reach(self) -> tuple[float, float]:
        """Nine deviations of the logarithm to either side."""
        return self.mu - 9 * self.sigma, self.mu + 9 * self.sigma

    def density(self, place: Floats) -> Floats:
        """The normal density of the logarithm."""
        return _bell((place - self.mu) / self.sigma) / self.sigma


class Gamma(TwoMoments):
    """Gamma, given by the mean and deviation of the demand."""

    family: ClassVar[str] = "gamma"

    @cached_property
    def shape(self) -> float:
        """The shape parameter, 1 / squared coefficient of variation."""
        return (self.mean / self.deviation) ** 2

    @cached_property
    def scale(self) -> float:
        """The scale parameter."""
        return self.deviation**2 / self.mean

    def quantile(self, p: float) -> float:
        """By the inverse of the regularised incomplete gamma function."""
        return float(gammaincinv(self.shape, p)) * self.scale

    def cdf(self, x: float) -> float:
        """P(D <= x)."""
        return float(special.gammainc(self.shape, x / self.scale)) if x > 0 else 0.0

    def partial_expectation(self, q: float) -> float:
        """The mean times the distribution function of the gamma with shape one greater."""
        return self.mean * float(special.gammainc(self.shape + 1, q / self.scale)) if q > 0 else 0.0

    def sample(self, rng: np.random.Generator, n: int) -> Floats:
        """`n` independent draws."""
        return rng.gamma(self.shape, self.scale, n)

    @property
    def reach(self) -> tuple[float, float]:
        """All but a mass of `_TAIL` on either side."""
        ends = gammaincinv(self.shape, _TAIL), special.gammainccinv(self.shape, _TAIL)
        low, high = (math.log(max(float(end), 1e-300) * self.scale) for end in ends)
        return low, high

    def density(self, place: Floats) -> Floats:
        """The gamma density of the logarithm."""
        logs = self.shape * (place - math.log(self.scale)) - np.exp(place) / self.scale
        return np.exp(logs - math.lgamma(self.shape))


def _bell(z: Floats) -> Floats:
    return np.exp(-0.5 * z * z) / math.sqrt(2 * math.pi)


TIE = 1e-12
"""A distribution function within this of a probability has reached it: 0.6 computed as
0.6000000000000001 asks for no unit more."""


class DiscreteDemand(Demand):
    """Of values with a probability each."""

    @property
    @abstractmethod
    def support(self) -> tuple[Floats, Floats]:
        """Values and their probabilities, but for a mass too small to matter."""

    def maximise(self, price: float, cost: float, salvage: float) -> float:
        """By enumeration of the support; of several optima the smallest."""
        values, weights = self.support
        below = np.cumsum(weights)
        sales = np.cumsum(values * weights) + values * (below[-1] - below)
        profits = (price - salvage) * sales - (cost - salvage) * values
        near = profits >= profits.max() - 1e-12 * (price - salvage) * float(values.max())
        return float(values[int(np.argmax(near))])


@dataclass(frozen=True)
class Poisson(DiscreteDemand):
    """Poisson: whole units."""

    mean: float
    family: ClassVar[str] = "poisson"

    @property
    def std(self) -> float:
        """The root of the mean."""
        return math.sqrt(self.mean)

    def quantile(self, p: float) -> float:
        """The smallest whole q with F(q) >= p."""
        q = max(0, math.floor(self.mean + self.std * standard_quantile(p)))
        while self.cdf(q) < p - TIE:
            q += 1
        while q > 0 and self.cdf(q - 1) >= p - TIE:
            q -= 1
        return float(q)

    def cdf(self, x: float) -> float:
        """P(D <= x)."""
        return float(special.pdtr(math.floor(x), self.mean)) if x >= 0 else 0.0

    def partial_expectation(self, q: float) -> float:
        """The mean times P(D <= q - 1)."""
        return self.mean * self.cdf(q - 1)

    def sample(self, rng: np.random.Generator, n: int) -> Floats:
        """`n` independent draws."""
        return rng.poisson(self.mean, n).astype(np.float64)

    @property
    def support(self) -> tuple[Floats, Floats]:
        """Whole numbers within nine deviations and 40."""
        reach = 9 * self.std + 40
        ends = max(0, math.floor(self.mean - reach)), math.ceil(self.mean + reach)
        values = np.arange(*ends, dtype=np.float64)
        logs = values * math.log(self.mean) - self.mean - special.gammaln(values + 1.0)
        return values, np.exp(logs)


@dataclass(frozen=True)
class Empirical(DiscreteDemand):
    """A sample of past demand, each of its values equally likely; `values` are sorted."""

    values: tuple[float, ...]
    family: ClassVar[str] = "empirical"

    @cached_property
    def mean(self) -> float:  # type: ignore[override]
        """The sample's mean."""
        return math.fsum(self.values) / len(self.values)

    @property
    def std(self) -> float:
        """The deviation of the distribution (divisor n)."""
        return math.sqrt(math.fsum((x - self.mean) ** 2 for x in self.values) / len(self.values))

    @cached_property
    def _sums(self) -> tuple[float, ...]:
        return (0.0, *accumulate(self.values))

    def quantile(self, p: float) -> float:
        """The smallest value of the sample with F >= p."""
        n = len(self.values)
        rank = math.ceil((p - TIE) * n)
        return self.values[min(max(rank, 1), n) - 1]

    def cdf(self, x: float) -> float:
        """The share of the sample at or below `x`."""
        return bisect_right(self.values, x) / len(self.values)

    def partial_expectation(self, q: float) -> float:
        """The sum of the values at or below `q`, over the sample's size."""
        return self._sums[bisect_right(self.values, q)] / len(self.values)

    def sample(self, rng: np.random.Generator, n: int) -> Floats:
        """`n` independent draws from the sample."""
        return rng.choice(np.asarray(self.values, dtype=np.float64), n)

    @property
    def support(self) -> tuple[Floats, Floats]:
        """The sample's values by how often they occur."""
        values, counts = np.unique(np.asarray(self.values), return_counts=True)
        return values, counts / counts.sum()


def highest(value: Callable[[float], float], low: float, high: float) -> float:
    """The place in [low, high] of the highest `value`, which has one peak there."""
    close = {"xatol": 1e-8 * (high - low)}
    found = minimize_scalar(lambda x: -value(x), bounds=(low, high), options=close)
    return float(found.x)


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


Parameters = Mapping[str, float | tuple[float, ...]]

_TWO_MOMENTS: Mapping[str, type[TwoMoments]] = {
    "normal": Normal,
    "lognormal": Lognormal,
    "gamma": Gamma,
}

NEEDED: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(_TWO_MOMENTS, ("mean", "std")),
    "poisson": ("mean",),
    "empirical": ("sample",),
}
"""The parameters of each demand family."""

FAMILIES = tuple(NEEDED)

LARGEST = 1e6
"""No price and no demand is larger; beyond, whole-number demand could not be enumerated."""


def checked(name: str, value: object) -> float:
    """The finite number that a field holds, not above `LARGEST`; raises DataError."""
    number = number_of(name, value)
    if not math.isfinite(number):
        raise DataError(f"{name} is {number}, it must be a finite number")
    if abs(number) > LARGEST:
        raise DataError(f"{name} is {number:g}, it must not be above {LARGEST:,.0f}")
    return number


def above_zero(name: str, value: object) -> float:
    """Such a number above 0; raises DataError."""
    number = checked(name, value)
    if number <= 0:
        raise DataError(f"{name} is {number}, it must be above 0")
    return number


def make_demand(family: str, parameters: Parameters) -> Demand:
    """The demand of `family`; equal parameters give the same object.

    Parameters: "mean" and "std" (normal, lognormal, gamma), "mean" (Poisson), "sample"
    (empirical). Raises DataError naming the parameter that is missing or impossible.
    """
    try:
        return _make(family, tuple(parameters.items()))
    except TypeError:  # a list, as JSON has it, cannot be a key
        return _make(family, tuple((name, _frozen(x)) for name, x in parameters.items()))


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


@lru_cache(maxsize=4096)
def _make(family: str, items: tuple[tuple[str, float | tuple[float, ...]], ...]) -> Demand:
    parameters = dict(items)
    if family not in NEEDED:
        raise DataError(f"there is no demand family '{family}'; choose from {', '.join(FAMILIES)}")
    for name in NEEDED[family]:
        if name not in parameters:
            raise DataError(f"parameters lack '{name}', which {family} demand needs")
    if family == "empirical":
        return Empirical(_sample(parameters["sample"]))
    numbers = [above_zero(name, parameters[name]) for name in NEEDED[family]]
    return Poisson(*numbers) if family == "poisson" else _TWO_MOMENTS[family](*numbers)


def _sample(values: object) -> tuple[float, ...]:
    if not isinstance(values, tuple) or len(values) < 2:
        raise DataError("sample must be a list of two or more past sales")
    sales = sorted(checked("sample", sale) for sale in values)
    if sales[0] < 0:
        raise DataError("sample has a negative number, sales must not be negative")
    if sales[0] == sales[-1]:
        raise DataError(f"sample has nothing but {sales[0]:g}, its deviation must not be 0")
    return tuple(sales)


IQR = 1.3489795003921634
"""Interquartile range of the standard normal, 2 * Phi^-1(0.75)."""

QUARTILES = (0.25, 0.5, 0.75)

Percentiles = tuple[tuple[float, float], ...]


def implied_parameters(
    family: str, percentiles: Percentiles, iqr: float = IQR
) -> Mapping[str, float | tuple[float, ...]]:
    """The parameters of `family` that fit what is shown; NaN where nothing fits."""
    if family == "empirical":
        return {"sample": tuple(quantile for _, quantile in percentiles)}
    shown = dict(percentiles)
    low, middle, high = (shown.get(share, math.nan) for share in QUARTILES)
    if family == "poisson":
        return {"mean": middle}
    if family == "normal":
        return {"mean": middle, "std": (high - low) / iqr}
    if not 0 < low < middle < high:
        return {"mean": math.nan, "std": math.nan}
    if family == "lognormal":
        variance = (math.log(high / low) / iqr) ** 2
        mean = middle * math.exp(variance / 2)
        return {"mean": mean, "std": mean * math.sqrt(math.expm1(variance))}
    shape = _gamma_shape(high / low)
    scale = middle / float(gammaincinv(shape, 0.5))
    return {"mean": shape * scale, "std": math.sqrt(shape) * scale}


def _gamma_shape(ratio: float) -> float:
    """The shape at which P75 / P25 is `ratio`; the ratio falls as the shape grows."""

    def excess(log_shape: float) -> float:
        shape = math.exp(log_shape)
        found = float(gammaincinv(shape, 0.75)) / float(gammaincinv(shape, 0.25))
        return math.log(found / ratio)

    low, high = math.log(0.1), math.log(1e6)
    if excess(low) < 0 or excess(high) > 0:
        return math.nan
    return math.exp(float(brentq(excess, low, high, xtol=1e-13)))
