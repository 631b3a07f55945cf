"""Whether the critical ratios of a level are uniform over its range, as the paper says they are.

Two tests of the ratios, mapped to [0, 1] by the range's own distribution function: Kolmogorov and
Smirnov's with its asymptotic p-value, and chi-square over ten cells of equal length. Both are made
for independent numbers. Stratified ones are more even, so that their p-values are near 1, and a
set that fails has lost its stratification.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import chdtrc, kolmogorov

from ordojo.benchmarks.or_bias.sets import Ranges

CELLS = 10
LEAST_P = 0.01
"""A set is called uniform if neither p-value lies below."""


@dataclass(frozen=True)
class Uniformity:
    """What the tests found of `n` ratios."""

    n: int
    ks: float
    ks_p: float
    chi_square: float
    chi_square_p: float

    @property
    def holds(self) -> bool:
        """Whether neither test rejects."""
        return min(self.ks_p, self.chi_square_p) >= LEAST_P

    def __str__(self) -> str:
        verdict = "uniform" if self.holds else "NOT uniform"
        return (
            f"n={self.n}, Kolmogorov-Smirnov D={self.ks:.3f} (p={self.ks_p:.2f}), "
            f"chi-square({CELLS - 1})={self.chi_square:.1f} (p={self.chi_square_p:.2f}): {verdict}"
        )


def uniformity(ratios: Sequence[float], ranges: Ranges) -> Uniformity:
    """Test critical ratios for uniformity over `ranges`, which must have a length."""
    values = np.sort(np.asarray(ratios, dtype=float))
    n = len(values)
    if n == 0:
        return Uniformity(0, math.nan, math.nan, math.nan, math.nan)
    length = sum(high - low for low, high in ranges)
    below = np.zeros(n)
    for low, high in ranges:
        below += np.clip(values - low, 0.0, high - low)
    mapped = below / length
    steps = np.arange(n + 1) / n
    distance = float(max((steps[1:] - mapped).max(), (mapped - steps[:-1]).max()))
    counts, _ = np.histogram(mapped, CELLS, (0.0, 1.0))
    expected = n / CELLS
    chi_square = float(((counts - expected) ** 2).sum() / expected)
    return Uniformity(
        n,
        distance,
        float(kolmogorov(math.sqrt(n) * distance)),
        chi_square,
        float(chdtrc(CELLS - 1, chi_square)),
    )
