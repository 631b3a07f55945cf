"""Points or lines in the plane: lines stretch with the frame, marks and text keep their size."""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache

from markupsafe import Markup, escape

from ordojo.core.panels import Plot
from ordojo.reports.charts.colour import CATEGORIES
from ordojo.reports.text import clean, number

Attribute = str | int | float | None


def tag(name: str, *children: str, **attributes: Attribute) -> Markup:
    """An element; text is escaped, `Markup` is not.

    `class_` means `class`, underscores mean hyphens, and None leaves an attribute out.
    """
    parts = [name]
    for key, value in attributes.items():
        if value is not None:
            spelt = f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else value
            parts.append(_attribute(key, str(spelt)))
    inner = "".join(map(safe, children))
    return Markup(f"<{' '.join(parts)}>{inner}</{name}>")


# A page of charts has the same few positions and classes a million times.
@lru_cache(maxsize=10_000)
def _attribute(key: str, value: str) -> str:
    return f'{key.rstrip("_").replace("_", "-")}="{safe(value)}"'


def safe(text: str) -> Markup:
    """Text as HTML; `Markup` passes."""
    return text if isinstance(text, Markup) else escape(clean(text))


def join(*parts: str) -> Markup:
    """One piece of markup from several."""
    return Markup("").join(safe(part) for part in parts)


def scrolling(body: str, label: str) -> Markup:
    """A table that may be wider than the page, in a box that the keyboard reaches."""
    return tag("div", body, class_="scroll", tabindex="0", role="group", aria_label=label)


class Scale:
    """A linear map of numbers to percentages of the drawing's width or height."""

    def __init__(self, low: float, high: float, flip: bool = False) -> None:
        if not low < high:
            low, high = low - 0.5, low + 0.5
        self.low, self.high, self.flip = low, high, flip

    def at(self, value: float) -> float:
        """Where `value` stands, in percent, clipped to the drawing."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return 100 * (1 - share if self.flip else share)

    def pct(self, value: float) -> str:
        """The position as an attribute."""
        return percent(self.at(value))

    def ticks(self, count: int = 5) -> list[float]:
        """About `count` round numbers within the scale."""
        return [t for t in ticks(self.low, self.high, count) if self.low <= t <= self.high]


def percent(value: float) -> str:
    """A percentage with at most two decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".") + "%"


def ticks(low: float, high: float, count: int = 5) -> list[float]:
    """Round numbers, steps of 1, 2, 2.5 or 5 times a power of ten, that cover [low, high]."""
    raw = (high - low) / max(1, count - 1)
    if not math.isfinite(raw) or raw <= 0:
        return [low]
    power = 10 ** math.floor(math.log10(raw))
    step = next(f * power for f in (1, 2, 2.5, 5, 10) if f * power >= raw * 0.999)
    first = math.floor(low / step + 1e-9)
    last = math.ceil(high / step - 1e-9)
    return [round(index * step, 12) for index in range(first, last + 1)]


def tick_label(value: float) -> str:
    """An axis label without needless zeros."""
    return f"{value:,.10g}".replace("-", "−")


DENSE = 30
"""Marks of a series from which they would hide its line: more are seen under the pointer alone."""

WIDTH, HEIGHT = 640, 340
"""Pixels that label placement reckons with; the drawing itself is as wide as the page."""

Point = tuple[float, float]
SHAPES = (
    "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0z",
    "M0-5.5L5.5 0L0 5.5L-5.5 0z",
    "M-4-4h8v8h-8z",
    "M0-5.5L5 4h-10z",
    "M0 5.5L5-4h-10z",
    "M-1.6-5h3.2v3.4h3.4v3.2h-3.4v3.4h-3.2v-3.4h-3.4v-3.2h3.4z",
)


Named = Sequence[tuple[str, Sequence[Point]]]


def canvas(panel: Plot) -> tuple[list[Markup], Scale, Scale, Named] | None:
    """The panel's frame, lines and marks, its scales, and the finite points of its series.

    None where there is nothing to plot.
    """
    named = [(name, [p for p in s if all(map(math.isfinite, p))]) for name, s in panel.series]
    points = [point for _, series in named for point in series]
    if not points:
        return None
    x, y = range_of([p[0] for p in points]), range_of([p[1] for p in points], True)
    if panel.diagonal:
        low, high = min(x.low, y.low), max(x.high, y.high)
        x, y = Scale(low, high), Scale(low, high, flip=True)
    parts = [_frame(x, y)]
    if panel.diagonal:
        parts.append(tag("line", x1="0%", y1="100%", x2="100%", y2="0%", class_="diagonal"))
    if panel.kind == "lines":
        parts.append(_lines(named, x, y))
    dense = DENSE if panel.kind == "lines" else math.inf
    parts += [_marks(name, index, s, x, y, dense) for index, (name, s) in enumerate(named)]
    return parts, x, y, named


def plot(panel: Plot) -> Markup:
    """Draw the panel, with a key of its series."""
    if not (drawn := canvas(panel)):
        return tag("p", "Nothing to plot.", class_="empty")
    parts, x, y, named = drawn
    single = panel.kind == "points" and all(len(series) <= 1 for _, series in named)
    single_points = [(name, series[0]) for name, series in named if series] if single else []
    placed = labels(single_points, x, y)
    title = tag("title", f"{panel.title}: {panel.y} against {panel.x}")
    drawing = tag("svg", title, *parts, *placed, role="img", aria_label=panel.title)
    frame = tag(
        "div",
        tag("span", panel.y, class_="ylabel"),
        tag("div", drawing, class_="canvas"),
        tag("span", panel.x, class_="xlabel"),
        class_="plot",
    )
    return join(
        frame, _key(named, "direct" if single and len(placed) == len(single_points) else "")
    )


def range_of(values: Sequence[float], flip: bool = False) -> Scale:
    """From 0 to 1 where the values are shares that spread, else between round numbers."""
    low, high = min(values), max(values)
    if low >= 0 and high <= 1 and high - low > 0.3:
        return Scale(0.0, 1.0, flip)
    reach = ticks(low, high if high > low else low + 1, 6)
    return Scale(reach[0], reach[-1], flip)


def _frame(x: Scale, y: Scale) -> Markup:
    parts = []
    for value in x.ticks(6):
        at = x.pct(value)
        parts.append(tag("line", x1=at, x2=at, y1="0%", y2="100%", class_="grid"))
        parts.append(tag("text", tick_label(value), x=at, y="100%", dy="18", text_anchor="middle"))
    return join(*parts, *rungs(y))


def rungs(y: Scale, label: Callable[[float], str] = tick_label, count: int = 6) -> list[Markup]:
    """A line across and a label at its left for each of about `count` ticks of a height."""
    parts = []
    for value in y.ticks(count):
        at = y.pct(value)
        parts.append(tag("line", x1="0%", x2="100%", y1=at, y2=at, class_="grid"))
        parts.append(tag("text", label(value), x="0", dx="-10", y=at, dy="4", text_anchor="end"))
    return parts


def colour_class(index: int) -> str:
    """The class of a series' colour."""
    return f"c{index % len(CATEGORIES['light'])}"


def shape(index: int) -> str:
    """The path of a series' mark."""
    return SHAPES[(index + index // len(CATEGORIES["light"])) % len(SHAPES)]


def _lines(named: Named, x: Scale, y: Scale) -> Markup:
    lines = []
    for index, (_, series) in enumerate(named):
        path = " ".join(f"{x.at(a):.2f},{y.at(b):.2f}" for a, b in series)
        lines.append(tag("polyline", points=path, class_=f"line {colour_class(index)}"))
    return tag(
        "svg",
        *lines,
        viewBox="0 0 100 100",
        preserveAspectRatio="none",
        width="100%",
        height="100%",
        overflow="visible",
    )


def _marks(
    name: str, index: int, series: Sequence[Point], x: Scale, y: Scale, most: float
) -> Markup:
    dense = len(series) > most
    marks = []
    # Dense ones are seen under the pointer alone: so many of them would be most of a page's bytes.
    for a, b in series[:: math.ceil(len(series) / most) if dense else 1]:
        mark = tag("path", d=shape(index))
        says = f"{name}: {number(a)}, {number(b)}"
        marks.append(
            tag("svg", tag("title", says), mark, x=x.pct(a), y=y.pct(b), overflow="visible")
        )
    kind = f"marks {colour_class(index)}{' dense' if dense else ''}"
    return tag("g", *marks, class_=kind)


def labels(named: Sequence[tuple[str, Point]], x: Scale, y: Scale) -> list[Markup]:
    """Names beside their points where there is room; the key and tooltips have them all."""
    dots = [(x.at(a) / 100 * WIDTH, y.at(b) / 100 * HEIGHT) for _, (a, b) in named]
    taken = [(u - 7, v - 7, u + 7, v + 7) for u, v in dots]
    found = []
    for (name, _), (u, v) in zip(named, dots, strict=True):
        wide = 6.7 * len(name)
        spots = (
            (u + 10, v - 7, 10, 4, "start"),
            (u - 10 - wide, v - 7, -10, 4, "end"),
            (u - wide / 2, v - 23, 0, -11, "middle"),
            (u - wide / 2, v + 9, 0, 20, "middle"),
        )
        for left, top, dx, dy, anchor in spots:
            box = (left, top, left + wide, top + 14)
            inside = box[0] >= 0 and box[2] <= WIDTH + 60 and box[1] >= 0 and box[3] <= HEIGHT
            if inside and not any(_meet(box, other) for other in taken):
                taken.append(box)
                found.append(
                    tag(
                        "text",
                        name,
                        x=percent(u / WIDTH * 100),
                        y=percent(v / HEIGHT * 100),
                        dx=dx,
                        dy=dy,
                        text_anchor=anchor,
                        class_="direct",
                    )
                )
                break
    return found


Box = tuple[float, float, float, float]


def _meet(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _key(named: Named, class_: str) -> Markup:
    items = []
    for index, (name, _) in enumerate(named):
        swatch = tag("svg", tag("path", d=shape(index)), viewBox="-7 -7 14 14", aria_hidden="true")
        items.append(tag("li", swatch, tag("span", name), class_=colour_class(index)))
    return tag("ul", *items, class_=f"legend {class_}".strip())
