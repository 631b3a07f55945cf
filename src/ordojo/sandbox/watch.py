"""Watching one program from outside: its calls, output, limits and end, and what became of it."""

import contextlib
import json
import os
import select
import signal
import socket
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import PurePosixPath
from typing import Any

from ordojo.sandbox import channel, trees
from ordojo.sandbox.outcome import Execution, Limits, ProgramOutcome
from ordojo.sandbox.worker import Worker

_EXTRA = 4
"""The worker's own processes, which the kernel counts with the program's."""

_FIRST, _PAUSE = 0.05, 0.25
"""Seconds until the first look, and between two: most programs end before the first."""
_TOUCHED = 4e9
"""Bytes a second that a few processes take at most: the next look comes before the limit."""

_SPARE = 20
"""The kernel's bound is this part above ours, for it may end the worker instead of a program."""
_CROWD = 2
"""The kernel's bound on processes over ours, so that a program that passes ours is seen and ended;
more would let a bomb take more of the machine before it is looked at."""


class Meter:
    """Measures the program of one worker against the limits."""

    def __init__(self, worker: Worker, limits: Limits) -> None:
        """Look at the idle worker first: what it holds is not the program's."""
        self._worker, self._limits = worker, limits
        self.pause = min(_FIRST, limits.memory / _TOUCHED)
        warm = trees.inspect(worker.pid)
        self._virtual = warm.virtual if warm else 0
        self._anonymous = trees.anonymous(worker.pid)
        if worker.group:
            memory, processes = limits.memory + limits.memory // _SPARE, limits.processes + _EXTRA
            worker.group.bound(memory, _CROWD * processes)
            self._kills = worker.group.kills()

    def settings(self) -> dict[str, float]:
        """The limits that the kernel is to hold each process to."""
        limits = self._limits
        return {
            "cpu": max(1, round(limits.cpu)),
            "file_size": limits.file_size,
            "descriptors": limits.descriptors,
            "address_space": self._virtual + limits.memory,
            # Elsewhere the user's other processes would count as well.
            "processes": limits.processes + _EXTRA if self._worker.plan.own_user else 0,
        }

    def excess(self) -> tuple[ProgramOutcome, str] | None:
        """Which limit the processes together, or their files, have passed.

        `pause` is then how many seconds the next look may wait.
        """
        limits, below = self._limits, trees.family(self._worker.pid)
        free = limits.memory - self._held(below)
        self.pause = min(_PAUSE, max(0.0, free) / _TOUCHED)
        if free < 0 or self.out_of_memory():
            return ProgramOutcome.MEMORY_LIMIT, f"held over {limits.memory} bytes of memory"
        if sum(process.threads for process in below) > limits.processes + _EXTRA:
            return ProgramOutcome.PROCESS_LIMIT, f"ran over {limits.processes} processes at once"
        if sum(process.cpu for process in below) > limits.cpu:
            return ProgramOutcome.TIME_LIMIT, f"over {limits.cpu:g} s of processor time"
        if not self._worker.plan.private:
            total, count = trees.usage(self._worker.base, limits.files)
            if total > limits.disk or count > limits.files:
                return (
                    ProgramOutcome.DISK_LIMIT,
                    f"wrote over {limits.disk} bytes or too many files",
                )
        return None

    def out_of_memory(self) -> bool:
        """Whether the kernel has ended a process for want of memory since the program began."""
        group = self._worker.group
        return group is not None and group.kills() > self._kills

    def _held(self, below: list[trees.Process]) -> int:
        """Bytes held by the processes, and in files in memory."""
        if self._worker.group:
            return self._worker.group.held()
        pages = [trees.anonymous(process.pid) - self._anonymous for process in below]
        held = sum(max(0, size) for size in pages)
        if self._worker.filesystem is not None:
            files = os.fstatvfs(self._worker.filesystem)
            held += (files.f_blocks - files.f_bfree) * files.f_frsize
        return held


Handler = Callable[[bytes], bytes]
Echo = Callable[[bool, bytes], None]

_QUEUE = 16
"""Requests that may wait at once: threads may ask together, but the host holds what waits."""


class Calls:
    """The requests of one run. `woken` becomes readable when an answer is there to be taken."""

    def __init__(self, handler: Handler | None, service: Executor) -> None:
        self.count = 0
        self.served = 0.0
        self.failure: BaseException | None = None
        self.woken, self._wake = os.pipe()
        self._handler, self._service = handler, service
        self._waiting: deque[bytes] = deque()
        self._future: Future[bytes] | None = None

    @property
    def busy(self) -> bool:
        """Whether the service works for the program just now."""
        return self._future is not None

    def ask(self, payload: bytes) -> bytes | None:
        """Take a request; what to send at once, if anything. BadFrame when too many wait."""
        self.count += 1
        if self._handler is None:
            return channel.frame(channel.REFUSAL, b"no service stands behind this sandbox")
        self._waiting.append(payload)
        if len(self._waiting) > _QUEUE:
            raise channel.BadFrame("more requests at once than it may")
        self._next()
        return None

    def _next(self) -> None:
        if self._waiting and self._future is None:
            self._asked = time.monotonic()
            self._future = self._service.submit(self._serve, self._waiting.popleft())

    def _serve(self, payload: bytes) -> bytes:
        try:
            return self._handler(payload) if self._handler else b""
        finally:
            os.write(self._wake, b"w")

    def answer(self) -> tuple[bytes, float]:
        """The message that the finished request gets, and the seconds it took.

        An error of the service is kept in `failure`, and nothing more is asked.
        """
        os.read(self.woken, 1)
        future, self._future = self._future, None
        spent = time.monotonic() - self._asked
        self.served += spent
        if future is None:
            return b"", 0.0
        self.failure = future.exception()
        if self.failure is not None:
            return b"", spent
        self._next()
        return channel.frame(channel.ANSWER, future.result()), spent

    def close(self) -> None:
        """Wait for a request that is still being served, and let go."""
        if self._future:
            # Its error was, or will be, told by `take`; here only the end counts.
            with contextlib.suppress(BaseException):
                self._future.result()
        os.close(self.woken)
        os.close(self._wake)


_GRACE = 10.0
"""Seconds that the worker has to end a program; then it is given up for lost. A shorter time would
lose workers on a machine that is busy, a longer one holds up who waits for the outcome."""
_READ = 1 << 18
"""Bytes read at once, four times what a pipe holds: one read empties it."""
_NEVER = float("inf")


class Watch:
    """One run. After `follow` the attributes say what happened; nothing here trusts the program.

    `keep`: files that the program wrote are taken into `written`. `echo` gets what is printed as it
    comes, logs in their place: whether to stderr, and the bytes; its OSError is kept as `unheard`,
    to be told from the worker's.
    """

    def __init__(
        self,
        worker: Worker,
        limits: Limits,
        calls: Calls,
        keep: bool = False,
        echo: Echo | None = None,
    ) -> None:
        self.written: dict[str, bytearray] = {}
        self._keep, self._echo, self._kept = keep, echo, 0
        self.reason: ProgramOutcome | None = None
        self.detail = ""
        self.unheard: OSError | None = None
        self.stdout, self.stderr, self.log = bytearray(), bytearray(), bytearray()
        self.result: bytes | None = None
        self.ending: bytes | None = None
        self.ended: dict[str, Any] | None = None
        self.calls = calls
        self._worker, self._limits = worker, limits
        self._meter = Meter(worker, limits)
        self._reader = channel.FrameReader(limits.frame)
        self._outgoing: deque[memoryview] = deque()
        self._printed: dict[int, bytearray] = {}
        self._poll = select.poll()

    def follow(self, job: list[bytes]) -> None:
        """Start the program with `job`'s bytes and stay with it until it is over."""
        self._outgoing.extend(map(memoryview, job))
        with contextlib.ExitStack() as held:
            self._line, theirs = socket.socketpair()
            held.enter_context(self._line)
            with theirs, contextlib.ExitStack() as given:
                ends = []
                for into in (self.stdout, self.stderr, self.log):
                    mine, end = os.pipe()
                    held.callback(os.close, mine)
                    given.callback(os.close, end)
                    self._printed[mine] = into
                    ends.append(end)
                self._worker.run(self._meter.settings(), [theirs.fileno(), *ends])
            for descriptor in (*self._printed, self._line.fileno()):
                os.set_blocking(descriptor, False)
                self._poll.register(descriptor, select.POLLIN)
            self._poll.modify(self._line, select.POLLIN | select.POLLOUT)
            self._poll.register(self._worker.control, select.POLLIN)
            self._poll.register(self.calls.woken, select.POLLIN)
            self._loop()
            if self.reason is None and self._meter.out_of_memory():
                self.reason = ProgramOutcome.MEMORY_LIMIT
                self.detail = f"held over {self._limits.memory} bytes of memory"
            self._drain()

    def _loop(self) -> None:
        now = time.monotonic()
        self._deadline, self._last = now + self._limits.wall, _NEVER
        check = now + self._meter.pause
        while self.ended is None and now < self._last:
            until = min(check, self._last, _NEVER if self.calls.busy else self._deadline)
            for descriptor, event in self._poll.poll(max(0.0, until - now) * 1000):
                self._handle(descriptor, event)
            now = time.monotonic()
            if self.reason is not None:
                check = _NEVER
            elif now > self._deadline and not self.calls.busy:
                self.stop(ProgramOutcome.TIME_LIMIT, f"over {self._limits.wall:g} s of wall time")
            elif now > check:
                if found := self._meter.excess():
                    self.stop(*found)
                spent = time.monotonic() - now
                # Looking takes a twentieth of one core at most.
                check = now + spent + max(self._meter.pause, 20 * spent)

    def stop(self, reason: ProgramOutcome, detail: str) -> None:
        """End the program for `reason`; the first reason counts."""
        if self.reason is None:
            self.reason, self.detail = reason, detail
            self._worker.kill()
            self._last = time.monotonic() + _GRACE
            self._deadline = _NEVER

    def _handle(self, descriptor: int, event: int) -> None:
        if descriptor == self._worker.control.fileno():
            self.ended = self._worker.ended() or {}
        elif descriptor == self.calls.woken:
            self._answer()
        elif descriptor == self._line.fileno():
            if event & select.POLLOUT:
                self._send()
            if event & ~select.POLLOUT:
                self._receive()
        else:
            self._print(descriptor)

    def _print(self, descriptor: int) -> bool:
        """Take what was printed; False when there is no more for now."""
        try:
            data = os.read(descriptor, _READ)
        except BlockingIOError:
            return False
        if not data:
            self._poll.unregister(descriptor)
            return False
        held = self._printed[descriptor]
        room = self._limits.output - sum(map(len, self._printed.values()))
        held += data[: max(0, room)]
        if self._echo is not None:
            try:
                self._echo(held is self.stderr, data[: max(0, room)])
            except OSError as error:
                self.unheard = error
                raise
        if len(data) > room:
            self.stop(ProgramOutcome.OUTPUT_LIMIT, f"printed over {self._limits.output} bytes")
        return True

    def _send(self) -> None:
        try:
            while self._outgoing:
                sent = self._line.send(self._outgoing[0])
                if sent == len(self._outgoing[0]):
                    self._outgoing.popleft()
                else:
                    self._outgoing[0] = self._outgoing[0][sent:]
        except BlockingIOError:
            return
        except OSError:
            self._outgoing.clear()
        self._poll.modify(self._line, select.POLLIN)

    def _receive(self) -> bool:
        """Take messages; False when there are no more for now."""
        try:
            data = self._line.recv(_READ)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        try:
            for kind, payload in self._reader.feed(data):
                self._take(kind, payload)
        except channel.BadFrame as error:
            self.stop(ProgramOutcome.BAD_FRAME, f"sent {error}")
            data = b""
        if not data:
            self._poll.unregister(self._line)
        return bool(data)

    def _take(self, kind: bytes, payload: bytes) -> None:
        if kind == channel.END:
            self.ending = payload
        elif kind == channel.KEPT:
            self._store(payload)
        elif kind not in (channel.CALL, channel.SHOW):
            self.result = payload
        elif self.reason is None:
            self._show()
            if kind == channel.SHOW and len(self._outgoing) > _QUEUE:
                raise channel.BadFrame("more requests at once than it may")
            now = (
                channel.frame(channel.ANSWER, b"")
                if kind == channel.SHOW
                else self.calls.ask(payload)
            )
            if now:
                self._queue(now)

    def _show(self) -> None:
        """Take what is printed already: output in its order, logs after what came before them."""
        for descriptor in self._printed:
            with contextlib.suppress(KeyError):  # its end has been met before
                self._print(descriptor)

    def _store(self, payload: bytes) -> None:
        """A piece of a file, under a plain name below the working folder."""
        raw, _, data = payload.partition(b"\0")
        name = raw.decode(errors="replace")
        path = PurePosixPath(name)
        self._kept += len(payload)
        plain = name.isprintable() and not path.is_absolute() and ".." not in path.parts
        if not (self._keep and plain and path.parts):
            self.stop(ProgramOutcome.BAD_FRAME, "sent a file that nobody asked for")
        elif self._kept > self._limits.disk or len(self.written) > self._limits.files:
            self.stop(ProgramOutcome.DISK_LIMIT, f"wrote over {self._limits.disk} bytes")
        else:
            self.written.setdefault(path.as_posix(), bytearray()).extend(data)

    def _answer(self) -> None:
        message, spent = self.calls.answer()
        self._deadline += spent
        if isinstance(self.calls.failure, TimeoutError):
            self.stop(ProgramOutcome.TIME_LIMIT, str(self.calls.failure))
        elif self.calls.failure is not None:
            self.stop(ProgramOutcome.KILLED, "the service failed")
        else:
            self._queue(message)

    def _queue(self, data: bytes) -> None:
        self._outgoing.append(memoryview(data))
        with contextlib.suppress(OSError):  # when the program has closed its end
            self._poll.modify(self._line, select.POLLIN | select.POLLOUT)

    def _drain(self) -> None:
        """What was still in the pipes when the last process died."""
        for descriptor in self._printed:
            with contextlib.suppress(KeyError):  # unregistered, for it had ended before
                while self.reason is not ProgramOutcome.OUTPUT_LIMIT and self._print(descriptor):
                    pass
        with contextlib.suppress(KeyError):
            while self.reason is not ProgramOutcome.BAD_FRAME and self._receive():
                pass
        try:
            self._reader.close()
        except channel.BadFrame as error:
            if self.reason is None and self.ended and os.WIFEXITED(self.ended["status"]):
                self.reason, self.detail = ProgramOutcome.BAD_FRAME, f"sent {error}"


_NO_MEMORY = (b"bad_alloc", b"MemoryError", b"annot allocate memory", b"ut of memory")
"""What compiled code prints before it aborts for want of memory.

The words of a program that may print what it likes, for nothing else is left of it: the address
space that it was refused was never held, so no control group counts it, and the kernel keeps no
count of refusals by process. As with an exception of its own, a program can give itself this end,
and both are failures.
"""


def conclude(watch: Watch, limits: Limits, isolation: str, wall: float) -> Execution:
    """Judge a finished watch. A limit that the host enforced comes before all else."""
    ended = watch.ended or {}
    status = ended.get("status")
    number = os.WTERMSIG(status) if status is not None and os.WIFSIGNALED(status) else None
    code = os.WEXITSTATUS(status) if status is not None and os.WIFEXITED(status) else None
    cpu = float(ended.get("cpu", 0.0))
    account = _result(watch.ending)  # its own account of its end, if it is one
    ending = account if isinstance(account, dict) else {}
    told = {key: str(ending.get(key, "")) for key in ("type", "message", "traceback", "kind")}
    if watch.reason is not None:
        outcome, detail = watch.reason, watch.detail
    elif cpu > limits.cpu + 1:  # its children's, which ended before anybody looked
        outcome, detail = ProgramOutcome.TIME_LIMIT, f"over {limits.cpu:g} s of processor time"
    elif status is None:
        outcome, detail = ProgramOutcome.KILLED, "the worker was lost with the program"
    elif number is not None:
        outcome, detail = _signalled(number, cpu, limits, bytes(watch.stderr[-4000:]))
    elif told["kind"] == "syntax":
        outcome, detail = ProgramOutcome.SYNTAX_ERROR, told["message"]
    elif told["kind"] == "raised":
        bases = ending.get("bases")
        full = isinstance(bases, list) and "MemoryError" in bases
        outcome = ProgramOutcome.MEMORY_LIMIT if full else ProgramOutcome.RAISED
        detail = f"{told['type']}: {told['message']}"
    elif code:
        outcome, detail = ProgramOutcome.EXITED, f"exit code {code}"
    else:
        outcome, detail = ProgramOutcome.FINISHED, ""
    return Execution(
        outcome=outcome,
        detail=detail,
        stdout=watch.stdout.decode(errors="replace"),
        stderr=watch.stderr.decode(errors="replace"),
        log=watch.log.decode(errors="replace"),
        result=_result(watch.result),
        exception=told["type"],
        message=told["message"],
        traceback=told["traceback"],
        exit_code=code,
        signal=number,
        wall=wall,
        cpu=cpu,
        service=watch.calls.served,
        calls=watch.calls.count,
        isolation=isolation,
        written={name: bytes(data) for name, data in watch.written.items()},
    )


def _signalled(
    number: int, cpu: float, limits: Limits, stderr: bytes
) -> tuple[ProgramOutcome, str]:
    name = signal.Signals(number).name if number in signal.valid_signals() else str(number)
    if number == signal.SIGXCPU or (number == signal.SIGKILL and cpu >= limits.cpu):
        return ProgramOutcome.TIME_LIMIT, f"over {limits.cpu:g} s of processor time"
    if number == signal.SIGXFSZ:
        return ProgramOutcome.DISK_LIMIT, f"a file over {limits.file_size} bytes"
    if number == signal.SIGABRT and any(words in stderr for words in _NO_MEMORY):
        return ProgramOutcome.MEMORY_LIMIT, "compiled code could get no more memory"
    return ProgramOutcome.KILLED, f"ended by {name}"


def _result(payload: bytes | None) -> object:
    """JSON from the program, or None when it is none."""
    try:
        found: object = json.loads(payload) if payload else None
    except (ValueError, RecursionError):
        return None
    return found
