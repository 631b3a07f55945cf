"""Writing a trained Llama as GGUF, so that it runs on any CPU through the embedded runner."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np

from ordojo.core.errors import DataError, ProviderError, UsageError
from ordojo.core.extras import need
from ordojo.core.outputs import whole_file
from ordojo.evaluation.providers.loading import (
    ADAPTER,
    ADAPTERS,
    CATALOGUE,
    LAYER,
    NAMES,
    interleaved,
    read_adapter,
)
from ordojo.training.models.loading import load_model

Kind = Literal["f16", "f32"]

_MARKER = re.compile(r"\{%-?\s*(?:end)?generation\s*-?%\}")
_ESCAPED = str.maketrans({"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"})
_OWN = ("GGUF.", "general.architecture", "general.file_type", "general.quantization_version")


def write_gguf(
    model: Any, tokenizer: Any, base: Path | None, out: Path, kind: Kind = "f16"
) -> Path:
    """Write `model` to `out`, with sizes and vocabulary taken from `base`; gives `out` back.

    `base` is the GGUF file that the model was first loaded from, with the same vocabulary; the
    tiny model has none. Matrices are written as `kind`, vectors as float32. The `ordojo.json`
    beside `out` says how states are shown to the model, so the model's own folder is its place.
    Raises UsageError for a model that is no Llama or has not the vocabulary of `base`, DataError
    where files cannot be read or written.
    """
    need("train", "writing GGUF", ProviderError)
    import gguf

    if model.config.model_type != "llama":
        raise UsageError(
            f"a model of type {model.config.model_type} cannot be written as GGUF here; use "
            "llama.cpp's convert_hf_to_gguf.py on its folder"
        )
    # It opens no file before its head is written.
    writer = gguf.GGUFWriter("", "llama")
    added = 0
    if base is None:
        added = _describe(writer, model.config, tokenizer)
    else:
        _copy(writer, base, model.config.vocab_size)
    if tokenizer.chat_template:
        writer.add_chat_template(_MARKER.sub("", tokenizer.chat_template))
    writer.add_file_type(1 if kind == "f16" else 0)
    for name, array in _tensors(model):
        if added and name in ("token_embd.weight", "output.weight"):
            array = np.vstack([array, *[array[tokenizer.unk_token_id]] * added])
        narrow = kind == "f16" and array.ndim > 1
        writer.add_tensor(name, array.astype("float16" if narrow else "float32"))
    return _store(writer, out)


def _store(writer: Any, out: Path) -> Path:
    with whole_file(out) as draft:
        writer.write_header_to_file(draft)
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
    return out


_ADAPTED = re.compile(r"base_model\.model\.(.+)\.lora_([AB])\.weight")


_OTHER_SCALES = ("use_rslora", "use_dora", "rank_pattern", "alpha_pattern")
"""Settings of peft under which matrices count otherwise than by alpha through the rank."""


def write_adapter(folder: Path, out: Path, kind: Kind = "f16") -> Path:
    """Write the LoRA adapter of a Llama in `folder` as GGUF, for llama.cpp; gives `out` back.

    It is applied to the GGUF file of the base model that the adapter names. Where that is an
    adapter's folder itself, as after SFT and GRPO, or comes with ordojo as one, both are written
    as one, whose rank is the sum.
    Raises DataError for a folder that holds no such adapter.
    """
    import gguf

    parts: list[Mapping[str, Any]] = []
    base = str(folder)
    while not parts or (Path(base) / ADAPTER).is_file() or _shipped(base):
        base, matrices = _shipped(base) or _adapter(Path(base))
        if parts and parts[0].keys() != matrices.keys():
            raise DataError(
                f"{folder} adapts other layers than the adapter that it was trained over; merge "
                "both into their base (`merge_adapter`), and write that with `write_gguf`"
            )
        parts.insert(0, matrices)
    config = load_model(base, device="cpu").model.config
    writer = gguf.GGUFWriter("", "llama")
    writer.add_type(gguf.GGUFType.ADAPTER)
    writer.add_string("adapter.type", "lora")
    names = sorted(parts[0])
    stacked = {
        name: np.concatenate([part[name] for part in parts], axis=int(name.endswith("B")))
        for name in names
    }
    # The scale is in the matrices: alpha is the rank.
    writer.add_float32("adapter.lora.alpha", float(len(stacked[names[0]])))
    for name, array in stacked.items():
        place, side = name[:-2], name[-1]
        layer = LAYER.fullmatch(place)
        short = NAMES[layer[2] if layer else place]
        if side == "B":
            array = interleaved(short, array, config)
        narrow = array.astype("float16" if kind == "f16" else "float32")
        known = f"blk.{layer[1]}.{short}" if layer else short
        writer.add_tensor(f"{known}.weight.lora_{side.lower()}", narrow)
    return _store(writer, out)


def _shipped(name: str) -> tuple[str, dict[str, Any]] | None:
    """The same of a model that comes with ordojo as an adapter, None for any other."""
    known = CATALOGUE.get(name.removeprefix("ordojo/"))
    if known is None or not known.adapter:
        return None
    config = load_model(name, device="cpu").model.config
    return f"ordojo/{known.base}", read_adapter(ADAPTERS / known.adapter, config)


def _adapter(folder: Path) -> tuple[str, dict[str, Any]]:
    """The base that an adapter names, and its matrices by "MODULE/A" and "MODULE/B".

    Its scale is in the latter, so that adapters can be put beside each other.
    """
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        settings = json.loads((folder / ADAPTER).read_text("utf-8"))
        weights = load_file(folder / "adapter_model.safetensors")
        base, scale = settings["base_model_name_or_path"], settings["lora_alpha"] / settings["r"]
        other = [name for name in _OTHER_SCALES if settings.get(name)]
    except (OSError, ValueError, KeyError, SafetensorError) as error:
        raise DataError(f"{folder} holds no LoRA adapter that can be read ({error})") from None
    if other:
        raise DataError(f"{folder}: {other[0]} is not read here; train with one rank and alpha")
    found = {}
    for name, tensor in weights.items():
        module = _ADAPTED.fullmatch(name)
        if not module:
            raise DataError(f"{folder}: {name} is no LoRA matrix; train with method=lora")
        array = tensor.float().numpy()
        found[f"{module[1]}/{module[2]}"] = array * scale if module[2] == "B" else array
    return str(base), found


def _copy(writer: Any, base: Path, words: int) -> None:
    """The sizes and the vocabulary of another GGUF file."""
    import gguf

    try:
        reader = gguf.GGUFReader(str(base))
    except (OSError, ValueError) as error:
        raise DataError(f"{base} is no GGUF file that can be read ({error})") from None
    names = {tensor.name: tensor for tensor in reader.tensors}
    found = int(names["token_embd.weight"].shape[1]) if "token_embd.weight" in names else -1
    if found != words:
        raise UsageError(
            f"{base} has {found} words and the model {words}: name the GGUF file that the model "
            "was loaded from"
        )
    for name, field in reader.fields.items():
        if not name.startswith(_OWN) and name != "tokenizer.chat_template":
            inner = field.types[-1] if field.types[0] == gguf.GGUFValueType.ARRAY else None
            writer.add_key_value(name, field.contents(), field.types[0], inner)


def _describe(writer: Any, config: Any, tokenizer: Any) -> int:
    """The sizes and the words of a model whose tokenizer knows whole words.

    GGUF has no such tokenizer; RWKV's takes the longest known piece, which is the word wherever
    the word is known. It needs every beginning of a word as a word: gives back how many were added.
    """
    from gguf import TokenType

    if type(tokenizer.backend_tokenizer.model).__name__ != "WordLevel":
        raise UsageError("name as base the GGUF file that the model was loaded from")
    special = set(tokenizer.all_special_ids)
    words = tokenizer.convert_ids_to_tokens(range(config.vocab_size))
    known = {word.encode() for word in words}
    begun = sorted({word.encode()[:1] for word in words} - known)
    spelt = [word.translate(_ESCAPED) for word in words]
    spelt += [first.decode("ascii", "backslashreplace") for first in begun]
    kinds = [TokenType.CONTROL if i in special else TokenType.NORMAL for i in range(len(spelt))]
    writer.add_tokenizer_model("rwkv")
    writer.add_token_list(spelt)
    writer.add_token_types(kinds)
    writer.add_eos_token_id(tokenizer.eos_token_id)
    writer.add_unk_token_id(tokenizer.unk_token_id)
    writer.add_pad_token_id(tokenizer.pad_token_id)
    writer.add_add_bos_token(False)
    writer.add_vocab_size(len(spelt))
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(config.hidden_size)
    writer.add_block_count(config.num_hidden_layers)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    writer.add_rope_freq_base(config.rope_parameters["rope_theta"])
    return len(begun)


def _tensors(model: Any) -> list[tuple[str, Any]]:
    """GGUF's names and arrays."""
    config = model.config
    tied = config.tie_word_embeddings
    found = []
    for name, weight in model.state_dict().items():
        module = name.removesuffix(".weight")
        if module == "lm_head" and tied:
            continue
        layer = LAYER.fullmatch(module)
        short = NAMES[layer[2] if layer else module]
        array = weight.detach().cpu().float().numpy()
        array = interleaved(short, array, config)
        found.append((f"blk.{layer[1]}.{short}.weight" if layer else f"{short}.weight", array))
    return found
