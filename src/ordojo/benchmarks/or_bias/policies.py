"""Scripted decision makers: the optimum, the biases that people show, and chance."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordojo.benchmarks.or_bias.beyond.repeated import Repeated
from ordojo.benchmarks.or_bias.page import HUMAN_WEIGHT
from ordojo.benchmarks.or_bias.schema import Scenario
from ordojo.core.instance import Instance
from ordojo.core.policy import Act, NoOp, Policy
from ordojo.core.seeds import generator

CHASING = 0.5
"""How far "demand-chasing" moves from the mean to the last demand that it has seen."""

Chance = Callable[[], np.random.Generator]
Rule = Callable[[Any, list[float], Chance], float]
"""From a problem, the orders so far and chance to the next order."""


def reply(quantity: float) -> str:
    """The quantity as an answer, every digit of it."""
    return f"Order quantity: {float(quantity)!r}"


@dataclass(frozen=True)
class Scripted:
    """Answers every turn by `rule`, without reading the text.

    `name` seeds its chance, with seed, instance and epoch.
    """

    name: str
    rule: Rule

    def begin(self, instance: Instance[Any], seed: int, epoch: int) -> Act:
        """Start without a past."""
        rng: np.random.Generator | None = None
        orders: list[float] = []

        def chance() -> np.random.Generator:
            nonlocal rng
            rng = rng or generator(seed, f"{self.name}-policy/{instance.id}", epoch)
            return rng

        def act(observation: object) -> str:
            orders.append(max(0.0, self.rule(instance.problem, orders, chance)))
            return reply(orders[-1])

        return act


def anchored(weight: float) -> Scripted:
    """Weighs the story's mean with `weight` and the optimum with the rest."""
    return Scripted(
        f"anchored-{weight}",
        lambda problem, orders, chance: weight * problem.anchor + (1 - weight) * problem.optimum,
    )


def chaser(weight: float) -> Scripted:
    """Begins with the mean and moves a share `weight` of the way to each last demand."""

    def order(problem: Repeated, orders: list[float], chance: Chance) -> float:
        if not orders:
            return problem.anchor
        return orders[-1] + weight * (problem.demands[len(orders) - 1] - orders[-1])

    return Scripted(f"chaser-{weight}", order)


def _chase_one(scenario: Scenario, orders: list[float], chance: Chance) -> float:
    last = max(0.0, float(scenario.demand.sample(chance(), 1)[0]))
    return scenario.anchor + CHASING * (last - scenario.anchor)


def policies(instances: Sequence[Instance[Any]] = ()) -> Mapping[str, Policy]:
    """The policies by name; `HUMAN_WEIGHT` is that of "heuristic".

    "demand-chasing" is there where demand is seen: of a newsvendor one that is drawn.
    """
    found: dict[str, Policy] = {
        "gold": anchored(0.0),
        "noop": NoOp(),
        "random": Scripted("random", lambda p, orders, chance: chance().uniform(0, 2 * p.anchor)),
        "always-mean": anchored(1.0),
        "mean-anchored-30": anchored(0.3),
        "mean-anchored-60": anchored(0.6),
        "mean-anchored-90": anchored(0.9),
        "heuristic": anchored(HUMAN_WEIGHT),
    }
    if not instances or isinstance(instances[0].problem, Scenario):
        found["demand-chasing"] = Scripted("demand-chasing", _chase_one)
    elif isinstance(instances[0].problem, Repeated):
        found["demand-chasing"] = chaser(CHASING)
    return found
