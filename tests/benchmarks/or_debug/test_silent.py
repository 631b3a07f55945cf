"""Models that solve and are wrong: what their set promises, how it is told, asked and judged."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ordojo.benchmarks.or_debug import BENCHMARK, schema
from ordojo.benchmarks.or_debug.build import SEED, RepairSettings, build, build_with, load_set
from ordojo.benchmarks.or_debug.certificate import verify
from ordojo.benchmarks.or_debug.outcome import preservation
from ordojo.benchmarks.or_debug.policies import SUBMIT
from ordojo.benchmarks.or_debug.schema import QUIET, SILENT, Debugging, OrDebugOptions
from ordojo.benchmarks.or_debug.silent import SPARE, produce_silent
from ordojo.benchmarks.or_debug.telling.figures import DerivedFigures, in_words
from ordojo.benchmarks.or_debug.telling.reading import figure_of, limits_of, tables_of
from ordojo.core.building import BuildTools
from ordojo.core.environment import Environment
from ordojo.core.episode import Episode, play
from ordojo.core.errors import DataError, UsageError
from ordojo.core.instance import Instance
from ordojo.core.seeds import generator
from ordojo.evaluation import generation
from ordojo.evaluation.evaluation import cost_in_words
from ordojo.milp.algebra import row_text

Silent = Instance[Debugging]

TOOLS = BuildTools(print, generation.generator, cost_in_words)


@pytest.fixture(scope="module")
def some() -> list[Silent]:
    return list(load_set(QUIET)[:14])


def _of(kind: str) -> Silent:
    return next(one for one in load_set(QUIET) if one.problem.type == kind)


def _played(instance: Silent, *replies: str) -> Episode:
    environment = BENCHMARK.environment(OrDebugOptions(max_steps=8), 0)
    given = iter((*replies, *[SUBMIT] * 8))
    episode = play(environment, instance, lambda _: next(given))
    environment.close()
    return episode


def _score(instance: Silent, episode: Episode) -> float | None:
    return BENCHMARK.rules["rr@5"](instance, episode).score


def test_the_shipped_set_is_whole_and_each_optimum_is_apart() -> None:
    instances = load_set(QUIET)
    assert len(instances) == len({one.content_hash for one in instances}) == 400
    assert set(Counter(one.problem.type for one in instances).values()) == {57, 58}
    for one in instances:
        wrong = one.certificate.data["found"]["optimum"]  # type: ignore[index,call-overload]
        assert preservation(float(wrong), one.problem.objective) <= 0.95  # type: ignore[arg-type]
        assert not one.problem.iis_rows and not one.problem.iis_bounds


def test_some_are_proved_again_and_made_again(some: list[Silent]) -> None:
    for one in some:
        verify(one)
    former = load_set("silent-v3")
    for index in (0, 3, 5):
        again = produce_silent(QUIET, SEED, index).problem
        assert again.text == former[index].problem.text and again.fix == former[index].problem.fix


def test_what_is_tampered_with_is_refused() -> None:
    one = _of("sense")
    problem = one.problem
    target = problem.targets[0]
    other = next(name for name in problem.model.row_names if name not in (target, SPARE))

    def refused(**changes: object) -> str:
        changed = replace(problem, **changes)  # type: ignore[arg-type]
        data = {**one.certificate.data, "objective": changed.objective, "fix": list(changed.fix)}
        kept = replace(one.certificate, data=data)
        with pytest.raises(DataError) as error:
            verify(replace(one, problem=changed, certificate=kept))
        return str(error.value)

    assert "is not what differs" in refused(targets=(other,))
    assert "after the fix" in refused(fix=(f"DROP({target})",))
    assert "the original optimum is recorded" in refused(objective=problem.objective * 1.01)
    assert "one target, one fix" in refused(fix=(*problem.fix, *problem.fix))
    assert "is not what differs" in refused(sabotaged=problem.original)
    moved = replace(one.certificate, data={**one.certificate.data, "found": {"optimum": 1.5}})
    with pytest.raises(DataError, match="the sabotaged optimum is recorded"):
        verify(replace(one, certificate=moved))


@pytest.mark.parametrize("kind", SILENT)
def test_gold_mends_it_and_to_leave_it_does_not(kind: str) -> None:
    one = _of(kind)
    gold = _played(one, f"Action: {one.problem.fix[0]}")
    idle = _played(one)
    assert (_score(one, gold), _score(one, idle)) == (1.0, 0.0)
    assert sum(turn.reward for turn in gold.turns) > 50 > 0 > sum(t.reward for t in idle.turns)


def test_a_try_is_paid_no_less_than_giving_up() -> None:
    one = _of("coefficient")
    tried = _played(one, f"Action: DROP({one.problem.targets[0]})")
    assert _score(one, tried) == 0.0
    idle = sum(turn.reward for turn in _played(one).turns)
    assert sum(turn.reward for turn in tried.turns) >= idle


def test_the_right_number_by_another_change_is_no_repair() -> None:
    one = _of("goal")
    problem = one.problem
    model, target = problem.model, problem.targets[0]
    wrong = float(one.certificate.data["found"]["optimum"])  # type: ignore[index,call-overload,arg-type]
    episode = _played(one, f"Action: RELAX({target}, {problem.objective - wrong})")
    final = episode.turns[-1].info["final"]
    assert model.is_live(model.rows[target])
    assert final["op"] == pytest.approx(1.0) and final["drift"]["drifted"]
    assert _score(one, episode) == 0.0


def test_a_repair_written_another_way_is_one() -> None:
    one = _of("sense")
    right = one.problem.original_model
    k = right.rows[one.problem.targets[0]]
    index, value = (part.tolist() for part in right.row(k))
    twice = right.with_row(
        k, index, [2 * v for v in value], 2 * right.row_lower[k], 2 * right.row_upper[k]
    )
    episode = _played(one, f"Action: REWRITE({right.row_names[k]}, {row_text(twice, k)})")
    assert _score(one, episode) == 1.0


def test_a_policy_sees_optimum_binding_rows_and_plan() -> None:
    one = _of("row")
    environment: Environment[Debugging] = BENCHMARK.environment(OrDebugOptions(), 0)
    shown = environment.reset(one, 0).text
    after = environment.step("Action: CHECK_SLACK()").observation
    environment.close()
    assert "Status: OPTIMAL" in shown and "IIS:" not in shown
    assert all(f"\n{part}: " in shown for part in ("Optimum", "Binding rows", "Plan"))
    assert one.problem.text in shown and one.problem.fix[0] not in shown
    assert after is not None and "Binding rows: " in after.text


def test_settings_of_infeasible_models_are_refused() -> None:
    for setting in ({"simulate": True}, {"answer": "program"}, {"shots": 1}, {"end": "submit"}):
        (name,) = setting
        with pytest.raises(UsageError, match=f"cannot use {name}="):
            BENCHMARK.load(OrDebugOptions(set="silent", **setting), 0)  # type: ignore[arg-type]


def test_a_file_of_them_is_built_and_asked(tmp_path: Path) -> None:
    lines = list(build(tmp_path / "made.jsonl", 4, 3, special=QUIET))
    assert lines[0].endswith("made.jsonl: 4 problems")
    instances = schema.read_file(tmp_path / "made.jsonl")
    assert [one.problem.type for one in instances] == list(SILENT)[:4]
    asked = BENCHMARK.load(OrDebugOptions(instances=str(tmp_path / "made.jsonl")), 0)
    assert [one.content_hash for one in asked] == [one.content_hash for one in instances]
    assert BENCHMARK.verify_set(instances) == []


def test_two_sets_at_once_are_refused(tmp_path: Path) -> None:
    both = RepairSettings(hard=True, silent=True, n=3)
    with pytest.raises(UsageError, match="choose one"):
        list(build_with(tmp_path / "x.jsonl", both, TOOLS))
    there = RepairSettings(silent=True, folders=(tmp_path,))
    with pytest.raises(UsageError, match="leave `folders` out"):
        list(build_with(tmp_path / "x.jsonl", there, TOOLS))
    with pytest.raises(UsageError, match="say with `n` how many"):
        list(build(tmp_path / "x", None, 3, special=QUIET))


def test_numbers_are_told_in_many_forms_that_mean_what_they_say() -> None:
    figures = DerivedFigures(generator(0, "test/figures", 0))
    told = {value: [figures.alone(value) for _ in range(20)] for value in (7, 60, 135, 1200)}
    assert all(figure_of(text) == value for value, texts in told.items() for text in texts)
    assert all(len(set(texts)) >= 6 for texts in told.values())
    assert in_words(1207) == "one thousand two hundred and seven"


def test_tables_can_be_worked_out_and_say_the_truth() -> None:
    rows = [
        ((name,), value) for name, value in zip("abcdefg", (3, 5, 8, 20, 33, 7, 9), strict=True)
    ]
    complete = 0
    for k in range(60):
        figures = DerivedFigures(generator(1, "test/tables", k))
        [(meaning, found)] = tables_of(figures.table("the use", rows))
        assert meaning == "use"
        truth = {name: float(value) for (name,), value in rows}
        assert all(found[name] == pytest.approx(truth[name]) for name in found)
        complete += len(found) == len(rows)
    assert complete > 40


def test_limits_in_the_text_are_rows_of_the_true_model(some: list[Silent]) -> None:
    read = there = 0
    for one in some:
        model = one.problem.original_model
        sides = {*np.abs(model.row_lower).tolist(), *np.abs(model.row_upper).tolist()}
        for limit in limits_of(one.problem.text):
            read += 1
            there += limit.side in sides
    assert read == there > 20
