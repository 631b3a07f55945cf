"""`ordojo grade`: figures under rules, JSON, and no answer lost by a kill."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from ordojo.cli import cli
from ordojo.core.errors import OrdojoError, UsageError

GOOD = '```python\nprint("optimal_value = 254")\n```'
CLOSE = '```python\nprint("optimal_value = 255")\n```'


def stored(path: Path, *texts: str) -> Path:
    rows = [
        {"id": "bakery-mix", "epoch": epoch, "completion": text}
        for epoch, text in enumerate(texts, 1)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def words(file: Path, *more: str) -> list[str]:
    runs = str(file.parent / "runs")
    return ["grade", str(file), "--dataset", "nl2opt@ordojo", "--runs", runs, *more]


def test_figures_under_the_rules_asked(tmp_path: Path) -> None:
    file = stored(tmp_path / "answers.jsonl", GOOD, CLOSE)
    rules = ["--rule", "strict-1e-6", "--rule", "orlm-5pct"]
    done = CliRunner().invoke(cli, words(file, *rules, "--json", "--processes", "1"))
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    scores = {rule: figures["pass@1"]["value"] for rule, figures in found["rules"].items()}
    assert scores == {"strict-1e-6": 0.5, "orlm-5pct": 1.0}
    assert found["finished"] == 2 and found["model"] == "responses/answers"
    again = CliRunner().invoke(cli, words(file))
    assert "2 answers to nl2opt@ordojo, 2 graded before" in again.stderr
    assert "pass@2" in again.stdout and "rule/" not in again.stdout


def test_bad_usage(tmp_path: Path) -> None:
    file = stored(tmp_path / "answers.jsonl", GOOD)
    for more, message in (
        (["--rule", "guess"], "there is no rule 'guess'"),
        (["-T", "dataset=x"], "give the dataset by --dataset"),
        (["-T", "solvr=x"], "has no option 'solvr'"),
    ):
        done = CliRunner().invoke(cli, words(file, *more))
        assert isinstance(done.exception, UsageError) and message in str(done.exception)
    absent = ["grade", str(file), "--dataset", "nl2opt@none"]
    assert isinstance(CliRunner().invoke(cli, absent).exception, OrdojoError)


def test_unsafe_is_said(tmp_path: Path) -> None:
    file = stored(tmp_path / "answers.jsonl", GOOD)
    done = CliRunner().invoke(cli, words(file, "-T", "isolation=unsafe"))
    assert done.exit_code == 0 and "UNSAFE" in done.stderr


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_killed_and_resumed_without_loss(tmp_path: Path, number: signal.Signals) -> None:
    program = '```python\nimport time\ntime.sleep(0.05)\nprint("optimal_value = 254")\n```'
    file = stored(tmp_path / "answers.jsonl", *[program] * 60)
    # A background job inherits an ignored SIGINT.
    heard = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    start = f"{heard}; from ordojo.cli import main; main()"
    command = [sys.executable, "-c", start, *words(file)]
    process = subprocess.Popen(
        command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True
    )
    deadline = time.monotonic() + 60
    while sum(len(p.read_bytes().splitlines()) for p in samples(tmp_path)) < 5:
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.02)
    os.kill(process.pid, number)
    process.wait(30)
    (kept,) = samples(tmp_path)
    before = kept.read_bytes()
    count = len(before.rpartition(b"\n")[0].splitlines())
    assert 5 <= count < 60
    done = CliRunner().invoke(cli, words(file, "--json"))
    assert done.exit_code == 0
    rows = [json.loads(line) for line in kept.read_text("utf-8").splitlines()]
    assert sorted(row["epoch"] for row in rows) == list(range(1, 61))
    assert kept.read_bytes().startswith(before[: before.rfind(b"\n") + 1])


def samples(folder: Path) -> list[Path]:
    return list((folder / "runs").glob("*/samples.jsonl"))
