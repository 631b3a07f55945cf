"""Models by benchmarks: the leaderboard, its table with cost, and pass@k of repeated questions.

On the leaderboard models stand down and benchmarks across, every row one setting in each column.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ordojo.core.panels import Cell, Panel, Published, Table
from ordojo.core.records import Usage
from ordojo.core.selection import described, pooled
from ordojo.core.statistics import NOTHING, Estimate
from ordojo.reports.compare import label
from ordojo.reports.study import Kind, RunSummary, Study, StudyColumn, summarize

Entry = RunSummary | Published


@dataclass(frozen=True)
class LeaderboardRow:
    """One line: a model, and at most one run or quoted score a column."""

    model: str
    kind: Kind
    cells: tuple[Entry | None, ...]

    @property
    def setting(self) -> str | None:
        """The setting that all cells share, None where they differ."""
        found = {cell.setting for cell in self.cells if cell is not None}
        return found.pop() if len(found) == 1 else None


def rows(study: Study) -> list[LeaderboardRow]:
    """Pack runs into rows: settings that columns share stand in one row, others side by side.

    The more common a setting, the earlier it is placed, so that rows of two models are alike.
    Ordered by the first column's score, then the next one's; rows without a score last.
    """
    grid: dict[tuple[str, Kind], dict[str, dict[int, list[Entry]]]] = {}
    common: Counter[str] = Counter()
    for index, column in enumerate(study.columns):
        for kind, entry in _entries(column):
            common[entry.setting] += 1
            settings = grid.setdefault((entry.model, kind), {})
            settings.setdefault(entry.setting, {}).setdefault(index, []).append(entry)
    found = []
    for (model, kind), settings in grid.items():
        for line in _pack(settings, common):
            cells = tuple(line.get(index) for index in range(len(study.columns)))
            found.append(LeaderboardRow(model, kind, cells))
    return sorted(found, key=_order)


def _entries(column: StudyColumn) -> Iterator[tuple[Kind, Entry]]:
    for run in column.runs:
        yield run.kind, run
    for row in column.quoted:
        yield "published", row


def _pack(
    settings: dict[str, dict[int, list[Entry]]], common: Counter[str]
) -> Sequence[dict[int, Entry]]:
    lines: list[dict[int, Entry]] = []
    for setting in sorted(settings, key=lambda s: (-len(settings[s]), -common[s], s)):
        fresh: list[dict[int, Entry]] = []
        for index, entries in settings[setting].items():
            for place, entry in enumerate(entries):
                if place < len(fresh):
                    fresh[place][index] = entry
                else:
                    fresh.append({index: entry})
        for line in fresh:
            home = next((other for other in lines if not other.keys() & line.keys()), None)
            if home is None:
                lines.append(line)
            else:
                home.update(line)
    return lines


def estimate_of(entry: Entry) -> Estimate:
    """The score of a cell with its interval; a quoted score has none."""
    return replace(NOTHING, value=entry.score) if isinstance(entry, Published) else entry.score


def value(entry: Entry | None) -> float | None:
    """The score of a cell, None where there is none."""
    if entry is None:
        return None
    score = estimate_of(entry).value
    return score if score == score else None


def _order(row: LeaderboardRow) -> tuple[list[tuple[bool, float]], str, str]:
    scores = [value(cell) for cell in row.cells]
    keys = [(score is None, -(score or 0.0)) for score in scores]
    return keys, row.model, row.setting or ""


Rows = Literal["mine", "published", "all"]
"""Which rows a table has: those of runs, those quoted from papers, or both."""


def chosen(rows: Rows, published: bool) -> bool:
    """Whether such a row is among `rows`."""
    return rows == "all" or published == (rows == "published")


def models(study: Study, choice: Rows) -> Table:
    """One row a model and its settings, one column a dataset; tokens and dollars last.

    Runs that differ in the seed alone are one row. Scores quoted on datasets without a run have no
    column beside those of runs.
    """
    columns = [c for c in study.columns if c.runs or choice == "published"]
    pools = tuple(replace(column, runs=_pooled(column)) for column in columns)
    every = rows(replace(study, columns=pools))
    found = [row for row in every if chosen(choice, row.kind == "published")]
    quoted = frozenset(place for place, row in enumerate(found) if row.kind == "published")
    runs = [cell for row in found for cell in row.cells if isinstance(cell, RunSummary)]
    names = [study.name(column) for column in columns]
    usual = [_usual(column) if len(columns) > 1 and runs else "" for column in columns]
    heads = [f"{name}: {column.metric}" for name, column in zip(names, columns, strict=True)]
    said = "; ".join(f"{name} {one}" for name, one in zip(names, usual, strict=True) if one)
    notes = [
        f"Where no setting is named it is {said}." if said else "",
        *(
            f"Versions {' and '.join(v)} of {t} are not comparable."
            for t, v in study.versions.items()
        ),
        told(runs, bool(quoted)),
    ]
    return Table(
        "Models by benchmarks",
        ["model", "setting", *heads, "tokens", "USD"],
        [_row(row, names, usual) for row in found],
        " ".join(filter(None, notes)),
        quoted,
    )


def _usual(column: StudyColumn) -> str:
    """The setting of most finished runs, which a table need not repeat in every row."""
    settings = [
        described(run.run, column.benchmark.setting(run.header.options), sized=False)
        for run in column.runs
        if run.counts.complete
    ]
    return Counter(settings or [""]).most_common(1)[0][0]


def told(runs: Sequence[RunSummary], quoted: bool) -> str:
    """What a table of these runs, with quoted scores or without, must say of its rows."""
    unfinished = any(not run.counts.complete for run in runs)
    notes = {
        "Of an unfinished run the setting says how many items are done.": unfinished,
        "Published rows are quoted from papers, without interval.": quoted,
    }
    return " ".join(note for note, holds in notes.items() if holds)


def _pooled(column: StudyColumn) -> tuple[RunSummary, ...]:
    slugs = {run.run.name: run for run in column.runs}
    return tuple(
        summarize(pool, slugs[pool.name].slug, column.benchmark)
        if len(pool.runs) > 1
        else slugs[pool.name]
        for pool in pooled([run.run for run in column.runs])
    )


def _row(row: LeaderboardRow, names: Sequence[str], usual: Sequence[str]) -> list[Cell]:
    used = sum((c.usage for c in row.cells if isinstance(c, RunSummary)), Usage())
    scores = [None if cell is None else estimate_of(cell) for cell in row.cells]
    tokens = used.input_tokens + used.output_tokens
    return [row.model, _setting(row, names, usual), *scores, tokens or None, used.cost or None]


def _setting(row: LeaderboardRow, names: Sequence[str], usual: Sequence[str]) -> str:
    """Of each benchmark the setting, as far as it is not the usual one."""
    said = [
        (name, f"{cell.setting}, ".removeprefix(f"{known}, ")[:-2])
        for name, known, cell in zip(names, usual, row.cells, strict=True)
        if cell is not None
    ]
    if len(said) == 1:
        return said[0][1]
    return "; ".join(f"{name}: {setting}" for name, setting in said if setting)


def panels(column: StudyColumn) -> list[Panel]:
    """What the benchmark wants shown of the column's runs, and pass@k where questions repeat."""
    if not column.runs:
        return []
    found = list(column.benchmark.panels([run.run for run in column.runs]))
    repeated = [run for run in column.runs if len(run.passes) > 1]
    return [*found, _passes(column, repeated)] if repeated else found


def _passes(column: StudyColumn, runs: Sequence[RunSummary]) -> Table:
    most = {max(run.passes) for run in runs}
    shown = sorted({k for run in runs for k in run.passes if k.bit_count() == 1} | most)
    rows: list[list[Cell]] = [
        [label(run, column), *(run.passes.get(k) for k in shown)] for run in runs
    ]
    note = "The unbiased estimate over all choices of k among the samples of an item."
    return Table("Repeated questions", ["run", *(f"pass@{k}" for k in shown)], rows, note)
