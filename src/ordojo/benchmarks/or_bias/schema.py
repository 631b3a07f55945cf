"""What a newsvendor scenario is, how its certificate is checked, and the settings of its benchmark.

The optimum is a property of the numbers that the text shows: rounded first, then solved. The
certificate is checked from scratch: text, closed form, and numerical maximum.
"""

import dataclasses
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from pydantic import Field

from ordojo.benchmarks.or_bias.distributions import (
    FAMILIES,
    IQR,
    LARGEST,
    NEEDED,
    QUARTILES,
    Demand,
    Parameters,
    checked,
    expected_profit,
    implied_parameters,
    make_demand,
)
from ordojo.core.canonical import digest
from ordojo.core.errors import DataError
from ordojo.core.instance import Certificate, Instance
from ordojo.core.options import Options

VERSION = "3"
"""The benchmark's version: of what is asked and how it is scored."""
INSTANCES = "2"
"""The version since which instances are as they are, which each carries."""
READABLE = ("1", INSTANCES, VERSION)
"""Versions whose instances are today's: files of these are read."""

SPLITS = ("ID", "OOD", "train")
LEVELS = ("L1", "L2", "L3", "L4")
BUCKETS: Mapping[str, tuple[float, float]] = {
    "very low": (0.0, 0.2),
    "low": (0.2, 0.4),
    "neutral": (0.4, 0.6),
    "high": (0.6, 0.8),
    "very high": (0.8, 1.0),
}
DISTRACTORS: Mapping[str, str] = {
    "warehouse capacity": "the decision has no capacity constraint, and the limit is far above "
    "any sensible order",
    "competitor pricing": "a single seller decides; its price and its demand are given",
    "shelf life": "there is one selling period, and nothing is kept for a later one",
    "historical trends": "already contained in the stated demand",
    "seasonal factors": "already contained in the stated demand",
}
"""The paper's five kinds of irrelevant remark (table 19), and why each changes nothing."""


class OrBiasOptions(Options):
    """How OR-Bias-Bench is asked; the defaults are the paper's 400 ID and 200 OOD scenarios.

    `instances` is a file of `ordojo build or-bias`, asked in place of the sets. `iqr` is the
    interquartile range of the standard normal that turns percentiles into a deviation: exact, or
    the paper's 1.35.
    """

    set: Literal["eval", "full", "id", "ood", "train"] = "eval"
    instances: str = ""
    mode: Literal["completion", "chat"] = "completion"
    family: Literal["normal", "lognormal", "gamma", "poisson", "empirical"] = "normal"
    decision: Literal["newsvendor", "eoq", "base-stock", "repeated"] = "newsvendor"
    iqr: float = Field(default=IQR, ge=1.3, le=1.4)


@dataclass(frozen=True)
class Scenario:
    """One newsvendor decision.

    `parameters` are those of the demand `family` ("mean" and "std", "mean", or "sample"). Where
    `percentiles` are shown in their place (level L4), they are what counts, and `parameters` only
    record what they were computed from. `distractor` is the kind of the irrelevant remark, "" if
    there is none; `stage` the training stage, 0 if none; `text` the story with its question.
    """

    index: int
    split: str
    level: str
    price: float
    cost: float
    salvage: float
    family: str
    parameters: Parameters
    distractor: str = ""
    percentiles: tuple[tuple[float, float], ...] = ()
    text: str = ""
    stage: int = 0
    iqr: float = field(default=IQR)

    @property
    def critical_ratio(self) -> float:
        """Underage cost over underage and overage cost, (p - c) / (p - s)."""
        return (self.price - self.cost) / (self.price - self.salvage)

    @cached_property
    def demand(self) -> Demand:
        """The demand that a reader of the text can infer."""
        shown = self.parameters
        if self.percentiles:
            shown = implied_parameters(self.family, self.percentiles, self.iqr)
        return make_demand(self.family, shown)

    @property
    def anchor(self) -> float:
        """The mean demand, to which an answer may be pulled."""
        return self.demand.mean

    @cached_property
    def optimum(self) -> float:
        """The quantity of highest expected profit, F^-1 of the critical ratio."""
        return self.demand.kept_quantile(self.critical_ratio)


def bucket_of(critical_ratio: float) -> str:
    """The paper's bucket of a critical ratio: lower ends count in, and 0.8 is still "high"."""
    if critical_ratio <= BUCKETS["high"][1]:
        for name, (_, high) in BUCKETS.items():
            if critical_ratio < high or name == "high":
                return name
    return "very high"


def certificate_of(scenario: Scenario) -> Certificate:
    """The certificate: the optimum, what it follows from, and a digest of what is asked."""
    return Certificate(
        "closed-form",
        {
            "optimum": scenario.optimum,
            "critical_ratio": scenario.critical_ratio,
            "family": scenario.family,
            "asked": digest(scenario.text),
        },
    )


def make_instance(scenario: Scenario, version: str) -> Instance[Scenario]:
    """Wrap a scenario as an instance."""
    name = f"{scenario.split}-{scenario.level}-{scenario.index:05d}"
    return Instance(
        id=name,
        benchmark="or-bias",
        version=version,
        problem=scenario,
        certificate=certificate_of(scenario),
        cluster=name,
        labels={
            "split": scenario.split,
            "level": scenario.level,
            "bucket": bucket_of(scenario.critical_ratio),
            "family": scenario.family,
            "distractor": scenario.distractor or "none",
        },
    )


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
        checked(name, getattr(scenario, name)) for name in ("price", "cost", "salvage")
    )
    if not 1.3 <= checked("iqr", scenario.iqr) <= 1.4:
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


def _check_parameters(scenario: Scenario) -> None:
    make_demand(scenario.family, scenario.parameters)
    for name in scenario.parameters:
        if name not in NEEDED[scenario.family]:
            raise DataError(f"parameters have '{name}', which {scenario.family} demand has not")


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
    values = tuple(checked("percentiles", quantile) for _, quantile in shown)
    if list(values) != sorted(values):
        raise DataError("percentiles must not fall")
    try:
        make_demand(scenario.family, implied_parameters(scenario.family, shown, scenario.iqr))
    except (ArithmeticError, ValueError, DataError) as error:
        raise DataError(f"percentiles fit no {scenario.family} demand: {error}") from None


CLOSE = 1e-9
"""Greatest relative difference between a stored figure and the recomputed one."""

FOUND = 1e-4
"""Greatest distance, in deviations of demand, from the optimum to the numerical one."""

_SHOWN = re.compile(r"(?<![\w.])\d+(?:\.\d+)?")
_PERCENTILE = re.compile(r"\bP(\d+(?:\.\d+)?) = (\d+(?:\.\d+)?)")


def verify(instance: Instance[Scenario]) -> None:
    """Check everything again from the numbers that the text shows; raises DataError.

    The numbers are in the text; the optimum follows from them by the closed form, from
    percentiles too; and expected profit, maximised numerically, is highest there.
    """
    scenario, stored = instance.problem, instance.certificate
    where = instance.id
    try:
        # A fresh copy: nothing that was computed before counts.
        scenario = dataclasses.replace(scenario)
        check(scenario)
    except DataError as error:
        raise DataError(f"{where}: {error}") from None
    compare(where, stored, certificate_of(scenario))
    if missing := _not_shown(scenario):
        raise DataError(f"{where}: {missing} is not what the text shows")
    _check_maximum(scenario, where)


def compare(where: str, stored: Certificate, right: Certificate) -> None:
    """Check a stored certificate against the recomputed one; raises DataError naming the figure."""
    if stored.kind != right.kind or set(stored.data) != set(right.data):
        raise DataError(f"{where}: the certificate is no closed form with {', '.join(right.data)}")
    for name, value in right.data.items():
        said = stored.data[name]
        same = said == value
        if isinstance(value, float):
            number = isinstance(said, int | float) and not isinstance(said, bool)
            same = number and math.isclose(float(str(said)), value, rel_tol=CLOSE)
        if not same:
            raise DataError(f"{where}: {name} in the certificate is {said!r}, not {value!r}")


def _check_maximum(scenario: Scenario, where: str) -> None:
    terms = (scenario.price, scenario.cost, scenario.salvage, scenario.demand)
    found = scenario.demand.maximise(*terms[:3])
    gain = expected_profit(found, *terms) - expected_profit(scenario.optimum, *terms)
    scale = (scenario.price - scenario.salvage) * scenario.demand.std
    # Where two whole quantities are as good as each other, either may be found.
    apart = abs(found - scenario.optimum) > FOUND * scenario.demand.std and gain < -CLOSE * scale
    if apart or gain > CLOSE * scale:
        raise DataError(
            f"{where}: expected profit is highest at {found:.6g}, not at the optimum "
            f"{scenario.optimum:.6g}"
        )


def _not_shown(scenario: Scenario) -> str:
    """The first field whose number the text does not show, "" if all are shown."""
    shown = [float(number) for number in _SHOWN.findall(scenario.text)]
    for name in ("price", "cost", "salvage"):
        if f"${getattr(scenario, name):.2f}" not in scenario.text:
            return name
    if scenario.percentiles:
        said = [(float(p), float(q)) for p, q in _PERCENTILE.findall(scenario.text)]
        wanted = [(float(f"{100 * p:g}"), q) for p, q in scenario.percentiles]
        return "" if said == wanted else "percentiles"
    for name, value in scenario.parameters.items():
        values = list(value) if isinstance(value, tuple) else [value]
        listed = any(
            shown[i : i + len(values)] == values for i in range(len(shown) - len(values) + 1)
        )
        if not listed:
            return name
    return ""
