"""Exported folders: every part there, runnable from the folder alone, every status kept."""

import dataclasses
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from perf.programs import export_table, exports

from ordojo.cli.structure import structure
from ordojo.core.errors import DataError
from ordojo.datasets.nl2opt.load import read_instances
from ordojo.evaluation import generation
from ordojo.structures import Abstraction, Flat, abstract, read_flat
from ordojo.structures.artifact import compression, read_artifact
from ordojo.structures.blueprint import SCENARIOS, Blueprint, Exported, draft, export
from ordojo.structures.blueprint.export import solve
from ordojo.structures.formulation import formulate
from tests.structures.test_blueprint import LOCATION
from tests.structures.toys import EVERYTHING, LOTS, flat_of

OPTIMUM = 120 + 150 + 4 + 3 + 2
"""Of LOCATION: one site alone cannot take all."""


def exported(folder: Path, model: str = LOCATION, **options: object) -> Exported:
    flat = flat_of(folder, model)
    return export(flat, abstract(flat), folder / "out" / "toy", name="toy", **options)  # type: ignore[arg-type]


def run(folder: Path, program: str, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if key != "ORDOJO_DATA"}
    return subprocess.run(
        [sys.executable, program, *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def objective(done: subprocess.CompletedProcess[str]) -> float:
    said = dict(line.split(": ", 1) for line in done.stdout.splitlines())
    assert said["status"] == "Optimal", done.stderr
    return float(said["objective"])


def test_a_folder_has_every_part_and_runs_alone(tmp_path: Path) -> None:
    found = exported(tmp_path)
    assert found.record.optimal_value == OPTIMUM
    assert {path.name for path in found.folder.iterdir()} == {
        "instance.json",
        "model.md",
        "data",
        "solve.py",
        "generator.py",
        "logs",
        "structure",
        "blueprint.json",
        "labels.json",
    }
    moved = tmp_path / "elsewhere"
    shutil.move(found.folder, moved)
    assert objective(run(moved, "solve.py")) == pytest.approx(OPTIMUM)
    summary = json.loads((moved / "logs/summary.json").read_text())
    assert summary["status"] == "optimal" and summary["gap"] == 0
    assert "HiGHS" in (moved / "logs/highs.log").read_text()


def test_both_readers_read_it(tmp_path: Path) -> None:
    found = exported(tmp_path)
    item = read_instances("miplib-nl", tmp_path / "out")[0]
    assert item.status == "ok" and item.golds[0].value == OPTIMUM
    assert "unbound" not in item.labels and len(item.files) == len(found.record.files)
    artifact = read_artifact(found.folder)
    assert artifact.record == found.record
    assert artifact.record.concrete_problem and "17" in artifact.record.concrete_problem
    size = json.loads(artifact.logs["logs/summary.json"])["mps_bytes"]
    assert compression(size, artifact.record, artifact.data) == pytest.approx(found.compression)


def test_the_generator_makes_the_same_files_again(tmp_path: Path) -> None:
    folder = exported(tmp_path).folder
    before = {path: path.read_bytes() for path in sorted((folder / "data").iterdir())}
    shutil.rmtree(folder / "data")
    # One digest is made wrong: that file alone may be said to differ.
    script, name = folder / "generator.py", next(iter(before)).name
    digest = script.read_text().split(f'"data/{name}": "')[1][:64]
    script.write_text(script.read_text().replace(digest, "0" * 64))
    done = run(folder, "generator.py")
    assert {path: path.read_bytes() for path in sorted((folder / "data").iterdir())} == before
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        f"data/{name} differs",
        f"{len(before) + 2} files made, 1 differ",
    ]


@pytest.mark.parametrize(
    "change, value, status",
    [
        (("= 1\n serve_2", "= 3\n serve_2"), "Infeasible", "infeasible"),
        (("Binary\n y_1", "Bounds\n z_1 free\nBinary\n y_1"), "Unbounded", "unbounded"),
    ],
)
def test_what_has_no_optimum_keeps_its_status(
    tmp_path: Path, change: tuple[str, str], value: str, status: str
) -> None:
    model = LOCATION.replace(*change).replace(
        "obj: 120", "obj: 120" if value[0] == "I" else "obj: z_1 + 120"
    )
    found = exported(tmp_path, model)
    assert found.record.optimal_value == value and found.outcome.status == status
    assert read_instances("miplib-nl", tmp_path / "out")[0].status == "infeasible"


def test_an_open_instance_has_no_optimal_value(tmp_path: Path) -> None:
    found = exported(tmp_path, seconds=0.0)
    assert found.record.optimal_value is None and found.outcome.status == "time limit"
    assert found.record.verification.status == "time limit"
    assert read_instances("miplib-nl", tmp_path / "out")[0].status == "unknown-gold"


def test_sections_that_no_text_says_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="SOS"):
        exported(tmp_path, EVERYTHING)
    assert not (tmp_path / "out").exists()


def test_a_linear_program_with_an_offset(tmp_path: Path) -> None:
    flat = flat_of(tmp_path, LOTS)
    found = solve(flat, 10)
    assert found.status == "optimal"
    folder = exported(tmp_path, LOTS).folder
    assert objective(run(folder, "solve.py")) == pytest.approx(found.objective)


def test_the_study_names_what_fails(tmp_path: Path) -> None:
    flat_of(tmp_path, LOCATION)
    (row,) = exports([tmp_path / "toy.lp"], seconds=30)
    assert row.agrees and row.regenerated and row.optimum == OPTIMUM
    assert "1 of 1" in export_table([row])
    failed = export_table([dataclasses.replace(row, agrees=False)])
    assert "0 of 1" in failed and "NO" in failed


def test_the_command_writes_an_instance(tmp_path: Path) -> None:
    flat_of(tmp_path, LOCATION)
    model, to = str(tmp_path / "toy.lp"), tmp_path / "made"
    words = [model, "-o", str(tmp_path / "out"), "--export", str(to), "--scenario", "location"]
    done = CliRunner().invoke(structure, words)
    assert done.exit_code == 0, done.output
    assert "optimal value 279" in done.output and "exactly one" in done.output
    labels = json.loads((tmp_path / "out" / "labels.json").read_text())
    assert [one["semantic"] for one in labels["families"]] == [
        "exactly one",
        "indicator",
        "at least one",
    ]
    record = read_artifact(to).record
    assert record.id == "toy" and "which site serves which customer" in record.abstract_problem


def test_every_setting_of_the_library_is_exported(tmp_path: Path) -> None:
    flat = flat_of(tmp_path, LOCATION)
    found = abstract(flat)
    for one in SCENARIOS:
        drafted = draft(formulate(flat, found), one)
        made = export(flat, found, tmp_path / "out", blueprint=drafted)
        assert one.story in made.record.abstract_problem


def test_a_model_may_choose_the_setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    story = "A bakery chain plans which ovens it runs and which oven bakes for which shop."
    answer = {"story": story, "nouns": {"J": ["shop", "shops"]}}
    monkeypatch.setattr(
        generation, "generator", lambda name: lambda prompt, **_: json.dumps(answer)
    )
    flat_of(tmp_path, LOCATION)
    words = [str(tmp_path / "toy.lp"), "--export", str(tmp_path / "made"), "--invent", "a/model"]
    assert CliRunner().invoke(structure, words).exit_code == 0
    said = read_artifact(tmp_path / "made").record.abstract_problem
    assert said.startswith(story) and "the shops" in said
    answer["story"] = "A bakery chain runs at most 3 ovens."
    done = CliRunner().invoke(structure, words)
    assert "setting refused: the story has the number 3" in done.stderr
    assert "ovens" not in read_artifact(tmp_path / "made").record.abstract_problem


@pytest.mark.parametrize("honest", [True, False])
def test_what_a_model_makes_of_the_text_is_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, honest: bool
) -> None:
    def answer(prompt: str, **_: object) -> str:
        said = prompt.partition("alone.\n\n")[2]
        return said.replace("the sum of", "the total of" if honest else "half of")

    monkeypatch.setattr(generation, "generator", lambda name: answer)
    flat_of(tmp_path, LOCATION)
    words = [str(tmp_path / "toy.lp"), "--export", str(tmp_path / "made"), "--polish", "a/model"]
    done = CliRunner().invoke(structure, [*words, "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["instance"]["polished"] is honest
    assert ("polishing refused: the number 0.5 is new" in done.stderr) is not honest
    text = read_artifact(tmp_path / "made").record.abstract_problem
    assert ("the total of" in text) is honest and "half" not in text


def test_an_edited_blueprint_is_used(tmp_path: Path) -> None:
    flat_of(tmp_path, LOCATION)
    model, to = str(tmp_path / "toy.lp"), tmp_path / "made"
    assert CliRunner().invoke(structure, [model, "--export", str(to)]).exit_code == 0
    blueprint = json.loads((to / "blueprint.json").read_text())
    edited = tmp_path / "edited.json"
    edited.write_text(json.dumps(blueprint | {"story": "Depots serve shops."}))
    words = [model, "--export", str(to), "--blueprint", str(edited), "--json"]
    done = CliRunner().invoke(structure, words)
    assert done.exit_code == 0, done.output
    assert read_artifact(to).record.abstract_problem.startswith("Depots serve shops.")
    edited.write_text("{")
    with pytest.raises(DataError, match="not whole JSON"):
        CliRunner().invoke(structure, words, catch_exceptions=False)


@pytest.mark.parametrize("name, optimum", [("flugpl", 1201500.0), ("gt2", 21166.0)])
def test_published_models_reach_their_optimum_from_the_folder(
    tmp_path: Path, name: str, optimum: float
) -> None:
    root = os.environ.get("ORDOJO_DATA")
    if not root:
        pytest.skip("ORDOJO_DATA is not set")
    flat = read_flat(Path(root) / "mnl-mps" / f"{name}.mps.xz")
    found = export(flat, abstract(flat), tmp_path / name, name=name, seconds=60)
    assert found.record.optimal_value == pytest.approx(optimum)
    assert objective(run(found.folder, "solve.py", "60")) == pytest.approx(optimum)


def test_conditions_are_left_to_the_program(tmp_path: Path) -> None:
    """The arrays do not say an indicator's condition, so that only solve.py finds the optimum."""
    gated = """NAME gated
ROWS
 N cost
 L r1
 G r2
COLUMNS
    M1 'MARKER' 'INTORG'
    k cost 3
    M1 'MARKER' 'INTEND'
    x cost 1 r1 1
    x r2 1
RHS
    RHS r1 2 r2 5
BOUNDS
 UP b k 1
 UP b x 9
INDICATORS
 IF r1 k 1
ENDATA
"""
    found = exported(tmp_path, gated)
    assert (found.outcome.status, found.outcome.optimal_value) == ("unknown", None)
    assert objective(run(tmp_path / "out" / "toy", "solve.py")) == 5


LOSSES: list[tuple[str, str, str, str, str]] = [
    # The bound, the type and the row of the issue; then what else a line can lose.
    ("groups", "x", "at least zero and at most {upper_x}", "at least zero", "loses {upper_x}"),
    ("groups", "x", ", at least zero and", " of", "is at least zero is missing"),
    ("groups", "s", "an amount, at least zero", "a stock", "is at least zero is missing"),
    ("groups", "y", "yes or no (one or zero)", "an amount", "that `y` is yes or no is missing"),
    ("groups", "x", "an amount", "a whole number", "the model says nothing like 'whole number'"),
    ("families", "cap", "at most", "at least", "the rule `cap` (at most) is missing"),
    ("families", "bal", "must equal", "follows", "the rule `bal` (equal) is missing"),
    ("families", "bal", "for each `t` in `T`, ", "", "`bal` loses `T`"),
    ("parameters", "rhs_bal", "data/T.csv", "the table", "`rhs_bal` loses data/T.csv"),
    ("sets", "T", "from one to {last_T}", "without end", "`T` loses {last_T}"),
]


def lots_blueprint(folder: Path) -> tuple[Flat, Abstraction, dict[str, Any]]:
    flat = flat_of(folder, LOTS)
    found = abstract(flat)
    return flat, found, draft(formulate(flat, found)).to_json()


@pytest.mark.parametrize("kind, name, old, new, why", LOSSES)
def test_a_blueprint_that_loses_something_is_refused(
    tmp_path: Path, kind: str, name: str, old: str, new: str, why: str
) -> None:
    flat, found, value = lots_blueprint(tmp_path)
    item = next(one for one in value[kind] if one["name"] == name)
    assert old in item["text"]
    item["text"] = item["text"].replace(old, new)
    with pytest.raises(DataError, match=re.escape(why)):
        export(flat, found, tmp_path / "out", blueprint=Blueprint.from_json(value))
    assert not (tmp_path / "out").exists()


def test_a_blueprint_without_a_row_or_with_another_number_is_refused(tmp_path: Path) -> None:
    flat, found, value = lots_blueprint(tmp_path)
    for change, why in (
        ({"families": value["families"][1:]}, "`bal` is missing from the families"),
        ({"groups": value["groups"][::-1]}, "the groups are in another order"),
        ({"numbers": value["numbers"] | {"upper_x": 51}}, "{upper_x} is 51, in the model 50"),
        ({"direction": "maximize"}, "the direction is maximize"),
        ({"files": value["files"][1:]}, "the files are not those of the model"),
    ):
        with pytest.raises(DataError, match=re.escape(why)):
            export(flat, found, tmp_path / "out", blueprint=Blueprint.from_json(value | change))


def test_a_blueprint_in_other_words_is_exported(tmp_path: Path) -> None:
    flat, found, value = lots_blueprint(tmp_path)
    words = {
        "x": "how much is made in a period is never negative and goes up to {upper_x}",
        "s": "what is kept for the next period is an amount of zero or more",
        "y": "whether the line is set up in a period",
        "bal": "what is made and what was kept equals the demand and what is kept",
        "cap": "without a set-up nothing is made, with one no more than {coef_cap_y}",
    }
    for item in (*value["groups"], *value["families"]):
        item["text"] = words[item["name"]]
        item["label"] = f"the {item['name']}"
    made = export(flat, found, tmp_path / "out", blueprint=Blueprint.from_json(value))
    assert "- `the cap`: without a set-up" in made.record.abstract_problem
