"""A paper's commands, run one by one, and how many of its numbers then stand beside figures."""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ordojo.core.errors import DataError
from ordojo.core.files import read_text
from ordojo.core.outputs import write_file
from ordojo.core.panels import Panel
from ordojo.core.progress import counted
from ordojo.core.records import RunView
from ordojo.core.registry import get_benchmark
from ordojo.evaluation.runs import read_runs
from ordojo.reports.coverage import count
from ordojo.reports.papers import PaperItem, paper_items

PERSONS = ("play ", "review open ", "workbench ")
"""What commands begin with that a person answers."""
DONE = (0, 1)
"""Exit codes of a command that did its work; after 1 what it checked does not hold."""
_YOURS = re.compile(r"^[A-Z]{4,}\b")
"""A word of a command that stands for something of yours, unless a file of that name is there."""


@dataclass(frozen=True)
class CommandResult:
    """How a command ended (None: it was not run), and what it printed, or why not."""

    code: int | None
    text: str

    @property
    def why(self) -> str:
        """In a sentence why there is nothing, "" where the command did its work."""
        lines = self.text.strip().splitlines() or [f"it ended with code {self.code}"]
        return "" if self.code in DONE else lines[-1]


@dataclass(frozen=True)
class ItemResult:
    """What came of an item: the paper's numbers that stand beside figures, and why not more."""

    item: PaperItem
    numbers: int
    why: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The item's name, its numbers and what was in the way."""
        name, cells = self.item.name, self.item.cells
        return {"name": name, "numbers": self.numbers, "cells": cells, "why": list(self.why)}

    def __str__(self) -> str:
        done = f"{self.numbers} of {self.item.cells} numbers" if self.item.cells else "done"
        if self.why and not self.numbers:
            done = "not done"
        if not self.item.commands:
            done = "has tests, no command" if self.item.tests else "has no command"
        return "\n  ".join([f"{self.item.name} ({self.item.about}): {done}", *self.why])


def reproduce(
    paper: str, folder: Path, model: str | None = None, small: bool = False, train: bool = False
) -> list[ItemResult]:
    """Run a paper's commands in `folder`, and tell what came of each item.

    `model` takes MODEL's place. `small` takes the few items of the project's tests, `train` trains
    models, too. What each command said is kept in the folder: started again, those that ended well
    are not run again, but for reports. Raises UsageError for another paper, DataError where what is
    kept cannot be read.
    """
    items = paper_items(paper)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"paper-{paper}.json"
    kept, said = _read(path), dict[str, CommandResult]()
    for command in counted(in_order(items, small), "running commands"):
        words, why = words_of(command, model, train, folder)
        line = shlex.join(words)
        done = line in kept and kept[line].code in DONE and words[0] != "report"
        if why:
            said[command] = CommandResult(None, why)
        elif done:
            said[command] = kept[line]
        else:
            said[command] = kept[line] = _called(words, folder)
            write_file(
                path, json.dumps({name: asdict(one) for name, one in kept.items()}, indent=2)
            )
    runs = folder / "runs"
    panels = panels_of(read_runs([runs]) if runs.is_dir() else [])
    return [item_result(item, said, panels, small) for item in items]


def _read(path: Path) -> dict[str, CommandResult]:
    try:
        found = json.loads(read_text(path)) if path.exists() else {}
        return {line: CommandResult(one["code"], one["text"]) for line, one in found.items()}
    except (ValueError, TypeError, KeyError, AttributeError, OSError):
        raise DataError(f"{path} cannot be read; delete it, and all commands run again") from None


def _called(words: Sequence[str], folder: Path) -> CommandResult:
    data = os.environ.get("ORDOJO_DATA")
    places = {"ORDOJO_DATA": str(Path(data).resolve())} if data else {}
    done = subprocess.run(
        [sys.executable, "-m", "ordojo", *words],
        cwd=folder,
        env={**os.environ, "COLUMNS": "200", **places},
        capture_output=True,
        text=True,
        check=False,
    )
    return CommandResult(done.returncode, done.stdout if done.returncode in DONE else done.stderr)


def in_order(items: Sequence[PaperItem], small: bool = False) -> list[str]:
    """Every command of the items once, reports after the runs that they tell of."""
    found = dict.fromkeys(command for item in items for command in commands_of(item, small))
    return sorted(found, key=lambda command: command.startswith("ordojo report"))


def commands_of(item: PaperItem, small: bool) -> tuple[str, ...]:
    """An item's commands, or what the project's tests run in their place."""
    return (small and item.small) or item.commands


def words_of(
    command: str, model: str | None, train: bool = False, folder: Path | None = None
) -> tuple[list[str], str]:
    """A command's words after `ordojo`, the model named; and why it is not run, "" if it is.

    A file of yours is looked for in `folder`.
    """
    program, *words = shlex.split(command)
    words = [model if word == "MODEL" and model else word for word in words]
    if program != "ordojo":
        return words, f"runs beside the project's own files: $ {command}"
    if " ".join(words).startswith(PERSONS):
        return words, "a person does this"
    if words[0] == "train" and not train:
        return words, f"trains a model, with --train: $ {command}"
    named = [word for word in words if word != model and _YOURS.match(word)]
    yours = [word for word in named if folder is None or not (folder / word).exists()]
    return words, f"needs {yours[0]}: $ {command}" if yours else ""


def panels_of(runs: Sequence[RunView]) -> Mapping[tuple[str, str], Panel]:
    """The panels of all runs together, by benchmark and title."""
    return {
        (name, panel.title): panel
        for name in sorted({run.header.benchmark for run in runs})
        for panel in get_benchmark(name).panels([r for r in runs if r.header.benchmark == name])
    }


def item_result(
    item: PaperItem,
    said: Mapping[str, CommandResult],
    panels: Mapping[tuple[str, str], Panel],
    small: bool = False,
) -> ItemResult:
    """What came of an item, counted in its panel or in what its commands printed."""
    commands = commands_of(item, small)
    mine = [said[command] for command in commands if command in said]
    why = dict.fromkeys(one.why for one in mine if one.why)
    if item.beside:
        numbers = len(re.findall(item.beside, "\n".join(one.text for one in mine)))
    else:
        asked = {command.split()[2] for command in commands if " eval " in command}
        shown = [p for (name, title), p in panels.items() if title == item.panel]
        named = [p for (name, title), p in panels.items() if title == item.panel and name in asked]
        numbers = max((count(panel, item.rows) for panel in named or shown), default=0)
    return ItemResult(item, min(numbers, item.cells), tuple(why))
