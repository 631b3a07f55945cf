"""Solver processes, started when they are needed and kept warm between solves."""

import atexit
import contextlib
import os
import select
import subprocess
import sys
import threading
import time
from typing import Any

from ordojo.compat.service.worker import LENGTH
from ordojo.compat.wire import pack, unpack
from ordojo.core.errors import SolverError

_CHUNK = 1 << 20


class Lost(Exception):  # noqa: N818 (never leaves the service: it becomes a result)
    """The process ended, or was ended because it outlived its limit."""

    def __init__(self, why: str, late: bool) -> None:
        super().__init__(why)
        self.late = late


class SolverProcess:
    """One process with one conversation at a time; a lost one stays lost."""

    def __init__(self, memory: int) -> None:
        self.memory = memory
        self._held = bytearray()
        lifeline, self._lifeline = os.pipe()
        one = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "ordojo.compat.service.worker", str(memory)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                pass_fds=[lifeline],
                env={**os.environ, **one, "ORDOJO_LIFELINE": str(lifeline)},
                start_new_session=True,
            )
        except OSError as error:
            os.close(self._lifeline)
            raise SolverError(f"the solver's process cannot be started: {error}") from error
        finally:
            os.close(lifeline)

    @property
    def alive(self) -> bool:
        """Whether it can be asked."""
        return self._process.poll() is None

    def send(self, message: dict[str, Any]) -> None:
        """Send a message; raises Lost."""
        assert self._process.stdin is not None
        data = pack(message)
        rest = memoryview(len(data).to_bytes(LENGTH, "little") + data)
        try:
            while rest:
                rest = rest[self._process.stdin.write(rest) :]
        except OSError:
            raise self._lost() from None

    def receive(self, seconds: float) -> dict[str, Any]:
        """The next message; raises Lost where none comes in so many seconds."""
        assert self._process.stdout is not None
        descriptor = self._process.stdout.fileno()
        deadline = time.monotonic() + seconds
        wanted = LENGTH
        known = False
        while True:
            if len(self._held) >= wanted:
                if known:
                    data = bytes(self._held[LENGTH:wanted])
                    del self._held[:wanted]
                    return unpack(data)
                wanted += int.from_bytes(self._held[:LENGTH], "little")
                known = True
                continue
            poll = select.poll()
            poll.register(descriptor, select.POLLIN)
            if not poll.poll(max(deadline - time.monotonic(), 0) * 1000):
                self.kill()
                raise Lost("the solver did not stop at its limit and was ended", True)
            data = os.read(descriptor, _CHUNK)
            if not data:
                raise self._lost()
            self._held += data

    def _lost(self) -> Lost:
        self.kill()
        code = self._process.returncode
        if code == -14:
            return Lost("the solver did not stop at its limit and was ended", True)
        return Lost(f"the solver's process ended with code {code}", False)

    def kill(self) -> None:
        """End it, any number of times."""
        if self._process.poll() is None:
            with contextlib.suppress(OSError):
                self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()
        if self._lifeline >= 0:
            os.close(self._lifeline)
            self._lifeline = -1


class Pool:
    """Idle solver processes, for any number of threads."""

    def __init__(self, keep: int = 8) -> None:
        self._keep = keep
        self._lock = threading.Lock()
        self._idle: list[SolverProcess] = []
        self._owner = os.getpid()

    def borrow(self, memory: int) -> SolverProcess:
        """A process that is free, or a new one."""
        with self._lock:
            if self._owner != os.getpid():
                self._idle.clear()
                self._owner = os.getpid()
            for place, process in enumerate(self._idle):
                if process.memory == memory:
                    del self._idle[place]
                    break
            else:
                process = None
        if process is not None and process.alive:
            return process
        return SolverProcess(memory)

    def give_back(self, process: SolverProcess) -> None:
        """Keep a process for the next solve."""
        with self._lock:
            if process.alive and len(self._idle) < self._keep:
                self._idle.append(process)
                return
        process.kill()

    def close(self) -> None:
        """End all that are idle."""
        with self._lock:
            idle, self._idle = self._idle, []
        for process in idle:
            process.kill()


POOL = Pool()
atexit.register(POOL.close)
