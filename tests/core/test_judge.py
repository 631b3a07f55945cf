"""A verdict cannot contradict itself; every error is of the tree."""

import math
from typing import Any

import pytest

from ordojo.core import errors
from ordojo.core.judge import Verdict


@pytest.mark.parametrize("outcome", ["correct", "partial", "wrong", "unparsed"])
@pytest.mark.parametrize("score", [0.0, 0.5, 1.0])
def test_a_score_lies_between_0_and_1(outcome: Any, score: float) -> None:
    assert Verdict("rule", outcome, score).score == score


@pytest.mark.parametrize("score", [-0.01, 1.01, math.nan, math.inf, -math.inf])
def test_no_other_score_is_possible(score: float) -> None:
    with pytest.raises(errors.BenchmarkError, match=r"rule 'strict' gave score .* outside"):
        Verdict("strict", "wrong", score)


def test_a_verdict_is_unscored_exactly_when_it_has_no_score() -> None:
    assert Verdict("rule", "unscored", None).score is None
    for outcome, score in (("unscored", 0.0), ("wrong", None), ("unparsed", None)):
        with pytest.raises(errors.BenchmarkError, match="only an unscored verdict has no score"):
            Verdict("rule", outcome, score)  # type: ignore[arg-type]


def test_an_unknown_name_is_told_its_nearest() -> None:
    assert errors.meant("flor", ["cap", "cup", "flour"]) == "did you mean 'flour'?"
    assert errors.meant("cp", ["cap", "cup", "flour"], 3) == "did you mean 'cup' or 'cap'?"
    assert errors.meant("zzz", ["cap"]) == "" and "cap" in errors.meant("zzz", ["cap"], 1, 0)
    assert errors.meant("cap" * 10**6, ["cap"]) == ""


def test_every_error_stands_in_the_tree_and_in_its_drawing() -> None:
    found = [one for one in vars(errors).values() if isinstance(one, type)]
    tree = [kind for kind in found if kind.__module__ == errors.__name__]
    assert len(tree) == 9
    for kind in tree:
        assert issubclass(kind, errors.OrdojoError)
        assert errors.__doc__ is not None and kind.__name__ in errors.__doc__
