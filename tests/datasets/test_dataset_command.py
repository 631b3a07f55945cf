import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from dataset_toys import Host
from nl2opt_toys import toy_set, write
from tests.benchmarks.nl2opt.test_folder import export

from ordojo.cli.data import data
from ordojo.core.errors import DataError, UsageError
from ordojo.datasets.registry import DATASETS, DatasetSpec
from ordojo.datasets.store import cache_folder


def run(*words: str) -> Result:
    return CliRunner().invoke(data, words, catch_exceptions=True, env={"COLUMNS": "200"})


def test_list() -> None:
    table = run("list").stdout
    assert "orqa@793beee" in table and "test 1468, validation 45" in table
    entries = {entry["id"]: entry for entry in json.loads(run("list", "--json").stdout)}
    assert entries["orqa@793beee"]["source"]["revision"].startswith("793beee")
    assert entries["econlogicqa@hf"]["licence"] == "CC BY-NC-SA 4.0"
    assert Path(entries["orqa@ordojo"]["folder"]).is_dir()


def test_pull_then_path_then_verify_then_audit(toy: DatasetSpec, host: Host) -> None:
    pulled = run("pull", "toy@1")
    assert pulled.exit_code == 0
    assert pulled.stdout.strip() == run("path", "toy@1").stdout.strip() == str(cache_folder(toy))
    assert set(json.loads(run("path", "toy@1", "--json").stdout)["files"]) == {"test", "validation"}
    assert json.loads(run("verify", "toy@1", "--json").stdout)["ok"]
    assert json.loads(run("audit", "toy@1", "--json").stdout)["splits"]["test"]["rows"] == 400
    assert "answers: A" in run("audit", "toy@1").stdout


def test_a_failed_pull_draws_nothing(toy: DatasetSpec, host: Host) -> None:
    host.pages = {}
    result = run("pull", "toy@1")
    assert isinstance(result.exception, DataError)
    assert result.stdout == "" and result.stderr == "pulling toy@1\n"


def test_a_failed_check_exits_with_one(toy: DatasetSpec, host: Host) -> None:
    run("pull", "toy@1")
    with (cache_folder(toy) / "dev.jsonl").open("a") as file:
        file.write("\n")
    result = run("verify", "toy@1")
    assert result.exit_code == 1
    assert "FAILED" in result.stdout


@pytest.mark.parametrize("command", ["pull", "path", "verify", "audit"])
def test_unknown_ids_are_left_to_the_command_above(command: str) -> None:
    assert isinstance(run(command, "nothing@1").exception, UsageError)


def test_statistics_without_ids_are_of_all_problems_that_are_here(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for key in ("toys@here", "toys@away"):
        monkeypatch.setitem(DATASETS, key, toy_set(key, "questions", f"{key[5:]}.json", 1))
    question = {"id": "a", "en_question": "How many loaves?", "en_answer": "57"}
    write(home / "data/toys/here.json", [question])
    monkeypatch.setenv("ORDOJO_DATA", str(home / "data"))
    found = json.loads(run("statistics", "--json").stdout)
    assert [one["id"] for one in found] == ["nl2opt@ordojo", "toys@here"]
    assert "known errors" in run("statistics").stdout


def test_statistics_describe_a_set_of_problems() -> None:
    (found,) = json.loads(run("statistics", "nl2opt@ordojo", "--json").stdout)
    assert found["items"] >= 24 and found["words"]["count"] == found["items"]
    (read,) = json.loads(run("statistics", "nl2opt@ordojo", "--sizes", "--json").stdout)
    assert read["sizes"]["count"] == 27 and found["sizes"]["count"] == 0
    assert "orqa does not describe its items" in str(run("statistics", "orqa@ordojo").exception)
    assert "there is no dataset 'nowhere'" in str(run("statistics", "nowhere").exception)


def test_sizes_are_drawn_by_dataset_and_by_scale(tmp_path: Path) -> None:
    pytest.importorskip("fpdf", reason="needs the extra `figures`")
    export(tmp_path / "own", "sack")
    summary, record = (tmp_path / "own/sack" / f for f in ("logs/summary.json", "instance.json"))
    summary.write_text('{"compression": 2.5}')
    size = '"metadata": {"size": {"variables": 3, "constraints": 1}}'
    record.write_text(record.read_text().replace('"metadata": {}', size))
    own, charts = f"folder:{tmp_path / 'own'}", tmp_path / "charts"
    done = run("statistics", "nl2opt@ordojo", own, "--figures", str(charts), "--json")
    shipped, mine = json.loads(done.stdout)
    assert sum(map(len, shipped["sized"].values())) == shipped["sizes"]["count"] == 27
    assert mine["sized"]["<500"] == [4] and mine["compressed"]["<500"] == [2.5]
    drawn = {path.name[:10] for path in charts.glob("*.svg")}
    assert drawn == {"01-Sizes-b", "02-Sizes-b", "03-Compres"}
    assert len([*charts.glob("*.pdf")]) == 3
    first = (charts / "01-Sizes-by-dataset.svg").read_bytes()
    assert b"ordojo data statistics nl2opt@ordojo" in first
    run("statistics", "nl2opt@ordojo", own, "--figures", str(charts))
    assert (charts / "01-Sizes-by-dataset.svg").read_bytes() == first
    (charts / "mine.txt").touch()
    assert "mine.txt" in str(run("statistics", own, "--figures", str(charts)).exception)
    record.write_text(record.read_text().replace(size, '"metadata": {}'))
    unknown = run("statistics", own, "--figures", str(tmp_path / "none"))
    assert isinstance(unknown.exception, UsageError) and not (tmp_path / "none").exists()
