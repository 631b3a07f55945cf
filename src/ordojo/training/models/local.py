"""A transformers model as the policy of a rollout, loaded in each process that plays."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ordojo.core.canonical import digest
from ordojo.datasets.store import sha256_of
from ordojo.training.rollouts.policies import Loader, TokenPolicy

_WEIGHTS = ("*.safetensors", "*.bin", "*.json")


@dataclass(frozen=True)
class LocalModel:
    """How a model is loaded: its name as `load_model` takes it, and how it reads observations.

    `rendering` "" is that under which the model was trained, by the note in its folder.
    """

    name: str
    rendering: str = ""
    device: str = "auto"
    dtype: str = "float32"
    template: str = ""


def local_model(model: LocalModel) -> Loader:
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


def _load(model: LocalModel) -> TokenPolicy:
    from ordojo.evaluate.compact import rendering
    from ordojo.evaluate.providers.local import read_note
    from ordojo.training.models.loading import load_model
    from ordojo.training.models.policy import ModelPolicy

    path = Path(model.name).expanduser()
    shown = model.rendering or (read_note(path) if path.is_dir() else "full")
    loaded = load_model(
        model.name,
        dtype=model.dtype,
        device=model.device,
        template=model.template,
        trainable=False,
    )
    return ModelPolicy(loaded, rendering(shown))
