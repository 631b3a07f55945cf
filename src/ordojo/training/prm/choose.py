"""Best of n: which of several attempts a process reward model trusts most."""

from collections.abc import Callable, Iterable, Sequence
from statistics import fmean

from ordojo.evaluate.compact import rendering
from ordojo.training.prm.scorer import Scorer
from ordojo.training.prm.steps import text_of
from ordojo.training.rollouts.trajectory import Trajectory

WAYS: dict[str, Callable[[Sequence[float]], float]] = {
    "mean": fmean,
    "min": min,
    "last": lambda scores: scores[-1],
}
"""From the scores of an attempt's steps to that of the attempt."""


def best_of(
    scorer: Scorer, trajectories: Iterable[Trajectory], way: str = "mean"
) -> list[Trajectory]:
    """The attempt of each instance with the highest score, the earlier one at a tie.

    An attempt without a step scores 0.
    """
    groups: dict[str, list[Trajectory]] = {}
    for one in trajectories:
        groups.setdefault(one.instance, []).append(one)
    show = rendering(scorer.rendering)
    attempts = [one for group in groups.values() for one in group]
    scores = iter(scorer([text_of(turn, show) for one in attempts for turn in one.turns]))
    worth = [
        WAYS[way](found) if (found := [next(scores) for _ in one.turns]) else 0.0
        for one in attempts
    ]
    best: dict[str, tuple[float, Trajectory]] = {}
    for value, one in zip(worth, attempts, strict=True):
        if one.instance not in best or value > best[one.instance][0]:
            best[one.instance] = (value, one)
    return [one for _, one in best.values()]
