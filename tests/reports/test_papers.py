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
from ordojo.reports.papers import PAPERS, PaperItem, count, paper_items
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
            if "data statistics" in command and asked["datasets"]:
                assert get_dataset(asked["datasets"][0]).schema.name == "nl2opt"
            if "--config" in command:
                assert asked["config"] in shipped()
        assert set(item.data) <= known | homes
        for name in item.tests:
            file, _, function = name.partition("::")
            text = Path(__file__).parents[2].joinpath(file).read_text("utf-8")
            assert f"def {function or 'test_'}" in text, name
        assert item.commands or item.tests or item.lacks
        assert item.lacks or item.covered == item.cells, f"{item.name} is not covered; why?"


def test_every_quoted_score_stands_in_one_table() -> None:
    rows = [row for name in benchmark_names() for row in get_benchmark(name).published()]
    quoted = [(row.model, row.setting, row.score) for row in rows if row.score == row.score]
    quoted += [
        (row.model, f"{row.setting}, {name.replace('_', ' ')}", value)
        for row in rows
        if row.score != row.score
        for name, value in row.extra.items()
    ]
    shown = [one for items in ITEMS.values() for item in items for one in item.scores]
    assert sorted((one.model, one.setting, one.value) for one in shown) == sorted(quoted)
    bias = next(item for item in ITEMS["004"] if item.name == "tables 13, 36")
    assert ("o3", "ID, rationality", 0.931) in {(s.model, s.setting, s.value) for s in bias.scores}


def test_the_documentation_has_the_coverage_that_the_command_prints() -> None:
    said = CliRunner().invoke(cli, ["paper"])
    page = Path(__file__).parents[2].joinpath("docs/papers.md").read_text("utf-8")
    assert page.partition("<!-- ordojo paper -->\n\n")[2] == said.stdout
    refused = CliRunner().invoke(cli, ["paper", "--json"])
    assert isinstance(refused.exception, UsageError) and "name it" in str(refused.exception)


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


def test_a_table_whose_data_are_not_passed_on_is_filled_by_runs_on_them() -> None:
    benchmark: Any = get_benchmark("econlogicqa")
    (item,) = (one for one in ITEMS["002"] if one.panel)
    asked = benchmark.options(dataset="econlogicqa@ordojo")
    records = played(benchmark, "random", asked, limit=6)
    data = {"id": "econlogicqa@hf", "sha256": "0" * 64}
    runs = [
        run_view(benchmark, records, benchmark.options(shots=n), name=f"{n}", dataset=data)
        for n in (1, 5)
    ]
    (panel,) = (one for one in benchmark.panels(runs) if one.title == item.panel)
    assert count(panel) == item.covered == 42


def test_the_command() -> None:
    said = CliRunner().invoke(cli, ["paper", "002"])
    assert "$ ordojo eval econlogicqa --model MODEL -T shots=5" in said.output
    told = json.loads(CliRunner().invoke(cli, ["paper", "000", "--json"]).stdout)
    assert {"table 2", "figure 5"} <= {item["name"] for item in told}
