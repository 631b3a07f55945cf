"""What a benchmark wants shown of its runs, as data; the report draws it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ordojo.core.statistics import Estimate

Cell = str | float | int | Estimate | None
"""Text, a number, an estimate with its interval, or None: not measured."""


@dataclass(frozen=True)
class Table:
    """A table; `published` holds the indices of rows that are quoted from a paper."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    note: str = ""
    published: frozenset[int] = frozenset()

    @classmethod
    def quoting(
        cls,
        title: str,
        columns: Sequence[str],
        rows: Sequence[Sequence[Cell]],
        quoted: Sequence[Sequence[Cell]],
        note: str = "",
    ) -> "Table":
        """The table of these rows, with those that are quoted from a paper below them."""
        published = frozenset(range(len(rows), len(rows) + len(quoted)))
        return cls(title, columns, [*rows, *quoted], note, published)

    @property
    def numeric(self) -> list[bool]:
        """Of each column, whether it holds no text."""
        return [
            not any(isinstance(row[place], str) for row in self.rows)
            for place in range(len(self.columns))
        ]


@dataclass(frozen=True)
class Heatmap:
    """A matrix of numbers in [low, high], None where not measured, one row a run or model."""

    title: str
    rows: Sequence[str]
    columns: Sequence[str]
    values: Sequence[Sequence[float | None]]
    low: float = 0.0
    high: float = 1.0
    note: str = ""
    published: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Series:
    """One named row of numbers, with intervals where they are estimates."""

    name: str
    values: Sequence[float | Estimate | None]


@dataclass(frozen=True)
class Bars:
    """Grouped bars: one bar a series in each category; `reference` is a line across."""

    title: str
    categories: Sequence[str]
    series: Sequence[Series]
    unit: str = ""
    high: float | None = None
    reference: float | None = None
    reference_label: str = ""
    note: str = ""


@dataclass(frozen=True)
class Plot:
    """Points or lines in the plane; each series is a name and its (x, y) pairs."""

    title: str
    x: str
    y: str
    series: Sequence[tuple[str, Sequence[tuple[float, float]]]]
    kind: Literal["points", "lines"] = "points"
    diagonal: bool = False
    note: str = ""


@dataclass(frozen=True)
class Listing:
    """Lines of code or algebra in columns side by side; `marks` says of a line why it matters.

    `code`: the columns are texts of one kind, such as two programs.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    marks: Mapping[int, str] = field(default_factory=dict)
    note: str = ""
    code: bool = False


Panel = Table | Heatmap | Bars | Plot


def filled(*panels: Table | Bars | Plot) -> list[Panel]:
    """The panels that have something to show: a row or a series."""
    return [one for one in panels if (one.rows if isinstance(one, Table) else one.series)]


@dataclass(frozen=True)
class Story:
    """What happened in one sample: whole sentences, and what is to be seen of it."""

    said: str
    panels: Sequence[Panel | Listing] = ()


@dataclass(frozen=True)
class Published:
    """One row quoted from a paper: a model's headline scores under named settings.

    `dataset` is the id of the data that stand for the paper's; the row stands beside no others.
    `score` is NaN where the paper does not give the headline figure.
    """

    model: str
    setting: str
    score: float
    source: str
    extra: dict[str, float] = field(default_factory=dict)
    dataset: str = ""
