"""A report's tables and charts for a paper: booktabs LaTeX and CSV, SVG and PDF, a file each."""

import csv
import io
import math
import statistics
import textwrap
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ordojo.core.errors import UsageError
from ordojo.core.extras import need
from ordojo.core.panels import Bars, Cell, Heatmap, Panel, Plot, Table
from ordojo.core.progress import counted
from ordojo.core.statistics import Estimate
from ordojo.datasets.nl2opt.statistics import DatasetStatistics
from ordojo.reports import training
from ordojo.reports.charts.bars import Forest
from ordojo.reports.charts.colour import CATEGORIES
from ordojo.reports.compare import Pair, label
from ordojo.reports.latex import table_latex
from ordojo.reports.overview import Rows, chosen, models, panels, told
from ordojo.reports.site import forest_lines, hardness_sections, replacing
from ordojo.reports.study import Study, StudyColumn
from ordojo.reports.text import clean, number, slugs

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMN, PAGE = 3.3, 6.9
"""Inches: a column of a page of two, and the text's width, of the usual conference styles."""

STYLE: dict[Any, Any] = {
    "font.family": ["STIXGeneral", "DejaVu Sans"],
    "font.size": 8,
    "text.parse_math": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "lines.linewidth": 1.0,
    "legend.frameon": False,
    "pdf.fonttype": 42,
    "svg.hashsalt": "ordojo",
}


@dataclass(frozen=True)
class Violins:
    """Named rows of positive numbers side by side on a logarithmic axis, the larger the redder."""

    title: str
    unit: str
    rows: Sequence[tuple[str, Sequence[float]]]


Chart = Forest | Violins | Heatmap | Bars | Plot
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

    Raises UsageError where matplotlib is missing, a folder holds anything else, or no table has
    any of the `rows`.
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
            _save(chart, folder / name, command)


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


def _save(item: Chart, path: Path, command: str) -> None:
    import matplotlib as mpl

    told = _line(command)
    with mpl.rc_context(STYLE), warnings.catch_warnings():
        # A name may have characters that no font has: a box is drawn then.
        warnings.filterwarnings("ignore", message="Glyph|constrained_layout not applied")
        figure = draw(item)
        about = {"Description": told, "Date": None, "Creator": "ordojo"}
        figure.savefig(path.with_name(f"{path.name}.svg"), metadata=about)
        about = {"Subject": told, "CreationDate": None, "Creator": "ordojo"}
        figure.savefig(path.with_name(f"{path.name}.pdf"), metadata=about)


def draw(item: Chart) -> "Figure":
    """The chart as a figure of a column's width, or of the page's where it has many parts."""
    from matplotlib.figure import Figure

    fill: Any
    match item:
        case Forest():
            fill, width, height = _forest, COLUMN, 0.7 + 0.28 * len(item.lines)
        case Violins():
            fill, width, height = _violins, PAGE, 3.0
        case Heatmap():
            width = PAGE if len(item.columns) > 5 else COLUMN
            fill, height = _heatmap, 1.6 + 0.3 * len(item.rows)
        case Bars():
            height = 0.6 + 0.13 * len(item.categories) * (len(item.series) + 1)
            fill, width = _bars, COLUMN
        case Plot():
            fill, width, height = _plot, COLUMN, 2.4
    figure = Figure(figsize=(width, height), layout="constrained")
    fill(figure.add_subplot(), item)
    figure.suptitle(textwrap.fill(clean(item.title), 50), fontsize=9)
    return figure


def _forest(axes: "Axes", item: Forest) -> None:
    marks = {"model": "o", "baseline": "D", "published": "s"}
    for place, line in enumerate(item.lines):
        _whisker(axes, line.estimate, place, "#444444")
        axes.plot(line.estimate.value, place, marks.get(line.kind, "o"), color="black", ms=3.5)
    # The setting tells lines of one model apart; what follows it is a quoted score's source.
    names = [
        _wrapped(", ".join(filter(None, (one.label, one.note.partition(" · ")[0]))))
        for one in item.lines
    ]
    axes.set_yticks(range(len(names)), names, fontsize=7)
    axes.set_ylim(len(names) - 0.5, -0.5)
    if item.reference is not None:
        axes.axvline(item.reference, color="#888888", ls="--", lw=0.7)


def _whisker(axes: "Axes", e: Estimate, y: float, colour: str) -> None:
    if not math.isnan(e.low):
        axes.plot([e.low, e.high], [y, y], color=colour, lw=0.8)


def _violins(axes: "Axes", item: Violins) -> None:
    import matplotlib as mpl

    tops = [math.log10(max(values)) for _, values in item.rows]
    shade = mpl.colors.Normalize(min(tops), max(tops))
    for place, (_, values) in enumerate(item.rows):
        logs = [math.log10(value) for value in values]
        # A density needs numbers that differ.
        if len(set(logs)) > 1:
            drawn: Any = axes.violinplot([logs], [place], widths=0.8, showextrema=False)
            drawn["bodies"][0].set(color=mpl.colormaps["coolwarm"](shade(max(logs))), alpha=0.7)
        middle = statistics.median(values)
        point = place, math.log10(middle)
        axes.plot(*point, "o", color="black", ms=2.5)
        axes.annotate(_plain(middle), point, (4, 0), textcoords="offset points", size=6)
    slant: dict[str, Any] = {"rotation": 45, "ha": "right"} if len(item.rows) > 4 else {}
    names = [_wrapped(name) for name, _ in item.rows]
    axes.set_xticks(range(len(names)), names, **slant)
    axes.yaxis.set_major_formatter(lambda power, _: _plain(10.0**power))
    axes.set_ylabel(clean(item.unit))


def _plain(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.3g}"


def _heatmap(axes: "Axes", item: Heatmap) -> None:
    values = [[math.nan if v is None else v for v in row] for row in item.values]
    signed = item.low < 0 < item.high
    axes.imshow(values, "RdBu" if signed else "Blues", vmin=item.low, vmax=item.high, aspect="auto")
    middle = (item.low + item.high) / 2
    for y, row in enumerate(values):
        for x, value in enumerate(row):
            dark = value > middle and not signed
            ink = "white" if dark else "black"
            axes.text(x, y, number(value), ha="center", va="center", color=ink, size=6)
    slant: dict[str, Any] = {"rotation": 45, "ha": "right"} if len(item.columns) > 3 else {}
    axes.set_xticks(range(len(item.columns)), [*map(_wrapped, item.columns)], **slant)
    axes.set_yticks(range(len(item.rows)), [*map(_wrapped, item.rows)])


def _bars(axes: "Axes", item: Bars) -> None:
    step = 1 / (len(item.series) + 1)
    for place, series in enumerate(item.series):
        colour = _colour(place)
        for index, value in enumerate(series.values):
            known = value.value if isinstance(value, Estimate) else value
            y = index + step * (place - (len(item.series) - 1) / 2)
            name = clean(series.name) if index == 0 else None
            shown = math.nan if known is None else known
            axes.barh(y, shown, step * 0.9, color=colour, label=name)
            if isinstance(value, Estimate):
                _whisker(axes, value, y, "black")
    axes.set_yticks(range(len(item.categories)), [*map(_wrapped, item.categories)])
    axes.invert_yaxis()
    axes.set_xlabel(clean(item.unit))
    if item.reference is not None:
        axes.axvline(item.reference, color="#888888", ls="--", lw=0.7)
    _legend(axes, len(item.series))


def _plot(axes: "Axes", item: Plot) -> None:
    style = "o-" if item.kind == "lines" else "o"
    for place, (name, points) in enumerate(item.series):
        xs, ys = [x for x, _ in points], [y for _, y in points]
        axes.plot(xs, ys, style, ms=2.5, color=_colour(place), label=clean(name))
    if item.diagonal:
        axes.axline((0, 0), slope=1, color="#888888", ls="--", lw=0.7)
    axes.set_xlabel(clean(item.x))
    axes.set_ylabel(clean(item.y))
    _legend(axes, len(item.series))


def _wrapped(name: str) -> str:
    """A name in lines that leave more than half of a column to the drawing."""
    return textwrap.fill(clean(name), 26)


def _colour(place: int) -> str:
    return CATEGORIES["light"][place % len(CATEGORIES["light"])]


def _legend(axes: "Axes", count: int) -> None:
    if count > 1:
        axes.figure.legend(loc="outside lower center", fontsize=6)


def _write(path: Path, text: str) -> None:
    path.write_text(text, "utf-8", newline="\n")


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
