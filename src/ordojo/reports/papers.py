"""The papers' tables and figures: what reproduces each, what is at hand, scores side by side."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from ordojo.core.errors import DataError, UsageError
from ordojo.core.panels import Published
from ordojo.core.records import RunView
from ordojo.core.registry import benchmark_names, get_benchmark
from ordojo.datasets.registry import dataset_ids
from ordojo.datasets.store import locate
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
    """A paper's tables and figures in its order. Raises UsageError for another paper."""
    if paper not in PAPERS:
        raise UsageError(f"there is no paper '{paper}'; choose from {', '.join(PAPERS)}")
    rows = tomllib.loads(files(__package__).joinpath("papers.toml").read_text("utf-8"))["item"]
    columns = study(runs, get_benchmark, paper).columns if runs else ()
    return [_item(dict(row), columns) for row in rows if row["paper"] == paper]


def _item(row: dict[str, Any], columns: Sequence[StudyColumn]) -> PaperItem:
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
    data = {name: _at_hand(name) for name in row.pop("data", ())}
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
