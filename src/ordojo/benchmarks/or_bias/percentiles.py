"""What percentiles alone say of a demand (level L4), family by family.

The paper infers a normal demand: mean P50, deviation (P75 - P25) / 1.35. The others follow suit:
lognormal on the logarithms; gamma by the one shape with that ratio P75 / P25, scaled to P50;
Poisson, whose mean is said to be a whole number, by P50, which then equals it; an empirical sample
is its own list of percentiles.
"""

import math
from collections.abc import Mapping

from scipy.optimize import brentq
from scipy.special import gammaincinv

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
