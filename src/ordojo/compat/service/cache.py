"""Results by content, so that equal models are solved once."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace

from ordojo.compat.problem import Ending, Result


class Cache:
    """Results by hash, shared by the samples of an item; any number of threads.

    Whoever asks while an equal problem is being solved waits for that solve. A result that a time
    limit ended is used again only where no more time is allowed now. The oldest of more than
    `size` results go. What is held is what programs asked for, never what a gold or a reference
    model needed: else the time that an answer takes would tell of it.
    """

    def __init__(self, size: int = 256) -> None:
        self.hits = 0
        self.misses = 0
        self._size = size
        self._lock = threading.Lock()
        self._held: OrderedDict[str, list[tuple[float, Result]]] = OrderedDict()
        self._running: dict[str, threading.Lock] = {}

    def get_or_solve(self, key: str, seconds: float, solve: Callable[[], Result]) -> Result:
        """The result under `key`, by `solve` where there is none; `cached` says which."""
        with self._lock:
            mine = self._running.setdefault(key, threading.Lock())
        with mine:
            found = self._find(key, seconds)
            if found is not None:
                return replace(found, cached=True)
            result = solve()
            with self._lock:
                self.misses += 1
                self._held.setdefault(key, []).append((seconds, result))
                self._held.move_to_end(key)
                while len(self._held) > self._size:
                    gone, _ = self._held.popitem(last=False)
                    self._running.pop(gone, None)
            return result

    def _find(self, key: str, seconds: float) -> Result | None:
        with self._lock:
            for allowed, result in self._held.get(key, ()):
                if result.ending == Ending.TIME_LIMIT and allowed < seconds:
                    continue
                self.hits += 1
                self._held.move_to_end(key)
                return result
        return None
