"""Short demonstrations that even the tiny model can follow: one action, one number."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ordojo.benchmarks.or_bias.schema import Scenario
from ordojo.benchmarks.or_debug.actions import Action, Kind, parse_action
from ordojo.benchmarks.or_debug.schema import Debugging
from ordojo.core.environment import Observation
from ordojo.core.errors import UsageError
from ordojo.core.instance import Instance
from ordojo.core.policy import Act
from ordojo.core.seeds import generator
from ordojo.training.rollouts.player import Player
from ordojo.training.rollouts.work import plan
from ordojo.training.sft.data import Record
from ordojo.training.teacher.formats import sft_records


@dataclass(frozen=True)
class Brief:
    """Says the least that does the work.

    In or-debug each sabotaged row or bound is dropped, though a fix that is a RELAX or a new type
    is taken as it is; in or-bias the optimum is given as a whole number. With probability `doubt`
    an episode of or-debug drops the first row of the IIS instead, whatever it is: what is learnt
    from such a teacher leaves something to reinforcement.
    """

    doubt: float = 0.0
    name: str = "brief"

    def begin(self, instance: Instance[Any], seed: int, epoch: int) -> Act:
        """Plan the replies; raises UsageError for an instance of another benchmark."""
        problem = instance.problem
        if isinstance(problem, Scenario):
            return lambda asked: f"Order quantity: {round(problem.optimum)}"
        if not isinstance(problem, Debugging):
            raise UsageError(f"{instance.id} is of no benchmark that has brief demonstrations")
        actions = [_short(fix) for fix in problem.fix]
        if generator(seed, f"brief-policy/{instance.id}", epoch).random() < self.doubt:
            actions = [f"DROP({name})" for name in problem.iis_rows[:1]]
        replies = iter(actions)

        def act(asked: Observation) -> str:
            return f"Action: {next(replies, 'SUBMIT()')}"

        return act


def demonstrate(
    benchmark: str,
    options: Mapping[str, Any],
    instances: Sequence[Instance[Any]],
    doubt: float = 0.0,
    seed: int = 0,
) -> list[Record]:
    """The records of brief demonstrations, in order.

    Without doubt those that did not end well under the headline rule are left out; with it all are
    kept, cut after the first answer.
    """
    work = plan(benchmark, Brief(doubt), options=options, instances=instances, seed=seed)
    with Player(work) as player:
        played = player.play(work.items(0, work.size))
    if doubt:
        return list(sft_records(replace(one, turns=one.turns[:1]) for one in played))
    return list(sft_records(one for one in played if one.verdict.score == 1.0))


def _short(fix: str) -> str:
    """A fix of the ground truth, with DROP in the place of a row written anew."""
    action = parse_action(fix)
    rewrites = isinstance(action, Action) and action.kind is Kind.REWRITE
    if isinstance(action, Action) and rewrites and not action.target.endswith(".type"):
        return f"DROP({action.target})"
    return fix
