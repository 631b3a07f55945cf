"""A chart by itself, for a paper: the page's drawings with names and axes in text, SVG and PDF.

Lengths are the page's pixels, 1.5 to a point. What the page leaves to its sheet of styles and to
the browser's width is said in full here, so that any program shows it.
"""

import math
import re
import statistics
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import numpy as np
from markupsafe import Markup

from ordojo.core.panels import Bars, Heatmap, Plot
from ordojo.reports.charts.bars import Forest, bar_glyph, reach
from ordojo.reports.charts.colour import scale_css, step_class
from ordojo.reports.charts.glyph import axis, interval_glyph
from ordojo.reports.charts.plot import (
    Attribute,
    Scale,
    canvas,
    colour_class,
    join,
    percent,
    range_of,
    rungs,
    shape,
    tag,
    tick_label,
)
from ordojo.reports.text import clean, number

if TYPE_CHECKING:
    from fpdf import FPDF

COLUMN, PAGE = 3.3 * 108, 6.9 * 108
"""A column of a page of two, 3.3 inches, and the text's width, 6.9, of the usual styles."""

TEXT, NAME, CELL, TITLE = 12.0, 10.5, 9.0, 13.5
"""Letters of 8, 7, 6 and 9 points."""

FONTS = {
    "STIX Two Math": ("ziamath", "STIXTwoMath-Regular.ttf"),
    "DejaVu Sans": ("ziafont", "DejaVuSans.ttf"),
}
"""Times-like letters, and others for what those lack: the packages that bring them."""


@dataclass(frozen=True)
class Violins:
    """Named rows of positive numbers side by side on a logarithmic axis, the larger the redder."""

    title: str
    unit: str
    rows: Sequence[tuple[str, Sequence[float]]]


Look = dict[str, Attribute]
Chart = Forest | Violins | Heatmap | Bars | Plot


def figure(item: Chart, told: str) -> Markup:
    """The chart as an SVG document of a column's width, or of the page's where it has many parts.

    `told` says what made it.
    """
    many = isinstance(item, Violins) or (isinstance(item, Heatmap) and len(item.columns) > 5)
    wide = PAGE if many else COLUMN
    match item:
        case Forest():
            parts, high = _forest(item)
        case Violins():
            parts, high = _violins(item)
        case Heatmap():
            parts, high = _heatmap(item, wide)
        case Bars():
            parts, high = _bars(item)
        case Plot():
            parts, high = _plot(item)
    title = textwrap.fill(clean(item.title), 50)
    top = 1.2 * TITLE * (title.count("\n") + 1) + 6
    return tag(
        "svg",
        tag("metadata", told),
        tag("rect", width=wide, height=top + high, fill="#ffffff"),
        _text(title, wide / 2, top / 2, size=TITLE),
        tag("g", *parts, transform=f"translate(0 {top:.2f})"),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {wide:.2f} {top + high:.2f}",
        width=f"{wide / 1.5:.2f}pt",
        height=f"{(top + high) / 1.5:.2f}pt",
        font_size=TEXT,
        font_family="STIX Two Math, STIX Two Text, STIXGeneral, Times New Roman, Times, serif",
    )


def pdf(drawn: str, told: str) -> bytes:
    """The PDF of such a document, its letters embedded; `told` says what made it."""
    from fpdf.svg import SVGObject

    _, _, wide, high = map(float, drawn.partition('viewBox="')[2].partition('"')[0].split())
    sheet = _sheet((wide / 1.5, high / 1.5))
    sheet.set_subject(told)
    sheet.add_page()
    SVGObject(re.sub("<metadata>.*</metadata>", "", drawn)).draw_to_page(sheet)
    return bytes(sheet.output())


def _sheet(size: tuple[float, float]) -> "FPDF":
    from fpdf import FPDF

    sheet = FPDF(unit="pt", format=size)
    sheet.set_margin(0)
    sheet.set_creation_date(datetime.fromtimestamp(0, UTC))
    sheet.file_id = lambda: None  # it would hang on the time
    sheet.set_creator("ordojo")
    sheet.set_producer("ordojo")
    for name, (package, path) in FONTS.items():
        # Found, not imported, which takes time for nothing; `need` has seen that it is there.
        spec = find_spec(package)
        assert spec and spec.origin
        sheet.add_font(name, fname=str(Path(spec.origin).with_name("fonts") / path))
    sheet.set_font("STIX Two Math")
    sheet.set_fallback_fonts(["DejaVu Sans"])
    return sheet


_ruler = cache(_sheet)


def _width(text: str, size: float = NAME) -> float:
    """Pixels that the longest line takes."""
    ruler = _ruler((1, 1))
    ruler.set_font_size(size)
    return float(max(map(ruler.get_string_width, text.split("\n"))))


def _text(
    text: str, x: float, y: float, anchor: str = "middle", size: float = TEXT, turn: int = 0
) -> Markup:
    """Lines about the height `y`."""
    first = y + size * (0.33 - 0.6 * text.count("\n"))
    look: Look = {"text_anchor": anchor, "font_size": size}
    if turn:
        look["transform"] = f"rotate({turn} {x:.2f} {y:.2f})"
    parts = []
    for place, line in enumerate(text.split("\n")):
        # A program that has other fonts fits them into the same width.
        look |= {"textLength": _width(line, size), "lengthAdjust": "spacingAndGlyphs"}
        parts.append(tag("text", line, x=x, y=first + 1.2 * size * place, **look))
    return join(*parts)


def _wrapped(name: str) -> str:
    """A name in lines that leave more than half of a column to the drawing."""
    return textwrap.fill(clean(name), 26)


HIGH = {"y", "y1", "y2", "cy", "height"}
FOR_THE_PAGE = {"class", "overflow", "viewBox", "preserveAspectRatio", "role", "aria-label"}


def _placed(drawing: Markup, x: float, y: float, wide: float, high: float) -> Markup:
    """A drawing of the page in a box, its percentages and classes resolved."""
    made = _flat(ElementTree.fromstring(drawing), (wide, high), frozenset(), "")
    return tag("g", made, transform=f"translate({x:.2f} {y:.2f})")


def _flat(
    node: ElementTree.Element, box: tuple[float, float], above: frozenset[str], mark: str
) -> Markup:
    own = frozenset(node.get("class", "").split())
    style = _style(node.tag, own, above)
    mark = style.pop("--mark", mark)
    kept: Look = {
        name: float(said[:-1]) / 100 * box[name in HIGH] if said[-1:] == "%" else said
        for name, said in node.attrib.items()
        if name not in FOR_THE_PAGE
    }
    kept |= {name: mark if said == "var(--mark)" else said for name, said in style.items()}
    if node.tag == "svg":
        x, y = (kept.pop(name, 0) for name in ("x", "y"))
        kept["transform"] = f"translate({x} {y})"
    if "points" in kept:  # in percent of its box
        points = np.array([pair.split(",") for pair in str(kept["points"]).split()], float)
        kept["points"] = " ".join(f"{x:.2f},{y:.2f}" for x, y in points * box / 100)
    inner = [_flat(child, box, above | own, mark) for child in node if child.tag != "title"]
    return tag("g" if node.tag == "svg" else node.tag, node.text or "", *inner, **kept)


PAINT = {"--mark", "fill", "color", "opacity"} | {
    "stroke" + of for of in ("", "-width", "-dasharray", "-linecap")
}


@cache
def _rules() -> list[tuple[frozenset[str], str, Mapping[str, str]]]:
    """The page's rules of how classes are painted on white: classes, element within, paint."""
    sheet = files("ordojo.reports").joinpath("static/report.css").read_text("utf-8")
    sheet = re.sub(r"light-dark\((#\w+).*?\)", r"\1", scale_css() + sheet)
    named = {**dict(re.findall(r"(--[\w-]+): (#\w+)", sheet)), "--paper": "#ffffff"}
    found: list[tuple[frozenset[str], str, Mapping[str, str]]] = []
    rule = re.compile(r"^\.([\w.]+)(?: (path))? ?\{(.*)\}$", re.MULTILINE)
    for classes, inner, body in rule.findall(sheet):
        paint: dict[str, str] = {}
        for name, said in re.findall(r"([\w-]+): ?([^;]+)", body):
            value = re.sub(r"var\((--[\w-]+)\)", lambda v: named.get(v[1], v[0]), said)
            if name in PAINT and (wash := re.fullmatch(r"(#\w{6})(\w\w)", value)):
                paint |= {name: wash[1], f"{name}-opacity": f"{int(wash[2], 16) / 255:.2f}"}
            elif name in PAINT:
                paint[name] = value
        found.append((frozenset(classes.split(".")), inner, paint))
    return found


def _style(name: str, own: frozenset[str], above: frozenset[str]) -> dict[str, str]:
    style: dict[str, str] = {}
    for classes, inner, paint in _rules():
        if classes <= (above if inner else own) and inner in ("", name):
            style |= paint
    ink = style.pop("color", "#0f1c26")
    return style | {"fill": ink} if name == "text" else style


Drawn = tuple[list[Markup], float]


def _rows(
    names: Sequence[str],
    drawings: Sequence[Sequence[Markup]],
    least: float,
    width: float,
) -> tuple[list[Markup], tuple[float, float, float]]:
    """Rows of drawings one under the other, each at `least` so high, behind the row's name.

    Also where they begin, how wide they are and where they end.
    """
    left, y = max(map(_width, names)) + 10, 0.0
    wide = width - left - 14
    parts = []
    for name, stack in zip(names, drawings, strict=True):
        step = max(least, (1.2 * NAME * (name.count("\n") + 1) + 6) / len(stack))
        parts += [_text(name, left - 8, y + step * max(1, len(stack) - 1) / 2, "end", NAME)]
        parts += [_placed(one, left, y + step * n, wide, step) for n, one in enumerate(stack)]
        y += step * len(stack)
    return parts, (left, wide, y)


def _forest(item: Forest) -> Drawn:
    # The setting tells lines of one model apart; what follows it is a quoted score's source.
    names = [
        _wrapped(", ".join(filter(None, (one.label, one.note.partition(" · ")[0]))))
        for one in item.lines
    ]
    of = [line.estimate for line in item.lines]
    found = [item.reference, *(x for e in of for x in (e.value, e.low, e.high))]
    scale = range_of([x for x in found if x is not None and x == x] or [0.0])
    ends = scale.low, scale.high
    glyphs = [[interval_glyph(o.estimate, ends, o.kind, item.reference)] for o in item.lines]
    parts, (left, wide, y) = _rows(names, glyphs, 30, COLUMN)
    return [*parts, _placed(axis(ends), left, y + 3, wide, 14)], y + 22


def _bars(item: Bars) -> Drawn:
    ends = reach(item)
    stacks = []
    for values in zip(*(series.values for series in item.series), strict=True):
        # An empty one below keeps the lines whole and categories apart.
        bars = [bar_glyph("", value, ends, item.reference, 5)[0] for value in (*values, None)]
        stacks.append([tag("g", bar, class_=colour_class(n)) for n, bar in enumerate(bars)])
    parts, (left, wide, y) = _rows([*map(_wrapped, item.categories)], stacks, 11, COLUMN)
    parts += [_placed(axis(ends), left, y + 2, wide, 14)]
    parts += [_text(clean(item.unit), left + wide / 2, y + 26)]
    key, below = _key([(one.name, 2) for one in item.series], y + (36 if item.unit else 22))
    return parts + key, below


def _plot(item: Plot) -> Drawn:
    drawn = canvas(item)
    if not drawn:
        return [_text("Nothing to plot.", COLUMN / 2, TEXT)], 2 * TEXT
    inner, _, y, _ = drawn
    high = 170.0
    left = 26 + max(_width(tick_label(tick), TEXT) for tick in y.ticks(6))
    wide = COLUMN - left - 20
    parts = [
        _placed(tag("svg", *inner), left, 6, wide, high),
        _text(clean(item.y), 8, high / 2, turn=-90),
        _text(clean(item.x), left + wide / 2, high + 38),
    ]
    named = [(name, place) for place, (name, _) in enumerate(item.series)]
    key, below = _key(named, high + 48)
    return parts + key, below


def _key(named: Sequence[tuple[str, int]], top: float) -> Drawn:
    """Names beside the colours and shapes of their series, where there are several."""
    if len(named) < 2:
        return [], top
    parts, x, y = [], 8.0, top + 8
    for place, (name, mark) in enumerate(named):
        text = clean(name)
        if x > 8 and x + _width(text) + 14 > COLUMN:
            x, y = 8.0, y + 15
        swatch = tag("g", tag("path", d=shape(mark)), class_=f"legend {colour_class(place)}")
        parts += [_placed(swatch, x, y, 0, 0), _text(text, x + 9, y, "start", NAME)]
        x += _width(text) + 28
    return parts, y + 12


def _heatmap(item: Heatmap, wide: float) -> Drawn:
    share = 100 / len(item.columns)
    rows = []
    for values in item.values:
        cells = []
        for n, value in enumerate(values):
            x = percent(share * n)
            class_ = None
            if value is not None and not math.isnan(value):
                class_ = step_class(value, item.low, item.high)
                box = {"x": x, "width": percent(share * 0.98), "height": "95%"}
                cells.append(tag("rect", class_=class_, **box))
            look: Look = {"y": "50%", "dy": 3, "text_anchor": "middle", "font_size": CELL}
            at = percent(share * (n + 0.5))
            cells.append(tag("text", number(value), x=at, class_=class_, **look))
        rows.append([tag("svg", *cells)])
    parts, (left, wide, y) = _rows([*map(_wrapped, item.rows)], rows, 32, wide)
    heads, below = _heads(item.columns, left, wide / len(item.columns), y, 3)
    return parts + heads, below


def _heads(names: Sequence[str], left: float, step: float, y: float, few: int) -> Drawn:
    """Names below columns, slanted where there are more than a few."""
    told = [*map(_wrapped, names)]
    lines = 1 + max(name.count("\n") for name in told)
    slant = len(told) > few
    high = (max(map(_width, told)) * 0.71 if slant else 0) + 1.2 * NAME * lines + 8
    at = [(left + step * (place + 0.5), name) for place, name in enumerate(told)]
    if slant:
        return [_text(name, x + 4, y + 5 * lines, "end", NAME, -45) for x, name in at], y + high
    return [_text(name, x, y + high / 2, size=NAME) for x, name in at], y + high


def _violins(item: Violins) -> Drawn:
    logs = [np.log10(np.array(values, float)) for _, values in item.rows]
    low, top = (pick(float(one.max()) for one in logs) for pick in (min, max))
    every = np.concatenate(logs)
    scale = Scale(float(every.min()) - 0.2, float(every.max()) + 0.2, flip=True)
    high = 220.0
    left = 26 + max(_width(_power(tick), TEXT) for tick in scale.ticks(8))
    wide = PAGE - left - 8
    step = wide / len(item.rows)
    parts = [_text(clean(item.unit), 8, high / 2, turn=-90)]
    parts += [_placed(tag("svg", *rungs(scale, _power, 8)), left, 0, wide, high)]
    look: Look = {"fill_opacity": 0.7, "stroke": "#52636f", "stroke_width": 0.5}
    for place, (one, (_, values)) in enumerate(zip(logs, item.rows, strict=True)):
        x = left + step * (place + 0.5)
        # A density needs numbers that differ.
        if len(set(one)) > 1:
            redder = 0.7 * (low + top - 2 * float(one.max())) / ((top - low) or 1)
            shade, path = step_class(redder, -1, 1), _outline(one, scale, 0.4 * step, high)
            parts.append(_placed(tag("path", d=path, class_=shade, **look), x, 0, 0, 0))
        middle = statistics.median(values)
        y = scale.at(math.log10(middle)) / 100 * high
        parts += [
            tag("circle", cx=x, cy=y, r=3.5),
            _text(_power(math.log10(middle)), x + 6, y, "start", CELL),
        ]
    heads, below = _heads([name for name, _ in item.rows], left, step, high, 4)
    return parts + heads, below


def _outline(logs: "np.ndarray", scale: Scale, half: float, high: float) -> str:
    """A path about a Gaussian density of the numbers, with Scott's width."""
    at = np.linspace(logs.min(), logs.max(), 60)
    width = logs.std(ddof=1) * len(logs) ** -0.2
    density = np.exp(-(((at[:, None] - logs) / width) ** 2) / 2).sum(axis=1)
    wide = density / density.max() * half
    side = [(float(w), scale.at(float(a)) / 100 * high) for w, a in zip(wide, at, strict=True)]
    points = [*side, *((-w, y) for w, y in reversed(side))]
    return "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in points) + "z"


def _power(exponent: float) -> str:
    value = 10**exponent
    return f"{value:,.0f}" if value >= 10 else f"{value:.3g}"
