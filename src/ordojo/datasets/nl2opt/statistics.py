"""Figures of the datasets: how many, how long, how large, of what (paper 003, appendix A).

Ours, and those that others found or published, with their sources.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from ordojo.core.canonical import Json
from ordojo.core.files import shipped_table
from ordojo.datasets.nl2opt.items import STATUSES, ProblemItem
from ordojo.datasets.nl2opt.load import is_own, load_items
from ordojo.datasets.registry import get_dataset

_ROWS = shipped_table(__package__, "published.csv")

EVALUATED: Mapping[str, str] = {row["name"]: row["evaluated"] for row in _ROWS}
"""The version nearest to the one that the paper's tables 1, 7 and 8 were computed on."""

PUBLISHED_SIZES: Mapping[str, int] = {row["name"]: int(row["items"]) for row in _ROWS}
"""Items by the paper's figure 10 (arXiv paper 003)."""

ERROR_RATES: Mapping[str, float] = {
    row["name"]: float(row["error_rate"]) for row in _ROWS if row["error_rate"]
}
"""Share of wrong items in the original sets, lower bounds (survey of Xiao et al., 2025)."""

_OTHERS = ("name", "evaluated", "items", "error_rate")

SCENARIOS: Mapping[str, Mapping[str, int]] = {
    row["name"]: {column: int(row[column]) for column in row if column not in _OTHERS}
    for row in _ROWS
}
"""Items by application, as the paper's table 3 labels them; no file carries these labels."""

BUCKETS: tuple[tuple[str, int], ...] = (("<500", 500), ("<1,000", 1_000), ("<10,000", 10_000))
"""Scales by variables + constraints (figure 5); whatever is larger is LARGEST."""

LARGEST = ">=10,000"

PUBLISHED_BUCKETS: Mapping[str, int] = {"<500": 46, "<1,000": 21, "<10,000": 72, LARGEST: 84}
"""MIPLIB-NL's instances by scale, figure 5."""


def bucket(size: int) -> str:
    """The scale of a model with `size` variables and constraints together."""
    return next((name for name, limit in BUCKETS if size < limit), LARGEST)


SizeOf = Callable[[Path], tuple[int, int]]
"""(variables, constraints) of an LP file. Handed in from above: this package reads no models."""

NUMBER_IN_TEXT = re.compile(r"(?<![\w.])\d+(?:,\d{3})*(?:\.\d+)?(?![\w])")

LABELS = ("type", "difficulty", "scale", "class", "domain", "certifiable", "degree", "formulation")
"""Labels that are counted; the others tell single items apart."""

MOST = 30
"""Values counted for one label; rarer ones are told as "others"."""


@dataclass(frozen=True)
class Spread:
    """A distribution by its count, extremes, quartiles and mean; all 0 for no values."""

    count: int = 0
    least: float = 0.0
    lower: float = 0.0
    median: float = 0.0
    mean: float = 0.0
    upper: float = 0.0
    most: float = 0.0


@dataclass(frozen=True)
class DatasetStatistics:
    """The figures of one version of one dataset.

    `words`, `characters` and `numbers` are of the question, in figure 9's unit and two more;
    `data_bytes` of all files of an item that has some. `sizes` and `buckets` are of variables +
    constraints where a size is known (figures 5 and 8); `sized` and `compressed` have each such
    instance's size, and its compression where that is known, by scale. `scenarios` is the paper's
    labelling of its version of the set (table 3), `published_items` and `error_rate` its figure 10.
    """

    id: str
    items: int
    statuses: Mapping[str, int]
    scored: int
    words: Spread
    characters: Spread
    numbers: Spread
    data_bytes: Spread
    sizes: Spread
    buckets: Mapping[str, int]
    sized: Mapping[str, Sequence[int]]
    compressed: Mapping[str, Sequence[float]]
    labels: Mapping[str, Mapping[str, int]]
    published_items: int | None
    error_rate: float | None
    scenarios: Mapping[str, int]
    published_buckets: Mapping[str, int]

    def to_json(self) -> dict[str, Json]:
        """The figures as plain JSON."""
        return asdict(self)

    def told(self, scale: str) -> str:
        """The instances of a scale and their share of all sizes, the paper's in brackets."""
        own, theirs = self.buckets, self.published_buckets
        return _part(own, scale) + (f" [{_part(theirs, scale)}]" if theirs else "")


def _part(counts: Mapping[str, int], scale: str) -> str:
    every = sum(counts.values())
    return f"{counts[scale]} ({counts[scale] / every:.1%})" if every else "-"


def statistics(
    dataset: str, items: Sequence[ProblemItem] | None = None, size_of: SizeOf | None = None
) -> DatasetStatistics:
    """The figures of a dataset, of `items` if they are loaded already.

    With `size_of` the reference models are read too. Raises UsageError or DataError.
    """
    items = load_items(dataset) if items is None else items
    name = "" if is_own(dataset) else get_dataset(dataset).name
    counts = Counter(item.status for item in items)
    asked = [item for item in items if item.question]
    scales = (*(scale for scale, _ in BUCKETS), LARGEST)
    sized: dict[str, list[int]] = {scale: [] for scale in scales}
    compressed: dict[str, list[float]] = {scale: [] for scale in scales}
    for item in items:
        if (size := size_in(item, size_of)) is not None:
            sized[bucket(sum(size))].append(sum(size))
            compressed[bucket(sum(size))] += [item.compression] if item.compression else []
    return DatasetStatistics(
        id=dataset,
        items=len(items),
        statuses={status: counts[status] for status in STATUSES if counts[status]},
        scored=sum(item.scored for item in items),
        words=spread(len(item.question.split()) for item in asked),
        characters=spread(len(item.question) for item in asked),
        numbers=spread(len(NUMBER_IN_TEXT.findall(item.question)) for item in asked),
        data_bytes=spread(n for item in asked if (n := _data_bytes(item))),
        sizes=spread(size for found in sized.values() for size in found),
        buckets={scale: len(found) for scale, found in sized.items()},
        sized=sized,
        compressed=compressed,
        labels=_labels(items),
        published_items=PUBLISHED_SIZES.get(name),
        error_rate=ERROR_RATES.get(name),
        scenarios=SCENARIOS.get(name, {}),
        published_buckets=PUBLISHED_BUCKETS if name == "miplib-nl" else {},
    )


def size_in(item: ProblemItem, size_of: SizeOf | None = None) -> tuple[int, int] | None:
    """(variables, constraints) as the source states them, else of a linear reference model."""
    if item.size or not size_of or not item.reference_model or "degree" in item.labels:
        return item.size
    return size_of(item.reference_model)


def spread(values: Iterable[float]) -> Spread:
    """The spread of the values."""
    found = np.array(list(values), dtype=float)
    if not found.size:
        return Spread()
    least, lower, median, upper, most = np.quantile(found, [0, 0.25, 0.5, 0.75, 1]).tolist()
    return Spread(found.size, least, lower, median, float(found.mean()), upper, most)


def table(rows: Sequence[DatasetStatistics]) -> list[tuple[str, ...]]:
    """The figures side by side for readers, a dataset a row; the first row is the heading."""

    def middle(spread: Spread) -> str:
        ends = f"({spread.least:,.0f}-{spread.most:,.0f})"
        return f"{spread.median:,.0f} {ends}" if spread.count else "-"

    def told(row: DatasetStatistics) -> tuple[str, ...]:
        texts = map(middle, (row.words, row.characters, row.numbers))
        counts = f"{row.items:,}", f"{row.scored:,}"
        return (row.id, *counts, *texts, f"{row.sizes.count:,}", middle(row.sizes))

    heading = "dataset", "items", "scored", "words", "characters", "numbers", "sizes known", "size"
    return [heading, *map(told, rows)]


def _data_bytes(item: ProblemItem) -> int:
    files = sum(path.stat().st_size for path in item.files.values())
    return files + sum(len(text.encode()) for text in item.documents.values())


def _labels(items: Sequence[ProblemItem]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for label in LABELS:
        counts = Counter(item.labels[label] for item in items if item.labels.get(label))
        if counts:
            found[label] = dict(counts.most_common(MOST))
            if rare := sum(counts.values()) - sum(found[label].values()):
                found[label]["others"] = rare
    return found
