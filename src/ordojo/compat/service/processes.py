"""Solver processes: started when they are needed, kept warm, and one conversation with each."""

import atexit
import contextlib
import json
import os
import secrets
import select
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

from ordojo.compat import messages
from ordojo.compat.messages import Refused, pack, unpack
from ordojo.compat.service.worker import FULL, LENGTH, write
from ordojo.core.errors import SolverError
from ordojo.solvers.answers import SolveResult, Status
from ordojo.solvers.problem import CallbackReply, Event, Problem

_CHUNK = 1 << 20
_MOST = 1 << 29
"""Bytes of an answer: some sixty million numbers, and no more of the host's memory than that."""

_BOOT = "import json, sys; sys.path[:] = json.loads(sys.argv[1]);"
_BOOT += " from ordojo.compat.service.worker import main; main()"
_ONE = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
_KEPT = ("LD_LIBRARY_PATH",)
_GUROBI = ("HOME", "HOSTNAME", "GRB_", "GUROBI_")
"""What Gurobi finds its licence by."""


class Lost(Exception):  # noqa: N818 (never leaves the service: it becomes a result)
    """The process ended, or was ended because it outlived its limit; `code` as of a process."""

    def __init__(self, why: str, code: int) -> None:
        super().__init__(why)
        self.late = code in (-signal.SIGALRM, -signal.SIGXCPU)
        self.full = code in (-signal.SIGKILL, FULL)  # the kernel kills what takes too much


PROGRAMS = 32
"""Programs that one solver process serves. A new one costs 5 to 9 ms, half of a small program.

What a program could leave in the solver's memory, where every solve has solver objects of its own,
lasts no longer. A process that dies, or is ended at a limit, is replaced at once.
"""


class SolverProcess:
    """One process with one conversation at a time; a lost one stays lost.

    `owner` is the service whose requests it has answered last, `walls` what keeps it in.
    """

    def __init__(self, memory: int, solver: str) -> None:
        self.memory, self.solver = memory, solver
        self.owner: object = None
        self._programs = 1
        self.walls = ""
        self._held = bytearray()
        lifeline, self._lifeline = os.pipe()
        kept = (*_KEPT, *_GUROBI) if solver == "gurobi" else _KEPT
        environment = {k: v for k, v in os.environ.items() if k.startswith(kept)}
        path = json.dumps([str(Path(entry).absolute()) for entry in sys.path])
        command = [sys.executable, "-B", "-c", _BOOT, path, str(memory), str(lifeline), solver]
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                pass_fds=[lifeline],
                env={"LANG": "C.UTF-8", **environment, **_ONE},
                cwd="/",
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

    def give_to(self, owner: object) -> None:
        """Serve another program from now on, with a new process after PROGRAMS; raises Lost."""
        if self.owner is not owner:
            if self._programs == PROGRAMS:
                self.send({"kind": "renew"})
                self._programs = 0
            self._programs += 1
        self.owner = owner

    def send(self, message: dict[str, Any]) -> None:
        """Send a message; raises Lost."""
        assert self._process.stdin is not None
        try:
            write(self._process.stdin.fileno(), pack(message))
        except OSError:
            raise self._lost() from None

    def receive(self, seconds: float) -> dict[str, Any]:
        """The next message; raises Lost where none comes in so many seconds."""
        deadline = time.monotonic() + seconds
        while True:
            length = int.from_bytes(self._take(LENGTH, deadline), "little")
            if length > _MOST:
                self.kill()
                raise Lost("the solver's answer is too long", -signal.SIGKILL)
            found = unpack(self._take(length, deadline))
            if found["kind"] != "ready":
                return found
            self.walls = found["walls"]

    def _take(self, size: int, deadline: float) -> bytes:
        """The next bytes of what it says."""
        assert self._process.stdout is not None
        descriptor = self._process.stdout.fileno()
        while len(self._held) < size:
            poll = select.poll()
            poll.register(descriptor, select.POLLIN)
            if not poll.poll(max(deadline - time.monotonic(), 0) * 1000):
                self.kill()
                raise Lost("the solver did not stop at its limit and was ended", -signal.SIGALRM)
            data = os.read(descriptor, _CHUNK)
            if not data:
                raise self._lost()
            self._held += data
        taken = bytes(memoryview(self._held)[:size])
        del self._held[:size]
        return taken

    def _lost(self) -> Lost:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)  # it is about to end, and its code says why
        self.kill()
        code = self._process.returncode
        return Lost(f"the solver's process ended with code {code}", code)

    def kill(self) -> None:
        """End it with all that it has started, any number of times."""
        if self._process.poll() is None:
            with contextlib.suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()
        if self._lifeline >= 0:
            os.close(self._lifeline)
            self._lifeline = -1


class Pool:
    """Idle solver processes, for any number of threads; `walls` are those of the last one used."""

    def __init__(self, keep: int = 8) -> None:
        self._keep = keep
        self._lock = threading.Lock()
        self.walls = ""
        self._idle: list[SolverProcess] = []
        self._owner = os.getpid()

    def borrow(self, memory: int, solver: str, owner: object) -> SolverProcess:
        """A process for the requests of `owner`: its own if that is free, else another one."""
        with self._lock:
            if self._owner != os.getpid():
                self._idle.clear()
                self._owner = os.getpid()
            fits = [p for p in self._idle if (p.memory, p.solver) == (memory, solver) and p.alive]
            process = next((p for p in fits if p.owner is owner), fits[0] if fits else None)
            if process is not None:
                self._idle.remove(process)
        if process is not None:
            with contextlib.suppress(Lost):
                process.give_to(owner)
                return process
        process = SolverProcess(memory, solver)
        process.owner = owner
        return process

    def give_back(self, process: SolverProcess) -> None:
        """Keep a process for the next solve."""
        with self._lock:
            self.walls = process.walls
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


_BROKEN = (Status.MEMORY, Status.CRASH)
"""Endings after which a process is not asked again."""


@dataclass(frozen=True, slots=True)
class RequestTerms:
    """What holds for a request: whose it is, who solves, bytes, seconds, and seconds beyond."""

    owner: object
    solver: str
    memory: int
    seconds: float
    grace: float


class SolverConversation:
    """One conversation with a solver's process about one problem.

    `request` is the message that the problem came in, if any, which the process reads again.
    """

    def __init__(
        self,
        terms: RequestTerms,
        problem: Problem,
        request: bytes | None,
        interactive: bool = False,
        kind: str = "solve",
    ) -> None:
        self.problem = problem
        self.token = secrets.token_hex(16)
        self._grace = terms.grace
        # Solving twice (without the objective, by another solver) and reading in take time, too.
        self._deadline = monotonic() + terms.seconds + terms.grace
        self._started = monotonic()
        sent = request or pack({"problem": problem})
        self.process: SolverProcess = POOL.borrow(terms.memory, terms.solver, terms.owner)
        self._first: dict[str, Any] | None = {
            "kind": kind,
            "request": np.frombuffer(sent, np.uint8),
            "seconds": terms.seconds,
            # A callback's own time passes, too, and is limited elsewhere.
            "deadline": 10 * terms.seconds + 600.0
            if interactive
            else terms.seconds + 2 * terms.grace,
            "interactive": interactive,
            "solver": terms.solver,
        }

    def message(self, reply: dict[str, Any] | None) -> dict[str, Any]:
        """Send what is next, and wait for the answer; raises Lost or Refused."""
        sent, self._first = self._first, None
        self.process.send(sent if reply is None and sent is not None else reply or {})
        found = self.process.receive(max(self._deadline - monotonic(), self._grace))
        if found["kind"] == "result" and found["result"]["status"] in _BROKEN:
            self.process.kill()
        elif found["kind"] != "event":
            POOL.give_back(self.process)
        if found["kind"] == "refused":
            raise Refused(str(found["message"]))
        return found

    def go_on(self, reply: CallbackReply | None) -> Event | SolveResult:
        """Begin, or answer the event; the next event or the result."""
        try:
            found = self.message(None if reply is None else {"kind": "reply", "reply": reply})
        except Lost as lost:
            ending = Status.MEMORY if lost.full else Status.CRASH
            ending = Status.TIME_LIMIT if lost.late else ending
            seconds = monotonic() - self._started
            return SolveResult(ending, seconds=seconds, detail=str(lost))
        if found["kind"] == "event":
            return messages.read_event(found["event"])
        return messages.read_result(found["result"])
