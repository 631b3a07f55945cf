"""The fast loop: scripted policies over environments, without Inspect."""

from collections.abc import Iterable, Iterator

from ordojo.core.policy import Policy
from ordojo.core.records import SampleRecord
from ordojo.evaluate.runs import Item
from ordojo.evaluate.session import Session


def play_items(session: Session, policy: Policy, items: Iterable[Item]) -> Iterator[SampleRecord]:
    """Play every item in turn and yield its record."""
    for name, epoch in items:
        instance = session.by_id[name]
        act = policy.begin(instance, session.seed, epoch)
        attempt = session.begin(instance)
        while attempt.steps.observation is not None:
            attempt.steps.reply(act(attempt.steps.observation))
        yield attempt.record(epoch)
