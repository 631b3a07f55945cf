"""A folder that `structure --export` wrote when recovered models had a type of their own."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner

from ordojo.cli import cli
from ordojo.structures import read_flat
from ordojo.structures.abstraction.folder import model, read
from ordojo.structures.artifact import read_artifact
from ordojo.structures.blueprint import changed, draft
from ordojo.structures.blueprint.accept import accept, read_blueprint
from ordojo.structures.flat import digest
from ordojo.structures.formulation import data_files, formulate

OLD = Path(__file__).parent / "exported"
FOLDER = OLD / "lots"


def done(*words: object) -> str:
    result = CliRunner().invoke(cli, [str(word) for word in words])
    assert result.exit_code == 0, result.output
    return result.output


def test_its_model_comes_back_bit_for_bit() -> None:
    assert "exact" in done("structure", "--check", FOLDER / "structure")
    assert "exact" in done("structure", OLD / "lots.mps", "--check", FOLDER / "structure")
    assert digest(model(read(FOLDER / "structure"))) == digest(read_flat(OLD / "lots.mps"))


def test_its_data_and_its_text_are_those_of_today(tmp_path: Path) -> None:
    artifact, found = read_artifact(FOLDER), read(FOLDER / "structure")
    flat = model(found)
    formulation = formulate(flat, found)
    assert data_files(formulation) == artifact.data
    blueprint = read_blueprint(FOLDER / "blueprint.json")
    assert changed(formulation, draft(formulation), blueprint) == []
    copy = tmp_path / "lots"
    shutil.copytree(FOLDER, copy)
    assert accept(copy, artifact.record.abstract_problem).accepted


def test_it_is_exported_again_from_its_blueprint(tmp_path: Path) -> None:
    words = "--blueprint", FOLDER / "blueprint.json", "--export", tmp_path / "again"
    done("structure", OLD / "lots.mps", *words)
    before, after = (
        json.loads((folder / "instance.json").read_text())
        for folder in (FOLDER, tmp_path / "again")
    )
    for part in ("parameters", "files", "optimal_value"):
        assert after[part] == before[part]
    old, new = (set(one["abstract_problem"].splitlines()) for one in (before, after))
    (former,) = old - new  # it said of all numbers what is so of those in the two files
    assert former.startswith("- The same numbers, and those in braces, also stand in ")
    assert new - old == {
        "Sets:",
        "- data/parameters.csv has single numbers by their names, data/sets.csv has the first and "
        "last member of sets of numbers.",
    }


def test_its_programs_run(tmp_path: Path) -> None:
    copy = tmp_path / "lots"
    shutil.copytree(FOLDER, copy)
    solved = _run(copy, "solve.py")
    assert solved.stdout.splitlines() == ["status: Optimal", "objective: 97.0"]
    made = _run(copy, "generator.py", str(tmp_path / "made"))
    assert made.stdout.splitlines()[-1].startswith("5 files made"), made.stderr
    for path in (FOLDER / "data").iterdir():
        assert (tmp_path / "made/data" / path.name).read_bytes() == path.read_bytes()


def _run(folder: Path, program: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, program, *words], cwd=folder, capture_output=True, text=True, check=False
    )
