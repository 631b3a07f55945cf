"""Distributions of demand with a density: normal, lognormal, gamma.

Closed forms throughout: the normal loss function, and partial expectations of the lognormal and
the gamma. The normal is not truncated at zero, as in the paper; the others have no mass below it.
"""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ordojo.core.canonical import significant

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


class Demand(ABC):
    """A distribution of demand; hashable, so that optima can be cached by it.

    `mean` and `std` are those of the demand itself in every family.
    """

    family: ClassVar[str]
    discrete: ClassVar[bool] = False
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
    def sample(self, rng: np.random.Generator, n: int) -> NDArray[np.float64]:
        """`n` independent draws."""

    def expected_leftover(self, q: float) -> float:
        """E[max(q - D, 0)]."""
        return max(0.0, q * self.cdf(q) - self.partial_expectation(q))

    def expected_shortage(self, q: float) -> float:
        """E[max(D - q, 0)]."""
        return max(0.0, self.mean - q + self.expected_leftover(q))

    def expected_sales(self, q: float) -> float:
        """E[min(q, D)]."""
        return q - self.expected_leftover(q)


@dataclass(frozen=True)
class Normal(Demand):
    """Normal, untruncated."""

    mean: float
    deviation: float
    family: ClassVar[str] = "normal"

    @property
    def std(self) -> float:
        """The standard deviation."""
        return self.deviation

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

    def sample(self, rng: np.random.Generator, n: int) -> NDArray[np.float64]:
        """`n` independent draws, negative ones included."""
        return rng.normal(self.mean, self.deviation, n)


@dataclass(frozen=True)
class Lognormal(Demand):
    """Lognormal, given by the mean and deviation of the demand, not of its logarithm."""

    mean: float
    deviation: float
    family: ClassVar[str] = "lognormal"

    @property
    def std(self) -> float:
        """The standard deviation."""
        return self.deviation

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

    def sample(self, rng: np.random.Generator, n: int) -> NDArray[np.float64]:
        """`n` independent draws."""
        return rng.lognormal(self.mu, self.sigma, n)


@dataclass(frozen=True)
class Gamma(Demand):
    """Gamma, given by the mean and deviation of the demand."""

    mean: float
    deviation: float
    family: ClassVar[str] = "gamma"

    @property
    def std(self) -> float:
        """The standard deviation."""
        return self.deviation

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
        return float(special.gammaincinv(self.shape, p)) * self.scale

    def cdf(self, x: float) -> float:
        """P(D <= x)."""
        return float(special.gammainc(self.shape, x / self.scale)) if x > 0 else 0.0

    def partial_expectation(self, q: float) -> float:
        """The mean times the distribution function of the gamma with shape one greater."""
        return self.mean * float(special.gammainc(self.shape + 1, q / self.scale)) if q > 0 else 0.0

    def sample(self, rng: np.random.Generator, n: int) -> NDArray[np.float64]:
        """`n` independent draws."""
        return rng.gamma(self.shape, self.scale, n)
