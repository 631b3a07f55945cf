"""A folder of models as tables and figures, and what stands beside a model as hypotheses."""

import csv
import gzip
import json
from pathlib import Path

from click.testing import CliRunner

from ordojo.cli.structure import structure
from ordojo.core.errors import OrdojoError
from ordojo.core.spread import Place
from ordojo.structures import abstract
from ordojo.structures.labels import label
from ordojo.structures.labels.applications import comments, hypotheses
from ordojo.structures.survey import SurveyedModel, model_files, panels, survey
from tests.core.helpers import check_panel
from tests.structures.test_blueprint import LOCATION
from tests.structures.toys import LOTS, flat_of, structured


def folder_of(folder: Path) -> Path:
    folder.mkdir()
    (folder / "location.lp").write_text(LOCATION)
    (folder / "lots.mps.gz").write_bytes(gzip.compress(LOTS.encode()))
    for seed in (1, 2):
        (folder / f"made{seed}.mps").write_text(structured(seed))
    (folder / "notes.txt").write_text("not a model")
    return folder


def test_a_folder_gives_tables_and_figures(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "models")
    done = CliRunner().invoke(structure, [str(folder), "-o", str(tmp_path / "out"), "--json"])
    assert done.exit_code == 0, done.output
    said = json.loads(done.stdout)["models"]
    assert [one["name"] for one in said] == ["location", "lots", "made1", "made2"]
    with (tmp_path / "out/models.csv").open() as file:
        listed = list(csv.DictReader(file))
    assert [(row["groups"], row["families"]) for row in listed[:2]] == [("2", "3"), ("3", "2")]
    page = (tmp_path / "out/index.html").read_text()
    assert page.count("<svg") >= 1 and "Application taxonomy" in page
    assert "http" not in page.replace("http://www.w3.org", "")
    assert (tmp_path / "out/taxonomy.csv").read_text().count("\n") >= 3


def test_panels_can_be_drawn_and_count_every_model(tmp_path: Path) -> None:
    models = list(survey(model_files(folder_of(tmp_path / "models")), Place("processes", 1)))
    known = [one for one in models if isinstance(one, SurveyedModel)]
    table, figures = panels(known)
    for panel in (table, *figures):
        check_panel(panel)
    assert sum(int(str(row[2])) for row in table.rows) == len(models) == 4
    assert all(one.compression > 0 for one in known)


def test_a_file_that_cannot_be_read_is_named_and_left_out(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "models")
    (folder / "bad.mps").write_text("junk\n")
    done = CliRunner().invoke(structure, [str(folder), "-o", str(tmp_path / "out")])
    assert done.exit_code == 1 and "left out: bad.mps" in done.stderr
    assert "4 models, 1 left out" in done.stdout


def test_a_folder_needs_an_output_alone(tmp_path: Path) -> None:
    folder = str(folder_of(tmp_path / "models"))
    done = CliRunner().invoke(structure, [folder, "--export", str(tmp_path / "x")])
    assert isinstance(done.exception, OrdojoError) and "give -o DIR alone" in str(done.exception)
    (tmp_path / "none").mkdir()
    done = CliRunner().invoke(structure, [str(tmp_path / "none"), "-o", str(tmp_path / "y")])
    assert "holds no .mps or .lp file" in str(done.exception)


def test_what_stands_beside_a_model_is_told_and_weighed(tmp_path: Path) -> None:
    path = tmp_path / "lotsizing7.mps"
    path.write_text("* A multi-commodity network, with setup costs.\n" + LOTS)
    page = tmp_path / "page.txt"
    page.write_text("Published as a bin packing problem by others.")
    words = [str(path), "-o", str(tmp_path / "out"), "--evidence", str(page)]
    done = CliRunner().invoke(structure, words)
    assert done.exit_code == 0, done.output
    kept = json.loads((tmp_path / "out/labels.json").read_text())["hypotheses"]
    by_class = {one["sub"]: one for one in kept}
    assert by_class["Lot-Sizing Problem"]["words"] == [
        ["name", "lotsizing7"],
        ["comments", "setup costs"],
    ]
    assert by_class["Lot-Sizing Problem"]["carried"] > 0.3
    assert by_class["Bin Packing Problem"]["words"] == [["text", "bin packing"]]
    assert by_class["Bin Packing Problem"]["carried"] == 0
    assert kept[0]["sub"] == "Lot-Sizing Problem"
    assert "'bin packing' in the text; the structure does not show it" in done.stdout
    # Labels do not follow the words.
    alone = label(flat_of(tmp_path, LOTS), abstract(flat_of(tmp_path, LOTS))).applications
    assert (
        alone[0].sub
        == json.loads((tmp_path / "out/labels.json").read_text())["applications"][0]["sub"]
    )
    done = CliRunner().invoke(structure, [*words[:-1], str(tmp_path / "none.txt")])
    assert "cannot be read" in str(done.exception)


def test_comments_are_read_from_either_format(tmp_path: Path) -> None:
    (tmp_path / "a.lp").write_text("\\ Knapsack of a hiker\n" + LOCATION)
    assert comments(tmp_path / "a.lp") == "Knapsack of a hiker"
    assert hypotheses((), {"comments": comments(tmp_path / "a.lp")})[0].sub == "Knapsack Problem"
