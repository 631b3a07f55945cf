"""How benches are run and shown; the figures themselves never fail a test."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from perf.__main__ import BENCHES, FIGURES, PAGE, STUDIES, page
from perf.engine import bench_engine
from perf.figure import command

ROOT = Path(__file__).parents[2]


def test_a_bench_is_a_command() -> None:
    short = ["--samples", "4", "--repeats", "1", "--records", "100", "--seconds", "0"]
    words = ["--dataset", "orqa@ordojo", *short, "--json"]
    done = CliRunner().invoke(command(bench_engine), words)
    assert done.exit_code == 0, done.output
    assert [figure["value"] > 0 for figure in json.loads(done.stdout)] == [True] * 4
    done = CliRunner().invoke(command(bench_engine), ["--dataset", "nothing"])
    assert done.exit_code == 2 and "nothing" in done.output


def test_the_page_is_what_the_figures_give(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    kept = json.loads(FIGURES.read_text("utf-8"))
    assert PAGE.read_text("utf-8") == page(kept), "run `python -m perf --page`"
    assert set(kept) == set(BENCHES)
    for one in kept.values():
        assert one["where"].keys() == {"commit", "processor", "python"}


def test_each_study_has_a_command() -> None:
    for name in STUDIES:
        assert "if __name__" in (ROOT / "perf" / f"{name}.py").read_text("utf-8")
