"""What is held against where no original is known: the witness, or the menu of repairs."""

from dataclasses import replace
from pathlib import Path

import pytest

from ordojo.benchmarks.or_debug import BENCHMARK
from ordojo.benchmarks.or_debug.environment import OrDebugEnvironment
from ordojo.benchmarks.or_debug.outcome import lost
from ordojo.benchmarks.or_debug.schema import Debugging, OrDebugOptions, make_instance
from ordojo.core.errors import UsageError
from ordojo.core.instance import Instance, write_instances
from tests.benchmarks.or_debug.puzzles import contradiction, turned_orders


def without_original(
    one: Instance[Debugging], fix: tuple[str, ...], *menu: tuple[str, ...]
) -> Instance[Debugging]:
    problem = replace(one.problem, original={}, fix=fix)
    found = {"menu": [{"fix": list(f), "objective": problem.objective} for f in menu]}
    return make_instance(problem, {"highs": "1"}, found if menu else {"witness": bool(fix)})


def paid(instance: Instance[Debugging], *texts: str) -> float:
    environment = OrDebugEnvironment(OrDebugOptions())
    environment.reset(instance, 0)
    reward = sum(environment.step(text).reward for text in texts)
    environment.close()
    return reward


NAMED = f"Diagnosis: {', '.join(contradiction().problem.iis_rows)}\nAction: "


def test_a_right_repair_is_paid_where_no_original_is_known() -> None:
    known = contradiction()
    bare = without_original(known, known.problem.fix)
    right, wrong, none = (paid(bare, NAMED + a) for a in ("DROP(mixing)", "DROP(ratio)", "SUBMIT"))
    assert right == pytest.approx(paid(known, NAMED + "DROP(mixing)"))
    assert right > wrong > none > paid(bare, "SUBMIT")
    assert paid(bare, NAMED + "RELAX(mixing, -10)") == pytest.approx(right)


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("RELAX(orders, -20)", ()),
        ("RELAX(orders, -22)", ()),  # a little looser, but it still says something
        ("DROP(orders)", ("orders",)),
        ("RELAX(orders, -1000)", ("orders",)),
        ("REWRITE(orders, tables + chairs >= -5)", ("orders",)),
    ],
)
def test_what_a_right_repair_keeps_may_not_be_lost(text: str, gone: tuple[str, ...]) -> None:
    known = turned_orders()
    bare = without_original(known, known.problem.fix)
    environment = OrDebugEnvironment(OrDebugOptions())
    environment.reset(bare, 0)
    final = environment.step(text).info["final"]
    environment.close()
    assert isinstance(final, dict)
    assert (final["outcome"], final["lost"]) == ("full", list(gone))


def test_any_repair_of_the_menu_is_right() -> None:
    known = turned_orders()
    model = known.problem.model
    dropped = model.without_row(model.rows["orders"])
    one = without_original(known, known.problem.fix)
    both = without_original(known, known.problem.fix, known.problem.fix, ("DROP(orders)",))
    assert lost(one, dropped, 10.0) == ("orders",)
    assert lost(both, dropped, 10.0) == ()


def test_bounds_are_kept_too() -> None:
    known = turned_orders()
    model = known.problem.model.without_row(known.problem.model.rows["orders"])
    bare = without_original(known, ("DROP(orders)",))
    assert lost(bare, model.with_col_bounds(0, 0.0, float("inf")), 10.0) == ("tables.ub",)
    assert lost(bare, model.with_col_bounds(0, 0.0, 29.0), 10.0) == ()


def test_without_any_truth_the_default_reward_is_refused(tmp_path: Path) -> None:
    bare = without_original(contradiction(), ())
    write_instances(tmp_path / "bare.jsonl", [bare])
    asked = {"instances": str(tmp_path / "bare.jsonl")}
    with pytest.raises(UsageError, match="eval-D-00000, of which neither the original"):
        BENCHMARK.load(OrDebugOptions(**asked), 0)
    assert len(BENCHMARK.load(OrDebugOptions(reward="equation-5", **asked), 0)) == 1
