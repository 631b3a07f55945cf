"""Writing a trained Llama as GGUF, so that it runs on any CPU through the embedded runner."""

import re
from pathlib import Path
from typing import Any, Literal

from ordojo.core.errors import DataError, ProviderError, UsageError

Kind = Literal["f16", "f32"]

_NAMES = {
    "model.embed_tokens": "token_embd",
    "model.norm": "output_norm",
    "lm_head": "output",
    "input_layernorm": "attn_norm",
    "post_attention_layernorm": "ffn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
"""Transformers' names of a Llama's modules, and GGUF's."""

_LAYER = re.compile(r"model\.layers\.(\d+)\.(.+)")
_MARKER = re.compile(r"\{%-?\s*(?:end)?generation\s*-?%\}")
_OWN = ("GGUF.", "general.architecture", "general.file_type", "general.quantization_version")


def write_gguf(model: Any, tokenizer: Any, base: Path, out: Path, kind: Kind = "f16") -> Path:
    """Write `model` to `out`, with sizes and vocabulary taken from `base`; gives `out` back.

    `base` is the GGUF file that the model was first loaded from; the vocabulary must be the same.
    Matrices are written as `kind`, vectors as float32. Raises UsageError for a model that is no
    Llama or has not the vocabulary of `base`, DataError where files cannot be read or written.
    """
    try:
        import gguf
    except ImportError:
        raise ProviderError("writing GGUF needs `gguf`; install `ordojo[train]`") from None
    if model.config.model_type != "llama":
        raise UsageError(
            f"a model of type {model.config.model_type} cannot be written as GGUF here; use "
            "llama.cpp's convert_hf_to_gguf.py on its folder"
        )
    try:
        reader = gguf.GGUFReader(str(base))
    except (OSError, ValueError) as error:
        raise DataError(f"{base} is no GGUF file that can be read ({error})") from None
    names = {tensor.name: tensor for tensor in reader.tensors}
    words = int(names["token_embd.weight"].shape[1]) if "token_embd.weight" in names else -1
    if words != model.config.vocab_size:
        raise UsageError(
            f"{base} has {words} words and the model {model.config.vocab_size}: name the GGUF "
            "file that the model was loaded from"
        )
    out.parent.mkdir(parents=True, exist_ok=True)
    draft = out.with_name(out.name + ".part")
    writer = gguf.GGUFWriter(str(draft), "llama")
    for name, field in reader.fields.items():
        if not name.startswith(_OWN) and name != "tokenizer.chat_template":
            inner = field.types[-1] if field.types[0] == gguf.GGUFValueType.ARRAY else None
            writer.add_key_value(name, field.contents(), field.types[0], inner)
    if tokenizer.chat_template:
        writer.add_chat_template(_MARKER.sub("", tokenizer.chat_template))
    writer.add_file_type(1 if kind == "f16" else 0)
    for name, array in _tensors(model):
        narrow = kind == "f16" and array.ndim > 1
        writer.add_tensor(name, array.astype("float16" if narrow else "float32"))
    try:
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
        draft.replace(out)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise DataError(f"{out} cannot be written ({error.strerror}); make room") from None
    return out


def _tensors(model: Any) -> list[tuple[str, Any]]:
    """GGUF's names and arrays; the rotary halves of queries and keys are interleaved there."""
    config = model.config
    heads = {"attn_q": config.num_attention_heads, "attn_k": config.num_key_value_heads}
    tied = config.tie_word_embeddings
    found = []
    for name, weight in model.state_dict().items():
        module = name.removesuffix(".weight")
        if module == "lm_head" and tied:
            continue
        layer = _LAYER.fullmatch(module)
        short = _NAMES[layer[2] if layer else module]
        array = weight.detach().cpu().float().numpy()
        if short in heads:
            rows, columns = array.shape
            split = array.reshape(heads[short], 2, rows // heads[short] // 2, columns)
            array = split.swapaxes(1, 2).reshape(rows, columns)
        found.append((f"blk.{layer[1]}.{short}.weight" if layer else f"{short}.weight", array))
    return found
