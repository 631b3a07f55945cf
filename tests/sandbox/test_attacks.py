"""Hostile programs under every set of barriers: contained, charged, told nothing, and gone."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import ordojo
from ordojo.sandbox import Sandbox, landlock
from tests.sandbox.attacks import Attack
from tests.sandbox.conftest import docker_answers, open_sandbox
from tests.sandbox.contain import GROUPS, SLOW, World, faults, gone, prelude, processes_of

ATTACKS = [attack for group in GROUPS.values() for attack in group]

SHELLS = ("read accounts and keys", "read other processes' memory")
"""Without Landlock the folders can be listed in which something is mounted, else empty."""

CASES = [("auto", attack) for attack in ATTACKS]
# Their folders are on the disk, where some file systems take milliseconds to remove one.
FOLDERS = ("folders bomb", "links bomb")
CASES += [("landlock", attack) for attack in ATTACKS if attack.name not in FOLDERS]
# What is weaker differs in a part of the barriers, and is tried in what these guard.
CASES += [("no group", attack) for attack in GROUPS["budgets"]]
CASES += [
    ("old kernel", attack)
    for attack in [*GROUPS["processes"], *GROUPS["outside"]]
    if attack.wall >= 20 == attack.cpu
]
CASES += [("oldest kernel", attack) for attack in [*GROUPS["writing"], *GROUPS["outside"]]]
CASES += [
    ("userns without landlock", attack)
    for attack in [*GROUPS["reading"], *GROUPS["writing"], *GROUPS["outside"]]
    if attack.name not in SHELLS
]
CASES = [case for case in CASES if case[0] == "auto" or case[1].name not in SLOW]
if docker_answers():
    CASES += [("docker", attack) for attack in ATTACKS if attack.name not in SLOW]
    CASES += [
        ("docker without landlock", attack)
        for attack in [*GROUPS["reading"], *GROUPS["writing"], *GROUPS["processes"]]
        if attack.name not in (*SHELLS, *SLOW)
    ]


def test_there_are_enough() -> None:
    assert len(ATTACKS) >= 60 + 45
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
    assert not (found := faults(sandbox, attack, world)), "\n".join(found)


_AS_ROOT = [(["docker"], ["outside", "next"])]
_AS_NOBODY = [
    ([], ["outside", "processes"]),
    (["docker"], ["reading", "budgets"]),
    (["docker", "landlock=2"], ["outside", "writing"]),
]
"""Conditions, and the groups of attacks that are tried under them."""


@pytest.fixture(scope="module")
def readable() -> Iterator[Path]:
    """Our rooms and these tests where every user can read them."""
    shared = Path("/var/tmp" if os.access("/var/tmp", os.W_OK) else "/tmp")
    folder = shared / f"ordojo-attacks-{os.getpid()}"
    source = Path(ordojo.__file__).parent
    try:
        for room in ("core", "sandbox"):
            shutil.copytree(source / room, folder / "ordojo" / room)
        shutil.copy(source / "__init__.py", folder / "ordojo")
        (folder / "tests" / "sandbox").mkdir(parents=True)
        for name in ("contain", "attacks", "attacks_more", "attacks_budgets"):
            shutil.copy(Path(__file__).with_name(f"{name}.py"), folder / "tests" / "sandbox")
        folder.chmod(0o755)
        yield folder
    finally:
        shutil.rmtree(folder)


def _run(python: str, folder: Path, conditions: list[str], groups: list[str], user: int) -> str:
    """What `contain` says, as `user`; an AssertionError with its traceback where it breaks."""
    done = subprocess.run(
        [python, "-B", "-m", "tests.sandbox.contain", *conditions, "--", *groups],
        env={
            "PATH": "/usr/bin:/bin",
            "PYTHONPATH": str(folder),
            "ORDOJO_TEST_SECRET": "secret-314159",
        },
        cwd=folder,
        user=user,
        group=user,
        extra_groups=[] if os.geteuid() == 0 else None,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes another user")
def test_other_users_and_containers(readable: Path) -> None:
    """By an interpreter that every user can read, and in what Docker puts around root and them."""
    candidates = [sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"]
    nobody = [p for p in candidates if _starts(p)]
    runs = [(sys.executable, *what, 0) for what in _AS_ROOT]
    runs += [(nobody[0], *what, 65534) for what in _AS_NOBODY if nobody]
    with ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(_run, python, readable, *what) for python, *what in runs]
        said = [[json.loads(line) for line in job.result().splitlines()] for job in jobs]
    wrong = [
        f"{run[1:]}: {fault}" for run, lines in zip(runs, said, strict=True) for fault in lines[:-1]
    ]
    assert not wrong, "\n".join(wrong)
    barriers = [lines[-1][1] for lines in said]
    if landlock.abi():
        assert barriers[0].startswith("landlock+seccomp"), barriers
    if not nobody:
        pytest.skip("no other user can run an interpreter here: tried as root alone")


def _starts(python: str) -> bool:
    check = [python, "-c", "import sys; assert sys.version_info >= (3, 11)"]
    try:
        return (
            subprocess.run(
                check, user=65534, group=65534, extra_groups=[], cwd="/", capture_output=True
            ).returncode
            == 0
        )
    except OSError:
        return False


def test_the_attacks_are_real(world: World) -> None:
    """Without barriers the same reading, listening and writing works: the tests can fail."""
    with open_sandbox("unsafe", preload=()) as sandbox:
        worker = sandbox._worker
        assert worker is not None
        before = processes_of(worker.folder)
        source = "attempt(lambda: text(GOLD))\nattempt(lambda: __import__('socket').socket())\n"
        source += "attempt(lambda: open(FOLDER + '/x', 'w').close() or os.unlink(FOLDER + '/x'))"
        done = sandbox.run(prelude(world) + source)
        assert done.isolation == "unsafe"
        assert done.stdout.count("breach") == 3, done
        stay = "import subprocess\nsubprocess.Popen(['sleep', '31415.9'], start_new_session=True)"
        assert sandbox.run(stay).ok
        assert gone(worker.folder, before)
