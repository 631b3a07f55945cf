"""The economic order quantity: sqrt(2 K D / h), whatever the periods in which the story counts."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from ordojo.benchmarks.or_bias.beyond.common import (
    Decision,
    Ends,
    between,
    log_between,
    money,
    pick,
)
from ordojo.benchmarks.or_bias.distributions import above_zero, highest
from ordojo.benchmarks.or_bias.judges import ABSURD
from ordojo.core.errors import DataError

A_YEAR: Mapping[str, int] = {"year": 1, "month": 12, "week": 52}

RATE: Mapping[str, Ends] = {"ID": (200, 20_000), "OOD": (20_000, 500_000), "train": (200, 20_000)}
SETUP: Mapping[str, Ends] = {"ID": (20, 500), "OOD": (500, 5_000), "train": (20, 500)}
HOLDING: Mapping[str, Ends] = {"ID": (0.5, 20), "OOD": (0.05, 60), "train": (0.5, 20)}
COUNTED: Mapping[str, Sequence[str]] = {
    "ID": ("year",),
    "OOD": ("month", "week"),
    "train": ("year", "month"),
}
"""Ranges by split; out of distribution the demand is told by month or week, and holding by year."""


@dataclass(frozen=True)
class EOQ(Decision):
    """Steady demand of `rate` units a `period`, `setup` an order, `holding` a unit and year.

    Shortages are not allowed, delivery is at once; cost a year is setup * D / q + holding * q / 2.
    """

    rate: float
    period: str
    setup: float
    holding: float
    name: ClassVar[str] = "eoq"
    ask: ClassVar[str] = "Order quantity"

    @property
    def annual(self) -> float:
        """Demand a year."""
        return self.rate * A_YEAR[self.period]

    @cached_property
    def optimum(self) -> float:
        """The square-root formula."""
        return math.sqrt(2 * self.setup * self.annual / self.holding)

    @property
    def anchor(self) -> float:
        """The demand of one month, a number that buyers order by."""
        return self.annual / 12

    def cost(self, quantity: float) -> float:
        """Setup and holding cost a year; `quantity` is above 0."""
        return self.setup * self.annual / quantity + self.holding * quantity / 2

    def shortfall(self, quantity: float) -> float:
        """The cost ratio less 1: (q/q* + q*/q) / 2 - 1, in a form without cancellation."""
        ratio = quantity / self.optimum
        return (ratio - 1) ** 2 / (2 * ratio)

    def absurd(self, quantity: float) -> bool:
        """Zero (never ordering), or `ABSURD` times off either way."""
        return not self.optimum / ABSURD <= quantity <= self.optimum * ABSURD

    def shown(self) -> Sequence[str]:
        """Rate, setup and holding."""
        return f"{self.rate:,.0f}", money(self.setup), money(self.holding)

    def facts(self) -> Mapping[str, float | str]:
        """The terms of the formula."""
        return {"annual_demand": self.annual, "setup": self.setup, "holding": self.holding}

    def best_numerically(self) -> float:
        """A search on the cost, by the logarithm of the quantity."""
        low, high = math.log(1e-3), math.log(1e3 * self.annual)
        return math.exp(highest(lambda place: -self.cost(math.exp(place)), low, high))

    def check(self) -> None:
        """Rate, setup and holding are positive, the period is known."""
        for name in ("rate", "setup", "holding"):
            above_zero(name, getattr(self, name))
        if self.period not in A_YEAR:
            raise DataError(f"EOQ: period is {self.period!r}; use {', '.join(A_YEAR)}")


def make(rng: np.random.Generator, split: str, index: int) -> EOQ:
    """Draw the numbers, rounded as shown, and tell their story."""
    period = pick(rng, COUNTED[split])
    yearly = log_between(rng, RATE[split])
    problem = EOQ(
        index,
        split,
        rate=float(max(10, round(yearly / A_YEAR[period], -1))),
        period=period,
        setup=round(between(rng, SETUP[split]), 0),
        holding=round(log_between(rng, HOLDING[split]), 2),
    )
    return replace(problem, text=tell(problem, rng))


_PLACES = (
    ("A hospital pharmacy", "boxes of saline bags"),
    ("The stores of a bus depot", "brake pads"),
    ("A coffee roaster", "sacks of green beans"),
    ("A bicycle factory", "wheel hubs"),
    ("The canteen of a university", "cartons of paper cups"),
    ("A printing house", "reams of art paper"),
    ("A maker of garden tools", "ash handles"),
    ("The spare-parts office of a ferry line", "oil filters"),
)
_RATES = (
    "{who} uses {rate} {what} a {period}, at a steady pace all year round.",
    "Every {period} {who} gets through {rate} {what}; there are no peaks and no lulls.",
    "At {who_low}, consumption of {what} is constant: {rate} a {period}.",
)
_SETUPS = (
    "Placing an order costs {setup} in paperwork and transport, whatever its size.",
    "Each delivery carries a fixed charge of {setup}, for one unit or for thousands.",
    "An order, large or small, costs {setup} to place and receive.",
)
_HOLDINGS = (
    "Keeping one unit in stock for a year costs {holding}.",
    "The yearly cost of holding a unit in the store is {holding}.",
    "Space, insurance and tied-up money come to {holding} a unit and year.",
)
_RULES = (
    "Deliveries arrive at once and the stock must never run out.",
    "Stock may not run out; goods arrive on the day they are ordered.",
    "Running short is not allowed, and delivery takes no time.",
)
_QUESTIONS = (
    "How many units should each order be for, so that the yearly cost of ordering and holding is "
    "least?",
    "Which order quantity keeps the sum of ordering and holding costs a year as low as possible?",
)


def tell(problem: EOQ, rng: np.random.Generator) -> str:
    """One of many stories; the middle sentences stand in any order."""
    who, what = _PLACES[int(rng.integers(len(_PLACES)))]
    rate = pick(rng, _RATES)
    words = {
        "who": who if rate.startswith("{who}") else who[0].lower() + who[1:],
        "who_low": who[0].lower() + who[1:],
        "what": what,
        "rate": f"{problem.rate:,.0f}",
        "period": problem.period,
        "setup": money(problem.setup),
        "holding": money(problem.holding),
    }
    middle = [pick(rng, part) for part in (_SETUPS, _HOLDINGS, _RULES)]
    sentences = [rate, *(middle[i] for i in rng.permutation(3))]
    if problem.period != "year":
        sentences.append(f"Count {A_YEAR[problem.period]} {problem.period}s to the year.")
    return " ".join([*sentences, pick(rng, _QUESTIONS)]).format(**words)
