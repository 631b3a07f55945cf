"""`papers.toml` is executed: its commands, small, bring the tables that it says they bring."""

import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from click.testing import CliRunner

from ordojo.cli import cli
from ordojo.core.panels import Panel, Table
from ordojo.core.registry import get_benchmark
from ordojo.evaluate.runs import read_runs
from ordojo.report.coverage import count
from ordojo.report.papers import PAPERS, PaperItem, paper_items

pytestmark = [pytest.mark.data, pytest.mark.usefixtures("small_library")]

ITEMS = [(paper, item) for paper in PAPERS for item in paper_items(paper)]
POLICIES = {"orqa": "random", "econlogicqa": "random", "or-bias": "random", "or-debug": "gold"}
"""What takes MODEL's place; noop elsewhere, which writes no program that would have to be run."""


def small(item: PaperItem) -> Iterator[list[str]]:
    """The words of an item's commands that a test can run: evaluations, audits, builders."""
    for command in item.small or item.commands:
        words = shlex.split(command)[1:]
        if words[0] in {"eval", "build", "data"} and not {"ARTICLES", "MODEL.mps"} & {*words}:
            if any("ordojo/local" in word or word == "oracle=gurobi" for word in words):
                continue
            policy = f"ordojo/{POLICIES.get(words[1], 'noop')}"
            yield [policy if word == "MODEL" else word for word in words]


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, str]]:
    """What every command said, each run once in one folder, by the command."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("papers"))
        patch.setenv("COLUMNS", "200")
        said: dict[str, str] = {}
        for _, item in ITEMS:
            if not all(item.data.values()):
                continue
            for words in small(item):
                line = shlex.join(words)
                if line not in said:
                    result = CliRunner().invoke(cli, words, catch_exceptions=False)
                    assert result.exit_code == 0, f"{line}: {result.output}"
                    said[line] = result.output
        yield said


@pytest.fixture(scope="module")
def panels(outputs: Mapping[str, str]) -> Mapping[tuple[str, str], Panel]:
    """The panels of all runs together, by benchmark and title."""
    runs = read_runs([Path("runs")])
    return {
        (name, panel.title): panel
        for name in sorted({run.header.benchmark for run in runs})
        for panel in get_benchmark(name).panels([r for r in runs if r.header.benchmark == name])
    }


def listed(having: str) -> list[ParameterSet]:
    """The items that have a panel, or a comparison; those whose data are not here are skipped."""
    return [
        pytest.param(
            paper,
            item,
            id=f"{paper} {item.name}",
            marks=[
                pytest.mark.skip(reason=f"{data} is not here")
                for data, here in item.data.items()
                if not here
            ],
        )
        for paper, item in ITEMS
        if getattr(item, having)
    ]


def benchmark_of(paper: str, item: PaperItem) -> str:
    line = next((c for c in item.commands if c.startswith("ordojo eval")), "")
    usual = {"000": "orqa", "002": "econlogicqa", "003": "nl2opt", "004": "or-debug"}
    return line.split()[2] if line else usual[paper]


@pytest.mark.parametrize(("paper", "item"), listed("panel"))
def test_the_panel_appears_with_the_papers_values_beside_it(
    paper: str, item: PaperItem, panels: Mapping[tuple[str, str], Panel]
) -> None:
    panel = panels[benchmark_of(paper, item), item.panel]
    if not item.tests:
        assert count(panel, item.rows) == (item.counted or item.covered)
    assert item.covered <= item.cells


@pytest.mark.parametrize(("paper", "item"), listed("beside"))
def test_the_output_has_the_papers_values_beside_its_own(
    paper: str, item: PaperItem, outputs: Mapping[str, str]
) -> None:
    said = [outputs[shlex.join(words)] for words in small(item)]
    found = re.findall(item.beside, "\n".join(said))
    assert len(found) == item.covered <= item.cells


def test_nothing_else_stands_in_the_papers_comparisons(
    panels: Mapping[tuple[str, str], Panel],
) -> None:
    usual, drawn = "workflow, 0-shot", ", sample of 200, seed 0"
    others = {
        "Retrieval": f"{usual}, by_type, k=5{drawn}",
        "Chain of thought without examples": f"zero-shot-cot, 0-shot{drawn}",
        "Examples in the prompt": f"workflow, 3-shot{drawn}",
    }
    for title, other in others.items():
        panel = panels["or-debug", title]
        assert isinstance(panel, Table)
        own = [row[1] for place, row in enumerate(panel.rows) if place not in panel.published]
        assert {*own} == {usual, f"{usual}{drawn}", other}
