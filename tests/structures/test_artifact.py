"""Instance folders: every field of appendix B, all or nothing, read back by both readers."""

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from ordojo.core.errors import DataError
from ordojo.datasets.nl2opt.load import read_instances
from ordojo.structures.artifact import (
    Artifact,
    InstanceRecord,
    ProblemType,
    SolverVerification,
    TableFile,
    compression,
    read_artifact,
    write_artifact,
)

RECORD = InstanceRecord(
    id="toy",
    problem_type=ProblemType("Combinatorial Optimization", "Knapsack Problem"),
    abstract_problem="Choose among {n} items of data/items.csv at most {budget} in weight.",
    parameters={"n": 3, "budget": 10.5},
    files={"items": TableFile("data/items.csv", "one row an item", {"weight": "kilograms"})},
    optimal_value=7.0,
    verification=SolverVerification("optimal", 0.01, 0.0, 7.0, ("logs/highs.log",)),
    metadata={"language": "en"},
)
FILES: dict[str, Any] = {
    "model_md": "# Model\n",
    "data": {"data/items.csv": "item,weight\n1,2\n"},
    "solve_py": "print(7)\n",
    "generator_py": "print('again')\n",
    "logs": {"logs/highs.log": "optimal\n"},
}


def test_a_folder_comes_back(tmp_path: Path) -> None:
    write_artifact(tmp_path / "toy", RECORD, **FILES)
    assert read_artifact(tmp_path / "toy") == Artifact(RECORD, **FILES)
    assert [path.name for path in tmp_path.iterdir()] == ["toy"]


def test_every_field_of_appendix_b_is_there(tmp_path: Path) -> None:
    write_artifact(tmp_path / "toy", RECORD, **FILES)
    record = json.loads((tmp_path / "toy" / "instance.json").read_text())
    assert list(record) == [
        "id",
        "problem_type",
        "abstract_problem",
        "parameters",
        "files",
        "concrete_problem",
        "mathematical_formulation",
        "solver_code",
        "generator_code",
        "optimal_value",
        "verification",
        "metadata",
    ]
    assert record["files"]["items"]["columns"] == {"weight": "kilograms"}


@pytest.mark.parametrize(
    "value, status, kind",
    [
        (7.0, "ok", "number"),
        ("Infeasible", "infeasible", "infeasible"),
        ("Unbounded", "infeasible", "unbounded"),
        (None, "unknown-gold", "unknown"),
    ],
)
def test_the_published_folders_reader_reads_it(
    tmp_path: Path, value: float | str | None, status: str, kind: str
) -> None:
    record = dataclasses.replace(RECORD, optimal_value=value)
    write_artifact(tmp_path / "dataset" / "toy", record, **FILES)
    item = read_instances("miplib-nl", tmp_path / "dataset")[0]
    assert item.status == status and item.golds[0].kind == kind
    assert item.files == {"data/items.csv": tmp_path / "dataset/toy/data/items.csv"}
    assert item.parameters == RECORD.parameters and "unbound" not in item.labels
    assert "optimal" not in item.documents["instance.json"]


@pytest.mark.parametrize(
    "record, files, says",
    [
        ({"parameters": {"n": 3}}, {}, "{budget}"),
        ({"files": {}}, {}, "data/items.csv is given but not in files"),
        ({}, {"data": {}}, "data/items.csv, which is not given"),
        ({}, {"logs": {}}, "logs/highs.log, which is not given"),
        ({}, {"extra": {"../x": b""}}, "leaves the folder"),
        ({"optimal_value": "maybe"}, {}, "'maybe' is no status"),
        ({"abstract_problem": " "}, {}, "abstract_problem is empty"),
    ],
)
def test_what_is_not_consistent_is_not_written(
    tmp_path: Path, record: dict[str, Any], files: dict[str, Any], says: str
) -> None:
    with pytest.raises(DataError, match=r"mend that$") as error:
        write_artifact(tmp_path / "toy", dataclasses.replace(RECORD, **record), **FILES | files)
    assert says in str(error.value)
    assert not list(tmp_path.iterdir())


def test_another_instance_is_replaced_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "toy"
    write_artifact(folder, RECORD, **FILES, extra={"structure/t.npy": b"\0"})
    write_artifact(folder, dataclasses.replace(RECORD, id="other"), **FILES)
    assert read_artifact(folder).record.id == "other" and not (folder / "structure").exists()
    (folder / "instance.json").unlink()
    with pytest.raises(DataError, match="holds something else"):
        write_artifact(folder, RECORD, **FILES)
    assert (folder / "model.md").read_text() == "# Model\n"


def test_a_failed_write_leaves_the_old_one(tmp_path: Path) -> None:
    folder = tmp_path / "toy"
    write_artifact(folder, RECORD, **FILES)
    with pytest.raises(DataError, match="cannot write"):
        write_artifact(folder, RECORD, **FILES, extra={"model.md/below": b""})
    assert read_artifact(folder) == Artifact(RECORD, **FILES)
    assert [path.name for path in tmp_path.iterdir()] == ["toy"]


@pytest.mark.parametrize(
    "change, says",
    [
        (lambda f: (f / "data/items.csv").unlink(), "items.csv: No such file"),
        (lambda f: (f / "instance.json").write_text("{"), "not whole JSON"),
        (lambda f: (f / "instance.json").write_text("[]"), "no JSON object"),
        (lambda f: (f / "model.md").write_bytes(b"\xff"), "not UTF-8"),
        (
            lambda f: _edit(f, lambda r: r.pop("verification")),
            "verification: Missing|verification: Field required",
        ),
        (lambda f: _edit(f, lambda r: r.update(files=[])), "does not fit .files: "),
        (lambda f: _edit(f, lambda r: r.update(solver_code="../x")), "outside its folder"),
        (lambda f: _edit(f, lambda r: r.update(problem_type={})), "does not fit"),
        (lambda f: _edit(f, lambda r: r["files"]["items"].update(path=3)), "files.items.path: "),
        (lambda f: _edit(f, lambda r: r.update(parameters={})), "in no parameter"),
    ],
)
def test_a_damaged_folder_is_refused(tmp_path: Path, change: Any, says: str) -> None:
    write_artifact(tmp_path / "toy", RECORD, **FILES)
    change(tmp_path / "toy")
    with pytest.raises(DataError, match=says):
        read_artifact(tmp_path / "toy")


def _edit(folder: Path, change: Any) -> None:
    record = json.loads((folder / "instance.json").read_text())
    change(record)
    (folder / "instance.json").write_text(json.dumps(record))


def test_compression_is_the_papers(tmp_path: Path) -> None:
    folder = write_artifact(tmp_path / "toy", RECORD, **FILES)
    whole = json.loads((folder / "instance.json").read_text())
    told = {key: whole[key] for key in ("abstract_problem", "parameters", "files")}
    size = len(json.dumps(told, indent=2)) + (folder / "data/items.csv").stat().st_size
    artifact = read_artifact(folder)
    assert compression(10 * size, artifact.record, artifact.data) == 10.0
