"""Answers as models write them, and the order quantity that a person reads in each."""

import json
import math
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ordojo.benchmarks.or_bias.amounts import amounts, clean
from ordojo.benchmarks.or_bias.reading import FAILURES, RULES, read_quantity_by
from ordojo.core.conformance import GARBAGE

ANSWERS: list[dict[str, Any]] = [
    json.loads(line)
    for line in Path(__file__).with_name("answers.jsonl").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: answer["note"])
def test_an_answer_is_read_as_a_person_would(answer: dict[str, Any]) -> None:
    expected = answer["value"]
    read = read_quantity_by(answer["text"])[0]
    assert read == (None if expected is None else pytest.approx(expected, rel=1e-12))


def test_there_are_over_200_answers_and_none_stands_twice() -> None:
    assert len(ANSWERS) == len({answer["text"] for answer in ANSWERS}) > 200
    assert all(set(answer) == {"text", "value", "note"} for answer in ANSWERS)
    assert sum(answer["value"] is None for answer in ANSWERS) >= 25


def test_every_rule_and_every_failure_is_met_by_the_answers() -> None:
    met = {read_quantity_by(answer["text"])[1] for answer in ANSWERS}
    assert met == {*RULES, *FAILURES}


@pytest.mark.parametrize(
    ("text", "value", "rule"),
    [
        (" 74 units\n", 74, "bare"),
        ("Final answer: 74. Q = 80", 74, "final"),
        (" 74 units.\nThe mean is 100, so Q = 80.", 74, "opening"),
        ("Q = 80 in theory.\nOrder quantity: 74\nThis beats Q = 90.", 74, "label"),
        ("I would order 80. So I order 74 units.", 74, "statement"),
        ("z = -1.28\n100 - 25.6 = 74.4", 74.4, "last line"),
        ("The mean is 100 but 74 sounds right.", 74, "only number"),
        ("", None, "empty"),
        ("No idea.", None, "no number"),
        ("Order quantity: 70 to 80", None, "range"),
        ("Some 74, some 75.", None, "several numbers"),
    ],
)
def test_the_rule_that_read_it_is_named(text: str, value: float | None, rule: str) -> None:
    assert read_quantity_by(text) == (value, rule)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,234", 1234),
        ("12,34", 12.34),
        ("0,123", 0.123),
        ("0,123.4", 123.4),
        ("0,123,456", 123_456),
        ("1,00,000", 100_000),
        ("1.234", 1.234),
        ("1.234.567", 1_234_567),
        ("1.234,5", 1234.5),
        ("120 000", 120_000),
        ("12 345,6", 12_345.6),
        (".5", 0.5),
        ("1.5E3", 1500),
        ("2 * 10**2", 200),
        ("3 1/4", 3.25),
        ("9/4", 2.25),
        ("minus five", None),
        ("twelve hundred", 1200),
        ("half a dozen", 6),
        ("two and a half", 2.5),
        ("a thousand and one", 1001),
        ("three hundred and forty-five thousand six hundred and seventy-eight", 345_678),
        ("two million", 2_000_000),
    ],
)
def test_one_number_is_written_in_many_ways(text: str, value: float | None) -> None:
    found = [amount.value for amount in amounts(clean(text))]
    assert found == [-5.0 if value is None else value]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("100 200 300", [100, 200, 300]),
        ("1, 2 and 3", [1, 2, 3]),
        ("one two three", []),
        ("P50, x2 and z_0.9", []),
        ("twenty and thirty", [20, 30]),
        ("10^3", [10]),
    ],
)
def test_several_numbers_stay_apart(text: str, values: list[float]) -> None:
    assert [amount.value for amount in amounts(clean(text))] == values


@example(0.5, "Order quantity: {}", "{:.15e}".format)
@given(
    st.floats(0, 1e9).map(lambda value: round(value, 2)),
    st.sampled_from(
        [
            " {}",
            "Order quantity: {}",
            "**Order quantity:** {} units",
            "I would order {} units.",
            r"$$Q^* = \mu + z\sigma = 100 + (-1.28)(20) \approx {} \text{{ units}}$$",
            "The critical ratio is 0.1.\n\nFinal answer: {}",
            r"So we get \boxed{{{}}}",
            "The mean is 100, the price $60. You should order **{}** loaves.",
        ]
    ),
    st.sampled_from([str, "{:.2f}".format, "{:,.2f}".format, "{:.15e}".format]),
)
def test_whatever_is_written_is_read(value: float, frame: str, write: Any) -> None:
    text = frame.format(write(value) if "e" not in str(value) else f"{value:.2f}")
    assert read_quantity_by(text)[0] == pytest.approx(value, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Order none.", 0),
        ("Order quantity: 50\n\nCorrected order quantity: 74", 74),
        ("Corrected: 74", 74),
        ("Change that to 74.", 74),
        ("I'd go with 74 instead.", 74),
        ("Order 2^6 units", None),
        ("Order 6 boxes of 12.", None),
        ("Ordering 60 yields 300, ordering 74 yields 320.", None),
        ("<analysis>50</analysis>74", 74),
    ],
)
def test_what_is_corrected_counts_and_what_is_unfinished_does_not(
    text: str, value: float | None
) -> None:
    assert read_quantity_by(text)[0] == value


EVERYTHING = st.text(st.characters(exclude_categories=()), max_size=300)
"""Any text, lone surrogates and all."""

TELLING = st.lists(
    st.sampled_from(
        [
            *"0123456789.,' \n*-+/=≈$€%^_(){}½²",
            *("order quantity", "Order quantity: ", "Q* = ", "I would order ", "final answer: "),
            *("\\boxed{", "\\frac{1}{2}", "</think>", "<think>", " units", "between ", " and "),
            *(
                "hundred",
                "seventy-",
                "four",
                " point ",
                " and a half",
                "e5",
                " × 10^",
                "rounded to ",
            ),
        ]
    ),
    max_size=30,
).map("".join)
"""Texts made of what the patterns look for."""


@settings(max_examples=400)
@given(EVERYTHING | TELLING)
def test_any_text_gives_a_finite_number_or_a_reason(text: str) -> None:
    value, rule = read_quantity_by(text)
    assert (rule in FAILURES) if value is None else (math.isfinite(value) and rule in RULES)


TRAPS = [
    *GARBAGE,
    *(
        start + piece * (1_000_000 // len(piece)) + end
        for start, piece, end in [
            ("", "7", ""),
            ("", "1,234,", "5678"),
            ("", "1,", "x"),
            ("", "1 234 ", "x"),
            ("", "1.234.", ","),
            ("", "1 ", ""),
            ("Order quantity", " ", "x"),
            ("", "order quantity ", ""),
            ("", "order quantity: 7 or ", ""),
            ("", "otherwise order 7; ", ""),
            ("", "|7|\n|-|\n", ""),
            ("Q = ", "1 + ", ""),
            ("Q = ", "1 = ", ""),
            ("Q = ", "(", "7"),
            ("Q", "*", "7"),
            ("", "Q = μ ", "7"),
            ("", "\\boxed{", ""),
            ("", "\\frac{", ""),
            ("", "$x", ""),
            ("", "~~", "x"),
            ("", "*_", "x"),
            ("", "<a", ""),
            ("", "\n", "="),
            ("a ", "hundred and ", ""),
            ("", "seventy-four ", "x"),
            ("", "one ", "dozens"),
            ("I would order", " the", " 7"),
            ("", "rounded to ", ""),
            ("not ", "a ", "order 7"),
            ("", "mean of (", ""),
            ("", "between 1 and ", ""),
            ("", "\u3000\ufdfa", ""),
            ("", "¹", ""),
            ("", "½", ""),
        ]
    ),
]


@pytest.mark.parametrize("text", TRAPS, ids=lambda text: ascii(text[:16]))
def test_a_megabyte_of_garbage_is_read_in_linear_time(text: str) -> None:
    # A pattern that backtracks over a long run would not come back from one of these.
    before = time.process_time()
    read_quantity_by(text)
    assert time.process_time() - before < 5


@pytest.mark.parametrize("filler", ["x ", "The cost is summed. ", "\n"])
def test_both_ends_of_a_megabyte_are_read(filler: str) -> None:
    long = filler * (1_000_000 // len(filler))
    assert read_quantity_by("74 units\n" + long)[0] == 74
    assert read_quantity_by(long + "\nI would order 74 units.")[0] == 74
