"""Playing the repeated newsvendor: environment of many turns, judge, scripted policies."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ordojo.benchmarks.or_bias.beyond.common import Decision, near, read
from ordojo.benchmarks.or_bias.beyond.repeated import Repeated
from ordojo.benchmarks.or_bias.page import HUMAN_WEIGHT
from ordojo.benchmarks.or_bias.policies import CHASING, reply
from ordojo.benchmarks.or_bias.stories import observe
from ordojo.core.canonical import Json
from ordojo.core.environment import Environment, Observation, Step
from ordojo.core.episode import Episode
from ordojo.core.errors import BenchmarkError
from ordojo.core.instance import Instance
from ordojo.core.judge import Outcome, Verdict
from ordojo.core.policy import Act, NoOp, Policy
from ordojo.core.seeds import generator


class Period(NamedTuple):
    """One period: the order (None: no rational number), what was asked for, what was earned."""

    order: float | None
    demand: float
    profit: float


def period(problem: Repeated, place: int, reply: str) -> Period:
    """What `reply` leads to in the period of index `place`."""
    reading, demand = read(problem, reply), problem.demands[place]
    if reading.quantity is None or reading.outcome != "correct":
        return Period(None, demand, 0.0)
    return Period(reading.quantity, demand, problem.profit(reading.quantity, demand))


class Selling(Environment[Repeated]):
    """One order a turn; demand and profit of the period come with the next turn.

    In chat the turns follow each other; as completion each prompt is whole, with the history of
    all periods. The reward of a turn is the share of the score that it earns under `rule`, so that
    an episode's is its score.
    """

    def __init__(self, chat: bool, rule: str) -> None:
        self._chat, self._rule = chat, rule
        self._problem: Repeated | None = None
        self._past: list[Period] = []

    def reset(self, instance: Instance[Repeated], seed: int) -> Observation:
        """Begin with period 1; the demands are the instance's, whatever `seed`."""
        problem = self._problem = instance.problem
        self._past = []
        return observe(f"{problem.text}\n\n{self._next(problem)}", self._chat, problem.ask)

    def step(self, text: str) -> Step:
        """Order, sell, and go on to the next period."""
        problem = self._problem
        if problem is None:
            raise BenchmarkError("or-bias: step() before reset(), or after the episode's end")
        now = period(problem, len(self._past), text)
        self._past.append(now)
        right = now.order is not None and near(problem, now.order, self._rule)
        reward = float(right) / len(problem.demands)
        info: dict[str, Json] = {"period": len(self._past), **now._asdict()}
        if len(self._past) == len(problem.demands):
            self._problem = None
            return Step(None, reward, terminated=True, info=info)
        return Step(self._observe(problem), reward, info=info)

    def _observe(self, problem: Repeated) -> Observation:
        places = range(len(self._past))
        told = [self._told(place) for place in (places[-1:] if self._chat else places)]
        lines = "\n".join([*told, self._next(problem)])
        text = lines if self._chat else f"{problem.text}\n\n{lines}"
        return observe(text, self._chat, problem.ask, fresh=False)

    def _told(self, place: int) -> str:
        order, demand, profit = self._past[place]
        said = "no order was understood, so nothing was ordered"
        if order is not None:
            said = f"you ordered {order:,.1f}"
        return f"Period {place + 1}: {said}; demand was {demand:,.1f}; profit {_signed(profit)}."

    def _next(self, problem: Repeated) -> str:
        last = len(problem.demands)
        return f"Period {len(self._past) + 1} of {last}. How many units do you order?"


def _signed(profit: float) -> str:
    return f"{'-' if profit < 0 else ''}${abs(profit):,.2f}"


def judge(rule: str, instance: Instance[Repeated], episode: Episode) -> Verdict:
    """The share of periods that `rule` finds right: "correct" if all, "partial" if some.

    The answer is the list of orders, None where there was no rational one. Metrics, of an episode
    with a rational order at all: "mean", "std" and "optimum" of the story; "mean_order" and
    "relative_regret" (expected) over the rational orders; "profit_ratio", realised profit of all
    periods over that of ordering the optimum against the same demands (absent where that is not
    above 0); "rational" and "within_5pct", shares of all periods.
    """
    problem = instance.problem
    turns = episode.turns[: len(problem.demands)]
    played = [period(problem, place, turn.reply) for place, turn in enumerate(turns)]
    orders = [p.order for p in played if p.order is not None]
    total = len(problem.demands)
    right = sum(near(problem, order, rule) for order in orders)
    if not orders:
        unread = all(read(problem, turn.reply).outcome == "unparsed" for turn in turns)
        outcome: Outcome = "unparsed" if unread else "wrong"
        return Verdict(rule, outcome, 0.0, None, "no period has a rational order")
    best = sum(problem.profit(problem.optimum, demand) for demand in problem.demands)
    figures = {
        "mean": problem.anchor,
        "std": problem.demand.std,
        "optimum": problem.optimum,
        "mean_order": sum(orders) / len(orders),
        "relative_regret": sum(map(problem.shortfall, orders)) / len(orders),
        "rational": len(orders) / total,
        "within_5pct": sum(near(problem, order, "within-5pct") for order in orders) / total,
    }
    if best > 0:
        figures["profit_ratio"] = sum(p.profit for p in played) / best
    outcome = "correct" if right == total else "partial" if right else "wrong"
    reason = f"{right} of {total} periods, {len(orders)} with a rational order"
    return Verdict(rule, outcome, right / total, [p.order for p in played], reason, figures)


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
