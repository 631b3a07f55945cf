"""What each rule says of an episode, the measures it carries, and why failures failed."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordojo.benchmarks.or_debug.environment import OrDebugEnvironment
from ordojo.benchmarks.or_debug.judges import (
    DRIFT,
    PATTERNS,
    RULES,
    judge_with,
    pattern,
    patterns,
)
from ordojo.benchmarks.or_debug.published import FAILURES
from ordojo.benchmarks.or_debug.schema import OrDebugOptions
from ordojo.core.episode import Episode, Turn, play
from ordojo.core.errors import BenchmarkError
from ordojo.core.judge import Verdict
from ordojo.core.records import SampleRecord
from tests.benchmarks.or_debug.made import episode, idle, instance, lost, record, solved, turn

ASKED = instance()


def judged(played: Episode) -> dict[str, Verdict]:
    return {rule: judge_with(rule)(ASKED, played) for rule in RULES}


def passed(played: Episode) -> set[str]:
    """The paper's rules that it passes; the authors' own are tested with their protocol."""
    found = {rule for rule, verdict in judged(played).items() if verdict.score == 1}
    return {rule for rule in found if not rule.startswith("authors")}


ALWAYS = {"full", "recovered", "optimal", "no-drift"}


@pytest.mark.parametrize(
    ("played", "rules"),
    [
        (solved(1), {"rr@1", "rr@5", "rr@10", *ALWAYS}),
        (solved(2), {"rr@5", "rr@10", *ALWAYS}),
        (solved(5), {"rr@5", "rr@10", *ALWAYS}),
        (solved(6), {"rr@10", *ALWAYS}),
        (solved(11), ALWAYS),
        (solved(1, op=0.951), {"rr@1", "rr@5", "rr@10", *ALWAYS}),
        (solved(1, op=0.95), {"recovered", "optimal"}),
        (solved(1, op=0.8), {"optimal"}),
        (solved(1, drifted=True), {"rr@1", "rr@5", "rr@10", "full", "recovered", "optimal"}),
        (lost(), set()),
        (idle(), set()),
    ],
    ids=lambda value: ",".join(sorted(value)) if isinstance(value, set) else "",
)
def test_every_rule_passes_what_it_says(played: Episode, rules: set[str]) -> None:
    assert passed(played) == rules


def test_the_default_rule_stands_first() -> None:
    assert next(iter(RULES)) == "rr@5"


def test_an_unknown_rule_is_refused() -> None:
    with pytest.raises(BenchmarkError, match="no rule 'rr@3'; choose from rr@5"):
        judge_with("rr@3")


@pytest.mark.parametrize("played", [Episode(()), Episode((turn("GET_IIS", step=0),))])
def test_an_unfinished_episode_is_not_judged(played: Episode) -> None:
    with pytest.raises(BenchmarkError, match="before its end; play it until"):
        judge_with("rr@5")(ASKED, played)


def test_outcomes_tell_partial_wrong_and_unparsed_apart() -> None:
    assert judged(solved(1))["rr@5"].outcome == "correct"
    assert judged(solved(1, op=0.9))["rr@5"].outcome == "partial"
    assert judged(solved(7))["rr@5"].outcome == "partial"
    assert judged(lost())["rr@5"].outcome == "wrong"
    silent = judged(lost(*(turn("", step=k, valid=False) for k in range(1, 4))))["rr@5"]
    assert (silent.outcome, silent.score, silent.answer) == ("unparsed", 0.0, None)
    assert judged(idle())["rr@5"].outcome == "wrong"


def test_the_answer_lists_the_valid_repairs() -> None:
    played = lost(
        turn("RELAX", "oven", step=1),
        turn("DROP", "nothing", step=2, valid=False),
        turn("CHECK_SLACK", "oven", step=2),
        turn("DROP", "cake.ub", step=3),
    )
    assert judged(played)["full"].answer == ["RELAX(oven)", "DROP(cake.ub)"]


def test_measures_count_what_happened() -> None:
    played = episode(
        turn("GET_IIS", step=0),
        turn("DROP", "nothing", step=1, valid=False),
        turn("RELAX", "oven", step=2, iis=("oven", "orders")),
        turn("RELAX", "oven", step=3, iis=("orders",), bounds=("bread.ub", "cake.ub")),
        turn("CHECK_SLACK", step=3, iis=("orders",), bounds=("bread.ub", "cake.ub")),
        turn("RELAX", "orders", step=4, status="OPTIMAL"),
        outcome="full",
        op=0.99,
        da=(1.0, 0.5, 1.0, True),
        collateral=("oven",),
    )
    assert judge_with("rr@5")(ASKED, played).metrics == {
        "turns": 6,
        "counted": 4,
        "solved": 1,
        "optimal": 1,
        "full": 1,
        "partial": 0,
        "steps": 4,
        "first_optimal": 4,
        "op": 0.99,
        "da": 1,
        "da_precision": 0.5,
        "da_verified": 1,
        "named": 1,
        "drift": 0,
        "cut_off": 0,
        "relaxed": 0,
        "collateral": 1,
        "submitted": 0,
        "iis_size": 2,
        "largest_iis": 3,
        "diagnostics": 2,
        "invalid": 1,
        "unread": 0,
        "repairs": 3,
        "touched": 1,
        "short": 1,
        "new_conflicts": 1,
        "iis_rows": 2,
        "iis_rows_acted": 2,
        "optimal_reply": 6,
    }


def test_a_conflict_is_new_only_once() -> None:
    other = ("cake.ub", "bread.ub")
    played = lost(
        turn("DROP", "oven", step=1, iis=(), bounds=other),
        turn("RELAX", "orders", step=2, iis=(), bounds=other),
        turn("RESTART", step=3),
        turn("RELAX", "oven", step=4, iis=("oven",)),
    )
    found = judge_with("rr@5")(ASKED, played).metrics
    assert (found["new_conflicts"], found["short"], found["touched"]) == (1, 1, 1)


def test_steps_lead_to_the_last_model_where_the_episode_goes_on_after_optimal() -> None:
    again = episode(
        turn("DROP", "oven", step=1, status="OPTIMAL"),
        turn("RESTART", step=2),
        turn("RELAX", "orders", step=3, status="OPTIMAL"),
        turn("GET_IIS", step=3, status="OPTIMAL"),
        turn("SUBMIT", step=4, status="OPTIMAL"),
        end="submit",
        outcome="full",
        op=1.0,
    )
    found = judge_with("rr@5")(ASKED, again).metrics
    assert (found["first_optimal"], found["steps"], found["counted"]) == (1, 3, 4)
    assert "rr@1" not in passed(again) and "rr@5" in passed(again)
    spoilt = episode(
        turn("RELAX", "orders", step=1, status="OPTIMAL"),
        turn("RELAX", "orders", step=2),
        turn("SUBMIT", step=3),
        end="submit",
    )
    assert "steps" not in judge_with("rr@5")(ASKED, spoilt).metrics
    assert passed(spoilt) == {"optimal"}


def test_a_record_read_back_is_judged_alike() -> None:
    for played in (solved(3), lost(), idle()):
        kept = record(ASKED, played)
        text = json.dumps(kept.to_json(), allow_nan=False)
        again = SampleRecord.from_json(json.loads(text))
        assert again.verdicts == kept.verdicts
        assert record(ASKED, again.episode).verdicts == kept.verdicts


@pytest.mark.parametrize(
    ("said", "rules", "reason"),
    [
        (["GET_IIS", "RELAX(orders, -20)"], {"rr@1", "rr@5", "rr@10", *ALWAYS}, ""),
        (["RELAX(orders, -5)", "RELAX(orders, -15)"], {"rr@5", "rr@10", *ALWAYS}, ""),
        (["DROP(oven)"], {"optimal"}, "wrong constraint identified"),
        (["DROP(nothing)", "SUBMIT"], set(), "invalid actions"),
        (["CHECK_SLACK", "SUBMIT"], set(), "nothing done"),
        (["RELAX(orders, -5)", "SUBMIT"], set(), "gave up"),
        (["hm"] * 50, set(), "no action read"),
    ],
)
def test_the_environments_own_episodes_are_judged(
    said: list[str], rules: set[str], reason: str
) -> None:
    environment = OrDebugEnvironment(OrDebugOptions())
    replies = iter(said)
    played = play(environment, ASKED, lambda asked: next(replies))
    environment.close()
    assert next(replies, None) is None
    assert passed(played) == rules and judged(played)["rr@5"].reason == reason
    assert judge_with("rr@5")(ASKED, played).metrics["turns"] == len(said)


CASES = {
    "no action read": lost(*(turn("", step=k, valid=False) for k in (1, 2))),
    "program fails": lost(*(turn("PROGRAM", step=k, valid=False, changed=[]) for k in (1, 2))),
    "invalid actions": lost(*(turn("DROP", "x", step=k, valid=False) for k in (1, 2))),
    "nothing done": idle(),
    "objective degradation": solved(2, op=0.7),
    "gave up": episode(turn("RELAX", "orders", step=1), turn("SUBMIT", step=2), end="submit"),
    "wrong constraint identified": lost(),
    "timeout on complex IIS": lost(turn("RELAX", "orders", step=50, iis=[*"abcdefgh"])),
    "insufficient relaxation": lost(
        turn("RELAX", "orders", step=1), turn("RELAX", "orders", step=2)
    ),
    "cascading failure": lost(turn("DROP", "orders", step=1, iis=("oven", "other"))),
    "too many steps": lost(turn("DROP", "orders", step=1, iis=("oven",))),
}


@pytest.mark.parametrize("name", CASES)
def test_a_failure_has_its_pattern(name: str) -> None:
    verdict = judged(CASES[name])["rr@5"]
    assert verdict.score == 0 and verdict.reason == name
    assert pattern(verdict.metrics, "rr@5") == name


def test_every_pattern_has_a_case_and_the_papers_are_among_them() -> None:
    assert CASES.keys() == PATTERNS.keys() and FAILURES.keys() <= PATTERNS.keys()
    assert sum(FAILURES.values()) == 100


def test_a_degraded_objective_is_a_wrong_constraint_where_no_sabotaged_one_was_repaired() -> None:
    played = episode(turn("DROP", "oven", step=1, status="OPTIMAL"), outcome="failure", op=0.4)
    assert judged(played)["rr@5"].reason == "wrong constraint identified"


def test_late_success_is_a_failure_of_the_rule_with_a_pattern() -> None:
    assert judged(solved(6))["rr@5"].reason == "insufficient relaxation"
    assert judged(solved(6))["rr@10"].reason == ""


def test_drift_is_the_reason_only_where_drift_is_asked_about() -> None:
    found = judged(solved(1, drifted=True))
    assert found["no-drift"].reason == DRIFT and found["rr@5"].reason == ""


def test_patterns_are_counted_over_the_failures_of_a_rule() -> None:
    played = [*CASES.values(), solved(1), solved(6), solved(1, drifted=True)]
    kept = [record(ASKED, p) for p in played]
    counts = patterns(kept, "rr@5")
    assert counts["insufficient relaxation"] == 2 and counts[DRIFT] == 0
    assert sum(counts.values()) == len(CASES) + 1
    assert patterns(kept, "no-drift")[DRIFT] == 1
    assert patterns(kept, "optimal")["objective degradation"] == 0
    assert not any(patterns([], "rr@5").values())


ACTIONS = st.tuples(
    st.sampled_from(["", "GET_IIS", "RELAX", "DROP", "REWRITE", "SUBMIT", "RESTART"]),
    st.sampled_from(["", "oven", "orders", "cake.ub"]),
    st.sampled_from(["OPTIMAL", "INFEASIBLE", "UNBOUNDED", "TIME_LIMIT"]),
    st.lists(st.sampled_from(["oven", "orders", "other"]), unique=True),
    st.booleans(),
)


@given(
    st.lists(ACTIONS, min_size=1, max_size=12),
    st.floats(0, 1),
    st.booleans(),
    st.sampled_from(["optimal", "submit", "limit"]),
)
def test_rules_are_nested_whatever_happened(
    actions: list[tuple[str, str, str, list[str], bool]], op: float, drifted: bool, end: str
) -> None:
    turns = [
        turn(kind, target, step=k, status=status, iis=iis, valid=valid)
        for k, (kind, target, status, iis, valid) in enumerate(actions, 1)
    ]
    ends_well = actions[-1][2] == "OPTIMAL"
    outcome = "failure" if not ends_well or op <= 0.8 else "full" if op > 0.95 else "partial"
    found = judged(
        episode(*turns, outcome=outcome, op=op if ends_well else None, end=end, drifted=drifted)
    )
    scores = [
        found[rule].score or 0 for rule in ("rr@1", "rr@5", "rr@10", "full", "recovered", "optimal")
    ]
    assert scores == sorted(scores)
    assert (found["no-drift"].score or 0) <= (found["full"].score or 0)
    for verdict in found.values():
        assert (verdict.reason == "") == (verdict.score == 1)
        assert verdict.metrics == found["rr@5"].metrics


def test_judging_is_pure() -> None:
    one, other = solved(1), lost()
    first = [judge_with("rr@5")(ASKED, p) for p in (one, other, one)]
    assert first[0] == first[2] != first[1]
    with_other = instance("B", 7)
    assert judge_with("rr@5")(with_other, Episode(tuple(map(_copy, one.turns)))) == first[0]


def _copy(made: Turn) -> Turn:
    return Turn(made.messages, made.style, made.reply, made.reward, dict(made.info))
