"""Exports are read back by the libraries that they are for, offline."""

import csv
import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

from ordojo.cli.benchmarks import list_command
from ordojo.cli.data import export as command
from ordojo.core.errors import DataError, UsageError
from ordojo.datasets.export import export
from ordojo.datasets.rows import read_rows


def test_the_real_datasets_library_loads_the_hub_layout(tmp_path):
    pytest.importorskip("datasets", reason="needs the extra `train`")
    out = export("orqa@ordojo", tmp_path / "orqa", "hf")
    script = (
        "import datasets, json, sys; d = datasets.load_dataset(sys.argv[1]);"
        "print(json.dumps({s: d[s].to_list() for s in d}))"
    )
    env = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "cache"), "PATH": ""}
    found = subprocess.run(
        [sys.executable, "-c", script, str(out)], env=env, capture_output=True, check=True
    )
    loaded = json.loads(found.stdout)
    for split in ("test", "validation"):
        assert loaded[split] == read_rows("orqa@ordojo", split)
    card = (out / "README.md").read_text()
    assert "license: apache-2.0" in card
    assert "| test | 44 |" in card


def test_croissant_names_every_file_by_its_hash(tmp_path):
    import hashlib

    pytest.importorskip("pyarrow", reason="needs the extra `export`")
    out = export("econlogicqa@ordojo", tmp_path / "e", "hf")
    found = json.loads((out / "croissant.json").read_text())
    assert [one["@id"] for one in found["recordSet"]] == ["test", "train"]
    for one in found["distribution"]:
        assert one["sha256"] == hashlib.sha256((out / one["contentUrl"]).read_bytes()).hexdigest()


def test_the_real_mlcroissant_finds_no_fault(tmp_path):
    pytest.importorskip("mlcroissant", reason="needs mlcroissant")
    out = export("orqa@ordojo", tmp_path / "orqa", "hf")
    script = """if True:
        import json, sys, mlcroissant
        found = mlcroissant.Dataset(sys.argv[1])
        faults = found.metadata.ctx.issues
        rows = [r["test/CONTEXT"] for r in found.records("test")]
        print(json.dumps([sorted(faults.errors), [r.decode() for r in rows]]))
    """
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script, str(out / "croissant.json")],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "not standard" not in done.stderr
    rows = [row["CONTEXT"] for row in read_rows("orqa@ordojo", "test")]
    assert json.loads(done.stdout.splitlines()[-1]) == [[], rows]


def test_csv_of_rows_of_problems_and_of_built_instances(tmp_path):
    out = export("econlogicqa@ordojo", tmp_path / "rows", "csv")
    with (out / "test.csv").open(newline="", encoding="utf-8") as file:
        assert list(csv.DictReader(file)) == read_rows("econlogicqa@ordojo", "test")
    problems = export("nl2opt@ordojo", tmp_path / "problems", "csv")
    with (problems / "test.csv").open(newline="", encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == 27
    built = tmp_path / "built.jsonl"
    rows = [{"id": "a", "data": {"x": [1, 2]}}, {"id": "b", "data": None}]
    built.write_text("\n".join(map(json.dumps, rows)))
    with (export(str(built), tmp_path / "b", "csv") / "test.csv").open(newline="") as file:
        assert [row["data"] for row in csv.DictReader(file)] == ['{"x": [1, 2]}', ""]


def test_what_is_refused_loses_nothing(tmp_path):
    mine = tmp_path / "test.csv"
    mine.write_text("mine")
    with pytest.raises(UsageError, match="not empty"):
        export("econlogicqa@ordojo", tmp_path, "csv")
    with pytest.raises(UsageError, match="is a file"):
        export("econlogicqa@ordojo", mine, "csv", force=True)
    with pytest.raises(UsageError, match="there is no dataset"):
        export("econlogicqa@ordjo", tmp_path / "new", "csv")
    with pytest.raises(UsageError, match="holds models"):
        export("or-debug@authors-c16b9eb/hard", tmp_path / "new", "csv")
    with pytest.raises(DataError, match="cannot write"):
        export("econlogicqa@ordojo", mine / "below", "csv")
    assert [path.name for path in tmp_path.iterdir()] == ["test.csv"]
    assert mine.read_text() == "mine"
    export("econlogicqa@ordojo", tmp_path, "csv", force=True)
    assert mine.read_text().startswith("Question")


def test_the_commands(tmp_path):
    found = CliRunner().invoke(command, ["csv", "orqa@ordojo", "-o", str(tmp_path / "o")])
    assert found.stdout.strip() == str(tmp_path / "o")
    listed = json.loads(CliRunner().invoke(list_command, ["--json"]).output)
    assert "dataset" in listed["benchmarks"]["orqa"]["options"]
    assert "published" in listed["benchmarks"]["orqa"]["rules"]
    assert "orqa@ordojo" in listed["datasets"]
    assert "rules: " in CliRunner().invoke(list_command, []).output
