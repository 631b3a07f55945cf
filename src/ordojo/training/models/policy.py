"""A transformers model as a policy of rollouts: chat turns to tokens, and sampling in batches."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ordojo.core.canonical import digest
from ordojo.core.environment import Message, Style, chat
from ordojo.datasets.store import sha256_of
from ordojo.evaluation.compact import Rendering, full, rendering
from ordojo.evaluation.providers.embedded import read_note
from ordojo.training.models.loading import Loaded, load_model
from ordojo.training.rollouts.work import Completion, Loader, TokenPolicy

_PLACE = "\u2402reply\u2403"
"""Stands in for a reply while the template is asked what comes after one."""


class ModelPolicy:
    """Samples from the weights as they now are, so that a model in training can be its policy.

    `rendering` says how observations are shown to the model, `most` bounds a conversation's tokens
    below what the model reads.
    """

    def __init__(
        self, loaded: Loaded, rendering: Rendering = full, name: str = "", most: int | None = None
    ) -> None:
        self.loaded = loaded
        self.name = name or loaded.name
        self._rendering = rendering
        self._stops = loaded.stops
        limits = (
            getattr(loaded.model.config, "max_position_embeddings", None),
            loaded.tokenizer.model_max_length,
            most,
        )
        self.context = int(min(limit for limit in limits if limit))

    def encode(
        self, messages: Sequence[Message], style: Style, after: Completion | None
    ) -> list[int]:
        """See `TokenPolicy.encode`; a raw prompt is encoded as it is."""
        tokenizer = self.loaded.tokenizer
        shown = self._rendering(messages)
        if style == "completion":
            text = "".join(message.content for message in shown)
            return list(tokenizer(text, add_special_tokens=after is None)["input_ids"])
        before = () if after is None else (Message("user", ""), Message("assistant", _PLACE))
        turns = chat([*before, *shown])
        text = tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True)
        if after is not None:
            text = text.rpartition(_PLACE)[2]
            if after.ended:
                text = text.removeprefix(tokenizer.decode([after.ids[-1]]))
        return list(tokenizer(text, add_special_tokens=False)["input_ids"])

    def complete(
        self,
        prompts: Sequence[Sequence[int]],
        generators: Sequence[np.random.Generator],
        *,
        max_tokens: int,
        temperature: float,
        top_p: float = 1.0,
        stop: Sequence[str] = (),
    ) -> list[Completion]:
        """See `TokenPolicy.complete`."""
        import torch

        model = self.loaded.model
        training = model.training
        model.eval()
        try:
            with torch.no_grad():
                return self._sample(prompts, generators, max_tokens, temperature, top_p, stop)
        finally:
            model.train(training)

    def _sample(
        self,
        prompts: Sequence[Sequence[int]],
        generators: Sequence[np.random.Generator],
        most: int,
        temperature: float,
        top_p: float,
        stop: Sequence[str],
    ) -> list[Completion]:
        import torch

        model, tokenizer = self.loaded.model, self.loaded.tokenizer
        width = max(len(prompt) for prompt in prompts)
        fill = tokenizer.pad_token_id
        rows = [[fill] * (width - len(prompt)) + list(prompt) for prompt in prompts]
        masks = [[0] * (width - len(prompt)) + [1] * len(prompt) for prompt in prompts]
        ids = torch.tensor(rows, device=model.device)
        mask = torch.tensor(masks, device=model.device)
        position = (mask.cumsum(-1) - 1).clamp(min=0)
        made: list[list[int]] = [[] for _ in prompts]
        odds: list[list[float]] = [[] for _ in prompts]
        texts = [""] * len(prompts)
        open_ = set(range(len(prompts)))
        kept: dict[str, Any] = {}
        while open_:
            out = model(
                input_ids=ids,
                attention_mask=mask,
                position_ids=position,
                use_cache=True,
                logits_to_keep=1,
                **kept,
            )
            kept = _cache(out)
            logits = out.logits[:, -1].float() / (temperature or 1.0)
            chosen, logprobs = _draw(logits, generators, temperature, top_p)
            for row in sorted(open_):
                made[row].append(chosen[row])
                odds[row].append(logprobs[row])
                ended = chosen[row] in self._stops
                if stop and not ended:
                    texts[row] = tokenizer.decode(made[row], skip_special_tokens=True)
                    ended = any(mark in texts[row] for mark in stop)
                if ended or len(made[row]) >= most:
                    open_.discard(row)
            ids = torch.tensor(chosen, device=model.device).unsqueeze(1)
            mask = torch.cat([mask, torch.ones_like(mask[:, :1])], dim=1)
            position = position[:, -1:] + 1
        return [self._completion(*one, stop) for one in zip(made, odds, strict=True)]

    def _completion(self, ids: list[int], logprobs: list[float], stop: Sequence[str]) -> Completion:
        ended = bool(ids) and ids[-1] in self._stops
        text = self.loaded.tokenizer.decode(ids[:-1] if ended else ids, skip_special_tokens=True)
        for mark in stop:
            text = text.partition(mark)[0]
        return Completion(tuple(ids), tuple(logprobs), text, ended)


def _cache(out: Any) -> dict[str, Any]:
    """What a model keeps of the tokens so far, as it takes it back: as it calls it itself.

    `cache` from transformers 5.24 on, `past_key_values` before; where both are there, the newer.
    """
    name = next(name for name in ("cache", "past_key_values") if name in out)
    return {name: out[name]}


def _draw(
    logits: Any, generators: Sequence[np.random.Generator], temperature: float, top_p: float
) -> tuple[list[int], list[float]]:
    """One token of each row (n, words), greedy at temperature 0, and its log-probability."""
    import torch

    logprobs = torch.log_softmax(logits, dim=-1)
    if temperature == 0:
        chosen = logits.argmax(dim=-1)
    else:
        odds, order = logprobs.exp().double().sort(dim=-1, descending=True, stable=True)
        before = odds.cumsum(dim=-1) - odds
        odds = odds.masked_fill(before >= top_p, 0.0)
        ends = odds.cumsum(dim=-1)
        draws = torch.tensor([[one.random()] for one in generators], dtype=ends.dtype)
        place = torch.searchsorted(ends, draws.to(ends.device) * ends[:, -1:], right=True)
        kept = (odds > 0).sum(dim=-1, keepdim=True) - 1
        chosen = order.gather(1, torch.minimum(place, kept)).squeeze(1)
        if top_p < 1:
            share = odds.sum(dim=-1, keepdim=True).log().to(logprobs.dtype)
            logprobs = logprobs - share
    picked = logprobs.gather(1, chosen.unsqueeze(1)).squeeze(1)
    return chosen.tolist(), picked.tolist()


_WEIGHTS = ("*.safetensors", "*.bin", "*.json")


@dataclass(frozen=True)
class ModelSource:
    """How a model is loaded: its name as `load_model` takes it, and how it reads observations.

    `rendering` "" is that under which the model was trained, by the note in its folder.
    """

    name: str
    rendering: str = ""
    device: str = "auto"


def local_model(model: ModelSource) -> Loader:
    """The loader of a transformers model; a folder's or file's content is in the provenance.

    So a file of trajectories is not continued by other weights under the same path. Raises
    DataError where the files cannot be read.
    """
    path = Path(model.name).expanduser()
    files = sorted({file for kind in _WEIGHTS for file in path.glob(kind)})
    if path.is_file():
        files = [path]
    content = digest([[file.name, sha256_of(file)] for file in files]) if files else ""
    return Loader(model.name, partial(_load, model), content)


def _load(model: ModelSource) -> TokenPolicy:
    path = Path(model.name).expanduser()
    shown = model.rendering or (read_note(path) if path.is_dir() else "full")
    loaded = load_model(model.name, device=model.device, trainable=False)
    return ModelPolicy(loaded, rendering(shown))
