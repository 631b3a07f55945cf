"""Processes that share the work and never outlive the one that began them."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import wait
from typing import Any

_STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class WorkerPool(ProcessPoolExecutor):
    """A pool whose workers are begun whole: a stop of this process waits until one has its work.

    Else the worker reads half of what it is to do, and says so in a traceback.
    """

    def submit(self, *work: Any, **words: Any) -> "Future[Any]":
        """As the base class has it; a worker may be begun here."""
        with _undisturbed():
            return super().submit(*work, **words)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Stops that come meanwhile take effect at the end."""
    came: list[int] = []
    former = {}
    if threading.current_thread() is threading.main_thread():
        former = {n: handler for n in _STOPS if callable(handler := signal.getsignal(n))}
    for number in former:
        signal.signal(number, lambda number, frame: came.append(number))
    try:
        yield
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)
        for late in came:
            signal.raise_signal(late)


def end_with_parent() -> None:
    """In a process of `multiprocessing`: end when the parent has ended, and leave Ctrl-C to it.

    A worker that waits for work would wait for ever: its siblings hold the queue open, too.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_follow, daemon=True).start()


def _follow() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def open_pool(
    workers: int, begin: Callable[..., object] | None = None, *given: Any
) -> ProcessPoolExecutor:
    """Fresh interpreters that end with this process; `begin(*given)` runs first in each.

    Fresh, because a forked child would share the solvers' threads.
    """
    context = multiprocessing.get_context("spawn")
    return WorkerPool(workers, context, _begin, (begin, given))


def kill_workers(pool: ProcessPoolExecutor) -> None:
    """End a pool's processes now: what they are at is wanted no more."""
    for process in list((pool._processes or {}).values()):
        process.kill()


def _begin(begin: Callable[..., object] | None, given: tuple[Any, ...]) -> None:
    end_with_parent()
    if begin is not None:
        begin(*given)
