"""Asking a language model one observation: chat turns or a raw prompt, a text or a choice."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import anyio.to_thread
from inspect_ai._util.registry import registry_add, registry_info
from inspect_ai.event import ModelEvent
from inspect_ai.log import transcript
from inspect_ai.model import (
    CachePolicy,
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelOutput,
    get_model,
)
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from ordojo.core.canonical import Json, canonical
from ordojo.core.environment import Message, Observation
from ordojo.core.episode import REFUSED
from ordojo.core.errors import ProviderError
from ordojo.core.options import parse_options
from ordojo.core.records import Item, SampleRecord, Usage
from ordojo.core.registry import get_benchmark
from ordojo.core.secrets import hidden
from ordojo.core.seeds import generator
from ordojo.evaluation.engine.model_api import STYLE, OrdojoAPI
from ordojo.evaluation.scripted import play_item, scripted_policy
from ordojo.evaluation.session import Answer, EvaluationSession, InsideError

LONGEST = 300
"""Characters of a sentence: some providers quote the whole request."""


def reason_of(error: BaseException) -> str:
    """What went wrong, from under all that has wrapped it: the status and what was said of it."""
    while error.__cause__ is not None:
        error = error.__cause__
    status = getattr(error, "status_code", None)
    said = sentence(getattr(error, "body", None)) or _line(str(error))
    return f"HTTP {status}: {said}" if status else f"{type(error).__name__}: {said}".rstrip(": ")


def failure_of(output: ModelOutput, response: Mapping[str, Any]) -> str:
    """Why an output is no reply of the model, although Inspect gives it as one; "" where it is.

    `response` is what the provider sent, as far as it is known.
    """
    choices = response.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else {}
    if output.error or not output.choices:
        return _line(output.error or "the provider returned nothing")
    if output.stop_reason == "model_length" and output.usage is None:
        # A reply that the model's window ended has taken tokens; this is the text of an error.
        return f"the prompt is too long for the model: {_line(output.completion)}"
    if first.get("finish_reason") == "error":
        said = sentence(first.get("error"))
        return "the provider ended the reply with an error" + f": {said}" * bool(said)
    if output.stop_reason == "unknown" and not output.completion:
        # Nothing says that it was the model that kept silent.
        return "the provider returned no text and no reason why"
    return ""


def sentence(body: Any) -> str:
    """The message in the body of an error, in one line; "" where there is none."""
    while isinstance(body, Mapping):
        body = body.get("error") or body.get("message")
    return _line(body) if isinstance(body, str) else ""


def _line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 3]}..."


RAW_PROVIDERS = ("openai-api-completions", "vllm-completions", "ordojo", "mockllm")
"""Providers with a completion endpoint, where a raw prompt can be continued."""

TOP_LOGPROBS = 20
REPLIES = "replies"
"""Where a sample's store keeps what was replied, each with its stop reason and limit."""
UNASKED = "unasked"
"""What a sample's store says where the money was spent before it."""
SCORER = "ordojo/verdict"
"""The name of the scorer in a log."""
FAILED = "failed"
"""What a sample's store says where it has no verdict: why not."""


class NoAnswerError(Exception):
    """The provider gave nothing: an error of the sample, neither wrong nor right."""


def chat_message(message: Message, asked: Observation) -> ChatMessage:
    """A turn of the observation as Inspect has it; of a raw prompt the metadata say so."""
    if message.role == "system":
        return ChatMessageSystem(content=message.content)
    if message.role == "assistant":
        return ChatMessageAssistant(content=message.content)
    return ChatMessageUser(content=message.content, metadata={STYLE: asked.style})


def check_style(model: str, asked: Observation) -> None:
    """Raise ProviderError if `model` cannot be asked in the observation's style."""
    if asked.style == "completion" and model.partition("/")[0] not in RAW_PROVIDERS:
        raise ProviderError(
            f"{model} answers chat turns, but this setting continues a raw prompt; use "
            f"`mode=chat`, or a completion endpoint ({'/..., '.join(RAW_PROVIDERS[:2])}/...)"
        )


@dataclass
class Conversation:
    """One episode's talk with a model. `overrides` replace the protocol's generation settings.

    Among them `reasoning_tokens` is what a model may think in a chat before it answers, on top of
    what the answer may have.
    """

    model: Model
    overrides: Mapping[str, Any] = field(default_factory=dict)
    cache: CachePolicy | None = None
    seed: int | None = None
    turns: list[ChatMessage] = field(default_factory=list)
    output: ModelOutput | None = None
    usage: Usage = field(default_factory=Usage)

    async def ask(self, asked: Observation) -> Answer:
        """Put the observation to the model.

        Raises NoAnswerError where there is no reply, ProviderError where the model cannot be asked
        in this way.
        """
        check_style(str(self.model), asked)
        new = [chat_message(message, asked) for message in asked.messages]
        self.turns = new if asked.fresh else [*self.turns, *new]
        try:
            output = await self.model.generate(
                self.turns, config=self._config(asked), cache=self.cache or False
            )
        except ProviderError:
            raise
        except Exception as error:  # whatever a provider throws, after Inspect's own retries
            raise NoAnswerError(reason_of(error)) from error
        self.output = output
        self.usage += _usage(output)
        if failure := failure_of(output, _sent()):
            raise NoAnswerError(failure)
        self.turns = [*self.turns, output.message]
        stop, limit = REFUSED if _refused(output) else output.stop_reason, self._limit(asked)
        if asked.choose and stop != REFUSED:
            return Answer(*self._likeliest(asked.choices, output), stop, limit)
        return Answer(output.completion, {}, stop, limit)

    def _limit(self, asked: Observation) -> int:
        return int(self.overrides.get("max_tokens", asked.max_tokens))

    def _config(self, asked: Observation) -> GenerateConfig:
        overrides = {**self.overrides}
        # A raw prompt is continued at once: there is nothing to think in.
        thinking = overrides.pop("reasoning_tokens", None) if asked.style == "chat" else None
        overrides.pop("reasoning_tokens", None)
        # Providers count the tokens of thinking into the limit of the whole reply.
        overrides["max_tokens"] = self._limit(asked) + (thinking or 0)
        settings: dict[str, Any] = {
            "reasoning_tokens": thinking,
            "temperature": asked.temperature,
            "stop_seqs": list(asked.stop) or None,
            "seed": self.seed,
        }
        if asked.choose:
            settings |= {"logprobs": True, "top_logprobs": TOP_LOGPROBS}
        return GenerateConfig(**{**settings, **overrides})

    def _likeliest(
        self, choices: Sequence[str], output: ModelOutput
    ) -> tuple[str, Mapping[str, Json]]:
        logprobs = output.choices[0].logprobs
        if logprobs is None or not logprobs.content:
            raise ProviderError(
                f"{self.model} gives no log-probabilities; use `mode=completion` or `mode=chat`"
            )
        odds = dict.fromkeys(choices, 0.0)
        for top in logprobs.content[0].top_logprobs or ():
            if top.token.strip() in odds:
                odds[top.token.strip()] += math.exp(top.logprob)
        best = max(choices, key=lambda choice: odds[choice])
        kept: Mapping[str, Json] = {"probabilities": {c: round(p, 6) for c, p in odds.items()}}
        return (best if odds[best] > 0 else ""), kept


def _sent() -> Mapping[str, Any]:
    """What the provider sent last, as it came; of a reply from the cache it is not known."""
    calls = (event.call for event in reversed(transcript().events) if isinstance(event, ModelEvent))
    call = next(calls, None)
    return (call and call.response) or {}


def _refused(output: ModelOutput) -> bool:
    """Whether the model marked its text as a refusal, which some do without a stop reason."""
    parts = output.message.content
    return any(getattr(part, "refusal", None) for part in parts if not isinstance(part, str))


def _usage(output: ModelOutput) -> Usage:
    used = output.usage
    if used is None:
        return Usage()
    cached = used.input_tokens_cache_read or 0
    return Usage(used.input_tokens + cached, used.output_tokens, cached, used.total_cost or 0.0)


@dataclass
class Drive:
    """How a session is driven through Inspect.

    `keep` receives the records as they come, failed ones too; `overrides` are generation settings
    that replace the protocol's. Where a sample without an answer `raises`, Inspect has the error;
    else the record alone has it. Once `budget`, in dollars, is spent, no sample is begun, and
    `unasked` counts them.
    """

    session: EvaluationSession
    keep: Callable[[SampleRecord], None] = lambda record: None
    overrides: Mapping[str, Any] = field(default_factory=dict)
    cache: bool = False
    raises: bool = False
    budget: float = math.inf
    unasked: int = 0


_JUDGED: dict[str, SampleRecord] = {}
"""What was judged as it was played, by the sample's uuid, until Inspect asks for the score."""


def item_of(state: TaskState) -> Item:
    """The instance and the epoch that a sample stands for."""
    return str(state.metadata["instance"]), int(state.metadata.get("epoch", state.epoch))


@solver
def drive_environment(drive: Drive) -> Solver:
    """Play each sample's environment with the active model, to the end of the episode."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state.completed = True
        if drive.budget <= 0:
            drive.unasked += 1
            state.store.set(UNASKED, True)
            return state
        record = await _play(drive, state)
        _hide_quoted()
        drive.budget -= record.usage.cost
        drive.keep(record)
        said = map(Answer.of, record.episode.turns)
        state.store.set(REPLIES, [[one.text, one.stop, one.max_tokens] for one in said])
        if record.error:
            state.store.set(FAILED, record.traceback or record.error)
            if drive.raises:
                raise NoAnswerError(record.traceback or record.error)
        else:
            _JUDGED[state.uuid] = record
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
    seed = generator(session.seed, f"generation/{name}", epoch).integers(2**31)
    talk = Conversation(
        model,
        drive.overrides,
        CachePolicy(expiry=None, scopes={"epoch": str(epoch)}) if drive.cache else None,
        int(seed) if isinstance(model.api, OrdojoAPI) else None,
    )
    try:
        attempt = session.begin(instance, epoch)
        while (asked := attempt.steps.observation) is not None:
            try:
                answer = await talk.ask(asked)
            except (NoAnswerError, ProviderError) as error:
                # A failed sample, kept and counted, while the others go on.
                return attempt.failure(epoch, str(error), talk.usage)
            # A step may solve models or run a program; other samples go on meanwhile.
            await anyio.to_thread.run_sync(attempt.reply, *answer)
        record = attempt.record(epoch, talk.usage)
    except InsideError as error:
        return session.fault(instance, epoch, error, talk.usage)
    state.messages = talk.turns
    state.output = talk.output or state.output
    return record


def _hide_quoted() -> None:
    """Have Inspect's log of the sample without secrets that a provider quotes in its errors."""
    told = transcript()
    for event in told.events:
        if isinstance(event, ModelEvent) and event.error:
            event.error, event.call = hidden(event.error), None
            event.traceback, event.traceback_ansi = hidden(event.traceback or ""), None
            told._event_updated(event)


_SESSIONS: dict[str, EvaluationSession] = {}
"""The sessions that samples are judged in, by what makes them anew from a log."""


@scorer(metrics=[mean(), stderr(cluster="cluster")], name=SCORER)
def verdict(
    benchmark: str,
    options: Mapping[str, Any],
    seed: int = 0,
    limit: int | None = None,
    sample: int | None = None,
) -> Scorer:
    """Score by the headline rule; every rule's verdict is in the score's metadata.

    The arguments, which a log has, are those of the session: `inspect score` makes it anew, and
    judges by replaying the replies that the log keeps. What had no verdict then has none now.
    """

    async def score(state: TaskState, target: Target) -> Score:
        if state.store.get(UNASKED):
            return Score.unscored(explanation="not asked: what the run may cost was spent")
        if failed := state.store.get(FAILED):
            return Score.unscored(explanation=str(failed))
        session = session_of(benchmark, options, seed, limit, sample)
        record = _JUDGED.pop(state.uuid, None) or await replayed(session, state)
        return score_of(record, session.rule)

    return score


def session_of(
    benchmark: str, options: Mapping[str, Any], seed: int, limit: int | None, sample: int | None
) -> EvaluationSession:
    """The session of a scorer's arguments, made anew where a log is scored again."""
    key = canonical([benchmark, dict(options), seed, limit, sample])
    if key not in _SESSIONS:
        found = get_benchmark(benchmark)
        chosen = parse_options(found.options, options, benchmark)
        _SESSIONS[key] = EvaluationSession(found, chosen, seed, limit, sample)
    return _SESSIONS[key]


def register(made: Callable[..., Scorer], name: str) -> None:
    """Have Inspect find a scorer by the name that it writes into logs.

    It writes the name without the package before it, and then looks for what it wrote; a scorer
    that it makes anew has the info that was added last.
    """
    info = registry_info(made)
    for each in (name, info.name):
        registry_add(made, info.model_copy(update={"name": each}))


register(verdict, SCORER)


def spec_of(session: EvaluationSession) -> tuple[Any, ...]:
    """What a scorer finds the session by, as long as this process lives."""
    asked = session.options.model_dump(mode="json")
    spec = session.benchmark.name, asked, session.seed, session.limit, session.sample
    _SESSIONS[canonical(list(spec))] = session
    return spec


def score_of(record: SampleRecord, rule: str) -> Score:
    """The record as a score of Inspect's."""
    if record.error:
        return Score.unscored(explanation=record.traceback or record.error)
    found = record.verdicts[rule]
    answer = None if found.answer is None else str(found.answer)
    told = {
        name: {"outcome": v.outcome, "score": v.score, "answer": v.answer}
        for name, v in record.verdicts.items()
    }
    if found.score is None:
        return Score.unscored(answer=answer, explanation=found.reason, metadata=told)
    return Score(value=found.score, answer=answer, explanation=found.reason, metadata=told)


async def replayed(session: EvaluationSession, state: TaskState) -> SampleRecord:
    """Judge a sample by the replies that its store keeps."""
    name, epoch = item_of(state)
    kept: list[tuple[str, str, int | None]] = state.store.get(REPLIES, [])
    replies = iter([Answer(text, None, stop, limit) for text, stop, limit in kept])
    instance = session.by_id[name]
    try:
        attempt = session.begin(instance, epoch)
        while attempt.steps.observation is not None:
            await anyio.to_thread.run_sync(attempt.reply, *next(replies, Answer("")))
        return attempt.record(epoch)
    except InsideError as error:
        return session.fault(instance, epoch, error)
