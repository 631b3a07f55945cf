"""`ordojo grade`: figures under rules, JSON, and no answer lost by a kill."""

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from ordojo.benchmarks.nl2opt.policies import stating
from ordojo.cli import cli
from ordojo.core.errors import OrdojoError, UsageError
from ordojo.core.records import SampleRecord
from ordojo.core.spread import Place
from ordojo.evaluation.grade import Grading

GOOD, CLOSE = stating(254.0), stating(255.0)


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
    again = CliRunner().invoke(cli, words(file, "--on", "local"))
    assert "grading answers to nl2opt@ordojo: 2, 2 done before" in again.stderr
    assert "pass@2" in again.stdout and "rule/" not in again.stdout


def test_bad_usage(tmp_path: Path) -> None:
    file = stored(tmp_path / "answers.jsonl", GOOD)
    for more, message in (
        (["--rule", "guess"], "there is no rule 'guess'"),
        (["-T", "dataset=x"], "--dataset is the command's own"),
        (["-T", "solvr=x"], "has no option 'solvr'"),
    ):
        done = CliRunner().invoke(cli, words(file, *more))
        assert isinstance(done.exception, UsageError) and message in str(done.exception)
    absent = ["grade", str(file), "--dataset", "nl2opt@none"]
    assert isinstance(CliRunner().invoke(cli, absent).exception, OrdojoError)


def test_unsafe_is_said(tmp_path: Path) -> None:
    file = stored(tmp_path / "answers.jsonl", GOOD)
    done = CliRunner().invoke(cli, words(file, "-T", "isolation=unsafe", "--on", "local"))
    assert done.exit_code == 0 and "UNSAFE" in done.stderr


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_killed_and_resumed_without_loss(tmp_path: Path, number: signal.Signals) -> None:
    program = '```python\nimport time\ntime.sleep(0.05)\nprint("optimal_value = 254")\n```'
    file = stored(tmp_path / "answers.jsonl", *[program] * 30)
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
    assert 5 <= count < 30
    done = CliRunner().invoke(cli, words(file, "--json", "--on", "local"))
    assert done.exit_code == 0
    rows = [json.loads(line) for line in kept.read_text("utf-8").splitlines()]
    assert sorted(row["epoch"] for row in rows) == list(range(1, 31))
    whole = before[: before.rfind(b"\n") + 1].splitlines()
    assert set(whole) <= set(kept.read_bytes().splitlines())  # as they were, in the items' order


def samples(folder: Path) -> list[Path]:
    return list((folder / "runs").glob("*/samples.jsonl"))


def test_an_answer_that_kills_twice_is_set_aside(tmp_path: Path) -> None:
    """The first death may be the machine's fault; after the second the others are graded."""
    slow = '```python\nimport time\ntime.sleep(2)\nprint("optimal_value = 254")\n```'
    file = stored(tmp_path / "answers.jsonl", GOOD, slow, GOOD)
    grading = Grading("nl2opt", file, {"dataset": "nl2opt@ordojo"}, tmp_path / "runs")
    killed: list[int] = []

    def kill_twice() -> None:
        while len(killed) < 2:
            for process in multiprocessing.active_children():
                if process.pid not in killed:
                    os.kill(process.pid or 0, signal.SIGKILL)
                    killed.append(process.pid or 0)
            time.sleep(0.02)

    killer = threading.Thread(target=kill_twice)

    def heard(record: SampleRecord) -> None:
        if record.epoch == 1:
            killer.start()

    view = grading.run(Place("processes", 1), on_record=heard)
    killer.join()
    assert sorted(record.epoch for record in view.records) == [1, 3]
    (aside,) = view.errors
    assert aside.epoch == 2 and "2 workers died over item 2 of 3 (exit code -9)" in aside.error
    done = CliRunner().invoke(cli, words(file, "--on", "local"))
    assert (
        done.exit_code == 0 and "nl2opt@ordojo: 3, 2 done before" in done.stderr
    )  # asked again, and it lives


def test_numbers_that_a_solver_refuses_stop_nothing(tmp_path: Path) -> None:
    program = (
        "```python\nimport gurobipy as gp\nfrom gurobipy import GRB\nm = gp.Model()\n"
        "x, y = m.addVar(), m.addVar()\nm.addConstr(1e300*x + y <= 5)\n"
        "m.setObjective(x + y, GRB.MAXIMIZE)\nm.optimize()\nprint(m.Status)\n```"
    )
    file = stored(tmp_path / "answers.jsonl", program, GOOD)
    done = CliRunner().invoke(cli, words(file, "--json", "--on", "local"))
    assert done.exit_code == 0, done.output
    (kept,) = samples(tmp_path)
    rows = {row["epoch"]: row for row in map(json.loads, kept.read_text("utf-8").splitlines())}
    (solve,) = rows[1]["turns"][-1]["info"]["solves"]
    assert solve["ending"] == "numeric" and "refuses the model" in solve["detail"]
    assert rows[1]["turns"][-1]["info"]["execution"]["stdout"].split()[-1] == "12"
    assert [rows[k]["verdicts"]["strict-1e-6"]["score"] for k in (1, 2)] == [0.0, 1.0]
