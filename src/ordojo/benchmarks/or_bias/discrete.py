"""Distributions of demand in steps: Poisson, and the empirical one of a sample."""

import math
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ordojo.benchmarks.or_bias.distributions import Demand, standard_quantile

TIE = 1e-12
"""A distribution function within this of a probability has reached it: 0.6 computed as
0.6000000000000001 asks for no unit more."""


@dataclass(frozen=True)
class Poisson(Demand):
    """Poisson: whole units."""

    mean: float
    family: ClassVar[str] = "poisson"
    discrete: ClassVar[bool] = True

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

    def sample(self, rng: np.random.Generator, n: int) -> NDArray[np.float64]:
        """`n` independent draws."""
        return rng.poisson(self.mean, n).astype(np.float64)


@dataclass(frozen=True)
class Empirical(Demand):
    """A sample of past demand, each of its values equally likely; `values` are sorted."""

    values: tuple[float, ...]
    family: ClassVar[str] = "empirical"
    discrete: ClassVar[bool] = True

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

    def sample(self, rng: np.random.Generator, n: int) -> NDArray[np.float64]:
        """`n` independent draws from the sample."""
        return rng.choice(np.asarray(self.values, dtype=np.float64), n)
