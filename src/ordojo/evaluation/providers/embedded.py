"""Models that answer in this process: embedded ones, on the CPU through xllamacpp, and local ones.

`ordojo/local?path=...` is a trained model, an adapter, or a GGUF file.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from ordojo.core.environment import Message
from ordojo.core.errors import DataError, ProviderError, UsageError
from ordojo.core.extras import need
from ordojo.core.files import parse_json, read_text
from ordojo.evaluation.compact import conversation, rendering
from ordojo.evaluation.providers.loading import (
    ADAPTERS,
    CATALOGUE,
    choose_device,
    get_weights,
    load_weights,
    require_weights,
    stops,
)

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
        # The note beside a file of one's own says how it was trained.
        own = read_note(path.parent) if path else "full"
        self._show = rendering(weights.rendering if weights else own)
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
        body = {"messages": conversation(messages, self._show), **_request(settings)}
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


NAME = "local"

SMALL = 20_000_000
"""Parameters up to which one thread asks a model: beside other work several took twenty times."""

NOTE = "ordojo.json"
"""Beside a model's weights: under which rendering it was trained."""


def is_local(name: str) -> bool:
    """Whether a model's name, without "ordojo/", is that of a path."""
    return name.partition("?")[0] == NAME


def path_of(name: str, what: str, example: str) -> Path:
    """The one path in a name such as "local?path=PATH"; raises UsageError, which says `what`."""
    paths = parse_qs(urlsplit(name).query).get("path", [])
    if len(paths) != 1:
        raise UsageError(f"name {what}: ordojo/{example}")
    return Path(paths[0])


def check_runner(model: str) -> None:
    """Raise ProviderError where a model of ordojo's own ("ordojo/...") lacks the extra it runs by.

    Nothing is loaded: it may be asked before long work.
    """
    prefix, _, name = model.partition("/")
    if prefix == "ordojo" and name in CATALOGUE:
        need("embedded", model, ProviderError)
    elif prefix == "ordojo" and is_local(name):
        need("embedded" if name.endswith(".gguf") else "train", model, ProviderError)


def open_local(name: str, threads: int) -> "EmbeddedModel | LocalModel":
    """The model behind "local?path=PATH"; raises UsageError, DataError or ProviderError."""
    path = path_of(name, "the model's folder or file", "local?path=FOLDER").expanduser()
    if not path.exists():
        raise DataError(f"there is no model {path}; name a folder, or a .gguf file")
    if path.suffix == ".gguf":
        return EmbeddedModel(name, threads, path)
    return LocalModel(path, threads)


def read_note(folder: Path) -> str:
    """The name of the rendering that a folder's note gives, "full" without one."""
    path = folder / NOTE
    if not path.is_file():
        return "full"
    try:
        return str(parse_json(read_text(path)).get("rendering", "full"))
    except (OSError, ValueError, AttributeError):
        raise DataError(f"{path} is damaged; write it again, or take it away") from None


class LocalModel:
    """A model of transformers; calls come one at a time, as Inspect is told."""

    def __init__(self, path: Path, threads: int) -> None:
        self._model, self._tokenizer = load_weights(str(path))
        import torch

        # Threads that wait for each other at every small product cost more than they bring.
        torch.set_num_threads(threads if self._model.num_parameters() > SMALL else 1)
        self._model = self._model.to(choose_device("auto"))
        self._show = rendering(read_note(path))
        self._path = path

    def complete(self, prompt: str, settings: Mapping[str, Any]) -> ModelReply:
        """Continue a raw prompt."""
        return self._generate(self._tokenizer(prompt)["input_ids"], settings)

    def chat(self, messages: Sequence[Message], settings: Mapping[str, Any]) -> ModelReply:
        """Answer chat turns through the model's own template, shown as it was trained."""
        if self._tokenizer.chat_template is None:
            raise ProviderError(f"the model {self._path} has no chat template; it cannot be asked")
        made = self._tokenizer.apply_chat_template(
            conversation(messages, self._show),
            add_generation_prompt=True,
            tokenize=True,
            return_dict=True,
        )
        return self._generate(made["input_ids"], settings)

    def _generate(self, ids: list[int], settings: Mapping[str, Any]) -> ModelReply:
        import torch

        if settings.get("logprobs"):
            raise ProviderError("ordojo/local gives no log-probabilities; use `mode=chat`")
        context = getattr(self._model.config, "max_position_embeddings", None) or 2**31
        room = min(settings.get("max_tokens") or 512, context - len(ids))
        if room < 1:
            return ModelReply("", "length", len(ids), 0, 0, {})
        warm = settings.get("temperature") or 0.0
        torch.manual_seed(settings.get("seed") or 0)
        given = torch.tensor([ids], device=self._model.device)
        how = {"temperature": warm, "top_p": settings.get("top_p") or 1.0, "top_k": 0}
        stop, ends = settings.get("stop"), list(stops(self._model, self._tokenizer))
        with torch.no_grad():
            out = self._model.generate(
                given,
                attention_mask=torch.ones_like(given),
                max_new_tokens=room,
                do_sample=warm > 0,
                pad_token_id=self._tokenizer.pad_token_id or self._tokenizer.eos_token_id,
                eos_token_id=ends,
                **(how if warm > 0 else {}),
                **({"stop_strings": list(stop), "tokenizer": self._tokenizer} if stop else {}),
            )
        made = out[0, len(ids) :].tolist()
        text = self._tokenizer.decode(made, skip_special_tokens=True)
        for mark in stop or ():
            text = text.partition(mark)[0]
        why = "length" if len(made) >= room and made[-1] not in ends else "stop"
        return ModelReply(text, why, len(ids), 0, len(made), {})
