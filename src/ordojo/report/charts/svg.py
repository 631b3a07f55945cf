"""Elements of SVG and HTML, escaped, and the arithmetic of axes."""

import math

from markupsafe import Markup, escape

from ordojo.report.text import clean

Attribute = str | int | float | None


def tag(name: str, *children: str, **attributes: Attribute) -> Markup:
    """An element; text is escaped, `Markup` is not.

    `class_` means `class`, underscores mean hyphens, and None leaves an attribute out.
    """
    parts = [name]
    for key, value in attributes.items():
        if value is not None:
            spelt = f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else value
            parts.append(f'{key.rstrip("_").replace("_", "-")}="{safe(str(spelt))}"')
    inner = "".join(safe(child) for child in children)
    return Markup(f"<{' '.join(parts)}>{inner}</{name}>")


def safe(text: str) -> Markup:
    """Text as HTML; `Markup` passes."""
    return text if isinstance(text, Markup) else escape(clean(text))


def join(*parts: str) -> Markup:
    """One piece of markup from several."""
    return Markup("").join(safe(part) for part in parts)


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
    return f"{value:,.6g}".replace("-", "−")
