"""Accuracy, the three conventions of macro-F1, and the breakdowns."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordojo.benchmarks.orqa import BENCHMARK
from ordojo.benchmarks.orqa.judges import F1_CONVENTIONS, macro_f1
from ordojo.benchmarks.orqa.schema import QUESTION_TYPES, SKILL_OF_TYPE, SKILLS
from ordojo.core.records import SampleRecord
from tests.core.helpers import failed, record

Pair = tuple[str, str | None]


def records(pairs: list[Pair], types: list[str] | None = None) -> list[SampleRecord]:
    kinds = types or ["Q1"] * len(pairs)
    return [
        record(
            f"test-{place:04d}",
            gold,
            said,
            labels={"type": kind, "skill": SKILL_OF_TYPE[kind]},
            cluster=str(place // 2),
        )
        for place, ((gold, said), kind) in enumerate(zip(pairs, kinds, strict=True))
    ]


def value(name: str, pairs: list[Pair]) -> float:
    return BENCHMARK.metrics(records(pairs), "published")[name].value


# A: 2 gold, 1 hit, said once more; B: 1 gold, hit; C: 2 gold, none hit, one unparsed; D: 1 gold,
# unparsed, said twice.
EXAMPLE: list[Pair] = [
    ("A", "A"), ("A", "D"), ("B", "B"), ("C", "A"), ("C", None), ("D", None)
]  # fmt: skip


def test_figures_of_a_small_run_are_those_found_by_hand() -> None:
    assert value("accuracy", EXAMPLE) == pytest.approx(2 / 6)
    assert value("unparsed_rate", EXAMPLE) == pytest.approx(2 / 6)
    # F1 = 2 hits / (gold + said): A 2/(2+2), B 2/(1+1), C 0, D 0/(1+1).
    assert value("macro_f1", EXAMPLE) == pytest.approx((0.5 + 1 + 0 + 0) / 4)
    # Unparsed C becomes D, unparsed D becomes A: A 2/(2+3).
    assert value("macro_f1_published", EXAMPLE) == pytest.approx((0.4 + 1 + 0 + 0) / 4)
    # Both unparsed become gold D said A: A 2/(2+4), C gold once.
    assert value("macro_f1_published_script", EXAMPLE) == pytest.approx((2 / 6 + 1 + 0 + 0) / 4)


def test_the_script_convention_can_tell_two_runs_of_equal_accuracy_apart() -> None:
    silent: list[Pair] = [("A", "A"), ("B", None), ("C", "C"), ("D", "D")]
    wrong: list[Pair] = [("A", "A"), ("B", "C"), ("C", "C"), ("D", "D")]
    assert value("accuracy", silent) == value("accuracy", wrong)
    assert value("macro_f1_published", silent) == value("macro_f1_published", wrong)
    assert value("macro_f1_published_script", silent) != value("macro_f1_published_script", wrong)


@pytest.mark.parametrize("name", F1_CONVENTIONS)
def test_all_right_is_1_and_all_unparsed_is_0(name: str) -> None:
    assert value(name, [(letter, letter) for letter in "ABCD"]) == 1
    assert value(name, [(letter, None) for letter in "ABCD"]) == 0


def slow_f1(pairs: list[tuple[str, str]]) -> float:
    """Macro-F1 over the four letters by precision and recall, as in the textbook."""
    total = 0.0
    for letter in "ABCD":
        hits = sum(gold == said == letter for gold, said in pairs)
        said_at_all = sum(said == letter for _, said in pairs)
        gold_at_all = sum(gold == letter for gold, _ in pairs)
        precision = hits / said_at_all if said_at_all else 0.0
        recall = hits / gold_at_all if gold_at_all else 0.0
        if precision + recall:
            total += 2 * precision * recall / (precision + recall)
    return total / 4


pairs_of_letters = st.lists(
    st.tuples(st.sampled_from("ABCD"), st.sampled_from("ABCD") | st.none()),
    min_size=1,
    max_size=40,
)


@given(pairs_of_letters)
def test_f1_equals_a_slow_count_under_every_convention(pairs: list[Pair]) -> None:
    gold = np.array(["ABCD".index(g) for g, _ in pairs])
    said = np.array([4 if s is None else "ABCD".index(s) for _, s in pairs])
    after = {g: "ABCD"["ABCD".index(g) - 3] for g in "ABCD"}
    slow = {
        "macro_f1": [(g, s or "-") for g, s in pairs],
        "macro_f1_published": [(g, s or after[g]) for g, s in pairs],
        "macro_f1_published_script": [(g, s) if s else ("D", "A") for g, s in pairs],
    }
    for name, convention in F1_CONVENTIONS.items():
        assert macro_f1(*convention(gold, said)) == pytest.approx(slow_f1(slow[name]))


@pytest.mark.parametrize(
    "pairs",
    [
        EXAMPLE,
        [("A", "A")],
        [("B", None)],
        [("A", "A"), ("B", "B")],
        [("C", None)] * 5,
        [("D", "A")] * 9,
        EXAMPLE * 30,
    ],
    ids=len,
)
def test_every_interval_lies_in_0_to_1_around_its_value(pairs: list[Pair]) -> None:
    for name, figure in BENCHMARK.metrics(records(pairs), "published").items():
        if name in F1_CONVENTIONS and figure.clusters < 2:
            assert math.isnan(figure.low) and math.isnan(figure.high), name
        elif not math.isnan(figure.value):
            assert 0 <= figure.low <= figure.high <= 1, name
            assert figure.low <= figure.value <= figure.high or name in F1_CONVENTIONS


def test_nothing_scored_gives_nan_everywhere() -> None:
    nothing: list[list[SampleRecord]] = [
        [],
        [failed("test-0000", "A", {"type": "Q1", "skill": "A"})],
        records([("A", "A")]),
    ]
    for rule, group in zip(["published", "published", "another"], nothing, strict=True):
        figures = BENCHMARK.metrics(group, rule)
        assert all(math.isnan(f.value) and math.isnan(f.low) and f.n == 0 for f in figures.values())


def test_accuracy_comes_first_and_failed_samples_are_left_out() -> None:
    group = [*records(EXAMPLE), failed("x", "A", {"type": "Q1", "skill": "A"})]
    figures = BENCHMARK.metrics(group, "published")
    assert next(iter(figures)) == "accuracy"
    assert (figures["accuracy"].n, figures["accuracy"].clusters) == (6, 3)


def test_types_and_skills_add_up_to_the_whole() -> None:
    kinds = [kind for place, kind in enumerate(QUESTION_TYPES) for _ in range(place + 1)]
    pairs: list[Pair] = [("A", "AB"[place % 3 == 0]) for place in range(len(kinds))]
    figures = BENCHMARK.metrics(records(pairs, kinds), "published")
    for parts in (QUESTION_TYPES, SKILLS):
        shares = [figures[f"accuracy/{part}"] for part in parts]
        assert sum(part.n for part in shares) == len(kinds)
        total = sum(part.n * part.value for part in shares)
        assert total == pytest.approx(figures["accuracy"].value * len(kinds))
    for skill, members in SKILLS.items():
        n = sum(figures[f"accuracy/{kind}"].n for kind in members)
        assert figures[f"accuracy/{skill}"].n == n
    assert figures["accuracy/Q7"].n == 7
