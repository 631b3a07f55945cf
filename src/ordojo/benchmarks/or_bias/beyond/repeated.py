"""The repeated newsvendor: the same sale period after period, with feedback.

Beside the decision stand its environment of many turns, its judge, and what its orders are made of,
which tells a chaser from an anchorer.

Every order after the first is explained by four things, whose weights add up to 1:

    order = c * last demand + r * last order + k * mean + (1 - c - r - k) * optimum

c is "chasing", r "inertia". A partial adjuster, who moves from the last order a share c of the way
to the last demand, has r = 1 - c and no other weight; an anchorer has k alone beside the optimum.

The mean of the orders alone cannot tell the two: both are pulled from the optimum to the mean,
as the demands that a chaser follows average to the mean. "pull" is that total, from the regression
of (order - optimum) on (mean - optimum) through the origin. In the long run it splits as
(c + k) / (1 - r): "anchoring" is the part k / (1 - r), "pull_by_chasing" the part c / (1 - r).

"chasing_simple" is the literature's regression of the change of order on (last demand - last
order), through the origin. It also calls a random wobble around a fixed order chasing, since a
high order tends to be followed by a lower one; with the last order held fixed, "chasing" does not
(compare Lau and Bearden, "Newsvendor demand chasing revisited", Management Science 2013).

Quantities count in standard deviations of demand, so that all stories weigh alike.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ordojo.benchmarks.or_bias.beyond.common import (
    Decision,
    Ends,
    between,
    money,
    near,
    pick,
    read,
)
from ordojo.benchmarks.or_bias.distributions import (
    Demand,
    Parameters,
    above_zero,
    make_demand,
    optimal_profit,
    regret,
)
from ordojo.benchmarks.or_bias.judges import regression
from ordojo.benchmarks.or_bias.stories import observe
from ordojo.core.canonical import Json, digest
from ordojo.core.environment import Environment, Observation, Step
from ordojo.core.episode import Episode
from ordojo.core.errors import BenchmarkError, DataError
from ordojo.core.instance import Instance
from ordojo.core.judge import Outcome, Verdict
from ordojo.core.records import SampleRecord, judged, share
from ordojo.core.statistics import (
    EQUAL,
    NOTHING,
    Estimate,
    Numbers,
    ResampledFigure,
    bootstrap_figures,
    mean_of,
)

PERIODS = 20
"""A choice without a fit: enough orders for a regression of one play, and few enough turns to
ask."""

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
optimum are one and anchoring cannot be seen. They are the project's own, without a fit: the price
and the salvage's share of it as in the single sale, the rest larger or wider out of distribution. A
normal demand lies three deviations above 0 at least, so that cutting the draws at 0 changes
nothing."""

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
        above_zero("price", self.price)
        above_zero("cost", self.cost)
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


_COLUMNS = 8
"""Of a row: order, last order, last demand, mean, optimum, deviation, cluster, whether it has a
last order."""


def metrics(records: Sequence[SampleRecord], rule: str) -> Mapping[str, Estimate]:
    """Rationality (the share of periods) first; then profit, and the weights."""
    found = judged(records, "rational")
    clusters = [record.cluster for record, _ in found]
    shares = {
        "rationality": share(found, lambda v: v.metrics.get("rational", 0.0)),
        "within_5pct": share(found, lambda v: v.metrics.get("within_5pct", 0.0)),
    }
    names = {cluster: place for place, cluster in enumerate(dict.fromkeys(clusters))}
    groups = np.asarray([names[cluster] for cluster in clusters], dtype=np.intp)
    means: dict[str, ResampledFigure] = {}
    for name in ("profit_ratio", "relative_regret"):
        values = np.asarray([v.metrics.get(name, np.nan) for _, v in found], dtype=np.float64)
        there = np.isfinite(values)
        means[name] = mean_of(np.where(there, values, 0.0), there)
    return {**shares, **bootstrap_figures(means, groups), **weights(records)}


def weights(records: Sequence[SampleRecord]) -> Mapping[str, Estimate]:
    """pull, chasing, anchoring, inertia, pull_by_chasing and chasing_simple, with intervals.

    Intervals respect episodes (clusters). NaN where nothing determines a weight.
    """
    rows = _rows(records)
    order, last, demand, mean, best, std = rows[:, :6].T
    groups = rows[:, 6].astype(np.intp)
    follows = rows[:, 7] > 0
    y, anchor = (order - best) / std, (mean - best) / std
    pull = regression(y, [anchor], groups)[0]
    chased, kept = (demand - best) / std, (last - best) / std
    change = ((order - last) / std)[follows]
    simple = regression(change, [(chased - kept)[follows]], groups[follows])[0]
    parts = _split(y, [chased, anchor, kept], groups, follows)
    return {
        "pull": pull,
        "chasing": parts[0],
        "anchoring": parts[1],
        "inertia": parts[2],
        "pull_by_chasing": parts[3],
        "chasing_simple": simple,
    }


def _rows(records: Sequence[SampleRecord]) -> Numbers:
    """One row for each period with a rational order."""
    names: dict[str, int] = {}
    rows: list[list[float]] = []
    for record in records:
        verdict = record.verdict("rational")
        if verdict is None or "optimum" not in verdict.metrics:
            continue
        story = [verdict.metrics[name] for name in ("mean", "optimum", "std")]
        cluster = names.setdefault(record.cluster, len(names))
        last, demand = np.nan, np.nan
        for turn in record.episode.turns:
            order = _number(turn.info.get("order"))
            if np.isfinite(order):
                follows = bool(np.isfinite(last))
                before = [last, demand] if follows else [0.0, 0.0]
                rows.append([order, *before, *story, cluster, follows])
            last, demand = order, _number(turn.info.get("demand"))
    return np.asarray(rows, dtype=np.float64).reshape(-1, _COLUMNS)


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else np.nan


def _split(
    y: Numbers, columns: Sequence[Numbers], groups: NDArray[np.intp], follows: NDArray[np.bool_]
) -> list[Estimate]:
    """Chasing, anchoring, inertia, and pull by chasing, on the rows with a last order.

    Where the last order says nothing beside the others (orders that never change), inertia is 0.
    """
    used = [column[follows] for column in columns]
    if _rank(used) < 3:
        used = used[:2]
    k = len(used)
    if _rank(used) < k:
        return [NOTHING] * 4
    places = [(i, j) for i in range(k) for j in range(i, k)]
    masked = [np.where(follows, column, 0.0) for column in columns[:k]]
    target = np.where(follows, y, 0.0)
    sums = tuple([masked[i] * masked[j] for i, j in places] + [x * target for x in masked])

    def solve(totals: Numbers) -> Numbers:
        """The coefficients (chasing, anchoring, inertia) of each row of sums."""
        squares = np.empty((len(totals), k, k))
        for place, (i, j) in enumerate(places):
            squares[:, i, j] = squares[:, j, i] = totals[:, place]
        sides = totals[:, len(places) :, None]
        found = np.zeros((len(totals), 3))
        found[:, :k] = (np.linalg.pinv(squares, hermitian=True) @ sides)[:, :, 0]
        return found

    def long_run(share: Numbers, inertia: Numbers) -> Numbers:
        moving = 1 - inertia
        return np.where(moving > 1e-6, share / np.where(moving > 1e-6, moving, 1), np.nan)

    figures = {
        "chasing": ResampledFigure(follows, sums, lambda s: solve(s)[:, 0]),
        "anchoring": ResampledFigure(follows, sums, lambda s: long_run(*solve(s)[:, 1:].T)),
        "inertia": ResampledFigure(follows, sums, lambda s: solve(s)[:, 2]),
        "by_chasing": ResampledFigure(follows, sums, lambda s: long_run(*solve(s)[:, ::2].T)),
    }
    found = bootstrap_figures(figures, groups)
    return [_rounded(estimate) for estimate in found.values()]


def _rounded(estimate: Estimate) -> Estimate:
    """Never narrower than rounding, like the regressions' intervals."""
    low, high = estimate.low - EQUAL, estimate.high + EQUAL
    return Estimate(estimate.value, low, high, estimate.n, estimate.clusters)


def _rank(columns: Sequence[Numbers]) -> int:
    x = np.stack(columns, axis=1)
    scale = np.sqrt((x**2).sum(axis=0))
    if not len(x) or (scale < EQUAL).any():
        return int((scale >= EQUAL).sum()) if len(x) else 0
    return int(np.linalg.matrix_rank(x / scale, tol=1e-7))
