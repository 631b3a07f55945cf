"""Requests from a program, answered one after another by the service, in a thread of its own."""

import contextlib
import os
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future

from ordojo.sandbox.frames import ANSWER, REFUSAL, BadFrame, frame

Handler = Callable[[bytes], bytes]

_QUEUE = 16


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
            return frame(REFUSAL, b"no service stands behind this sandbox")
        self._waiting.append(payload)
        if len(self._waiting) > _QUEUE:
            raise BadFrame("more requests at once than it may")
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
        return frame(ANSWER, future.result()), spent

    def close(self) -> None:
        """Wait for a request that is still being served, and let go."""
        if self._future:
            with contextlib.suppress(BaseException):
                self._future.result()
        os.close(self.woken)
        os.close(self._wake)
