"""Watching one program from outside: its output, its calls, its limits, its end."""

import contextlib
import os
import select
import socket
import time
from collections import deque
from typing import Any

from ordojo.sandbox.calls import Calls
from ordojo.sandbox.frames import CALL, END, BadFrame, FrameReader
from ordojo.sandbox.meter import Meter
from ordojo.sandbox.outcome import Limits, Outcome
from ordojo.sandbox.worker import Worker

_GRACE = 10.0
_READ = 1 << 18
_NEVER = float("inf")


class Watch:
    """One run. After `follow` the attributes say what happened; nothing here trusts the program."""

    def __init__(self, worker: Worker, limits: Limits, calls: Calls) -> None:
        self.reason: Outcome | None = None
        self.detail = ""
        self.stdout, self.stderr = bytearray(), bytearray()
        self.result: bytes | None = None
        self.ending: bytes | None = None
        self.ended: dict[str, Any] | None = None
        self.calls = calls
        self._worker, self._limits = worker, limits
        self._meter = Meter(worker, limits)
        self._reader = FrameReader(limits.frame)
        self._outgoing: deque[memoryview] = deque()
        self._poll = select.poll()

    def follow(self, job: list[bytes]) -> None:
        """Start the program with `job`'s bytes and stay with it until it is over."""
        self._outgoing.extend(map(memoryview, job))
        with contextlib.ExitStack() as held:
            self._line, theirs = socket.socketpair()
            held.enter_context(self._line)
            with theirs, contextlib.ExitStack() as given:
                self._out, out = os.pipe()
                held.callback(os.close, self._out)
                given.callback(os.close, out)
                self._err, err = os.pipe()
                held.callback(os.close, self._err)
                given.callback(os.close, err)
                self._worker.run(self._meter.settings(), [theirs.fileno(), out, err])
            for descriptor in (self._out, self._err, self._line.fileno()):
                os.set_blocking(descriptor, False)
                self._poll.register(descriptor, select.POLLIN)
            self._poll.modify(self._line, select.POLLIN | select.POLLOUT)
            self._poll.register(self._worker.control, select.POLLIN)
            self._poll.register(self.calls.woken, select.POLLIN)
            self._loop()
            if self.reason is None and self._meter.out_of_memory():
                self.reason = Outcome.MEMORY_LIMIT
                self.detail = f"held over {self._limits.memory} bytes of memory"
            self._drain()

    def _loop(self) -> None:
        now = time.monotonic()
        self._deadline, self._last = now + self._limits.wall, _NEVER
        check = now + self._meter.pause
        while self.ended is None and now < self._last:
            until = min(check, self._last, _NEVER if self._free() else self._deadline)
            for descriptor, event in self._poll.poll(max(0.0, until - now) * 1000):
                self._handle(descriptor, event)
            now = time.monotonic()
            if self.reason is not None:
                check = _NEVER
            elif now > self._deadline and not self._free():
                self.stop(Outcome.TIME_LIMIT, f"over {self._limits.wall:g} s of wall time")
            elif now > check:
                if found := self._meter.excess():
                    self.stop(*found)
                spent = time.monotonic() - now
                # Looking takes a twentieth of one core at most.
                check = now + spent + max(self._meter.pause, 20 * spent)

    def _free(self) -> bool:
        return self._limits.service_free and self.calls.busy

    def stop(self, reason: Outcome, detail: str) -> None:
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
        held = self.stdout if descriptor == self._out else self.stderr
        room = self._limits.output - len(self.stdout) - len(self.stderr)
        held += data[: max(0, room)]
        if len(data) > room:
            self.stop(Outcome.OUTPUT_LIMIT, f"printed over {self._limits.output} bytes")
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
        except BadFrame as error:
            self.stop(Outcome.BAD_FRAME, f"sent {error}")
            data = b""
        if not data:
            self._poll.unregister(self._line)
        return bool(data)

    def _take(self, kind: bytes, payload: bytes) -> None:
        if kind == END:
            self.ending = payload
        elif kind != CALL:
            self.result = payload
        elif self.reason is None and (now := self.calls.ask(payload)):
            self._queue(now)

    def _answer(self) -> None:
        message, spent = self.calls.answer()
        if self._limits.service_free:
            self._deadline += spent
        if isinstance(self.calls.failure, TimeoutError):
            self.stop(Outcome.TIME_LIMIT, str(self.calls.failure))
        elif self.calls.failure is not None:
            self.stop(Outcome.KILLED, "the service failed")
        else:
            self._queue(message)

    def _queue(self, data: bytes) -> None:
        self._outgoing.append(memoryview(data))
        with contextlib.suppress(OSError):  # when the program has closed its end
            self._poll.modify(self._line, select.POLLIN | select.POLLOUT)

    def _drain(self) -> None:
        """What was still in the pipes when the last process died."""
        for descriptor in (self._out, self._err):
            with contextlib.suppress(KeyError):  # unregistered, for it had ended before
                while self.reason is not Outcome.OUTPUT_LIMIT and self._print(descriptor):
                    pass
        with contextlib.suppress(KeyError):
            while self.reason is not Outcome.BAD_FRAME and self._receive():
                pass
        try:
            self._reader.close()
        except BadFrame as error:
            if self.reason is None and self.ended and os.WIFEXITED(self.ended["status"]):
                self.reason, self.detail = Outcome.BAD_FRAME, f"sent {error}"
