"""Demand of one selling period, made of a family's name and its parameters."""

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from ordojo.benchmarks.or_bias.discrete import Empirical, Poisson
from ordojo.benchmarks.or_bias.distributions import Demand, Gamma, Lognormal, Normal
from ordojo.core.errors import DataError

__all__ = ["FAMILIES", "Demand", "Parameters", "make_demand"]

Parameters = Mapping[str, float | tuple[float, ...]]

_TWO_MOMENTS: Mapping[str, type[Normal] | type[Lognormal] | type[Gamma]] = {
    "normal": Normal,
    "lognormal": Lognormal,
    "gamma": Gamma,
}

FAMILIES = (*_TWO_MOMENTS, "poisson", "empirical")


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
    if family in _TWO_MOMENTS:
        mean = _number(family, parameters, "mean", positive=family != "normal")
        return _TWO_MOMENTS[family](mean, _number(family, parameters, "std"))
    if family == "poisson":
        return Poisson(_number(family, parameters, "mean"))
    if family == "empirical":
        return Empirical(_sample(parameters))
    raise DataError(f"there is no demand family '{family}'; choose from {', '.join(FAMILIES)}")


def _number(family: str, parameters: Parameters, name: str, positive: bool = True) -> float:
    if name not in parameters:
        raise DataError(f"{family} demand has no '{name}'; give it as a number")
    value = parameters[name]
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise DataError(f"{family} demand has {name} {value!r}; it must be a finite number")
    if positive and value <= 0:
        raise DataError(f"{family} demand has {name} {value}; it must be above 0")
    return float(value)


def _sample(parameters: Parameters) -> tuple[float, ...]:
    values = parameters.get("sample")
    if not isinstance(values, tuple) or len(values) < 2:
        raise DataError("empirical demand has no 'sample' of two or more values; give one")
    if not all(isinstance(x, int | float) and math.isfinite(x) and x >= 0 for x in values):
        raise DataError("empirical demand has a sample with a value that is no finite number >= 0")
    if min(values) == max(values):
        raise DataError("empirical demand has a sample of equal values only; it must vary")
    return tuple(sorted(float(x) for x in values))
