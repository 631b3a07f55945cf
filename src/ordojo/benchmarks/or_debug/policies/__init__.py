"""Scripted repairers: the ground truth, and what can be done without it."""

from collections.abc import Mapping

from ordojo.benchmarks.or_debug.policies.repairers import (
    Chance,
    GoldRepair,
    drop_everything,
    elastic,
    greedy_iis,
)
from ordojo.benchmarks.or_debug.policies.replies import Repairer
from ordojo.core.policy import NoOp, Policy


def policies() -> Mapping[str, Policy]:
    """The policies by name; "heuristic" is the elastic repair."""
    return {
        "gold": GoldRepair(),
        "noop": NoOp(),
        "random": Chance(),
        "drop-everything": Repairer(drop_everything, "DropEverything"),
        "greedy-iis": Repairer(greedy_iis, "GreedyIis"),
        "elastic": Repairer(elastic, "Elastic"),
        "heuristic": Repairer(elastic, "Elastic"),
    }
