"""A language model's repair of one's own model, asked for as in an episode and proved the same."""

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from ordojo.benchmarks.or_debug.actions import Action, parse_action
from ordojo.benchmarks.or_debug.from_files import build_from
from ordojo.core.benchmark import Suggestion
from ordojo.core.canonical import Json
from ordojo.core.errors import DataError, ProviderError
from ordojo.core.records import RunView
from ordojo.milp.files import write_model
from ordojo.milp.model import Model


def suggest(
    model: Model, text: str, ask: Callable[[Path, Mapping[str, Json]], RunView]
) -> Suggestion:
    """Write the model as an instance, have it asked, and tell what was done.

    Raises DataError where there is nothing to repair, ProviderError where no reply came.
    """
    with tempfile.TemporaryDirectory(prefix="ordojo-suggest-") as name:
        folder = Path(name, "models")
        folder.mkdir()
        write_model(model, folder / "model.mps")
        if text:
            (folder / "model.txt").write_text(text, "utf-8")
        file = Path(name, "model.jsonl")
        lines: list[str] = []
        try:
            lines.extend(build_from(file, [folder]))
        except DataError:
            raise DataError(
                f"there is nothing to repair: {lines[-1].rpartition(': ')[2]}"
            ) from None
        run = ask(file, {"history": "state"})
        [record] = run.records
    if record.error:
        raise ProviderError(f"{run.header.model} gave no repair: {record.error}")
    turns = record.episode.turns
    actions = [parse_action(turn.reply, model) for turn in turns]
    found = turns[-1].info.get("objective") if turns else None
    return Suggestion(
        run.header.model,
        tuple(str(action) for action in actions if isinstance(action, Action)),
        float(found) if isinstance(found, int | float) else None,
    )
