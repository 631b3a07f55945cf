"""What holds for all tests."""

import os

import pytest

LONGEST = "training/test_learning.py"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest file goes first: started last it would keep one core busy alone."""
    items.sort(key=lambda item: LONGEST not in item.nodeid)
    if not os.environ.get("ORDOJO_DATA"):
        skip = pytest.mark.skip(reason="needs the published datasets under $ORDOJO_DATA")
        for item in items:
            if item.get_closest_marker("data"):
                item.add_marker(skip)
