"""Order quantity, base stock and the repeated newsvendor: right optima, told-apart biases."""

import dataclasses
import math
from types import SimpleNamespace

import numpy as np
import pytest

from ordojo.benchmarks.or_bias import beyond
from ordojo.benchmarks.or_bias.beyond import repeated, stock
from ordojo.benchmarks.or_bias.beyond.common import certificate
from ordojo.benchmarks.or_bias.distributions import FAMILIES
from ordojo.benchmarks.or_bias.judges import RULES
from ordojo.benchmarks.or_bias.policies import Scripted, anchored, chaser
from ordojo.benchmarks.or_bias.policies import policies as policies_for
from ordojo.core.conformance import check_environment
from ordojo.core.episode import play
from ordojo.core.errors import BenchmarkError, DataError
from ordojo.core.records import SampleRecord

DECISIONS = ("eoq", "base-stock", "repeated")
EVERY = [(d, m) for d in DECISIONS for m in ("chat", "completion")]


def options(decision, mode="chat", family="normal", size="eval"):
    return SimpleNamespace(decision=decision, mode=mode, family=family, set=size)


def episode(settings, instance, reply):
    replies = iter(reply) if isinstance(reply, list) else None
    say = (lambda asked: next(replies)) if replies else (lambda asked: reply)
    return play(beyond.environment(settings), instance, say)


def records(settings, instances, policy):
    environment = beyond.environment(settings)
    made = []
    for instance in instances:
        played = play(environment, instance, policy.begin(instance, 0, 1))
        verdicts = {rule: beyond.judge_with(rule)(instance, played) for rule in RULES}
        gold = instance.problem.optimum
        made.append(
            SampleRecord(
                instance.id, 1, instance.content_hash, instance.cluster, instance.labels, gold,
                played, verdicts,
            )
        )  # fmt: skip
    return made


def noisy(policy, noise):
    """The policy, each order of which is disturbed by so many deviations of demand."""

    def rule(problem, orders, chance):
        wobble = noise * problem.demand.std * chance().standard_normal() if noise else 0.0
        return policy.rule(problem, orders, chance) + wobble

    return Scripted(policy.name, rule)


def holds(estimate, truth):
    return estimate.low <= truth <= estimate.high


@pytest.mark.parametrize(("decision", "mode"), EVERY)
def test_environments_keep_the_contract(decision, mode):
    settings = options(decision, mode)
    check_environment(lambda: beyond.environment(settings), beyond.load(settings, 0)[:1])


@pytest.mark.parametrize("decision", DECISIONS)
def test_every_instance_verifies_and_none_is_shared(decision):
    full, train = (
        beyond.load(options(decision, size=size), seed)
        for size, seed in (("full", 0), ("train", 0))
    )
    other = beyond.load(options(decision, size="full"), 1)
    for instance in full:
        beyond.verify(instance)
        assert beyond.owns(instance)
    texts = [instance.problem.text for instance in (*full, *train, *other)]
    assert len(set(texts)) == len(texts) == 2400
    assert len({instance.id for instance in (*full, *train)}) == 1400
    again = beyond.load(options(decision, size="full"), 0)
    assert [i.content_hash for i in again] == [i.content_hash for i in full]
    few = beyond.load(options(decision), 0)
    assert {i.content_hash for i in few} <= {i.content_hash for i in full}


@pytest.mark.parametrize("family", FAMILIES)
def test_repeated_instances_of_every_family_verify(family):
    for instance in beyond.load(options("repeated", family=family), 0):
        beyond.verify(instance)
        problem = instance.problem
        assert len(problem.demands) == repeated.PERIODS
        error = problem.demand.std / math.sqrt(repeated.PERIODS)
        assert abs(np.mean(problem.demands) - problem.anchor) < 5.5 * error


@pytest.mark.parametrize("decision", DECISIONS)
def test_a_false_certificate_or_text_is_found(decision):
    instance = beyond.load(options(decision), 0)[0]
    problem = instance.problem
    field = {"eoq": "setup", "base-stock": "std", "repeated": "price"}[decision]
    changed = dataclasses.replace(problem, **{field: getattr(problem, field) * 1.5})
    with pytest.raises(DataError, match="does not show"):
        beyond.verify(dataclasses.replace(instance, problem=changed))
    retold = dataclasses.replace(problem, text=problem.text + " ")
    with pytest.raises(DataError, match="certificate"):
        beyond.verify(dataclasses.replace(instance, problem=retold))


def test_a_wrong_formula_would_be_found(monkeypatch):
    instance = beyond.load(options("eoq"), 0)[0]
    monkeypatch.setattr(stock.EOQ, "optimum", property(lambda self: 1.01 * self.annual**0.5))
    forged = dataclasses.replace(instance, certificate=certificate(instance.problem))
    with pytest.raises(DataError, match="a search finds"):
        beyond.verify(forged)


@pytest.mark.parametrize(
    ("decision", "field", "value"),
    [
        ("eoq", "rate", 0.0),
        ("eoq", "setup", -1.0),
        ("eoq", "holding", math.nan),
        ("eoq", "period", "fortnight"),
        ("base-stock", "std", 0.0),
        ("base-stock", "lead", -1),
        ("base-stock", "lead", 1.5),
        ("base-stock", "service", 1.0),
        ("base-stock", "backorder", 0.0),
        ("repeated", "price", 1.0),
        ("repeated", "salvage", 1e6),
        ("repeated", "cost", math.inf),
        ("repeated", "demands", (1.0, -1.0)),
        ("repeated", "demands", ()),
    ],
)
def test_impossible_fields_are_refused_by_name(decision, field, value):
    instance = beyond.load(options(decision), 0)[0]
    problem = dataclasses.replace(instance.problem, **{field: value})
    with pytest.raises(DataError, match=field):
        beyond.verify(dataclasses.replace(instance, problem=problem))


def test_eoq_textbook_example():
    """D = 1,000 a month, K = 60, h = 4 a year: sqrt(2 * 60 * 12,000 / 4) = 600."""
    problem = stock.EOQ(0, "ID", 1000.0, "month", 60.0, 4.0)
    assert problem.optimum == pytest.approx(600)
    assert problem.cost(600) == pytest.approx(2400)
    assert 1 + problem.shortfall(1200) == pytest.approx(1.25)
    for quantity in (100.0, 599.0, 601.0, 5000.0):
        ratio = problem.cost(quantity) / problem.cost(600)
        assert 1 + problem.shortfall(quantity) == pytest.approx(ratio)


@pytest.mark.parametrize(("lead", "service"), [(0, 0.0), (3, 0.0), (2, 0.9)])
def test_base_stock_against_a_simulated_warehouse(lead, service):
    costs = {} if service else {"holding": 1.0, "backorder": 4.0}
    problem = stock.BaseStock(0, "ID", 100.0, 30.0, lead, "week", service, **costs)

    def run(level, periods=200_000):
        """The stated sequence: order up to the level, receive, sell, count."""
        demand = np.random.default_rng(5).normal(100, 30, periods)
        # Every order is the last period's demand, and `lead` of them are on their way.
        received = np.concatenate([np.zeros(lead + 1), demand])[:periods]
        return level + np.cumsum(received) - np.cumsum(demand)

    def simulated(level):
        net = run(level)[50:]
        return (np.maximum(net, 0) + 4 * np.maximum(-net, 0)).mean()

    best = problem.optimum
    if service:
        assert (run(best)[50:] >= 0).mean() == pytest.approx(service, abs=0.005)
        return
    assert simulated(best) == pytest.approx(problem.cost(best), rel=0.01)
    assert simulated(best) < min(simulated(best * 0.97), simulated(best * 1.03))
    assert problem.critical_ratio == 0.8


@pytest.mark.parametrize(("decision", "mode"), EVERY)
def test_gold_is_perfect_and_noop_is_nothing(decision, mode):
    settings = options(decision, mode)
    instances = beyond.load(settings, 0)[:30]
    policies = policies_for(instances)
    for record in records(settings, instances, policies["gold"]):
        for verdict in record.verdicts.values():
            assert (verdict.outcome, verdict.score) == ("correct", 1.0)
        assert record.episode.reward == pytest.approx(1)
        assert not record.episode.truncated
    figures = beyond.metrics(records(settings, instances, policies["gold"]), "rational")
    assert next(iter(figures)) == "rationality" and figures["rationality"].value == 1
    name, value = ("profit_ratio", 1) if decision == "repeated" else ("cost_ratio", 1)
    assert figures[name].value == pytest.approx(value, abs=1e-12)
    idle = records(settings, instances, policies["noop"])
    assert {record.verdicts["rational"].score for record in idle} == {0.0}
    figures = beyond.metrics(idle, "rational")
    assert figures["rationality"].value == 0
    assert math.isnan(figures[name].value) and figures[name].n == 0
    assert beyond.metrics([], "rational") is not None


@pytest.mark.parametrize("decision", ["eoq", "base-stock"])
@pytest.mark.parametrize("weight", [0.0, 0.3, 0.6, 0.9])
def test_one_shot_anchoring_is_recovered(decision, weight):
    settings = options(decision)
    instances = beyond.load(settings, 0)
    figures = beyond.metrics(records(settings, instances, anchored(weight)), "rational")
    assert figures["anchoring_weight"].value == pytest.approx(weight, abs=1e-9)
    assert holds(figures["anchoring_weight"], weight)


@pytest.mark.parametrize(
    ("decision", "reply", "outcome"),
    [
        ("eoq", "Order quantity: 0", "wrong"),
        ("eoq", "Order quantity: -5", "wrong"),
        ("eoq", "Order quantity: 0.0001", "wrong"),
        ("eoq", "Order quantity: 1e300", "wrong"),
        ("eoq", "I cannot say.", "unparsed"),
        ("base-stock", "Base-stock level: 1e12", "wrong"),
        ("base-stock", "Base-stock level: -1", "wrong"),
        ("base-stock", "none", "unparsed"),
    ],
)
def test_no_rational_answer_has_no_metrics(decision, reply, outcome):
    settings = options(decision)
    instance = beyond.load(settings, 0)[0]
    played = episode(settings, instance, reply)
    for rule in RULES:
        verdict = beyond.judge_with(rule)(instance, played)
        assert (verdict.outcome, verdict.score, verdict.metrics) == (outcome, 0.0, {})
    assert played.reward == 0


@pytest.mark.parametrize(
    "reply",
    [
        "Base-stock level: 812.5",
        "L + 1 = 2 periods, mean 703.2, z = 0.94.\nBase-stock level: 812.5 units",
        "**Base-stock level:** 812.5",
        " 812.5",
        "The base-stock level should be 812.5 units.",
    ],
)
def test_base_stock_replies_are_read(reply):
    settings = options("base-stock")
    instance = beyond.load(settings, 0)[0]
    assert (
        beyond.judge_with("rational")(instance, episode(settings, instance, reply)).answer == 812.5
    )


def test_rules_differ_by_tolerance():
    settings = options("eoq")
    instance = beyond.load(settings, 0)[0]
    best = instance.problem.optimum
    for factor, right in ((1.0, 3), (1.009, 3), (1.011, 2), (0.951, 2), (0.94, 1)):
        played = episode(settings, instance, f"Order quantity: {best * factor!r}")
        scores = [beyond.judge_with(rule)(instance, played).score for rule in RULES]
        assert sum(scores) == right
    with pytest.raises(BenchmarkError, match="no rule"):
        beyond.judge_with("fair")


def test_a_period_without_a_number_orders_nothing():
    settings = options("repeated")
    instance = beyond.load(settings, 0)[0]
    problem = instance.problem
    replies = ["no idea", "Order quantity: -4", "Order quantity: 1e9"]
    played = episode(settings, instance, replies + [f"Order quantity: {problem.optimum!r}"] * 17)
    assert len(played.turns) == repeated.PERIODS and not played.truncated
    assert [turn.info["order"] for turn in played.turns[:3]] == [None] * 3
    assert [turn.info["profit"] for turn in played.turns[:3]] == [0.0] * 3
    assert "nothing was ordered" in played.turns[1].messages[0].content
    verdict = beyond.judge_with("within-1pct")(instance, played)
    assert verdict.outcome == "partial" and verdict.score == 17 / 20
    assert verdict.metrics["mean_order"] == pytest.approx(problem.optimum)
    assert verdict.metrics["relative_regret"] == 0
    assert verdict.metrics["profit_ratio"] < 1
    assert played.reward == pytest.approx(1 * 17 / 20)
    assert beyond.judge_with("rational")(instance, episode(settings, instance, "?")).metrics == {}


def test_feedback_is_true_and_complete():
    for mode in ("chat", "completion"):
        settings = options("repeated", mode)
        instance = beyond.load(settings, 0)[1]
        problem = instance.problem
        played = episode(settings, instance, "Order quantity: 100")
        for place, turn in enumerate(played.turns):
            text = turn.messages[0].content
            assert f"Period {place + 1} of 20" in text
            first = 0 if mode == "completion" else max(0, place - 1)
            for told, demand in enumerate(problem.demands[:place]):
                line = f"Period {told + 1}: you ordered 100.0; demand was {demand:,.1f};"
                assert (line in text) == (told >= first)
            assert f"Period {place + 1}:" not in text
            assert (problem.text in text) == (mode == "completion" or place == 0)
            sold = min(100.0, problem.demands[place])
            earned = sold * problem.price + (100 - sold) * problem.salvage - 100 * problem.cost
            assert turn.info["profit"] == pytest.approx(earned)
            assert turn.info["demand"] == problem.demands[place]


CASES = [(weight, noise) for weight in (0.0, 0.3, 0.6, 0.9, 1.0) for noise in (0.0, 0.25)]


@pytest.fixture(scope="module")
def seasons():
    return beyond.load(options("repeated"), 3)


@pytest.mark.parametrize(("weight", "noise"), CASES)
def test_an_anchorer_is_an_anchorer_and_no_chaser(seasons, weight, noise):
    figures = beyond.metrics(
        records(options("repeated"), seasons, noisy(anchored(weight), noise)), "rational"
    )
    # Five figures over ten cases: intervals of 95% may miss by a little where there is noise.
    for name, truth in (
        ("pull", weight),
        ("anchoring", weight),
        ("chasing", 0),
        ("inertia", 0),
        ("pull_by_chasing", 0),
    ):
        estimate = figures[name]
        slack = 0.25 * (estimate.high - estimate.low) if noise else 0
        assert estimate.low - slack <= truth <= estimate.high + slack, name
        assert estimate.high - estimate.low < 0.15
    # The simple regression takes wobbling for chasing.
    assert (figures["chasing_simple"].low > 0.01) == bool(noise)


@pytest.mark.parametrize("weight", [0.2, 0.5, 0.8])
@pytest.mark.parametrize("noise", [0.0, 0.25])
def test_a_chaser_is_a_chaser_and_no_anchorer(seasons, weight, noise):
    figures = beyond.metrics(
        records(options("repeated"), seasons, noisy(chaser(weight), noise)), "rational"
    )
    for name, truth in (("chasing", weight), ("inertia", 1 - weight), ("anchoring", 0)):
        estimate = figures[name]
        slack = 0.25 * (estimate.high - estimate.low) if noise else 0
        assert estimate.low - slack <= truth <= estimate.high + slack, name
    assert figures["chasing_simple"].value == pytest.approx(weight, abs=0.05)
    # By its mean order alone it would look like somebody who always orders the mean.
    assert figures["pull"].value == pytest.approx(1, abs=0.1)


def test_intervals_cover_as_often_as_they_say():
    """Noisy anchorers of many seeds: 95% intervals hold the truth in about 95% of runs."""
    settings = options("repeated")
    hits = {"pull": 0, "chasing": 0, "anchoring": 0}
    runs = 30
    for seed in range(runs):
        instances = beyond.load(settings, 100 + seed)[:30]
        figures = beyond.metrics(
            records(settings, instances, noisy(anchored(0.5), 0.25)), "rational"
        )
        for name, truth in (("pull", 0.5), ("chasing", 0), ("anchoring", 0.5)):
            hits[name] += holds(figures[name], truth)
    # Fewer than 24 of 30 has a chance below 1 in 1,000 at 94% coverage.
    assert min(hits.values()) >= 24, hits


def test_an_all_neutral_set_leaves_anchoring_undefined(seasons):
    problem = seasons[0].problem
    even = dataclasses.replace(problem, price=30.0, cost=20.0, salvage=10.0)
    instance = dataclasses.replace(seasons[0], problem=even)
    assert even.optimum == pytest.approx(even.anchor)
    figures = beyond.metrics(records(options("repeated"), [instance], anchored(1.0)), "rational")
    assert math.isnan(figures["pull"].value) and math.isnan(figures["anchoring"].value)
    assert figures["rationality"].value == 1
