"""Weights of transformers models: a folder, an adapter on its base, a GGUF file, a name."""

from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path
from typing import Any

from ordojo.core.errors import DataError, ProviderError, UsageError
from ordojo.core.files import parse_json, read_text
from ordojo.evaluate.providers.weights import CATALOGUE, get_weights, require_weights

ADAPTER = "adapter_config.json"

EXTRA = "transformers models need torch; install `ordojo[train]`"


def load_weights(name: str, dtype: str = "float32") -> tuple[Any, Any]:
    """The model (on the CPU, in evaluation mode) and the tokenizer of `name`.

    `name` is a folder (of a model, or of an adapter, which is merged into its base; the base may
    be any of these), a GGUF file, "ordojo/smollm2", or a model of Hugging Face. Raises DataError
    for files that are no model, ProviderError where a library or the named model is not to be had.
    """
    try:
        import torch
        import transformers
    except ImportError:
        raise ProviderError(EXTRA) from None
    transformers.logging.disable_progress_bar()
    short = name.removeprefix("ordojo/")
    path = require_weights(get_weights(short)) if short in CATALOGUE else Path(name).expanduser()
    kind = getattr(torch, dtype)
    if path.suffix == ".gguf":
        model, tokenizer = load_gguf(path)
        return model.to(kind), tokenizer
    if (path / ADAPTER).is_file():
        return _with_adapter(path, dtype)
    if path.is_dir() and not (path / "config.json").is_file():
        raise DataError(f"{path} holds no model: it has neither config.json nor {ADAPTER}")
    if name.startswith(("/", ".", "~")) and not path.exists():
        raise DataError(f"there is no model folder {path}; check the path")
    place = str(path) if path.exists() else name
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(place)
        model = transformers.AutoModelForCausalLM.from_pretrained(place, dtype=kind)
    except Exception as error:  # hub, tokenizer and weight files each have errors of their own
        boundary = DataError if path.exists() else ProviderError
        raise boundary(
            f"the model {name} cannot be loaded ({_first(error)}); check the name or the folder"
        ) from None
    return model.eval(), tokenizer


def load_gguf(path: Path) -> tuple[Any, Any]:
    """The dequantized model (float32) and the tokenizer of a GGUF file.

    The traces of its quantization are taken off, else transformers refuses to save it. Raises
    DataError for a file that is none, or of an architecture that transformers does not read.
    """
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    if not path.is_file():
        raise DataError(f"there is no GGUF file {path}; `ordojo models list` shows what is here")
    where = {"pretrained_model_name_or_path": str(path.parent), "gguf_file": path.name}
    try:
        with redirect_stderr(StringIO()):  # a progress bar that cannot be switched off
            tokenizer = AutoTokenizer.from_pretrained(**where)
            model = AutoModelForCausalLM.from_pretrained(**where, dtype=torch.float32)
    except Exception as error:  # whatever a damaged file makes the reader raise
        raise DataError(
            f"{path} cannot be read as GGUF weights ({_first(error)}); take another file, or "
            "the model's own folder"
        ) from None
    model.hf_quantizer = None
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
    for trace in ("is_quantized", "quantization_method"):
        model.__dict__.pop(trace, None)
    return model.eval(), tokenizer


def choose_device(device: str) -> str:
    """Where "cpu", "cuda" or "auto" computes; raises UsageError for a GPU that is not there."""
    import torch

    there = torch.cuda.is_available()
    if device == "cuda" and not there:
        raise UsageError("device=cuda, but torch finds no GPU here; set device to cpu or auto")
    return "cuda" if there and device != "cpu" else "cpu"


def _with_adapter(path: Path, dtype: str) -> tuple[Any, Any]:
    from peft import PeftModel
    from transformers import AutoTokenizer

    try:
        base = parse_json(read_text(path / ADAPTER))["base_model_name_or_path"]
    except (OSError, ValueError, KeyError, TypeError):
        base = None
    if not isinstance(base, str) or not base:
        raise DataError(
            f"{path / ADAPTER} does not say its base model; put its name or folder there"
        )
    model, tokenizer = load_weights(base, dtype)
    if (path / "tokenizer_config.json").is_file():
        tokenizer = AutoTokenizer.from_pretrained(str(path))
    try:
        merged = PeftModel.from_pretrained(model, str(path)).merge_and_unload()
    except Exception as error:  # whatever damaged or foreign weights make peft raise
        raise DataError(f"the adapter {path} does not fit {base} ({_first(error)})") from None
    # peft has frozen what it merged; trained on, it is a model like any other.
    return merged.requires_grad_(True).eval(), tokenizer


def _first(error: Exception) -> str:
    return (str(error).strip().split("\n")[0] or type(error).__name__)[:200]
