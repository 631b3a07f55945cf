"""How benches are run and shown; the figures themselves never fail a test."""

import json

from click.testing import CliRunner
from perf.__main__ import page
from perf.engine import bench_engine
from perf.figure import command


def test_a_bench_is_a_command() -> None:
    words = ["--dataset", "orqa@ordojo", "--samples", "20", "--json"]
    done = CliRunner().invoke(command(bench_engine), words)
    assert done.exit_code == 0, done.output
    assert [figure["value"] > 0 for figure in json.loads(done.stdout)] == [True] * 4
    done = CliRunner().invoke(command(bench_engine), ["--dataset", "nothing"])
    assert done.exit_code == 2 and "nothing" in done.output


def test_the_page_holds_every_figure() -> None:
    figure = {"name": "a / b", "value": 1234.5, "unit": "times", "target": "2"}
    where = {"commit": "abc", "processor": "P", "python": "3.11"}
    text = page({"engine": {"where": where, "figures": [figure]}})
    assert "| a / b | 1,234.50 | times | 2 |" in text and "Commit abc, P, Python 3.11." in text
