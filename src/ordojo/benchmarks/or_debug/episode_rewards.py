"""The rewards of `rewards` over a whole episode, in parts that add up (paper 004, 4.3, D.3)."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from ordojo.benchmarks.or_debug import rewards as debugging
from ordojo.benchmarks.or_debug.actions import REPAIR, ActionKind
from ordojo.benchmarks.or_debug.outcome import recall
from ordojo.benchmarks.or_debug.rewards import SOLVED, UNSOLVED, Transition
from ordojo.benchmarks.or_debug.schema import Debugging
from ordojo.core.errors import UsageError
from ordojo.core.teaching import Composite, Parts, RewardedEpisode, RewardRule, RewardWeights
from ordojo.solvers.answers import Status


def equation_5_full(episode: RewardedEpisode, how: Composite) -> Parts:
    """Equation 5 whose outcome asks for the objective too: 100 for a full success, else -50.

    Equation 5 itself pays for any OPTIMAL, so that a repair which ruins the objective earns as
    much as the right one; a full success (B.4) keeps it to 5%.
    """
    parts = dict(_over_turns(episode, how, debugging.equation_5))
    final: Any = episode.trajectory.last_info.get("final") or {}
    good = final.get("outcome") == "full"
    return {**parts, "outcome": how.weights.outcome * (SOLVED if good else UNSOLVED)}


def transitions(episode: RewardedEpisode) -> Iterator[Transition]:
    """What the rewards of an or-debug episode depend on, turn by turn, from what was recorded.

    `known_after` is that of an element by its name; raises UsageError for another benchmark's.
    """
    trajectory = episode.trajectory
    if trajectory.provenance.benchmark != episode.instance.benchmark:
        raise UsageError(_UNFIT.format(trajectory.instance))
    problem: Debugging = episode.instance.problem
    both = trajectory.provenance.options.get("iis") == "rows+bounds" or not problem.iis_rows
    recorded = (*problem.iis_rows, *problem.iis_bounds) if both else problem.iis_rows
    diagnosed: dict[str, None] = {}
    repaired: dict[str, None] = {}
    step, size = 0, len(problem.iis_rows) + len(problem.iis_bounds)
    past = debugging.Past()
    for place, turn in enumerate(trajectory.turns):
        info: Mapping[str, Any] = turn.info
        if "known" not in info:
            raise UsageError(_UNFIT.format(trajectory.instance))
        kind = (
            ActionKind(info["action"])
            if info["valid"] and info["action"] in set(ActionKind)
            else None
        )
        diagnosed.update(dict.fromkeys(info["diagnosis"]))
        if kind in REPAIR:
            repaired[info["target"]] = None
        t = Transition(
            kind=kind,
            status=Status(info["status"]),
            step=step,
            turn=place,
            counted=info["step"] > step,
            last=place == len(trajectory.turns) - 1,
            known_before=bool(info["known"]),
            known_after=info["target"] in (*info["iis"], *info["iis_bounds"]),
            accuracy=recall(info["diagnosis"], recorded) if info["diagnosis"] else None,
            episode_accuracy=recall(diagnosed or repaired, recorded),
            size_before=size,
            size_after=info["iis_size"],
            true_repair=debugging.is_true_repair(info),
            credit=debugging.credit_of(info),
            lost=debugging.has_lost(info),
            kept=debugging.kept_of(info),
            past=past,
        )
        yield t
        past = past.after(t)
        step, size = info["step"], info["iis_size"]


_UNFIT = (
    "{} is no debugging episode of actions; take the reward rule 'verdict' or 'environment' for it"
)
_Rule = Callable[[Transition, RewardWeights, bool], float]


def _over_turns(episode: RewardedEpisode, how: Composite, rule: _Rule) -> Parts:
    nothing = RewardWeights(0.0, 0.0, 0.0)
    found = dict.fromkeys(("outcome", "diagnosis", "efficiency", "faithfulness"), 0.0)
    for t in transitions(episode):
        for name in ("outcome", "diagnosis", "efficiency"):
            alone = replace(nothing, **{name: getattr(how.weights, name)})
            found[name] += rule(t, alone, False)
        if how.faithfulness:
            found["faithfulness"] += rule(t, nothing, True)
    return found


RULES: Mapping[str, RewardRule] = {
    "equation-5-no-drift": partial(_over_turns, rule=debugging.equation_5_no_drift),
    "equation-5": partial(_over_turns, rule=debugging.equation_5),
    "algorithm-9": partial(_over_turns, rule=debugging.algorithm_9),
    "algorithm-9-printed": partial(_over_turns, rule=debugging.algorithm_9_printed),
    "equation-5-full": equation_5_full,
}
