"""Text that is safe to show: hostile characters made visible, numbers, file names, script data."""

import base64
import json
import math
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ordojo.core.statistics import Estimate

DASH = "–"
"""Shown where there is no number."""

_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff"
    "\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]"
)


def clean(text: str) -> str:
    """Replace what a page must not carry: controls, lone surrogates, direction overrides.

    C0 controls become their control pictures; the rest becomes U+FFFD. Tabs and newlines stay.
    """
    return _UNSAFE.sub(lambda found: _picture(ord(found.group())), text)


def _picture(code: int) -> str:
    return chr(0x2400 + code) if code < 0x20 else "\ufffd"


def number(value: float | int | None) -> str:
    """Spell a number for reading: three decimals below ten, thousands marked, NaN as a dash."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return DASH
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}".replace("-", "−")
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    places = 3 if abs(value) < 10 else 2 if abs(value) < 100 else 1
    text = f"{value:,.{places}f}"
    return text.removeprefix("-") if float(text.replace(",", "")) == 0 else text.replace("-", "−")


def signed(value: float) -> str:
    """Spell a difference with its sign."""
    text = number(value)
    return text if text == DASH or text[0] == "−" or float(value) == 0 else f"+{text}"


def short_difference(value: float) -> str:
    """A difference in two decimals, without the leading zero, for narrow cells."""
    text = f"{abs(value):.2f}"
    if float(text) == 0:
        return "0"
    return ("−" if value < 0 else "+") + text.removeprefix("0")


def interval(estimate: Estimate) -> str:
    """The 95% interval as text, a dash where there is none."""
    if math.isnan(estimate.low) or math.isnan(estimate.high):
        return DASH
    joint = "–" if estimate.low >= 0 else " to "
    return f"{number(estimate.low)}{joint}{number(estimate.high)}"


def p_value(value: float) -> str:
    """A p-value as it is usually written."""
    if math.isnan(value):
        return DASH
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def slugs(names: Iterable[str]) -> dict[str, str]:
    """File names for run names: plain ASCII, distinct even where case does not count."""
    taken: set[str] = set()
    found: dict[str, str] = {}
    for name in names:
        base = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.")[:80] or "run"
        slug, count = base, 1
        while slug.lower() in taken:
            count += 1
            slug = f"{base}-{count}"
        taken.add(slug.lower())
        found[name] = slug
    return found


def finite(value: Any) -> Any:
    """The JSON value with every NaN and infinity turned into None."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {str(key): finite(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [finite(item) for item in value]
    return value


def script(key: str, value: Any) -> str:
    r"""A script file that puts `value` under `key` of the global `ORDOJO`.

    Pure ASCII, without `<`, U+2028 or U+2029, and read by `JSON.parse`, so a hostile text or a
    key such as `__proto__` stays data.
    """
    literal = json.dumps(_json(value)).replace("<", "\\u003c")
    return _put(key, f"JSON.parse({literal})")


def packed_script(key: str, value: Any) -> str:
    """As `script`, with the JSON by zlib and in base64, which the page opens: a tenth of the bytes
    where prompts, notes and drawings repeat.
    """
    packed = base64.b64encode(zlib.compress(_json(value).encode("ascii"))).decode("ascii")
    return _put(key, json.dumps(packed))


def _json(value: Any) -> str:
    try:
        return json.dumps(value, separators=(",", ":"), allow_nan=False)
    except ValueError:
        return json.dumps(finite(value), separators=(",", ":"), allow_nan=False)


def _put(key: str, expression: str) -> str:
    return f"(self.ORDOJO=self.ORDOJO||{{}})[{json.dumps(key)}]={expression};\n"
