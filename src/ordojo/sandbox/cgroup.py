"""A control group of a worker's own, where this process may make one.

The kernel then bounds memory and the number of processes, and the host can kill all that runs in
it, whatever its parents have become. Both versions of the interface are known; in version 1 each
controller has a tree of its own. Where no group can be had, `Meter` counts by looking.
"""

import contextlib
import os
import signal
import time
from pathlib import Path

_MOUNT = Path("/sys/fs/cgroup")
_PREFIX = "ordojo-"
_FILES = {
    2: ("memory.max", "memory.swap.max", "memory.events"),
    1: ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes", "memory.oom_control"),
}
_HELD = {2: ("anon", "shmem", "kernel"), 1: ("rss", "shmem")}
"""What `memory.stat` counts that cannot be given back, as a cached file can."""


_PATIENCE = 10.0
"""Seconds until the last process must have gone: one may stand in a call of the kernel."""


class ControlGroup:
    """One control group, a folder for each tree, memory's first; `make` gives it, where it works.

    A folder's name tells the namespace of process ids in which its owner has the number it says.
    """

    def __init__(self, folders: list[Path], version: int) -> None:
        self._folders, self._version = folders, version
        self._memory, self._swap, self._events = (folders[0] / name for name in _FILES[version])
        self._unlimited = "-1" if version == 1 else "max"
        self._limit = -1
        self._idle = 0

    @classmethod
    def make(cls, pid: int) -> "ControlGroup | None":
        """A new group that holds the process `pid`; None where none can be made and bounded."""
        for version, parents in _parents():
            _sweep(parents, version)
            name = f"{_PREFIX}{namespace()}-{os.getpid()}-{pid}"
            group = cls([parent / name for parent in parents], version)
            try:
                for folder in group._folders:
                    folder.mkdir()
                group._memory.write_text(group._unlimited)
                for folder in group._folders:
                    (folder / "cgroup.procs").write_text(str(pid))
                group.kills()
            except (OSError, ValueError):
                group.close()
                continue
            return group
        return None

    def rest(self) -> None:
        """What the group holds now is not to count."""
        self._idle = self._all()

    def bound(self, size: int, tasks: int) -> None:
        """Let `size` bytes be held over what was held at rest, and `tasks` threads run in all."""
        with contextlib.suppress(OSError):  # memory alone is bounded where `pids` cannot be had
            (self._folders[-1] / "pids.max").write_text(str(tasks))
        limit = self._idle + size
        if limit == self._limit:
            return
        if self._version == 2:
            self._memory.write_text(str(limit))
            with contextlib.suppress(OSError):  # a kernel without swap
                self._swap.write_text("0")
        else:
            # Memory with swap is never less than memory: which goes first depends on the way.
            both = [self._memory, self._swap]
            for file in both if limit < self._limit or self._limit < 0 else reversed(both):
                with contextlib.suppress(FileNotFoundError):
                    file.write_text(str(limit))
        self._limit = limit

    def kill(self) -> None:
        """Kill all that runs in the group, and remove it.

        First nothing new can start, and memory is free: who dies at its limit waits for the kernel.
        """
        orders = [(self._folders[-1] / "pids.max", "0")]
        orders += [(file, self._unlimited) for file in (self._swap, self._memory)]
        for file, order in [*orders, (self._folders[0] / "cgroup.kill", "1")]:
            with contextlib.suppress(OSError):  # not every kernel has each of them
                file.write_text(order)
        deadline = time.monotonic() + _PATIENCE
        while (left := self._processes()) and time.monotonic() < deadline:
            for pid in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.002)
        self.close()

    def _processes(self) -> set[int]:
        """What runs in any of the folders: one who sweeps may see a tree from another place."""
        found: set[int] = set()
        for folder in self._folders:
            with contextlib.suppress(OSError):
                found |= set(map(int, (folder / "cgroup.procs").read_text().split()))
        return found - {0}  # one of another namespace; to signal 0 would be to signal us

    def kills(self) -> int:
        """How many processes the kernel has ended for want of memory."""
        return _counts(self._events).get("oom_kill", 0)

    def held(self) -> int:
        """Bytes held over what was held at rest."""
        return self._all() - self._idle

    def _all(self) -> int:
        counts = _counts(self._folders[0] / "memory.stat")
        return sum(counts.get(name, 0) for name in _HELD[self._version])

    def close(self) -> None:
        """Remove the group; its processes, ended already, may take a moment to leave it."""
        for folder in self._folders:
            for _ in range(100):
                try:
                    folder.rmdir()
                except FileNotFoundError:
                    break
                except OSError:
                    time.sleep(0.01)
                else:
                    break


def namespace() -> int:
    """Which namespace of process ids this process is in; 0 where a system shows none."""
    try:
        return Path("/proc/self/ns/pid").stat().st_ino
    except OSError:
        return 0


def _parents() -> list[tuple[int, list[Path]]]:
    """Version and folders under which a group may stand, best first: in our own, else beside it."""
    try:
        lines = Path("/proc/self/cgroup").read_text().splitlines()
    except OSError:
        return []
    found = []
    first: dict[str, Path] = {}
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers in ("memory", "pids"):
            # Within a container the path may be the host's, and the mount its own part of it.
            own, root = _MOUNT / controllers / path.lstrip("/"), _MOUNT / controllers
            first[controllers] = own if own.is_dir() else root
        elif not controllers:
            own = _MOUNT / path.lstrip("/")
            # A group that holds processes shares out no memory: ours then stands beside it.
            for parent in (own, own.parent):
                with contextlib.suppress(OSError):
                    if "memory" in (parent / "cgroup.subtree_control").read_text().split():
                        found.append((2, [parent]))
    if "memory" in first:
        both = [first[name] for name in ("memory", "pids") if name in first]
        found += [(1, both), (1, both[:1])]
    return found


def has_no_owner(name: str) -> bool:
    """Whether the process is gone that named something NAMESPACE-PROCESS-..., as far as is seen."""
    space, _, owner = name.rpartition("-")[0].partition("-")
    return space == str(namespace()) != "0" and not Path(f"/proc/{owner}").exists()


def _sweep(parents: list[Path], version: int) -> None:
    """Kill and remove what hosts that were killed have left, where their numbers are ours."""
    for left in {path.name for parent in parents for path in parent.glob(f"{_PREFIX}*")}:
        if has_no_owner(left.removeprefix(_PREFIX)):
            ControlGroup([parent / left for parent in parents], version).kill()


def _counts(file: Path) -> dict[str, int]:
    """A file of names and numbers, a pair a line."""
    return {name: int(value) for name, value in map(str.split, file.read_text().splitlines())}
