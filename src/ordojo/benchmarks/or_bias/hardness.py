"""How far one gets on OR-Bias-Bench without a critical ratio: the mean, constants, a fitted line."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ordojo.benchmarks.or_bias.judges import ABSURD, TOLERANCES
from ordojo.benchmarks.or_bias.page import DATASET, SOURCE, table36
from ordojo.benchmarks.or_bias.profit import optimal_profit, regret
from ordojo.benchmarks.or_bias.schema import Scenario
from ordojo.core.guessers import folds
from ordojo.core.hardness import Battery, Finding, Shortcut, measured
from ordojo.core.instance import Instance
from ordojo.core.panels import Published
from ordojo.datasets.duplicates import repeats

Instances = Sequence[Instance[Any]]
Order = Callable[[Scenario], float]

RULE = "within-5pct"
STEPS = np.linspace(0.5, 1.5, 101)
"""Multiples of the mean among which a constant is chosen."""


def battery(instances: Instances, seen: Instances) -> Battery:
    """The shortcuts and guessers under the rule within-5pct, with the paper's rationality.

    Published is the paper's rationality alone, under which every positive number counts.
    """
    fixed = [
        _measured(instances, name, says, [order(i.problem) for i in instances])
        for name, (says, order) in ORDERS.items()
    ]
    guessed = [
        _measured(instances, name, says, _held_out(instances, seen, fit), fitted=True)
        for name, (says, fit) in GUESSERS.items()
    ]
    return Battery(RULE, (*fixed, *guessed), _findings(instances))
