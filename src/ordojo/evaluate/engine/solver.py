"""The one solver and the one scorer of every benchmark."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import anyio.to_thread
from inspect_ai.model import CachePolicy, ModelOutput, get_model
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from ordojo.core.errors import ProviderError
from ordojo.core.records import SampleRecord
from ordojo.core.seeds import generator
from ordojo.evaluate.engine.ask import Conversation, NoAnswerError
from ordojo.evaluate.engine.model_api import OrdojoAPI
from ordojo.evaluate.loop import play_item
from ordojo.evaluate.runs import Item
from ordojo.evaluate.scripted import scripted_policy
from ordojo.evaluate.session import InsideError, Session


@dataclass
class Drive:
    """How a session is driven through Inspect.

    `finished` and `failed` receive the records as they come; `overrides` are generation settings
    that replace the protocol's; a sample without an answer is asked `attempts` times.
    """

    session: Session
    finished: Callable[[SampleRecord], None] = lambda record: None
    failed: Callable[[SampleRecord], None] = lambda record: None
    overrides: Mapping[str, Any] = field(default_factory=dict)
    cache: bool = False
    attempts: int = 2
    judged: dict[Item, SampleRecord] = field(default_factory=dict)


def item_of(state: TaskState) -> Item:
    """The instance and the epoch that a sample stands for."""
    return str(state.metadata["instance"]), int(state.metadata.get("epoch", state.epoch))


@solver
def drive_environment(drive: Drive) -> Solver:
    """Play each sample's environment with the active model, to the end of the episode."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        for left in reversed(range(drive.attempts)):
            record = await _play(drive, state)
            # What fails inside ordojo fails again.
            if not record.error or record.traceback or not left:
                break
        (drive.failed if record.error else drive.finished)(record)
        drive.judged[item_of(state)] = record
        turns = record.episode.turns
        state.store.set("replies", [[turn.reply, turn.stop, turn.max_tokens] for turn in turns])
        state.completed = True
        return state

    return solve


async def _play(drive: Drive, state: TaskState) -> SampleRecord:
    name, epoch = item_of(state)
    session, model = drive.session, get_model()
    instance = session.by_id[name]
    if isinstance(model.api, OrdojoAPI) and not model.api.embedded:
        record = play_item(session, scripted_policy(session, model.api.model_name), (name, epoch))
        state.output = ModelOutput.from_content(str(model), record.episode.last_reply)
        return record
    talk = Conversation(
        model,
        drive.overrides,
        CachePolicy(expiry=None, scopes={"epoch": str(epoch)}) if drive.cache else None,
        _generation_seed(session.seed, name, epoch) if isinstance(model.api, OrdojoAPI) else None,
    )
    try:
        attempt = session.begin(instance, epoch)
        while (asked := attempt.steps.observation) is not None:
            try:
                answer = await talk.ask(asked)
            except Exception as error:
                # Whatever a provider throws after Inspect's own retries is a failed sample, kept
                # and counted, while the others go on.
                known = isinstance(error, NoAnswerError | ProviderError)
                return attempt.failure(epoch, str(error) if known else repr(error), talk.usage)
            # A step may solve models or run a program; other samples go on meanwhile.
            await anyio.to_thread.run_sync(attempt.reply, *answer)
        record = attempt.record(epoch, talk.usage)
    except InsideError as error:
        return session.fault(instance, epoch, error, talk.usage)
    state.messages = talk.turns
    state.output = talk.output or state.output
    return record


def _generation_seed(seed: int, name: str, epoch: int) -> int:
    return int(generator(seed, f"generation/{name}", epoch).integers(2**31))


@scorer(metrics=[mean(), stderr(cluster="cluster")])
def judge_episode(drive: Drive) -> Scorer:
    """Score by the headline rule; every rule's verdict is in the score's metadata."""

    async def score(state: TaskState, target: Target) -> Score:
        record = drive.judged.pop(item_of(state), None) or _replayed(drive, state)
        if record.error:
            return Score.unscored(explanation=record.traceback or record.error)
        verdict = record.verdicts[drive.session.rule]
        answer = None if verdict.answer is None else str(verdict.answer)
        verdicts = {
            name: {"outcome": v.outcome, "score": v.score, "answer": v.answer}
            for name, v in record.verdicts.items()
        }
        if verdict.score is None:
            return Score.unscored(answer=answer, explanation=verdict.reason, metadata=verdicts)
        return Score(
            value=verdict.score, answer=answer, explanation=verdict.reason, metadata=verdicts
        )

    return score


def _replayed(drive: Drive, state: TaskState) -> SampleRecord:
    """Judge the sample of a stored log again, by replaying its replies."""
    name, epoch = item_of(state)
    session = drive.session
    replies: Iterator[tuple[str, str, int | None]] = iter(state.store.get("replies", []))
    try:
        attempt = session.begin(session.by_id[name], epoch)
        while attempt.steps.observation is not None:
            text, stop, limit = next(replies, ("", "", None))
            attempt.reply(text, stop=stop, max_tokens=limit)
        return attempt.record(epoch)
    except InsideError as error:
        return session.fault(session.by_id[name], epoch, error)
