"""What each rule says of an order, and the figures that a rational one carries."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordojo.benchmarks.or_bias.distributions import expected_profit
from ordojo.benchmarks.or_bias.judges import ABSURD, RULES, judge_with
from ordojo.benchmarks.or_bias.schema import INSTANCES, Scenario, make_instance
from ordojo.core.episode import Episode, Turn
from ordojo.core.errors import BenchmarkError
from ordojo.core.judge import Verdict

SCENARIO = Scenario(
    index=0,
    split="ID",
    level="L1",
    price=60.0,
    cost=54.0,
    salvage=0.0,
    family="normal",
    parameters={"mean": 100.0, "std": 20.0},
    text="A bakery.",
)
"""Critical ratio 0.1: the optimum is 100 - 20 * 1.2815515655446004."""

OPTIMUM = 100 - 20 * 1.2815515655446004


def judged(reply: str, rule: str = "rational", scenario: Scenario = SCENARIO) -> Verdict:
    instance = make_instance(scenario, INSTANCES)
    return judge_with(rule)(instance, Episode((Turn((), "completion", reply),)))


@pytest.mark.parametrize(
    ("reply", "outcome", "score"),
    [
        (" 74", "correct", 1.0),
        ("Order quantity: 0", "correct", 1.0),
        ("I would order 300 units.", "correct", 1.0),
        ("10000", "correct", 1.0),
        ("10000.5", "wrong", 0.0),
        ("1e300", "wrong", 0.0),
        ("-1", "wrong", 0.0),
        ("Order quantity: -0.5 units", "wrong", 0.0),
        ("", "unparsed", 0.0),
        ("NaN", "unparsed", 0.0),
        ("inf", "unparsed", 0.0),
        ("between 70 and 80", "unparsed", 0.0),
        ("I cannot say.", "unparsed", 0.0),
    ],
)
def test_an_order_is_rational_if_it_is_one_number_neither_negative_nor_absurd(
    reply: str, outcome: str, score: float
) -> None:
    for rule in RULES:
        verdict = judged(reply, rule)
        if outcome != "correct" or rule == "rational":
            assert (verdict.outcome, verdict.score) == (outcome, score)
            assert bool(verdict.metrics) == (outcome == "correct")
        assert (verdict.answer is None) == (outcome == "unparsed")


def test_absurd_is_beyond_a_hundred_times_the_mean() -> None:
    assert ABSURD == 100
    assert judged("10000").outcome == "correct"
    assert judged("10001").reason == "more than 100 times the mean demand"


@pytest.mark.parametrize(
    ("share", "five", "one"),
    [
        (1.0, True, True),
        (1.0099, True, True),
        (0.9901, True, True),
        (1.011, True, False),
        (0.9501, True, False),
        (1.0499, True, False),
        (1.0501, False, False),
        (0.9499, False, False),
    ],
)
def test_the_strict_rules_ask_for_nearness_to_the_optimum(
    share: float, five: bool, one: bool
) -> None:
    reply = f"Order quantity: {share * OPTIMUM!r}"
    for rule, right in (("rational", True), ("within-5pct", five), ("within-1pct", one)):
        verdict = judged(reply, rule)
        assert verdict.rule == rule
        assert verdict.outcome == ("correct" if right else "wrong")
        assert verdict.score == float(right)
        assert verdict.metrics["relative_error"] == pytest.approx(abs(share - 1), abs=1e-9)


def test_the_figures_of_the_optimum() -> None:
    verdict = judged(f"{OPTIMUM:.12f}")
    assert verdict.answer == pytest.approx(OPTIMUM)
    assert dict(verdict.metrics) == pytest.approx(
        {
            "q": OPTIMUM,
            "optimum": OPTIMUM,
            "mean": 100,
            "critical_ratio": 0.1,
            "ratio": 1,
            "relative_error": 0,
            "regret": 0,
            "relative_regret": 0,
        },
        abs=1e-9,
    )


def test_regret_is_the_expected_profit_that_is_missed() -> None:
    figures = judged("I would order the mean of 100 units.").metrics
    best = expected_profit(OPTIMUM, 60, 54, 0, SCENARIO.demand)
    missed = best - expected_profit(100, 60, 54, 0, SCENARIO.demand)
    assert figures["regret"] == pytest.approx(missed)
    assert figures["relative_regret"] == pytest.approx(missed / best)


def test_relative_regret_is_left_out_where_no_profit_is_to_be_made() -> None:
    poor = replace(SCENARIO, price=55.0, parameters={"mean": 100.0, "std": 60.0})
    figures = judged("10", scenario=poor).metrics
    assert "relative_regret" not in figures
    assert figures["regret"] > 0


@given(st.text(max_size=60) | st.floats().map(str) | st.integers().map(str))
def test_no_reply_yields_a_figure_that_would_break_a_mean(reply: str) -> None:
    for rule in RULES:
        verdict = judged(reply, rule)
        assert verdict.score in {0.0, 1.0}
        assert all(math.isfinite(figure) for figure in verdict.metrics.values())
        assert judged(reply, rule) == verdict


def test_an_episode_without_a_reply_is_unparsed() -> None:
    verdict = judge_with("rational")(make_instance(SCENARIO, INSTANCES), Episode(()))
    assert (verdict.outcome, verdict.reason) == ("unparsed", "no quantity could be read: empty")


def test_a_rule_that_does_not_exist_is_refused_by_name() -> None:
    with pytest.raises(BenchmarkError, match="no rule 'exact'; choose from rational"):
        judge_with("exact")
