"""What GGUF calls a Llama's matrices, how it lays them out, and adapters that are written so."""

import re
from pathlib import Path
from typing import Any

import numpy as np

from ordojo.core.errors import DataError

NAMES = {
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

LAYER = re.compile(r"model\.layers\.(\d+)\.(.+)")
_MODULES = {short: module for module, short in NAMES.items()}
_MATRIX = re.compile(r"blk\.(\d+)\.(\w+)\.weight\.lora_([ab])")


def interleaved(short: str, array: Any, config: Any, back: bool = False) -> Any:
    """The matrix with its rotary halves interleaved, or apart, where it makes queries or keys."""
    heads = {"attn_q": config.num_attention_heads, "attn_k": config.num_key_value_heads}
    if short not in heads:
        return array
    rows, columns = array.shape
    half = rows // heads[short] // 2
    shape = (heads[short], half, 2, columns) if back else (heads[short], 2, half, columns)
    return array.reshape(shape).swapaxes(1, 2).reshape(rows, columns)


def read_adapter(path: Path, config: Any) -> dict[str, Any]:
    """The matrices of a Llama's GGUF adapter by "MODULE/A" and "MODULE/B", its scale in the latter.

    Raises DataError for a file that is none.
    """
    import gguf

    try:
        reader = gguf.GGUFReader(str(path))
        alpha = float(reader.fields["adapter.lora.alpha"].contents())
    except (OSError, ValueError, KeyError) as error:
        raise DataError(f"{path} is no GGUF adapter that can be read ({error})") from None
    found = {}
    for tensor in reader.tensors:
        layer, short, side = _MATRIX.fullmatch(tensor.name).groups()  # type: ignore[union-attr]
        array = np.asarray(tensor.data, "float32")
        if side == "b":
            array = interleaved(short, array, config, back=True) * (alpha / array.shape[1])
        found[f"model.layers.{layer}.{_MODULES[short]}/{side.upper()}"] = array
    return found


def add_adapter(model: Any, path: Path) -> None:
    """Add a GGUF adapter to the weights of a Llama, in place; raises what `read_adapter` raises."""
    import torch

    matrices = read_adapter(path, model.config)
    with torch.no_grad():
        for name in (name[:-2] for name in matrices if name.endswith("/A")):
            change = matrices[f"{name}/B"] @ matrices[f"{name}/A"]
            weight = model.get_submodule(name).weight
            weight += torch.from_numpy(change).to(weight.dtype)
