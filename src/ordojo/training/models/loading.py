"""Loading a model to train: its weights, its device, and a template with generation markers."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ordojo.core.errors import UsageError
from ordojo.evaluate.providers.loading import choose_device, load_weights
from ordojo.training.models.templates import check_stop_covered, ensure_markers


@dataclass
class Loaded:
    """A model with its tokenizer; `name` is what it was asked by."""

    model: Any
    tokenizer: Any
    name: str

    @property
    def stops(self) -> tuple[int, ...]:
        """The tokens that end a reply."""
        declared = self.model.generation_config.eos_token_id
        found = declared if isinstance(declared, list) else [declared]
        own = self.tokenizer.eos_token_id
        return tuple(dict.fromkeys(i for i in (own, *found) if i is not None))


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
