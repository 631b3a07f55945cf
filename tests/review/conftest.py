from pathlib import Path

import pytest

from ordojo.review import ReviewItem, ReviewQueue

REASONS = ("wrong order", "sensitive", "other")


def question(name: str) -> ReviewItem:
    return ReviewItem(
        id=name,
        title=f"Question {name}",
        fields={"Question": f"What is {name}?", "Answer": "A, B, C, D", "Article": "Long ago."},
        editable=("Question", "Answer"),
        notes=("agreement: 4 of 5",),
        data={"source": name},
    )


def reasoning(name: str) -> ReviewItem:
    return ReviewItem(
        id=name,
        title=f"Chain {name}",
        fields={"Question": "Which?"},
        parts=("First this.", "Then that."),
        labels=("correct", "incorrect-logic"),
    )


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """One item that is labelled, and whose text can be edited, too."""
    path = tmp_path / "texts"
    more = {"fields": {"Text": "Some."}, "editable": ("Text",), "data": {"folder": str(path)}}
    item = reasoning("t").model_copy(update=more)
    ReviewQueue.create(path, [item], title="Texts", reasons=REASONS)
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "queue"
    # A queue's port follows from its items: tests that run side by side must not share one.
    own = {"folder": str(path)}
    items = [question(n) for n in ("q1", "q2", "q3")]
    items = [item.model_copy(update={"data": {**item.data, **own}}) for item in items]
    ReviewQueue.create(path, items, title="Econ", reasons=REASONS)
    return path


@pytest.fixture
def chains(tmp_path: Path) -> Path:
    path = tmp_path / "chains"
    items = [reasoning(n).model_copy(update={"data": {"folder": str(path)}}) for n in ("c1", "c2")]
    ReviewQueue.create(path, items, title="Chains", reasons=REASONS)
    return path
