"""Asking a language model one observation: chat turns or a raw prompt, a text or a choice."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from inspect_ai.model import (
    CachePolicy,
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelOutput,
)

from ordojo.core.canonical import Json
from ordojo.core.environment import Message, Observation
from ordojo.core.episode import REFUSED
from ordojo.core.errors import ProviderError
from ordojo.core.records import Usage
from ordojo.evaluate.engine.model_api import STYLE

RAW_PROVIDERS = ("openai-api-completions", "vllm-completions", "ordojo", "mockllm")
"""Providers with a completion endpoint, where a raw prompt can be continued."""

TOP_LOGPROBS = 20


class NoAnswerError(Exception):
    """The provider gave nothing: an error of the sample, neither wrong nor right."""


class Answer(NamedTuple):
    """A reply, what to keep beside it, why it ended, and the most tokens that it could have."""

    text: str
    info: Mapping[str, Json]
    stop: str
    max_tokens: int


def check_style(model: str, asked: Observation) -> None:
    """Raise ProviderError if `model` cannot be asked in the observation's style."""
    if asked.style == "completion" and model.partition("/")[0] not in RAW_PROVIDERS:
        raise ProviderError(
            f"{model} answers chat turns, but this setting continues a raw prompt; use "
            f"-T mode=chat, or a completion endpoint ({'/..., '.join(RAW_PROVIDERS[:2])}/...)"
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
        new = [_chat_message(message, asked) for message in asked.messages]
        self.turns = new if asked.fresh else [*self.turns, *new]
        output = await self.model.generate(
            self.turns, config=self._config(asked), cache=self.cache or False
        )
        self.output = output
        self.usage += _usage(output)
        if not output.choices or output.error:
            raise NoAnswerError(output.error or "the provider returned nothing")
        self.turns = [*self.turns, output.message]
        stop, limit = output.stop_reason, self._limit(asked)
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
                f"{self.model} gives no log-probabilities; use -T mode=completion or mode=chat"
            )
        odds = dict.fromkeys(choices, 0.0)
        for top in logprobs.content[0].top_logprobs or ():
            if top.token.strip() in odds:
                odds[top.token.strip()] += math.exp(top.logprob)
        best = max(choices, key=lambda choice: odds[choice])
        kept: Mapping[str, Json] = {"probabilities": {c: round(p, 6) for c, p in odds.items()}}
        return (best if odds[best] > 0 else ""), kept


def _chat_message(message: Message, asked: Observation) -> ChatMessage:
    if message.role == "system":
        return ChatMessageSystem(content=message.content)
    if message.role == "assistant":
        return ChatMessageAssistant(content=message.content)
    return ChatMessageUser(content=message.content, metadata={STYLE: asked.style})


def _usage(output: ModelOutput) -> Usage:
    used = output.usage
    if used is None:
        return Usage()
    cached = used.input_tokens_cache_read or 0
    return Usage(used.input_tokens + cached, used.output_tokens, cached, used.total_cost or 0.0)
