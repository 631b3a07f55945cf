"""Models that are there become instances, and what is none is named with its reason."""

import lzma
import os
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from ordojo.benchmarks.or_debug import BENCHMARK, adversaries
from ordojo.benchmarks.or_debug.build import load_set
from ordojo.benchmarks.or_debug.from_files import build_from
from ordojo.benchmarks.or_debug.perform import BUDGET, is_large
from ordojo.benchmarks.or_debug.schema import OrDebugOptions, read_file
from ordojo.cli import cli
from ordojo.core.episode import play
from ordojo.core.errors import DataError, UsageError
from ordojo.milp.files import write_model
from ordojo.milp.model import INF, Model
from tests.milp.builder import ModelBuilder

from .test_authors import bakery


def plan(rows: int = 60) -> Model:
    """A feasible model that is large enough to be broken."""
    rng = np.random.default_rng(3)
    b = ModelBuilder("plan", maximize=True)
    names = [f"make_{j}" for j in range(20)]
    for name in names:
        b.col(name, cost=float(rng.integers(1, 9)), upper=50.0)
    for i in range(rows):
        chosen = rng.choice(names, 4, replace=False)
        b.row(f"limit_{i}", dict.fromkeys(chosen, 1.0), "<=", 90.0)
    b.row("least", dict.fromkeys(names, 1.0), ">=", 100.0)
    return b.build()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    models = {
        "conflict": bakery(),
        "known": bakery(),
        "known.original": bakery(50.0),
        "feasible": bakery(50.0),
        "plan": plan(),
    }
    for name, model in models.items():
        write_model(model, tmp_path / f"{name}.mps")
    unbounded = bakery(50.0)
    endless = unbounded.with_row_bounds(0, -INF, INF).with_col_bounds(0, 0.0, INF)
    write_model(endless, tmp_path / "endless.mps")
    packed = tmp_path / "packed.mps.xz"
    packed.write_bytes(lzma.compress((tmp_path / "conflict.mps").read_bytes()))
    (tmp_path / "stated.mps").write_bytes((tmp_path / "conflict.mps").read_bytes())
    (tmp_path / "stated.json").write_text('{"objective": 12345}')
    (tmp_path / "conflict.txt").write_text("A bakery with one oven.")
    (tmp_path / "lonely.txt").write_text("A description.")
    (tmp_path / "garbage.mps").write_text("no model")
    return tmp_path


def test_models_become_instances_that_are_proved_and_played(folder: Path) -> None:
    out = folder / "own.jsonl"
    said = list(build_from(out, [folder], broken=True))
    found = {instance.problem.family: instance for instance in read_file(out)}
    assert set(found) == {"conflict", "known", "packed", "plan"}
    assert found["conflict"].problem.text == "A bakery with one oven."
    assert (found["conflict"].problem.type, found["plan"].problem.type in "ACDH") == ("N", True)
    assert found["known"].problem.fix == ("REWRITE(orders, bread + cake >= 50)",)
    told = {
        line.split(": left out: ")[0].split("/")[-1]: line for line in said if "left out" in line
    }
    assert "it is feasible and has 2 rows" in told["feasible.mps"]
    assert "it is unbounded, not infeasible" in told["endless.mps"]
    assert "no repair that reaches the stated optimum 12345" in told["stated.mps"]
    assert "a description without a model of its name" in told["lonely.txt"]
    assert "garbage.mps" in told
    assert "4 instances, 3 infeasible as they were" in said[-1]
    environment = BENCHMARK.environment(OrDebugOptions(), 0)
    gold = BENCHMARK.policies([])["gold"]
    for instance in found.values():
        BENCHMARK.verify(instance)
        episode = play(environment, instance, gold.begin(instance, 0, 0))
        assert BENCHMARK.rules["rr@5"](instance, episode).score == 1.0
    # Another repair of the menu is as right.
    other: object = found["conflict"].certificate.data["found"]
    assert isinstance(other, dict) and len(other["menu"]) == 2
    replies = iter([f"Action: {action}" for action in other["menu"][1]["fix"]])
    episode = play(environment, found["conflict"], lambda observation: next(replies))
    assert BENCHMARK.rules["rr@5"](found["conflict"], episode).score == 1.0
    environment.close()
    assert not is_large(found["conflict"].problem)


def test_bad_input(folder: Path) -> None:
    done = CliRunner().invoke(cli, ["build", "or-debug", "--break", "-o", "x.jsonl"])
    assert isinstance(done.exception, UsageError)
    done = CliRunner().invoke(
        cli, ["build", "or-debug", "--from", str(folder), "--n", "3", "-o", "x.jsonl"]
    )
    assert isinstance(done.exception, UsageError)
    with pytest.raises(UsageError, match="there is no folder"):
        list(build_from(folder / "x.jsonl", [folder / "nowhere"]))
    with pytest.raises(UsageError, match=r"ending in \.jsonl"):
        list(build_from(folder / "x", [folder]))


def test_a_model_too_large_to_show(tmp_path: Path) -> None:
    """The conflict in algebra, its neighbours, and names to look for; every turn within budget."""
    write_model(plan(400), tmp_path / "plan.mps")
    list(build_from(tmp_path / "own.jsonl", [tmp_path], broken=True))
    (instance,) = read_file(tmp_path / "own.jsonl")
    assert is_large(instance.problem)
    options = OrDebugOptions(history="state")
    environment = BENCHMARK.environment(options, 0)
    observation = environment.reset(instance, 0)
    for name in instance.problem.iis_rows:
        assert f"{name}: " in observation.text
    assert "The rows nearest to them:" in observation.text
    # Half of what stands alone is the model's own program.
    assert len(observation.text) < BUDGET < len(instance.problem.code)
    asked = ["CHECK_SLACK()", "CHECK_BOUND()", "GET_IIS()", "CHECK_SLACK(limit_1*)"]
    asked += ["CHECK_BOUND(make_1*)", "CHECK_BOUND(nothing*)", "CHECK_SLACK(limit_11)"]
    said = []
    for action in asked:
        step = environment.step(f"Action: {action}")
        assert step.info["valid"] and step.observation is not None
        said.append(step.observation.text)
        assert len(said[-1]) < BUDGET
    environment.close()
    chat = BENCHMARK.environment(OrDebugOptions(), 0)
    chat.reset(instance, 0)
    (rows, columns, nothing) = (chat.step(f"Action: {action}").observation for action in asked[3:6])
    chat.close()
    assert (
        rows is not None
        and "limit_1: " in rows.text
        and "111 names fit 'limit_1*', the first 40:" in rows.text
    )
    assert columns is not None and "0 <= make_1 <= 50, cost" in columns.text
    assert nothing is not None and "No name fits 'nothing*'" in nothing.text


@pytest.mark.data
def test_public_models_become_the_set_wild(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two that are infeasible by nature and one that is broken, asked by name."""
    if not (Path(os.environ.get("ORDOJO_DATA", "/nowhere")) / "mps").is_dir():
        pytest.skip("needs $ORDOJO_DATA with public models (mps)")
    models, data = tmp_path / "models", tmp_path / "data"
    models.mkdir()
    (data / "or-debug-wild").mkdir(parents=True)
    for name in ("forest6.mps.gz", "galenet.mps", "egout.mps.gz"):
        folder = Path(os.environ["ORDOJO_DATA"]) / "mps"
        source = next(p for p in (folder / name, folder / "edge" / name) if p.exists())
        (models / name).write_bytes(source.read_bytes())
    monkeypatch.setenv("ORDOJO_DATA", str(data))
    monkeypatch.setenv("ORDOJO_CACHE", str(tmp_path / "cache"))
    load_set.cache_clear()
    with pytest.raises(DataError, match="build it: ordojo build or-debug --from"):
        load_set("wild")
    list(build_from(data / "or-debug-wild" / "wild.jsonl", [models], broken=True))
    instances = load_set("wild")
    load_set.cache_clear()
    assert sorted(one.problem.type == "N" for one in instances) == [False, True, True]
    environment = BENCHMARK.environment(OrDebugOptions(history="state"), 0)
    policies = BENCHMARK.policies(instances)
    for instance in instances:
        BENCHMARK.verify(instance)
        for name in ("gold", "elastic"):
            episode = play(environment, instance, policies[name].begin(instance, 0, 0))
            assert episode.turns[-1].info["status"] == "OPTIMAL"
    environment.close()
    # Those who know the generator play without what they learn, in seconds, from its problems.
    monkeypatch.setattr(adversaries, "trust", lambda name, silent: {})
    battery = BENCHMARK.hardness(OrDebugOptions(), instances)
    assert {shortcut.name for shortcut in battery.shortcuts} >= {"drop-first", "relax-elastic"}
