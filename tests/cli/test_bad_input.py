"""Bad input on the command line: one sentence, exit code 2, no traceback, nothing lost."""

import json
from pathlib import Path

import pytest

from tests import command
from tests.command import Done

OURS = ("-T", "dataset=orqa@ordojo")


def ordojo(*words: str, cwd: Path, **environment: str) -> Done:
    return command.ordojo(words, cwd, ORDOJO_CACHE=str(cwd / "cache"), **environment)


def complaint(*words: str, cwd: Path, **environment: str) -> str:
    """The sentence that the command complains with."""
    done = ordojo(*words, cwd=cwd, **environment)
    assert done.returncode == 2, (done.returncode, done.stdout, done.stderr)
    assert "Traceback" not in done.stderr and "Ctrl-C" not in done.both
    lines = [line for line in done.stderr.splitlines() if line.startswith("ordojo: ")]
    assert len(lines) == 1, done.stderr
    assert done.stderr.splitlines()[-1] == lines[0]
    return lines[0]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("eval", "orca", "--model", "ordojo/gold"), "did you mean 'orqa'?"),
        (("eval", "orqa", "--model", "ordojo/golf", *OURS), "ordojo/gold"),
        (
            ("eval", "orqa", "--model", "ordojo/gold", "--limit", "3", "--sample", "3", *OURS),
            "give one of them",
        ),
        (("play", "orqa", "--limit", "3", "--sample", "3", *OURS), "give one of them"),
        (("eval", "orqa", "--model", "nowhere/x", *OURS, "-T", "mode=chat"), "nowhere/x"),
        (("eval", "orqa", "--model", "ordojo/gold", "-T", "dataset=orqa@x"), "orqa@793beee"),
        (("eval", "orqa", "--model", "ordojo/gold", *OURS, "-T", "shot=1"), "did you mean 'shots'"),
        (("eval", "orqa", "--model", "ordojo/gold", *OURS, "-T", "shots=many"), "shots='many'"),
        (("eval", "orqa", "--model", "ordojo/gold", *OURS, "-T", "shots=-1"), "shots='-1'"),
        (("eval", "orqa", "--model", "ordojo/gold", *OURS, "-T", "icl=best"), "icl='best'"),
        (("eval", "orqa", "--model", "ordojo/gold", *OURS, "-T", "prompt"), "KEY=VALUE"),
        (("eval", "orqa", "--model", "ordojo/gold", *OURS, "-T", "x.shots=1"), "'x' is not among"),
        (("eval", "orqa", "--model", "ordojo/replay?path=none.jsonl", *OURS), "none.jsonl"),
        (("eval", "orqa", "--model", "ordojo/gold", *OURS, "-T", "seed=2"), "--seed is the"),
        (("play", "orqa", *OURS, "-T", "limit=2"), "--limit is the command's own"),
        (("explain", "https://nowhere/a.lp"), "there is no file"),
        (("explain", "a.lp", "--weight", "oven"), "--weight oven: give NAME=NUMBER"),
        (("report", "nowhere", "-o", "out"), "not a directory of runs"),
        (("data", "path", "orqa@new"), "orqa@793beee"),
        (("models", "pull", "gpt"), "smollm2"),
        (("play", "nothing"), "there is no benchmark"),
        (("review", "status", "nothing"), "nothing"),
        (("serve", "orqa", "-T", "dataset=nope"), "there is no dataset"),
        (("nonsense",), "there is no command 'ordojo nonsense'; there are explain,"),
        (("--nonsense",), "no such option '--nonsense'; see ordojo --help"),
        (("data", "lst"), "there is no command 'ordojo data lst'; did you mean 'list'?"),
        (("train", "dpo"), "there are curriculum, grpo, prm, sft"),
        (("build", "or-bia"), "there is no benchmark 'or-bia'; did you mean 'or-bias'?"),
        (("eval", "orqa"), "missing option '--model'; see ordojo eval --help"),
        (("eval", "orqa", "--modle", "x"), "no such option '--modle'; did you mean '--model'?"),
        (("whynot", "a.lp"), "missing argument 'STATEMENT'; see ordojo whynot --help"),
        (("eval", "orqa", "--model", "ordojo/gold", "--epochs", "x"), "--epochs x: give a whole"),
        (("explain", "a.lp", "--solver", "cplex"), "--solver 'cplex': give one of highs,"),
        (("paper", "009"), "PAPER '009': give one of 000, 002,"),
        (("paper", "002", "--run", "/dev/null"), "/dev/null: File exists; name another"),
        (("paper", "002", "--run", "/dev/null/x"), "/dev/null/x: Not a directory; name another"),
        (("eval", "orqa", "--model", "ordojo/gold", "--prices", "x"), "--prices x: there is no"),
    ],
    ids=lambda value: " ".join(value)[:50] if isinstance(value, tuple) else "",
)
def test_a_wrong_word_is_one_sentence(tmp_path: Path, words: tuple[str, ...], says: str) -> None:
    assert says in complaint(*words, cwd=tmp_path)
    assert not (tmp_path / "runs").exists()


def test_absent_data_says_how_to_get_them(tmp_path: Path) -> None:
    says = complaint(
        *("eval", "orqa", "--model", "ordojo/gold"), cwd=tmp_path, ORDOJO_DATA=str(tmp_path)
    )
    assert "ordojo data pull orqa@793beee" in says


def test_no_network_on_pull(tmp_path: Path) -> None:
    says = complaint(
        *("data", "pull", "orqa@793beee"),
        cwd=tmp_path,
        ORDOJO_GITHUB_RAW="http://127.0.0.1:9",
        ORDOJO_DATA=str(tmp_path / "empty"),
    )
    assert "network" in says or "connect" in says


ROW = {
    "QUESTION_TYPE": "Q1",
    "CONTEXT": "c",
    "QUESTION": "q",
    "OPTIONS": ["a", "b", "c", "d"],
    "TARGET_ANSWER": 1,
    "REASONING": "r",
}


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (json.dumps(ROW)[:-9], ":2"),
        (json.dumps({**ROW, "TARGET_ANSWER": 4}), ":2"),
        (json.dumps({**ROW, "OPTIONS": ["a", "b"]}), ":2"),
        (json.dumps({k: v for k, v in ROW.items() if k != "CONTEXT"}), "CONTEXT"),
    ],
    ids=["truncated", "bad answer", "two options", "no context"],
)
def test_a_damaged_data_file_is_named_with_its_line(tmp_path: Path, line: str, says: str) -> None:
    (tmp_path / "mine.jsonl").write_text(json.dumps(ROW) + "\n" + line + "\n")
    sentence = complaint(
        *("eval", "orqa", "--model", "ordojo/gold", "-T", "dataset=mine.jsonl"), cwd=tmp_path
    )
    assert says in sentence
    assert "mine.jsonl" in sentence


def test_a_file_with_a_wrong_hash_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "data/orqa"
    folder.mkdir(parents=True)
    (folder / "ORQA_test.jsonl").write_text(json.dumps(ROW) + "\n")
    (folder / "ORQA_validation.jsonl").write_text(json.dumps(ROW) + "\n")
    sentence = complaint(
        *("eval", "orqa", "--model", "ordojo/gold"),
        cwd=tmp_path,
        ORDOJO_DATA=str(tmp_path / "data"),
    )
    assert "ORQA_" in sentence


def test_a_run_of_another_version_is_kept_and_named(tmp_path: Path) -> None:
    assert ordojo("eval", "orqa", "--model", "ordojo/gold", *OURS, cwd=tmp_path).returncode == 0
    (header,) = (tmp_path / "runs").glob("*/run.json")
    header.write_text(json.dumps({**json.loads(header.read_text()), "schema": 99}))
    samples = (header.parent / "samples.jsonl").read_bytes()
    for words in (
        ("report", "runs", "-o", "out"),
        ("eval", "orqa", "--model", "ordojo/gold", *OURS),
    ):
        assert "another version of ordojo" in complaint(*words, cwd=tmp_path)
    assert (header.parent / "samples.jsonl").read_bytes() == samples


def test_runs_cannot_be_written_into_a_file(tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("")
    says = complaint("eval", "orqa", "--model", "ordojo/gold", *OURS, cwd=tmp_path)
    assert "cannot write the run directory" in says
