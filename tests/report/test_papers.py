"""`ordojo paper`: every command parses, every quoted row stands in one table, runs beside it."""

import json
import shlex
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from ordojo.cli import cli
from ordojo.core.errors import UsageError
from ordojo.core.registry import benchmark_names, get_benchmark
from ordojo.datasets.registry import dataset_ids, get_dataset
from ordojo.report.papers import PAPERS, PaperItem, paper_items
from ordojo.training.recipes import shipped
from tests.core.helpers import played, run_view

ITEMS = {paper: paper_items(paper) for paper in PAPERS}


def parse(command: str) -> click.Context:
    """The context of a command's last part; raises UsageError of click for what it refuses."""
    words = shlex.split(command)
    assert words.pop(0) == "ordojo"
    found: click.Command = cli
    context = click.Context(cli)
    while isinstance(found, click.Group):
        found = found.get_command(context, words.pop(0))  # type: ignore[assignment]
    return found.make_context("ordojo", words)


@pytest.mark.parametrize("paper", PAPERS)
def test_commands_parse_and_what_they_name_exists(
    paper: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("MODEL.mps", "CANDIDATE.mps", "ARTICLES", "QUEUE"):
        Path(name).touch()
    Path("runs").mkdir()
    known = set(dataset_ids())
    homes = {row.dataset for name in benchmark_names() for row in get_benchmark(name).published()}
    for item in ITEMS[paper]:
        for command in item.commands:
            if command.startswith("python -m perf."):
                assert Path(__file__).parents[2].joinpath(f"perf/{command[15:]}.py").exists()
                continue
            asked = parse(command).params
            if "data statistics" in command:
                assert get_dataset(asked["dataset_ids"][0]).schema.name == "nl2opt"
            if "--config" in command:
                assert asked["config"] in shipped()
        assert set(item.data) <= known | homes
        assert item.commands or item.lacks


def test_every_quoted_score_stands_in_one_table() -> None:
    rows = [row for name in benchmark_names() for row in get_benchmark(name).published()]
    quoted = sorted((row.model, row.setting, row.score) for row in rows if row.score == row.score)
    shown = [one for items in ITEMS.values() for item in items for one in item.scores]
    assert sorted((one.model, one.setting, one.value) for one in shown) == quoted


def test_runs_on_the_papers_dataset_stand_beside_it_and_others_do_not() -> None:
    benchmark: Any = get_benchmark("or-bias")
    records = played(benchmark, "heuristic", benchmark.options(), limit=3)

    def own(dataset: str) -> list[str]:
        data = {"id": dataset, "sha256": "0" * 64}
        run = run_view(benchmark, records, benchmark.options(), dataset=data)
        found: list[PaperItem] = paper_items("004", [run])
        return [item.name for item in found if any(one.own for one in item.scores)]

    (home,) = {row.dataset for row in get_benchmark("or-bias").published()}
    assert own(home) == ["tables 13, 36"] and own("or-bias@elsewhere") == []


def test_the_command() -> None:
    said = CliRunner().invoke(cli, ["paper", "002"])
    assert "$ ordojo eval econlogicqa --model MODEL -T shots=5" in said.output
    told = json.loads(CliRunner().invoke(cli, ["paper", "000", "--json"]).stdout)
    assert {"table 2", "figure 5"} <= {item["name"] for item in told}
    with pytest.raises(UsageError, match="no paper '005'"):
        paper_items("005")
