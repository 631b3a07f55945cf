"""The fast loop: scripted policies over environments, without Inspect."""

from collections.abc import Callable
from functools import partial

from ordojo.core.policy import Policy
from ordojo.core.records import SampleRecord
from ordojo.evaluation.replay import Replay
from ordojo.evaluation.runs import Item
from ordojo.evaluation.scripted import scripted_policy
from ordojo.evaluation.session import Answer, EvaluationSession


def play_item(session: EvaluationSession, policy: Policy, item: Item) -> SampleRecord:
    """Play one item and return its record, with `error` where ordojo itself failed."""
    name, epoch = item
    instance = session.by_id[name]
    act = policy.begin(instance, session.seed, epoch)
    stops = iter(policy.stops(item) if isinstance(policy, Replay) else ())
    return session.play(instance, epoch, lambda asked: Answer(act(asked), stop=next(stops, "")))


def player(session: EvaluationSession, policy: Policy) -> Callable[[Item], SampleRecord]:
    """What plays items, here or in a worker."""
    return partial(play_item, session, policy)


def scripted_player(session: EvaluationSession, name: str) -> Callable[[Item], SampleRecord]:
    """What plays items with the scripted policy of that name, in a worker."""
    return player(session, scripted_policy(session, name))
