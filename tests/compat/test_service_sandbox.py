"""The service behind a real sandbox: the program sees results, and nothing of the gold."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ordojo.compat.service import Service
from ordojo.core.errors import SandboxError
from ordojo.sandbox import ProgramOutcome, Sandbox

ROOT = Path(__file__).parents[2]
MODEL = """
import numpy as np
from ordojo.compat import transport
from ordojo.solvers.problem import (CallbackReply, Problem)
from ordojo.milp.model import Model
inf = float("inf")
model = Model("bag", True, np.array([8.0, 11, 6, 4]), 0.0, ("a", "b", "c", "d"), np.zeros(4),
              np.ones(4), np.full(4, 2, np.uint8), ("room",), np.array([-inf]), np.array([14.0]),
              np.array([0, 4], np.int32), np.arange(4, dtype=np.int32), np.array([5.0, 7, 4, 3]))
problem = Problem(model)
"""


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    try:
        found = Sandbox(preload=("ordojo.compat.transport",))
    except SandboxError as error:
        pytest.skip(str(error))
    with found:
        yield found


def test_a_program_solves_outside(sandbox: Sandbox) -> None:
    with Service() as service:
        done = sandbox.run(
            f"{MODEL}\nprint(transport.solve(problem).objective)", handler=service.handle
        )
    assert done.outcome == ProgramOutcome.FINISHED, done.stderr
    assert float(done.stdout) == pytest.approx(21.0)
    assert service.records[0].objective == pytest.approx(21.0)


def test_a_callback_works_across_the_wall(sandbox: Sandbox) -> None:
    program = f"""{MODEL}
seen = []
def callback(event):
    seen.append(event.where)
    return CallbackReply()
print(transport.solve(problem, callback).status, "mipsol" in seen)
"""
    with Service() as service:
        done = sandbox.run(program, handler=service.handle)
    assert done.stdout.split() == ["OPTIMAL", "True"], done.stderr


def test_a_program_that_sends_rubbish_hurts_nobody(sandbox: Sandbox) -> None:
    program = """
from ordojo.sandbox import channel
for data in (b"", b"ODJ1" + b"x" * 1000, b"\\x00" * 100000):
    assert b"refused" in channel.call(data)
"""
    with Service() as service:
        assert sandbox.run(program, handler=service.handle).outcome == ProgramOutcome.FINISHED
        done = sandbox.run(f"{MODEL}\ntransport.solve(problem)", handler=service.handle)
    assert done.outcome == ProgramOutcome.FINISHED and len(service.records) == 1


ORPHAN = """
import subprocess, os, threading, time
from ordojo.compat.service import Service
from tests.compat.hard_models import hard
threading.Thread(target=lambda: Service().solve(hard("selection", 0, 1.3))).start()
while not (found := subprocess.run(["pgrep", "-P", str(os.getpid()), "-f", "service.worker"],
                                   capture_output=True, text=True).stdout.split()):
    time.sleep(0.1)
time.sleep(1.5)
print(found[0], flush=True)
time.sleep(60)
"""


@pytest.mark.skipif(not Path("/proc").exists(), reason="needs /proc")
def test_a_solver_does_not_outlive_its_parent() -> None:
    command = [sys.executable, "-c", ORPHAN]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        assert _running(worker)
        parent.kill()
        parent.wait()
    deadline = time.monotonic() + 10
    while _running(worker) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _running(worker)


def _running(process: int) -> bool:
    try:
        os.kill(process, 0)
        state = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"
