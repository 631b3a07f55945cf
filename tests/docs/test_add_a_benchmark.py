"""The benchmarks of docs/add-a-benchmark.md conform; the first works as a package."""

import json
import os
import subprocess
import sys
import tomllib
from typing import Any

import pytest

import ordojo
from ordojo.core.conformance import ConformanceError, check_benchmark

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


def test_the_object_is_evaluated_before_it_is_installed(namespace, tmp_path, monkeypatch):
    monkeypatch.setattr("ordojo.core.registry._GIVEN", {})
    benchmark, runs = namespace["BENCHMARK"], tmp_path / "runs"
    run = ordojo.evaluate(benchmark, "ordojo/gold", runs=runs, items=5)
    assert all(record.verdict("answer").score == 1 for record in run.records)
    assert ordojo.report(runs, tmp_path / "report").index.exists()
    assert ordojo.load("knapsack", items=2) == benchmark.load(benchmark.options(items=2), 0)
