"""The embedded model: a small language model on the CPU, in this process, through xllamacpp."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ordojo.core.environment import Message
from ordojo.core.errors import ProviderError
from ordojo.core.extras import need
from ordojo.evaluation.compact import Rendering, rendering
from ordojo.evaluation.providers.loading import get_weights, require_weights

ADAPTERS = Path(__file__).with_name("adapters")
OWN_CONTEXT = 4096
"""Tokens of context that a GGUF file of one's own is run with."""


@dataclass(frozen=True)
class ModelReply:
    """What the embedded model said: text, why it stopped, tokens, and the first token's odds.

    `first` maps the likeliest texts of the first token to their log-probabilities.
    """

    text: str
    stop_reason: str
    prompt_tokens: int
    cached_tokens: int
    new_tokens: int
    first: Mapping[str, float]


def shown(messages: Sequence[Message], show: Rendering) -> list[Message]:
    """A conversation as a model was trained to read it: its own turns as they are."""
    turns: list[Message] = []
    for message in messages:
        turns += [message] if message.role == "assistant" else show([message])
    return turns


class EmbeddedModel:
    """One loaded model. Calls are serialized: one slot keeps the whole prefix cache.

    `path` is a GGUF file of one's own in place of the embedded weights. Raises ProviderError
    where the runner or the weights are missing, or the file is none.
    """

    def __init__(self, name: str, threads: int, path: Path | None = None) -> None:
        weights = None if path else get_weights(name)
        need("embedded", f"ordojo/{name}", ProviderError)
        import xllamacpp

        params = xllamacpp.CommonParams()
        params.model.path = str(require_weights(weights) if weights else path)
        params.n_ctx = weights.context if weights else OWN_CONTEXT
        params.n_parallel = 1
        params.cpuparams.n_threads = threads
        params.cpuparams_batch.n_threads = threads
        params.verbosity = -1
        if weights and weights.adapter:
            lora = xllamacpp.CommonAdapterLoraInfo()
            lora.path = str(ADAPTERS / weights.adapter)
            lora.scale = 1.0
            params.lora_adapters = [lora]
            # What it was trained under: the base model's own template adds a system turn.
            params.chat_template = "chatml"
        self._name = name
        self._chats = bool(weights and weights.adapter)
        self._show = rendering(weights.rendering if weights else "full")
        try:
            self._server = xllamacpp.Server(params)
        except RuntimeError as error:
            raise ProviderError(
                f"{params.model.path} cannot be run ({error}); is it a whole GGUF file?"
            ) from None
        self._lock = threading.Lock()

    def complete(self, prompt: str, settings: Mapping[str, Any]) -> ModelReply:
        """Continue a raw prompt; raises ProviderError for a model that was trained to chat."""
        if self._chats:
            raise ProviderError(f"ordojo/{self._name} was trained on chats; use `mode=chat`")
        body = {"prompt": prompt, **_request(settings)}
        with self._lock:
            answer = self._server.handle_completions(body)
        return self._read(answer, lambda choice: str(choice["text"]))

    def chat(self, messages: Sequence[Message], settings: Mapping[str, Any]) -> ModelReply:
        """Answer chat turns through the model's own template."""
        turns = [{"role": m.role, "content": m.content} for m in shown(messages, self._show)]
        body = {"messages": turns, **_request(settings)}
        with self._lock:
            answer = self._server.handle_chat_completions(body)
        return self._read(answer, lambda choice: str(choice["message"]["content"] or ""))

    def _read(self, answer: Any, text_of: Callable[[Any], str]) -> ModelReply:
        if not isinstance(answer, dict) or not answer.get("choices"):
            raise ProviderError(f"ordojo/{self._name} refused the prompt: {_complaint(answer)}")
        choice = answer["choices"][0]
        usage = answer.get("usage", {})
        content = (choice.get("logprobs") or {}).get("content") or [{}]
        return ModelReply(
            text=text_of(choice),
            stop_reason=str(choice.get("finish_reason") or "unknown"),
            prompt_tokens=int(usage.get("prompt_tokens", 0)),
            cached_tokens=int((usage.get("prompt_tokens_details") or {}).get("cached_tokens", 0)),
            new_tokens=int(usage.get("completion_tokens", 0)),
            first={top["token"]: top["logprob"] for top in content[0].get("top_logprobs", [])},
        )


def _request(settings: Mapping[str, Any]) -> dict[str, Any]:
    given = {key: value for key, value in settings.items() if value is not None}
    return {"temperature": 0.0, "cache_prompt": True, **given}


def _complaint(answer: Any) -> str:
    if isinstance(answer, dict):
        error = answer.get("error", answer)
        return str(error.get("message", error) if isinstance(error, dict) else error)
    return str(answer)
