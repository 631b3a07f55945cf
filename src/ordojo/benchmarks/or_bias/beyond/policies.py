"""Scripted players of the decisions beyond the newsvendor."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordojo.benchmarks.or_bias.beyond.common import Decision
from ordojo.benchmarks.or_bias.beyond.repeated import Repeated
from ordojo.benchmarks.or_bias.page import HUMAN_WEIGHT
from ordojo.benchmarks.or_bias.policies import CHASING, reply
from ordojo.core.instance import Instance
from ordojo.core.policy import Act, NoOp, Policy
from ordojo.core.seeds import generator

Rule = Callable[[Decision, list[float], np.random.Generator], float]
"""From a problem, the orders so far and chance to the next order."""


@dataclass(frozen=True)
class Scripted:
    """Answers every turn by `rule`; `name` seeds its chance, with seed, instance and epoch.

    With `noise`, each order is disturbed by so many standard deviations of demand.
    """

    name: str
    rule: Rule
    noise: float = 0.0

    def begin(self, instance: Instance[Any], seed: int, epoch: int) -> Act:
        """Start without a past."""
        problem: Decision = instance.problem
        rng = generator(seed, f"{self.name}-policy/{instance.id}", epoch)
        orders: list[float] = []

        def act(observation: object) -> str:
            order = self.rule(problem, orders, rng)
            if self.noise and isinstance(problem, Repeated):
                order += self.noise * problem.demand.std * rng.standard_normal()
            orders.append(max(0.0, order))
            return reply(orders[-1])

        return act


def anchored(weight: float, noise: float = 0.0) -> Scripted:
    """Weighs the story's mean with `weight` and the optimum with the rest."""
    return Scripted(
        f"anchored-{weight}",
        lambda problem, orders, rng: weight * problem.anchor + (1 - weight) * problem.optimum,
        noise,
    )


def chaser(weight: float, noise: float = 0.0) -> Scripted:
    """Begins with the mean and moves a share `weight` of the way to each last demand.

    Outside the repeated decision there is no last demand, and the mean is all it says.
    """

    def order(problem: Decision, orders: list[float], rng: np.random.Generator) -> float:
        if not orders or not isinstance(problem, Repeated):
            return problem.anchor
        return orders[-1] + weight * (problem.demands[len(orders) - 1] - orders[-1])

    return Scripted(f"chaser-{weight}", order, noise)


def _uniform(problem: Decision, orders: list[float], rng: np.random.Generator) -> float:
    return float(rng.uniform(0, 2 * problem.anchor))


def policies(instances: Sequence[Instance[Any]]) -> Mapping[str, Policy]:
    """The newsvendor's policies by the same names; "demand-chasing" where demand is seen."""
    found: dict[str, Policy] = {
        "gold": Scripted("gold", lambda problem, orders, rng: problem.optimum),
        "noop": NoOp(),
        "random": Scripted("random", _uniform),
        "always-mean": anchored(1.0),
        "mean-anchored-30": anchored(0.3),
        "mean-anchored-60": anchored(0.6),
        "mean-anchored-90": anchored(0.9),
        "heuristic": anchored(HUMAN_WEIGHT),
    }
    if instances and isinstance(instances[0].problem, Repeated):
        found["demand-chasing"] = chaser(CHASING)
    return found
