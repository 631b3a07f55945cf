"""Scripted repairers: the ground truth, and what can be done without it."""

from collections.abc import Mapping

from ordojo.benchmarks.or_debug.policies.repairers import (
    Chance,
    DropEverything,
    Elastic,
    GoldRepair,
    GreedyIis,
)
from ordojo.core.policy import NoOp, Policy


def policies() -> Mapping[str, Policy]:
    """The policies by name; "heuristic" is the elastic repair."""
    elastic = Elastic()
    return {
        "gold": GoldRepair(),
        "noop": NoOp(),
        "random": Chance(),
        "drop-everything": DropEverything(),
        "greedy-iis": GreedyIis(),
        "elastic": elastic,
        "heuristic": elastic,
    }
