"""`ordojo/local?path=...`: a trained model, an adapter, or a GGUF file, asked in this process."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from ordojo.core.environment import Message
from ordojo.core.errors import DataError, ProviderError, UsageError
from ordojo.core.extras import need
from ordojo.core.files import parse_json, read_text
from ordojo.evaluation.compact import rendering
from ordojo.evaluation.providers.embedded import EmbeddedModel, ModelReply, shown
from ordojo.evaluation.providers.loading import CATALOGUE, choose_device, load_weights, stops

NAME = "local"

SMALL = 20_000_000
"""Parameters up to which one thread asks a model: beside other work several took twenty times."""

NOTE = "ordojo.json"
"""Beside a model's weights: under which rendering it was trained."""


def is_local(name: str) -> bool:
    """Whether a model's name, without "ordojo/", is that of a path."""
    return name.partition("?")[0] == NAME


def check_runner(model: str) -> None:
    """Raise ProviderError where a model of ordojo's own ("ordojo/...") lacks the extra it runs by.

    Nothing is loaded: it may be asked before long work.
    """
    prefix, _, name = model.partition("/")
    if prefix == "ordojo" and name in CATALOGUE:
        need("embedded", model, ProviderError)
    elif prefix == "ordojo" and is_local(name):
        need("embedded" if name.endswith(".gguf") else "train", model, ProviderError)


def open_local(name: str, threads: int) -> "LocalFile | LocalModel":
    """The model behind "local?path=PATH"; raises UsageError, DataError or ProviderError."""
    paths = parse_qs(urlsplit(name).query).get("path", [])
    if len(paths) != 1:
        raise UsageError("name the model's folder or file: ordojo/local?path=FOLDER")
    path = Path(paths[0]).expanduser()
    if not path.exists():
        raise DataError(f"there is no model {path}; name a folder, or a .gguf file")
    if path.suffix == ".gguf":
        return LocalFile(name, threads, path)
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


class LocalFile(EmbeddedModel):
    """A GGUF file of one's own; the note beside it says how it was trained."""

    def __init__(self, name: str, threads: int, path: Path) -> None:
        super().__init__(name, threads, path)
        self._show = rendering(read_note(path.parent))


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
            [{"role": turn.role, "content": turn.content} for turn in shown(messages, self._show)],
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
