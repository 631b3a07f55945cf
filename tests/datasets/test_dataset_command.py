import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from dataset_toys import Host

from ordojo.cli.data import data
from ordojo.core.errors import DataError, UsageError
from ordojo.datasets.registry import DatasetSpec
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


def test_statistics_describe_a_set_of_problems() -> None:
    (found,) = json.loads(run("statistics", "nl2opt@ordojo", "--json").stdout)
    assert found["items"] >= 24 and found["words"]["count"] == found["items"]
    assert "known errors" in run("statistics").stdout
    assert "nl2opt items are needed" in str(run("statistics", "orqa@ordojo").exception)
