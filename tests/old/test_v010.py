"""Files that ordojo 0.1.0 wrote are read: built instances, structure folders, runs.

`v010` was made by 0.1.0's own commands: `build or-debug --n 3`, `build or-bias --n 4`, `build orqa
--n 3`, `build nl2opt --template production_planning`, `build econlogicqa` with the scripted model
of its tests, `structure m.lp`, and `eval --model ordojo/gold --limit 1` of each benchmark.
"""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ordojo.cli import cli

OLD = Path(__file__).parent / "v010"


def done(*words: object) -> Result:
    result = CliRunner().invoke(cli, [str(word) for word in words])
    assert result.exit_code == 0, result.output
    return result


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("debug.jsonl", "3 of 3"),
        ("bias.jsonl", "4 of 4"),
        ("nl2opt", "1 of 1"),
    ],
)
def test_certificates_of_built_files_hold(name: str, told: str) -> None:
    assert f"{told} certificates hold" in done("verify", OLD / name).output


def test_what_a_builder_no_longer_makes_is_told_in_a_sentence() -> None:
    told = CliRunner().invoke(cli, ["verify", str(OLD / "orqa.jsonl")])
    assert told.exit_code == 1
    assert "built by an earlier ordojo, which alone can prove it" in told.output


@pytest.mark.parametrize(
    ("benchmark", "option"),
    [
        ("or-debug", f"instances={OLD}/debug.jsonl"),
        ("or-bias", f"instances={OLD}/bias.jsonl"),
        ("orqa", f"dataset={OLD}/orqa.jsonl"),
        ("nl2opt", f"dataset=folder:{OLD}/nl2opt"),
        ("econlogicqa", f"dataset={OLD}/econlogicqa/{{split}}.csv"),
    ],
)
def test_built_files_are_evaluated(benchmark: str, option: str, tmp_path: Path) -> None:
    words = ("--model", "ordojo/gold", "--runs", tmp_path, "--json", "-T", option)
    (figures,) = json.loads(done("eval", benchmark, *words).stdout)
    assert next(iter(figures["metrics"].values()))["value"] == 1.0


def test_a_structure_folder_gives_its_model_again() -> None:
    assert "exact" in done("structure", "--check", OLD / "structure").output
    assert "exact" in done("structure", OLD / "m.lp", "--check", OLD / "structure").output


def test_runs_are_reported_and_the_same_command_begins_todays_version(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    shutil.copytree(OLD / "runs", runs)
    before = {path: path.read_bytes() for path in runs.rglob("*.json*")}
    words = ("orqa", "-T", "dataset=orqa@ordojo", "--model", "ordojo/gold", "--limit", 1)
    said = done("eval", *words, "--runs", runs).output
    assert "1 of 1 samples to ask" in said
    assert {path: path.read_bytes() for path in before} == before
    done("report", runs, "-o", tmp_path / "site")
    summary = json.loads((tmp_path / "site/summary.json").read_text())
    assert len(summary["runs"]) == 6
    found = {(r["benchmark"], r["version"]) for r in summary["rows"] if not r["published"]}
    names = ("econlogicqa", "nl2opt", "or-bias", "or-debug", "orqa")
    assert found == {(name, "1") for name in names} | {("orqa", "3")}
    assert {r["value"] for r in summary["rows"] if r["metric"] == "accuracy"} == {1.0}
