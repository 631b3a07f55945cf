"""A language model's repair of one's own model, which the solver has proved before it is shown."""

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ordojo.api.benchmarks import evaluate
from ordojo.api.reading import read_problem
from ordojo.benchmarks.or_debug.actions import Action, parse_action
from ordojo.benchmarks.or_debug.from_files import build_from
from ordojo.core.errors import DataError, ProviderError
from ordojo.milp.files import write_model
from ordojo.solvers.kept import settled


@dataclass(frozen=True)
class Suggestion:
    """What a model did to a model: its actions, in order, and whether an optimum came of them."""

    by: str
    actions: tuple[str, ...]
    objective: float | None

    def text(self) -> str:
        """The repair, or that none came of it."""
        if self.objective is None:
            tried = f"{len(self.actions)} actions" if self.actions else "no action"
            return f"suggested by {self.by}: {tried}, none of which made the model feasible"
        done = "\n".join(f"  {action}" for action in self.actions)
        return f"suggested by {self.by}, solved again: optimum {self.objective:g}\n{done}"


def suggest(model: Any, by: str, *, text: str = "", steps: int = 5) -> Suggestion:
    """Ask the language model `by` (any name that `evaluate` takes) to repair an infeasible model.

    It is asked as in or-debug, with `text` as the description, and acts at most `steps` times; the
    solver answers each action. Raises UsageError or DataError for a model that is not infeasible or
    too large, ProviderError where `by` cannot be asked.

    >>> print(suggest("bakery.lp", "ordojo/gold").text())  # doctest: +ELLIPSIS
    suggested by ordojo/gold, solved again: optimum ...
    """
    with tempfile.TemporaryDirectory(prefix="ordojo-suggest-") as name:
        folder = Path(name, "models")
        folder.mkdir()
        asked = settled(read_problem(model)).model
        write_model(asked, folder / "model.mps")
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
        run = evaluate(
            "or-debug", by, runs=name, instances=str(file), history="state", max_steps=steps
        )
        [record] = run.records
    if record.error:
        raise ProviderError(f"{by} gave no repair: {record.error}")
    turns = record.episode.turns
    actions = [parse_action(turn.reply, asked) for turn in turns]
    found = turns[-1].info.get("objective") if turns else None
    return Suggestion(
        by,
        tuple(str(action) for action in actions if isinstance(action, Action)),
        float(found) if isinstance(found, int | float) else None,
    )
