"""How often the readers err on the corpora: on the parts to be written on, and on the others.

The bounds of a held-out part are its last measurement, rounded up: they say when a reader gets
worse, and are not to be met by looking at the items. See README.md.
"""

import json
import math
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from ordojo.benchmarks.or_bias.reading import read_quantity_by
from ordojo.core.readers.letters import read_letter
from ordojo.core.readers.orders import read_last
from ordojo.core.readers.values import read_objective


def value(item: Mapping[str, Any]) -> float | None:
    stated = read_objective(item["text"])
    known = stated is not None and stated.value is not None and math.isfinite(stated.value)
    return stated.value if stated is not None and known else None


def letter(item: Mapping[str, Any]) -> str | None:
    return read_letter(item["text"], item["options"])


def order(item: Mapping[str, Any]) -> str | None:
    return "".join(read_last(item["text"]) or ()) or None


def quantity(item: Mapping[str, Any]) -> float | None:
    return read_quantity_by(item["text"])[0]


Bounds = tuple[float, float, float]
"""Largest shares of misread, unread and invented answers."""

BOUNDS: list[tuple[str, Callable[[Mapping[str, Any]], Any], str, Bounds]] = [
    ("values", value, "dev", (0.0, 0.05, 0.005)),
    ("letters", letter, "dev", (0.0, 0.015, 0.0)),
    ("letters", letter, "2.dev", (0.0, 0.005, 0.0)),
    ("orders", order, "dev", (0.0, 0.015, 0.0)),
    ("orders", order, "2.dev", (0.0, 0.005, 0.0)),
    ("orders", order, "3.dev", (0.0, 0.01, 0.0)),
    ("orders", order, "hard", (0.0, 0.02, 0.005)),
    ("quantities", quantity, "dev", (0.0, 0.005, 0.0)),
    ("quantities", quantity, "2.dev", (0.0, 0.0, 0.0)),
    ("quantities", quantity, "hard", (0.0, 0.007, 0.004)),
    ("letters", letter, "4.dev", (0.0, 0.01, 0.0)),
    ("orders", order, "4.dev", (0.0, 0.015, 0.0)),
    ("quantities", quantity, "4.dev", (0.0, 0.01, 0.0)),
    ("values", value, "4.dev", (0.005, 0.025, 0.0)),
    ("quantities", quantity, "5.dev", (0.0, 0.0, 0.0)),
    ("quantities", quantity, "6.dev", (0.007, 0.02, 0.0)),
    ("quantities", quantity, "7.dev", (0.0, 0.015, 0.0)),
    ("values", value, "5.dev", (0.0, 0.0, 0.01)),
    ("values", value, "heldout", (0.027, 0.145, 0.02)),
    ("letters", letter, "heldout", (0.02, 0.055, 0.01)),
    ("orders", order, "heldout", (0.0, 0.075, 0.01)),
    ("letters", letter, "2.heldout", (0.01, 0.005, 0.01)),
    ("orders", order, "2.heldout", (0.01, 0.04, 0.02)),
    ("quantities", quantity, "heldout", (0.0, 0.02, 0.04)),
    ("letters", letter, "3.heldout", (0.01, 0.16, 0.02)),
    ("orders", order, "3.heldout", (0.01, 0.16, 0.06)),
    ("quantities", quantity, "2.heldout", (0.04, 0.11, 0.02)),
    ("letters", letter, "4.heldout", (0.01, 0.03, 0.0)),
    ("orders", order, "4.heldout", (0.01, 0.03, 0.01)),
    ("quantities", quantity, "4.heldout", (0.0, 0.07, 0.07)),
    ("values", value, "4.heldout", (0.04, 0.06, 0.01)),
    ("letters", letter, "5.heldout", (0.0, 0.0, 0.0)),
    ("orders", order, "5.heldout", (0.0, 0.01, 0.0)),
    ("quantities", quantity, "8.heldout", (0.005, 0.055, 0.025)),
    ("values", value, "9.dev", (0.01, 0.07, 0.03)),
    ("values", value, "9.heldout", (0.01, 0.04, 0.02)),
    ("quantities", quantity, "9.heldout", (0.0, 0.02, 0.01)),
    ("values", value, "6.heldout", (0.034, 0.134, 0.02)),
]


def outcome(truth: Any, said: Any) -> str:
    if said is None:
        return "right" if truth is None else "unread"
    if truth is None:
        return "invented"
    same = math.isclose(said, truth, rel_tol=1e-6) if isinstance(said, float) else said == truth
    return "right" if same else "misread"


@pytest.mark.parametrize(("corpus", "read", "part", "bounds"), BOUNDS)
def test_error_rates_stay_within_bounds(
    corpus: str, read: Callable[[Mapping[str, Any]], Any], part: str, bounds: Bounds
) -> None:
    path = Path(__file__).with_name(f"{corpus}.{part}.jsonl")
    items = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    counts = Counter(outcome(item["truth"], read(item)) for item in items)
    rates = {kind: counts[kind] / len(items) for kind in ("misread", "unread", "invented")}
    print(f"{corpus}, {part}, {len(items)} items:", {k: f"{r:.1%}" for k, r in rates.items()})
    # Only the counts may be shown: an item of the held-out part must not be.
    beyond = [kind for kind, bound in zip(rates, bounds, strict=True) if rates[kind] > bound]
    assert not beyond, f"{corpus}, {part}: {counts}"
