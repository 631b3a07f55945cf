"""Step labels for a process reward model: algorithm 10 and equation 6 of paper 004."""

from collections.abc import Callable, Mapping

from ordojo.benchmarks.or_debug.actions import DIAGNOSTIC, Kind
from ordojo.benchmarks.or_debug.rewards import Transition
from ordojo.solvers.answers import Status

PROGRESS, DIAGNOSED, LOOKED, NOTHING = 1.0, 0.5, 0.2, 0.0


def algorithm_10(t: Transition) -> float:
    """The label of a turn; a smaller IIS is no progress on the first turn (t > 0).

    Only GET_IIS and CHECK_SLACK count as gathering information.
    """
    return _label(t, t.turn > 0, t.kind in (Kind.GET_IIS, Kind.CHECK_SLACK))


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


RULES: Mapping[str, Callable[[Transition], float]] = {
    "algorithm-10": algorithm_10,
    "equation-6": equation_6,
}
"""The rules by name."""
