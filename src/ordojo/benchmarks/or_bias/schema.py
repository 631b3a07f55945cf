"""What a newsvendor scenario is, and the settings under which it is asked.

The optimum is a property of the numbers that the text shows: rounded first, then solved.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from pydantic import Field

from ordojo.benchmarks.or_bias.demand import Demand, make_demand
from ordojo.benchmarks.or_bias.percentiles import IQR, implied_parameters
from ordojo.core.canonical import digest
from ordojo.core.instance import Certificate, Instance
from ordojo.core.options import Options

VERSION = "2"
"""The benchmark's version, which every instance carries."""
READABLE = ("1", VERSION)
"""Versions whose instances are today's: files of these are read."""

SPLITS = ("ID", "OOD", "train")
LEVELS = ("L1", "L2", "L3", "L4")
FAMILIES = ("normal", "lognormal", "gamma", "poisson", "empirical")
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

Parameters = Mapping[str, float | tuple[float, ...]]


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
