"""Figures about the datasets that others found or published, with their sources."""

import csv
from collections.abc import Mapping
from importlib import resources

_TABLE = resources.files("ordojo.datasets.nl2opt").joinpath("published.csv").read_text("utf-8")
_ROWS = tuple(csv.DictReader(_TABLE.splitlines()))

EVALUATED: Mapping[str, str] = {row["name"]: row["evaluated"] for row in _ROWS}
"""The version nearest to the one that the paper's tables 1, 7 and 8 were computed on."""

PUBLISHED_SIZES: Mapping[str, int] = {row["name"]: int(row["items"]) for row in _ROWS}
"""Items by the paper's figure 10 (arXiv paper 003)."""

ERROR_RATES: Mapping[str, float] = {
    row["name"]: float(row["error_rate"]) for row in _ROWS if row["error_rate"]
}
"""Share of wrong items in the original sets, lower bounds (survey of Xiao et al., 2025)."""

_OTHERS = ("name", "evaluated", "items", "error_rate")

SCENARIOS: Mapping[str, Mapping[str, int]] = {
    row["name"]: {column: int(row[column]) for column in row if column not in _OTHERS}
    for row in _ROWS
}
"""Items by application, as the paper's table 3 labels them; no file carries these labels."""

BUCKETS: tuple[tuple[str, int], ...] = (("<500", 500), ("<1,000", 1_000), ("<10,000", 10_000))
"""Scales by variables + constraints (figure 5); whatever is larger is LARGEST."""

LARGEST = ">=10,000"

PUBLISHED_BUCKETS: Mapping[str, int] = {"<500": 46, "<1,000": 21, "<10,000": 72, LARGEST: 84}
"""MIPLIB-NL's instances by scale, figure 5."""


def bucket(size: int) -> str:
    """The scale of a model with `size` variables and constraints together."""
    return next((name for name, limit in BUCKETS if size < limit), LARGEST)
