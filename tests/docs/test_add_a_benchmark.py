"""The benchmarks of docs/add-a-benchmark.md conform; the first works as a package."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import ordojo
from ordojo.core.conformance import ConformanceError, check_benchmark
from ordojo.core.spread import Place

from .pages import DOCS, blocks, commands

PAGE = DOCS / "add-a-benchmark.md"
ONE_BY_ONE = """
import json, sys
from ordojo.cli import main
for sys.argv in json.loads(sys.argv[1]):
    try:
        main()
    except SystemExit as end:
        if end.code:
            raise
"""
CODE, CHECK, TURNS = (block.text for block in blocks(PAGE) if block.language == "python")


@pytest.fixture(scope="module")
def namespace():
    found: dict[str, Any] = {}
    exec(compile(CODE, str(PAGE), "exec"), found)
    return found


def test_thirty_lines_are_enough():
    assert len(CODE.splitlines()) <= 30


def test_the_checks_of_the_page(namespace):
    exec(compile(CHECK, str(PAGE), "exec"), namespace)
    exec(compile(TURNS, str(PAGE), "exec"), namespace)


def test_other_seeds(namespace):
    benchmark = namespace["BENCHMARK"]
    check_benchmark(benchmark, {"items": 20}, seed=1, episodes=2)
    hashes = [
        {i.content_hash for i in benchmark.load(benchmark.options(items=50), seed)}
        for seed in (0, 1, 2)
    ]
    assert not hashes[0] & hashes[1] and not hashes[1] & hashes[2]


def test_the_check_finds_a_wrong_chance(namespace, monkeypatch):
    benchmark = namespace["BENCHMARK"]
    monkeypatch.setattr(type(benchmark), "chance", 0.5)
    with pytest.raises(ConformanceError, match="chance"):
        check_benchmark(benchmark, {"items": 50}, episodes=1)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The page's module with the entry point that the page gives it, as pip would install both."""
    site = tmp_path_factory.mktemp("site")
    (site / "ordojo_knapsack.py").write_text(CODE, "utf-8")
    points = tomllib.loads(next(b.text for b in blocks(PAGE) if b.language == "toml"))
    info = site / "ordojo_knapsack-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: ordojo-knapsack\nVersion: 1\n")
    lines = [
        f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in entries.items())
        for group, entries in points["project"]["entry-points"].items()
    ]
    (info / "entry_points.txt").write_text("\n".join(lines))
    return site


def test_evaluated_and_reported(site, tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(site), "ORDOJO_CACHE": str(tmp_path / "cache")}
    environment.pop("ORDOJO_DATA", None)
    here = tmp_path / "here"
    here.mkdir()
    words = [
        command.words
        for block in blocks(PAGE)
        if block.exit_code == 0
        for command in commands(block)
    ]
    assert ["ordojo", "eval"] in [command[:2] for command in words]
    # One process for all, as a start takes longer than the commands.
    done = subprocess.run(
        [sys.executable, "-c", ONE_BY_ONE, json.dumps(words)],
        cwd=here,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "The most frequent answer, " in (here / "report" / "knapsack.html").read_text("utf-8")
    rows = json.loads((here / "report" / "summary.json").read_text("utf-8"))["rows"]
    scores = {row["model"]: row["value"] for row in rows if row["metric"] == "score"}
    assert scores["ordojo/gold"] == 1 and scores["ordojo/noop"] == 0
    assert 0 < scores["ordojo/random"] < 0.1


def test_served(namespace, site, monkeypatch):
    pytest.importorskip("openenv")
    # Before OpenEnv's client, which alone would load the page that OpenEnv's server can show.
    import ordojo.training.serve.environment  # noqa: F401
    from openenv.core.generic_client import GenericEnvClient  # isort: skip
    from perf.serve import running

    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(site), os.environ.get("PYTHONPATH", "")]))
    benchmark = namespace["BENCHMARK"]
    instances = benchmark.load(benchmark.options(items=2), 0)
    with (
        running("knapsack", "-T", "items=2") as (port, _),
        GenericEnvClient(base_url=f"http://127.0.0.1:{port}").sync() as client,
    ):
        for place, instance in enumerate(instances):
            asked = client.reset(index=place).observation["messages"][-1]
            assert asked["content"] == benchmark.prompt(instance.problem)
            found = client.step({"text": f"Answer: {benchmark.gold(instance)}"})
            assert found.done and found.reward == 1


@pytest.fixture
def given(tmp_path, monkeypatch):
    """The page's object, of a module that is imported and not installed."""
    monkeypatch.setattr("ordojo.core.registry._GIVEN", {})
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "given_knapsack.py").write_text(CODE, "utf-8")
    monkeypatch.syspath_prepend(tmp_path / "own")
    monkeypatch.setenv(
        "PYTHONPATH", f"{tmp_path / 'own'}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    )
    monkeypatch.chdir(tmp_path)
    yield import_module("given_knapsack").BENCHMARK
    del sys.modules["given_knapsack"]


def test_the_object_is_built_verified_audited_and_measured_before_it_is_installed(given):
    file = ordojo.build(given, "fresh.jsonl", n=6, seed=1)
    for place in ("local", "processes:2"):
        found = ordojo.verify(file, on=place)
        assert found.holds and found.counts == {"knapsack": 6}
    audits = [ordojo.audit_dataset(target) for target in (given, file, "knapsack")]
    assert [found.splits["test"].rows for found in audits] == [100, 6, 100]
    assert not audits[1].findings() and audits[1].splits["test"].words > 300
    assert ordojo.hardness(given, items=20).battery.shortcuts
    assert ordojo.load("knapsack", items=2) == given.load(given.options(items=2), 0)


def test_the_object_is_asked_graded_and_reported_before_it_is_installed(given):
    for place in ("local", "processes:2"):
        run = ordojo.evaluate(given, "ordojo/gold", runs=place.replace(":", ""), on=place, items=5)
        assert [record.verdict("answer").score for record in run.records] == [1] * 5
    assert ordojo.report("local", "report").index.exists()
    lines = [
        json.dumps({"id": one.id, "epoch": 1, "completion": f"Answer: {given.gold(one)}"})
        for one in ordojo.load(given, items=5)
    ]
    Path("replies.jsonl").write_text("\n".join(lines))
    for target in (given, "knapsack"):
        graded = ordojo.grade("replies.jsonl", target, runs="graded", on="processes:2", items=5)
        assert [record.verdict("answer").score for record in graded.records] == [1] * 5
    ordojo.build(given, "fresh.jsonl", n=5)
    assert ordojo.grade("replies.jsonl", "fresh.jsonl", runs="graded").records


@pytest.mark.parametrize(
    ("layout", "module"),
    [("csv", "csv"), ("hf", "pyarrow"), ("lm-eval", "csv"), ("verifiers", "verifiers")],
)
def test_the_object_is_exported_before_it_is_installed(given, layout, module):
    pytest.importorskip(module)
    for target in (given, "knapsack"):
        told = ordojo.export(layout, target, layout, items=5, force=True)
        assert told.startswith(layout)
    assert list(Path(layout).iterdir())


def test_the_object_is_learnt_from_and_served_before_it_is_installed(given):
    from ordojo.training.rollouts.files import read_trajectories
    from ordojo.training.rollouts.rollout import record
    from ordojo.training.rollouts.work import plan

    work = plan(given, "gold", options={"items": 4})
    assert record(work, Path("played.jsonl"), Place.parse("processes:2")).episodes == 4
    assert all(one.reward == 1 for one in read_trajectories(Path("played.jsonl")))
    pytest.importorskip("trl")
    shown = [{"benchmark": "knapsack", "count": 4, "teacher": "gold"}]
    played = [{"benchmark": "knapsack", "count": 4}]
    tiny = {"model": "tiny", "method": "full", "device": "cpu", "max_length": 512}
    far = {"model": "Qwen/Qwen3-8B"}  # which a dry run does not fetch
    for stage, source, model in (("sft", shown, tiny), ("grpo", played, far)):
        recipe = {"stage": stage, "out": "run", **model, "generate": source}
        Path(f"{stage}.yaml").write_text(json.dumps(recipe))
        assert ordojo.train(stage, f"{stage}.yaml", dry_run=True)["items"] == 4
    pytest.importorskip("openenv")
    from websockets.sync.client import connect

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    Path("serving.py").write_text(
        "import ordojo, given_knapsack\n"
        "if __name__ == '__main__':\n"
        f"    ordojo.serve(given_knapsack.BENCHMARK, workers=2, port={port}, items=2)\n"
    )
    process = subprocess.Popen([sys.executable, "serving.py"], stderr=subprocess.PIPE, text=True)
    try:
        for left in reversed(range(600)):
            try:
                with connect(f"ws://127.0.0.1:{port}/ws") as channel:
                    channel.send(json.dumps({"type": "reset", "data": {"index": 1}}))
                    asked = json.loads(channel.recv())["data"]["observation"]["messages"][-1]
                break
            except OSError:
                assert left and process.poll() is None, process.stderr.read()
                time.sleep(0.1)
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
    assert asked["content"] == given.prompt(given.load(given.options(items=2), 0)[1].problem)
