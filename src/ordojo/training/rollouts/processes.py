"""Shards over processes of this machine; the shard of a worker that dies is played again."""

import gc
import os
import pickle
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import cache
from itertools import islice

from ordojo.core.errors import RunError, UsageError
from ordojo.core.processes import kill_workers, open_pool
from ordojo.training.rollouts.files import encode
from ordojo.training.rollouts.player import Player
from ordojo.training.rollouts.work import Work

DEATHS = 3
"""How often the workers may die over one shard."""

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")

_blob = b""
"""The work of this worker, pickled."""


def pickled(work: Work) -> bytes:
    """The work as it travels to workers; raises UsageError where it cannot."""
    try:
        return pickle.dumps(work)
    except Exception as error:
        raise UsageError(
            f"the policy '{work.provenance.policy}' cannot be sent to other processes "
            f"({error}); define it at the top of a module, or play with one worker"
        ) from None


def play_over_processes(
    work: Work, shards: Iterable[range], workers: int
) -> Iterator[tuple[range, bytes]]:
    """The shards with the lines of their trajectories, in order.

    Each worker is a new interpreter with one thread for arithmetic. Raises RunError where workers
    die over the same shard again and again, and whatever playing raises.
    """
    blob = pickled(work)
    left = iter(shards)
    waiting: deque[range] = deque()
    futures: dict[range, Future[bytes]] = {}
    deaths = alone = 0
    with one_thread():
        pool = open_pool(workers, prepare, blob)
        try:
            while True:
                waiting.extend(islice(left, 2 * workers + 2 - len(waiting)))
                if not waiting:
                    return
                # After a death nobody knows whose shard it was: these are played one by one.
                for shard in islice(waiting, 1 if alone else None):
                    if shard not in futures:
                        futures[shard] = _submit(pool, shard)
                shard = waiting[0]
                try:
                    lines = futures[shard].result()
                except BrokenProcessPool:
                    deaths += 1
                    if deaths == DEATHS:
                        raise RunError(
                            f"a worker died {DEATHS} times over episodes {shard.start + 1} to "
                            f"{shard.stop} (killed, or out of memory); use fewer workers"
                        ) from None
                    pool.shutdown(wait=False, cancel_futures=True)
                    pool = open_pool(workers, prepare, blob)
                    futures = {one: old for one, old in futures.items() if _succeeded(old)}
                    alone = len(waiting)
                    continue
                deaths, alone = 0, max(0, alone - 1)
                del futures[waiting.popleft()]
                yield shard, lines
        except BaseException:
            kill_workers(pool)
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _submit(pool: ProcessPoolExecutor, shard: range) -> Future[bytes]:
    try:
        return pool.submit(play_shard, shard)
    except BrokenProcessPool as error:
        broken: Future[bytes] = Future()
        broken.set_exception(error)
        return broken


def _succeeded(future: Future[bytes]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


def prepare(blob: bytes) -> None:
    """Set a worker up for `play_shard` with the pickled work."""
    global _blob
    _blob = blob


@cache
def _player() -> Player:
    # Made at the first shard, not at the start: what it raises then reaches the caller.
    player = Player(pickle.loads(_blob))
    gc.freeze()  # The instances stay: the collector need not look at them again.
    return player


def play_shard(shard: range) -> bytes:
    """The lines of a shard's trajectories, in a worker that is prepared."""
    player = _player()
    return encode(player.play(player.work.items(shard.start, shard.stop)))


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
