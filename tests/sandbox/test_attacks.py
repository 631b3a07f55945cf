"""At least 60 hostile programs, each under every isolation: contained, and nothing is left."""

import dataclasses
import os
import time
from collections.abc import Callable

import pytest

from ordojo.sandbox import Sandbox
from tests.sandbox.attacks import NETWORK, PRELUDE, READING, WRITING, Attack
from tests.sandbox.attacks_more import LIMITS, PROCESSES, WORKER
from tests.sandbox.conftest import SMALL, World, docker_answers, open_sandbox, processes_of

ATTACKS = [*READING, *WRITING, *NETWORK, *PROCESSES, *LIMITS, *WORKER]

SLOW = ("burn the processor past SIGXCPU", "install a package")  # the same under either
CASES = [("auto", attack) for attack in ATTACKS]
CASES += [("landlock", attack) for attack in ATTACKS if attack.name not in SLOW]
# An old kernel differs in signals and processes only.
CASES += [("old kernel", attack) for attack in PROCESSES if attack.wall >= 20 == attack.cpu]
if docker_answers():
    CASES += [("docker", attack) for attack in ATTACKS if attack.name not in SLOW]
    CASES += [
        ("docker without landlock", attack)
        for attack in [*READING, *WRITING, *PROCESSES]
        # A container shows its own /proc, and the empty folders in which something is mounted.
        if attack.name not in ("read accounts and keys", "read other processes' memory")
    ]


def test_there_are_enough() -> None:
    assert len(ATTACKS) >= 60
    assert len({attack.name for attack in ATTACKS}) == len(ATTACKS)


@pytest.mark.parametrize(
    ("isolation", "attack"),
    CASES,
    ids=[f"{isolation}: {attack.name}".replace(" ", "-") for isolation, attack in CASES],
)
def test_contained(
    isolation: str, attack: Attack, walled: Callable[[str], Sandbox], world: World
) -> None:
    sandbox = walled(isolation)
    if sandbox.isolation.startswith("bwrap") and attack.name == "many small files":
        pytest.skip("bubblewrap bounds the bytes of a file system, not the number of its files")
    limits = dataclasses.replace(
        SMALL, wall=attack.wall, cpu=attack.cpu, memory=attack.memory_mb << 20
    )
    worker, before = sandbox._worker, processes_of(sandbox)
    done = sandbox.run(prelude(world) + attack.source, limits=limits)
    assert done.outcome in attack.outcomes, done
    assert "breach" not in done.stdout, done.stdout
    assert done.stdout.count("refused") >= attack.refused, done
    assert attack.prints in done.stdout, done
    assert "271828" not in done.stdout + done.stderr
    if attack.signal is not None:
        assert done.signal == attack.signal, done
    assert done.wall < attack.wall + 5
    assert len(done.stdout) + len(done.stderr) <= limits.output
    assert world.untouched()
    assert world.unheard()
    after = sandbox.run(
        "import numpy, os, json\nprint(numpy.arange(4).sum(), sum([1, 2]), os.listdir())"
    )
    assert (after.outcome, after.stdout) == ("finished", "6 3 ['program.py']\n"), after
    assert sandbox._worker is worker, "the worker did not survive"
    assert gone(sandbox, before), "something is left running"


def gone(sandbox: Sandbox, before: set[int]) -> bool:
    """Whether only the worker's own processes run (a killed one may take a moment to vanish)."""
    for _ in range(50):
        if processes_of(sandbox) <= before:
            return True
        time.sleep(0.02)
    return False


def prelude(world: World) -> str:
    values = {"GOLD": world.gold, "FOLDER": world.folder, "PORT": world.port, "HOST": os.getpid()}
    lines = [
        f"{name} = {value if isinstance(value, int) else str(value)!r}"
        for name, value in values.items()
    ]
    return "\n".join([*lines, PRELUDE])


def test_the_attacks_are_real(world: World) -> None:
    """Without walls the same reading, listening and writing works: the tests can fail."""
    with open_sandbox("unsafe", preload=()) as sandbox:
        before = processes_of(sandbox)
        source = "attempt(lambda: text(GOLD))\nattempt(lambda: __import__('socket').socket())\n"
        source += "attempt(lambda: open(FOLDER + '/x', 'w').close() or os.unlink(FOLDER + '/x'))"
        done = sandbox.run(prelude(world) + source)
        assert done.isolation == "unsafe"
        assert done.stdout.count("breach") == 3, done
        stay = "import subprocess\nsubprocess.Popen(['sleep', '31415.9'], start_new_session=True)"
        assert sandbox.run(stay).ok
        assert gone(sandbox, before)
