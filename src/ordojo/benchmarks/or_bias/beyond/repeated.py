"""The repeated newsvendor: the same sale period after period, with feedback.

Beside the decision stand its environment of many turns and its judge.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np

from ordojo.benchmarks.or_bias.beyond.common import (
    Decision,
    Ends,
    between,
    money,
    near,
    pick,
    positive,
    read,
)
from ordojo.benchmarks.or_bias.distributions import (
    Demand,
    Parameters,
    make_demand,
    optimal_profit,
    regret,
)
from ordojo.benchmarks.or_bias.stories import observe
from ordojo.core.canonical import Json, digest
from ordojo.core.environment import Environment, Observation, Step
from ordojo.core.episode import Episode
from ordojo.core.errors import BenchmarkError, DataError
from ordojo.core.instance import Instance
from ordojo.core.judge import Outcome, Verdict

PERIODS = 20

PRICE: Ends = (10, 100)
SALVAGE: Ends = (0, 0.3)
MEAN: Mapping[str, Ends] = {"ID": (50, 200), "OOD": (200, 1_000), "train": (50, 200)}
VARIATION: Mapping[str, Ends] = {"ID": (0.1, 0.3), "OOD": (0.2, 0.33), "train": (0.1, 0.3)}
RATIO: Mapping[str, tuple[Ends, Ends]] = {
    "ID": ((0.1, 0.4), (0.6, 0.9)),
    "OOD": ((0.05, 0.2), (0.8, 0.95)),
    "train": ((0.1, 0.4), (0.6, 0.9)),
}
"""Ranges by split; the critical ratio is low and high in turn, apart from 0.5, where mean and
optimum are one and anchoring cannot be seen. The price and the salvage's share of it are as in
the single sale. A normal demand lies three deviations above 0 at least, so that cutting the draws
at 0 changes nothing."""

SAMPLE = 20
"""Past sales that an empirical demand consists of."""


@dataclass(frozen=True)
class Repeated(Decision):
    """A newsvendor who orders anew in each period; nothing is carried over.

    Demand is independent from period to period; `demands` are what it turns out to be, drawn once
    with the instance, so that every policy meets the same.
    """

    price: float
    cost: float
    salvage: float
    family: str
    parameters: Parameters
    demands: tuple[float, ...]
    name: ClassVar[str] = "repeated"
    ask: ClassVar[str] = "Order quantity"

    @cached_property
    def demand(self) -> Demand:
        """Its distribution in each period."""
        return make_demand(self.family, self.parameters)

    @property
    def critical_ratio(self) -> float:
        """(p - c) / (p - s)."""
        return (self.price - self.cost) / (self.price - self.salvage)

    @cached_property
    def optimum(self) -> float:
        """The best order of every period, as nothing is learnt and nothing carried over."""
        return self.demand.kept_quantile(self.critical_ratio)

    @property
    def anchor(self) -> float:
        """The mean demand."""
        return self.demand.mean

    def profit(self, order: float, demand: float) -> float:
        """Realised profit of one period."""
        sold = min(order, demand)
        return self.price * sold + self.salvage * (order - sold) - self.cost * order

    def shortfall(self, quantity: float) -> float:
        """The regret over the best expected profit of a period."""
        terms = (self.price, self.cost, self.salvage, self.demand)
        return regret(quantity, *terms) / max(optimal_profit(*terms), 1e-9)

    def shown(self) -> Sequence[str]:
        """Money and demand."""
        numbers = [money(self.price), money(self.cost), money(self.salvage)]
        for value in self.parameters.values():
            numbers += [f"{x:,.1f}" for x in (value if isinstance(value, tuple) else (value,))]
        return numbers

    def facts(self) -> Mapping[str, float | str]:
        """The critical ratio, the family, and a digest of the demands to come."""
        return {
            "critical_ratio": self.critical_ratio,
            "family": self.family,
            "demands": digest(self.demands),
        }

    def best_numerically(self) -> float:
        """Integration or enumeration, and search."""
        return self.demand.maximise(self.price, self.cost, self.salvage)

    def check(self) -> None:
        """Prices in order, a demand that exists, and demands that are numbers."""
        positive("repeated", price=self.price, cost=self.cost)
        if not math.isfinite(self.salvage) or not 0 <= self.salvage < self.cost:
            raise DataError(f"repeated: salvage is {self.salvage}; it must lie in [0, cost)")
        if self.price <= self.cost:
            raise DataError(f"repeated: price {self.price} must lie above cost {self.cost}")
        make_demand(self.family, self.parameters)
        if not self.demands or not all(math.isfinite(d) and d >= 0 for d in self.demands):
            raise DataError("repeated: demands must be one number >= 0 for every period")


def make(
    rng: np.random.Generator, split: str, index: int, family: str = "normal", periods: int = PERIODS
) -> Repeated:
    """Draw money, demand and its course, rounded as shown, and tell the story."""
    low, high = RATIO[split][index % 2]
    price = cost = salvage = 0.0
    while not 0 <= salvage < cost < price:
        price = round(between(rng, PRICE), 2)
        salvage = round(price * between(rng, SALVAGE), 2)
        cost = round(price - between(rng, (low, high)) * (price - salvage), 2)
    mean = round(between(rng, MEAN[split]), 1)
    std = round(mean * between(rng, VARIATION[split]), 1)
    parameters: Parameters = {"mean": mean, "std": std}
    if family == "poisson":
        parameters = {"mean": mean}
    elif family == "empirical":
        past = rng.gamma((mean / std) ** 2, std**2 / mean, SAMPLE)
        parameters = {"sample": tuple(float(round(x)) for x in past)}
    drawn = make_demand(family, parameters).sample(rng, periods)
    demands = tuple(max(0.0, round(float(x), 1)) for x in drawn)
    problem = Repeated(index, split, price, cost, salvage, family, parameters, demands)
    return replace(problem, text=tell(problem, rng))


_PLACES = (
    ("a flower stand", "bouquets", "day"),
    ("a sandwich bar", "lunch boxes", "day"),
    ("a newsagent", "weekly magazines", "week"),
    ("a fish counter", "trays of oysters", "market day"),
    ("a bakery", "loaves of rye bread", "day"),
    ("a farm shop", "baskets of cherries", "day"),
    ("a stadium shop", "printed programmes", "match"),
)
_OPENINGS = (
    "You run {who} for {periods} {units}. Before each {unit} you order {what}.",
    "For the next {periods} {units} you decide how many {what} {who} takes in, once before every "
    "{unit}.",
    "As the buyer of {who} you place one order of {what} before each of {periods} {units}.",
)
_MONEY = (
    "A unit costs {cost} and sells at {price}; what is left at the end of the {unit} brings "
    "{salvage} a unit.",
    "You pay {cost} a unit, charge {price}, and get {salvage} for each unit left when the {unit} "
    "is over.",
    "The selling price is {price}, the purchase price {cost}, and leftovers are cleared at "
    "{salvage} each.",
)
_CARRY = (
    "Nothing can be kept for the next {unit}, and unmet demand is lost.",
    "Leftovers do not keep until the next {unit}; customers who find nothing do not return.",
)
_DEMANDS = {
    "two": "Demand in each {unit} is independent of the others and {family} with mean {mean} and "
    "standard deviation {std}.",
    "poisson": "Demand in each {unit} is independent of the others and Poisson with mean {mean}.",
    "empirical": "Demand in each {unit} is independent of the others and equally likely to be any "
    "of these numbers: {sample}.",
}
_FAMILY = {
    "normal": "normally distributed",
    "lognormal": "lognormally distributed",
    "gamma": "gamma distributed",
}
_GOALS = (
    "Your aim is the highest total profit.",
    "You want to earn as much as possible over all {units}.",
)


def tell(problem: Repeated, rng: np.random.Generator) -> str:
    """One of many stories."""
    who, what, unit = _PLACES[int(rng.integers(len(_PLACES)))]
    values = problem.parameters
    sample = values.get("sample", ())
    words = {
        "who": who,
        "what": what,
        "unit": unit,
        "units": unit + ("es" if unit.endswith("ch") else "s"),
        "periods": len(problem.demands),
        "price": money(problem.price),
        "cost": money(problem.cost),
        "salvage": money(problem.salvage),
        "family": _FAMILY.get(problem.family, ""),
        "mean": f"{values.get('mean', 0):,.1f}",
        "std": f"{values.get('std', 0):,.1f}",
        "sample": "; ".join(f"{x:,.1f}" for x in (sample if isinstance(sample, tuple) else ())),
    }
    demand = _DEMANDS.get(problem.family, _DEMANDS["two"])
    middle = [pick(rng, _MONEY), pick(rng, _CARRY), demand]
    sentences = [pick(rng, _OPENINGS), *(middle[i] for i in rng.permutation(3))]
    return " ".join([*sentences, pick(rng, _GOALS)]).format(**words)


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
