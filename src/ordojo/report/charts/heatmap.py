"""A heatmap as a coloured table: its numbers can be read, copied and heard."""

import math

from markupsafe import Markup

from ordojo.core.panels import Heatmap
from ordojo.report.charts.colour import STEPS, step_class
from ordojo.report.charts.plot import percent, tag, tick_label
from ordojo.report.text import DASH, number


def heatmap(panel: Heatmap) -> Markup:
    """Draw the panel with its colour key."""
    head = [tag("th", class_="corner")]
    head += [tag("th", name, scope="col") for name in panel.columns]
    rows = [_row(panel, index) for index in range(len(panel.rows))]
    body = tag("table", tag("thead", tag("tr", *head)), tag("tbody", *rows), class_="heat")
    scroll = tag("div", body, class_="scroll", tabindex="0", role="group", aria_label=panel.title)
    return tag("div", scroll, key(panel.low, panel.high))


def _row(panel: Heatmap, index: int) -> Markup:
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
