"""`papers.toml` is executed: its commands, small, bring the tables that it says they bring."""

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from click.testing import CliRunner

from ordojo.benchmarks.or_debug.build import load_set
from ordojo.cli import cli
from ordojo.core.errors import DataError, UsageError
from ordojo.core.panels import Panel, Table
from ordojo.evaluation.runs import read_runs
from ordojo.milp.files import write_model
from ordojo.reports import papers
from ordojo.reports.papers import (
    DONE,
    PAPERS,
    CommandResult,
    PaperItem,
    commands_of,
    count,
    in_order,
    panels_of,
    paper_items,
    words_of,
)
from tests.command import ordojo

pytestmark = pytest.mark.data

ITEMS = [(paper, item) for paper in PAPERS for item in paper_items(paper)]
POLICIES = {"orqa": "random", "econlogicqa": "random", "or-bias": "random", "or-debug": "gold"}
"""What takes MODEL's place; noop elsewhere, which writes no program that would have to be run."""


HERE = {"eval", "build", "data", "structure", "diff"}


def small(item: PaperItem) -> Iterator[list[str]]:
    """The words of an item's commands that a test can run: evaluations, audits, builders."""
    for command in commands_of(item, small=True):
        policy = f"ordojo/{POLICIES.get(command.split()[2], 'noop')}"
        words, why = words_of(command, policy, folder=Path())
        elsewhere = any("ordojo/local" in word or word == "oracle=gurobi" for word in words)
        if words[0] in HERE and not why and not elsewhere:
            yield words


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, str]]:
    """What every command said, each run once in one folder, by the command."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("papers"))
        patch.setenv("COLUMNS", "200")
        problem = load_set("eval")[1].problem
        write_model(problem.original_model, "MODEL.mps")
        write_model(problem.model, "CANDIDATE.mps")
        here = [item for _, item in ITEMS if all(item.data.values())]
        lines = dict.fromkeys(shlex.join(words) for item in here for words in small(item))
        said: dict[str, str] = {}
        for line in sorted(lines, key=lambda line: line.startswith("report")):
            result = CliRunner().invoke(
                cli, line_words := shlex.split(line), catch_exceptions=False
            )
            assert result.exit_code == ("CANDIDATE.mps" in line_words), f"{line}: {result.output}"
            said[line] = result.output
        yield said


@pytest.fixture(scope="module")
def panels(outputs: Mapping[str, str]) -> Mapping[tuple[str, str], Panel]:
    """The panels of all runs together, by benchmark and title."""
    return panels_of(read_runs([Path("runs")]))


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


@pytest.mark.parametrize(("paper", "item"), listed("shows"))
def test_what_the_item_names_is_shown(
    paper: str, item: PaperItem, outputs: Mapping[str, str]
) -> None:
    said = "\n".join(outputs[shlex.join(words)] for words in small(item))
    assert re.search(item.shows, said), said


def test_every_item_with_commands_is_shown_by_something() -> None:
    assert not [
        f"{paper} {item.name}"
        for paper, item in ITEMS
        if item.commands and not (item.panel or item.beside or item.shows or item.tests)
    ]


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


def test_a_paper_is_run_in_a_folder_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each command is a process of its own; what cannot be run is said; none is run twice.

    Two are started, one that ends well and one that does not; the others are called here.
    """
    started: list[str] = []
    process = papers._called

    def run(words: Sequence[str], folder: Path) -> CommandResult:
        started.append(shlex.join(words))
        if words[0] == "diff" or words[:2] == ["data", "audit"]:
            return process(words, folder)
        done = ordojo(words, folder, COLUMNS="200")
        return CommandResult(done.returncode, done.stderr if done.returncode else done.stdout)

    monkeypatch.setattr(papers, "_called", run)
    # Published data would take minutes; what needs none is run on a file of the user's.
    monkeypatch.setenv("ORDOJO_DATA", str(tmp_path / "none"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "none"))
    folder = tmp_path / "p"
    folder.mkdir()
    write_model(load_set("eval")[1].problem.original_model, folder / "MODEL.mps")
    words = ["paper", "003", "--run", str(folder)]
    said = CliRunner().invoke(cli, words)
    assert said.exit_code == 0, said.output
    for name in ("figure 3 (reverse", "figures 13, 14 (files", "figures 11, 12 (a directory"):
        (line,) = [line for line in said.stdout.splitlines() if line.startswith(name)]
        assert line.endswith("): done"), line
    for why in (
        "needs MODEL: $ ordojo eval nl2opt",
        "needs CANDIDATE.mps: $",
        "a person does this",
    ):
        assert why in said.stdout
    assert "figure 16 (inspection of a rebuilt model): not done" in said.stdout
    kept = folder / "paper-003.json"
    made = (folder / "instance/instance.json").stat().st_mtime_ns
    found = json.loads(CliRunner().invoke(cli, [*words, "--json"]).stdout)
    assert made == (folder / "instance/instance.json").stat().st_mtime_ns
    ended = {line: one["code"] for line, one in json.loads(kept.read_text()).items()}
    assert ended["diff MODEL.mps instance"] == 0 and ended["data audit industryor@cleaned-42"] == 2
    assert {line for line in started if started.count(line) > 1} == {
        line for line, code in ended.items() if code not in DONE
    }
    assert {one["name"]: one["why"] for one in found}["figure 3"] == []
    kept.write_text("[]")
    refused = CliRunner().invoke(cli, words)
    assert isinstance(refused.exception, DataError) and "delete it" in str(refused.exception)
    alone = CliRunner().invoke(cli, ["paper", "003", "--small"])
    assert isinstance(alone.exception, UsageError) and "--run" in str(alone.exception)


def test_another_models_figures_are_not_taken_for_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[str] = []

    def run(words: Sequence[str], folder: Path) -> CommandResult:
        called.append(shlex.join(words))
        return CommandResult(-9 if "second" in words else 0, "")

    monkeypatch.setattr(papers, "_called", run)
    for model in ("first", None, "first", "second"):
        found = papers.reproduce("002", tmp_path, model)
    assert [" first" in line for line in called] == [True, True, False, False]
    assert "it ended with code -9" in found[0].why
    kept = json.loads((tmp_path / "paper-002.json").read_text())
    assert sorted(one["code"] for one in kept.values()) == [-9, -9, 0, 0]


def test_commands_that_are_yours_or_a_persons_are_not_run() -> None:
    ordered = {p: in_order([item for paper, item in ITEMS if paper == p]) for p in PAPERS}
    found = {c: words_of(c, "m")[1] for commands in ordered.values() for c in commands}
    assert "ordojo play orqa --sample 100" in found
    assert {why for c, why in found.items() if " eval " in c} == {""}
    assert found["ordojo play orqa --sample 100"] == "a person does this"
    assert found["ordojo structure MODEL.mps -o folder"].startswith("needs MODEL.mps")
    assert {why[:20] for c, why in found.items() if " train " in c} == {"trains a model, whic"}
    assert words_of("ordojo train sft --config tiny-sft", None, train=True)[1] == ""
    assert words_of("python -m perf.structure", "m")[1].startswith("runs beside")
    assert words_of("ordojo eval orqa --model MODEL", None)[1].startswith("needs MODEL")
    assert ordered["004"][-1].startswith("ordojo report")
