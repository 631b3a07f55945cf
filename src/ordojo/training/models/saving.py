"""Saving models, adapters and merged models, with what evaluation must know of them."""

import hashlib
import json
from pathlib import Path
from typing import Any

from ordojo.core.errors import DataError
from ordojo.evaluate.providers.local import NOTE, read_note
from ordojo.training.models.loading import load_model


def save_model(model: Any, tokenizer: Any, folder: Path, rendering: str = "full") -> Path:
    """Write weights (an adapter where there is one), tokenizer and note; gives the folder back.

    Raises DataError where the disk does not take it.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        model.save_pretrained(str(folder))
        tokenizer.save_pretrained(str(folder))
        note = {"rendering": rendering}
        (folder / NOTE).write_text(json.dumps(note, indent=2) + "\n", "utf-8")
    except OSError as error:
        raise DataError(
            f"the model could not be saved to {folder} ({error.strerror or error}); make room, or "
            "name another folder: the checkpoints are untouched"
        ) from None
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
