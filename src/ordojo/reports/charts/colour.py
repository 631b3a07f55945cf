"""Colour scales that read without colour vision, one for each theme."""

from collections.abc import Sequence

import numpy as np

STEPS = 21
"""Classes of a scale: `s0` to `s20` sequential, `d0` to `d20` diverging."""

SEQUENTIAL = {
    "light": ("#f1f5f7", "#bcd9e6", "#63a8ca", "#1b6b9c", "#07304f"),
    "dark": ("#15212a", "#1b4661", "#2a7cab", "#78c2e6", "#e2f4fd"),
}
DIVERGING = {
    "light": ("#8f2a0c", "#dc7b52", "#f5f5f3", "#6aaed2", "#0a4a78"),
    "dark": ("#ffa07c", "#a84a26", "#1a242c", "#2c6f9c", "#83cdf2"),
}
CATEGORIES = {
    "light": (
        *("#0b6aa2", "#c8421f", "#00806a", "#a06c00"),
        *("#8a3f8f", "#4a5a66", "#3a9ad0", "#e08a5a"),
    ),
    "dark": (
        *("#63b8e8", "#ff8a5c", "#3fd0ac", "#e8b93e"),
        *("#d793db", "#a9b8c2", "#2f86bd", "#b8633c"),
    ),
}


def scale_css() -> str:
    """The style rules of every colour class, with a legible text colour each, in both themes."""
    lines = []
    for letter, anchors in (("s", SEQUENTIAL), ("d", DIVERGING)):
        light, dark = (steps(anchors[theme]) for theme in ("light", "dark"))
        for index, (a, b) in enumerate(zip(light, dark, strict=True)):
            ink = f"light-dark({ink_on(a)},{ink_on(b)})"
            fill = f"light-dark({a},{b})"
            lines.append(f".{letter}{index}{{background-color:{fill};fill:{fill};color:{ink}}}")
    for index, (a, b) in enumerate(zip(*CATEGORIES.values(), strict=True)):
        lines.append(f".c{index}{{--mark:light-dark({a},{b})}}")
    return "\n".join(lines) + "\n"


def step_class(value: float, low: float, high: float) -> str:
    """The class of `value` in [low, high]; diverging, about zero, where the range spans it."""
    if low < 0 < high:
        reach = max(-low, high)
        return f"d{_step((value + reach) / (2 * reach))}"
    return f"s{_step((value - low) / (high - low) if high > low else 0.0)}"


def _step(share: float) -> int:
    return round(min(max(share, 0.0), 1.0) * (STEPS - 1))


def steps(anchors: Sequence[str]) -> list[str]:
    """`STEPS` colours through the anchors, which stand close enough for plain interpolation."""
    parts = [[int(anchor[i : i + 2], 16) for anchor in anchors] for i in (1, 3, 5)]
    places = np.linspace(0, len(anchors) - 1, STEPS)
    mixed = [np.interp(places, range(len(anchors)), part).round().astype(int) for part in parts]
    return [f"#{r:02x}{g:02x}{b:02x}" for r, g, b in zip(*mixed, strict=True)]


def ink_on(background: str) -> str:
    """Black or white, whichever contrasts more."""
    return max(("#000000", "#ffffff"), key=lambda ink: contrast(ink, background))


def contrast(first: str, second: str) -> float:
    """WCAG's contrast ratio of two colours."""
    light, dark = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return float(0.2126 * r + 0.7152 * g + 0.0722 * b)
