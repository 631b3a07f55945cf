"""Models that are no language model (`ordojo/gold`, `ordojo/replay?path=...`), in a plain loop.

Recorded answers are one of them: a file of {"id", "epoch", "completion"} lines.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ordojo.core.episode import CUT, REFUSED, UNKNOWN, Episode
from ordojo.core.errors import DataError
from ordojo.core.files import parse_json, read_bytes
from ordojo.core.instance import Instance
from ordojo.core.policy import Act, Policy
from ordojo.core.records import Item, SampleRecord
from ordojo.core.words import amount
from ordojo.evaluation.providers.embedded import is_local, path_of
from ordojo.evaluation.providers.loading import CATALOGUE
from ordojo.evaluation.session import Answer, EvaluationSession

SILENCE = Answer("")

STOPS = {reason: reason for reason in ("stop", "tool_calls", REFUSED, UNKNOWN, *CUT)}
STOPS["length"] = CUT[0]
"""Why a recorded reply ended: Inspect's words, and OpenAI's "length"."""


class Replay:
    """Gives the recorded completions of each item, in order.

    A line holds the instance's "id", the "epoch" (1 if absent) and the "completion": a text, or
    for environments of several turns a list of texts; and perhaps "stop", why it ended (`STOPS`),
    or a list of these. Where nothing is said of it, that is not known. An item that the file does
    not answer raises DataError: an answer that was never recorded is not a wrong answer. So does
    one of more texts than are asked for.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._answers: dict[Item, list[Answer]] = {}
        try:
            raw = read_bytes(path)
        except OSError as error:
            raise DataError(f"cannot read the recorded answers {path}: {error.strerror}") from None
        self.sha256 = hashlib.sha256(raw).hexdigest()
        for number, line in enumerate(raw.splitlines(), 1):
            if line.strip():
                self._add(line, f"{path}:{number}")

    def _add(self, line: bytes, where: str) -> None:
        try:
            row: Mapping[str, Any] = parse_json(line)
            said = row["completion"]
            epoch = row.get("epoch", 1)
            item = (str(row["id"]), epoch)
            texts = [said] if isinstance(said, str) else list(said)
            ended = row.get("stop", UNKNOWN)
            stops = [ended] * len(texts) if isinstance(ended, str) else list(ended)
            fits = all(isinstance(text, str) for text in texts) and len(stops) == len(texts)
            fits = fits and all(stop in STOPS for stop in stops)
            fits = fits and type(epoch) is int and epoch >= 1
        except (ValueError, OverflowError, KeyError, TypeError, AttributeError):
            fits = False
        if not fits:
            raise DataError(
                f'{where} is not a recorded answer; a line is {{"id": ..., "epoch": 1, '
                f'"completion": "..."}}, perhaps with a "stop" of {", ".join(sorted(STOPS))}'
            )
        if item in self._answers:
            raise DataError(f"{where} answers {item[0]} (epoch {item[1]}) a second time")
        pairs = zip(texts, stops, strict=True)
        self._answers[item] = [Answer(text, stop=STOPS[stop]) for text, stop in pairs]

    def begin(self, instance: Instance[Any], seed: int, epoch: int) -> Act:
        """Start giving the item's texts; past the last one, silence."""
        texts = iter(self.answers((instance.id, epoch)))
        return lambda observation: next(texts, SILENCE).text

    @property
    def items(self) -> list[Item]:
        """The (id, epoch) pairs in the order of the file."""
        return list(self._answers)

    def answers(self, item: Item) -> list[Answer]:
        """The recorded texts of an item, each with why it ended."""
        self.require([item])
        return self._answers[item]

    def known(self, session: EvaluationSession) -> list[Item]:
        """The items that are to be had; raises DataError for one that the dataset has not.

        Those of which files are missing are left out.
        """
        data = session.benchmark.dataset(session.options)
        refused = set(filter(None, data.get("refused", "").split(", ")))
        found = [item for item in self.items if item[0] not in refused]
        known = session.known
        if unknown := [name for name, _ in found if name not in known]:
            raise DataError(
                f"{self.path} answers '{unknown[0]}', which {data['id']} does not have; "
                "give the dataset that was answered"
            )
        return found

    def require(self, items: Sequence[Item]) -> None:
        """Raise DataError, naming the first, if an item has no recorded answer."""
        missing = [item for item in items if item not in self._answers]
        if missing:
            name, epoch = missing[0]
            raise DataError(
                f"{self.path} answers {len(items) - len(missing)} of {len(items)} items; the first "
                f"without an answer is {name} (epoch {epoch}); use `limit`, or complete the file"
            )


def play_answers(
    session: EvaluationSession, instance: Instance[Any], epoch: int, answers: Sequence[Answer]
) -> SampleRecord:
    """The record of an item that is answered so; past the last answer, silence.

    Raises DataError as `refuse_surplus` does.
    """
    left = iter(answers)
    record = session.play(instance, epoch, lambda asked: next(left, SILENCE))
    if not record.error:
        refuse_surplus((instance.id, epoch), answers, record.episode)
    return record


def refuse_surplus(item: Item, answers: Sequence[Answer], episode: Episode) -> None:
    """Raise DataError where an item has more answers than its episode asked for.

    They were recorded under other options: what is judged is not what was recorded.
    """
    asked = len(episode.turns)
    if any(answer.text for answer in answers[asked:]):  # silence after the end changes nothing
        raise DataError(
            f"the recorded answer to {item[0]} (epoch {item[1]}) has "
            f"{amount(len(answers), 'text')}, and {asked} {'is' if asked == 1 else 'are'} "
            "asked for; give the options under which it was recorded, or a text a turn"
        )


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
        is_replay = name.partition("?")[0] == "replay"
        session.policies[name] = (
            Replay(path_of(name, "the file of recorded answers", "replay?path=answers.jsonl"))
            if is_replay
            else session.policy(name)
        )
    return session.policies[name]


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
