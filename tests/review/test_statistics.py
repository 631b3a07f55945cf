import math
from pathlib import Path

import pytest

from ordojo.review import ReviewQueue, cohen_kappa, statistics


def test_kappa_of_the_textbook_example() -> None:
    # 50 grants, two readers: 20 both yes, 15 both no, 5 and 10 apart; kappa = 0.4.
    pairs = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    assert cohen_kappa(pairs) == pytest.approx(0.4)
    assert cohen_kappa([("a", "a"), ("b", "b")]) == 1
    assert math.isnan(cohen_kappa([]))
    assert math.isnan(cohen_kappa([("a", "a")] * 3))


def test_counts_reasons_and_reviewers(folder: Path) -> None:
    with ReviewQueue.open(folder, write=True) as queue:
        queue.decide("q1", "edit", "ann", fields={"Answer": "B, A, C, D"})
        queue.decide("q2", "reject", "ann", reason="sensitive")
        queue.decide("q3", "reject", "ann", reason="sensitive")
        queue.decide("q1", "accept", "bob")
        queue.decide("q2", "accept", "bob")
        queue.decide("q3", "reject", "bob", reason="wrong order")
        found = statistics(queue)
    assert (found.items, found.decided, found.accepted, found.edited, found.rejected) == (
        3,
        3,
        2,
        0,
        1,
    )
    assert found.reasons == {"wrong order": 1}
    assert found.reviewers == {
        "ann": {"edit": 1, "reject": 2},
        "bob": {"accept": 2, "reject": 1},
    }
    (pair,) = found.agreement
    assert (pair.reviewers, pair.unit, pair.n) == (("ann", "bob"), "items", 3)
    assert pair.observed == pytest.approx(2 / 3)
    assert pair.kappa == pytest.approx(0.4)


def test_agreement_on_labels_of_items_and_parts(chains: Path) -> None:
    with ReviewQueue.open(chains, write=True) as queue:
        for who, parts in (
            ("ann", ["correct", "correct"]),
            ("bob", ["correct", "incorrect-logic"]),
        ):
            queue.decide("c1", "label", who, label="correct", parts=parts)
            queue.decide("c2", "label", who, parts=["correct", ""])
        found = statistics(queue)
    assert (found.decided, found.labelled, found.labels) == (1, 1, {"correct": 1})
    assert [(a.unit, a.n, a.observed) for a in found.agreement] == [
        ("items", 1, 1),
        ("parts", 2, 0.5),
    ]
    assert found.to_json()["agreement"][0]["kappa"] is None
