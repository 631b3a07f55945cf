"""Trees of files and of processes: measured, and removed whatever a program made of them."""

# Paths go straight to the kernel here, as text and at speed.
# ruff: noqa: PTH101, PTH104, PTH106, PTH108, PTH110, PTH123, PTH208

import contextlib
import functools
import os
import signal
import stat
import time
from dataclasses import dataclass


@functools.cache
def _units() -> tuple[int, int]:
    """Bytes in a page, ticks in a second."""
    return os.sysconf("SC_PAGE_SIZE"), os.sysconf("SC_CLK_TCK")


@functools.cache
def _names_children() -> bool:
    return os.path.exists("/proc/thread-self/children")


@dataclass(frozen=True, slots=True)
class Process:
    """One process: parent, threads, address space, processor seconds.

    The seconds have those of all children that it has waited for.
    """

    pid: int
    parent: int
    threads: int
    virtual: int
    cpu: float


def descendants(pid: int, ended: bool = False) -> list[Process]:
    """Every process below `pid`, from /proc; with `ended` also those nobody has waited for yet."""
    children: dict[int, list[Process]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit() and (process := inspect(int(name), ended)):
            children.setdefault(process.parent, []).append(process)
    found: list[Process] = []
    waiting = [pid]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += [process.pid for process in below]
    return found


def family(pid: int) -> list[Process]:
    """Every process below `pid` with those nobody has waited for yet, by the short way.

    Each process names its children, where the kernel was built so; one that forks meanwhile may
    be missed, so that this is for looking again and again.
    """
    found: list[Process] = []
    waiting = [pid]
    while waiting:
        parent = waiting.pop()
        try:
            for thread in os.listdir(f"/proc/{parent}/task"):
                with open(f"/proc/{parent}/task/{thread}/children", "rb") as source:
                    waiting += map(int, source.read().split())
        except FileNotFoundError:
            if not _names_children():
                return descendants(pid, ended=True)
        except ProcessLookupError:
            pass
        if parent != pid and (process := inspect(parent, ended=True)):
            found.append(process)
    return found


def inspect(pid: int, ended: bool = False) -> Process | None:
    """One process, or None when it has gone (or has ended, and only waits to be asked for)."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as source:
            fields = source.read().rpartition(b")")[2].split()
    except OSError:
        return None
    if fields[0] == b"Z" and not ended:
        return None
    _, ticks = _units()
    cpu = sum(map(int, fields[11:15])) / ticks
    return Process(pid, int(fields[1]), int(fields[17]), int(fields[20]), cpu)


def anonymous(pid: int) -> int:
    """Bytes that a process holds beside files and shared memory; 0 when it has gone."""
    try:
        with open(f"/proc/{pid}/statm", "rb") as source:
            _, resident, shared, *_ = map(int, source.read().split())
    except (OSError, ValueError):
        return 0
    return (resident - shared) * _units()[0]


def kill_descendants(pid: int) -> None:
    """Kill all that is below `pid`, again until nothing is left or 5 seconds are over.

    For the cases in which the kernel cannot do it at one blow: each round first stops what it
    finds, so that a program that keeps starting others loses the race.
    """
    deadline = time.monotonic() + 5
    while (found := descendants(pid)) and time.monotonic() < deadline:
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for process in found:
                try:
                    os.kill(process.pid, number)
                except OSError:
                    continue
        time.sleep(0.002)


def empty(folder: str) -> None:
    """Remove everything inside `folder`, however deep, locked or oddly named; not itself.

    Folders found are moved up to the top before they are looked into, so depth does not matter.
    """
    number = 0
    os.chmod(folder, 0o700)
    while entries := os.listdir(folder):
        for entry in entries:
            path = f"{folder}/{entry}"
            if stat.S_ISDIR(os.lstat(path).st_mode):
                number = _lift(path, folder, number)
            else:
                os.unlink(path)


def _lift(path: str, top: str, number: int) -> int:
    """Empty one folder of files, move its folders to the top, remove it when that leaves none."""
    os.chmod(path, 0o700)
    for entry in os.listdir(path):
        child = f"{path}/{entry}"
        if stat.S_ISDIR(os.lstat(child).st_mode):
            with contextlib.suppress(OSError):  # the many that are empty go at once
                os.rmdir(child)
                continue
            os.chmod(child, 0o700)
            while os.path.lexists(f"{top}/.{number}"):
                number += 1
            os.rename(child, f"{top}/.{number}")
        else:
            os.unlink(child)
    os.rmdir(path)
    return number


def usage(folder: str, limit: int) -> tuple[int, int]:
    """Bytes on disk and number of entries below `folder`; stops counting after `limit` entries."""
    total = count = 0
    waiting = [folder]
    while waiting and count <= limit:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    count += 1
                    if count > limit:
                        break
                    total += entry.stat(follow_symlinks=False).st_blocks * 512
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
        except OSError:
            continue
    return total, count
