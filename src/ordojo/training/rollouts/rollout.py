"""Rollouts: which instances are played by whom, in this process, in many, or over Ray."""

import gc
import hashlib
import json
import os
import pickle
import tempfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from ordojo.core.errors import ProviderError, RunError, UsageError
from ordojo.core.instance import Instance
from ordojo.core.processes import kill_workers, open_pool
from ordojo.core.records import SampleRecord
from ordojo.evaluate.session import EvaluationSession
from ordojo.training.rollouts.files import TrajectoryFile, encode
from ordojo.training.rollouts.play import Player
from ordojo.training.rollouts.policies import is_model
from ordojo.training.rollouts.trajectory import Trajectory
from ordojo.training.rollouts.work import Key, Work


@dataclass(frozen=True)
class _Given(EvaluationSession):
    """A session over given instances."""

    given: Sequence[Instance[Any]] = ()

    @cached_property
    def instances(self) -> Sequence[Instance[Any]]:
        return self.given


def ask_model(work: Work, left: Sequence[Key], sink: Callable[[Trajectory], None]) -> list[str]:
    """Ask for the episodes `left`; each goes to `sink` as it ends, in no order.

    Returns the errors of those that could not be asked. Raises ProviderError where the model
    cannot be reached or not one could be asked, and what `sink` raises.
    """
    from ordojo.evaluate.engine.ask import Drive
    from ordojo.evaluate.engine.run import Connection, connect, run_items

    how = Connection(**work.connection)
    model = connect(str(work.policy), how)
    seed, sampling = work.provenance.seed, work.sampling
    session = _Given(work.benchmark, work.options, seed, given=work.instances)
    errors: list[str] = []
    overrides: dict[str, Any] = {}
    if sampling.temperature is not None:
        overrides["temperature"] = sampling.temperature
    if sampling.max_tokens is not None:
        overrides["max_tokens"] = sampling.max_tokens
    if sampling.top_p < 1:
        overrides["top_p"] = sampling.top_p
    with Player(replace(work, policy="noop")) as player:

        def finished(record: SampleRecord) -> None:
            replies = [turn.reply for turn in record.episode.turns]
            sink(player.replay((session.by_id[record.id], record.epoch), replies))

        drive = Drive(session, finished, lambda record: errors.append(record.error), overrides)
        with tempfile.TemporaryDirectory() as folder:
            run_items(drive, model, list(left), how, Path(folder))
    session.close()
    if errors and len(errors) == len(left):
        raise ProviderError(
            f"none of the {len(left)} episodes could be played; the first error was: {errors[0]}"
        )
    return errors


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


_players: dict[str, Player] = {}
"""The player of this worker, by the work's digest: a worker prepares itself once."""


def play_over_ray(
    work: Work, shards: Iterable[range], workers: int, address: str | None = None
) -> Iterator[tuple[range, bytes]]:
    """The shards with the lines of their trajectories, in order.

    Uses the Ray session that is open, or else connects to `address` ("auto" finds one on this
    machine), or else starts one here with `workers` processors, closed at the end. Raises
    UsageError without Ray, RunError where shards cannot be played, and whatever playing raises.
    """
    try:
        import ray
    except ImportError:
        raise UsageError("rollouts over Ray need it: pip install 'ordojo[ray]'") from None
    blob = pickled(work)
    ours = not ray.is_initialized()
    if ours:
        _connect(ray, workers, address)
    try:
        yield from _play(ray, blob, hashlib.sha256(blob).hexdigest(), shards, workers)
    finally:
        if ours:
            ray.shutdown()


def _connect(ray: Any, workers: int, address: str | None) -> None:
    own = {} if address else {"num_cpus": workers, "include_dashboard": False}
    try:
        ray.init(address=address, log_to_driver=False, configure_logging=False, **own)
    except (ConnectionError, OSError, ValueError, RuntimeError) as error:
        where = f"at {address}" if address else "here"
        raise RunError(f"cannot reach a Ray cluster {where}: {error}") from None


def _play(
    ray: Any, blob: bytes, name: str, shards: Iterable[range], workers: int
) -> Iterator[tuple[range, bytes]]:
    task = ray.remote(max_retries=DEATHS, num_cpus=1)(_play_shard)
    stored = ray.put(blob)
    left = iter(shards)
    waiting: deque[tuple[range, Any]] = deque()
    while True:
        while len(waiting) < 2 * workers + 2 and (shard := next(left, None)) is not None:
            waiting.append((shard, task.remote(name, stored, shard.start, shard.stop)))
        if not waiting:
            return
        shard, reference = waiting.popleft()
        try:
            lines: bytes = ray.get(reference)
        except ray.exceptions.RayTaskError as error:
            raise error.cause from None
        except ray.exceptions.RayError as error:
            raise RunError(
                f"episodes {shard.start + 1} to {shard.stop} were lost on the Ray cluster "
                f"({type(error).__name__}); see to its nodes, then go on"
            ) from None
        yield shard, lines


def _play_shard(name: str, blob: bytes, start: int, stop: int) -> bytes:
    player = _players.get(name)
    if player is None:
        while _players:
            _players.popitem()[1].close()
        player = _players[name] = Player(pickle.loads(blob))
    return encode(player.play(player.work.items(start, stop)))


BackendName = Literal["processes", "ray"]


@dataclass(frozen=True)
class Backend:
    """Where episodes are played: this process, `workers` others, or a Ray cluster at `address`.

    The trajectories are the same under all.
    """

    name: BackendName = "processes"
    workers: int = 1
    address: str | None = None

    def __post_init__(self) -> None:
        if self.workers < 1:
            raise UsageError("a rollout needs at least one worker")


HERE = Backend()
"""This process."""


@dataclass(frozen=True)
class Recorded:
    """A file of trajectories after a rollout: how many it holds, and why others are missing."""

    path: Path
    episodes: int
    errors: tuple[str, ...] = ()


def rollout(work: Work, backend: Backend = HERE) -> Iterator[Trajectory]:
    """Play every episode and yield the trajectories in order, a batch at a time.

    Raises what playing raises; ProviderError where a language model could not be asked.
    """
    if is_model(work.policy):
        found: dict[tuple[str, int], Trajectory] = {}
        keys = [work.key(place) for place in range(work.size)]
        ask_model(work, keys, lambda one: found.update({one.key: one}))
        yield from (found[key] for key in keys if key in found)
    elif backend.name == "processes" and backend.workers == 1:
        with Player(work) as player:
            for shard in work.shards():
                yield from player.play(work.items(shard.start, shard.stop))
    else:
        for _, lines in _shards(work, work.shards(), backend):
            for text in lines.splitlines():
                yield Trajectory.from_json(json.loads(text), work.provenance)


def record(
    work: Work,
    path: Path,
    backend: Backend = HERE,
    progress: Callable[[int], None] = lambda episodes: None,
) -> Recorded:
    """Play what `path` does not hold yet and append it; `progress` hears how many it holds.

    The bytes do not depend on the backend, nor on whether and where it was stopped and started
    again. Of a language model over a network the order is that in which it answered, and what
    could not be asked is left to the next call.
    """
    with TrajectoryFile(path, work.provenance) as file:
        progress(len(file.done))
        errors: list[str] = []
        if is_model(work.policy):

            def keep(trajectory: Trajectory) -> None:
                file.add([trajectory.key], encode([trajectory]))
                progress(len(file.done))

            every = (work.key(place) for place in range(work.size))
            left = [key for key in every if key not in file.done]
            errors = ask_model(work, left, keep) if left else []
        else:
            for shard, lines in _shards(work, work.shards(frozenset(file.done)), backend):
                keys = [work.key(place) for place in shard]
                new = [place for place, key in enumerate(keys) if key not in file.done]
                if len(new) < len(keys):
                    rows = lines.splitlines(keepends=True)
                    lines = b"".join(rows[place] for place in new)
                file.add((keys[place] for place in new), lines)
                progress(len(file.done))
        return Recorded(path, len(file.done), tuple(errors))


def _shards(work: Work, shards: Iterable[range], backend: Backend) -> Iterator[tuple[range, bytes]]:
    if backend.name == "ray":
        yield from play_over_ray(work, shards, backend.workers, backend.address)
    elif backend.workers > 1:
        yield from play_over_processes(work, shards, backend.workers)
    else:
        with Player(work) as player:
            for shard in shards:
                yield shard, encode(player.play(work.items(shard.start, shard.stop)))
