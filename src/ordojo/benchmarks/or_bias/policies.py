"""Scripted decision makers: the optimum, the biases that people show, and chance."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordojo.benchmarks.or_bias.page import HUMAN_WEIGHT
from ordojo.benchmarks.or_bias.schema import Scenario
from ordojo.core.instance import Instance
from ordojo.core.policy import Act, NoOp, Policy
from ordojo.core.seeds import generator

CHASING = 0.5
"""How far "demand-chasing" moves from the mean to the last demand that it has seen."""


def reply(quantity: float) -> str:
    """The quantity as an answer, every digit of it."""
    return f"Order quantity: {float(quantity)!r}"


@dataclass(frozen=True)
class Fixed:
    """Orders what `decide` makes of the instance, without reading the text."""

    decide: Callable[[Instance[Any]], float]

    def begin(self, instance: Instance[Any], seed: int, epoch: int) -> Act:
        """Decide once."""
        text = reply(self.decide(instance))
        return lambda observation: text


@dataclass(frozen=True)
class RandomOrder:
    """Orders what `decide` draws; `name` seeds it, with seed, instance and epoch."""

    name: str
    decide: Callable[[Scenario, np.random.Generator], float]

    def begin(self, instance: Instance[Any], seed: int, epoch: int) -> Act:
        """Draw once."""
        rng = generator(seed, f"{self.name}-policy/{instance.id}", epoch)
        text = reply(self.decide(instance.problem, rng))
        return lambda observation: text


def anchored(weight: float) -> Fixed:
    """Weigh the mean demand with `weight` and the optimum with the rest."""

    def decide(instance: Instance[Any]) -> float:
        scenario: Scenario = instance.problem
        return weight * scenario.demand.mean + (1 - weight) * scenario.optimum

    return Fixed(decide)


def _optimum(instance: Instance[Any]) -> float:
    scenario: Scenario = instance.problem
    return scenario.optimum


def _uniform(scenario: Scenario, rng: np.random.Generator) -> float:
    return rng.uniform(0, 2 * scenario.demand.mean)


def _chase(scenario: Scenario, rng: np.random.Generator) -> float:
    last = max(0.0, float(scenario.demand.sample(rng, 1)[0]))
    return scenario.demand.mean + CHASING * (last - scenario.demand.mean)


def policies() -> Mapping[str, Policy]:
    """The policies by name; `HUMAN_WEIGHT` is that of "heuristic"."""
    return {
        "gold": Fixed(_optimum),
        "noop": NoOp(),
        "random": RandomOrder("random", _uniform),
        "always-mean": anchored(1.0),
        "mean-anchored-30": anchored(0.3),
        "mean-anchored-60": anchored(0.6),
        "mean-anchored-90": anchored(0.9),
        "heuristic": anchored(HUMAN_WEIGHT),
        "demand-chasing": RandomOrder("demand-chasing", _chase),
    }
