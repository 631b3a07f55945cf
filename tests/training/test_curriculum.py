"""Curricula: what each stage holds, and how stages follow each other."""

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest

from ordojo.core.errors import UsageError
from ordojo.core.instance import Certificate, Instance
from ordojo.core.registry import get_benchmark
from ordojo.core.single_turn import SingleTurn
from ordojo.core.teaching import Course, Teaching
from ordojo.training.curriculum import CurriculumConfig, Stage, run, stages_of
from ordojo.training.grpo import GrpoConfig
from ordojo.training.models.session import TrainingSettings
from ordojo.training.recipes.recipe import read_recipe

TRAINER = GrpoConfig(model="start", benchmarks=("or-bias",), steps=5)


def course(**more: Any) -> CurriculumConfig:
    return CurriculumConfig(settings=TRAINER, **more)


def ratios(stage: Stage) -> list[float]:
    return [one.problem.critical_ratio for one in stage.instances]


def test_newsvendor_is_table_27() -> None:
    first, second, third = stages_of(course())
    assert [len(s.instances) for s in (first, second, third)] == [200, 300, 400]
    assert {round(r, 6) for r in ratios(first)} == {0.1, 0.9}
    assert all(0.149 < r < 0.251 or 0.749 < r < 0.851 for r in ratios(second))
    assert all(0.199 < r < 0.801 for r in ratios(third))


def test_mixed_is_the_same_in_one_stage_of_as_many_steps() -> None:
    staged, (mixed,) = stages_of(course(count=5)), stages_of(course(count=5, mixed=True))
    assert [one.id for s in staged for one in s.instances] == [one.id for one in mixed.instances]
    seen = trained(course(count=5, mixed=True))
    assert [settings.steps for settings, _ in seen] == [15]


def test_debugging_grows_harder() -> None:
    found = stages_of(course(curriculum="debugging", kinds="ABDH", count=3))
    kinds = [{one.problem.type for one in stage.instances} for stage in found]
    assert kinds == [{"B"}, {"H"}, {"A", "D"}]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"stages": (1, 1)}, "none twice"),
        ({"stages": (4,)}, "some of 1, 2, 3"),
        ({"curriculum": "debugging", "kinds": "BZ"}, "no type 'Z'"),
        ({"curriculum": "debugging", "kinds": "B"}, "leaves stage 2 without a type"),
    ],
)
def test_impossible_ones(more: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        course(**more)


class FourSteps(Course):
    stages: tuple[int, ...] = (1, 2, 3, 4)
    largest: int = 9


class Addition(SingleTurn[int, Any]):
    name, title, summary = "addition", "Addition", "A number and one more"

    def generate(self, rng: Any, options: Any) -> int:
        return int(rng.integers(1, 9))

    def teaching(self) -> Teaching:
        return AdditionTeaching(self)


class AdditionTeaching(Teaching):
    course = "adding"
    coursing = FourSteps

    def stage(self, course: Any, number: int) -> Any:
        return [Instance(f"{number}", "addition", "1", course.largest, Certificate("key", {}))]


def test_a_curriculum_of_ones_own_has_its_own_stages_and_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ordojo.core.registry._GIVEN", {})
    get_benchmark(Addition())
    recipe = tmp_path / "own.yaml"
    recipe.write_text(
        "stage: curriculum\nout: out\nmodel: there\ncurriculum: adding\nlargest: 70\n"
    )
    config = read_recipe(str(recipe)).config
    assert isinstance(config, CurriculumConfig) and config.benchmark == "addition"
    found = stages_of(config)
    assert [stage.name for stage in found] == ["stage-1", "stage-2", "stage-3", "stage-4"]
    assert found[3].instances[0].problem == 70
    for stages, said in (([5], "some of 1, 2, 3, 4, none twice"), ([], "")):
        changes = {"stages": str(stages)}
        if said:
            with pytest.raises(UsageError, match=said):
                read_recipe(str(recipe), changes=changes)
        else:
            left = read_recipe(str(recipe), changes=changes).config
            assert isinstance(left, CurriculumConfig) and stages_of(left) == []
    with pytest.raises(UsageError, match="must be one of adding, newsvendor, debugging"):
        course(curriculum="none")
    assert course().benchmark == "or-bias"


def trained(
    config: CurriculumConfig, folder: Path | None = None, fail: str = ""
) -> list[tuple[TrainingSettings, str]]:
    """What a scripted trainer was asked, stage by stage; it fails at the stage `fail`."""
    seen: list[tuple[TrainingSettings, str]] = []

    def train(settings: TrainingSettings, stage: Stage, out: Path, say: Any) -> dict[str, Any]:
        if stage.name == fail:
            raise KeyboardInterrupt
        seen.append((settings, stage.name))
        model = out / "model"
        model.mkdir(parents=True)
        summary = {"model": str(model), "steps": settings.steps}
        (out / "summary.json").write_text(json.dumps(summary))
        return summary

    with tempfile.TemporaryDirectory() as scratch:
        out = folder or Path(scratch) / "run"
        found = run(config, out, train=train, judge=lambda model: {"of": model})
        stages = found["stages"]
        assert isinstance(stages, dict)
        assert all(row["held_out"] == {"of": row["model"]} for row in stages.values())
        last = list(stages.values())[-1]["model"] if stages else "start"
        assert found["model"] == last
    return seen


def test_each_stage_begins_where_the_last_one_ended(tmp_path: Path) -> None:
    seen = trained(course(count=2, stages=(1, 3)), tmp_path / "run")
    assert [name for _, name in seen] == ["stage-1", "stage-3"]
    assert seen[0][0].model == "start"
    assert seen[1][0].model == str(tmp_path / "run" / "stage-1" / "model")


def test_no_stage_is_the_model_as_it_was() -> None:
    assert trained(course(stages=())) == []


def test_finished_stages_are_not_trained_again(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        trained(course(count=2), tmp_path / "run", fail="stage-2")
    seen = trained(course(count=2), tmp_path / "run")
    assert [name for _, name in seen] == ["stage-2", "stage-3"]
    with pytest.raises(UsageError, match="holds a run with"):
        trained(course(count=3), tmp_path / "run")
