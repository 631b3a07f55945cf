"""OR-Debug-Bench by whole programs: run contained, compared with the original, judged alike."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal

import pytest

from ordojo.benchmarks.or_debug import BENCHMARK
from ordojo.benchmarks.or_debug.build import load_set
from ordojo.benchmarks.or_debug.environment import OrDebugEnvironment, ProgramEnvironment
from ordojo.benchmarks.or_debug.judges import RULES, judge_with, metrics
from ordojo.benchmarks.or_debug.page import setting
from ordojo.benchmarks.or_debug.policies import policies
from ordojo.benchmarks.or_debug.prompts import WHOLE
from ordojo.benchmarks.or_debug.rewritten import Sameness, changes, sameness
from ordojo.benchmarks.or_debug.schema import LIBRARY, Debugging, OrDebugOptions, make_instance
from ordojo.core.episode import Episode, play
from ordojo.core.errors import SandboxError, UsageError
from ordojo.core.instance import Instance
from ordojo.core.options import parse_options
from ordojo.core.registry import get_benchmark
from ordojo.milp.model import Model
from ordojo.milp.source import gurobipy_source
from ordojo.solvers.equivalence import EquivalenceVerdict
from ordojo.solvers.highs import HighsOracle
from tests.benchmarks.or_debug.made import record
from tests.benchmarks.or_debug.puzzles import (
    all_puzzles,
    contradiction,
    high_bound,
    too_many_orders,
    workshop,
)

STEPS = 3
Asked = Instance[Debugging]


@pytest.fixture(scope="module")
def environment() -> Iterator[ProgramEnvironment]:
    try:
        found = ProgramEnvironment(OrDebugOptions(answer="program", max_steps=STEPS))
    except SandboxError as error:
        pytest.skip(str(error))
    yield found
    found.close()


def fenced(source: str, before: str = "") -> str:
    return f"{before}```python\n{source}\n```"


def answered(environment: ProgramEnvironment, asked: Asked, *texts: str) -> Episode:
    replies = iter(texts)
    played = play(environment, asked, lambda observation: next(replies, ""))
    assert next(replies, None) is None, "the episode ended before its last reply"
    return played


def last(played: Episode) -> dict[str, Any]:
    return json.loads(json.dumps(played.turns[-1].info))  # type: ignore[no-any-return]


def source_of(model: Model) -> str:
    return fenced(gurobipy_source(model))


@pytest.mark.parametrize("asked", all_puzzles(), ids=lambda i: i.id)
def test_the_originals_program_is_full_success_and_the_same_problem(
    environment: ProgramEnvironment, asked: Asked
) -> None:
    played = answered(environment, asked, source_of(asked.problem.original_model))
    info = last(played)
    assert info["action"] == "PROGRAM" and info["valid"] and info["step"] == 1
    assert info["end"] == "optimal" and not played.truncated
    assert info["final"]["outcome"] == "full" and info["op"] == pytest.approx(1.0)
    assert info["comparison"]["verdict"] == "equal"
    assert not info["final"]["drift"]["drifted"] and not info["final"]["drift"]["unknown"]
    assert info["changed"] == list(asked.problem.targets)
    assert all(judge_with(rule)(asked, played).score == 1 for rule in RULES)
    assert judge_with("rr@5")(asked, played).metrics["touched"] == 1


def test_infos_have_the_shape_of_the_actions_mode(environment: ProgramEnvironment) -> None:
    asked = contradiction()
    by_action = OrDebugEnvironment(OrDebugOptions())
    by_action.reset(asked, 0)
    action, program = (
        by_action.step("DROP(mixing)").info,
        last(answered(environment, asked, source_of(asked.problem.original_model))),
    )
    assert program.keys() - action.keys() == {"program", "comparison", "changed"}
    assert action.keys() <= program.keys()
    for part in ("final", "da", "rewards"):
        assert program[part].keys() == action[part].keys()  # type: ignore[union-attr]
    assert program["objective"] == pytest.approx(action["objective"])


def test_the_first_message_asks_for_the_whole_program(environment: ProgramEnvironment) -> None:
    asked = too_many_orders()
    shown = environment.reset(asked, 0)
    assert WHOLE in shown.text and shown.fresh and f"{STEPS} programs" in shown.text
    assert 'm.addConstr(tables + chairs >= 50, name="orders")' in shown.text
    assert "Status: INFEASIBLE" in shown.text and asked.problem.text in shown.text
    assert all(f"'{name}'" in shown.text for name in asked.problem.iis_rows)
    assert "GET_IIS" not in shown.text


def test_a_feasible_model_of_another_problem_has_drifted(environment: ProgramEnvironment) -> None:
    # Orders are 30 in truth; 35 costs nothing at the optimum, and is another problem.
    asked = contradiction()
    played = answered(environment, asked, source_of(workshop(orders=35.0)))
    info, drift = last(played), last(played)["final"]["drift"]
    assert info["op"] == pytest.approx(1.0) and info["final"]["outcome"] == "full"
    assert info["comparison"]["verdict"] == "different" and "orders" in info["comparison"]["reason"]
    assert drift["drifted"] and drift["collateral"] == ["orders"] and not drift["cut_off"]
    assert judge_with("rr@5")(asked, played).score == 1
    verdict = judge_with("no-drift")(asked, played)
    assert verdict.score == 0 and verdict.reason == "semantic drift"


RENAMED = """
import gurobipy as gp
m = gp.Model()
a = m.addVar(ub=30)
b = m.addVar(ub=40)
m.addConstr(2 * a + b <= 60)
m.addConstr(a + b <= 40)
m.addConstr(a + b >= 30)
m.addConstr(a == b)
{more}
m.setObjective(-3 * a - 2 * b, gp.GRB.MINIMIZE)
m.optimize()
"""


def test_other_names_and_the_negated_aim_are_the_same_problem(
    environment: ProgramEnvironment,
) -> None:
    info = last(answered(environment, contradiction(), fenced(RENAMED.format(more=""))))
    assert info["comparison"]["verdict"] == "equal" and info["objective"] == pytest.approx(100)
    assert not info["final"]["drift"]["drifted"] and not info["final"]["drift"]["unknown"]


@pytest.mark.parametrize(("labels", "label"), [("algorithm-10", 0.0), ("equation-6", 1.0)])
def test_a_smaller_iis_in_the_first_turn_is_labelled_as_asked(
    labels: Literal["algorithm-10", "equation-6"], label: float
) -> None:
    environment = ProgramEnvironment(OrDebugOptions(answer="program", labels=labels))
    environment.reset(contradiction(), 0)
    step = environment.step(fenced(RENAMED.format(more="m.addConstr(0 * a >= 1)")))
    assert (step.info["status"], step.info["iis_size"]) == ("INFEASIBLE", 1)
    assert step.info["label"] == label
    environment.close()


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ("m.addConstr(5 * a + 3 * b <= 500)", "no difference"),
        ("m.addConstr(a * b <= 900)", "quadr"),
    ],
)
def test_what_can_be_told_neither_way_is_counted_apart(
    environment: ProgramEnvironment, more: str, reason: str
) -> None:
    asked = contradiction()
    played = answered(environment, asked, fenced(RENAMED.format(more=more)))
    info = last(played)
    assert info["comparison"]["verdict"] == "unknown" and reason in info["comparison"]["reason"]
    drift = info["final"]["drift"]
    assert info["final"]["outcome"] == "full" and drift["unknown"] and not drift["drifted"]
    verdict = judge_with("no-drift")(asked, played)
    assert verdict.score == 0 and verdict.reason == "drift not known"
    figures = metrics([record(asked, played)], "rr@5")
    assert figures["drift_unknown"].value == 1 and figures["drift"].n == 0
    assert figures["no_drift"].value == 0


def held_up(model: Model) -> Sameness:
    """A model beside the workshop as it should be, as if nothing had been sabotaged."""
    oracle, original = HighsOracle(), workshop()
    session = oracle.session()
    x, best = oracle.solve(model).x, oracle.solve(original).x
    assert x is not None and best is not None
    found = sameness(model, x, original, best, (), session, 5.0)
    session.close()
    return found


def with_spare(lower: float, upper: float) -> Model:
    """The workshop with a column of its own, in a row of its own: tables + chairs + spare."""
    extra = workshop().with_new_col("spare", 0.0, 1.0)
    return extra.with_new_row("more", (0, 1, 2), (1.0, 1.0, 1.0), lower, upper)


def test_solutions_are_put_across_where_columns_were_added() -> None:
    harmless = held_up(with_spare(10.0, 500.0))
    assert not harmless.drifted and not harmless.cut_off and not harmless.relaxed
    assert harmless.unknown == (harmless.verdict == EquivalenceVerdict.UNKNOWN)
    cutting = held_up(with_spare(0.0, 35.0))
    assert cutting.drifted and cutting.cut_off and not cutting.relaxed
    loose = held_up(workshop().without_row(3).without_row(0))
    assert loose.drifted and loose.relaxed and not loose.cut_off


def test_changes_are_told_by_names_and_left_open_where_names_differ() -> None:
    base = workshop()
    assert changes(base, base) == ()
    assert changes(workshop(floor=5.0, orders=31.0), base) == ("orders", "tables.lb")
    assert changes(base.without_row(1), base) == ("hours",)
    assert changes(base.renamed({"hours": "time"}), base) == ()
    assert "chairs.type" not in changes(base.renamed(None, {"chairs": "seats"}), base)


FAILING = """
import gurobipy as gp
m = gp.Model()
def build(model):
    raise KeyError("a part is missing")
build(m)
"""


def test_what_came_of_a_program_is_told(environment: ProgramEnvironment) -> None:
    asked = high_bound()
    environment.reset(asked, 0)
    none = environment.step("I am sorry.\nDiagnosis: orders, tables.lb")
    assert none.info["action"] is None and not none.info["valid"] and none.info["step"] == 1
    assert none.info["diagnosis"] == ["orders", "tables.lb"]
    assert none.info["status"] == "INFEASIBLE" and none.observation is not None
    assert "No program was found" in none.observation.text
    failed = environment.step(fenced(FAILING))
    assert failed.observation is not None and not failed.observation.fresh
    text = failed.observation.text
    assert "KeyError: 'a part is missing'" in text and 'File "program.py", line 5' in text
    assert failed.info["status"] == "ERROR" and not failed.info["valid"]
    assert failed.info["program"]["exception"] == "KeyError"  # type: ignore[index, call-overload]
    assert "of 3 done" in text and WHOLE in text
    same = environment.step(source_of(asked.problem.model))
    assert same.truncated and same.info["end"] == "limit" and same.info["valid"]
    assert same.info["comparison"]["verdict"] == "different"  # type: ignore[index, call-overload]
    assert {*same.info["iis"]} == {*asked.problem.iis_rows}  # type: ignore[misc]


def test_an_infeasible_program_is_answered_by_its_iis(environment: ProgramEnvironment) -> None:
    environment.reset(contradiction(), 0)
    step = environment.step(source_of(contradiction().problem.model.renamed({"mixing": "blend"})))
    assert step.observation is not None
    assert "Status: INFEASIBLE" in step.observation.text and "'blend'" in step.observation.text
    assert step.info["iis_size"] == len(step.info["iis"]) + len(step.info["iis_bounds"])  # type: ignore[arg-type]


def test_an_optimum_counts_whatever_the_program_does_then(environment: ProgramEnvironment) -> None:
    source = gurobipy_source(workshop()) + "\nprint(m.getVarByName('sofas').X)\n"
    info = last(answered(environment, contradiction(), fenced(source)))
    assert info["final"]["outcome"] == "full" and info["program"]["exception"] == "AttributeError"


def test_two_replies_without_a_program_end_it(environment: ProgramEnvironment) -> None:
    played = answered(environment, contradiction(), "No.", "No!")
    assert last(played)["end"] == "no program" and not played.truncated
    verdict = judge_with("rr@5")(contradiction(), played)
    assert verdict.outcome == "unparsed" and verdict.reason == "no action read"


def test_programs_that_fail_have_a_pattern(environment: ProgramEnvironment) -> None:
    played = answered(environment, contradiction(), *[fenced(FAILING)] * STEPS)
    assert last(played)["end"] == "limit" and last(played)["final"]["status"] == "ERROR"
    assert judge_with("rr@5")(contradiction(), played).reason == "program fails"
    assert judge_with("rr@5")(contradiction(), played).metrics["failed"] == STEPS


def test_the_repairers_write_programs_of_their_repairs(environment: ProgramEnvironment) -> None:
    asked = load_set(LIBRARY)[::10]
    rate = {}
    for name in ("gold", "elastic", "drop-everything", "random", "noop"):
        policy = policies()[name]
        episodes = [play(environment, item, policy.begin(item, 0, 1)) for item in asked]
        programs = {episode.turns[0].info["action"] for episode in episodes}
        assert programs == {None if name == "noop" else "PROGRAM"}
        judge = judge_with("no-drift")
        rate[name] = sum(
            judge(i, e).score or 0.0 for i, e in zip(asked, episodes, strict=True)
        ) / len(asked)
    assert rate["gold"] == 1 and rate["random"] == rate["noop"] == 0
    assert rate["elastic"] < 1 and rate["drop-everything"] < 1


@pytest.mark.parametrize("name", ["drop-everything", "greedy-iis", "elastic", "random"])
def test_none_but_gold_sees_the_original(name: str, environment: ProgramEnvironment) -> None:
    asked = too_many_orders()
    blind: Debugging = replace(
        asked.problem, original=workshop(floor=1.0).to_json(), fix=(), targets=(), objective=1.0
    )
    shown = environment.reset(asked, 0)
    replies = [
        policies()[name].begin(item, 0, 1)(shown) for item in (asked, make_instance(blind, {}))
    ]
    assert replies[0] == replies[1] and "```python" in replies[0]


def test_nothing_is_asked_where_nothing_contains_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ordojo.sandbox.worker.shutil.which", lambda name: None)
    options = OrDebugOptions(answer="program", isolation="bwrap")
    with pytest.raises(SandboxError, match="cannot be contained"):
        get_benchmark("or-debug").environment(options, 0)


def test_unsafe_must_be_asked_for_and_is_said() -> None:
    options = OrDebugOptions(answer="program", isolation="unsafe", max_steps=1)
    environment = ProgramEnvironment(options)
    environment.reset(contradiction(), 0)
    step = environment.step(source_of(workshop()))
    environment.close()
    environment.close()
    assert step.info["program"]["isolation"] == "unsafe"  # type: ignore[index, call-overload]
    assert setting(options.model_dump()) == "program, isolation unsafe, 1 steps"


@pytest.mark.parametrize(
    "other",
    [{"prompt": "cot"}, {"shots": 1}, {"rag": "by_type"}, {"end": "submit"}, {"simulate": True}],
)
def test_settings_of_actions_are_refused(other: dict[str, Any]) -> None:
    options = parse_options(OrDebugOptions, {"answer": "program", **other}, "or-debug")
    with pytest.raises(UsageError, match=next(iter(other))):
        BENCHMARK.load(options, 0)
    with pytest.raises(UsageError, match="answer=program"):
        BENCHMARK.environment(options, 0)
