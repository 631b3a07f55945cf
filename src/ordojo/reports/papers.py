"""The papers' tables and figures: what reproduces each, scores side by side, how much is covered.

An item of a paper (`PaperItem`) has its commands; `reproduce` runs them one by one, and `count`
says how many of the paper's numbers then stand beside figures.
"""

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from ordojo.core.errors import DataError, UsageError
from ordojo.core.files import read_text
from ordojo.core.outputs import write_file
from ordojo.core.panels import Bars, Cell, Heatmap, Panel, Plot, Published
from ordojo.core.progress import counted
from ordojo.core.records import RunView
from ordojo.core.registry import benchmark_names, get_benchmark
from ordojo.datasets.registry import dataset_ids
from ordojo.datasets.store import locate
from ordojo.evaluation.runs import read_runs
from ordojo.reports.study import StudyColumn, study

PAPERS = {
    "000": "ORQA (AAAI 2025)",
    "002": "EconLogicQA (2024)",
    "003": "MIPLIB-NL (ICML 2026)",
    "004": "OR-Debug-Bench and OR-Bias-Bench (February 2026)",
}


@dataclass(frozen=True)
class PaperScore:
    """A model's score under a setting: the paper's, or, where `own`, a run's headline."""

    model: str
    setting: str
    value: float
    own: bool = False


@dataclass(frozen=True)
class PaperItem:
    """A table, figure, algorithm or prompt: what brings it, and how much of it.

    `commands` make it, `small` are those that the project's tests run in their place, and `tests`
    compare it with values worked by hand. `data` says of its datasets whether each is at hand,
    `lacks` what no command can bring, "" for nothing. `cells` counts the numbers that the paper
    prints, `covered` those beside which a command sets a figure of its own: in the report's
    `panel` (in its quoted `rows` alone), or where the output matches the expression `beside`.
    `counted` are those that the small commands bring, where they are fewer. Where there are none,
    what the commands print matches `shows`.
    `scores` are the paper's as the benchmark quotes them, and those of the given runs on the same
    dataset, from the best to the worst.
    """

    name: str
    about: str
    commands: tuple[str, ...] = ()
    small: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    data: Mapping[str, bool] = field(default_factory=dict)
    lacks: str = ""
    cells: int = 0
    covered: int = 0
    counted: int = 0
    panel: str = ""
    rows: str = ""
    beside: str = ""
    shows: str = ""
    scores: tuple[PaperScore, ...] = ()


def paper_items(paper: str, runs: Sequence[RunView] = ()) -> list[PaperItem]:
    """A paper's tables and figures in its order."""
    rows = tomllib.loads(files(__package__).joinpath("papers.toml").read_text("utf-8"))["item"]
    columns = study(runs, get_benchmark, paper).columns if runs else ()
    at_hand = cache(_at_hand)  # which hashes a whole dataset
    return [_item(dict(row), columns, at_hand) for row in rows if row["paper"] == paper]


def _item(
    row: dict[str, Any], columns: Sequence[StudyColumn], at_hand: Callable[[str], bool]
) -> PaperItem:
    del row["paper"]
    quoted = _quoted().get(row.pop("source", ""), ())
    scores = [one for row in quoted for one in _scores(row)]
    scores += [
        PaperScore(run.model, run.setting, run.score.value, own=True)
        for column in columns
        if any(one in quoted for one in column.published)
        for run in column.runs
    ]
    known = sorted((one for one in scores if one.value == one.value), key=lambda s: -s.value)
    data = {name: at_hand(name) for name in row.pop("data", ())}
    row |= {name: tuple(row.get(name, ())) for name in ("commands", "small", "tests")}
    return PaperItem(**row, data=data, scores=tuple(known))


def _scores(row: Published) -> Iterator[PaperScore]:
    """A quoted row's headline, or its other figures where the paper does not give that."""
    if row.score == row.score:
        yield PaperScore(row.model, row.setting, row.score)
    else:
        for name, value in row.extra.items():
            yield PaperScore(row.model, f"{row.setting}, {name.replace('_', ' ')}", value)


@cache
def _quoted() -> dict[str, tuple[Published, ...]]:
    """Every benchmark's published rows by their source."""
    found: dict[str, list[Published]] = {}
    for name in benchmark_names():
        for row in get_benchmark(name).published():
            found.setdefault(row.source, []).append(row)
    return {source: tuple(rows) for source, rows in found.items()}


def _at_hand(name: str) -> bool:
    # What is no dataset of the registry is generated from a seed.
    if name not in dataset_ids():
        return True
    try:
        locate(name)
    except DataError:
        return False
    return True


def lines(item: PaperItem) -> Iterator[str]:
    """An item as a person reads it; the scores of runs are said to be yours."""
    yield f"{item.name}: {item.about}"
    yield from (f"  $ {command}" for command in item.commands)
    yield from (f"  tested by {name}" for name in item.tests)
    if item.cells:
        yield f"  {item.covered} of {item.cells} numbers"
    if missing := [name for name, here in item.data.items() if not here]:
        yield f"  not here: {', '.join(missing)} (ordojo data pull ID)"
    if item.lacks:
        yield f"  lacks {item.lacks}"
    for one in item.scores:
        yours = ", yours" if one.own else ""
        yield f"  {one.value:.3f}  {one.model}, {one.setting}{yours}"


QUOTED = "(published)"
"""Ends the name of a quoted series of a chart."""


def count(panel: Panel, rows: str = "") -> int:
    """The quoted numbers of a panel beside which a run has a figure of its own.

    In a table or heatmap those of a column that a run fills; `rows` counts the quoted rows alone
    that name it. In a chart those of the quoted series, if there is any other.
    """
    match panel:
        case Bars():
            own = [one for one in panel.series if not one.name.endswith(QUOTED)]
            quoted = [one.values for one in panel.series if one.name.endswith(QUOTED)]
            return _beside([one.values for one in own], quoted)
        case Plot():
            points = {name: len(found) for name, found in panel.series}
            counts = [count for name, count in points.items() if name.endswith(QUOTED)]
            return sum(counts) if len(counts) < len(points) else 0
        case Heatmap():
            cells: Sequence[Sequence[Cell]] = panel.values
        case _:
            cells = panel.rows
    every = list(enumerate(cells))
    return _beside(
        [row for place, row in every if place not in panel.published],
        [row for place, row in every if place in panel.published and (not rows or rows in row)],
    )


def _beside(own: Sequence[Sequence[Cell]], quoted: Sequence[Sequence[Cell]]) -> int:
    filled = {place for row in own for place, cell in enumerate(row) if _is_number(cell)}
    return sum(_is_number(cell) for row in quoted for cell in (row[place] for place in filled))


def _is_number(cell: Cell) -> bool:
    return cell is not None and not isinstance(cell, str)


def told(item: PaperItem) -> str:
    """An item's cells in words, "" where the paper prints no numbers there."""
    return f"{item.covered} of {item.cells}" if item.cells else ""


def markdown() -> Iterator[str]:
    """The coverage of all papers: a table of sums, and one of items for each paper."""
    papers = {paper: paper_items(paper) for paper in PAPERS}
    every = [item for items in papers.values() for item in items]
    heads = ("paper", "tables, figures, algorithms, prompts", "with a command or test")
    yield _row(*heads, "numbers printed", "covered")
    yield "| --- | --: | --: | --: | --: |"
    for title, items in [*((PAPERS[paper], papers[paper]) for paper in papers), ("all", every)]:
        made = sum(bool(item.commands or item.tests) for item in items)
        cells, covered = sum(i.cells for i in items), sum(i.covered for i in items)
        yield _row(title, len(items), made, f"{cells:,}", f"{covered:,}")
    for paper, items in papers.items():
        yield from ("", f"## {PAPERS[paper]}", "", _row("what", "", "covered", "lacks"))
        yield "| --- | --- | --: | --- |"
        yield from (_row(item.name, item.about, told(item), item.lacks) for item in items)


def _row(*cells: object) -> str:
    return f"| {' | '.join(f'{cell}' for cell in cells)} |".replace("  |", " |")


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
    are not run again, but for reports. Raises UsageError for a folder that cannot be made,
    DataError where what is kept cannot be read.
    """
    items = paper_items(paper)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"cannot make the folder {folder}: {error.strerror}; name another"
        ) from None
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
        return words, f"trains a model, which was not asked for: $ {command}"
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
