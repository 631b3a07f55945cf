"""Sizes of optimization problems as charts: figures 2, 5 and 8 of paper 003."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from ordojo.core.errors import UsageError
from ordojo.core.extras import need
from ordojo.datasets.nl2opt.statistics import DatasetStatistics
from ordojo.reports.paper import Violins, write_figures
from ordojo.reports.text import slugs

UNIT = "variables + constraints"


def write_sizes(rows: Sequence[DatasetStatistics], folder: Path, command: str) -> None:
    """Draw sizes by dataset, from small to large, and by scale where figure 5 has its like.

    Raises UsageError where no size is known or matplotlib is missing.
    """
    need("figures", "`figures`")
    known = sorted((row for row in rows if row.sizes.count), key=lambda row: row.sizes.most)
    if not known:
        raise UsageError("no size of these datasets is known: name one that has models")
    by_set = [
        (f"{row.id} ({row.sizes.count})", [size for found in row.sized.values() for size in found])
        for row in known
    ]
    charts = [Violins("Sizes by dataset", UNIT, by_set)]
    charts += [chart for row in known for chart in _by_scale(row)]
    names = slugs(f"{place:02d}-{chart.title}" for place, chart in enumerate(charts, 1))
    write_figures([*zip(names.values(), charts, strict=True)], folder, command)


def _by_scale(row: DatasetStatistics) -> Iterator[Violins]:
    ratios = [(f"{s} ({len(found)})", found) for s, found in row.compressed.items() if found]
    if row.published_buckets or ratios:
        sizes = [(f"{s}: {row.told(s)}", found) for s, found in row.sized.items() if found]
        yield Violins(f"Sizes by scale, {row.id}", UNIT, sizes)
    if ratios:
        title = f"Compression by scale, {row.id}"
        yield Violins(title, "MPS bytes / bytes of text and data", ratios)
