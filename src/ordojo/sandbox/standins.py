"""What stands in for modules: layers of our own for libraries, and multiprocessing in one process.

`import gurobipy` may resolve to another package. multiprocessing's locks work between threads, and
its processes are refused: the locks that processes share lie in memory that no limit counts.
Threads need them too: the module's pools of threads are built on them.
"""

import _multiprocessing  # type: ignore[import-not-found]
import importlib
import importlib.util
import multiprocessing.heap
import multiprocessing.process
import sys
import threading
from collections.abc import Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import NoReturn


class _Alias(Loader):
    """Loads a name as the module that stands in for it."""

    def __init__(self, target: str) -> None:
        self._target = target
        self._spec: ModuleSpec | None = None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(self._target)
        self._spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._spec  # the import system has put the alias's in its place


class ShadowFinder(MetaPathFinder):
    """Finds each shadowed package, and its submodules, under the package that stands in for it."""

    def __init__(self, shadow: Mapping[str, str]) -> None:
        self._shadow = dict(shadow)

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """A spec whose loader gives the other module; None for names that are not shadowed."""
        top, _, rest = name.partition(".")
        if top not in self._shadow:
            return None
        other = self._shadow[top] + ("." + rest if rest else "")
        try:
            found = importlib.util.find_spec(other)
        except ModuleNotFoundError:
            found = None
        if found is None:
            if rest:
                return None
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return ModuleSpec(
            name, _Alias(other), is_package=found.submodule_search_locations is not None
        )


def install(shadow: Mapping[str, str]) -> None:
    """Put the finder before all others."""
    if shadow:
        sys.meta_path.insert(0, ShadowFinder(shadow))


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
