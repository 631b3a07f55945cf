"""How much of the four papers a command brings: counted in panels, told in a table."""

from collections.abc import Iterator, Sequence

from ordojo.core.panels import Bars, Cell, Heatmap, Panel, Plot
from ordojo.reports.papers import PAPERS, PaperItem, paper_items

QUOTED = "(published)"
"""Ends the name of a quoted series of a chart."""


def count(panel: Panel, rows: str = "") -> int:
    """The quoted numbers of a panel beside which a run has a figure of its own.

    In a table or heatmap those of a column that a run fills; `rows` counts the quoted rows alone
    that name it. In a chart those of the quoted series, if there is any other.
    """
    match panel:
        case Bars():
            own = [one for one in panel.series if not one.name.endswith(QUOTED)]
            quoted = [one.values for one in panel.series if one.name.endswith(QUOTED)]
            return _beside([one.values for one in own], quoted)
        case Plot():
            points = {name: len(found) for name, found in panel.series}
            counts = [count for name, count in points.items() if name.endswith(QUOTED)]
            return sum(counts) if len(counts) < len(points) else 0
        case Heatmap():
            cells: Sequence[Sequence[Cell]] = panel.values
        case _:
            cells = panel.rows
    every = list(enumerate(cells))
    return _beside(
        [row for place, row in every if place not in panel.published],
        [row for place, row in every if place in panel.published and (not rows or rows in row)],
    )


def _beside(own: Sequence[Sequence[Cell]], quoted: Sequence[Sequence[Cell]]) -> int:
    filled = {place for row in own for place, cell in enumerate(row) if _is_number(cell)}
    return sum(_is_number(cell) for row in quoted for cell in (row[place] for place in filled))


def _is_number(cell: Cell) -> bool:
    return cell is not None and not isinstance(cell, str)


def told(item: PaperItem) -> str:
    """An item's cells in words, "" where the paper prints no numbers there."""
    return f"{item.covered} of {item.cells}" if item.cells else ""


def markdown() -> Iterator[str]:
    """The coverage of all papers: a table of sums, and one of items for each paper."""
    papers = {paper: paper_items(paper) for paper in PAPERS}
    every = [item for items in papers.values() for item in items]
    heads = ("paper", "tables, figures, algorithms, prompts", "with a command or test")
    yield _row(*heads, "numbers printed", "covered")
    yield "| --- | --: | --: | --: | --: |"
    for title, items in [*((PAPERS[paper], papers[paper]) for paper in papers), ("all", every)]:
        made = sum(bool(item.commands or item.tests) for item in items)
        cells, covered = sum(i.cells for i in items), sum(i.covered for i in items)
        yield _row(title, len(items), made, f"{cells:,}", f"{covered:,}")
    for paper, items in papers.items():
        yield from ("", f"## {PAPERS[paper]}", "", _row("what", "", "covered", "lacks"))
        yield "| --- | --- | --: | --- |"
        yield from (_row(item.name, item.about, told(item), item.lacks) for item in items)


def _row(*cells: object) -> str:
    return f"| {' | '.join(f'{cell}' for cell in cells)} |".replace("  |", " |")
