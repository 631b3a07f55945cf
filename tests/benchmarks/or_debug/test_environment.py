import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ordojo.benchmarks.or_debug.build import load_set
from ordojo.benchmarks.or_debug.environment import OrDebugEnvironment
from ordojo.benchmarks.or_debug.outcome import (
    compared,
    differences,
    holds_at,
    outcome,
    precision,
    preservation,
    recall,
    verified_recall,
)
from ordojo.benchmarks.or_debug.rewards import PENALTY, is_true_repair
from ordojo.benchmarks.or_debug.schema import Debugging, OrDebugOptions
from ordojo.core.conformance import check_environment
from ordojo.core.environment import Step
from ordojo.core.errors import BenchmarkError, SolverError
from ordojo.core.instance import Instance
from ordojo.milp.model import Model, VarType
from ordojo.solvers.answers import SolveResult, Status
from ordojo.solvers.equivalence import EquivalenceVerdict
from ordojo.solvers.highs import HighsOracle, HighsSession
from tests.benchmarks.or_debug.puzzles import (
    all_puzzles,
    binary,
    contradiction,
    high_bound,
    too_many_orders,
    turned_orders,
    workshop,
)


def play(
    instance: Instance[Debugging], *texts: str, seed: int = 0, **options: Any
) -> tuple[OrDebugEnvironment, list[Step]]:
    environment = OrDebugEnvironment(OrDebugOptions(**options))
    environment.reset(instance, seed)
    return environment, [environment.step(text) for text in texts]


def info(step: Step) -> dict[str, Any]:
    return json.loads(json.dumps(step.info))  # type: ignore[no-any-return]


@pytest.mark.parametrize("instance", all_puzzles(), ids=lambda i: i.id)
def test_the_fix_ends_every_puzzle_with_full_success(instance: Instance[Debugging]) -> None:
    _, steps = play(instance, *instance.problem.fix)
    last = info(steps[-1])
    assert steps[-1].terminated and not steps[-1].truncated and steps[-1].observation is None
    assert last["end"] == "optimal"
    assert last["final"]["outcome"] == "full"
    assert last["final"]["op"] == pytest.approx(1.0)
    drift = last["final"]["drift"]
    assert drift == dict.fromkeys(("drifted", "cut_off", "relaxed", "unknown"), False) | {
        "changed": [],
        "collateral": [],
        "lost": [],
    }
    assert last["step"] == last["turn"] == len(instance.problem.fix)
    assert all(info(step)["known"] for step in steps)


def test_the_first_observation_shows_code_status_and_the_recorded_iis() -> None:
    instance = too_many_orders()
    shown = OrDebugEnvironment(OrDebugOptions()).reset(instance, 0)
    assert shown.fresh
    assert 'm.addConstr(tables + chairs >= 50, name="orders")' in shown.text
    assert "Status: INFEASIBLE" in shown.text
    assert all(f"'{name}'" in shown.text for name in instance.problem.iis_rows)
    assert "tables.lb" not in shown.text.partition("IIS: ")[2].partition("\n")[0]


@pytest.mark.parametrize("history", ["chat", "state"])
def test_examples_come_before_the_prompt(history: Any) -> None:
    options = OrDebugOptions(history=history, max_tokens=77)
    environment = OrDebugEnvironment(options, lambda instance: f"Cases like {instance.id}")
    shown = environment.reset(contradiction(), 0)
    assert shown.messages[-1].content.startswith("Cases like eval-D-00000\n")
    assert shown.max_tokens == 77


def test_gurobi_answers_as_highs_does() -> None:
    pytest.importorskip("gurobipy")
    for instance in all_puzzles():
        texts = [f"Diagnosis: orders\nAction: {text}" for text in instance.problem.fix]
        highs, gurobi = (
            [info(step) for step in play(instance, *texts, oracle=oracle)[1]]
            for oracle in ("highs", "gurobi")
        )
        assert [step["status"] for step in highs] == [step["status"] for step in gurobi]
        assert gurobi[-1]["objective"] == pytest.approx(highs[-1]["objective"])
        assert gurobi[-1]["final"]["outcome"] == "full"


def test_bounds_are_shown_in_the_iis_by_option() -> None:
    _, steps = play(high_bound(), "GET_IIS", iis="rows+bounds")
    assert steps[0].observation is not None
    assert "tables.lb: tables >= 28" in steps[0].observation.text
    assert "'tables.lb'" in steps[0].observation.text


def test_a_repair_shows_the_changed_line_the_status_and_the_iis() -> None:
    _, steps = play(too_many_orders(), "RELAX(orders, -5)")
    assert steps[0].observation is not None
    text = steps[0].observation.text
    assert not steps[0].observation.fresh
    assert 'm.addConstr(tables + chairs >= 45, name="orders")' in text
    assert "Status: INFEASIBLE" in text
    assert "IIS: [" in text
    assert "Action 1 of 50" in text


def test_iis_of_each_turn_is_that_of_the_model_as_it_stands() -> None:
    _, steps = play(too_many_orders(), "RELAX(orders, -20)", "DROP(wood)")
    assert info(steps[0])["iis"] == ["wood", "orders", "ratio"]
    assert info(steps[0])["iis_size"] == 3 + len(info(steps[0])["iis_bounds"])
    assert info(steps[1])["iis"] == [] and info(steps[1])["status"] == "OPTIMAL"


def test_diagnostic_actions_look_and_cost_no_step() -> None:
    environment, steps = play(too_many_orders(), "GET_IIS", "CHECK_SLACK(orders)", "CHECK_BOUND()")
    texts = [step.observation.text for step in steps if step.observation is not None]
    assert "orders: tables + chairs >= 50" in texts[0]
    assert "no point satisfies all constraints" in texts[1] and "orders: violated by 30" in texts[1]
    assert "0 <= tables <= 30, continuous" in texts[2]
    assert [info(step)["step"] for step in steps] == [0, 0, 0]
    assert [info(step)["turn"] for step in steps] == [1, 2, 3]
    assert environment.state.slacks in texts[1] and environment.state.bounds in texts[2]
    _, steps = play(too_many_orders(), "GET_IIS", "CHECK_SLACK", count="all")
    assert [info(step)["step"] for step in steps] == [1, 2]


def test_slacks_and_values_of_an_optimum_are_shown_when_it_goes_on() -> None:
    _, steps = play(
        contradiction(),
        "DROP(mixing)",
        "CHECK_SLACK()",
        "CHECK_BOUND(tables)",
        "GET_IIS",
        end="submit",
    )
    texts = [step.observation.text for step in steps if step.observation is not None]
    assert "Status: OPTIMAL, objective 100" in texts[0]
    assert "wood: binding (left-hand side 60)" in texts[1]
    assert "orders: slack 10 (left-hand side 40)" in texts[1]
    assert "mixing" not in texts[1]
    assert "(now 20)" in texts[2]
    assert "There is no IIS: the status is OPTIMAL" in texts[3]


def test_slacks_without_any_point_within_the_bounds() -> None:
    _, steps = play(high_bound(), "REWRITE(tables.lb, 99)", "CHECK_SLACK", "GET_IIS")
    assert steps[1].observation is not None and steps[2].observation is not None
    assert "no point lies within the bounds" in steps[1].observation.text
    assert "No constraint is in the IIS" in steps[2].observation.text
    assert info(steps[0])["iis_bounds"] == ["tables.lb", "tables.ub"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no action was found"),
        ("DROP(oders)", "did you mean 'orders'"),
        ("RELAX(orders, nan)", "finite"),
        ("REWRITE(orders, tables*chairs <= 3)", "product"),
        ("CHECK_SLACK(oders)", "did you mean 'orders'"),
        ("CHECK_SLACK(tables.lb)", "CHECK_BOUND"),
        ("CHECK_BOUND(wood)", "CHECK_SLACK"),
        ("CHECK_BOUND(stools)", "'stools' is none"),
    ],
)
def test_an_invalid_action_is_answered_by_the_reason_and_changes_nothing(
    text: str, says: str
) -> None:
    environment, steps = play(too_many_orders(), text)
    step = steps[0]
    assert step.observation is not None
    assert says in step.observation.text and says in info(step)["reason"]
    assert not info(step)["valid"] and info(step)["step"] == 1
    fresh = OrDebugEnvironment(OrDebugOptions())
    fresh.reset(too_many_orders(), 0)
    assert environment.state.code == fresh.state.code
    assert environment.state.iis == fresh.state.iis
    assert says in environment.state.history[0]


def test_restart_gives_the_sabotaged_model_back_and_the_counter_goes_on() -> None:
    first, steps = play(too_many_orders(), "DROP(wood)", "RESTART", "RELAX(orders, -20)")
    assert [info(step)["step"] for step in steps] == [1, 2, 3]
    assert info(steps[1])["iis"] == list(too_many_orders().problem.iis_rows)
    assert info(steps[2])["status"] == "INFEASIBLE"
    assert "# dropped" not in first.state.code


def test_submit_ends_as_a_failure_where_the_model_is_infeasible() -> None:
    _, steps = play(contradiction(), "SUBMIT")
    final = info(steps[0])["final"]
    assert steps[0].terminated and info(steps[0])["end"] == "submit"
    assert (final["outcome"], final["status"], final["op"]) == ("failure", "INFEASIBLE", None)
    assert final["drift"]["changed"] == ["mixing"] and not final["drift"]["drifted"]


def test_the_limit_counts_all_actions_and_truncates() -> None:
    _, steps = play(contradiction(), "GET_IIS", "", "DROP(x)", max_steps=3)
    assert [step.truncated for step in steps] == [False, False, True]
    assert info(steps[2])["end"] == "limit" and info(steps[2])["step"] == 2


def test_a_repair_that_changes_the_meaning_is_named_drift() -> None:
    _, steps = play(contradiction(), "DROP(ratio)")
    final = info(steps[-1])["final"]
    drift = final["drift"]
    assert drift["drifted"] and drift["relaxed"] and drift["cut_off"]
    assert drift["changed"] == ["ratio", "mixing"]
    assert drift["collateral"] == drift["lost"] == ["ratio"]
    assert (final["objective"], final["outcome"]) == (pytest.approx(90.0), "partial")


def test_a_sound_row_that_is_dropped_costs_the_penalty() -> None:
    dropped, moved = (
        info(play(contradiction(), action)[1][-1])
        for action in ("DROP(ratio)", "RELAX(ratio, -20)")
    )
    assert dropped["final"]["drift"]["lost"] and not moved["final"]["drift"]["lost"]
    assert moved["final"]["drift"]["collateral"] == ["ratio"]
    paid = [one["rewards"]["equation-5-no-drift"] for one in (dropped, moved)]
    assert paid[1] - paid[0] == pytest.approx(PENALTY)


def test_a_repair_beyond_need_is_no_drift_of_the_optimum_but_listed() -> None:
    _, steps = play(contradiction(), "RELAX(mixing, -100)")
    drift = info(steps[-1])["final"]["drift"]
    assert not drift["drifted"] and not drift["unknown"]
    assert drift["changed"] == ["mixing"]
    assert info(steps[-1])["final"]["outcome"] == "full"


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("RELAX(orders, -20)", True),
        ("RELAX(orders, -19)", False),  # 31 and more: the optimum of 40 is still allowed
        ("RELAX(orders, -25)", False),
        ("DROP(orders)", False),
        ("REWRITE(orders, 2 tables + 2 chairs >= 60)", True),
        ("REWRITE(orders, tables >= 15)", True),  # with tables == chairs it says the same
    ],
)
def test_no_drift_means_the_same_feasible_set(text: str, same: bool) -> None:
    """The optimum is the original's in all of these: orders do not bind."""
    _, steps = play(turned_orders(), text)
    final = info(steps[-1])["final"]
    assert final["outcome"] == "full" and final["op"] == pytest.approx(1.0)
    assert not final["drift"]["cut_off"] and not final["drift"]["relaxed"]
    assert (final["drift"]["drifted"], final["drift"]["unknown"]) == (not same, False)
    assert is_true_repair(info(steps[-1])) == same


@pytest.mark.parametrize(("text", "same"), [("INTEGER", True), ("CONTINUOUS", False)])
def test_whole_columns_are_part_of_the_feasible_set(text: str, same: bool) -> None:
    _, steps = play(binary(), f"REWRITE(tables.type, {text})")
    drift = info(steps[-1])["final"]["drift"]
    assert same != (drift["drifted"] or drift["unknown"])


def test_the_loss_of_a_row_is_drift_unless_the_others_imply_it() -> None:
    """Every row of some original LPs, and the turned rows of type A, which the others all imply."""
    problems = [one.problem for one in load_set("eval") if one.labels["kind"] == "LP"][:12]
    lost = [(p, i) for p in problems for i in range(p.original_model.m)]
    turned = [one.problem for one in load_set("eval") if one.problem.type == "A"]
    lost += [(p, p.original_model.rows[p.targets[0]]) for p in turned]
    seen = set()
    for problem, i in lost:
        rest = problem.original_model.without_row(i)
        verdict = compared(problem, rest, 10.0)
        implied = _implied(problem.original_model, rest, i)
        seen.add(implied)
        assert verdict == (EquivalenceVerdict.EQUAL if implied else EquivalenceVerdict.DIFFERENT)
    assert seen == {True, False}


def _implied(model: Model, rest: Model, i: int) -> bool:
    """Whether the sides of row i hold wherever the linear relaxation of `rest` does."""
    index, value = model.row(i)
    gradient = np.zeros(model.n)
    gradient[index] = value
    low, up = rest.effective_bounds
    linear = replace(
        rest, types=np.zeros_like(rest.types), col_lower=low, col_upper=up, objective=gradient
    )
    sides = ((model.row_lower[i], False), (model.row_upper[i], True))
    ends = [
        (HighsOracle().solve(replace(linear, maximize=upper, offset=0.0)).objective, side, upper)
        for side, upper in sides
        if np.isfinite(side)
    ]
    return all(
        end is not None and (end <= side + 1e-7 if upper else end >= side - 1e-7)
        for end, side, upper in ends
    )


def test_diagnosis_is_measured_against_recorded_and_verified_iis() -> None:
    rows = contradiction().problem.iis_rows
    _, steps = play(contradiction(), f"Diagnosis: {', '.join(rows)}\nAction: DROP(mixing)")
    assert info(steps[0])["da"] == {
        "recorded": 1.0,
        "precision": 1.0,
        "verified": 1.0,
        "beyond": 0.0,
        "named": True,
        "credit": 1.0,
    }
    _, steps = play(contradiction(), "Diagnosis: orders\nAction: DROP(mixing)")
    assert info(steps[0])["da"] == {
        "recorded": 0.0,
        "precision": 0.0,
        "verified": 0.0,
        "beyond": 0.0,
        "named": False,
        "credit": 0.0,
    }


def test_without_a_diagnosis_the_repaired_elements_count() -> None:
    _, steps = play(contradiction(), "GET_IIS", "DROP(mixing)")
    da = info(steps[1])["da"]
    assert da["recorded"] == pytest.approx(1 / len(contradiction().problem.iis_rows))
    assert da["precision"] == 1.0 and da["named"]


def test_another_iis_than_the_recorded_one_is_verified() -> None:
    problem = contradiction().problem
    session = HighsOracle().session()
    found = {
        names: verified_recall(names, problem.model, session, False, 10.0)
        for names in (("wood", "mixing", "ratio"), ("hours", "mixing", "ratio"), ("orders",))
    }
    assert set(found.values()) == {1.0, 0.0} and found["orders",] == 0.0
    missed = next(names for names in found if not set(problem.iis_rows) <= {*names, "orders"})
    assert recall(missed, problem.iis_rows) < 1.0


def test_history_state_shows_all_eight_parts_anew() -> None:
    environment, steps = play(
        too_many_orders(),
        "GET_IIS",
        "CHECK_SLACK",
        "CHECK_BOUND",
        "RELAX(orders, -5)",
        history="state",
    )
    observations = [step.observation for step in steps]
    assert all(asked is not None and asked.fresh for asked in observations)
    third, last = observations[2], observations[3]
    assert third is not None and last is not None
    for part in (
        "Problem:",
        "Code:",
        "Status:",
        "IIS:",
        "Slacks:",
        "Bounds:",
        "History:",
        "Step: 3",
    ):
        assert part in third.text
    assert "Slacks:" not in last.text, "slacks of a model that was changed since"
    assert "4. RELAX(orders, -5): INFEASIBLE" in last.text
    assert "tables + chairs >= 45" in last.text
    assert environment.state.step == 4


def test_the_simulator_answers_in_place_of_the_solver() -> None:
    ends = set()
    for seed in range(30):
        _, steps = play(contradiction(), "DROP(mixing)", seed=seed, simulate=True)
        step = info(steps[0])
        assert step["objective"] is None and step["op"] is None
        ends.add(step["status"])
        if step["status"] == "OPTIMAL":
            assert step["final"]["outcome"] == "full"
    assert ends == {"OPTIMAL", "INFEASIBLE"}


def test_types_are_known_through_the_rows_of_their_column() -> None:
    _, steps = play(binary(), "REWRITE(tables.type, INTEGER)")
    assert info(steps[0])["known"]


@pytest.mark.parametrize(
    "options",
    [
        {"max_steps": 12},
        {"history": "state", "end": "submit", "iis": "rows+bounds", "max_steps": 5},
        {"simulate": True, "max_steps": 5, "reward": "equation-5"},
    ],
)
def test_the_environment_conforms(options: dict[str, Any]) -> None:
    check_environment(lambda: OrDebugEnvironment(OrDebugOptions(**options)), all_puzzles())


def test_one_environment_plays_episode_after_episode_as_fresh_ones_do() -> None:
    texts = ("RELAX(orders, -5)", "RELAX(wood, 3)", "DROP(hours)", "DROP(ratio)", "SUBMIT")
    reused = OrDebugEnvironment(OrDebugOptions(end="submit"))
    for instance in all_puzzles() * 2:
        reused.reset(instance, 0)
        fresh = OrDebugEnvironment(OrDebugOptions(end="submit"))
        fresh.reset(instance, 0)
        for text in texts:
            assert reused.step(text) == fresh.step(text)


def test_a_model_that_the_solver_cannot_work_with_has_status_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(self: HighsSession, time_limit: float = 1.0) -> SolveResult:
        raise SolverError("the answer fails its residual check")

    environment, _ = play(contradiction())
    with monkeypatch.context() as patch:
        patch.setattr(HighsSession, "solve", broken)
        step = environment.step("RELAX(wood, 1)")
    assert info(step)["status"] == "ERROR" and "residual" in info(step)["error"]
    assert step.observation is not None and "RESTART" in step.observation.text
    assert info(environment.step("DROP(mixing)"))["status"] == "OPTIMAL"


def test_the_state_is_asked_within_an_episode_alone() -> None:
    environment, _ = play(contradiction(), "SUBMIT")
    with pytest.raises(BenchmarkError, match="no episode"):
        _ = environment.state


def test_optimality_preservation_and_outcome_classes() -> None:
    assert preservation(95.0, 100.0) == pytest.approx(0.95)
    assert preservation(-300.0, 100.0) == 0.0
    assert (preservation(0.0, 0.0), preservation(1.0, 0.0)) == (1.0, 0.0)
    classes = [outcome(Status.OPTIMAL, op) for op in (1.0, 0.951, 0.95, 0.81, 0.8, None)]
    assert classes == ["full", "full", "partial", "partial", "failure", "failure"]
    assert outcome(Status.INFEASIBLE, 1.0) == "failure"


def test_recall_and_precision_of_nothing() -> None:
    assert recall(("a",), ()) == 0.0 and precision((), ("a",)) is None
    assert recall(("a", "z"), ("a", "b")) == 0.5 and precision(("a", "z"), ("a", "b")) == 0.5


def test_differences_see_through_spelling() -> None:
    model = workshop()
    scaled = model.with_row(0, (0, 1), (-4.0, -2.0), -120.0, float("inf"))
    assert differences(scaled, model) == []
    assert differences(model.with_row_bounds(0, -float("inf"), 60 * (1 + 1e-9)), model) == []
    assert differences(model.with_row_bounds(0, -float("inf"), 61.0), model) == ["wood"]
    small = model.with_col_bounds(0, 0.0, 1.0)
    assert (
        differences(small.with_type(0, VarType.BINARY), small.with_type(0, VarType.INTEGER)) == []
    )
    assert differences(model.with_type(0, VarType.BINARY), model.with_type(0, VarType.INTEGER)) == [
        "tables.type"
    ]
    changed = model.with_col_bounds(0, -1.0, float("inf")).with_col_bounds(1, 0.0, 41.0)
    assert differences(changed, model) == ["tables.lb", "tables.ub", "chairs.ub"]
    assert differences(model.with_new_row("more", (0,), (1.0,), 0.0, 9.0), model) == ["more"]
    assert differences(model, model.with_new_row("more", (0,), (1.0,), 0.0, 9.0)) == []


def test_a_point_holds_within_rows_bounds_and_types() -> None:
    model = workshop(VarType.INTEGER)
    assert holds_at(model, np.array([20.0, 20.0]))
    assert not holds_at(model, np.array([19.5, 19.5]))
    assert not holds_at(model, np.array([20.0, 21.0]))
    assert not holds_at(model.with_col_bounds(1, 0.0, 19.0), np.array([20.0, 20.0]))
    assert not holds_at(model, np.array([20.0, np.nan]))
    least = model.with_col_bounds(1, 10.0, 40.0)
    free = least.with_row_bounds(3, -np.inf, np.inf).with_type(1, VarType.SEMICONTINUOUS)
    assert holds_at(free, np.array([30.0, 0.0])) and holds_at(free, np.array([20.0, 10.5]))
    assert not holds_at(free, np.array([27.0, 4.0]))
