"""`ordojo build orqa`: the file, its verification, and the two readers."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ordojo.benchmarks.orqa.schema import QUESTION_TYPES
from ordojo.cli import cli
from ordojo.core.errors import DataError, UsageError
from ordojo.review import ReviewQueue


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [str(one) for one in arguments], catch_exceptions=False)


def decide(queue: Path, reader: str, kinds: list[str]) -> None:
    with ReviewQueue.open(queue, write=True) as opened:
        for item, kind in zip(opened.items, kinds, strict=True):
            reason = "ambiguous question or options" if kind == "reject" else ""
            if kind:
                opened.decide(item.id, kind, reader, reason=reason)  # type: ignore[arg-type]


def test_a_file_is_built_and_verified_and_the_same_again(tmp_path: Path) -> None:
    out, again = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    done = run("build", "orqa", "--n", 12, "--seed", 4, "-o", out)
    assert "12 questions on 2 contexts" in done.output
    run("build", "orqa", "--n", 12, "--seed", 4, "-o", again)
    assert out.read_bytes() == again.read_bytes()
    assert "12 of 12 certificates hold (12 of orqa)" in run("verify", out).output
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    rows[2]["TARGET_ANSWER"] = (rows[2]["TARGET_ANSWER"] + 1) % 4
    out.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    failed = run("verify", out)
    assert failed.exit_code == 1 and "test-s4-0002" in failed.output


def test_what_guessers_reach_is_told_in_json(tmp_path: Path) -> None:
    done = run("build", "orqa", "--n", 44, "--seed", 4, "-o", tmp_path / "one.jsonl", "--json")
    told = json.loads(done.stdout)
    assert told["contexts"] == 4 and told["letters"] == dict.fromkeys("ABCD", 11)
    found = told["guessers"]["bag of words"]
    assert 0 <= found["score"]["value"] <= 1 and set(found["by"]) <= {*QUESTION_TYPES}


def test_two_readers_have_to_accept(tmp_path: Path) -> None:
    out, queue = tmp_path / "out.jsonl", tmp_path / "queue"
    build = ("build", "orqa", "--n", 4, "--seed", 4, "-o", out, "--review", queue)
    assert "4 waiting" in run(*build).output and not out.exists()
    decide(queue, "ada", ["accept", "accept", "accept", "reject"])
    assert "0 accepted by two readers, 1 rejected, 3 waiting" in run(*build).output
    decide(queue, "model:judge", ["accept"] * 4)
    decide(queue, "bob", ["accept", "reject", "", "accept"])
    assert "1 accepted by two readers, 2 rejected, 1 waiting" in run(*build).output
    (row,) = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert row["id"] == "test-s4-0000"
    assert "1 of 1 certificates hold" in run("verify", out).output


def test_what_cannot_be_built_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"ending in \.jsonl"):
        run("build", "orqa", "--n", 4, "-o", tmp_path / "out")
    out, queue = tmp_path / "out.jsonl", tmp_path / "queue"
    run("build", "orqa", "--n", 2, "-o", out, "--review", queue)
    with pytest.raises(DataError, match="other questions"):
        run("build", "orqa", "--n", 3, "-o", out, "--review", queue)
