"""Charts of rows that lie down, so that names stay readable: grouped bars, intervals, heatmaps."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ordojo.core.panels import Bars, Heatmap
from ordojo.core.statistics import Estimate
from ordojo.reports.charts.colour import STEPS, step_class
from ordojo.reports.charts.glyph import axis, gridlines, interval_glyph, vertical
from ordojo.reports.charts.plot import Scale, join, percent, scrolling, tag, tick_label, ticks
from ordojo.reports.text import DASH, interval, number

FEW = 4
"""Series up to which every category has a block of its own."""

Value = float | Estimate | None


def bars(panel: Bars) -> Markup:
    """Draw the panel; a single series stands in one block, its bars named by category."""
    bounds = reach(panel)
    if len(panel.series) == 1:
        series = panel.series[0]
        rows = [
            _row(category, value, bounds, panel.reference, "c0")
            for category, value in zip(panel.categories, series.values, strict=True)
        ]
        return tag("div", _block(series.name, rows, bounds), class_="bars single")
    if len(panel.series) > FEW:
        return _grid(panel, bounds)
    blocks = []
    for index, category in enumerate(panel.categories):
        rows = [
            _row(series.name, series.values[index], bounds, panel.reference, f"c{place}")
            for place, series in enumerate(panel.series)
        ]
        blocks.append(_block(category, rows, bounds))
    return tag("div", *blocks, class_="bars")


def _block(title: str, rows: Sequence[Markup], bounds: tuple[float, float]) -> Markup:
    scale = tag(
        "div",
        tag("span", class_="bl"),
        tag("span", axis(bounds, count=3), class_="bt"),
        tag("span", class_="bv"),
        class_="brow bhead",
        aria_hidden="true",
    )
    return tag("section", tag("h4", title), *rows, scale, class_="block")


def _grid(panel: Bars, bounds: tuple[float, float]) -> Markup:
    """Many series: a row each, named once, and a column a category."""
    head = [tag("td", class_="corner")]
    head += [tag("th", tag("span", name), scope="col") for name in panel.categories]
    rows = []
    for series in panel.series:
        cells = [tag("th", series.name, scope="row")]
        for category, value in zip(panel.categories, series.values, strict=True):
            label = f"{series.name}, {category}"
            drawing, e = bar_glyph(label, value, bounds, panel.reference, 2)
            cells.append(tag("td", tag("div", drawing, tag("span", number(e.value)))))
        rows.append(tag("tr", *cells))
    axes = [tag("td", tag("div", axis(bounds, count=2), tag("span"))) for _ in panel.categories]
    foot = tag("tfoot", tag("tr", tag("td"), *axes), aria_hidden="true")
    body = tag(
        "table", tag("thead", tag("tr", *head)), tag("tbody", *rows), foot, class_="bar-grid c0"
    )
    return scrolling(body, panel.title)


def _row(
    label: str, value: Value, bounds: tuple[float, float], reference: float | None, colour: str
) -> Markup:
    drawing, e = bar_glyph(label, value, bounds, reference, 3)
    return tag(
        "div",
        tag("span", label, class_="bl"),
        tag("span", drawing, class_="bt"),
        tag("span", number(e.value), class_="bv"),
        class_=f"brow {colour}",
    )


def bar_glyph(
    label: str, value: Value, bounds: tuple[float, float], reference: float | None, grid: int
) -> tuple[Markup, Estimate]:
    """A bar with its interval and `grid` lines behind it, and what it shows as an estimate."""
    e = value if isinstance(value, Estimate) else _bare(value)
    scale = Scale(*bounds)
    says = f"{label}: {number(e.value)}"
    if not math.isnan(e.low):
        says += f", 95% interval {interval(e)}, n = {number(e.n)}"
    parts: list[Markup] = [tag("title", says), gridlines(bounds, grid)]
    if not math.isnan(e.value):
        zero, end = sorted((scale.at(0.0), scale.at(e.value)))
        width = percent(max(end - zero, 0.15))
        parts.append(tag("rect", x=percent(zero), y="18%", width=width, height="64%", class_="bar"))
    if not math.isnan(e.low):
        parts.append(_whisker(scale, e))
    if reference is not None:
        parts.append(vertical(scale.pct(reference), "chance"))
    return tag("svg", *parts, role="img", aria_label=says), e


def _whisker(scale: Scale, e: Estimate) -> Markup:
    low, high = scale.pct(e.low), scale.pct(e.high)
    line = tag("line", x1=low, x2=high, y1="50%", y2="50%", class_="whisker")
    ends = [tag("line", x1=x, x2=x, y1="34%", y2="66%", class_="whisker") for x in (low, high)]
    return join(line, *ends)


def _bare(value: float | None) -> Estimate:
    # A count stays a whole number, and is spelt as one.
    return Estimate(math.nan if value is None else value, math.nan, math.nan, 0, 0)


def reach(panel: Bars) -> tuple[float, float]:
    """The least and the greatest number on the axis of the bars."""
    found = [0.0] if panel.reference is None else [0.0, panel.reference]
    for series in panel.series:
        for value in series.values:
            e = value if isinstance(value, Estimate) else _bare(value)
            found += [x for x in (e.value, e.low, e.high) if math.isfinite(x)]
    marks = ticks(min(found), max([*found, min(found) + 1e-9]), 5)
    return min(0.0, marks[0]), panel.high if panel.high is not None else marks[-1]


@dataclass(frozen=True)
class Line:
    """One estimate to draw; `note` stands under the label, `href` leads to its samples."""

    label: str
    estimate: Estimate
    kind: str = "model"
    note: str = ""
    href: str | None = None
    spread: tuple[float, float] | None = None


@dataclass(frozen=True)
class Forest:
    """Estimates with intervals, one a line; `reference` is a line through all of them."""

    title: str
    lines: Sequence[Line]
    reference: float | None = None


def forest(chart: Forest, bounds: tuple[float, float], named: str = "chance") -> Markup:
    """Draw the lines in their order, with the reference line, so `named`, through all of them."""
    head = tag(
        "div",
        tag("span", class_="fl"),
        tag("span", axis(bounds, chart.reference, named=named), class_="ft"),
        tag("span", class_="fv"),
        class_="frow fhead",
        aria_hidden="true",
    )
    rows = [head, *(_interval_row(line, bounds, chart.reference) for line in chart.lines)]
    return tag("div", *rows, class_="forest", role="list", aria_label=chart.title)


def _interval_row(line: Line, bounds: tuple[float, float], chance: float | None) -> Markup:
    name = tag("a", line.label, href=line.href) if line.href else tag("span", line.label)
    note = [tag("small", line.note)] if line.note else []
    drawn = interval_glyph(
        line.estimate, bounds, line.kind, chance, line.spread, line.label, "track-svg"
    )
    values = [tag("b", number(line.estimate.value))]
    if not math.isnan(line.estimate.low):
        values.append(tag("small", interval(line.estimate)))
    return tag(
        "div",
        tag("div", name, *note, class_="fl"),
        tag("div", drawn, class_="ft"),
        tag("div", *values, class_="fv"),
        class_=f"frow {line.kind}",
        role="listitem",
    )


def heatmap(panel: Heatmap) -> Markup:
    """Draw the panel with its colour key."""
    head = [tag("td", class_="corner")]
    head += [tag("th", name, scope="col") for name in panel.columns]
    rows = [_heat_row(panel, index) for index in range(len(panel.rows))]
    body = tag("table", tag("thead", tag("tr", *head)), tag("tbody", *rows), class_="heat")
    return tag("div", scrolling(body, panel.title), key(panel.low, panel.high))


def _heat_row(panel: Heatmap, index: int) -> Markup:
    quoted = index in panel.published
    name = [tag("span", panel.rows[index])]
    if quoted:
        name.append(tag("span", "published", class_="tag published"))
    cells = [tag("th", *name, scope="row")]
    for column, value in zip(panel.columns, panel.values[index], strict=True):
        if value is None or math.isnan(value):
            cells.append(tag("td", DASH, class_="none"))
        else:
            says = f"{panel.rows[index]}, {column}: {number(value)}"
            shade = step_class(value, panel.low, panel.high)
            cells.append(tag("td", number(value), class_=shade, title=says))
    return tag("tr", *cells, class_="published" if quoted else None)


def key(low: float, high: float) -> Markup:
    """The colour scale with its ends."""
    reach = max(-low, high) if low < 0 < high else 0.0
    low, high = (-reach, reach) if reach else (low, high)
    swatches = []
    for index in range(STEPS):
        value = low + (high - low) * index / (STEPS - 1)
        swatches.append(
            tag(
                "rect",
                x=percent(100 * index / STEPS),
                y="0",
                width=percent(100 / STEPS + 0.2),
                height="100%",
                class_=step_class(value, low, high),
            )
        )
    bar = tag("svg", *swatches, role="img", aria_label=f"colour scale from {low:g} to {high:g}")
    return tag(
        "div", tag("span", tick_label(low)), bar, tag("span", tick_label(high)), class_="key"
    )
