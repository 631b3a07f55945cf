"""Grouped bars, lying down, so that names stay readable: a block a category, a bar a series."""

import math
from collections.abc import Sequence

from markupsafe import Markup

from ordojo.core.panels import Bars
from ordojo.core.statistics import Estimate
from ordojo.report.charts.glyph import axis, gridlines
from ordojo.report.charts.plot import Scale, join, percent, tag, ticks
from ordojo.report.text import interval, number

FEW = 4
"""Series up to which every category has a block of its own."""

Value = float | Estimate | None


def bars(panel: Bars) -> Markup:
    """Draw the panel; a single series stands in one block, its bars named by category."""
    bounds = _bounds(panel)
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
            _row(
                series.name,
                series.values[index],
                bounds,
                panel.reference,
                f"c{place}",
            )
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
    head = [tag("th", class_="corner")]
    head += [tag("th", tag("span", name), scope="col") for name in panel.categories]
    rows = []
    for series in panel.series:
        cells = [tag("th", series.name, scope="row")]
        for category, value in zip(panel.categories, series.values, strict=True):
            label = f"{series.name}, {category}"
            drawing, e = _drawing(label, value, bounds, panel.reference, 2)
            cells.append(tag("td", tag("div", drawing, tag("span", number(e.value)))))
        rows.append(tag("tr", *cells))
    axes = [tag("td", tag("div", axis(bounds, count=2), tag("span"))) for _ in panel.categories]
    foot = tag("tfoot", tag("tr", tag("td"), *axes), aria_hidden="true")
    body = tag(
        "table", tag("thead", tag("tr", *head)), tag("tbody", *rows), foot, class_="bar-grid c0"
    )
    return tag("div", body, class_="scroll", tabindex="0", role="group", aria_label=panel.title)


def _row(
    label: str,
    value: Value,
    bounds: tuple[float, float],
    reference: float | None,
    colour: str,
) -> Markup:
    drawing, e = _drawing(label, value, bounds, reference, 3)
    return tag(
        "div",
        tag("span", label, class_="bl"),
        tag("span", drawing, class_="bt"),
        tag("span", number(e.value), class_="bv"),
        class_=f"brow {colour}",
    )


def _drawing(
    label: str, value: Value, bounds: tuple[float, float], reference: float | None, grid: int
) -> tuple[Markup, Estimate]:
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
        x = scale.pct(reference)
        parts.append(tag("line", x1=x, x2=x, y1="0", y2="100%", class_="chance"))
    return tag("svg", *parts, role="img", aria_label=says), e


def _whisker(scale: Scale, e: Estimate) -> Markup:
    low, high = scale.pct(e.low), scale.pct(e.high)
    line = tag("line", x1=low, x2=high, y1="50%", y2="50%", class_="whisker")
    ends = [tag("line", x1=x, x2=x, y1="34%", y2="66%", class_="whisker") for x in (low, high)]
    return join(line, *ends)


def _bare(value: float | None) -> Estimate:
    known = math.nan if value is None else float(value)
    return Estimate(known, math.nan, math.nan, 0, 0)


def _bounds(panel: Bars) -> tuple[float, float]:
    found = [0.0] if panel.reference is None else [0.0, panel.reference]
    for series in panel.series:
        for value in series.values:
            e = value if isinstance(value, Estimate) else _bare(value)
            found += [x for x in (e.value, e.low, e.high) if math.isfinite(x)]
    reach = ticks(min(found), max([*found, min(found) + 1e-9]), 5)
    return min(0.0, reach[0]), panel.high if panel.high is not None else reach[-1]
