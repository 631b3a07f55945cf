"""A forest plot: one line an estimate, label, track and figures; HTML rows around SVG tracks."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ordojo.core.statistics import Estimate
from ordojo.report.charts.glyph import axis, gridlines, mark
from ordojo.report.charts.plot import Scale, tag
from ordojo.report.text import interval, number


@dataclass(frozen=True)
class Line:
    """One estimate to draw; `note` stands under the label, `href` leads to its samples."""

    label: str
    estimate: Estimate
    kind: str = "model"
    note: str = ""
    href: str | None = None
    spread: tuple[float, float] | None = None


def forest(
    title: str, lines: Sequence[Line], bounds: tuple[float, float], chance: float | None = None
) -> Markup:
    """Draw `lines` in their order, with the chance line through all of them."""
    head = tag(
        "div",
        tag("span", class_="fl"),
        tag("span", axis(bounds, chance), class_="ft"),
        tag("span", class_="fv"),
        class_="frow fhead",
        aria_hidden="true",
    )
    rows = [head, *(_row(line, bounds, chance) for line in lines)]
    return tag("div", *rows, class_="forest", role="list", aria_label=title)


def _row(line: Line, bounds: tuple[float, float], chance: float | None) -> Markup:
    name = tag("a", line.label, href=line.href) if line.href else tag("span", line.label)
    note = [tag("small", line.note)] if line.note else []
    values = [tag("b", number(line.estimate.value))]
    if not math.isnan(line.estimate.low):
        values.append(tag("small", interval(line.estimate)))
    return tag(
        "div",
        tag("div", name, *note, class_="fl"),
        tag("div", track(line, bounds, chance), class_="ft"),
        tag("div", *values, class_="fv"),
        class_=f"frow {line.kind}",
        role="listitem",
    )


def track(line: Line, bounds: tuple[float, float], chance: float | None) -> Markup:
    """The drawn part of a line."""
    scale, e = Scale(*bounds), line.estimate
    says = f"{line.label}: {number(e.value)}, 95% interval {interval(e)}"
    if e.n:
        says += f", n = {number(e.n)} in {number(e.clusters)} clusters"
    parts: list[Markup] = [tag("title", says), gridlines(bounds)]
    if chance is not None:
        x = scale.pct(chance)
        parts.append(tag("line", x1=x, x2=x, y1="0", y2="100%", class_="chance"))
    if line.spread is not None:
        low, high = (scale.pct(value) for value in line.spread)
        parts.append(tag("line", x1=low, x2=high, y1="78%", y2="78%", class_="spread"))
    if not math.isnan(e.value):
        if not math.isnan(e.low):
            low, high = scale.pct(e.low), scale.pct(e.high)
            parts.append(tag("line", x1=low, x2=high, y1="50%", y2="50%", class_=f"ci {line.kind}"))
        parts.append(mark(line.kind, scale.pct(e.value)))
    return tag("svg", *parts, class_="track-svg", role="img", aria_label=says)
