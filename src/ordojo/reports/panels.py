"""Drawing what a benchmark wants shown: tables, heatmaps, bars and plots; and a page of them."""

from collections.abc import Sequence
from importlib.resources import files

from markupsafe import Markup, escape

from ordojo.core.panels import Bars, Cell, Heatmap, Listing, Panel, Plot, Table
from ordojo.core.statistics import Estimate
from ordojo.reports.charts.bars import bars, heatmap
from ordojo.reports.charts.colour import scale_css
from ordojo.reports.charts.plot import join, plot, scrolling, tag
from ordojo.reports.text import DASH, interval, number


def draw(panel: Panel | Listing) -> Markup:
    """A panel as a figure with its title and note."""
    match panel:
        case Table():
            body = table(panel)
        case Heatmap():
            body = heatmap(panel)
        case Bars():
            body = join(bars(panel), _bars_key(panel))
        case Plot():
            body = plot(panel)
        case Listing():
            body = listing(panel)
    unit = panel.unit if isinstance(panel, Bars) else ""
    return framed(panel.title, body, panel.note, unit, f"{type(panel).__name__.lower()}-panel")


def framed(title: str, body: Markup, note: str = "", unit: str = "", class_: str = "") -> Markup:
    """A drawing with its title, and with unit and note where there are any."""
    units = [tag("span", unit, class_="unit")] if unit else []
    notes = [tag("p", note, class_="note")] if note else []
    head = tag("figcaption", tag("h3", title), *units)
    return tag("figure", head, body, *notes, class_=f"panel {class_}".strip())


def _bars_key(panel: Bars) -> Markup:
    if panel.reference is None:
        return Markup("")
    line = tag("line", x1="50%", x2="50%", y1="0", y2="100%", class_="chance")
    drawn = tag("svg", line, aria_hidden="true")
    words = f"{panel.reference_label or 'reference'} {number(panel.reference)}"
    return tag("ul", tag("li", drawn, tag("span", words)), class_="legend")


def table(panel: Table) -> Markup:
    """A sortable table; columns of numbers are set flush right."""
    numeric = panel.numeric
    head = [
        tag("th", tag("button", name, type="button"), scope="col", class_="num" if right else None)
        for name, right in zip(panel.columns, numeric, strict=True)
    ]
    body = []
    for place, row in enumerate(panel.rows):
        quoted = place in panel.published
        cells = [
            _cell(cell, right, quoted and index == 0)
            for index, (cell, right) in enumerate(zip(row, numeric, strict=True))
        ]
        body.append(tag("tr", *cells, class_="published" if quoted else None))
    drawn = tag(
        "table", tag("thead", tag("tr", *head)), tag("tbody", *body), class_="data sortable"
    )
    return scrolling(drawn, panel.title)


BESIDE = 3
"""Columns of a listing that fit beside each other; of more, each row is a block of its own."""


def listing(panel: Listing) -> Markup:
    """Lines side by side, or blocks of what belongs together."""
    if len(panel.columns) > BESIDE:
        return join(*(_block(panel, place) for place in range(len(panel.rows))))
    body = []
    for place, row in enumerate(panel.rows):
        first, *others = row
        # On a phone the lines stand one under the other, and the same line once.
        cells = [
            tag("td", text, data_title=name, class_=_narrow(text, first))
            for name, text in zip(panel.columns[1:], others, strict=True)
        ]
        head = tag("td", first, *_mark(panel, place), class_=None if first else "none")
        body.append(tag("tr", head, *cells, class_="marked" if place in panel.marks else None))
    names = tag("tr", *(tag("th", name, scope="col") for name in panel.columns))
    class_ = "listing two" if panel.columns[1:] and panel.code else "listing"
    drawn = tag("table", tag("thead", names), tag("tbody", *body), class_=class_)
    return scrolling(drawn, panel.title)


def _narrow(text: str, first: str) -> str | None:
    return "none" if not text else "same" if text.strip() == first.strip() else None


def _mark(panel: Listing, place: int) -> list[Markup]:
    mark = panel.marks.get(place)
    return [tag("span", mark, class_="mark-word")] if mark else []


def _block(panel: Listing, place: int) -> Markup:
    first, *others = panel.rows[place]
    facts = [
        tag("div", tag("dt", name), tag("dd", text))
        for name, text in zip(panel.columns[1:], others, strict=True)
    ]
    parts = [tag("h4", first, *_mark(panel, place)), tag("dl", *facts)]
    class_ = "step marked" if place in panel.marks else "step"
    return tag("div", *parts, class_=class_)


def _cell(cell: Cell, right: bool, quoted: bool) -> Markup:
    class_ = "num" if right else None
    label = [tag("span", "published", class_="tag published")] if quoted else []
    if cell is None:
        return tag("td", DASH, *label, class_=class_)
    if isinstance(cell, Estimate):
        parts = [tag("b", number(cell.value))]
        if cell.low == cell.low:
            parts.append(tag("small", interval(cell)))
        basis = f"n {number(cell.n)} in {number(cell.clusters)} clusters"
        value = _sort_key(cell.value)
        return tag("td", *parts, *label, class_="num est", data_v=value, title=basis)
    if isinstance(cell, str):
        return tag("td", cell, *label, class_=class_)
    return tag("td", number(cell), *label, class_=class_, data_v=_sort_key(float(cell)))


def _sort_key(value: float) -> str | None:
    return repr(value) if value == value else None


PAGE = Markup("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
<main id="main">
<h1>{title}</h1>
<p>{said}</p>
{panels}
</main>
</body>
</html>
""")


def single_page(title: str, said: str, panels: Sequence[Panel]) -> str:
    """The page, self-contained; every name is escaped."""
    style = files("ordojo.reports").joinpath("static/report.css").read_text("utf-8")
    drawn = Markup("\n").join(draw(panel) for panel in panels)
    return PAGE.format(
        title=escape(title), said=escape(said), style=Markup(scale_css() + style), panels=drawn
    )
