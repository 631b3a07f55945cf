"""Feasible at any price: drop what the IIS names."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ordojo.benchmarks.or_debug.actions import Action, Invalid, Kind
from ordojo.benchmarks.or_debug.policies.mirror import conflict
from ordojo.benchmarks.or_debug.policies.replies import repaired, reply, script
from ordojo.benchmarks.or_debug.repairs import apply_action
from ordojo.benchmarks.or_debug.schema import Debugging
from ordojo.core.instance import Instance
from ordojo.core.policy import Act


@dataclass(frozen=True)
class DropEverything:
    """Drops the rows of the IIS one by one, then those of the next; bounds where it has no rows."""

    def begin(self, instance: Instance[Any], seed: int, epoch: int) -> Act:
        """Start with the IIS that is shown."""
        problem: Debugging = instance.problem
        return script(_drops(problem), lambda: repaired(problem.model, _drops(problem)))


def _drops(problem: Debugging) -> Iterator[str]:
    model, names = problem.model, problem.iis_rows or problem.iis_bounds
    while True:
        dropped = False
        for name in names:
            action = Action(Kind.DROP, name)
            after = apply_action(model, action)
            if not isinstance(after, Invalid):
                yield reply(str(action), names)
                model, dropped = after, True
        iis = conflict(model) if dropped else None
        if iis is None:
            return
        names = iis.row_names(model) or iis.bound_names(model)
