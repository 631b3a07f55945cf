"""Models that are no language model: `ordojo/gold`, `ordojo/replay?path=...` and the like."""

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from ordojo.core.errors import UsageError
from ordojo.core.policy import Policy
from ordojo.evaluation.providers.loading import CATALOGUE
from ordojo.evaluation.providers.local import is_local
from ordojo.evaluation.replay import Replay
from ordojo.evaluation.session import EvaluationSession

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
