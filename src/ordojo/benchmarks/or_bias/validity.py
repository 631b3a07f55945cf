"""What makes a scenario invalid: every fault is refused by the field's name."""

import math
from collections.abc import Mapping

from ordojo.benchmarks.or_bias.percentiles import QUARTILES, implied_parameters
from ordojo.benchmarks.or_bias.schema import DISTRACTORS, FAMILIES, LEVELS, SPLITS, Scenario
from ordojo.core.errors import DataError

LARGEST = 1e6
"""No price and no demand is larger; beyond, whole-number demand could not be enumerated."""

NEEDED: Mapping[str, tuple[str, ...]] = {
    "normal": ("mean", "std"),
    "lognormal": ("mean", "std"),
    "gamma": ("mean", "std"),
    "poisson": ("mean",),
    "empirical": ("sample",),
}
"""The parameters of each demand family."""

_ALLOWED: Mapping[str, tuple[str, ...]] = {
    "split": SPLITS,
    "level": LEVELS,
    "family": FAMILIES,
    "distractor": ("", *DISTRACTORS),
}


def check(scenario: Scenario) -> None:
    """Raise DataError, naming the field, unless the scenario has one positive optimum."""
    for name, allowed in _ALLOWED.items():
        value = getattr(scenario, name)
        if value not in allowed:
            raise DataError(f"{name} is {value!r}, it must be one of {', '.join(allowed)}")
    if scenario.index < 0 or scenario.stage < 0:
        raise DataError("index and stage must not be negative")
    if bool(scenario.distractor) != (scenario.level == "L3"):
        raise DataError("distractor must be named in level L3, and only there")
    if not scenario.text.strip():
        raise DataError("text is empty, it must tell the story")
    _check_money(scenario)
    _check_parameters(scenario)
    _check_percentiles(scenario)
    try:
        optimum = scenario.optimum
    except (ArithmeticError, ValueError):
        optimum = math.nan
    if not 0 < optimum <= LARGEST:
        raise DataError(f"parameters give the optimum {optimum:g}, it must be a positive number")


def _check_money(scenario: Scenario) -> None:
    price, cost, salvage = (
        _number(name, getattr(scenario, name)) for name in ("price", "cost", "salvage")
    )
    if not 1.3 <= _number("iqr", scenario.iqr) <= 1.4:
        raise DataError(f"iqr is {scenario.iqr}, it must lie between 1.3 and 1.4")
    if salvage < 0:
        raise DataError(f"salvage is {salvage}, it must not be negative")
    if price < cost:
        raise DataError(f"price {price} lies below cost {cost}")
    if salvage > cost:
        raise DataError(f"salvage {salvage} lies above cost {cost}")
    if price == cost:
        raise DataError(f"price equals cost ({cost}): the critical ratio is 0")
    if salvage == cost:
        raise DataError(f"salvage equals cost ({cost}): the critical ratio is 1")
    if not 0 < scenario.critical_ratio < 1:
        raise DataError(f"price and cost give the critical ratio {scenario.critical_ratio:g}")


def _number(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise DataError(f"{name} is {value!r}, it must be a number")
    if not math.isfinite(value):
        raise DataError(f"{name} is {value}, it must be a finite number")
    if abs(value) > LARGEST:
        raise DataError(f"{name} is {value:g}, it must not be above {LARGEST:,.0f}")
    return float(value)


def _check_parameters(scenario: Scenario) -> None:
    needed = NEEDED[scenario.family]
    for name in needed:
        if name not in scenario.parameters:
            raise DataError(f"parameters lack '{name}', which {scenario.family} demand needs")
        value = scenario.parameters[name]
        if name == "sample":
            _check_sample(value)
        elif _number(name, value) <= 0:
            raise DataError(f"{name} is {value}, it must be above 0")
    for name in scenario.parameters:
        if name not in needed:
            raise DataError(f"parameters have '{name}', which {scenario.family} demand has not")


def _check_sample(value: object) -> None:
    if not isinstance(value, tuple) or len(value) < 2:
        raise DataError("sample must be a list of two or more past sales")
    if min(_number("sample", sale) for sale in value) < 0:
        raise DataError("sample has a negative number, sales must not be negative")
    if min(value) == max(value):
        raise DataError(f"sample has nothing but {value[0]:g}, its deviation must not be 0")


def _check_percentiles(scenario: Scenario) -> None:
    shown = scenario.percentiles
    if bool(shown) != (scenario.level == "L4"):
        raise DataError("percentiles must be shown in level L4, and only there")
    if not shown:
        return
    shares: tuple[float, ...] = QUARTILES
    if scenario.family == "empirical":
        shares = tuple(rank / len(shown) for rank in range(1, len(shown) + 1))
    if tuple(share for share, _ in shown) != shares:
        raise DataError(
            "percentiles must be P25, P50 and P75, or the whole list of an empirical sample"
        )
    values = tuple(_number("percentiles", quantile) for _, quantile in shown)
    if list(values) != sorted(values):
        raise DataError("percentiles must not fall")
    try:
        implied = implied_parameters(scenario.family, shown, scenario.iqr)
    except (ArithmeticError, ValueError):
        raise DataError(f"percentiles fit no {scenario.family} demand") from None
    for name, value in implied.items():
        if isinstance(value, tuple):
            _check_sample(value)
        elif not (math.isfinite(value) and 0 < value <= LARGEST):
            raise DataError(f"percentiles give the {name} {value:g}, it must be above 0")
