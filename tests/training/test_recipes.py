"""Recipes: what they may say, what is said of what they may not, and what they would cost."""

import json
import sys
from collections.abc import Mapping
from math import ceil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ordojo.benchmarks.or_debug.rewards import RewardWeights
from ordojo.cli import cli
from ordojo.cli.train import train
from ordojo.core.errors import DataError, OrdojoError, UsageError
from ordojo.core.progress import hearing
from ordojo.core.registry import benchmark_names, get_benchmark
from ordojo.training.curriculum import CurriculumConfig, stages_of
from ordojo.training.grpo import GrpoConfig
from ordojo.training.models.session import read_metrics
from ordojo.training.recipes import RecipeSource, read_recipe, shipped
from ordojo.training.recipes.recipe import OWN, STAGES, Recipe
from tests import needs
from tests.conformance.doors import endpoint
from tests.heard import Heard

pytestmark = needs("trl", "train")

SMALL = """\
stage: sft
out: sft
model: tiny
method: full
tiny: {hidden: 32, layers: 1, heads: 2, intermediate: 32}
steps: 2
batch_size: 4
accumulation: 1
max_length: 1024
device: cpu
rendering: compact
save_every: 1
generate: &data
  - {benchmark: or-debug, count: 4, kinds: BF, options: {max_steps: 2, max_tokens: 8}}
  - {benchmark: or-bias, count: 4, options: {mode: chat}, max_tokens: 8}
validate: *data
"""
NEXT = """\
stage: grpo
out: grpo
after: sft
method: full
steps: 2
batch_size: 4
accumulation: 1
group: 2
max_tokens: 8
max_length: 1024
device: cpu
rendering: compact
save_every: 1
validate_every: 2
generate: &data
  - {benchmark: or-debug, count: 4, kinds: BF, options: {max_steps: 2, max_tokens: 8}}
validate: *data
"""
COURSES = """\
stage: curriculum
out: course
after: sft
curriculum: newsvendor
trainer: sft
stages: [1, 3]
count: 2
asked: {mode: chat}
method: full
steps: 1
batch_size: 2
accumulation: 1
max_length: 1024
device: cpu
rendering: compact
save_every: 0
validate:
  - {benchmark: or-bias, count: 2, options: {mode: chat}, max_tokens: 8}
"""

JUDGE = """\
stage: prm
out: prm
after: sft
method: full
steps: 10
batch_size: 8
learning_rate: 1e-3
device: cpu
rendering: compact
generate:
  - {benchmark: or-debug, count: 12, kinds: BF, options: {max_steps: 2}, policies: [gold, random]}
"""


def written(folder: Path, text: str, name: str = "r.yaml") -> str:
    path = folder / name
    path.write_text(text)
    return str(path)


@pytest.mark.parametrize("name", shipped())
def test_what_is_shipped_is_sound(name: str) -> None:
    recipe = read_recipe(name)
    assert recipe.out.name == name
    assert recipe.stage == name.rpartition("-")[2]


PAPER: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    "table 28": {
        "paper-sft": {
            "model": "Qwen/Qwen3-8B",
            "method": "lora",
            "lora_rank": 16,
            "lora_alpha": 32,
            "epochs": 3,
            "batch_size": 4,
            "accumulation": 4,
            "learning_rate": 2e-5,
            "scheduler": "cosine",
            "warmup": 0.03,
            "max_length": 4096,
            "weight_decay": 0.01,
            "adam_betas": (0.9, 0.999),
        }
    },
    "table 29": {
        "paper-grpo": {
            "lora_rank": 16,
            "lora_alpha": 32,
            "epochs": 4,
            "group": 4,
            "learning_rate": 5e-6,
            "beta": 0.0,
            "clip_low": 0.2,
            "clip_high": 0.28,
            "outcome": 0.5,
            "diagnosis": 0.3,
            "efficiency": 0.2,
            "rewards": {"or-debug": "equation-5"},
            "options": {"or-debug": {"max_steps": 50}},
        }
    },
    "table 25": {
        "paper-prm": {
            "model": "Qwen/Qwen3-8B",
            "lora_rank": 8,
            "lora_alpha": 16,
            "epochs": 3,
            "batch_size": 8,
            "learning_rate": 2e-5,
            "warmup": 0.1,
        }
    },
    # 300 problems in groups of 4, 16 episodes a step: 75 steps are an epoch.
    "table 26": {"paper-grpo": {"validate_every": 75, "batch_size": 4, "accumulation": 4}},
    "table 37": {
        f"paper-diagnosis-{weight}-grpo": {"diagnosis": weight / 100, "efficiency": 0.2}
        for weight in (20, 40, 50, 60)
    },
    "table 14": {
        "paper-prm-grpo": {"prm": "runs/paper-prm"},
        "paper-curriculum-grpo": {"model": "runs/paper-debug-curriculum/model"},
    },
    "table 11": {
        "paper-dapo-grpo": {"loss": "dapo", "group": 4},
        "paper-llama-sft": {"model": "meta-llama/Llama-3.1-8B-Instruct", "epochs": 3},
        "paper-llama-grpo": {"model": "runs/paper-llama-sft/model", "learning_rate": 5e-6},
        "paper-deepseek-sft": {"model": "deepseek-ai/DeepSeek-R1-0528-Qwen3-8B"},
        "paper-deepseek-grpo": {"model": "runs/paper-deepseek-sft/model"},
    },
    "figure 4": {
        "paper-curriculum": {"model": "runs/paper-bias-sft/model"},
        "paper-bias-grpo": {"model": "runs/paper-bias-sft/model"},
    },
}
"""The paper's values, by the table that gives them, and the recipes that must have them."""


@pytest.mark.parametrize(
    ("table", "name"), [(table, name) for table, found in PAPER.items() for name in found]
)
def test_a_recipe_has_the_papers_values(table: str, name: str) -> None:
    settings = read_recipe(name).settings.to_json()
    expected = json.loads(json.dumps(PAPER[table][name]))
    assert {key: settings[key] for key in expected} == expected


@pytest.mark.parametrize(
    ("name", "counts", "validated"),
    [
        ("paper-sft", [696], [200]),  # 4.2 and table 3; tables 14, 26 and 37
        ("paper-grpo", [300], [200]),  # table 3
        ("paper-bias-sft", [500], [None]),  # 4.2; the whole eval set, table 13
    ],
)
def test_a_recipe_has_the_papers_sizes(
    name: str, counts: list[int], validated: list[int | None]
) -> None:
    recipe = read_recipe(name)
    assert [source.count for source in recipe.generate] == counts
    assert [source.count for source in recipe.validate] == validated


def test_the_second_track_has_500_replies_and_900_scenarios() -> None:
    (source,) = read_recipe("paper-bias-sft").generate
    assert len(source.records()) == 500
    sizes = {}
    for name in ("paper-stage-1", "paper-stages-1-2", "paper"):
        course = read_recipe(f"{name}-curriculum").config
        assert isinstance(course, CurriculumConfig)
        sizes[name] = [len(stage.instances) for stage in stages_of(course)]
    assert sizes == {  # tables 27 and 38
        "paper-stage-1": [200],
        "paper-stages-1-2": [200, 300],
        "paper": [200, 300, 400],
    }
    (both,) = read_recipe("paper-bias-grpo").generate
    assert len(both.instances()) == 900


@pytest.mark.parametrize("name", shipped())
def test_every_recipe_dry_runs_without_a_gpu_and_without_earlier_runs(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch")
    from ordojo.training.recipes import estimate

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    # The tiny model is made; of the others nothing may be loaded, here or anywhere.
    module = sys.modules["ordojo.training.recipes.estimate"]
    monkeypatch.setattr(module, "find_weights", lambda weights: None)
    whole = read_recipe(name)
    changes = {f"generate.{place}.count": "1" for place in range(len(whole.generate))}
    if whole.stage == "curriculum":
        changes["count"] = "1"
    found = estimate(read_recipe(name, changes=changes))
    assert found["items"] and found["steps"] and found["tokens"]
    needs = str(found.get("needs", ""))
    assert ("finds no GPU" in needs) == (whole.settings.device == "cuda")
    assert (f"after={whole.after} holds no finished run" in needs) == bool(whole.after)
    assert ("no process reward model" in needs) == (name == "paper-prm-grpo")
    if name.startswith("paper"):
        assert found["parameters"] == 8_000_000_000
    assert not any(tmp_path.iterdir())


def test_a_dry_run_makes_few_problems_and_reckons_with_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch")
    from ordojo.training.recipes import estimate

    monkeypatch.setattr(sys.modules["ordojo.training.recipes.estimate"], "MADE", 6)
    monkeypatch.setattr("ordojo.training.made._MADE", {})
    heard = Heard()
    many = {"generate.0.count": "3000", "generate.1.count": "1000", "steps": "null"}
    with hearing(heard):
        found = estimate(read_recipe(written(tmp_path, SMALL), changes=many))
    made = [work.done for work in heard.ends if work.what.startswith("making problems")]
    assert made == [6]
    items, steps = found["items"], found["steps"]
    assert isinstance(items, int) and 3000 < items <= 4000 and steps == ceil(3 * items / 4)


def test_a_dry_run_counts_what_is_loaded_as_it_is(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from ordojo.training.recipes import estimate

    text = (
        "stage: grpo\nout: out\nmodel: nobody/has-1B\nrendering: compact\ndevice: cpu\n"
        "benchmarks: [or-bias, orqa]\noptions: {orqa: {dataset: orqa@ordojo}}\n"
        "generate: [{benchmark: or-bias, count: 1000}]\n"
    )
    recipe = read_recipe(written(tmp_path, text))
    assert estimate(recipe)["items"] == 1000 + 44
    more = "{benchmark: orqa, count: 1000, options: {dataset: orqa@ordojo}}"
    recipe = read_recipe(written(tmp_path, text.replace("generate: [", f"generate: [{more}, ")))
    assert estimate(recipe)["items"] == 44 + 1000


def test_teachers_are_mixed_by_their_shares(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two models through an API and a scripted teacher; a dry run asks no model."""
    asked: list[str] = []
    models = {"openai-api/door/knows": 0.5, "openai-api/door/gives-up": 0.2}
    source = RecipeSource(
        benchmark="or-debug", kinds="BEF", count=10, teacher={**models, "expert-gold": 0.3}
    )
    made = source.instances()

    def answer(turns: tuple[str, ...]) -> tuple[str, str]:
        if asked[-1] == "gives-up":
            return "Action: SUBMIT()", "stop"
        problem = next(one.problem for one in made if one.problem.text in turns[0])
        named = ", ".join(problem.iis_rows or problem.iis_bounds)
        return f"Diagnosis: {named}\nAction: {problem.fix[len(turns) - 1]}", "stop"

    with endpoint(answer, asked.append) as url:
        monkeypatch.setenv("DOOR_BASE_URL", url)
        monkeypatch.setenv("DOOR_API_KEY", "x")
        records = source.records(tmp_path)
        assert len(records) == 8 and {*asked} == {"knows", "gives-up"}
        asked.clear()
        assert len(source.records(ask=False)) == 10 and not asked
    brief = RecipeSource(benchmark="or-debug", kinds="BEF", count=10, teacher="brief").records()
    mixed = RecipeSource(
        benchmark="or-debug", kinds="BEF", count=10, teacher={"brief": 2, "expert-gold": 2}
    )
    assert len(mixed.records()) >= len(brief) - 5 > 0
    assert len(
        RecipeSource(benchmark="or-debug", kinds="BEF", count=10, teacher={"brief": 1}).records()
    ) == len(brief)
    wrong = {"expert-gold": 0.98, "no-such-teacher": 0.02}
    with pytest.raises(UsageError, match="no-such-teacher"):
        RecipeSource(benchmark="or-debug", kinds="E", count=3, teacher=wrong).records()
    shares = read_recipe("paper-teachers-sft").generate[0].teacher
    assert isinstance(shares, dict) and list(shares.values()) == [0.40, 0.35, 0.25]


@pytest.mark.parametrize(
    ("name", "weights"),
    [
        ("paper-grpo", (0.5, 0.3, 0.2)),
        ("paper-diagnosis-60-grpo", (0.2, 0.6, 0.2)),
        ("paper-bias-grpo", (0.5, 0.3, 0.2)),  # like the first, of a benchmark without weights
        ("smollm2-grpo", (0.5, 0.3, 0.2)),  # by default
    ],
)
def test_the_settings_of_rewards_stand_flat_in_recipes_and_runs(
    name: str, weights: tuple[float, ...]
) -> None:
    config = read_recipe(name).settings
    assert isinstance(config, GrpoConfig)
    how = config.paying(get_benchmark("or-debug").teaching())
    assert isinstance(how, RewardWeights)
    assert (how.outcome, how.diagnosis, how.efficiency) == weights and how.faithfulness
    row = config.to_json()
    assert row | dict(zip(("outcome", "diagnosis", "efficiency"), weights, strict=True)) == row
    assert "own" not in row and GrpoConfig.from_json(row).to_json() == row


def test_an_entry_is_kept_as_it_was_before_benchmarks_declared_their_keys() -> None:
    (entry,) = read_recipe("first-sft").validate
    row = entry.to_json()
    asked = {"set": "eval", "kinds": "AD", "injectors": "basic", "count": 60, "seed": 12}
    assert row | asked == row and "own" not in row
    (other,) = read_recipe("paper-grpo").generate
    kept = {"set": "rl", "kinds": "", "injectors": "robust"}
    assert other.to_json() | kept == other.to_json()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("diagnosis: -1\nbenchmarks: [or-debug]", "grpo cannot use diagnosis=-1"),
        ("diagnosys: 1\nbenchmarks: [orqa]", "no key 'diagnosys'; did you mean 'diagnosis'"),
        ("generate: [{benchmark: or-bias, kinds: AB}]", "no option 'kinds'"),
        ("generate: [{benchmark: orqa, set: train}]", "generate[0] has no option 'set'"),
        ("generate: [{benchmark: or-debug, injectors: odd}]", "cannot use injectors='odd'"),
    ],
)
def test_settings_of_a_benchmark_are_checked_by_it(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UsageError) as found:
        read_recipe(written(tmp_path, f"stage: grpo\nout: out\nmodel: there\n{text}\n"))
    assert said in str(found.value)


def test_a_recipe_may_be_like_another(tmp_path: Path) -> None:
    written(tmp_path, SMALL, "base.yaml")
    base = tmp_path / "base.yaml"
    name = written(tmp_path, f"like: {base}\nsteps: 9\nafter: runs/x\n")
    recipe = read_recipe(name, changes={"batch_size": "2"})
    assert (recipe.settings.steps, recipe.settings.batch_size, recipe.after) == (9, 2, "runs/x")
    assert recipe.generate == read_recipe(str(base)).generate
    with pytest.raises(UsageError, match="in no circle"):
        read_recipe(written(tmp_path, f"like: {tmp_path / 'r.yaml'}\n"))
    with pytest.raises(DataError, match="there is no recipe nowhere"):
        read_recipe(written(tmp_path, "like: nowhere\n"))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"learning_rte": "1"}, "no key 'learning_rte'; did you mean 'learning_rate'"),
        ({"stage": "rlhf"}, "stage='rlhf' must be one of sft"),
        ({"steps": "many"}, "steps='many': give a whole number from"),
        ({"steps": "0"}, "steps=0"),
        ({"generate": "5"}, "generate must be a list"),
        ({"generate.0.cuont": "5"}, "generate[0] has no option 'cuont'; did you mean 'count'"),
        ({"generate.0.count": "few"}, "generate[0] cannot use count='few'"),
        ({"generate.1.options.moed": "chat"}, "or-bias has no option 'moed'; did you mean 'mode'"),
        ({"generate.0.benchmark": "or-debgu"}, "or-debgu"),
        ({"generate.7.count": "5"}, "`changes` generate.7.count=5 fits nowhere"),
        ({"data": "x.jsonl"}, "data and generate both"),
        ({"generate": "null"}, "there is nothing to learn from"),
        ({"out": "null"}, "out is missing"),
        ({"after": "x"}, "model and after both"),
        ({"generate": "[{benchmark: or-debug, teacher: {gold: 0}}]"}, "teacher"),
        ({"generate": "[{benchmark: or-debug, teacher: {}}]"}, "teacher"),
        ({"method": "lora"}, "must be full for the tiny model"),
        ({"max_length": "5000"}, "must not exceed tiny.context"),
    ],
)
def test_a_wrong_recipe_is_one_sentence(tmp_path: Path, changes: dict[str, str], said: str) -> None:
    name = written(tmp_path, SMALL)
    with pytest.raises(OrdojoError) as found:
        read_recipe(name, changes=changes)
    assert said in str(found.value)
    assert str(found.value).startswith(f"{name}: ")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"group": "1"}, "group=1: give a whole number from 2 to"),
        ({"group": "3"}, "must divide batch_size * accumulation"),
        ({"validate": "null"}, "validate_every is set"),
        ({"process": "0.5"}, "set prm to one's folder"),
        ({"prm": "runs/prm"}, "must be above 0 where prm names"),
        ({"benchmarks": "[or-bias]", "options": "{}"}, "not among benchmarks"),
    ],
)
def test_an_impossible_grpo_is_one_sentence(
    tmp_path: Path, changes: dict[str, str], said: str
) -> None:
    with pytest.raises(UsageError, match=said.replace("*", r"\*")):
        read_recipe(written(tmp_path, NEXT), changes=changes)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("stage: [", "is no YAML"),
        ("- a", "must hold keys and values"),
        (None, "there is no recipe"),
    ],
)
def test_a_file_that_is_no_recipe(tmp_path: Path, text: str | None, said: str) -> None:
    name = str(tmp_path / "no.yaml") if text is None else written(tmp_path, text)
    with pytest.raises(DataError, match=said):
        read_recipe(name)


def test_changes_reach_into_the_recipe(tmp_path: Path) -> None:
    changes = {"steps": "7", "generate.0.count": "3", "generate.0.options.max_steps": "4"}
    recipe = read_recipe(written(tmp_path, NEXT), "grpo", tmp_path / "there", changes)
    assert (recipe.settings.steps, recipe.out.name) == (7, "there")
    assert (recipe.generate[0].count, recipe.validate[0].count) == (3, 4)  # though an alias
    config = recipe.settings
    assert isinstance(config, GrpoConfig)
    assert config.options["or-debug"]["max_steps"] == 4
    dotted = {"options.or_debug.max_steps": "1"}  # the command line has turned - into _
    text = NEXT + "options: {or-debug: {max_steps: 9}}\n"
    again = read_recipe(written(tmp_path, text), changes=dotted).settings
    assert isinstance(again, GrpoConfig)
    assert again.options == {"or-debug": {"max_steps": 1}}


def test_the_command_is_of_one_stage_and_says_so(tmp_path: Path) -> None:
    name = written(tmp_path, SMALL)
    found = CliRunner().invoke(train, ["grpo", "--config", name])
    assert isinstance(found.exception, UsageError)
    assert "run `ordojo train sft`" in str(found.exception)


def test_nothing_is_loaded_for_a_dry_run_of_a_distant_model(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from ordojo.training.recipes import estimate

    changes = {"device": "cpu", "generate.0.count": "1"}
    recipe: Recipe = read_recipe("paper-sft", "sft", tmp_path / "out", changes)
    found = estimate(recipe)
    assert found["parameters"] == 8_000_000_000
    assert "no model was loaded" in str(found["note"])
    assert not recipe.out.exists()


def test_a_gpu_that_is_not_there(tmp_path: Path) -> None:
    import torch

    if torch.cuda.is_available():
        pytest.skip("this machine has a GPU")
    from ordojo.training.recipes import estimate, run

    recipe = read_recipe("paper-sft", changes={"generate.0.count": "1"})
    assert "finds no GPU" in str(estimate(recipe)["needs"])
    with pytest.raises(UsageError, match="finds no GPU"):
        run(recipe)


def test_grpo_without_what_it_comes_after(tmp_path: Path) -> None:
    from ordojo.training.recipes import run

    text = NEXT.replace("after: sft", f"after: {tmp_path / 'none'}")
    with pytest.raises(DataError, match="holds no finished run"):
        run(read_recipe(written(tmp_path, text)))


@pytest.mark.filterwarnings("ignore")  # Of TRL and of what it is built on.
def test_sft_then_grpo_through_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {"sft": SMALL, "grpo": NEXT, "course": COURSES, "prm": JUDGE}.items():
        written(tmp_path, text, f"{name}.yaml")
    paid = "train grpo --config grpo.yaml --out paid --set validate_every=0 --set process=0.2 "
    commands = [
        "train sft --config sft.yaml --dry-run --json",
        "train sft --config sft.yaml --json",
        "train grpo --config grpo.yaml --dry-run --json",
        "train grpo --config grpo.yaml --json",
        "train grpo --config grpo.yaml --json",
        "train sft --config sft.yaml --set learning_rate=1 --json",
        "train sft --config sft.yaml --out other --set max_length=4 --dry-run",
        "train curriculum --config course.yaml --dry-run --json",
        "train curriculum --config course.yaml --json",
        "train grpo --config grpo.yaml --out o --set max_length=20 --dry-run",
        "report . -o page --json",
        paid + "--set prm=sft",
        "train prm --config prm.yaml --json",
        paid + "--set prm=prm --dry-run --json",
        paid + "--set prm=prm --set validate=null --json",
        "train grpo --config grpo.yaml --out o --set max_length=20",
        "train sft --config sft.yaml --set generate.0.seed=99",
        "train sft --config sft.yaml --set validate.0.count=1",
    ]
    done = [CliRunner().invoke(cli, line.split()) for line in commands]
    codes = [f"{one.exit_code} {one.exception!r}" if one.exception else "0" for one in done]
    said = [one.stdout for one in done]
    assert codes[:5] == ["0"] * 5, codes
    cost, first, planned, second, again = map(json.loads, said[:5])
    assert cost["steps"] == 2 and cost["items"] == first["records"] <= 8
    assert cost["parameters"] == cost["trained"] > 1000 and cost["minutes"] >= 0
    assert planned["steps"] == 2 and planned["items"] == 4 and planned["seconds_a_step"] > 0
    assert first["steps"] == second["steps"] == 2
    assert again == second  # a finished run is not run again
    for summary in (first, second):
        assert set(summary["held_out"]) == {"before", "after"}
    assert set(first["held_out"]["after"]) == {"or-debug", "or-bias"}
    assert first["held_out"]["after"]["or-debug"] == second["held_out"]["before"]["or-debug"]
    assert "UsageError" in codes[5] and "learning_rate" in codes[5]
    assert "DataError" in codes[6] and "fits into max_length=4" in codes[6]
    assert [codes[place] for place in (7, 8, 10)] == ["0"] * 3, codes[7:]
    planned, course = json.loads(said[7]), json.loads(said[8])
    assert (planned["steps"], planned["items"]) == (2, 4)
    assert list(course["stages"]) == ["stage-1", "stage-3"]
    assert course["model"] == "course/stage-3/model"
    assert "within 5%" in course["stages"]["stage-1"]["held_out"]["or-bias"]
    assert "UsageError" in codes[9] and "leaves no room for a reply" in codes[9]
    assert "DataError" in codes[11] and "sft holds no process reward model" in codes[11]
    assert codes[12:15] == ["0"] * 3, codes[12:]
    assert "UsageError" in codes[15] and "a greater max_length" in codes[15]
    for place, key in ((16, "generate.0.seed=99"), (17, "validate.0.count=1")):
        assert "UsageError" in codes[place] and f"and {key} is asked for" in codes[place]
    assert json.loads(said[13])["steps"] == 2
    parts = read_metrics(tmp_path / "paid" / "metrics.csv")
    assert all(0 < row["process"] <= 20 for row in parts)
    page = (tmp_path / "page" / "index.html").read_text()
    assert "course/stage-3" in page
    for words in ("By epoch", "Zero-spread groups", "Held out", "RR@5 (val, or-debug)"):
        assert words in page


def test_the_page_has_every_key() -> None:
    text = (Path(__file__).parents[2] / "docs" / "recipes.md").read_text("utf-8")
    rows = " ".join(line.split("|")[1] for line in text.splitlines() if line.startswith("| `"))
    settings = [name for kind in STAGES.values() for name in kind.names({})]
    known = {*OWN, *settings, *RecipeSource.names({}), *CurriculumConfig.model_fields}
    for teaching in (get_benchmark(name).teaching() for name in benchmark_names()):
        known |= {*teaching.wanted.model_fields, *teaching.coursing.model_fields}
    for key in known - {"data", "words", "limit", "own", "settings"}:
        assert f"`{key}`" in rows, key
