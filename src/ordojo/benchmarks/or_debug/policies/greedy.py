"""The IIS taken at its word: loosen the member that needs the least."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ordojo.benchmarks.or_debug.actions import Action, Invalid, Kind
from ordojo.benchmarks.or_debug.policies.mirror import conflict, shortfall
from ordojo.benchmarks.or_debug.policies.reading import FIRM, Reading
from ordojo.benchmarks.or_debug.policies.replies import repaired, reply, script
from ordojo.benchmarks.or_debug.repairs import apply_action
from ordojo.benchmarks.or_debug.schema import Debugging
from ordojo.core.instance import Instance
from ordojo.core.policy import Act
from ordojo.milp.model import INF, Model
from ordojo.solvers.answers import Iis, Side


@dataclass(frozen=True)
class GreedyIis:
    """Asks for the IIS and loosens one of its rows, again and again.

    The row is the one whose side must move least for the IIS to hold, weighed by the description's
    numbers, and these say how far it moves: see `Reading`. The rest of the model is not considered,
    so that the move may be too small, or uncover the next conflict.
    """

    def begin(self, instance: Instance[Any], seed: int, epoch: int) -> Act:
        """Keep a copy of the model, and change it with every move."""
        problem: Debugging = instance.problem
        return script(_moves(problem), lambda: repaired(problem.model, _moves(problem)))


def _moves(problem: Debugging) -> Iterator[str]:
    model, reading = problem.model, Reading(problem)
    weights = reading.weights()
    while (iis := conflict(model)) is not None:
        yield reply("GET_IIS()")
        action = _smallest(model, iis, reading, weights)
        if action is None:
            return
        after = apply_action(model, action)
        if isinstance(after, Invalid):
            return
        yield reply(str(action), iis.row_names(model))
        model = after
        weights[action.target] *= FIRM  # else two equalities could pass one shift to and fro


def _smallest(
    model: Model, iis: Iis, reading: Reading, weights: Mapping[str, float]
) -> Action | None:
    """The move of least weight, the first of equals; None where no row helps."""
    best, least = None, INF
    for i, both in iis.rows:
        name = model.row_names[i]
        for side in (Side.LOWER, Side.UPPER) if both == Side.BOTH else (both,):
            delta = shortfall(model, iis, i, side)
            if delta and abs(delta) * weights[name] < least:
                least = abs(delta) * weights[name]
                old = float((model.row_lower if side == Side.LOWER else model.row_upper)[i])
                new = reading.aim(old, side, old + delta)
                best = (
                    Action(Kind.DROP, name) if new is None else Action(Kind.RELAX, name, new - old)
                )
    return best
