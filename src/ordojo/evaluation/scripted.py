"""Models that are no language model (`ordojo/gold`, `ordojo/replay?path=...`), in a plain loop."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from ordojo.core.errors import UsageError
from ordojo.core.policy import Policy
from ordojo.core.records import SampleRecord
from ordojo.evaluation.providers.loading import CATALOGUE
from ordojo.evaluation.providers.local import is_local
from ordojo.evaluation.replay import Replay, play_answers
from ordojo.evaluation.runs import Item
from ordojo.evaluation.session import Answer, EvaluationSession

PREFIX = "ordojo/"


def is_scripted(model: str) -> bool:
    """Whether a model name is played without any language model."""
    name = model.removeprefix(PREFIX)
    return model.startswith(PREFIX) and name not in CATALOGUE and not is_local(name)


def scripted_policy(session: EvaluationSession, name: str) -> Policy:
    """The policy behind `name` ("gold", "replay?path=answers.jsonl"), without the prefix.

    Policies are kept in the session, so that a file of answers is read once. Raises UsageError
    for an unknown name, DataError for an unreadable file.
    """
    if name not in session.policies:
        parts = urlsplit(name)
        session.policies[name] = (
            _replay(parts.query) if parts.path == "replay" else session.policy(name)
        )
    return session.policies[name]


def _replay(query: str) -> Replay:
    paths = parse_qs(query).get("path", [])
    if len(paths) != 1:
        raise UsageError("name the file of recorded answers: ordojo/replay?path=answers.jsonl")
    return Replay(Path(paths[0]))


def play_item(session: EvaluationSession, policy: Policy, item: Item) -> SampleRecord:
    """Play one item and return its record, with `error` where ordojo itself failed.

    Raises DataError where its recorded answer does not fit.
    """
    name, epoch = item
    instance = session.by_id[name]
    if isinstance(policy, Replay):
        return play_answers(session, instance, epoch, policy.answers(item))
    act = policy.begin(instance, session.seed, epoch)
    return session.play(instance, epoch, lambda asked: Answer(act(asked)))


def player(session: EvaluationSession, policy: Policy) -> Callable[[Item], SampleRecord]:
    """What plays items, here or in a worker."""
    return partial(play_item, session, policy)


def scripted_player(session: EvaluationSession, name: str) -> Callable[[Item], SampleRecord]:
    """What plays items with the scripted policy of that name, in a worker."""
    return player(session, scripted_policy(session, name))
