"""Guessing what an action leads to without a solver: algorithm 1 of paper 004."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ordojo.benchmarks.or_debug.actions import DIAGNOSTIC, Kind
from ordojo.core.seeds import generator
from ordojo.solvers.answers import Status

SUCCESS: Mapping[Kind, float] = {Kind.RELAX: 0.9, Kind.DROP: 0.7, Kind.REWRITE: 0.9}
"""How probably a repair of a sabotaged element ends in OPTIMAL. Algorithm 1 says nothing of
REWRITE; as some errors can be mended by it alone, it is treated as RELAX."""

SHRINK = 0.5
"""How probably a repair of another element of the IIS takes that element out of it."""


class Simulated(NamedTuple):
    """The simulated next state."""

    status: Status
    iis: tuple[str, ...]


def simulate(
    kind: Kind,
    target: str,
    status: Status,
    iis: Sequence[str],
    targets: Sequence[str],
    seed: int,
    instance: str,
    turn: int,
) -> Simulated:
    """The next state after an action on `target`; pure, drawn by (seed, instance's id, turn).

    `iis` is the current IIS by names, `targets` the sabotaged elements. An IIS of one element
    stays as it is.
    """
    now = tuple(iis)
    if kind in DIAGNOSTIC or kind not in SUCCESS:
        return Simulated(status, now)
    chance = float(generator(seed, f"or-debug-simulator/{instance}", turn).random())
    if target in targets:
        if chance < SUCCESS[kind]:
            return Simulated(Status.OPTIMAL, ())
        return Simulated(status, now)
    if target in now:
        if chance < SHRINK and len(now) > 1:
            now = tuple(name for name in now if name != target)
        return Simulated(status, now)
    return Simulated(Status.INFEASIBLE, now)
