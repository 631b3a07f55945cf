"""multiprocessing within one process: its locks work between threads, its processes are refused.

The locks that processes share lie in memory that no limit counts. Threads need them too: the
module's pools of threads are built on them.
"""

import _multiprocessing  # type: ignore[import-not-found]
import multiprocessing.heap
import multiprocessing.process
import threading
from typing import NoReturn


class SemLock:
    """Stands in for `_multiprocessing.SemLock`, and is seen by this process alone."""

    SEM_VALUE_MAX = _multiprocessing.SemLock.SEM_VALUE_MAX
    handle, name = 0, None

    def __init__(self, kind: int, value: int, maxvalue: int, *_: object) -> None:
        self.kind, self.maxvalue = kind, maxvalue
        self._free = threading.Semaphore(value)
        self._owner, self._held = 0, 0

    def acquire(self, block: bool = True, timeout: float | None = None) -> bool:
        """Take it; kind 0 may be taken again by the thread that has it."""
        again = self.kind == 0 and self._is_mine()
        if not again and not self._free.acquire(block, timeout if block else None):
            return False
        self._owner, self._held = threading.get_ident(), self._held + 1
        return True

    __enter__ = acquire

    def release(self, *_: object) -> None:
        """Give it back; AssertionError or ValueError as the real one."""
        if self.kind == 0 and not self._is_mine():
            raise AssertionError("attempt to release recursive lock not owned by thread")
        if self.kind and self._get_value() >= self.maxvalue:
            raise ValueError("semaphore or lock released too many times")
        self._held -= 1
        if self.kind or not self._held:
            self._owner = 0 if not self._held else self._owner
            self._free.release()

    __exit__ = release

    def _is_mine(self) -> bool:
        return self._held > 0 and self._owner == threading.get_ident()

    def _count(self) -> int:
        return self._held

    def _get_value(self) -> int:
        return self._free._value

    def _is_zero(self) -> bool:
        return self._get_value() == 0

    def _after_fork(self) -> None:
        return


def _refuse(self: object) -> NoReturn:
    raise PermissionError(
        "multiprocessing starts no processes in the sandbox: do the work in this one, or in threads"
    )


def confine() -> None:
    """Put the stand-ins in place, before programs import the rest of multiprocessing.

    What it would keep in /dev/shm lies in a file of the program's instead.
    """
    _multiprocessing.SemLock = SemLock
    multiprocessing.process.BaseProcess.start = _refuse  # type: ignore[method-assign]
    multiprocessing.heap.Arena._dir_candidates = []  # type: ignore[attr-defined]
