"""The ground truth, played: the policy that must always succeed."""

from dataclasses import dataclass
from typing import Any

from ordojo.benchmarks.or_debug.policies.replies import program, reply, script
from ordojo.benchmarks.or_debug.schema import Debugging
from ordojo.core.instance import Instance
from ordojo.core.policy import Act


@dataclass(frozen=True)
class Gold:
    """Names the recorded IIS, then applies the recorded fix action by action.

    Asked for the whole program, it gives the original's.
    """

    def begin(self, instance: Instance[Any], seed: int, epoch: int) -> Act:
        """Write the script."""
        problem: Debugging = instance.problem
        iis = (*problem.iis_rows, *problem.iis_bounds)
        return script(
            (reply(action, () if place else iis) for place, action in enumerate(problem.fix)),
            lambda: program(problem.original_model, iis),
        )
