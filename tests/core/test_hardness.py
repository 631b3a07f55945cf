"""Hardness: the guesser of choices, folds, what is kept, and the battery of any benchmark."""

import json
import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordojo.core.hardness import Battery, Hardness, HardnessFinding, fit, folds, held_out, measured
from ordojo.core.instance import Certificate, Instance
from ordojo.core.panels import Published


def questions(count: int) -> tuple[list[list[dict[str, float]]], list[int]]:
    rng = np.random.default_rng(1)
    asked, answers = [], []
    for _ in range(count):
        right = int(rng.integers(4))
        asked.append(
            [
                {"noise": float(rng.normal()), **({"mark": 1.0} if k == right else {})}
                for k in range(4)
            ]
        )
        answers.append(right)
    return asked, answers


def guessed(asked: list[list[dict[str, float]]], answers: list[int]) -> list[int]:
    def learn(rows: list[int]) -> Callable[[int], int]:
        model = fit([asked[i] for i in rows], [answers[i] for i in rows])
        return lambda i: int(np.argmax(model(asked[i])))

    return held_out(range(len(asked)), range(len(asked)), learn)


def test_a_guesser_finds_the_mark_and_nothing_where_there_is_none() -> None:
    asked, answers = questions(60)
    assert guessed(asked, answers) == answers
    wrong = np.random.default_rng(2).integers(4, size=60).tolist()
    blind = [[{k: v for k, v in option.items() if k == "noise"} for option in q] for q in asked]
    assert sum(a == b for a, b in zip(guessed(blind, wrong), wrong, strict=True)) < 30
    assert fit([], [])([{"new": 1.0}, {}]).tolist() == [0.0, 0.0]


def test_a_guesser_never_sees_what_it_is_measured_on() -> None:
    def learn(rows: list[int]) -> Callable[[int], set[int]]:
        return lambda i: set(rows) & {i, i ^ 1}

    assert held_out(range(20), [i // 2 for i in range(20)], learn) == [set()] * 20
    assert held_out([1, 2], [0, 1], learn, [5, 2]) == [set(), {2}]


@given(st.lists(st.integers(0, 12), max_size=40))
def test_a_group_lies_in_one_fold_and_every_row_in_one(groups: list[int]) -> None:
    parts = folds(groups)
    assert sorted(i for part in parts for i in part) == list(range(len(groups)))
    where = {i: k for k, part in enumerate(parts) for i in part}
    assert all(len({where[i] for i, g in enumerate(groups) if g == one}) == 1 for one in groups)


def result(scores: list[float], published: float = 0.4) -> Hardness:
    instances = [
        Instance(f"i{k}", "toy", "1", k, Certificate("key", {}), f"i{k}", {"type": "AB"[k % 2]})
        for k in range(len(scores))
    ]
    shortcuts = (
        measured("blind", "nothing", instances, [0.0] * len(scores)),
        measured("lucky", "luck", instances, scores, other=[1.0] * len(scores)),
    )
    quoted = (
        Published("m", "", published, "paper", dataset="toy@1"),
        Published("m", "better", published + 0.2, "paper", dataset="toy@1"),
        Published("other", "", 0.99, "paper", dataset="another"),
    )
    battery = Battery("accuracy", shortcuts, (HardnessFinding("leak", 1, 2, "said"),), quoted)
    return Hardness("toy", "Toy", "1", "toy@1", "0" * 64, len(scores), "the rest", battery)


def test_the_line_is_the_best_shortcut_and_only_its_own_scores_are_held_against_it() -> None:
    found = result([1.0, 0.0, 1.0, 0.0])
    assert found.line[0] == "lucky" and found.line[1].value == 0.5
    assert found.battery.shortcuts[1].by["A"].value == 1.0
    assert "0 of 1 published models have no more, and the best, m, has 0.600" in str(found)
    assert found.battery.line("other")[1].value == 1.0


def test_what_is_kept_is_read_again() -> None:
    found = result([1.0, 0.0], math.nan)
    text = json.dumps(found.to_json(), allow_nan=False)
    again = Hardness.from_json(json.loads(text))
    assert str(again) == str(found) and again.battery.shortcuts == found.battery.shortcuts
    row = json.loads(text)
    row["battery"]["metric"] = 3
    with pytest.raises(ValueError, match=r"battery.metric: "):
        Hardness.from_json(row)
