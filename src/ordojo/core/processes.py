"""Processes that share the work and never outlive the one that began them."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import wait

_STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


@contextmanager
def undisturbed() -> Iterator[None]:
    """Stops that come meanwhile take effect at the end.

    A worker that is begun reads what it is to do from us: of half of it, it says so in a traceback.
    """
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


@contextmanager
def one_thread() -> Iterator[None]:
    """Processes begun within have one thread for arithmetic."""
    # Libraries read these when they are loaded, so they are set for the children from here.
    before = {name: os.environ.get(name) for name in _THREADS}
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


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
