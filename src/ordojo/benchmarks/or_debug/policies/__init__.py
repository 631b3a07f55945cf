"""Scripted repairers: the ground truth, and what can be done without it."""

from collections.abc import Mapping

from ordojo.benchmarks.or_debug.policies.chance import Chance
from ordojo.benchmarks.or_debug.policies.drop import DropEverything
from ordojo.benchmarks.or_debug.policies.elastic import Elastic
from ordojo.benchmarks.or_debug.policies.gold import Gold
from ordojo.benchmarks.or_debug.policies.greedy import GreedyIis
from ordojo.core.policy import NoOp, Policy


def policies() -> Mapping[str, Policy]:
    """The policies by name; "heuristic" is the elastic repair."""
    elastic = Elastic()
    return {
        "gold": Gold(),
        "noop": NoOp(),
        "random": Chance(),
        "drop-everything": DropEverything(),
        "greedy-iis": GreedyIis(),
        "elastic": elastic,
        "heuristic": elastic,
    }
