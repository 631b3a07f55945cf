"""What a turn is paid and labelled by named rules, and an episode, in parts that add up.

Paper 004 has `algorithm_9`, `equation_5`, and the labels of `algorithm_10` and `equation_6`; the
parts are those of 4.3 and D.3. Not the paper's are `equation_5_no_drift`, the default, whose
outcome is a true repair's alone (decisions 13 and 19), `equation_5_full`, and `authors`, by the
authors' code.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from ordojo.benchmarks.or_debug.actions import DIAGNOSTIC, REPAIR, ActionKind
from ordojo.benchmarks.or_debug.outcome import recall
from ordojo.benchmarks.or_debug.schema import Debugging
from ordojo.core.errors import UsageError
from ordojo.core.options import Options
from ordojo.core.ranges import SIZE
from ordojo.core.teaching import Parts, RewardedEpisode, RewardRule
from ordojo.solvers.answers import Status

SOLVED, UNSOLVED = 100.0, -50.0
"""What the outcome is worth, before its weight."""


class RewardWeights(Options):
    """The shares of outcome, diagnosis and efficiency; the paper's choice out of table 37.

    `faithfulness` says whether a repair outside the IIS costs 20.
    """

    outcome: float = SIZE.field(0.5)
    diagnosis: float = SIZE.field(0.3)
    efficiency: float = SIZE.field(0.2)
    faithfulness: bool = True


WEIGHED = ("outcome", "diagnosis", "efficiency")
PARTS = (*WEIGHED, "faithfulness")
"""What a reward is added up of."""

PAPER = RewardWeights()

PENALTY = 20.0
"""The faithfulness penalty, which has no weight."""

HORIZON = 50
"""The steps over which algorithm 9 spreads efficiency, worth `EFFICIENCY` at the first."""

EFFICIENCY = 50.0


@dataclass(frozen=True, slots=True)
class Past:
    """What the turns before have earned or cost that is paid once an episode.

    `accuracy` is the highest of a turn's diagnosis, `strayed` says that a repair was outside the
    IIS that the policy saw.
    """

    accuracy: float = 0.0
    strayed: bool = False

    def after(self, t: "Transition") -> "Past":
        """The past of the next turn."""
        strayed = self.strayed or (t.kind in REPAIR and not t.known_before)
        return Past(max(self.accuracy, t.accuracy or 0.0), strayed)


@dataclass(frozen=True, slots=True)
class Transition:
    """What a reward or a label depends on.

    `kind` is None for an invalid action. `known_before` and `known_after` say whether the target
    is in the IIS of the state before and after. `accuracy` is the diagnostic accuracy of this
    turn's diagnosis, None if it has none, and `episode_accuracy` that of all turns so far.
    `credit` is what the episode's is worth by precision and recall (`outcome.credit`).
    `step` is the counter before the action; `counted` says whether this action raised it. `last`
    says that the episode is over, `true_repair` that it ended in one (`is_true_repair`). IIS sizes
    are 0 where there is no IIS; `counts` are the two sizes with each column counted once. `lost`
    says that something is gone which right repairs keep, where no original is known, `kept`
    the share of the optimum that is kept then; `past` is what was paid or punished before.
    """

    kind: ActionKind | None
    status: Status
    step: int
    turn: int
    counted: bool
    last: bool
    known_before: bool
    known_after: bool
    accuracy: float | None
    episode_accuracy: float
    size_before: int
    size_after: int
    true_repair: bool = False
    counts: tuple[int, int] = (0, 0)
    credit: float = 0.0
    lost: bool = False
    kept: float = 1.0
    past: Past = Past()


def algorithm_9(t: Transition, weights: RewardWeights = PAPER, faithful: bool = True) -> float:
    """The reward of every turn on its own: outcome and efficiency each time, a diagnosis once.

    The outcome counts 100 if the new status is OPTIMAL, -50 if INFEASIBLE, and nothing otherwise.
    A diagnosis counts by how much more accurate it is than the best of the turns before, and
    `faithful` takes the penalty. It still can be farmed, see `schema.FARMED`.
    """
    gained = max(0.0, (t.accuracy or 0.0) - t.past.accuracy)
    return _by_turn(t, weights, gained) - penalty(t, faithful)


def algorithm_9_printed(
    t: Transition, weights: RewardWeights = PAPER, faithful: bool = True
) -> float:
    """Algorithm 9 to the letter: each turn's diagnosis is paid, and the next state's IIS punishes.

    After a success there is no IIS, so that each repair that works costs 20.
    """
    strayed = faithful and t.kind in REPAIR and not t.known_after
    return _by_turn(t, weights, t.accuracy or 0.0) - PENALTY * strayed


def _by_turn(t: Transition, weights: RewardWeights, accuracy: float) -> float:
    unsolved = UNSOLVED if t.status == Status.INFEASIBLE else 0.0
    outcome = SOLVED if t.status == Status.OPTIMAL else unsolved
    left = max(0.0, (HORIZON - t.step) / HORIZON)
    return (
        weights.outcome * outcome
        + weights.diagnosis * 100.0 * accuracy
        + weights.efficiency * EFFICIENCY * left
    )


def equation_5(t: Transition, weights: RewardWeights = PAPER, faithful: bool = True) -> float:
    """The reward whose sum over an episode is equation 5, with the faithfulness penalties.

    Each counted step costs 1; the last turn brings the outcome, 100 if OPTIMAL and -50 otherwise,
    and 100 times the diagnostic accuracy of the episode.
    """
    reward = 0.0 - weights.efficiency * t.counted - penalty(t, faithful)
    if t.last:
        outcome = SOLVED if t.status == Status.OPTIMAL else UNSOLVED
        reward += weights.outcome * outcome + weights.diagnosis * 100.0 * t.episode_accuracy
    return reward


def equation_5_no_drift(
    t: Transition, weights: RewardWeights = PAPER, faithful: bool = True
) -> float:
    """Equation 5 that pays for a true repair alone, and least for giving up: the default.

    The outcome is 100 for a true repair (times OP where no original is known: `kept`), -50 for
    everything else. The diagnosis is paid by
    precision and recall (`credit`), so that naming everything earns nothing. The penalty is taken
    once, for a repair outside the IIS or for what was lost of a right one (`lost`), and given back
    for a true repair; no more than `HORIZON` steps cost. An episode that does not end OPTIMAL costs
    as much as the worst that does, so that no try is paid less than giving up with the same
    diagnosis.
    """
    steps = int(t.counted and t.step < HORIZON)
    strayed = t.past.strayed or penalty(t) > 0
    reward = 0.0
    if t.last:
        outcome = SOLVED * t.kept if t.true_repair else UNSOLVED
        reward = weights.outcome * outcome + weights.diagnosis * 100.0 * t.credit
        strayed = (strayed or t.lost) and not t.true_repair
        if t.status != Status.OPTIMAL:
            steps, strayed = max(0, HORIZON - t.step), True
    reward -= weights.efficiency * steps
    return reward - PENALTY * (strayed - t.past.strayed) if faithful else reward


def authors(t: Transition) -> float:
    """The reward of the authors' code at c16b9eb [src/environments/reward.py].

    -1 a step; for a repair, 10 for each member that its IIS has less, and 5 where it is no drop;
    at the end 100 if OPTIMAL and -50 otherwise. Their penalty for faithfulness is always 0.
    """
    reward = -1.0
    if t.kind in REPAIR:
        reward += 10.0 * max(0, t.counts[0] - t.counts[1]) + 5.0 * (t.kind is not ActionKind.DROP)
    if t.last:
        reward += SOLVED if t.status == Status.OPTIMAL else UNSOLVED
    return reward


def paid(status: Status, problem: Debugging, over: Mapping[str, Any]) -> Status:
    """The last status as rewards take it: a model that solves and stays wrong is given up."""
    left = problem.is_silent and not is_true_repair(over)
    return Status.ERROR if left else status


def is_true_repair(info: Mapping[str, Any]) -> bool:
    """Whether a turn's info says that the episode ended in a full success without drift.

    Drift that is not known counts as drift: what cannot be shown to be right is not paid for. Where
    no original is known, a full success that has all that a right repair keeps.
    """
    final = info.get("final") or {}
    drift = final.get("drift") or {}
    wrong = drift.get("drifted") or drift.get("unknown")
    if "lost" in final:
        wrong = has_lost(info)
    return final.get("outcome") == "full" and not wrong


def kept_of(info: Mapping[str, Any]) -> float:
    """What share of a right repair's optimum is kept, by a turn's info; 1 with an original."""
    final = info.get("final") or {}
    return float(final["op"]) if "lost" in final else 1.0


def has_lost(info: Mapping[str, Any]) -> bool:
    """Whether a turn's info says that something is gone which right repairs keep."""
    final = info.get("final") or {}
    return bool(final.get("lost") or (final.get("drift") or {}).get("lost"))


def credit_of(info: Mapping[str, Any]) -> float:
    """What a turn's info says that the episode's diagnosis is worth; 0 before the end."""
    return float((info.get("da") or {}).get("credit", 0.0))


def penalty(t: Transition, faithful: bool = True) -> float:
    """What a repair costs whose target was not in the IIS that the policy saw (decision 10).

    An invalid action is no repair, and nothing costs where it is not `faithful` that is asked for.
    """
    return PENALTY * (faithful and t.kind in REPAIR and not t.known_before)


RULES: Mapping[str, Callable[[Transition], float]] = {
    "algorithm-9": algorithm_9,
    "algorithm-9-printed": algorithm_9_printed,
    "equation-5": equation_5,
    "equation-5-no-drift": equation_5_no_drift,
    "authors": authors,
}
"""The rules by name, with the paper's weights; "authors" has its own."""


PROGRESS, DIAGNOSED, LOOKED, NOTHING = 1.0, 0.5, 0.2, 0.0
"""The labels of algorithm 10 and equation 6, as printed."""


def algorithm_10(t: Transition) -> float:
    """The label of a turn; a smaller IIS is no progress on the first turn (t > 0).

    Only GET_IIS and CHECK_SLACK count as gathering information.
    """
    return _label(t, t.turn > 0, t.kind in (ActionKind.GET_IIS, ActionKind.CHECK_SLACK))


def equation_6(t: Transition) -> float:
    """The label of a turn; a smaller IIS always is progress, and every diagnostic action counts."""
    return _label(t, True, t.kind in DIAGNOSTIC)


def _label(t: Transition, shrinking_counts: bool, looked: bool) -> float:
    if t.status == Status.OPTIMAL:
        return PROGRESS
    # A model without an IIS because it is unbounded or undecided has not come nearer.
    if shrinking_counts and 0 < t.size_after < t.size_before:
        return PROGRESS
    if t.accuracy:
        return DIAGNOSED
    return LOOKED if looked else NOTHING


LABELS: Mapping[str, Callable[[Transition], float]] = {
    "algorithm-10": algorithm_10,
    "equation-6": equation_6,
}
"""The rules by name."""


def equation_5_full(episode: RewardedEpisode, how: RewardWeights) -> Parts:
    """Equation 5 whose outcome asks for the objective too: 100 for a full success, else -50.

    Equation 5 itself pays for any OPTIMAL, so that a repair which ruins the objective earns as
    much as the right one; a full success (B.4) keeps it to 5%.
    """
    parts = dict(_over_turns(episode, how, equation_5))
    final: Any = episode.trajectory.last_info.get("final") or {}
    good = final.get("outcome") == "full"
    return {**parts, "outcome": how.outcome * (SOLVED if good else UNSOLVED)}


def transitions(episode: RewardedEpisode) -> Iterator[Transition]:
    """What the rewards of an or-debug episode depend on, turn by turn, from what was recorded.

    `known_after` is that of an element by its name; raises UsageError for another benchmark's.
    """
    trajectory = episode.trajectory
    if trajectory.provenance.benchmark != episode.instance.benchmark:
        raise UsageError(_UNFIT.format(trajectory.id))
    problem: Debugging = episode.instance.problem
    both = trajectory.provenance.options.get("iis") == "rows+bounds" or not problem.iis_rows
    recorded = (*problem.iis_rows, *problem.iis_bounds) if both else problem.iis_rows
    diagnosed: dict[str, None] = {}
    repaired: dict[str, None] = {}
    step, size = 0, len(problem.iis_rows) + len(problem.iis_bounds)
    past = Past()
    for place, turn in enumerate(trajectory.turns):
        info: Mapping[str, Any] = turn.info
        if "known" not in info:
            raise UsageError(_UNFIT.format(trajectory.id))
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
            true_repair=is_true_repair(info),
            credit=credit_of(info),
            lost=has_lost(info),
            kept=kept_of(info),
            past=past,
        )
        yield t
        past = past.after(t)
        step, size = info["step"], info["iis_size"]


_UNFIT = (
    "{} is no debugging episode of actions; take the reward rule 'verdict' or 'environment' for it"
)
_TurnRule = Callable[[Transition, RewardWeights, bool], float]


def _over_turns(episode: RewardedEpisode, how: RewardWeights, rule: _TurnRule) -> Parts:
    nothing = how.model_copy(update=dict.fromkeys(WEIGHED, 0.0))
    alone = {name: nothing.model_copy(update={name: getattr(how, name)}) for name in WEIGHED}
    found = dict.fromkeys(PARTS, 0.0)
    for t in transitions(episode):
        for name, weights in alone.items():
            found[name] += rule(t, weights, False)
        if how.faithfulness:
            found["faithfulness"] += rule(t, nothing, True)
    return found


EPISODE_RULES: Mapping[str, RewardRule] = {
    "equation-5-no-drift": partial(_over_turns, rule=equation_5_no_drift),
    "equation-5": partial(_over_turns, rule=equation_5),
    "algorithm-9": partial(_over_turns, rule=algorithm_9),
    "algorithm-9-printed": partial(_over_turns, rule=algorithm_9_printed),
    "equation-5-full": equation_5_full,
}
