"""A secret among a model's arguments is used, not kept, not shown, and no part of a run's name."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ordojo.cli import cli
from ordojo.core.secrets import is_secret, without_secrets
from ordojo.evaluation.runs import read_run
from tests.conformance.doors import endpoint

SECRET = "s3cr3t-314159"
WORDS = ["eval", "orqa", "-T", "dataset=orqa@ordojo", "-T", "mode=chat", "--limit", "2"]


def run(*words: str) -> str:
    done = CliRunner().invoke(cli, words)
    assert done.exit_code == 0, (done.output, done.exception)
    return done.output


def kept(folder: Path) -> bytes:
    """All bytes below a folder, those of packed logs unpacked."""
    found = []
    for path in sorted(folder.rglob("*")):
        found.append(str(path).encode())
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as packed:
                found += [packed.read(name) for name in packed.namelist()]
        elif path.is_file():
            found.append(path.read_bytes())
    return b"\n".join(found)


def test_a_key_is_used_and_leaves_no_trace(tmp_path: Path) -> None:
    runs, site = tmp_path / "runs", tmp_path / "site"
    with endpoint(lambda turns: ("A", "stop")) as url:
        words = [*WORDS, "--model", "openai-api/door/m", "--model-base-url", url]
        words += ["--runs", str(runs)]
        out = run(*words, "-M", f"api_key={SECRET}", "--dry-run", "--json")
        out += run(*words, "-M", f"api_key={SECRET}")
        out += run(*words, "-M", "api_key=another")  # the same run, which is finished
    assert len(list(runs.iterdir())) == 1
    out += run("report", str(runs), "-o", str(site))
    assert SECRET not in out and b"another" not in kept(runs)
    assert SECRET.encode() not in kept(runs) + kept(site)


@pytest.mark.parametrize("given", ["argument", "environment"])
def test_a_key_that_the_provider_quotes_leaves_no_trace(
    tmp_path: Path, given: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = ["-M", f"api_key={SECRET}"]
    if given == "environment":
        monkeypatch.setenv("DOOR_API_KEY", key.pop().partition("=")[2])
        key.pop()
    asked: list[object] = []
    with endpoint(lambda turns: asked.append(0) or ("A", "stop") if not asked else None) as url:
        words = [*WORDS, "--model", "openai-api/door/m", "--model-base-url", url, *key]
        done = CliRunner().invoke(cli, [*words, "--runs", str(tmp_path / "runs")])
    assert done.exit_code == 1 and "1 sample could not be asked" in done.output, done
    (file,) = tmp_path.glob("runs/*/errors.jsonl")
    assert "HTTP 400: no, with" in file.read_text() and "[secret]" in file.read_text()
    run("report", str(tmp_path / "runs"), "-o", str(tmp_path / "site"))
    assert SECRET not in done.output and SECRET.encode() not in kept(tmp_path)


@pytest.mark.parametrize(
    "word",
    [
        *("api_key", "apikey", "openai_api_key", "x-api-key", "apiKey", "key", "token", "hf_token"),
        *("auth_token", "password", "authorization", "Authorization", "aws_secret_access_key"),
        *("aws_access_key_id", "aws_session_token", "client_secret", "default_headers", "cookie"),
        *("bearer", "credentials", "private_key", "passwd"),
    ],
)
def test_what_a_run_is_called_does_not_hang_on_a_secret(tmp_path: Path, word: str) -> None:
    words = [*WORDS, "--model", "ordojo/gold", "--runs", str(tmp_path)]
    out = run(*words) + run(*words, "-M", f"{word}={SECRET}")
    (folder,) = tmp_path.iterdir()
    assert SECRET not in out and SECRET.encode() not in kept(tmp_path)
    assert "model_args" not in read_run(folder).header.generation


def test_other_arguments_tell_runs_apart(tmp_path: Path) -> None:
    words = [*WORDS, "--model", "ordojo/gold", "--runs", str(tmp_path)]
    others = ["tokenizer", "max_tokens", "token_limit", "eos_token", "keyword", "monkey", "author"]
    for name in others:
        assert not is_secret(name)
        run(*words, "-M", f"{name}=1")
    assert len(list(tmp_path.iterdir())) == len(others)


@pytest.mark.parametrize(
    ("given", "left"),
    [
        ({"a": {"api_key": SECRET, "b": 1}}, {"a": {"b": 1}}),
        ([{"token": SECRET}, 2], [{}, 2]),
        (json.dumps({"extra": {"Authorization": SECRET}, "n": 1}), '{"extra": {}, "n": 1}'),
        (f"{{'Authorization': '{SECRET}'}}", ""),
        (f"https://me:{SECRET}@host/v1", "https://host/v1"),
        ("[INST]", "[INST]"),
        (None, None),
    ],
)
def test_secrets_at_any_depth(given: Any, left: Any) -> None:
    assert without_secrets(given) == left


def test_a_header_that_holds_a_secret_is_shown_without(tmp_path: Path) -> None:
    run(*WORDS, "--model", "ordojo/gold", "--runs", str(tmp_path))
    (file,) = tmp_path.glob("*/run.json")
    row = json.loads(file.read_text())
    row["generation"] = {"model_args": {"api_key": SECRET, "threads": "1"}}
    file.write_text(json.dumps(row))
    assert read_run(file.parent).header.generation == {"model_args": {"threads": "1"}}
