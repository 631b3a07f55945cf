"""The stories: one setting, one phrasing of each part, and at level L3 one irrelevant remark.

Every wording here is ours. A story is chosen by uniform numbers, one a part, so that neither
wording nor order of the parts is the test.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ordojo.benchmarks.or_bias.distributions import Parameters
from ordojo.core.environment import Message, Observation
from ordojo.core.files import shipped_table


@dataclass(frozen=True)
class Trade:
    """A seller of one perishable thing: its plural `items` and one `item`, the selling `period`,
    two openings, and what becomes of an unsold item (after "an unsold item ...").
    """

    item: str
    items: str
    period: str
    openings: tuple[str, str]
    leftover: str


TRADES = tuple(
    Trade(openings=(row.pop("opening_1"), row.pop("opening_2")), **row)
    for row in shipped_table(__package__, "tables/trades.csv")
)

T = TypeVar("T")

REMARKS: Mapping[str, Sequence[str]] = {
    "warehouse capacity": (
        "Storage limit: {capacity} units.",
        "The storeroom has space for {capacity} {items}.",
        "Up to {capacity} {items} would fit into the warehouse.",
        "Shelf space was extended last month and now holds {capacity} units.",
    ),
    "competitor pricing": (
        "A competitor across the street sells at ${rival:.2f}.",
        "The nearest rival charges ${rival:.2f} for something similar.",
        "In a neighbouring town the same thing is offered at ${rival:.2f}.",
        "A price comparison lists another seller at ${rival:.2f}.",
    ),
    "shelf life": (
        "By the label, a {item} keeps for {days} days.",
        "The supplier states a shelf life of {days} days.",
        "Stored properly, the goods stay presentable for {days} days.",
        "The best-before date lies {days} days after delivery.",
    ),
    "historical trends": (
        "Sales grew by {percent}% last year.",
        "Over the last five years sales rose by {percent}% a year on average.",
        "Compared with two years ago, sales have fallen by {percent}%.",
        "The annual report shows {percent}% more sales than the year before.",
    ),
    "seasonal factors": (
        "The holiday season is approaching.",
        "Sales are usually stronger in this part of the year than in the rest of it.",
        "The weather service expects a mild week, which is common at this time of year.",
        "School holidays begin soon, as they do every year at this time.",
    ),
}

ECONOMICS = (
    "Each {item} costs ${cost:.2f} and sells for ${price:.2f}; an unsold one {leftover}, which "
    "brings ${salvage:.2f}.",
    "The purchase price is ${cost:.2f} a {item}, the selling price ${price:.2f}. Whatever is left "
    "over brings ${salvage:.2f} apiece: every unsold {item} {leftover}.",
    "A {item} is sold at ${price:.2f}. It is bought at ${cost:.2f}. If nobody buys it, it "
    "{leftover} and recovers ${salvage:.2f}.",
    "Unit economics: price ${price:.2f}, cost ${cost:.2f}, salvage value ${salvage:.2f} (an unsold "
    "{item} {leftover}).",
    "Customers pay ${price:.2f} for a {item} that cost ${cost:.2f} to procure. Every {item} that "
    "remains {leftover} for ${salvage:.2f}.",
    "The supplier invoices ${cost:.2f} for each {item}. A sale brings in ${price:.2f}; a {item} "
    "that does not sell {leftover} and still yields ${salvage:.2f}.",
)

NORMAL = (
    "Demand for {items} this {period} is normally distributed with mean {mean} and standard "
    "deviation {std}.",
    "The forecast for this {period} is a normal distribution: mean demand {mean} {items}, standard "
    "deviation {std}.",
    "How many {items} will be asked for this {period} is uncertain; a normal distribution with a "
    "mean of {mean} and a standard deviation of {std} describes it well.",
    "For this {period}, demand has an expected value of {mean} units and a standard deviation of "
    "{std} units, and follows a bell curve (normal distribution).",
    "Mean demand: {mean}, standard deviation: {std} (normal), both in {items} for this {period}.",
)
FAMILY = (
    "Demand for {items} this {period} follows a {family} distribution with {numbers}.",
    "The forecast for this {period} is a {family} distribution: {numbers}, in {items}.",
    "How many {items} will be asked for this {period} is uncertain; a {family} distribution with "
    "{numbers} describes it well.",
    "For this {period}, demand has {numbers} and is {family}-distributed.",
)
EMPIRICAL = (
    "The last {n} sales figures, all equally likely to come again this {period}: {sample}.",
    "Take demand for {items} this {period} to be one of these {n} past figures, each as likely as "
    "the others: {sample}.",
    "Past demand ({n} records, no other forecast is made for this {period}; every record is "
    "equally likely): {sample}.",
)
CENSORED = (
    "Demand for {items} this {period} {kind}, but only its percentiles are known: {percentiles}.",
    "The forecast for this {period} {kind} and comes as percentiles alone: {percentiles}.",
    "No mean or deviation was reported for this {period}. Demand {kind}; its percentiles are "
    "{percentiles}.",
)
KINDS: Mapping[str, str] = {
    "normal": "is normally distributed",
    "lognormal": "follows a lognormal distribution",
    "gamma": "follows a gamma distribution",
    "poisson": "follows a Poisson distribution whose mean is a whole number",
    "empirical": "takes one of {n} equally likely values",
}

QUESTIONS = (
    "How many {items} should be ordered to maximise expected profit?",
    "Which order quantity has the highest expected profit?",
    "There is one order and no second chance. What quantity of {items} maximises expected profit?",
    "Choose the order quantity that makes the expected profit as large as possible.",
    "Decide on the number of {items} to order; expected profit is what counts.",
)
FRACTIONS = (
    "Fractions of a unit are allowed.",
    "The quantity need not be a whole number.",
    "Any non-negative number will do, whole or not.",
)

PARTS = 9
"""Uniform numbers that one story takes."""


def pick(options: Sequence[T], uniform: float) -> T:
    """The option at `uniform`, a number in [0, 1)."""
    return options[int(uniform * len(options))]


def tell(
    level: str,
    money: tuple[float, float, float],
    family: str,
    parameters: Parameters,
    percentiles: tuple[tuple[float, float], ...],
    distractor: str,
    u: Sequence[float],
) -> str:
    """The story of one scenario and its question; `money` is (price, cost, salvage)."""
    trade = pick(TRADES, u[0])
    price, cost, salvage = money
    economics = pick(ECONOMICS, u[2]).format(
        item=trade.item, leftover=trade.leftover, price=price, cost=cost, salvage=salvage
    )
    demand = (
        _censored(family, percentiles, trade, u[3])
        if level == "L4"
        else _stated(family, parameters, trade, u[3])
    )
    parts = [pick(trade.openings, u[1]), *_either((economics, demand), u[4])]
    if distractor:
        remark = _remark(distractor, price, trade, u[6], u[7])
        parts.insert(1 + int(u[8] * len(parts)), remark)
    parts.append(pick(QUESTIONS, u[5]).format(items=trade.items))
    if family not in ("poisson", "empirical"):
        parts.append(pick(FRACTIONS, u[4] * 2 % 1))
    return " ".join(parts)


def _either(pair: tuple[str, str], uniform: float) -> tuple[str, str]:
    return pair if uniform < 0.5 else pair[::-1]


def _stated(family: str, parameters: Parameters, trade: Trade, uniform: float) -> str:
    words: dict[str, object] = {"items": trade.items, "period": trade.period}
    sample = parameters.get("sample")
    if isinstance(sample, tuple):
        listed = ", ".join(f"{sale:g}" for sale in sample)
        return pick(EMPIRICAL, uniform).format(n=len(sample), sample=listed, **words)
    if family == "normal":
        return pick(NORMAL, uniform).format(
            mean=f"{parameters['mean']:.1f}", std=f"{parameters['std']:.1f}", **words
        )
    numbers = f"mean {parameters['mean']:.1f}"
    if family != "poisson":
        numbers += f" and standard deviation {parameters['std']:.1f}"
    name = "Poisson" if family == "poisson" else family
    return pick(FAMILY, uniform).format(family=name, numbers=numbers, **words)


def _censored(
    family: str, percentiles: tuple[tuple[float, float], ...], trade: Trade, uniform: float
) -> str:
    spell: Callable[[float], str] = "{:.1f}".format
    if family in ("poisson", "empirical"):
        spell = "{:g}".format
    listed = ", ".join(f"P{100 * share:g} = {spell(quantile)}" for share, quantile in percentiles)
    return pick(CENSORED, uniform).format(
        items=trade.items,
        period=trade.period,
        kind=KINDS[family].format(n=len(percentiles)),
        percentiles=listed,
    )


def _remark(kind: str, price: float, trade: Trade, wording: float, number: float) -> str:
    return pick(REMARKS[kind], wording).format(
        item=trade.item,
        items=trade.items,
        capacity=500 + 20 * int(number * 26),
        rival=price * (0.8 + 0.4 * number),
        days=20 + int(number * 41),
        percent=3 + int(number * 18),
    )


STOP = ("\n",)
COMPLETION_TOKENS = 32
CHAT_TOKENS = 1024


def observe(text: str, chat: bool, ask: str = "Order quantity", fresh: bool = True) -> Observation:
    """The story, asking for a number called `ask`, and how to answer."""
    end = f'\n\nEnd with one line of the form "{ask}: <number>".' if chat else f"\n\n{ask}:"
    return Observation(
        messages=(Message("user", text + end),),
        style="chat" if chat else "completion",
        fresh=fresh or not chat,
        max_tokens=CHAT_TOKENS if chat else COMPLETION_TOKENS,
        stop=() if chat else STOP,
    )
