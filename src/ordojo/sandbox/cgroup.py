"""A control group of a worker's own, where this process may make one: memory the kernel bounds.

Both versions of the interface are known. Where no group can be had, `Meter` counts by looking.
"""

import contextlib
import os
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


class Group:
    """One control group with a bound on memory; `make` gives it, where it works."""

    def __init__(self, folder: Path, version: int) -> None:
        self._folder, self._version = folder, version
        self._bound = -1
        self._idle = 0

    @classmethod
    def make(cls, pid: int) -> "Group | None":
        """A new group that holds the process `pid`; None where none can be made and bounded."""
        for version, parent in _parents():
            _sweep(parent)
            folder = parent / f"{_PREFIX}{os.getpid()}-{pid}"
            group = cls(folder, version)
            try:
                folder.mkdir()
                (folder / _FILES[version][0]).write_text("-1" if version == 1 else "max")
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

    def bound(self, size: int) -> None:
        """Let no more than `size` bytes be held over what was held at rest."""
        limit = self._idle + size
        if limit == self._bound:
            return
        memory, swap, _ = (self._folder / name for name in _FILES[self._version])
        if self._version == 2:
            memory.write_text(str(limit))
            with contextlib.suppress(OSError):  # a kernel without swap
                swap.write_text("0")
        else:
            # Memory with swap is never less than memory: which goes first depends on the way.
            both = [memory, swap] if limit < self._bound or self._bound < 0 else [swap, memory]
            for file in both:
                with contextlib.suppress(FileNotFoundError):
                    file.write_text(str(limit))
        self._bound = limit

    def kills(self) -> int:
        """How many processes the kernel has ended for want of memory."""
        return _counts(self._folder / _FILES[self._version][2]).get("oom_kill", 0)

    def held(self) -> int:
        """Bytes held over what was held at rest."""
        return self._all() - self._idle

    def _all(self) -> int:
        counts = _counts(self._folder / "memory.stat")
        return sum(counts.get(name, 0) for name in _HELD[self._version])

    def close(self) -> None:
        """Remove the group; its processes, ended already, may take a moment to leave it."""
        for _ in range(100):
            try:
                self._folder.rmdir()
            except FileNotFoundError:
                return
            except OSError:
                time.sleep(0.01)
            else:
                return


def _parents() -> list[tuple[int, Path]]:
    """Version and folder of the groups under which ours may stand: our own's, else beside it."""
    try:
        lines = Path("/proc/self/cgroup").read_text().splitlines()
    except OSError:
        return []
    found = []
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers == "memory":
            # Within a container the path may be the host's, and the mount its own part of it.
            own, root = _MOUNT / "memory" / path.lstrip("/"), _MOUNT / "memory"
            found.append((1, own if own.is_dir() else root))
        elif not controllers:
            own = _MOUNT / path.lstrip("/")
            # A group that holds processes shares out no memory: ours then stands beside it.
            for parent in (own, own.parent):
                with contextlib.suppress(OSError):
                    if "memory" in (parent / "cgroup.subtree_control").read_text().split():
                        found.append((2, parent))
    return found


def _sweep(parent: Path) -> None:
    """Remove what hosts that were killed have left; a group with processes in it stays."""
    with contextlib.suppress(OSError):
        for left in parent.glob(f"{_PREFIX}*"):
            owner = left.name.removeprefix(_PREFIX).partition("-")[0]
            if not Path(f"/proc/{owner}").exists():
                with contextlib.suppress(OSError):
                    left.rmdir()


def _counts(file: Path) -> dict[str, int]:
    """A file of names and numbers, a pair a line."""
    return {name: int(value) for name, value in map(str.split, file.read_text().splitlines())}
