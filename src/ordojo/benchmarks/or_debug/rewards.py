"""The rewards of a turn (algorithm 9, equation 5 of paper 004), and its labels (algorithm 10)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ordojo.benchmarks.or_debug.actions import DIAGNOSTIC, REPAIR, ActionKind
from ordojo.solvers.answers import Status

SOLVED, UNSOLVED = 100.0, -50.0
"""What the outcome is worth, before its weight."""

PENALTY = 20.0
"""The faithfulness penalty, which has no weight."""

HORIZON = 50
"""The steps over which algorithm 9 spreads efficiency, worth `EFFICIENCY` at the first."""

EFFICIENCY = 50.0

Faithfulness = Literal["before", "after", "none"]
"""Where the target of a repair must be, to cost nothing: in the IIS that the policy saw, or, as
algorithm 9 is written, in the IIS of the next state (docs/decisions/0010)."""


@dataclass(frozen=True, slots=True)
class RewardWeights:
    """The shares of outcome, diagnosis and efficiency; the paper's choice out of table 37."""

    outcome: float = 0.5
    diagnosis: float = 0.3
    efficiency: float = 0.2


@dataclass(frozen=True, slots=True)
class Transition:
    """What a reward or a label depends on.

    `kind` is None for an invalid action. `known_before` and `known_after` say whether the target
    is in the IIS of the state before and after. `accuracy` is the diagnostic accuracy of this
    turn's diagnosis, None if it has none, and `episode_accuracy` that of all turns so far.
    `step` is the counter before the action; `counted` says whether this action raised it. `last`
    says that the episode is over, `true_repair` that it ended in one (`is_true_repair`). IIS sizes
    are 0 where there is no IIS; `counts` are the two sizes with each column counted once.
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


def algorithm_9(
    t: Transition, weights: RewardWeights = RewardWeights(), faithfulness: Faithfulness = "before"
) -> float:
    """The reward of every turn on its own: outcome, diagnosis and efficiency each time.

    The outcome counts 100 if the new status is OPTIMAL, -50 if INFEASIBLE, and nothing otherwise.
    """
    outcome = {Status.OPTIMAL: SOLVED, Status.INFEASIBLE: UNSOLVED}.get(t.status, 0.0)
    left = max(0.0, (HORIZON - t.step) / HORIZON)
    return (
        weights.outcome * outcome
        + weights.diagnosis * 100.0 * (t.accuracy or 0.0)
        + weights.efficiency * EFFICIENCY * left
        - penalty(t, faithfulness)
    )


def equation_5(
    t: Transition, weights: RewardWeights = RewardWeights(), faithfulness: Faithfulness = "before"
) -> float:
    """The reward whose sum over an episode is equation 5, with the faithfulness penalties.

    Each counted step costs 1; the last turn brings the outcome, 100 if OPTIMAL and -50 otherwise,
    and 100 times the diagnostic accuracy of the episode.
    """
    return _of_episode(t, t.status == Status.OPTIMAL, weights, faithfulness)


def equation_5_no_drift(
    t: Transition, weights: RewardWeights = RewardWeights(), faithfulness: Faithfulness = "before"
) -> float:
    """Equation 5 whose outcome is that of the judge's rule "no-drift": 100 for a true repair.

    Equation 5 itself pays for every OPTIMAL, so that taking constraints out until the model is
    feasible earns as much as the right repair.
    """
    return _of_episode(t, t.true_repair, weights, faithfulness)


def _of_episode(
    t: Transition, good: bool, weights: RewardWeights, faithfulness: Faithfulness
) -> float:
    reward = 0.0 - weights.efficiency * t.counted - penalty(t, faithfulness)
    if t.last:
        outcome = SOLVED if good else UNSOLVED
        reward += weights.outcome * outcome + weights.diagnosis * 100.0 * t.episode_accuracy
    return reward


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


def is_true_repair(info: Mapping[str, Any]) -> bool:
    """Whether a turn's info says that the episode ended in a full success without drift.

    Drift that is not known counts as drift: what cannot be shown to be right is not paid for.
    """
    final = info.get("final") or {}
    drift = final.get("drift") or {}
    drifted = drift.get("drifted") or drift.get("unknown")
    return final.get("outcome") == "full" and not drifted


def penalty(t: Transition, faithfulness: Faithfulness = "before") -> float:
    """What a repair costs whose target is not in the IIS; an invalid action is none."""
    if t.kind not in REPAIR or faithfulness == "none":
        return 0.0
    known = t.known_before if faithfulness == "before" else t.known_after
    return 0.0 if known else PENALTY


RULES: Mapping[str, Callable[[Transition], float]] = {
    "algorithm-9": algorithm_9,
    "equation-5": equation_5,
    "equation-5-no-drift": equation_5_no_drift,
    "authors": authors,
}
"""The rules by name, with the paper's weights; "authors" has its own."""


PROGRESS, DIAGNOSED, LOOKED, NOTHING = 1.0, 0.5, 0.2, 0.0


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
