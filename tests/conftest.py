"""What holds for all tests."""

import pytest

LONGEST = "training/test_learning.py"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest file goes first: started last it would keep one core busy alone."""
    items.sort(key=lambda item: LONGEST not in item.nodeid)
