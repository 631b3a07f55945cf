"""What each reward rule pays scripted policies on every set: `python -m perf.rewards`.

The tables of docs/benchmarks/or_debug.md: mean reward of an episode. `python -m perf.rewards 10`
takes every tenth instance, `python -m perf.rewards 1 eval-v6 hard` two sets. The authors' sets are
taken where their data are.
"""

import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, cycle
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from ordojo.benchmarks.or_debug.build import load_set
from ordojo.benchmarks.or_debug.environment import OrDebugEnvironment
from ordojo.benchmarks.or_debug.from_files import build_from
from ordojo.benchmarks.or_debug.injection.generate import generate
from ordojo.benchmarks.or_debug.outcome import differences
from ordojo.benchmarks.or_debug.policies import SUBMIT, policies, reply, script
from ordojo.benchmarks.or_debug.repairs import apply_fix
from ordojo.benchmarks.or_debug.rewards import (
    RewardWeights,
    Transition,
    algorithm_9,
    authors,
    equation_5,
    equation_5_no_drift,
)
from ordojo.benchmarks.or_debug.schema import (
    TYPES,
    Debugging,
    OrDebugOptions,
    make_instance,
    read_file,
)
from ordojo.core.environment import Observation
from ordojo.core.episode import play
from ordojo.core.errors import DataError
from ordojo.core.instance import Instance
from ordojo.milp.files import write_model
from ordojo.solvers.answers import Status
from ordojo.solvers.highs import HighsOracle

Act = Callable[[Observation], str]
Instances = Sequence[Instance[Debugging]]
TABLE_37 = ((0.6, 0.2, 0.2), (0.4, 0.4, 0.2), (0.3, 0.5, 0.2), (0.2, 0.6, 0.2))

AUTHORS = tuple(
    f"authors/{name}"
    for name in ("holdout", "v1", "hard", "hard-da", "mdp", "mdp-v2", "test", "test-v2")
)
SETS = ("eval-v6", "eval-v1", "hard", "basic", "own", *AUTHORS)
"""`basic`: five of each type by the basic injectors; `own`: every tenth model of eval-v6 as an MPS
file, of which nothing else is known."""

ORDER = ("gold", "elastic", "drop-everything", "name, submit", "submit")
"""A repair, a try, a wreck, giving up, nothing: on every set the earlier is paid more."""

NAMES = (
    *ORDER, "drop right", "drop wrong", "name all, submit", "name for ever", "look on", "again",
    "greedy-iis", "random", "noop",
)  # fmt: skip

FARMS = ("name for ever", "look on", "again")
"""What repeats itself until the limit: naming the IIS; looking at the repaired model; the repair,
after RESTART. The last two where an episode ends at SUBMIT alone."""


class PlayedEpisode(NamedTuple):
    """An episode's transitions, and its last turn's info."""

    seen: list[Transition]
    last: Mapping[str, Any]


class _Watched(OrDebugEnvironment):
    """Keeps what the rewards of an episode depend on."""

    def _transition(self, t: Transition) -> Transition:
        self.seen.append(t)
        return t

    seen: list[Transition]


def instances_of(name: str, every: int = 1) -> Instances:
    """Each `every`th instance of one of `SETS`; raises DataError where its data are missing."""
    solvers = {"highs": HighsOracle().version}
    if name == "basic":
        kinds = [(kind, index) for index in range(5) for kind in TYPES]
        made = (generate("eval", 0, index, kind, robust=False) for kind, index in kinds[::every])
        return [make_instance(problem, solvers) for problem in made]
    if name == "own":
        with tempfile.TemporaryDirectory() as folder:
            for one in load_set("eval-v6")[:: 10 * every]:
                write_model(one.problem.model, Path(folder) / f"{one.id}.mps")
            list(build_from(Path(folder) / "own.jsonl", [Path(folder)]))
            return read_file(Path(folder) / "own.jsonl")
    return load_set(name)[::every]


def acts(name: str, instance: Instance[Debugging]) -> Act:
    """A policy of `NAMES` at the start of an episode."""
    problem = instance.problem
    shown = problem.iis_rows or problem.iis_bounds
    if name == "submit":
        return lambda observation: SUBMIT
    if name == "name, submit":
        return lambda observation: reply("SUBMIT()", shown)
    if name == "name all, submit":
        return lambda observation: reply("SUBMIT()", problem.model.row_names)
    if name == "name for ever":
        return lambda observation: reply("GET_IIS()", shown)
    if name == "look on":
        first = (reply(action, () if k else shown) for k, action in enumerate(problem.fix))
        return script(chain(first, cycle(["Action: GET_IIS()"])), lambda: (problem.model, ()))
    if name == "again":
        return script(cycle(map(reply, (*problem.fix, "RESTART()"))), lambda: (problem.model, ()))
    if name in ("drop right", "drop wrong"):
        return script(_drops(problem, right=name == "drop right"), lambda: (problem.model, ()))
    return policies()[name].begin(instance, 0, 1)


def _drops(problem: Debugging, right: bool) -> Iterator[str]:
    """The IIS is named, and what the fix acts on in it dropped; or the first that it leaves be."""
    fixed = {*problem.targets, *differences(apply_fix(problem.model, problem.fix), problem.model)}
    both = (*problem.iis_rows, *problem.iis_bounds)
    chosen = [name for name in both if (name in fixed) == right]
    actions = [f"DROP({name})" for name in (chosen if right else chosen[:1])]
    for place, action in enumerate(actions or ["SUBMIT()"]):
        yield reply(action, () if place else problem.iis_rows or both)


def played(name: str, instances: Instances) -> Iterator[PlayedEpisode]:
    """The episodes of a policy."""
    ends: Any = "submit" if name in FARMS[1:] else "optimal"
    environment = _Watched(OrDebugOptions(end=ends))
    for instance in instances:
        environment.seen = []
        episode = play(environment, instance, acts(name, instance))
        yield PlayedEpisode(environment.seen, episode.turns[-1].info)
    environment.close()


Paid = Callable[[PlayedEpisode], float]


def _summed(
    rule: Callable[..., float], weights: tuple[float, float, float] = (0.5, 0.3, 0.2)
) -> Paid:
    outcome, diagnosis, efficiency = weights
    how = RewardWeights(outcome=outcome, diagnosis=diagnosis, efficiency=efficiency)
    return lambda one: sum(rule(t, how) for t in one.seen)


def former_default(one: PlayedEpisode) -> float:
    """What `equation-5-no-drift` paid up to version 3 (docs/decisions/0013).

    Equation 5, its outcome 100 for a full success of which an original is known, where both optima
    are allowed in both models and nothing else was changed.
    """
    final: Any = one.last["final"]
    drift = final["drift"]
    wrong = "lost" in final or drift["collateral"] or drift.get("cut_off") or drift.get("relaxed")
    right = bool(final["outcome"] == "full" and not wrong)
    return _summed(equation_5)(_as_failed(one)) + 75.0 * right


def _as_failed(one: PlayedEpisode) -> PlayedEpisode:
    """The episode as equation 5 sees one that failed."""
    return PlayedEpisode([replace(t, status=Status.INFEASIBLE) for t in one.seen], one.last)


def full_success(one: PlayedEpisode) -> float:
    """GRPO's `equation-5-full`."""
    right = bool(one.last["final"]["outcome"] == "full")
    return _summed(equation_5)(_as_failed(one)) + 75.0 * right


def rules() -> Iterator[tuple[str, str, Paid]]:
    """Each rule with its weights, as rows of the table."""
    paper = "50/30/20"
    yield "equation-5-no-drift", paper, _summed(equation_5_no_drift)
    yield "equation-5-no-drift up to version 3", paper, former_default
    yield "algorithm-9", paper, _summed(algorithm_9)
    yield "equation-5", paper, _summed(equation_5)
    yield "equation-5-full", paper, full_success
    yield "authors", "", lambda one: sum(map(authors, one.seen))
    for rule, name in ((equation_5, "equation-5"), (equation_5_no_drift, "equation-5-no-drift")):
        for weights in TABLE_37:
            yield name, "/".join(f"{100 * w:.0f}" for w in weights), _summed(rule, weights)


def table(
    instances: Instances, names: Sequence[str], most: int | None = None
) -> dict[tuple[str, str], dict[str, float]]:
    """Mean reward by rule and weights, and by policy; of the first `most` rules."""
    episodes = {name: list(played(name, instances)) for name in names}
    return {
        (title, weights): {name: fmean(map(paid, found)) for name, found in episodes.items()}
        for title, weights, paid in list(rules())[:most]
    }


def lines(every: int, sets: Sequence[str]) -> Iterator[str]:
    """Both tables: all rules on the first set, then what was and is the default on every set."""
    head = f"| {' | '.join(NAMES)} |"
    for place, name in enumerate(sets):
        try:
            instances = instances_of(name)[::every]
        except DataError as error:
            yield f"{name}: left out: {error}"
            continue
        found = table(instances, NAMES)
        cells = {
            key: " | ".join(f"{paid:.1f}" for paid in row.values()) for key, row in found.items()
        }
        if not place:
            yield f"| {name}: rule | weights {head}"
            yield from (f"| `{rule}` | {given} | {row} |" for (rule, given), row in cells.items())
            yield f"| set | instances | default {head}"
        for key, word in zip(list(cells)[:2], ("now", "before"), strict=True):
            yield f"| {name} | {len(instances)} | {word} | {cells[key]} |"
        yield f"{name}: gold's diagnosis accuracy is {gold_accuracy(instances):.3f}"


def gold_accuracy(instances: Instances) -> float:
    """Mean recall of the recorded IIS (DA) by the gold policy's diagnoses, read as any reply is."""
    return fmean(one.last["da"]["recorded"] for one in played("gold", instances))


if __name__ == "__main__":
    step = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    for line in lines(step, sys.argv[2:] or SETS):
        print(line, flush=True)
