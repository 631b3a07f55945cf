"""A Llama of some 0.4 million parameters over the benchmarks' own words, made on the spot."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ordojo.core.errors import UsageError
from ordojo.training.models.loading import TINY

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
