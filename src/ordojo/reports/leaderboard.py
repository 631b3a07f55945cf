"""The leaderboard: models down, benchmarks across, every row one setting in each column."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ordojo.core.panels import Published
from ordojo.core.statistics import NOTHING, Estimate
from ordojo.reports.study import Kind, RunSummary, Study, StudyColumn

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
