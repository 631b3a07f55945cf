"""Killed with SIGKILL at random moments and started again, a run asks every question once."""

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from ordojo.core.canonical import digest
from ordojo.evaluate.runs import finished_items, read_runs

ROOT = Path(__file__).parents[2]
KILLS = 2
CONNECTIONS = 4


def start(folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [
            *(sys.executable, "-m", "tests.evaluate.flaky", "eval", "orqa"),
            *("--model", "flaky/steady", "--epochs", "3", "--runs", str(folder / "runs")),
            *("-T", "dataset=orqa@ordojo", "-T", "mode=chat"),
        ],
        cwd=ROOT,
        env={**os.environ, "FLAKY_LOG": str(folder / "asked")},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def finished(folder: Path) -> int:
    return sum(len(finished_items(path)) for path in (folder / "runs").glob("*"))


def test_kill_and_resume(tmp_path: Path) -> None:
    moments = random.Random(5)
    items = 44 * 3
    for _ in range(KILLS):
        before = finished(tmp_path)
        process = start(tmp_path)
        wanted = before + moments.randint(3, 25)
        deadline = time.monotonic() + 60
        while finished(tmp_path) < wanted and process.poll() is None:
            assert time.monotonic() < deadline, "the run makes no progress"
            time.sleep(moments.uniform(0.02, 0.08))
        process.kill()
        process.communicate()
    last = start(tmp_path)
    _, complaints = last.communicate(timeout=120)
    assert last.returncode == 0, complaints.decode()
    (view,) = read_runs([tmp_path / "runs"])
    answered = Counter((record.id, record.epoch) for record in view.records)
    assert len(answered) == items
    assert set(answered.values()) == {1}
    assert view.complete
    lines = (next(iter((tmp_path / "runs").glob("*/samples.jsonl")))).read_bytes().count(b"\n")
    assert lines == items
    # Each epoch asks the same prompt again; beyond that only what was in flight at a kill.
    asked = Counter((tmp_path / "asked").read_text().split())
    prompts = {digest(record.episode.turns[0].messages[0].content) for record in view.records}
    assert set(asked) == prompts
    assert items <= asked.total() <= items + KILLS * CONNECTIONS


def test_ctrl_c_ends_a_run_with_what_it_has(tmp_path: Path) -> None:
    process = start(tmp_path)
    deadline = time.monotonic() + 60
    while finished(tmp_path) < 3 and process.poll() is None:
        assert time.monotonic() < deadline, "the run makes no progress"
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said.decode()
    assert said.decode().rstrip().endswith("stopped")
    assert "Traceback" not in said.decode()
    assert finished(tmp_path) >= 3
