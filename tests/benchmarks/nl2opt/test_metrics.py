"""NL2Opt's figures against sums done by hand."""

import math
from dataclasses import replace
from itertools import combinations

import pytest

from ordojo.benchmarks.nl2opt import BENCHMARK
from ordojo.benchmarks.nl2opt.judge import RULES
from ordojo.benchmarks.nl2opt.metrics import metrics
from ordojo.benchmarks.nl2opt.reading import AnswerOutcome
from ordojo.benchmarks.nl2opt.rules import COMPARISONS
from ordojo.core.canonical import Json
from ordojo.core.episode import Episode, Turn
from ordojo.core.judge import Verdict, judge_all
from ordojo.core.records import SampleRecord, pass_at
from ordojo.core.statistics import Estimate
from tests.benchmarks.nl2opt.made import instance


def made(
    name: str,
    epoch: int,
    reason: str = "",
    status: str = "ok",
    repairs: int = 0,
    size: str = "<500",
    loose: bool | None = None,
    **measures: float,
) -> SampleRecord:
    """A record whose verdict has this reason; right without one. `loose`: under all other rules."""
    published = float(status in {"ok", "disputed"})
    figures = {"published": published, "program": 1.0, "executable": 1.0, "solves": 1.0}
    figures |= {"cached": 0.0, "solver_seconds": 2.0, **measures}

    def verdict(rule: str, right: bool) -> Verdict:
        told, kind = (reason, reason.partition(":")[0]) if reason else ("wrong", "wrong")
        if kind == "unsupported":
            return Verdict(rule, "unscored", None, None, told, figures, kind)
        if right:
            return Verdict(rule, "correct", 1.0, None, "", figures, "correct")
        return Verdict(rule, "wrong", 0.0, None, told, figures, kind)

    right = not reason
    verdicts = {rule: verdict(rule, right if loose is None else loose) for rule in RULES[1:]}
    return SampleRecord(
        id=name,
        epoch=epoch,
        content_hash=name,
        cluster=name,
        labels={"status": status, "size": size},
        gold="1",
        episode=Episode((Turn((), "chat", "", 0.0, {"repairs": repairs}),)),
        verdicts={RULES[0]: verdict(RULES[0], right), **verdicts},
    )


FAILED = "not executable: KeyError: 'a'"
RECORDS = [
    *(made("a", k, "" if k < 3 else FAILED, executable=float(k < 3)) for k in range(1, 5)),
    *(made("b", k, "wrong: 3 against 4", under_constrained=1.0, loose=True) for k in range(1, 5)),
    *(made("c", k, "" if k == 4 else "time limit: of the solver", size="<1,000") for k in (3, 4)),
    made("d", 1, "unsupported: norm"),
    made("e", 1, "infeasible", status="infeasible"),
]


def value(name: str) -> float:
    return metrics(RECORDS, RULES[0])[name].value


def test_pass_at_k_is_unbiased() -> None:
    found = metrics(RECORDS, RULES[0])
    assert next(iter(found)) == "pass@1"
    assert value("pass@1") == pytest.approx((0.5 + 0 + 0.5) / 3)
    assert value("pass@2") == pytest.approx((1 - 1 / 6 + 0 + 1) / 3)
    assert value("pass@4") == pytest.approx((1 + 0) / 2)  # "c" has two samples alone
    assert found["pass@1"].n == 3 and "pass@5" not in found


@pytest.mark.parametrize("right", range(6))
def test_pass_at_k_is_the_mean_over_all_choices(right: int) -> None:
    outcomes = [k < right for k in range(5)]
    records = [made("a", k, "" if ok else "wrong") for k, ok in enumerate(outcomes, 1)]
    pairs = [(record, record.verdicts[RULES[0]]) for record in records]
    for k in range(1, 6):
        choices = [any(choice) for choice in combinations(outcomes, k)]
        expected = sum(choices) / len(choices)
        assert pass_at(pairs, "pass")[f"pass@{k}"].value == pytest.approx(expected)


def test_many_samples_give_few_columns() -> None:
    records = [made("a", k) for k in range(1, 101)]
    names = [name for name in metrics(records, RULES[0]) if name.startswith("pass@")]
    assert names == [*(f"pass@{k}" for k in (*range(1, 17), 32, 64)), "pass@1 where scored"]


def test_outcomes_and_errors() -> None:
    assert value("executable") == pytest.approx(9 / 11)
    assert value("unscored") == pytest.approx(1 / 11)
    assert value("outcome/correct") == pytest.approx(3 / 11)
    assert value("outcome/wrong") == pytest.approx(4 / 11)
    assert value("outcome/not executable") == pytest.approx(2 / 11)
    assert value("outcome/unsupported") == pytest.approx(1 / 11)
    assert value("error/execution") == pytest.approx(2 / 7)
    assert value("error/modelling") == pytest.approx(4 / 7)
    assert value("error/timeout") == pytest.approx(1 / 7)
    assert value("under_constrained") == 1.0


@pytest.mark.parametrize("stop", ["max_tokens", "content_filter", "stop"])
def test_how_a_reply_ended_does_not_hide_that_it_had_no_program(stop: str) -> None:
    info: dict[str, Json] = {"repairs": 0, "program": None, "program_problem": "no block of code"}
    episode = Episode((Turn((), "chat", "", 0.0, info, stop),))
    silent = replace(made("z", 1), verdicts=judge_all(BENCHMARK.rules, instance(), episode))
    assert silent.verdicts[RULES[0]].reason.startswith("the reply ")
    kept = SampleRecord.from_json(silent.to_json())
    unjudged = replace(made("y", 1), verdicts={r: Verdict(r, "unscored", None) for r in RULES})
    found = metrics([made("x", 1), kept, unjudged], RULES[0])
    assert found["outcome/no program found"].value == found["outcome/correct"].value == 0.5
    assert sum(found[f"outcome/{outcome}"].value for outcome in AnswerOutcome) == 1
    assert (found["error/execution"].value, found["error/execution"].n) == (1.0, 1)


def test_scales_rules_and_items_apart() -> None:
    assert value("size/<500") == pytest.approx(2 / 8)
    assert value("size/<1,000") == pytest.approx(1 / 2)
    assert math.isnan(value("size/>=10,000"))
    assert value("rule/strict-1e-6") == pytest.approx(3 / 10)
    # A publisher's rule counts "e", whose gold is that there is no optimum, too.
    assert value("rule/orlm-5pct") == pytest.approx(7 / 11)
    assert value("rule/orlm-5pct over our items") == pytest.approx(7 / 10)
    assert value("rule_spread") == pytest.approx(0.4)
    assert value("apart/infeasible") == 0 and math.isnan(value("apart/open"))
    assert value("solver_seconds") == 2.0 and value("cached") == 0


def test_denominators_belong_to_the_rule() -> None:
    golds = [("a", "ok", ""), ("b", "sentinel", "wrong"), ("c", "infeasible", "")]
    golds += [("d", "open", "wrong"), ("e", "unknown-gold", "wrong"), ("f", "disputed", "")]
    records = [made(name, 1, reason, status=status) for name, status, reason in golds]
    for rule in RULES:
        found = metrics(records, rule)
        theirs = rule in COMPARISONS and COMPARISONS[rule].publisher
        assert found["pass@1"].n == (5 if theirs else 2), rule
        assert found["pass@1"].value == pytest.approx(3 / 5 if theirs else 1)
        assert ("pass@1 over our items" in found) is theirs
        if theirs:
            ours = found["pass@1 over our items"]
            assert (ours.n, ours.value) == (2, 1.0)
    assert metrics(records, RULES[0])["rule_spread"].value == 0.0
    mine = {name for name, rule in COMPARISONS.items() if not rule.publisher}
    assert mine == {"strict-1e-6", "printed"}


def test_repair_is_never_called_pass() -> None:
    found = metrics([made("a", k, repairs=2) for k in (1, 2)], RULES[0])
    assert list(found)[:2] == ["repair@1", "repair@2"]
    assert not any(name.startswith("pass@") for name in found)


def test_nothing_gives_nothing() -> None:
    found = metrics([], RULES[0])
    assert all(isinstance(e, Estimate) and e.n == 0 for e in found.values())
    assert next(iter(found)) == "pass@1"
