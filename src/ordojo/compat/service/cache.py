"""Results by content, so that equal models are solved once."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace

from ordojo.compat.problem import Ending, Result
from ordojo.compat.service.gold import Gold


class Cache:
    """Results by hash, shared by the samples of an item; any number of threads.

    Whoever asks while an equal problem is being solved waits for that solve. A result that a time
    limit ended is used again only where no more time is allowed now; one that a gold ended only
    under the same gold. The oldest of more than `size` results go.
    """

    def __init__(self, size: int = 256) -> None:
        self.hits = 0
        self.misses = 0
        self._size = size
        self._lock = threading.Lock()
        self._held: OrderedDict[str, list[tuple[Gold | None, float, Result]]] = OrderedDict()
        self._running: dict[str, threading.Lock] = {}

    def get_or_solve(
        self, key: str, gold: Gold | None, seconds: float, solve: Callable[[], Result]
    ) -> Result:
        """The result under `key`, by `solve` where there is none; `cached` says which."""
        with self._lock:
            mine = self._running.setdefault(key, threading.Lock())
        with mine:
            found = self._find(key, gold, seconds)
            if found is not None:
                return replace(found, cached=True)
            result = solve()
            with self._lock:
                self.misses += 1
                self._held.setdefault(key, []).append((gold, seconds, result))
                self._held.move_to_end(key)
                while len(self._held) > self._size:
                    gone, _ = self._held.popitem(last=False)
                    self._running.pop(gone, None)
            return result

    def _find(self, key: str, gold: Gold | None, seconds: float) -> Result | None:
        with self._lock:
            for known, allowed, result in self._held.get(key, ()):
                if result.ending == Ending.DECIDED and known != gold:
                    continue
                if result.ending == Ending.TIME_LIMIT and allowed < seconds:
                    continue
                self.hits += 1
                self._held.move_to_end(key)
                return result
        return None
