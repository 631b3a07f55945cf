"""One thing worked out at a time, in a thread of its own."""

import threading
import time
from collections.abc import Callable
from typing import Any

from ordojo.core.errors import OrdojoError

Work = Callable[[], None]


class Worker:
    """What is being worked out: the `phase` it is at ("" for nothing), and the last `problem`.

    `version` counts what was worked out. `failed` is told of work that could not be done, and why;
    it answers whether the same work is to be tried again.
    """

    def __init__(self, lock: Any, failed: Callable[[Work, str], bool]) -> None:
        self.phase, self.problem, self.version = "", "", 0
        self._lock, self._failed = lock, failed
        self._since = 0.0
        self._thread: threading.Thread | None = None

    @property
    def seconds(self) -> float:
        """How long it has been at work."""
        return round(time.monotonic() - self._since, 1) if self.phase else 0

    def begin(self, what: Work) -> None:
        """Start on something new; nothing else may be under way."""
        self.phase, self._since, self.problem = "starting", time.monotonic(), ""
        self._thread = threading.Thread(target=self._run, args=(what,), daemon=True)
        self._thread.start()

    def say(self, phase: str) -> None:
        """What it is at now."""
        self.phase = phase

    def wait(self, seconds: float) -> None:
        """Wait until nothing is being worked out."""
        if self._thread is not None:
            self._thread.join(seconds)

    def _run(self, what: Work) -> None:
        try:
            again = True
            while again:
                try:
                    what()
                    again = False
                except OrdojoError as error:
                    again = self._failed(what, str(error))
                except Exception as error:  # the page must say it and go on, whatever went wrong
                    why = f"this could not be worked out ({type(error).__name__}: {error})"
                    again = self._failed(what, why)
        finally:
            with self._lock:
                self.phase = ""
                self.version += 1
