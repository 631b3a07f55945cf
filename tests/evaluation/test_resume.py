"""Killed with SIGKILL at random moments and started again, a run asks every question once."""

import os
import random
import signal
import time
from collections import Counter
from pathlib import Path
from typing import Any

from ordojo.core.canonical import digest
from ordojo.evaluation.runs import finished_items, read_runs

from .flaky import started

WORDS = "eval orqa --model flaky/steady -T dataset=orqa@ordojo -T mode=chat"
KILLS = 2
CONNECTIONS = 4


def start(folder: Path) -> Any:
    log = {"FLAKY_LOG": str(folder / "asked")}
    return started(
        [*WORDS.split(), "--epochs", "3", "--runs", str(folder / "runs")], folder / "errors", log
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
        while finished(tmp_path) < wanted and process.is_alive():
            assert time.monotonic() < deadline, "the run makes no progress"
            time.sleep(moments.uniform(0.02, 0.08))
        process.kill()
        process.join()
    last = start(tmp_path)
    last.join(120)
    assert last.exitcode == 0, (tmp_path / "errors").read_text()
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
    while finished(tmp_path) < 3 and process.is_alive():
        assert time.monotonic() < deadline, "the run makes no progress"
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGINT)
    process.join(60)
    said = (tmp_path / "errors").read_text()
    assert process.exitcode == 130, said
    assert said.rstrip().endswith("stopped")
    assert "Traceback" not in said
    assert finished(tmp_path) >= 3


def test_what_inspect_cannot_write_is_one_sentence_and_nothing_is_lost(tmp_path: Path) -> None:
    command = [*WORDS.split(), "--limit", "2", "--runs", str(tmp_path)]
    # Not in the checkout: Inspect asks git, which at the limit would leave a lock on its index.
    full = started(command, tmp_path / "full", {}, 16 * 1024)
    full.join()
    assert full.exitcode == 2 and "Traceback" not in (tmp_path / "full").read_text()
    kept = [row for f in tmp_path.glob("*/samples.jsonl") for row in f.read_text().splitlines()]
    whole = started(command, tmp_path / "whole", {})
    whole.join()
    assert f"{2 - len(kept)} of 2 samples to ask" in (tmp_path / "whole").read_text()
    assert whole.exitcode == 0
