"""Sizes of optimization problems as charts: figures 2, 5 and 8 of paper 003."""

from collections.abc import Iterator, Sequence

from ordojo.core.errors import UsageError
from ordojo.datasets.nl2opt.statistics import DatasetStatistics
from ordojo.report.paper import Violins

UNIT = "variables + constraints"


def size_figures(rows: Sequence[DatasetStatistics]) -> list[Violins]:
    """Sizes by dataset, from the smallest to the largest; by scale where figure 5 has its like.

    Raises UsageError where no size is known.
    """
    known = sorted((row for row in rows if row.sizes.count), key=lambda row: row.sizes.most)
    if not known:
        raise UsageError("no size of these datasets is known: name one that has models")
    by_set = [
        (f"{row.id} ({row.sizes.count})", [size for found in row.sized.values() for size in found])
        for row in known
    ]
    scales = [row for row in known if row.published_buckets or any(row.compressed.values())]
    return [
        Violins("Sizes by dataset", UNIT, by_set),
        *(chart for row in scales for chart in _by_scale(row)),
    ]


def _by_scale(row: DatasetStatistics) -> Iterator[Violins]:
    sizes = [(f"{s}: {row.told(s)}", found) for s, found in row.sized.items() if found]
    ratios = [(f"{s} ({len(found)})", found) for s, found in row.compressed.items() if found]
    beside = " [as published]" if row.published_buckets else ""
    yield Violins(f"Sizes by scale, {row.id}{beside}", UNIT, sizes)
    if ratios:
        title = f"Compression by scale, {row.id}"
        yield Violins(title, "MPS bytes / bytes of text and data", ratios)
