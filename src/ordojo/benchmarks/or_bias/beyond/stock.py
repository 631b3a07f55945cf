"""How much to order, and up to which level: the economic order quantity, and a base stock.

The first is sqrt(2 K D / h), whatever the periods in which the story counts; the second, under
periodic review with a lead time, covers the demand of lead time plus one period.
"""

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
from ordojo.benchmarks.or_bias.distributions import (
    Demand,
    above_zero,
    highest,
    make_demand,
    mismatch_cost,
)
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
"""Ranges by split; out of distribution the demand is told by month or week, and holding by year.
Here and below they are the project's own, without a fit: beyond the others or wider out of
distribution."""


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


def make_eoq(rng: np.random.Generator, split: str, index: int) -> EOQ:
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
    return replace(problem, text=_tell_eoq(problem, rng))


_EOQ_PLACES = (
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
_EOQ_QUESTIONS = (
    "How many units should each order be for, so that the yearly cost of ordering and holding is "
    "least?",
    "Which order quantity keeps the sum of ordering and holding costs a year as low as possible?",
)


def _tell_eoq(problem: EOQ, rng: np.random.Generator) -> str:
    """One of many stories; the middle sentences stand in any order."""
    who, what = _EOQ_PLACES[int(rng.integers(len(_EOQ_PLACES)))]
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
    return " ".join([*sentences, pick(rng, _EOQ_QUESTIONS)]).format(**words)


MEAN: Mapping[str, Ends] = {"ID": (40, 400), "OOD": (400, 4_000), "train": (40, 400)}
VARIATION: Mapping[str, Ends] = {"ID": (0.1, 0.3), "OOD": (0.2, 0.4), "train": (0.1, 0.3)}
LEAD: Mapping[str, tuple[int, int]] = {"ID": (1, 6), "OOD": (7, 15), "train": (1, 6)}
SERVICE: Mapping[str, Ends] = {"ID": (0.75, 0.99), "OOD": (0.5, 0.999), "train": (0.75, 0.99)}
RATIO: Mapping[str, Ends] = {"ID": (0.1, 0.95), "OOD": (0.05, 0.99), "train": (0.1, 0.95)}
"""Ranges by split: of demand a period and its coefficient of variation, of the lead time, of the
service level where one is asked for, and of the critical ratio where costs are told."""


@dataclass(frozen=True)
class BaseStock(Decision):
    """A base-stock policy under normal demand, independent from period to period, backordered.

    Each period: an order raises the inventory position to the level S, the order of `lead` periods
    ago arrives, demand occurs, then costs count. S so covers the demand of `lead` + 1 periods. The
    target is a `service` level (the chance that a period ends without backorders; costs are 0) or
    the costs `holding` and `backorder` a unit and period (`service` is 0).
    """

    mean: float
    std: float
    lead: int
    period: str
    service: float = 0.0
    holding: float = 0.0
    backorder: float = 0.0
    name: ClassVar[str] = "base-stock"
    ask: ClassVar[str] = "Base-stock level"

    @property
    def critical_ratio(self) -> float:
        """The service level, or backorder cost over backorder and holding cost."""
        return self.service or self.backorder / (self.backorder + self.holding)

    @cached_property
    def covered(self) -> Demand:
        """Demand over lead time and review period."""
        spans = self.lead + 1
        return make_demand(
            "normal", {"mean": spans * self.mean, "std": math.sqrt(spans) * self.std}
        )

    @cached_property
    def optimum(self) -> float:
        """The covered demand's quantile at the critical ratio."""
        return self.covered.kept_quantile(self.critical_ratio)

    @property
    def anchor(self) -> float:
        """The mean of the covered demand: a level without safety stock."""
        return (self.lead + 1) * self.mean

    def cost(self, level: float) -> float:
        """Expected cost a period in steady state, of holding and backorders.

        A service level stands for the ratio of costs that makes it optimal, with a holding cost
        of 1.
        """
        # A newsvendor's mismatch: underage `backorder`, overage `holding`.
        return mismatch_cost(level, *self._terms, self.covered)

    @property
    def _terms(self) -> tuple[float, float, float]:
        """Price, cost and salvage of the newsvendor with the same mismatch costs."""
        if self.service:
            return self.service / (1 - self.service), 0.0, -1.0
        return self.backorder, 0.0, -self.holding

    def shortfall(self, quantity: float) -> float:
        """The cost ratio less 1."""
        return max(0.0, self.cost(quantity) / self.cost(self.optimum) - 1)

    def shown(self) -> Sequence[str]:
        """Every number of the story."""
        target = (_share(self.service),) if self.service else _costs(self)
        return f"{self.mean:,.1f}", f"{self.std:,.1f}", str(self.lead), *target

    def facts(self) -> Mapping[str, float | str]:
        """The terms of the formula."""
        return {
            "critical_ratio": self.critical_ratio,
            "covered_mean": self.covered.mean,
            "covered_std": self.covered.std,
        }

    def best_numerically(self) -> float:
        """Integration and search on the expected cost."""
        return self.covered.maximise(*self._terms)

    def check(self) -> None:
        """Positive numbers, a whole lead time, and exactly one kind of target."""
        above_zero("mean", self.mean)
        above_zero("std", self.std)
        if not isinstance(self.lead, int) or self.lead < 0:
            raise DataError(f"base stock: lead is {self.lead!r}; it must be a whole number >= 0")
        if self.service:
            if self.holding or self.backorder:
                raise DataError("base stock: service and costs are both given; give one of them")
            if not 0 < self.service < 1:
                raise DataError(f"base stock: service is {self.service}; it must lie in (0, 1)")
        else:
            above_zero("holding", self.holding)
            above_zero("backorder", self.backorder)


def make_base_stock(rng: np.random.Generator, split: str, index: int) -> BaseStock:
    """Draw the numbers, rounded as shown, and tell their story; targets take turns."""
    mean = round(log_between(rng, MEAN[split]), 1)
    std = round(mean * between(rng, VARIATION[split]), 1)
    low, high = LEAD[split]
    lead = int(rng.integers(low, high + 1))
    period = pick(rng, ("week", "day"))
    service = holding = backorder = 0.0
    if index % 2:
        service = round(between(rng, SERVICE[split]), 3)
    else:
        ratio = between(rng, RATIO[split])
        holding = round(between(rng, (0.2, 5)), 2)
        backorder = max(0.01, round(holding * ratio / (1 - ratio), 2))
    problem = BaseStock(index, split, mean, std, lead, period, service, holding, backorder)
    return replace(problem, text=_tell_base_stock(problem, rng))


_STOCK_PLACES = (
    ("A wholesaler of tyres", "tyres"),
    ("The warehouse of an online bookshop", "copies of a dictionary"),
    ("A dental supplier", "packs of gloves"),
    ("A regional blood service", "testing kits"),
    ("A chain of hardware shops", "tins of primer"),
    ("The depot of a lift company", "door rollers"),
    ("An animal-feed merchant", "bags of pellets"),
)
_OPENINGS = (
    "{who} reviews its stock of {what} at the start of every {period} and orders what brings stock "
    "on hand plus on order, less backorders, up to a fixed level.",
    "Stock of {what} is run by a base-stock policy. At the start of each {period}, {who_low} "
    "orders so much that the inventory position is back at one and the same level.",
)
_LEADS = (
    "An order arrives {lead} {periods} after it is placed, just before that {period}'s demand.",
    "What is ordered today is delivered {lead} {periods} later, in time for the demand of that "
    "{period}.",
)
_DEMANDS = (
    "Demand in a {period} is normally distributed with mean {mean} and standard deviation {std}, "
    "independent of every other {period}; customers wait for what is missing.",
    "Customers ask for {mean} units a {period} on average, with a standard deviation of {std}; "
    "demand is normal, unrelated from one {period} to the next, and unmet demand is backordered.",
)
_SERVICES = (
    "No backorders should remain at the end of a {period} with probability {service}.",
    "The target is that a {period} ends without any backorder in {service} of all cases.",
)
_COSTS = (
    "A unit in stock at the {period}'s end costs {holding}, a unit still owed to a customer "
    "{backorder}.",
    "At the end of every {period} each unit on the shelf costs {holding} and each unit on "
    "backorder {backorder}.",
)
_STOCK_QUESTIONS = {
    True: (
        "What is the lowest order-up-to level that meets the target?",
        "Which base-stock level just reaches it?",
    ),
    False: (
        "Which order-up-to level makes the expected cost a {period} least?",
        "What base-stock level should be set so that expected costs are as low as possible?",
    ),
}


def _tell_base_stock(problem: BaseStock, rng: np.random.Generator) -> str:
    """One of many stories."""
    who, what = _STOCK_PLACES[int(rng.integers(len(_STOCK_PLACES)))]
    holding, backorder = _costs(problem)
    words = {
        "who": who,
        "who_low": who[0].lower() + who[1:],
        "what": what,
        "period": problem.period,
        "periods": problem.period + ("s" if problem.lead != 1 else ""),
        "lead": problem.lead,
        "mean": f"{problem.mean:,.1f}",
        "std": f"{problem.std:,.1f}",
        "service": _share(problem.service),
        "holding": holding,
        "backorder": backorder,
    }
    asked = bool(problem.service)
    middle = [pick(rng, part) for part in (_LEADS, _DEMANDS)]
    sentences = [pick(rng, _OPENINGS), *(middle[i] for i in rng.permutation(2))]
    sentences += [pick(rng, _SERVICES if asked else _COSTS), pick(rng, _STOCK_QUESTIONS[asked])]
    return " ".join(sentences).format(**words)


def _share(service: float) -> str:
    return f"{100 * service:.1f}%"


def _costs(problem: BaseStock) -> tuple[str, str]:
    return money(problem.holding), money(problem.backorder)
