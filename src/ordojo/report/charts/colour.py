"""Colour scales that read without colour vision: interpolated in OKLab, one for each theme."""

from collections.abc import Sequence

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
        "#0b6aa2",
        "#c8421f",
        "#00806a",
        "#a06c00",
        "#8a3f8f",
        "#4a5a66",
        "#3a9ad0",
        "#e08a5a",
    ),
    "dark": (
        "#63b8e8",
        "#ff8a5c",
        "#3fd0ac",
        "#e8b93e",
        "#d793db",
        "#a9b8c2",
        "#2f86bd",
        "#b8633c",
    ),
}

Rgb = tuple[float, float, float]


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
    """`STEPS` colours through the anchors."""
    labs = [_to_oklab(parse(anchor)) for anchor in anchors]
    found = []
    for index in range(STEPS):
        place = index / (STEPS - 1) * (len(labs) - 1)
        left = min(int(place), len(labs) - 2)
        t = place - left
        a, b, c = (p + (q - p) * t for p, q in zip(labs[left], labs[left + 1], strict=True))
        found.append(_hex(_from_oklab((a, b, c))))
    return found


def ink_on(background: str) -> str:
    """Black or white, whichever contrasts more."""
    return max(("#000000", "#ffffff"), key=lambda ink: contrast(ink, background))


def contrast(first: str, second: str) -> float:
    """WCAG's contrast ratio of two colours."""
    light, dark = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def parse(colour: str) -> Rgb:
    """Linear RGB of `#rrggbb`."""
    r, g, b = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return _linear(r), _linear(g), _linear(b)


def _linear(c: float) -> float:
    return float(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4)


def _luminance(colour: str) -> float:
    r, g, b = parse(colour)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def _hex(rgb: Rgb) -> str:
    out = "#"
    for c in rgb:
        c = min(max(c, 0.0), 1.0)
        c = 12.92 * c if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055
        out += f"{round(c * 255):02x}"
    return out


def _to_oklab(rgb: Rgb) -> Rgb:
    r, g, b = rgb
    x = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)
    y = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    z = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        0.2104542553 * x + 0.7936177850 * y - 0.0040720468 * z,
        1.9779984951 * x - 2.4285922050 * y + 0.4505937099 * z,
        0.0259040371 * x + 0.7827717662 * y - 0.8086757660 * z,
    )


def _from_oklab(lab: Rgb) -> Rgb:
    light, a, b = lab
    x = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
    y = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
    z = (light - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z,
        -1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z,
        -0.0041960863 * x - 0.7034186147 * y + 1.7076147010 * z,
    )
