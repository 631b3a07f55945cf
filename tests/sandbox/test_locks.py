"""No lock on what several programs see tells another one of it; in their own folder locks work."""

# ruff: noqa: PTH123

import fcntl
import json
import os
import shutil
import struct
import sys
from collections.abc import Callable

import pytest

from ordojo.sandbox import Sandbox
from tests.sandbox.conftest import docker_answers

WALLS = ["userns", "landlock", "old kernel", "userns without landlock"]
WALLS += ["bwrap"] * bool(shutil.which("bwrap")) + ["docker"] * docker_answers()

TRIES = """
import fcntl, json, os, struct, sys
from ordojo.sandbox import channel

def ask(kind, start=0):
    return struct.pack("hhqqi4x", kind, 0, start, 0, 0)

held, said = [], []
for path in (os.__file__, json.__file__, os.path.dirname(os.__file__), sys.executable, "/dev/null"):
    file = os.open(path, os.O_RDONLY)
    held.append(file)
    for attempt in (
        lambda: fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB),
        lambda: fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB),
        lambda: fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB),
        lambda: fcntl.fcntl(file, fcntl.F_SETLK, ask(fcntl.F_RDLCK))[:2],
        lambda: fcntl.fcntl(file, fcntl.F_SETLKW, ask(fcntl.F_RDLCK))[:2],
        lambda: fcntl.fcntl(file, fcntl.F_OFD_SETLK, ask(fcntl.F_RDLCK))[:2],
        lambda: fcntl.fcntl(file, fcntl.F_OFD_SETLKW, ask(fcntl.F_RDLCK))[:2],
        lambda: fcntl.fcntl(file, fcntl.F_GETLK, ask(fcntl.F_WRLCK))[:2],
        lambda: fcntl.fcntl(file, fcntl.F_OFD_GETLK, ask(fcntl.F_WRLCK))[:2],
        lambda: fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK),
        lambda: fcntl.fcntl(file, fcntl.F_NOTIFY, 0x80000001),
    ):
        try:
            said.append(repr(attempt()))
        except OSError as error:
            said.append(error.errno)
null = os.open("/dev/null", os.O_RDWR)
held.append(null)
fcntl.lockf(null, fcntl.LOCK_EX | fcntl.LOCK_NB)
fcntl.flock(null, fcntl.LOCK_EX | fcntl.LOCK_NB)
print(json.dumps(said))
if len(sys.argv) > 1:
    channel.call(b"locked")
"""


def _held_by_others(path: str) -> bool:
    """Whether any lock of another process stands on a file that this one can read."""
    file = os.open(path, os.O_RDONLY)
    try:
        ask = struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0)
        kinds = [
            struct.unpack("hhqqi4x", fcntl.fcntl(file, command, ask))[0]
            for command in (fcntl.F_GETLK, fcntl.F_OFD_GETLK)
        ]
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(file)
    return kinds != [fcntl.F_UNLCK, fcntl.F_UNLCK]


@pytest.mark.parametrize("wall", WALLS)
def test_no_lock_crosses(wall: str, walled: Callable[[str], Sandbox], box: Sandbox) -> None:
    sandbox = walled(wall)
    shared = [os.__file__, json.__file__, os.path.dirname(os.__file__), sys.executable, "/dev/null"]  # noqa: PTH120
    seen: list[object] = []

    def meanwhile(message: bytes) -> bytes:
        """The first program holds all that it could take: what another one finds, and the host."""
        seen.extend([path for path in shared if _held_by_others(path)])
        seen.append(box.run(TRIES).stdout)
        return b""

    alone = box.run(TRIES)
    assert alone.ok, alone
    first = sandbox.run(TRIES, arguments=["hold"], handler=meanwhile)
    assert first.ok, first
    assert seen == [alone.stdout]
    assert first.stdout == alone.stdout


def test_a_lock_of_the_host_is_not_met(box: Sandbox) -> None:
    alone = box.run(TRIES).stdout
    with open(os.__file__, "rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert box.run(TRIES).stdout == alone


OWN = """
import os, shelve, sqlite3
from filelock import FileLock, SoftFileLock

for mode in ("delete", "truncate", "persist", "wal"):
    with sqlite3.connect(f"{mode}.db") as one, sqlite3.connect(f"{mode}.db") as two:
        print(one.execute(f"pragma journal_mode={mode}").fetchone()[0])
        one.execute("create table t (x)")
        one.commit()
        for value in range(3):
            (one, two)[value % 2].execute("insert into t values (?)", (value,))
            (one, two)[value % 2].commit()
        print(two.execute("select sum(x) from t").fetchone()[0])
        one.execute("begin immediate")
        try:
            two.execute("pragma busy_timeout=0")
            two.execute("begin immediate")
        except sqlite3.OperationalError as error:
            print(error)
for kind in (FileLock, SoftFileLock):
    with kind(f"{kind.__name__}.lock", timeout=1):
        print(kind.__name__)
with shelve.open("shelf") as shelf:
    shelf["a"] = 1
with shelve.open("shelf") as shelf:
    print(shelf["a"])
"""


@pytest.mark.parametrize("wall", WALLS)
def test_programs_lock_files_of_their_own(wall: str, walled: Callable[[str], Sandbox]) -> None:
    pytest.importorskip("filelock")
    done = walled(wall).run(OWN)
    assert done.ok, done
    told = []
    for mode in ("delete", "truncate", "persist", "wal"):
        told += [mode, "3", "database is locked"]
    assert done.stdout.splitlines() == [*told, "UnixFileLock", "SoftFileLock", "1"]
