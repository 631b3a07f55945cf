"""The practitioner's way: the cheapest shifts of sides that make the model feasible."""

import dataclasses
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordojo.benchmarks.or_debug.policies.reading import Reading, contradictory_binaries
from ordojo.benchmarks.or_debug.policies.replies import repaired, reply, script
from ordojo.benchmarks.or_debug.schema import Debugging
from ordojo.core.errors import SolverError
from ordojo.core.instance import Instance
from ordojo.core.policy import Act
from ordojo.milp.algebra import number
from ordojo.milp.model import Model, VarType
from ordojo.solvers.answers import Repair, Shift
from ordojo.solvers.repair import minimal_repairs


@dataclass(frozen=True)
class Elastic:
    """Applies the cheapest repair of `oracle.repair`, one side a turn.

    Sides are weighed, and their new places chosen, by the description's numbers: see `Reading`.
    """

    def begin(self, instance: Instance[Any], seed: int, epoch: int) -> Act:
        """Plan when first asked."""
        problem: Debugging = instance.problem
        return script(_replies(problem), lambda: repaired(problem.model, _replies(problem)))


def _replies(problem: Debugging) -> Iterator[str]:
    reading = Reading(problem)
    model = _with_soft_binaries(problem.model)
    repairs: list[Repair] = []
    with suppress(SolverError):  # nothing settled, nothing proposed
        repairs = minimal_repairs(model, weights=reading.weights(), limit=1)
    shifts = repairs[0].shifts if repairs else ()
    actions = (a for shift in shifts for a in _actions(problem.model, reading, shift))
    for place, action in enumerate(actions):
        yield reply(action, () if place else problem.iis_rows or problem.iis_bounds)


def _with_soft_binaries(model: Model) -> Model:
    """Contradictory binary columns become integer ones up to 1: bounds can move, types cannot."""
    soft = contradictory_binaries(model)
    return dataclasses.replace(
        model,
        types=np.where(soft, np.uint8(VarType.INTEGER), model.types),
        col_upper=np.where(soft, 1.0, model.col_upper),
    )


def _actions(model: Model, reading: Reading, shift: Shift) -> Iterator[str]:
    """What makes the shift; a binary column that must leave [0, 1] becomes an integer one."""
    target = shift.target
    if target not in model.rows and model.types[model.cols[target[:-3]]] == VarType.BINARY:
        yield f"REWRITE({target[:-3]}.type, INTEGER)"
        return
    new = reading.aim(shift.old, shift.side, shift.new)
    yield f"DROP({target})" if new is None else f"RELAX({target}, {number(new - shift.old)})"
