import json
from pathlib import Path

import pytest

from ordojo.review import ReviewQueue, statistics
from ordojo.review.model import label_with_model, read_labels

from .conftest import reasoning

GOOD = {"parts": ["correct", "incorrect-logic"], "whole": "incorrect-logic"}


@pytest.mark.parametrize(
    "reply",
    [
        json.dumps(GOOD),
        f"Here you are:\n```json\n{json.dumps(GOOD, indent=2)}\n```\nI hope {{this}} helps.",
        '{"note": 1} {"parts": ["Correct.", "Incorrect logic"], "whole": "INCORRECT_LOGIC"}',
        '{"parts": [{"step": 1, "label": "correct"}, {"label": "incorrect-logic: no"}], '
        '"whole": {"label": "incorrect-logic"}}',
    ],
)
def test_labels_are_read_however_they_are_wrapped(reply: str) -> None:
    assert read_labels(reply, reasoning("c")) == ["correct", "incorrect-logic", "incorrect-logic"]


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "{" * 5000,
        '{"a":' * 3000,
        "correct, incorrect-logic, correct",
        '{"parts": ["correct"], "whole": "correct"}',
        '{"parts": ["correct", "superb"], "whole": "correct"}',
        '{"parts": ["correct", null], "whole": "correct"}',
        '{"parts": "correct", "whole": "correct"}',
        '{"whole": "correct"}',
    ],
)
def test_other_replies_are_unreadable(reply: str) -> None:
    assert read_labels(reply, reasoning("c")) is None


def test_a_model_labels_what_nobody_touched_and_people_have_the_last_word(chains: Path) -> None:
    replies = {"c1": "no idea", "c2": json.dumps(GOOD)}
    asked: list[str] = []

    def generate(
        prompt: str, *, max_tokens: int = 1024, temperature: float = 0.0, seed: int = 0
    ) -> str:
        asked.append(prompt)
        return replies[prompt]

    with ReviewQueue.open(chains, write=True) as queue:
        first = label_with_model(queue, generate, "judge", lambda item: item.id)
        assert (first.labelled, first.unreadable, first.skipped) == (1, 1, 0)
        again = label_with_model(queue, generate, "judge", lambda item: item.id)
        assert (again.labelled, again.unreadable, again.skipped) == (0, 1, 1)
        assert asked == ["c1", "c2", "c1"]
        by_model = queue.current("c2")
        assert by_model is not None
        assert (by_model.reviewer, by_model.comment) == ("model:judge", json.dumps(GOOD))
        queue.decide("c2", "label", "ann", label="correct", parts=["correct", "correct"])
        now = queue.current("c2")
        assert now is not None and now.reviewer == "ann"
        parts = [a for a in statistics(queue).agreement if a.unit == "parts"]
        assert (parts[0].n, parts[0].observed) == (2, 0.5)
