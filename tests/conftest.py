"""What holds for all tests."""

import gc
import os
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from ordojo.benchmarks.or_debug import adversaries

LONG = (
    "training/test_learning.py",
    "reports/test_papers_run.py",
    "structures/test_chain.py",
    "conformance/test_conformance.py",
    "conformance/test_doors.py",
    "training/test_recipes.py",
    "evaluation/test_agent.py",
    "sandbox/test_attacks.py",
    "sandbox/test_idioms.py",
    "docs/test_examples.py",
    "determinism/test_bytes.py",
    "cli/test_grade.py",
    "cli/test_outputs.py",
    "nl2opt/test_benchmark.py",
    "or_debug/test_adversaries.py",
    "compat/test_service_attacks.py",
    "benchmarks/test_hardness.py",
    "training/test_stops.py",
    "evaluation/test_embedded.py",
    "pages/test_axe.py",
)
"""Files that take longest, as they are begun: one that is begun last keeps a core busy alone."""

# A machine that is busy with other things fails no test.
settings.register_profile(
    "unhurried", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("unhurried")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    ranks = {name: place for place, name in enumerate(LONG)}
    items.sort(key=lambda item: ranks.get("/".join(item.path.parts[-2:]), len(LONG)))
    if not os.environ.get("ORDOJO_DATA"):
        skip = pytest.mark.skip(reason="needs the published datasets under $ORDOJO_DATA")
        for item in items:
            if item.get_closest_marker("data"):
                item.add_marker(skip)


def pytest_collection_finish() -> None:
    """What is collected stays: neither the collector nor a forked child need look at it again."""
    gc.freeze()


@pytest.fixture(autouse=True, scope="session")
def _fitted_to_few() -> Iterator[None]:
    """Two problems a kind are enough to see that an adversary is fitted; eight take a minute."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(adversaries, "FITTED", 2)
        yield


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say how long each tutorial takes."""
    for report in terminalreporter.stats.get("passed", []):
        for key, value in report.user_properties:
            if key == "walk":
                terminalreporter.write_line(str(value))
