"""A report's tables and charts for a paper: booktabs LaTeX and CSV, SVG and PDF, a file each."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ordojo.core.errors import UsageError
from ordojo.core.extras import need
from ordojo.core.panels import Cell, Heatmap, Panel, Table
from ordojo.core.progress import counted
from ordojo.core.statistics import Estimate
from ordojo.datasets.nl2opt.statistics import DatasetStatistics
from ordojo.reports import training
from ordojo.reports.charts.bars import Forest
from ordojo.reports.charts.figure import Chart, Violins, figure, pdf
from ordojo.reports.compare import Pair, label
from ordojo.reports.latex import table_latex
from ordojo.reports.overview import Rows, chosen, models, panels, told
from ordojo.reports.site import forest_lines, hardness_sections, replacing
from ordojo.reports.study import Study, StudyColumn
from ordojo.reports.text import clean, slugs

Item = Panel | Forest


def write_paper(
    study: Study,
    pairs: Mapping[str, Sequence[Pair]],
    latex: Path | None,
    figures: Path | None,
    command: str,
    rows: Rows = "mine",
) -> None:
    """Write the tables to `latex` and the charts to `figures`; former ones there are replaced.

    Raises UsageError where the extra `figures` is missing, a folder holds anything else, or no
    table has any of the `rows`.
    """
    if figures is not None:
        need("figures", "`figures`")
    found = [(name, item) for name, item in items(study, pairs, rows) if not _empty(item)]
    names = [f"{place:02d}-{name}-{item.title}" for place, (name, item) in enumerate(found, 1)]
    files = slugs(names)
    named = [(files[name], item) for name, (_, item) in zip(names, found, strict=True)]
    if latex is not None:
        every = [(n, _as_table(one, rows)) for n, one in named if isinstance(one, Table | Heatmap)]
        tables = [(name, table) for name, table in every if table.rows]
        if not tables:
            raise UsageError(f"no table has a row of `rows` {rows}; take `rows` all")
        with replacing(latex) as folder:
            for name, table in counted(tables, "writing tables"):
                _write(folder / f"{name}.tex", table_latex(table, name, _line(command)))
                _write(folder / f"{name}.csv", table_csv(table, command))
    if figures is not None:
        charts = [(name, item) for name, item in named if not isinstance(item, Table)]
        write_figures(charts, figures, command)


def write_figures(named: Sequence[tuple[str, Chart]], figures: Path, command: str) -> None:
    """Write charts to a folder, SVG and PDF, by name; former ones there are replaced."""
    with replacing(figures) as folder:
        for name, chart in counted(named, "drawing charts"):
            drawn = figure(chart, _line(command))
            _write(folder / f"{name}.svg", drawn)
            (folder / f"{name}.pdf").write_bytes(pdf(drawn, _line(command)))


def items(
    study: Study, pairs: Mapping[str, Sequence[Pair]], rows: Rows
) -> Iterator[tuple[str, Item]]:
    """Every table and chart of a report, with what it belongs to; `rows` are those of tables."""
    if study.columns:
        yield "overview", models(study, rows)
    for column in study.columns:
        name = column.benchmark.name
        title = f"{study.name(column)}: {column.metric}"
        yield name, Forest(title, forest_lines(column), column.benchmark.chance)
        yield name, _scores(title, column, rows)
        if len(column.rules) > 1:
            yield name, _rules(column)
        if pairs.get(column.key):
            yield name, _pairs(column, pairs[column.key])
        for panel in panels(column):
            yield name, panel
    for made in hardness_sections(study):
        for shown in (*made.figures, *made.panels):
            yield "hardness", shown
    if study.trainings:
        yield "training", training.overview(study.trainings)
    for run in study.trainings:
        for panel in training.panels(run):
            yield run.name, panel


def _scores(title: str, column: StudyColumn, rows: Rows) -> Table:
    lines = [line for line in forest_lines(column) if chosen(rows, line.kind == "published")]
    quoted = frozenset(place for place, line in enumerate(lines) if line.kind == "published")
    cells: list[list[Cell]] = [
        [line.label, line.note, line.estimate, line.estimate.n or None] for line in lines
    ]
    note = told(column.runs if rows != "published" else (), bool(quoted))
    if not column.runs:
        note = f"{note} No run was made on their dataset."
    return Table(title, ["model", "setting", column.metric, "n"], cells, note, quoted)


def _rules(column: StudyColumn) -> Table:
    rows: list[list[Cell]] = [
        [label(run, column), *(run.score_under(rule) for rule in column.rules)]
        for run in column.runs
    ]
    return Table("Every rule", ["run", *column.rules], rows)


def _pairs(column: StudyColumn, pairs: Sequence[Pair]) -> Table:
    rows: list[list[Cell]] = [
        [
            label(column.runs[pair.first], column),
            label(column.runs[pair.second], column),
            pair.comparison.difference,
            pair.comparison.p_value,
            pair.adjusted,
            pair.comparison.sign_p,
        ]
        for pair in pairs
        if pair.comparison.difference.n
    ]
    among = " or ".join(f"{count:,}" for count in sorted({pair.among for pair in pairs}))
    note = (
        f"Permutation test (p) and sign test by whole clusters; Holm's correction of p is over the "
        f"{among} pairs of one rule with items in common."
    )
    heads = ["first", "second", "difference", "p", "Holm", "sign p"]
    return Table("Comparisons", heads, rows, note)


def _empty(item: Item) -> bool:
    if isinstance(item, Forest):
        return not item.lines
    if isinstance(item, Table | Heatmap):
        return not item.rows
    return not item.series


def _as_table(item: Table | Heatmap, rows: Rows) -> Table:
    """The chosen rows, without the columns that they leave empty."""
    heads, cells = item.columns, item.rows
    if isinstance(item, Heatmap):
        heads = ["", *heads]
        cells = [[name, *some] for name, some in zip(item.rows, item.values, strict=True)]
    kept = [place for place in range(len(cells)) if chosen(rows, place in item.published)]
    filled = [c for c in range(len(heads)) if any(cells[row][c] is not None for row in kept)]
    return Table(
        item.title,
        [heads[c] for c in filled],
        [[cells[row][c] for c in filled] for row in kept],
        item.note,
        frozenset(new for new, old in enumerate(kept) if old in item.published),
    )


def table_csv(table: Table, command: str) -> str:
    """The table with full figures, an estimate as three columns; the first line is a comment."""
    out = io.StringIO()
    out.write(f"# {_line(command)}\n")
    writer = csv.writer(out, lineterminator="\n")
    wide = [
        any(isinstance(row[place], Estimate) for row in table.rows)
        for place in range(len(table.columns))
    ]
    heads: list[str] = []
    for name, three in zip(table.columns, wide, strict=True):
        heads += [name, f"{name} low", f"{name} high"] if three else [name]
    if table.published:
        heads.append("published")
    writer.writerow(map(clean, heads))
    for place, row in enumerate(table.rows):
        cells: list[Any] = []
        for cell, three in zip(row, wide, strict=True):
            if isinstance(cell, Estimate):
                cells += [cell.value, cell.low, cell.high]
            else:
                cells += [clean(cell) if isinstance(cell, str) else cell, *([None] * (2 * three))]
        if table.published:
            cells.append("true" if place in table.published else "false")
        writer.writerow(["" if cell is None or cell != cell else cell for cell in cells])
    return out.getvalue()


def _line(command: str) -> str:
    return " ".join(clean(command).split())


def _write(path: Path, text: str) -> None:
    path.write_text(text, "utf-8", newline="\n")


UNIT = "variables + constraints"


def write_sizes(rows: Sequence[DatasetStatistics], folder: Path, command: str) -> None:
    """Draw sizes by dataset, from small to large, and by scale where figure 5 has its like.

    Raises UsageError where no size is known or the extra `figures` is missing.
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
