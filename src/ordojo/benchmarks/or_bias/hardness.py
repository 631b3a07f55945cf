"""How far one gets on OR-Bias-Bench without a critical ratio: means, constants, a fitted line."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ordojo.benchmarks.or_bias.judges import ABSURD, TOLERANCES
from ordojo.benchmarks.or_bias.page import published_scores
from ordojo.benchmarks.or_bias.schema import Scenario
from ordojo.core.hardness import Battery, HardnessFinding, Shortcut, measured, shortcuts
from ordojo.core.instance import Instance
from ordojo.datasets.duplicates import twice

Instances = Sequence[Instance[Any]]
Order = Callable[[Scenario], float]

RULE = "within-5pct"
RATIONAL = "rational"
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
MOST = 10
"""Numbers of a text that the fitted line takes: stories state five to nine."""


def battery(instances: Instances, seen: Instances) -> Battery:
    """The shortcuts and guessers under the rule within-5pct, and what gives the optimum away.

    What the paper publishes is its rationality, under which every sensible number counts.
    """
    measure = partial(_measured, instances)
    found = shortcuts(instances, seen, ORDERS, GUESSERS, measure, "measuring orders")
    quoted = tuple(replace(p, score=p.extra["rationality"]) for p in published_scores())
    return Battery(RULE, found, _findings(instances), quoted, RATIONAL)


def _measured(
    instances: Instances, name: str, exploits: str, orders: Sequence[float], fitted: bool
) -> Shortcut:
    problems: list[Scenario] = [instance.problem for instance in instances]
    pairs = list(zip(orders, problems, strict=True))
    slack = (TOLERANCES[RULE] or 0.0) + 1e-9
    return measured(
        name,
        exploits,
        instances,
        [float(abs(q - p.optimum) <= slack * p.optimum) for q, p in pairs],
        label="level",
        fitted=fitted,
        **{RATIONAL: [float(0 <= q <= ABSURD * p.demand.mean) for q, p in pairs]},
    )


ORDERS: dict[str, tuple[str, Order]] = {
    "mean": ("the optimum lies near the mean demand", lambda p: p.demand.mean),
    "mean + 10%": ("margins are mostly high", lambda p: 1.1 * p.demand.mean),
    "mean - 10%": ("margins are mostly low", lambda p: 0.9 * p.demand.mean),
    "100": ("a round number of units", lambda p: 100.0),
    "largest number": ("the largest number of the text", lambda p: max(numbers(p), default=0.0)),
}
"""What each fixed order lives on, and the order."""


def numbers(problem: Scenario) -> list[float]:
    """The numbers of the text above 0, the largest first."""
    found = (float(n.replace(",", "")) for n in NUMBER.findall(problem.text))
    return sorted((n for n in found if n > 0), reverse=True)


def _constant(problems: list[Scenario]) -> Order:
    """The quantity that is right most often, among those that are right once."""
    best = _best(np.array([1.0] * len(problems)), problems)
    return lambda problem: best


def _multiple(problems: list[Scenario]) -> Order:
    best = _best(np.array([p.demand.mean for p in problems]), problems)
    return lambda problem: best * problem.demand.mean


def _best(unit: NDArray[np.float64], problems: list[Scenario]) -> float:
    """The multiple of `unit` that is within 5% of most optima."""
    optima = np.array([problem.optimum for problem in problems])
    tries = np.unique(optima / unit)
    hits = [int((np.abs(k * unit - optima) <= 0.05 * optima).sum()) for k in tries]
    return float(tries[int(np.argmax(hits))]) if len(tries) else 0.0


def _line(problems: list[Scenario]) -> Order:
    """Least squares of the optimum's logarithm on those of the text's numbers, by size."""

    def row(problem: Scenario) -> NDArray[np.float64]:
        logs = np.log(numbers(problem)[:MOST] or [1.0])
        return np.concatenate([[1.0], logs, np.zeros(MOST - len(logs))])

    x = np.array([row(problem) for problem in problems]).reshape(-1, MOST + 1)
    y = np.log([problem.optimum for problem in problems])
    # The ridge is for columns that are nearly always 0.
    w = np.linalg.solve(x.T @ x + np.eye(MOST + 1), x.T @ y)
    return lambda problem: float(np.exp(row(problem) @ w))


GUESSERS: dict[str, tuple[str, Callable[[list[Scenario]], Order]]] = {
    "constant": ("one quantity for everything", _constant),
    "multiple of the mean": ("optima lie on one side of the mean", _multiple),
    "line through the numbers": ("the text's numbers by size, without what they mean", _line),
}


def _findings(instances: Instances) -> tuple[HardnessFinding, ...]:
    problems: list[Scenario] = [instance.problem for instance in instances]
    count = len(problems)
    near = sum(abs(p.demand.mean - p.optimum) <= 0.05 * p.optimum for p in problems)
    stated = sum(any(abs(n - p.optimum) <= 1e-6 * p.optimum for n in numbers(p)) for p in problems)
    return (
        HardnessFinding("mean is right", near, count, "the mean is within 5% of the optimum"),
        HardnessFinding("optimum is stated", stated, count, "the optimum is a number of the text"),
        twice("texts twice", [p.text for p in problems]),
    )
