import json

import pytest

from ordojo.datasets.golds import GoldAnswer, agree, agree_as_printed, read_key


@pytest.mark.parametrize(
    ("answer", "value", "decimals"),
    [
        ("57.0", 57.0, 1),
        ("57", 57.0, 0),
        (" 172666.667", 172666.667, 3),
        (3600, 3600.0, 0),
        (225.5, 225.5, 1),
        ("1,234.50", 1234.5, 2),
        ("-1.5e-3", -0.0015, 4),
        ("2E+3", 2000.0, 0),
        (0, 0.0, 0),
        (".5", 0.5, 1),
    ],
)
def test_numbers_keep_their_precision(answer: object, value: float, decimals: int) -> None:
    key = read_key(answer)
    assert (key.status, key.reason) == ("ok", "")
    (gold,) = key.golds
    assert (gold.kind, gold.value, gold.decimals) == ("number", value, decimals)


@pytest.mark.parametrize(
    ("answer", "status", "kinds"),
    [
        ("infeasible", "infeasible", ["infeasible"]),
        ("Impossible", "infeasible", ["infeasible"]),
        ("No Best Solution", "infeasible", ["infeasible", "unbounded"]),
        ("unbounded", "infeasible", ["unbounded"]),
        ("-99999", "sentinel", ["infeasible", "unbounded"]),
        ("-9999.0", "sentinel", ["infeasible", "unbounded"]),
        (None, "unknown-gold", ["unknown"]),
        ("", "unknown-gold", ["unknown"]),
        ("about 12", "unknown-gold", ["unknown"]),
        ("1,23", "unknown-gold", ["unknown"]),
        ("nan", "unknown-gold", ["unknown"]),
        (json.loads("1e999"), "unknown-gold", ["unknown"]),
        (True, "unknown-gold", ["unknown"]),
        ({}, "unknown-gold", ["unknown"]),
        ([], "unknown-gold", ["unknown"]),
    ],
)
def test_golds_that_are_no_numbers(answer: object, status: str, kinds: list[str]) -> None:
    key = read_key(answer)
    assert key.status == status
    assert [gold.kind for gold in key.golds] == kinds
    assert key.reason


def test_several_answers_are_all_accepted() -> None:
    key = read_key(["5", "7", "5"])
    assert (key.status, [gold.value for gold in key.golds]) == ("ok", [5.0, 7.0])
    assert read_key(["5", "infeasible"]).status == "infeasible"


def test_agreement() -> None:
    def gold(text: str) -> GoldAnswer:
        return GoldAnswer("number", float(text), text)

    assert agree(gold("1000000"), gold("1000000.5"))
    assert not agree(gold("57.0"), gold("57.3"))
    assert agree_as_printed(gold("57.0"), gold("57.3"))
    assert agree_as_printed(gold("1.33"), gold("1.3333333"))
    assert not agree_as_printed(gold("1.33"), gold("1.34"))
    assert not agree_as_printed(gold("213.0"), gold("245.0"))
    assert agree(GoldAnswer("infeasible"), GoldAnswer("infeasible", text="impossible"))
    assert not agree_as_printed(GoldAnswer("infeasible"), gold("0"))
