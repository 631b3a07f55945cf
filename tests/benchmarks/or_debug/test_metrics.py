"""OR-Debug-Bench's figures against sums done by hand, and the calibration of C.11."""

import math
from collections.abc import Sequence

import pytest

from ordojo.benchmarks.or_debug.judges import HEADLINES, RANGES, RULES, K, calibrate, level, metrics
from ordojo.benchmarks.or_debug.published import BY_LEVEL, BY_TYPE
from ordojo.benchmarks.or_debug.schema import DIFFICULTY, Debugging
from ordojo.core.episode import Episode
from ordojo.core.instance import Instance
from ordojo.core.records import SampleRecord
from tests.benchmarks.or_debug.made import idle, instance, instances, lost, record, records, solved
from tests.core.helpers import failed

MIXED = records(
    lambda asked, _: [solved(1), solved(4, op=0.9), solved(8, drifted=True), lost()][
        asked.problem.index
    ],
    tokens=(300, 100),
)
"""Of four instances of each type: one solved at once, one partly, one late, one not."""


def value(name: str, found: Sequence[SampleRecord] = MIXED, rule: str = "rr@5") -> float:
    return metrics(found, rule)[name].value


def test_recovery_counts_steps_and_outcomes() -> None:
    for name, share in {
        "rr@1": 0.25,
        "rr@4": 0.25,
        "rr@7": 0.25,
        "rr@8": 0.5,
        "rr@20": 0.5,
        "rr": 0.75,
        "full": 0.5,
        "feasible": 0.75,
        "feasible@1": 0.25,
        "feasible@4": 0.5,
        "feasible@8": 0.75,
        "no_drift": 0.25,
        "drift": 1 / 3,
        "collateral": 0.0,
        "rr@5/A": 0.25,
        "rr@5/hard": 0.25,
        "rr@5/LP": 0.5,
        "rr@5/MIP": 0.0,
        "rr/MIP": 0.5,
    }.items():
        assert value(name) == pytest.approx(share), name


def test_rr_at_k_never_falls() -> None:
    found = metrics(MIXED, "rr@5")
    for kind in ("rr", "feasible"):
        curve = [found[f"{kind}@{k}"].value for k in range(1, K + 1)]
        assert curve == sorted(curve)
    assert all(found[f"feasible@{k}"].value >= found[f"rr@{k}"].value for k in range(1, K + 1))


def test_steps_and_optimality_are_over_what_was_solved() -> None:
    assert value("steps") == pytest.approx((1 + 4 + 8) / 3)
    assert value("counted_steps") == pytest.approx((1 + 4 + 8 + 50) / 4)
    assert value("op") == pytest.approx((1 + 0.9 + 1) / 3)
    assert value("da") == pytest.approx(3 / 8)
    assert value("named") == pytest.approx(3 / 4)
    assert value("touched") == pytest.approx(3 / 4)
    assert value("diagnostics") == pytest.approx(3 / 4)


def test_tokens_per_success_divide_all_tokens() -> None:
    assert value("tokens") == 400 and value("output_tokens") == 100
    assert value("tokens_per_success") == pytest.approx(1600)
    free = metrics(records(lambda asked, _: lost()), "rr@5")
    assert "tokens" not in free
    never = metrics(records(lambda asked, _: lost(), tokens=(1, 1)), "rr@5")
    assert math.isnan(never["tokens_per_success"].value)


@pytest.mark.parametrize("rule", RULES)
def test_the_headline_is_the_share_that_passes_and_nothing_else_depends_on_the_rule(
    rule: str,
) -> None:
    found = metrics(MIXED, rule)
    name = next(iter(found))
    assert name == HEADLINES.get(rule, rule)
    scores = [r.verdicts[rule].score or 0 for r in MIXED]
    assert found[name].value == pytest.approx(sum(scores) / len(scores))
    assert dict(found) == dict(metrics(MIXED, "rr@5"))


def test_intervals_hold_their_values_and_know_instances() -> None:
    for name, e in metrics(MIXED, "rr@5").items():
        assert e.low <= e.value <= e.high, name
    twice = records(lambda asked, _: solved(1 + asked.problem.index), epochs=2)
    once = records(lambda asked, _: solved(1 + asked.problem.index))
    a, b = metrics(once, "rr@1")["steps"], metrics(twice, "rr@1")["steps"]
    assert a.value == b.value == 2.5 and b.n == 2 * a.n and a.clusters == b.clusters == 36
    assert b.high - b.low == pytest.approx(a.high - a.low)
    a, b = metrics(once, "rr@1")["rr@1"], metrics(twice, "rr@1")["rr@1"]
    assert b.high - b.low == pytest.approx(a.high - a.low, rel=0.05)


@pytest.mark.parametrize("found", [[], [failed("x", "1")]], ids=["none", "failed"])
def test_nothing_gives_nothing(found: list[SampleRecord]) -> None:
    for rule in RULES:
        assert all(e.n == 0 and math.isnan(e.value) for e in metrics(found, rule).values())


def test_one_record_gives_no_interval_of_steps() -> None:
    found = metrics([record(instance(), solved(3))], "rr@5")
    assert found["steps"].value == 3 and math.isnan(found["steps"].low)
    assert found["rr@5"].low < 1 == found["rr@5"].value


def test_attempts_follow_algorithm_2() -> None:
    def play(asked: Instance[Debugging], epoch: int) -> Episode:
        """The first of four instances is solved in one of three epochs, the next in two, ..."""
        place = instances().index(asked) % 4
        return solved(5 - epoch) if epoch <= place + 1 else lost()

    found = metrics(records(play, epochs=3), "rr@5")
    assert found["attempts@1"].value == pytest.approx((1 / 3 + 2 / 3 + 1 + 1) / 4)
    assert found["attempts@2"].value == pytest.approx((2 / 3 + 1 + 1 + 1) / 4)
    assert found["attempts@3"].value == 1
    assert "attempts@4" not in found
    assert found["first_success_step"].value == pytest.approx((4 + 3 + 2 + 2) / 4)
    assert found["attempts@1"].value == pytest.approx(found["full"].value)
    assert not [n for n in metrics(MIXED, "rr@5") if n.startswith("attempts")]


def test_attempts_stop_where_an_instance_has_fewer() -> None:
    found = records(lambda asked, _: idle(), epochs=3)[:-1]
    names = [n for n in metrics(found, "rr@5") if n.startswith("attempts")]
    assert names == ["attempts@1", "attempts@2"]


def test_calibration_leaves_the_papers_groups_as_they_are() -> None:
    found = calibrate(BY_TYPE)
    assert found.levels == {kind: DIFFICULTY[kind] for kind in BY_TYPE} and found.rounds == 1
    assert found.means == pytest.approx(BY_LEVEL)
    assert {kind: level(rate) for kind, rate in BY_TYPE.items()} == found.levels


def test_calibration_moves_types_until_every_mean_is_in_its_range() -> None:
    rates = {**BY_TYPE, "B": 0.3, "H": 0.9, "I": 0.95, "F": 0.2}
    found = calibrate(rates)
    assert found.levels["B"] == "reject" and found.levels["H"] == found.levels["I"] == "easy"
    assert found.levels["F"] == "hard", "its group's mean stays in range"
    assert found.rounds == 2
    for name, mean in found.means.items():
        low, high = RANGES[name]
        assert low <= mean <= high


@pytest.mark.parametrize(
    ("rate", "name"),
    [
        (1.0, "easy"),
        (0.85, "easy"),
        (0.849, "medium"),
        (0.7, "medium"),
        (0.45, "hard"),
        (0, "reject"),
    ],
)
def test_levels_begin_at_their_lower_end(rate: float, name: str) -> None:
    assert level(rate) == name
