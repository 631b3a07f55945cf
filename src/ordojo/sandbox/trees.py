"""Trees of files and of processes: measured, and removed whatever a program made of them."""

# Paths go straight to the kernel here, as text and at speed.
# ruff: noqa: PTH101, PTH104, PTH106, PTH108, PTH123, PTH208

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


@dataclass(frozen=True, slots=True)
class Process:
    """One live process: parent, resident bytes, address space, processor seconds."""

    pid: int
    parent: int
    resident: int
    virtual: int
    cpu: float


def descendants(pid: int) -> list[Process]:
    """Every process below `pid`, from /proc; those that end meanwhile are left out."""
    children: dict[int, list[Process]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit() and (process := inspect(int(name))):
            children.setdefault(process.parent, []).append(process)
    found: list[Process] = []
    waiting = [pid]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += [process.pid for process in below]
    return found


def inspect(pid: int) -> Process | None:
    """One process, or None when it has ended (a zombie only waits to be asked for)."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as source:
            fields = source.read().rpartition(b")")[2].split()
    except OSError:
        return None
    if fields[0] == b"Z":
        return None
    page, ticks = _units()
    cpu = (int(fields[11]) + int(fields[12])) / ticks
    return Process(pid, int(fields[1]), int(fields[21]) * page, int(fields[20]), cpu)


def kill_descendants(pid: int, patience: float = 5.0) -> None:
    """Kill all that is below `pid`, again until nothing is left or `patience` seconds are over.

    For the cases in which the kernel cannot do it at one blow: each round first stops what it
    finds, so that a program that keeps starting others loses the race.
    """
    deadline = time.monotonic() + patience
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
