"""Small marks: an estimate with its interval on a track, all scores on one line, an axis."""

import math
from collections.abc import Iterable

from markupsafe import Markup

from ordojo.core.statistics import Estimate
from ordojo.reports.charts.plot import Scale, join, percent, tag, tick_label
from ordojo.reports.text import interval, number


def mark(kind: str, x: str, y: str = "50%", radius: float = 5) -> Markup:
    """The point of an estimate: disc for a model, diamond for a baseline, square if published."""
    if kind == "published":
        square = tag("rect", x=-4, y=-4, width=8, height=8, class_="mark published")
        return tag("svg", square, x=x, y=y, overflow="visible")
    if kind == "baseline":
        diamond = tag("path", d="M0-5.5L5.5 0L0 5.5L-5.5 0z", class_="mark baseline")
        return tag("svg", diamond, x=x, y=y, overflow="visible")
    return tag("circle", cx=x, cy=y, r=radius, class_="mark model")


def interval_glyph(
    estimate: Estimate,
    bounds: tuple[float, float] = (0.0, 1.0),
    kind: str = "model",
    chance: float | None = None,
    spread: tuple[float, float] | None = None,
    label: str = "",
    class_: str = "glyph",
) -> Markup:
    """An estimate on a track from least to greatest score, with chance and the rules' range."""
    scale = Scale(*bounds)
    says = f"{label}: {number(estimate.value)}, 95% interval {interval(estimate)}"
    if estimate.n:
        says += f", n = {number(estimate.n)} in {number(estimate.clusters)} clusters"
    if chance is not None:
        says += f", chance {number(chance)}"
    base = tag("line", x1="0%", x2="100%", y1="50%", y2="50%", class_="track")
    parts = [tag("title", says), gridlines(bounds), base]
    if chance is not None and bounds[0] <= chance <= bounds[1]:
        parts.append(vertical(scale.pct(chance), "chance"))
    if spread is not None:
        parts.append(_bracket(scale, *spread))
    if not math.isnan(estimate.value):
        if not math.isnan(estimate.low):
            low, high = scale.pct(estimate.low), scale.pct(estimate.high)
            parts.append(tag("line", x1=low, x2=high, y1="50%", y2="50%", class_=f"ci {kind}"))
        parts.append(mark(kind, scale.pct(estimate.value)))
    return tag("svg", *parts, class_=class_, role="img", aria_label=says)


def _bracket(scale: Scale, low: float, high: float) -> Markup:
    left, right = scale.pct(low), scale.pct(high)
    y = "88%"
    ends = [tag("line", x1=x, x2=x, y1="76%", y2=y, class_="spread") for x in (left, right)]
    return join(tag("line", x1=left, x2=right, y1=y, y2=y, class_="spread"), *ends)


def axis(
    bounds: tuple[float, float], chance: float | None = None, count: int = 5, named: str = "chance"
) -> Markup:
    """Tick labels for a column of tracks; `named` is what stands at the line of `chance`."""
    scale = Scale(*bounds)
    texts = []
    for value in scale.ticks(count):
        x = percent(scale.at(value))
        texts.append(tag("text", tick_label(value), x=x, y="11", text_anchor="middle"))
    if chance is not None:
        texts.append(
            tag(
                "text",
                named,
                x=scale.pct(chance),
                y="24",
                class_="chance-label",
                # At the right edge a longer word would be cut off.
                text_anchor="end" if scale.at(chance) > 90 else "middle",
            )
        )
    return tag(
        "svg", *texts, class_="axis" + (" two" if chance is not None else ""), aria_hidden="true"
    )


def gridlines(bounds: tuple[float, float], count: int = 5) -> Markup:
    """Faint verticals at the ticks."""
    scale = Scale(*bounds)
    return join(*(vertical(scale.pct(value), "grid") for value in scale.ticks(count)))


def vertical(x: str, class_: str) -> Markup:
    """A line from top to bottom at `x`."""
    return tag("line", x1=x, x2=x, y1="0", y2="100%", class_=class_)


def strip(
    points: Iterable[tuple[str, str, Estimate]],
    bounds: tuple[float, float],
    chance: float | None,
    title: str,
    best: float | None = None,
) -> Markup:
    """All scores of a benchmark on one line, stacked where they crowd: (kind, label, estimate).

    The model's score that is nearest to `best` is marked.
    """
    scale = Scale(*bounds)
    bins: dict[int, int] = {}
    marks: list[Markup] = []
    known = [point for point in points if not math.isnan(point[2].value)]
    models = [point for point in known if point[0] == "model" and best is not None]
    lead = min(models, key=lambda p: abs(p[2].value - (best or 0.0)), default=None)
    for kind, label, estimate in sorted(known, key=lambda p: (p[0] != "model", -p[2].value)):
        at = scale.at(estimate.value)
        slot = round(at / 1.8)
        bins[slot] = bins.get(slot, 0) + 1
        level = bins[slot] - 1
        y = 50 + (17 * ((level + 1) // 2)) * (-1 if level % 2 else 1)
        says = f"{label}: {number(estimate.value)} ({interval(estimate)})"
        leads = lead is not None and (label, estimate) == lead[1:]
        drawn = mark(kind, percent(at), f"{min(max(y, 6), 94)}%", 7.5 if leads else 5)
        marks.append(tag("g", tag("title", says), drawn, class_="best" if leads else None))
    base = tag("line", x1="0%", x2="100%", y1="50%", y2="50%", class_="track")
    parts = [tag("title", title), gridlines(bounds), base]
    if chance is not None:
        parts.append(vertical(scale.pct(chance), "chance"))
    return tag("svg", *parts, *reversed(marks), class_="strip", role="img", aria_label=title)
