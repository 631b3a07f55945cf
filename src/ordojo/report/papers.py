"""The papers' tables and figures: what reproduces each, what is at hand, scores side by side."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from ordojo.core.errors import DataError, UsageError
from ordojo.core.panels import Published
from ordojo.core.records import RunView
from ordojo.core.registry import benchmark_names, get_benchmark
from ordojo.datasets.registry import dataset_ids
from ordojo.datasets.store import locate
from ordojo.report.study import study

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
    """A table or figure: the commands for it, its datasets with whether each is at hand.

    `lacks` is what no command can bring, "" for nothing. `scores` are the paper's as the benchmark
    quotes them, and those of the given runs on the same dataset, from the best to the worst.
    """

    name: str
    about: str
    commands: tuple[str, ...]
    data: Mapping[str, bool]
    lacks: str
    scores: tuple[PaperScore, ...]


def paper_items(paper: str, runs: Sequence[RunView] = ()) -> list[PaperItem]:
    """A paper's tables and figures in its order. Raises UsageError for another paper."""
    if paper not in PAPERS:
        raise UsageError(f"there is no paper '{paper}'; choose from {', '.join(PAPERS)}")
    rows = tomllib.loads(files(__package__).joinpath("papers.toml").read_text("utf-8"))["item"]
    columns = study(runs, get_benchmark, paper).columns if runs else ()
    found = []
    for row in (one for one in rows if one["paper"] == paper):
        quoted = _quoted().get(row.get("source", ""), ())
        scores = [PaperScore(one.model, one.setting, one.score) for one in quoted]
        scores += [
            PaperScore(run.model, run.setting, run.score.value, own=True)
            for column in columns
            if any(one in quoted for one in column.published)
            for run in column.runs
        ]
        known = sorted((one for one in scores if one.value == one.value), key=lambda s: -s.value)
        data = {name: _at_hand(name) for name in row.get("data", ())}
        told = (row["name"], row["about"], tuple(row.get("commands", ())), data)
        found.append(PaperItem(*told, row.get("lacks", ""), tuple(known)))
    return found


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
    """An item as a person reads it; the scores of runs have a star."""
    yield f"{item.name}: {item.about}"
    yield from (f"  $ {command}" for command in item.commands)
    if missing := [name for name, here in item.data.items() if not here]:
        yield f"  not here: {', '.join(missing)} (ordojo data pull ID)"
    if item.lacks:
        yield f"  lacks {item.lacks}"
    for one in item.scores:
        mark = "*" if one.own else " "
        yield f"  {one.value:.3f} {mark} {one.model}, {one.setting}"
