"""What each reward rule pays the scripted policies on the eval set: `python -m perf.rewards`.

The table of docs/benchmarks/or_debug.md: mean reward of an episode. `python -m perf.rewards 10`
takes every tenth instance.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ordojo.benchmarks.or_debug.environment import OrDebugEnvironment
from ordojo.benchmarks.or_debug.policies import policies
from ordojo.benchmarks.or_debug.policies.replies import SUBMIT, reply, script
from ordojo.benchmarks.or_debug.rewards import (
    RewardWeights,
    Transition,
    algorithm_9,
    equation_5,
    equation_5_no_drift,
)
from ordojo.benchmarks.or_debug.schema import Debugging, OrDebugOptions
from ordojo.benchmarks.or_debug.sets import load_set
from ordojo.core.environment import Observation
from ordojo.core.episode import play
from ordojo.core.instance import Instance

Act = Callable[[Observation], str]
Instances = Sequence[Instance[Debugging]]
Rule = Callable[[Transition, RewardWeights], float]
TABLE_37 = ((0.6, 0.2, 0.2), (0.4, 0.4, 0.2), (0.3, 0.5, 0.2), (0.2, 0.6, 0.2))


class _Watched(OrDebugEnvironment):
    """Keeps what the rewards of an episode depend on."""

    def _transition(self, t: Transition) -> Transition:
        self.seen.append(t)
        return t

    seen: list[Transition]


def _acts(name: str, instance: Instance[Debugging]) -> Act:
    problem = instance.problem
    shown = problem.iis_rows or problem.iis_bounds
    if name == "name, submit":
        return script(iter([f"Diagnosis: {', '.join(shown)}\n{SUBMIT}"]), lambda: "")
    if name == "name for ever":
        return lambda observation: reply("GET_IIS()", shown)
    return policies()[name].begin(instance, 0, 1)


def played(name: str, instances: Instances) -> Iterator[tuple[list[Transition], bool]]:
    """Each episode's transitions, and whether it was a full success."""
    environment = _Watched(OrDebugOptions())
    for instance in instances:
        environment.seen = []
        episode = play(environment, instance, _acts(name, instance))
        final = episode.turns[-1].info.get("final")
        yield environment.seen, isinstance(final, dict) and final.get("outcome") == "full"
    environment.close()


def table(instances: Instances, names: Sequence[str]) -> Iterator[str]:
    """The rows of the table."""
    episodes = {name: list(played(name, instances)) for name in names}
    paper = (0.5, 0.3, 0.2)
    rules: list[tuple[str, Rule, tuple[float, float, float], bool]] = [
        ("equation-5-no-drift", equation_5_no_drift, paper, False),
        ("algorithm-9", algorithm_9, paper, False),
        ("equation-5", equation_5, paper, False),
        ("equation-5-full", equation_5_no_drift, paper, True),
        *(("equation-5", equation_5, w, False) for w in TABLE_37),
        *(("equation-5-no-drift", equation_5_no_drift, w, False) for w in TABLE_37),
    ]
    yield f"| rule | weights | {' | '.join(names)} |"
    for title, rule, weights, whole in rules:
        means = []
        for name in names:
            paid = [
                rule(replace(t, true_repair=full) if whole else t, RewardWeights(*weights))
                for seen, full in episodes[name]
                for t in seen
            ]
            means.append(f"{sum(paid) / len(instances):.1f}")
        share = "/".join(f"{100 * weight:.0f}" for weight in weights)
        yield f"| `{title}` | {share} | {' | '.join(means)} |"


NAMES = (
    "gold", "elastic", "greedy-iis", "drop-everything", "name, submit", "name for ever",
    "random", "noop",
)  # fmt: skip

if __name__ == "__main__":
    every = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    print(*table(load_set("eval")[::every], NAMES), sep="\n")
