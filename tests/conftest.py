"""What holds for all tests."""

import os
from typing import Any

import pytest

from ordojo.benchmarks.or_debug import adversaries

LONG = (
    "training/test_learning.py",
    "training/test_stops.py",
    "pages/test_axe.py",
    "evaluation/test_embedded.py",
    "orqa/test_build.py",
    "datasets/test_nl2opt_published.py",
    "docs/test_examples.py",
    "determinism/test_bytes.py",
    "docs/test_add_a_benchmark.py",
    "sandbox/test_idioms.py",
    "training/test_serve.py",
)
"""Files that take longest, as they are begun: one that is begun last keeps a core busy alone."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    ranks = {name: place for place, name in enumerate(LONG)}
    items.sort(key=lambda item: ranks.get("/".join(item.path.parts[-2:]), len(LONG)))
    if not os.environ.get("ORDOJO_DATA"):
        skip = pytest.mark.skip(reason="needs the published datasets under $ORDOJO_DATA")
        for item in items:
            if item.get_closest_marker("data"):
                item.add_marker(skip)


@pytest.fixture(autouse=True, scope="session")
def _few() -> None:
    """Two problems a kind are enough to see that an adversary is fitted; eight take a minute."""
    adversaries.FITTED = 2


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say how long each tutorial takes."""
    for report in terminalreporter.stats.get("passed", []):
        for key, value in report.user_properties:
            if key == "walk":
                terminalreporter.write_line(str(value))
