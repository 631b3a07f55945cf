import dataclasses
import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordojo.benchmarks.or_debug.actions import ActionKind
from ordojo.benchmarks.or_debug.build import load_set
from ordojo.benchmarks.or_debug.environment import OrDebugEnvironment
from ordojo.benchmarks.or_debug.outcome import credit
from ordojo.benchmarks.or_debug.policies import policies, reply
from ordojo.benchmarks.or_debug.rewards import (
    RULES,
    Past,
    RewardWeights,
    Transition,
    algorithm_9,
    algorithm_9_printed,
    algorithm_10,
    equation_5,
    equation_5_no_drift,
    equation_6,
    is_true_repair,
)
from ordojo.benchmarks.or_debug.schema import DEFAULT_REWARD, FARMED, OrDebugOptions
from ordojo.core.episode import Episode, play
from ordojo.core.registry import get_benchmark
from ordojo.evaluation import session
from ordojo.solvers.answers import Status
from tests.benchmarks.or_debug.puzzles import too_many_orders

SOLVED = Transition(
    kind=ActionKind.RELAX,
    status=Status.OPTIMAL,
    step=0,
    turn=0,
    counted=True,
    last=True,
    known_before=True,
    known_after=False,
    accuracy=0.5,
    episode_accuracy=0.5,
    size_before=4,
    size_after=0,
)
STUCK = dataclasses.replace(
    SOLVED, status=Status.INFEASIBLE, last=False, known_after=True, accuracy=None, size_after=4
)
LOOK = dataclasses.replace(STUCK, kind=ActionKind.GET_IIS, counted=False, known_before=False)


def test_algorithm_9_by_hand() -> None:
    assert algorithm_9(SOLVED) == pytest.approx(50 + 15 + 10)
    assert algorithm_9(STUCK) == pytest.approx(-25 + 10)
    late = dataclasses.replace(STUCK, step=25, accuracy=1.0)
    assert algorithm_9(late) == pytest.approx(-25 + 30 + 5)
    assert algorithm_9(dataclasses.replace(STUCK, step=60)) == pytest.approx(-25)
    undecided = dataclasses.replace(STUCK, status=Status.TIME_LIMIT)
    assert algorithm_9(undecided) == pytest.approx(10)


def test_the_faithfulness_penalty_has_two_readings() -> None:
    off = dataclasses.replace(STUCK, known_before=False, known_after=False)
    assert algorithm_9(off) == pytest.approx(algorithm_9(STUCK) - 20)
    assert equation_5(off) == pytest.approx(equation_5(STUCK) - 20)
    # Read literally, the next state's IIS is empty after a success, so that every one is punished.
    assert algorithm_9_printed(SOLVED) == pytest.approx(75 - 20)
    assert algorithm_9_printed(off) == pytest.approx(algorithm_9_printed(STUCK) - 20)
    found_since = dataclasses.replace(off, known_after=True)
    assert algorithm_9_printed(found_since) == pytest.approx(-25 + 10)
    assert algorithm_9(off, faithful=False) == pytest.approx(algorithm_9(STUCK))
    for kind in (ActionKind.GET_IIS, ActionKind.SUBMIT, None):
        other = dataclasses.replace(off, kind=kind)
        assert algorithm_9(other) == pytest.approx(algorithm_9(STUCK))


def test_equation_5_sums_to_the_episode() -> None:
    assert equation_5(LOOK) == 0.0
    assert equation_5(STUCK) == pytest.approx(-0.2)
    assert equation_5(SOLVED) == pytest.approx(50 + 15 - 0.2)
    failed = dataclasses.replace(STUCK, last=True, episode_accuracy=0.0)
    assert equation_5(failed) == pytest.approx(-25 - 0.2)


def test_only_a_true_repair_is_paid_for_without_drift() -> None:
    wrong = dataclasses.replace(SOLVED, credit=0.5)
    assert equation_5_no_drift(wrong) == pytest.approx(-25 + 15 - 0.2)
    right = dataclasses.replace(wrong, true_repair=True)
    assert equation_5_no_drift(right) == equation_5(right) == pytest.approx(50 + 15 - 0.2)
    assert equation_5_no_drift(STUCK) == equation_5(STUCK)


def test_the_default_takes_the_penalty_once_and_not_for_a_true_repair() -> None:
    off = dataclasses.replace(STUCK, known_before=False)
    assert equation_5_no_drift(off) == pytest.approx(-20.2)
    past = Past().after(off)
    again = dataclasses.replace(off, past=past)
    assert equation_5_no_drift(again) == pytest.approx(-0.2)
    wrong = dataclasses.replace(SOLVED, past=past)
    assert equation_5_no_drift(wrong) == pytest.approx(-25.2)
    right = dataclasses.replace(wrong, true_repair=True)
    assert equation_5_no_drift(right) == pytest.approx(50 - 0.2 + 20)
    lost = dataclasses.replace(SOLVED, lost=True)
    assert equation_5_no_drift(lost) == pytest.approx(-25.2 - 20)
    assert equation_5_no_drift(lost, faithful=False) == pytest.approx(-25.2)


ENDS = st.tuples(
    st.lists(st.tuples(st.booleans(), st.booleans()), max_size=60), st.floats(0, 1), st.booleans()
)


@given(ENDS)
def test_no_try_is_paid_less_than_giving_up_with_its_diagnosis(
    tried: tuple[list[tuple[bool, bool]], float, bool],
) -> None:
    turns, credit, lost = tried
    paid, past, step = 0.0, Past(), 0
    for counted, known in [*turns, (True, True)]:
        t = dataclasses.replace(
            STUCK, step=step, counted=counted, known_before=known, credit=credit, past=past
        )
        ends = [dataclasses.replace(t, last=True, status=s, lost=lost) for s in Status]
        assert min(paid + equation_5_no_drift(end) for end in ends) == pytest.approx(
            paid + equation_5_no_drift(ends[list(Status).index(Status.INFEASIBLE)])
        )
        gave_up = paid + equation_5_no_drift(dataclasses.replace(t, last=True))
        assert gave_up == pytest.approx(-25 - 10 - 20 + 30 * credit)
        paid, past, step = paid + equation_5_no_drift(t), past.after(t), step + counted


def test_a_diagnosis_is_paid_by_precision_and_recall() -> None:
    iis, others = ("a", "b"), ("c", "d", "e", "f")
    assert credit(iis, iis, others) == 1.0
    assert credit((*iis, *others), iis, others) == 0.0
    assert credit((), iis, others) == credit(("c",), iis, others) == 0.0
    assert credit(("a",), iis, others) == pytest.approx(0.5)
    assert credit(("a", "b", "c"), iis, others) == pytest.approx((2 / 3 - 1 / 3) / (2 / 3))
    assert credit(iis, iis, ()) == 0.0, "there is nothing to tell apart"


@pytest.mark.parametrize(
    ("final", "right"),
    [
        ({"outcome": "full", "drift": {"drifted": False}}, True),
        ({"outcome": "full", "drift": {"drifted": True}}, False),
        ({"outcome": "full", "drift": {"drifted": False, "unknown": True}}, False),
        ({"outcome": "partial", "drift": {"drifted": False}}, False),
        ({"outcome": "full", "drift": {"unknown": True}, "lost": []}, True),
        ({"outcome": "full", "drift": {"unknown": True}, "lost": ["oven"]}, False),
        ({"outcome": "partial", "drift": {"unknown": True}, "lost": []}, False),
    ],
)
def test_what_a_true_repair_is(final: dict[str, object], right: bool) -> None:
    assert is_true_repair({"final": final}) is right
    assert not is_true_repair({})


def test_a_wrecker_earns_less_than_a_repairer() -> None:
    """By default; `docs/benchmarks/or_debug.md` has the table of all rules over all instances."""
    instances = load_set("eval")[::10]
    assert len({one.labels["type"] for one in instances}) == 9
    environment = OrDebugEnvironment(OrDebugOptions())
    means = {}
    for name in ("gold", "elastic", "drop-everything", "noop"):
        policy = policies()[name]
        played = [play(environment, one, policy.begin(one, 0, 1)) for one in instances]
        means[name] = sum(episode.reward for episode in played) / len(played)
    # Who moves sides by the least that is enough repairs nothing either, from version 6 on.
    assert means["gold"] > 60 > 20 > means["elastic"], means
    assert means["drop-everything"] < 20 and means["noop"] == min(means.values()), means
    # Nothing is won by naming the IIS for ever.
    for one in instances[:3]:
        iis = (*one.problem.iis_rows, *one.problem.iis_bounds)
        forever = play(environment, one, lambda asked, iis=iis: reply("GET_IIS()", iis))
        assert _paid(forever, "algorithm-9") == pytest.approx(50 * -15 + 30)
        assert forever.reward == pytest.approx(-55 + 30)


def _paid(episode: Episode, rule: str) -> float:
    return sum(turn.info["rewards"][rule] for turn in episode.turns)  # type: ignore[index,call-overload,misc]


@given(st.lists(st.floats(0, 1) | st.none(), min_size=1, max_size=60))
def test_a_diagnosis_is_paid_once_by_every_rule_but_the_printed_one(
    named: list[float | None],
) -> None:
    """However often it is named, an episode earns what its best one is worth, and no more."""
    best = max((accuracy or 0.0 for accuracy in named), default=0.0)
    for name, rule in RULES.items():
        paid = []
        for told in (named, [None] * len(named)):
            past, reward = Past(), 0.0
            for place, accuracy in enumerate(told):
                last = place == len(told) - 1
                worth = best if told is named and last else 0.0
                t = dataclasses.replace(
                    LOOK, last=last, accuracy=accuracy, episode_accuracy=worth, credit=worth,
                    past=past,
                )  # fmt: skip
                reward, past = reward + rule(t), past.after(t)
            paid.append(reward)
        worth = 0.0 if name == "authors" else 30 * best
        if name == "algorithm-9-printed":
            worth = 30 * sum(accuracy or 0.0 for accuracy in named)
        assert paid[0] - paid[1] == pytest.approx(worth), name


def test_what_can_be_farmed_says_so_where_it_is_chosen(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Another library of the same process may have set up logging its own way.
    log = logging.getLogger("ordojo")
    monkeypatch.setattr(log, "disabled", False)
    monkeypatch.setattr(log, "propagate", False)
    monkeypatch.setattr(log, "handlers", [caplog.handler])
    caplog.set_level(logging.WARNING, "ordojo")
    assert FARMED.keys() == RULES.keys() - {DEFAULT_REWARD}
    for rule, settings in (
        (None, {}),
        *((rule, {"reward": rule}) for rule in FARMED),
        ("authors", {"prompt": "authors"}),
    ):
        caplog.clear()
        session._warn.cache_clear()  # each line is said once a process
        session.chat_options(get_benchmark("or-debug"), settings)
        said = [f"ordojo: or-debug is paid by {rule}, which {FARMED[rule]}"] if rule else []
        assert [record.getMessage() for record in caplog.records] == said


def test_weights_are_parameters() -> None:
    half = RewardWeights(outcome=0.3, diagnosis=0.5, efficiency=0.2)
    assert algorithm_9(SOLVED, half) == pytest.approx(30 + 25 + 10)
    assert equation_5(SOLVED, half) == pytest.approx(30 + 25 - 0.2)


def test_labels_by_both_rules() -> None:
    shrunk = dataclasses.replace(STUCK, size_after=3)
    assert (algorithm_10(SOLVED), equation_6(SOLVED)) == (1.0, 1.0)
    assert (algorithm_10(shrunk), equation_6(shrunk)) == (0.0, 1.0)
    assert algorithm_10(dataclasses.replace(shrunk, turn=1)) == 1.0
    assert algorithm_10(dataclasses.replace(STUCK, accuracy=0.2)) == 0.5
    assert algorithm_10(dataclasses.replace(STUCK, accuracy=0.0)) == 0.0
    assert (algorithm_10(LOOK), equation_6(LOOK)) == (0.2, 0.2)
    bound = dataclasses.replace(LOOK, kind=ActionKind.CHECK_BOUND)
    assert (algorithm_10(bound), equation_6(bound)) == (0.0, 0.2)
    lost = dataclasses.replace(STUCK, turn=1, size_after=0, status=Status.UNBOUNDED)
    assert algorithm_10(lost) == 0.0


def test_the_environment_rewards_by_the_chosen_rule() -> None:
    for rule in ("algorithm-9", "equation-5", "equation-5-no-drift"):
        environment = OrDebugEnvironment(OrDebugOptions(reward=rule))  # type: ignore[arg-type]
        environment.reset(too_many_orders(), 0)
        for text in ("GET_IIS", "Diagnosis: hours, orders\nAction: RELAX(orders, -20)"):
            step = environment.step(text)
            assert step.reward == step.info["rewards"][rule]  # type: ignore[index,call-overload]


def test_an_episode_by_hand() -> None:
    environment = OrDebugEnvironment(OrDebugOptions(reward="equation-5"))
    environment.reset(too_many_orders(), 0)
    assert set(too_many_orders().problem.iis_rows) == {"wood", "orders", "ratio"}
    rewards = [
        environment.step(text).reward
        for text in (
            "GET_IIS",
            "RELAX(hours, 5)",
            "RELAX(hours, -5)",
            "Diagnosis: wood, hours\nAction: RELAX(orders, -20)",
            "RELAX(wood, 30)",
        )
    ]
    assert rewards == pytest.approx([0.0, -20.2, -20.2, -0.2, 50 + 10 - 0.2])
