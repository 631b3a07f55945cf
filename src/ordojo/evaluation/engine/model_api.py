"""The models named `ordojo/...`, as an Inspect model provider."""

import os
from functools import partial
from typing import Any

import anyio.to_thread
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    GenerateConfig,
    Logprob,
    Logprobs,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    StopReason,
    TopLogprob,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from ordojo.core.environment import Message
from ordojo.core.errors import ProviderError
from ordojo.core.ranges import NumberRange
from ordojo.evaluation.providers.embedded import (
    EmbeddedModel,
    LocalModel,
    ModelReply,
    is_local,
    open_local,
)
from ordojo.evaluation.providers.loading import CATALOGUE

STYLE = "ordojo_style"
"""Key of a message's metadata that says "completion" where no chat template must be applied."""

_NO_CONFIG = GenerateConfig()
_STOP_REASONS: dict[str, StopReason] = {"stop": "stop", "length": "max_tokens"}


class OrdojoAPI(ModelAPI):
    """Embedded models generate; scripted names (`ordojo/gold`) are played by ordojo's solver."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = _NO_CONFIG,
        threads: int | str = "",
        **model_args: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        if model_args:
            raise ProviderError(f"ordojo/{model_name} has no model argument '{min(model_args)}'")
        self.embedded = model_name in CATALOGUE or is_local(model_name)
        # More threads than cores that are free wait for each other, and take those there are.
        most = os.environ.get("OMP_NUM_THREADS", "")
        self._threads = int(most) if most.isdecimal() and int(most) else os.cpu_count() or 1
        if threads != "":
            self._threads = NumberRange(1, 1024, whole=True).parse("threads", str(threads))
        self._engine: EmbeddedModel | LocalModel | None = None
        # With a key Inspect makes a second one, to look up what is known of the model: it is not
        # asked, and its weights would take as long to load, and as much memory.
        if api_key is None:
            self._open()

    def _open(self) -> EmbeddedModel | LocalModel | None:
        """What answers, its weights loaded once; None for a scripted policy."""
        if self._engine is None and self.embedded:
            load = open_local if is_local(self.model_name) else EmbeddedModel
            self._engine = load(self.model_name, self._threads)
        return self._engine

    def max_connections(self) -> int:
        """One: the embedded model uses all cores for one request at a time."""
        return 1

    async def count_text_tokens(self, text: str) -> int:
        """An estimate that needs no download."""
        return len(text) // 4

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        """Answer through the embedded model, without blocking the event loop."""
        engine = self._open()
        if engine is None:
            raise ProviderError(
                f"ordojo/{self.model_name} is a scripted policy: it plays ordojo's own tasks only"
            )
        settings: dict[str, Any] = {
            "max_tokens": config.max_tokens,
            "temperature": config.temperature,
            "top_p": config.top_p,
            "seed": config.seed,
            "stop": config.stop_seqs,
        }
        if (input[-1].metadata or {}).get(STYLE) == "completion":
            if config.logprobs:
                settings["logprobs"] = config.top_logprobs
            call = partial(engine.complete, input[-1].text, settings)
        else:
            if config.logprobs:
                settings |= {"logprobs": True, "top_logprobs": config.top_logprobs}
            turns = [Message("user" if m.role == "tool" else m.role, m.text) for m in input]
            call = partial(engine.chat, turns, settings)
        return _output(f"ordojo/{self.model_name}", await anyio.to_thread.run_sync(call))


def _output(model: str, reply: ModelReply) -> ModelOutput:
    top = [TopLogprob(token=token, logprob=value) for token, value in reply.first.items()]
    logprobs = (
        Logprobs(content=[Logprob(token=top[0].token, logprob=top[0].logprob, top_logprobs=top)])
        if top
        else None
    )
    return ModelOutput(
        model=model,
        choices=[
            ChatCompletionChoice(
                message=ChatMessageAssistant(content=reply.text, model=model, source="generate"),
                stop_reason=_STOP_REASONS.get(reply.stop_reason, "unknown"),
                logprobs=logprobs,
            )
        ],
        usage=ModelUsage(
            input_tokens=reply.prompt_tokens - reply.cached_tokens,
            output_tokens=reply.new_tokens,
            total_tokens=reply.prompt_tokens + reply.new_tokens,
            input_tokens_cache_read=reply.cached_tokens,
        ),
    )
