"""One way to spread work: a map in this process, in others of this machine, or over Ray.

Items are cut into shards by their cost, results come in the items' order, and a worker that dies
loses only what it was at. An item that its worker dies of twice is isolated, and the rest goes on.
"""

import gc
import hashlib
import os
import pickle
import platform
import signal
import socket
import threading
import time
import traceback
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from ordojo.core.errors import RunError, UsageError
from ordojo.core.extras import need
from ordojo.core.progress import arriving

if TYPE_CHECKING:  # imported where processes are: it takes as long as a short command's own modules
    from multiprocessing.connection import Connection

DEATHS = 2
"""Workers that may die of one item: the first may have been the machine's fault."""

PER_WORKER = 4
"""A shard is at most this part of a worker's share of what is left: large ones first, for little
overhead, and small ones at the end, so that no slow shard keeps the others waiting."""

LARGEST = 64
"""Items of a shard, at most: so many are done again where a node of a cluster is lost."""

AHEAD = 2
"""Shards for each core that wait on the cluster, so that none is idle while results are read."""

HELD = 16_384
"""Results that wait for an earlier one, at most, or as many as all cores have at hand: so much
memory does one slow item cost. At 4,096 two thirds of 1,600 cores had to wait for the first."""

MOST = 1024
"""Processes of one machine, at most: more is a slip of the finger."""

LOOK = 0.5
"""Seconds between two looks at how many cores there are: each costs the driver a millisecond."""

ANSWER = 3.0
"""Seconds in which a cluster's address must take a connection; Ray itself asks for two minutes."""

SAME = ("ordojo", "highspy", "numpy", "scipy")
"""Libraries of which all nodes must have one version: results could differ else."""

T = TypeVar("T")
R = TypeVar("R")

Start = Callable[[], Callable[[T], R]]
"""What a worker calls once, to be ready for items; it travels pickled."""

Lost = Callable[[T, RunError], R]
"""What stands for the result of an item that no worker survives."""


@dataclass(frozen=True)
class Place:
    """Where work is done; the results are the same everywhere."""

    name: Literal["local", "processes", "ray"] = "local"
    workers: int = 1
    address: str | None = None

    def __post_init__(self) -> None:
        if self.workers < 1:
            raise UsageError("work needs at least one worker")

    @classmethod
    def parse(cls, text: "str | Place") -> "Place":
        """`local`, `processes[:N]`, `N` or `ray[:ADDRESS]`, or a place as it is.

        Raises UsageError.
        """
        if isinstance(text, Place):
            return text
        name, _, rest = (
            f"processes:{text}".partition(":") if text.isdecimal() else text.partition(":")
        )
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        if name == "local" and not rest:
            return cls()
        if name == "processes" and (not rest or (rest.isdecimal() and 0 < int(rest) <= MOST)):
            return cls("processes", int(rest or cores or 1))
        if name == "ray":
            need("ray", f"work on {text}")
            return cls("ray", cores or 1, rest or None)
        raise UsageError(
            f"there is no place '{text}' to work on; give local, processes:N (1 to {MOST:,}) or "
            "ray[:ADDRESS]"
        )


HERE = Place()
"""This process."""


def spread(
    start: Start[T, R],
    items: Sequence[T],
    place: Place = HERE,
    *,
    cost: Callable[[T], float] = lambda item: 1.0,
    lost: Lost[T, R] | None = None,
    limit: float | None = None,
    ordered: bool = True,
    what: str = "",
) -> Iterator[R]:
    """The result of each item, in order, or else as they come, so that none waits to be kept.

    `start`, the items and the results travel pickled. `cost` is any measure of how long an item
    takes beside others; `what` names the work to those who hear of progress. What takes longer than
    `limit` seconds counts as dead (not in this process). Raises RunError where workers die of an
    item again and again, unless `lost` says what stands for it; UsageError for what cannot be
    pickled or without Ray; and what the work raises.
    """
    if place.name == "local":
        results: Iterator[R] = map(start(), items)
    else:
        over = _over_ray if place.name == "ray" else _over_processes
        # By cloudpickle what a script itself defines travels by value: nodes do not run the script.
        dumps = _ray().cloudpickle.dumps if place.name == "ray" else pickle.dumps
        try:
            blob = dumps(start)
        except Exception as error:  # pickle raises whatever an object's own methods do
            raise stays(error) from None
        results = over(blob, WorkQueue(items, place.workers, cost, lost, ordered), place, limit)
    return arriving(results, what, len(items)) if what else results


def _ray() -> Any:
    need("ray", "work over Ray")
    import ray

    return ray


def stays(error: Exception) -> UsageError:
    """What is said of work or items that cannot be pickled."""
    said = str(error.__cause__ or error).strip().partition("\n")[0]  # Ray adds a page of advice
    return UsageError(
        f"the work cannot be sent to other processes ({said}); define its classes and "
        "functions at the top of a module, or use one process (`on` local, 1 worker)"
    )


@dataclass(frozen=True)
class _Failure:
    error: Exception


class WorkQueue(Generic[T, R]):
    """What is left to do, what is done, and how often workers died of what."""

    def __init__(
        self,
        items: Sequence[T],
        workers: int,
        cost: Callable[[T], float],
        lost: Lost[T, R] | None,
        ordered: bool,
    ) -> None:
        self.items, self.workers, self._lost = items, workers, lost
        self._ordered = ordered
        self._cost = [max(cost(item), 0.0) for item in items]
        self._left, self._next = sum(self._cost), 0
        self._again: deque[list[int]] = deque()
        self._deaths: Counter[int] = Counter()
        self._done: dict[int, R | _Failure] = {}
        self._told = 0

    @property
    def more(self) -> bool:
        """Whether a shard is left that may be begun now."""
        held = self._next - self._told if self._ordered else 0
        return bool(self._again) or (
            self._next < len(self.items) and held < max(HELD, PER_WORKER * self.workers)
        )

    def shard(self) -> list[int]:
        """The places of the next items to do together."""
        if self._again:
            return self._again.popleft()
        first, bound = self._next, self._left / (PER_WORKER * self.workers)
        # Also small enough that no core is idle because others hold all that may be begun.
        largest = min(LARGEST, max(1, HELD // (AHEAD * self.workers)))
        weight = 0.0
        while self._next < len(self.items) and self._next - first < largest:
            if self._next > first and weight + self._cost[self._next] > bound:
                break
            weight += self._cost[self._next]
            self._next += 1
        self._left -= weight
        return list(range(first, self._next))

    def add(self, place: int, result: R) -> None:
        """An item is done."""
        self._done[place] = result

    def fail(self, place: int, error: Exception) -> None:
        """An item raised what the caller is to hear when all before it are told."""
        self._done[place] = _Failure(error)

    def died(self, places: Sequence[int], at: int | None, why: str) -> None:
        """A worker died at the item `at` of what it had left, or nobody knows at which."""
        if at is None and len(places) > 1:
            self._again.extend([place] for place in places)
            return
        at = places[0] if at is None else at
        self._deaths[at] += 1
        rest = [place for place in places if place != at]
        if self._deaths[at] < DEATHS:
            self._again.append([at])
        else:
            error = RunError(
                f"{DEATHS} workers died over item {at + 1} of {len(self.items)} ({why}); "
                "use fewer workers where memory is short"
            )
            if self._lost is None:
                self.fail(at, error)
            else:
                self.add(at, self._lost(self.items[at], error))
        if rest:
            self._again.append(rest)

    def told(self) -> Iterator[R]:
        """The results that are next."""
        while self._told in self._done or (self._done and not self._ordered):
            result = self._done.pop(self._told if self._ordered else next(iter(self._done)))
            self._told += 1
            if isinstance(result, _Failure):
                raise result.error
            yield result


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
    from multiprocessing import parent_process
    from multiprocessing.connection import wait

    if (parent := parent_process()) is not None:
        wait([parent.sentinel])
        os._exit(1)


class _Worker:
    """A fresh interpreter: a forked one would share the solvers' threads. It ends with us."""

    def __init__(self, blob: bytes, limit: float | None) -> None:
        from multiprocessing import get_context

        context = get_context("spawn")
        self.line, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, blob, limit), daemon=True)
        with one_thread(), undisturbed():
            self._process.start()
        theirs.close()
        self.left: list[int] = []

    def give(self, queue: WorkQueue[Any, Any]) -> None:
        """Hand over the next shard."""
        self.left = queue.shard()
        try:
            self.line.send([(place, queue.items[place]) for place in self.left])
        except OSError:
            pass  # it has died, which is found out when its line is read
        except Exception as error:  # pickle raises whatever an object's own methods do
            raise stays(error) from None

    def end(self, now: bool = False) -> str:
        """Let it end, or end it; how it ended."""
        self.line.close()
        if not now:
            self._process.join(2)
        self._process.kill()
        self._process.join()
        code = self._process.exitcode
        if code == 1:  # most often: it ran the caller's script again, from the top
            return "exit code 1; a script must do its work below if __name__ == '__main__'"
        return "it took too long" if code == -signal.SIGALRM else f"exit code {code}"


def _over_processes(
    blob: bytes, queue: WorkQueue[T, R], place: Place, limit: float | None
) -> Iterator[R]:
    from multiprocessing.connection import wait

    busy: dict[Any, _Worker] = {}
    try:
        while True:
            while queue.more and len(busy) < place.workers:
                worker = _Worker(blob, limit)
                busy[worker.line] = worker
                worker.give(queue)
            if not busy:
                return
            for line in wait(list(busy)):
                worker = busy[line]
                try:
                    done, result, error = worker.line.recv()
                except (EOFError, OSError):
                    del busy[line]
                    queue.died(worker.left, worker.left[0], worker.end())
                    continue
                worker.left.remove(done)
                if error is None:
                    queue.add(done, result)
                else:
                    queue.fail(done, error)
                if worker.left:
                    continue
                if queue.more:
                    worker.give(queue)
                else:
                    del busy[line]
                    worker.end()
            yield from queue.told()
    finally:
        for worker in busy.values():
            worker.end(now=True)


def _serve(line: "Connection", blob: bytes, limit: float | None) -> None:
    """The process: shards come in, results go out one by one."""
    end_with_parent()
    work: Callable[[Any], Any] | None = None
    with suppress(EOFError, OSError):
        while True:
            for place, item in line.recv():
                try:
                    if work is None:
                        work = begin(blob)
                    with within(limit):
                        result = work(item)
                    try:
                        line.send((place, result, None))
                    except (TypeError, AttributeError, pickle.PicklingError) as error:
                        raise stays(error) from None
                except Exception as error:  # the caller raises it
                    line.send((place, None, portable(error)))


def stateless(task: Callable[[T], R]) -> Start[T, R]:
    """The start of a task that needs none."""
    return partial(_same, task)


def _same(task: Callable[[T], R]) -> Callable[[T], R]:
    return task


def begin(blob: bytes) -> Callable[[Any], Any]:
    """Make a worker ready."""
    work: Callable[[Any], Any] = pickle.loads(blob)()
    gc.freeze()  # What it was begun with stays: the collector need not look at it again.
    return work


@contextmanager
def within(limit: float | None) -> Iterator[None]:
    """End this process after so many seconds, whatever it is at."""
    if limit is None:
        yield
        return
    signal.setitimer(signal.ITIMER_REAL, limit)  # SIGALRM ends a process that does not catch it
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def portable(error: Exception) -> Exception:
    """The error as it can travel, with where it was raised."""
    error.add_note("in a worker:\n" + "".join(traceback.format_exception(error)))
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # an exception whose arguments are not its constructor's
        return RuntimeError(f"{type(error).__name__} in a worker: {error}")
    return error


def _over_ray(
    blob: bytes, queue: WorkQueue[T, R], place: Place, limit: float | None
) -> Iterator[R]:
    """The results in order, as `spread` has them.

    Uses the Ray session that is open, or else connects to the place's address ("auto" finds one
    on this machine), or else starts one here, closed at the end.
    """
    ray = _ray()
    with _connected(ray, place):
        # What takes too long ends its worker, and would do so at each of Ray's own retries.
        task = ray.remote(num_cpus=1, max_retries=1 if limit is None else 0)(_shard)
        name = hashlib.sha256(blob).hexdigest()
        waiting: dict[Any, list[int]] = {}
        try:
            stored, asked, looked = ray.put(blob), versions(), 0.0
            while True:
                # Nodes come and go; a cluster that grows by need may begin with none.
                if time.monotonic() - looked > LOOK:
                    looked = time.monotonic()
                    queue.workers = max(1, int(ray.cluster_resources().get("CPU", 0)))
                while queue.more and len(waiting) < AHEAD * queue.workers:
                    places = queue.shard()
                    given = [queue.items[place] for place in places]
                    try:
                        waiting[task.remote(name, stored, given, limit, asked)] = places
                    except TypeError as error:  # so Ray says what cannot be pickled
                        raise stays(error) from None
                if not waiting:
                    return
                for reference in ray.wait(list(waiting), num_returns=1)[0]:
                    _take(ray, queue, reference, waiting.pop(reference))
                yield from queue.told()
        except _full(ray):
            raise RunError(
                "the cluster's object store is full; give Ray more (--object-store-memory, or disk "
                "to spill to), and start again"
            ) from None
        finally:
            for reference in waiting:  # nobody waits for these any more
                ray.cancel(reference, force=True)


def _full(ray: Any) -> tuple[type[Exception], ...]:
    return ray.exceptions.ObjectStoreFullError, ray.exceptions.OutOfDiskError


def _take(ray: Any, queue: WorkQueue[Any, Any], reference: Any, places: list[int]) -> None:
    """What came of a shard."""
    try:
        results, error = ray.get(reference)
    except ray.exceptions.RayTaskError as failure:
        if isinstance(failure.cause, _full(ray)):
            raise failure.cause from None
        cause = str(failure.cause).strip().partition("\n")[0]
        told = RunError(f"a node cannot do the work, or not send its result ({cause})")
        queue.fail(places[0], told)
        return
    except _full(ray):
        raise
    except ray.exceptions.RayError as failure:  # the worker or its node died, or its memory ran out
        queue.died(places, None, type(failure).__name__)
        return
    for done, result in zip(places, results, strict=False):
        queue.add(done, result)
    if error is not None:
        queue.fail(places[len(results)], error)


@contextmanager
def _connected(ray: Any, place: Place) -> Iterator[None]:
    if ray.is_initialized():
        yield
        return
    where = f"at {place.address}" if place.address else "here"
    own = {} if place.address else {"num_cpus": place.workers, "include_dashboard": False}
    try:
        _check_answer(place.address)
        ray.init(address=place.address, log_to_driver=False, configure_logging=False, **own)
    except (ConnectionError, OSError, ValueError, RuntimeError, SystemExit) as error:
        said = str(error).strip().partition("\n")[0]
        raise RunError(
            f"cannot reach a Ray cluster {where} ({said}); give the address that `ray start` said"
        ) from None
    try:
        yield
    finally:
        ray.shutdown()


def _check_answer(address: str | None) -> None:
    """Raise OSError where nobody listens at HOST:PORT."""
    host, _, port = (address or "").removeprefix("ray://").rpartition(":")
    if host and port.isdecimal() and int(port) < 1 << 16:
        socket.create_connection((host.strip("[]"), int(port)), timeout=ANSWER).close()


def versions() -> dict[str, str]:
    """What decides results, by name."""
    from importlib import metadata  # a tenth of what a command loads

    found = {"Python": platform.python_version()}
    for name in SAME:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "missing"
    return found


def _check_versions(asked: dict[str, str]) -> None:
    """Raise RunError where this node has other versions than the process that asks."""
    for name, ours in versions().items():
        if ours != asked[name]:
            raise RunError(
                f"node {platform.node()} has {name} {ours}, the machine that asks {asked[name]}; "
                "install the same versions on all nodes"
            )


_ready: dict[str, Callable[[Any], Any]] = {}
"""The work that this worker is ready for, by its digest."""


def _shard(
    name: str, blob: bytes, items: Sequence[Any], limit: float | None, asked: dict[str, str]
) -> tuple[list[Any], Exception | None]:
    """The results of the items up to the first that raises, and its error, in a worker."""
    results: list[Any] = []
    try:
        if name not in _ready:
            _check_versions(asked)
            _ready.clear()
            _ready[name] = begin(blob)
        for item in items:
            with within(limit):
                results.append(_ready[name](item))
    except Exception as error:  # the caller raises it
        return results, portable(error)
    return results, None
