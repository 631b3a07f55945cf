"""Loading a model to train: its weights, its device, and a template with generation markers.

Or making it: `make_tiny` is a Llama of some 0.4 million parameters over the benchmarks' own words.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ordojo.core.errors import UsageError
from ordojo.core.outputs import whole_folder
from ordojo.evaluation.providers.embedded import NOTE, read_note
from ordojo.evaluation.providers.loading import CHATML, choose_device, load_weights, stops

MARKERS = ("{% generation %}", "{% endgeneration %}")

TINY = (
    "{% for message in messages %}"
    "{% if message['role'] == 'assistant' %}{{ '<|assistant|>' }}{% generation %}"
    "{{ message['content'] + '<|end|>' }}{% endgeneration %}"
    "{% else %}{{ '<|' + message['role'] + '|>' + message['content'] + '<|end|>' }}{% endif %}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}"
)
"""One token for a role, one for the end of a turn."""


def ensure_markers(tokenizer: Any, name: str) -> None:
    """Give a tokenizer of ChatML a template with markers, where its own has none.

    Raises UsageError where the template has none and is not ChatML.
    """
    template = tokenizer.chat_template
    plain = (template or "").replace("{%-", "{%").replace("-%}", "%}")
    if all(marker in plain for marker in MARKERS):
        return
    if isinstance(template, str) and "<|im_start|>" in template and "<|im_end|>" in template:
        tokenizer.chat_template = CHATML
        return
    what = "has no chat template" if not template else "has a chat template without markers"
    raise UsageError(
        f"{name} {what}, so that its own tokens cannot be told from the others; set "
        f"`template` to a Jinja file that wraps the assistant's text and its stop token in "
        f"{MARKERS[0]} ... {MARKERS[1]}"
    )


def check_stop_covered(tokenizer: Any, name: str) -> None:
    """Raise UsageError unless the markers cover the reply and the token that ends it."""
    turns = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]
    made = tokenizer.apply_chat_template(
        turns, tokenize=True, return_dict=True, return_assistant_tokens_mask=True
    )
    own = [i for i, m in zip(made["input_ids"], made["assistant_masks"], strict=True) if m]
    if not own or own[-1] != tokenizer.eos_token_id:
        raise UsageError(
            f"{name}: the generation markers of its chat template do not cover the stop token "
            f"{tokenizer.eos_token!r}; put it before {MARKERS[1]}, or the model never learns to end"
        )


@dataclass
class Loaded:
    """A model with its tokenizer; `name` is what it was asked by."""

    model: Any
    tokenizer: Any
    name: str

    @property
    def stops(self) -> tuple[int, ...]:
        """The tokens that end a reply."""
        return stops(self.model, self.tokenizer)


def load_model(
    name: str,
    *,
    dtype: str = "float32",
    device: str = "auto",
    template: str = "",
    trainable: bool = True,
) -> Loaded:
    """The model called `name` (see `load_weights`), on its device, in evaluation mode.

    `template` is a file with a Jinja template that takes the place of the model's own; a model to
    be trained needs one with generation markers. Raises UsageError, DataError or ProviderError.
    """
    place = choose_device(device)
    model, tokenizer = load_weights(name, dtype)
    if template:
        path = Path(template).expanduser()
        if not path.is_file():
            raise UsageError(f"there is no template {path}; name a file with a Jinja chat template")
        tokenizer.chat_template = path.read_text("utf-8")
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    tokenizer.padding_side = "left"
    if trainable:
        ensure_markers(tokenizer, name)
        check_stop_covered(tokenizer, name)
    # An adapter trained on this model will name it as its base.
    model.config._name_or_path = model.name_or_path = name
    return Loaded(model.to(place).eval(), tokenizer, name)


def save_model(model: Any, tokenizer: Any, folder: Path, rendering: str = "full") -> Path:
    """`write_model` with the note under which rendering it was trained."""
    return write_model(model, tokenizer, folder, NOTE, {"rendering": rendering})


def write_model(
    model: Any, tokenizer: Any, folder: Path, name: str, note: Mapping[str, Any]
) -> Path:
    """Write weights (an adapter where there is one), tokenizer and a note; gives the folder back.

    Raises DataError where the disk does not take it.
    """
    advice = "name another folder: the checkpoints are untouched"
    with whole_folder(folder, keep=True, advice=advice) as place:
        model.save_pretrained(str(place))
        tokenizer.save_pretrained(str(place))
        (place / name).write_text(json.dumps(note, indent=2) + "\n", "utf-8")
    return folder


def merge_adapter(adapter: str, folder: Path) -> Path:
    """Merge an adapter's folder into its base model and save the whole to `folder`."""
    loaded = load_model(adapter, device="cpu")
    return save_model(loaded.model, loaded.tokenizer, folder, read_note(Path(adapter)))


def weights_digest(model: Any) -> str:
    """SHA-256 over the names and bytes of all weights, in the order of their names."""
    import torch

    total = hashlib.sha256()
    state = model.state_dict()
    for name in sorted(state):
        total.update(name.encode())
        flat = state[name].detach().cpu().contiguous().flatten()
        total.update(flat.view(torch.uint8).numpy().tobytes())
    return total.hexdigest()


ROLES = ("<|system|>", "<|user|>", "<|assistant|>")
END, PAD, UNKNOWN = "<|end|>", "<|pad|>", "<|unk|>"

PIECES = r"_?[A-Za-z]+|\d|\s|."
"""What a token is: a word with the underscore before it, a digit, a blank, any other mark."""

ALWAYS = [*"0123456789", *" \n.,;:()[]<>=+-*/$%'\"", "<", ">"]


@dataclass(frozen=True)
class TinyConfig:
    """Sizes of the tiny Llama; `vocabulary` is the most words that it may know."""

    hidden: int = 128
    layers: int = 2
    heads: int = 4
    intermediate: int = 256
    context: int = 1024
    vocabulary: int = 2000

    def __post_init__(self) -> None:
        if self.hidden % self.heads or (self.hidden // self.heads) % 2:
            raise UsageError(
                f"tiny model: hidden={self.hidden} must be heads={self.heads} times an even number"
            )
        if min(self.layers, self.intermediate, self.context) < 1:
            raise UsageError("tiny model: layers, intermediate and context must be 1 or more")


def make_tokenizer(texts: Iterable[str], config: TinyConfig = TinyConfig()) -> Any:
    """A word-level tokenizer that gives every text back as it was, but for unknown words.

    Words are taken by frequency, ties in alphabetical order. Raises UsageError without texts.
    """
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    split = pre_tokenizers.Split(Regex(PIECES), "isolated")
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(piece for piece, _ in split.pre_tokenize_str(text))
    if not counts:
        raise UsageError("the tiny model has no texts to take its words from; give it some")
    special = [PAD, UNKNOWN, END, *ROLES]
    words = sorted(counts, key=lambda word: (-counts[word], word))
    known = list(dict.fromkeys([*special, *ALWAYS, *words]))[: config.vocabulary]
    vocabulary = {word: place for place, word in enumerate(known)}
    inner = Tokenizer(models.WordLevel(vocabulary, unk_token=UNKNOWN))
    inner.pre_tokenizer = split
    inner.decoder = decoders.Fuse()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=inner,
        unk_token=UNKNOWN,
        pad_token=PAD,
        eos_token=END,
        additional_special_tokens=list(ROLES),
        model_max_length=config.context,
        clean_up_tokenization_spaces=False,
    )
    tokenizer.chat_template = TINY
    return tokenizer


def make_tiny(
    texts: Iterable[str], config: TinyConfig = TinyConfig(), seed: int = 0
) -> tuple[Any, Any]:
    """A fresh model and its tokenizer as a pair; equal arguments give equal weights."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    tokenizer = make_tokenizer(texts, config)
    state = torch.random.get_rng_state()
    try:
        torch.manual_seed(seed)
        model = LlamaForCausalLM(
            LlamaConfig(
                vocab_size=len(tokenizer),
                hidden_size=config.hidden,
                intermediate_size=config.intermediate,
                num_hidden_layers=config.layers,
                num_attention_heads=config.heads,
                num_key_value_heads=config.heads,
                max_position_embeddings=config.context,
                tie_word_embeddings=True,
                pad_token_id=tokenizer.pad_token_id,
                bos_token_id=None,
                eos_token_id=tokenizer.eos_token_id,
                attention_dropout=0.0,
            )
        )
    finally:
        torch.random.set_rng_state(state)
    return model, tokenizer
