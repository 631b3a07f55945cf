"""What a map over items takes on a cluster, by simulating `spread` event by event.

In go an item's measured cost and a cluster; out come hours, nodes and money, and what is busiest.
Shards are cut by `spread`'s own queue. One driver sends shards and takes their results one after
the other; a node runs them on its cores, first come, first served, and is lost at random moments
(exponential times), when what ran there is done again. Left out: the network's latency,
autoscaling, other users of the cluster, and that Ray leaves nodes idle between shards of under some
50 ms.
"""

import heapq
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np

from ordojo.core.errors import UsageError
from ordojo.core.progress import counting
from ordojo.core.seeds import generator
from ordojo.core.spread import AHEAD, WorkQueue

HOUR = 3600.0
MOST_ITEMS, MOST_CORES = 10_000_000, 1_000_000
"""Above these the simulation itself takes hours and gigabytes."""
MOST_LOST = 20_000
"""Nodes that a run may lose: items longer than nodes live would be done again for ever."""


@dataclass(frozen=True)
class Load:
    """Items to do: how many, and what those that were measured took of a core, in seconds.

    `memory` is gigabytes of an item at work, `size` kilobytes of its result, `tokens` what it asks
    of a model's endpoint, and `dollars` what that costs.
    """

    items: int
    seconds: Sequence[float]
    memory: float = 0.0
    size: float = 4.0
    tokens: float = 0.0
    dollars: float = 0.0

    def __post_init__(self) -> None:
        if not 1 <= self.items <= MOST_ITEMS:
            raise UsageError(f"a plan is for 1 to {MOST_ITEMS:,} items, not {self.items:,}")
        if not len(self.seconds) or not all(0 <= one < float("inf") for one in self.seconds):
            raise UsageError("a plan needs seconds of at least one item, each 0 or more")
        for name in ("memory", "size", "tokens", "dollars"):
            if not 0 <= (value := getattr(self, name)) < float("inf"):
                raise UsageError(f"{name} of an item must be 0 or more, not {value}")


@dataclass(frozen=True)
class Cluster:
    """Nodes of equal size, what the driver's steps take in seconds, and how often nodes fail.

    `setup` passes before the first shard is sent (instances are loaded and verified), `start` until
    a core is ready; `send` and `take` are the driver's, of a shard, `keep` of an item's result.
    `perf.capacity` measures the last four. A node is lost every `failure_hours` on average (0:
    never), and `repair_hours` later another one stands in its place. `node_memory` is its gigabytes
    (0: enough), `price` dollars of its hour, `tokens` what the endpoint gives in a second (0: no
    limit), `disk` megabytes a second that the driver's disk takes.
    """

    nodes: int
    cores: int
    node_memory: float = 0.0
    price: float = 0.0
    tokens: float = 0.0
    disk: float = 100.0
    failure_hours: float = 0.0
    repair_hours: float = 0.1
    setup: float = 0.0
    start: float = 2.0
    send: float = 0.0015
    take: float = 0.0015
    keep: float = 0.00015

    def __post_init__(self) -> None:
        if self.nodes < 1 or self.cores < 1 or self.nodes * self.cores > MOST_CORES:
            raise UsageError(
                f"a plan is for 1 to {MOST_CORES:,} cores, not {self.nodes:,} x {self.cores:,}"
            )
        for name, value in vars(self).items():
            if not 0 <= value < float("inf"):
                raise UsageError(f"{name} of a cluster must be 0 or more, not {value}")

    def workers(self, load: Load) -> int:
        """Cores of a node that its memory has room for; raises UsageError where it has for none."""
        limited = self.node_memory and load.memory
        fit = int(self.node_memory // load.memory) if limited else self.cores
        if fit < 1:
            raise UsageError(
                f"an item takes {load.memory:g} GB, a node has {self.node_memory:g}; "
                "give larger nodes"
            )
        return min(fit, self.cores)


@dataclass(frozen=True)
class Forecast:
    """What a run takes, and the share of its time in which each part is busy.

    `redone` is the share of the cores' time that was lost with nodes, `waiting_gb` the most that
    results took in memory until they were kept.
    """

    hours: float
    cores: int
    core_hours: float
    node_hours: float
    dollars: float
    disk_gb: float
    waiting_gb: float
    nodes_lost: int
    redone: float
    busy: Mapping[str, float]

    @property
    def bottleneck(self) -> str:
        """The part that is busiest."""
        return max(self.busy, key=lambda name: self.busy[name])


def simulate(load: Load, cluster: Cluster, *, seed: int = 0) -> Forecast:
    """What the load takes on the cluster.

    As many items as were measured take what they took, in their order; others draw from it.
    Raises UsageError for nodes that have no room for an item, or are lost before one can end.
    """
    run = _Run(load, cluster, seed)
    run.play()
    size = load.items * load.size  # kilobytes
    need = {
        "cores": run.at_work / run.workers,
        "driver": run.driver,
        "endpoint": load.items * load.tokens / cluster.tokens if cluster.tokens else 0.0,
        "disk": size / 1e3 / cluster.disk if cluster.disk else 0.0,
    }
    seconds = max(run.now, *need.values(), 1e-9)
    hours = seconds / HOUR
    return Forecast(
        hours=hours,
        cores=run.workers,
        core_hours=run.at_work / HOUR,
        node_hours=hours * cluster.nodes,
        dollars=hours * cluster.nodes * cluster.price + load.items * load.dollars,
        disk_gb=size / 1e6,
        waiting_gb=run.most_waiting * load.size / 1e6,
        nodes_lost=run.lost,
        redone=run.redone / max(run.at_work, 1e-9),
        busy={name: need[name] / seconds for name in need},
    )


@dataclass(slots=True)
class _Core:
    node: int
    ready: bool = False
    alive: bool = True


class _Run:
    """The state of a run, and what each event does to it."""

    def __init__(self, load: Load, cluster: Cluster, seed: int) -> None:
        self._items, self._kept = load.items, 0
        self._cluster, self._random = cluster, generator(seed, "capacity", 0)
        measured = len(load.seconds)
        same = load.items == measured
        drawn = np.arange(measured) if same else self._random.integers(measured, size=load.items)
        self._until = np.concatenate([[0.0], np.cumsum(np.asarray(load.seconds, float)[drawn])])
        self._each = cluster.workers(load)
        self.workers = cluster.nodes * self._each
        self._queue: WorkQueue[int, None] = WorkQueue(
            range(load.items), self.workers, lambda item: 1.0, None, ordered=True
        )
        self._events: list[tuple[float, int, Callable[..., None], tuple[Any, ...]]] = []
        self._count = count()
        self._free: deque[_Core] = deque()
        self._ready: deque[list[int]] = deque()
        self._finished: deque[list[int]] = deque()
        self._busy: list[dict[int, tuple[_Core, list[int], float]]]
        self._busy = [{} for _ in range(cluster.nodes)]
        self._out, self._driving = 0, False
        self.now = self.driver = cluster.setup
        self.at_work = self.redone = 0.0
        self.lost = self.waiting = self.most_waiting = 0

    def play(self) -> None:
        """Until the last result is kept."""
        for core in range(self.workers):
            self._free.append(_Core(core % self._cluster.nodes))
        for node in range(self._cluster.nodes):
            self._doom(node)
        self._drive()
        with counting("simulating items", self._items) as told:
            while self._driving or self._out:
                self.now, _, event, given = heapq.heappop(self._events)
                event(*given)
                self._assign()
                self._drive()
                told.to(self._kept)

    def _after(self, seconds: float, event: Callable[..., None], *given: Any) -> None:
        heapq.heappush(self._events, (self.now + seconds, next(self._count), event, given))

    def _drive(self) -> None:
        """The driver's next step: it sends as long as it may, then takes one result."""
        if self._driving:
            return
        if self._queue.more and self._out < AHEAD * self.workers:
            self._out += 1
            self._step(self._cluster.send, self._ready, self._queue.shard())
        elif self._finished:
            places = self._finished.popleft()
            self._step(self._cluster.take + self._cluster.keep * len(places), None, places)

    def _step(self, seconds: float, into: deque[list[int]] | None, places: list[int]) -> None:
        self._driving = True
        self.driver += seconds
        self._after(seconds, self._stepped, into, places)

    def _stepped(self, into: deque[list[int]] | None, places: list[int]) -> None:
        self._driving = False
        if into is not None:
            into.append(places)
            return
        self._out -= 1
        for place in places:
            self._queue.add(place, None)
        kept = sum(1 for _ in self._queue.told())
        self.waiting -= kept
        self._kept += kept

    def _assign(self) -> None:
        """Shards that wait go to cores that are free."""
        while self._ready and self._free:
            core = self._free.popleft()
            places = self._ready.popleft()
            seconds = float(self._until[places[-1] + 1] - self._until[places[0]])
            seconds += 0.0 if core.ready else self._cluster.start
            core.ready = True
            self._busy[core.node][id(core)] = core, places, self.now
            self._after(seconds, self._ended, core)

    def _ended(self, core: _Core) -> None:
        if not core.alive:
            return  # its node was lost before
        _, places, since = self._busy[core.node].pop(id(core))
        self.at_work += self.now - since
        self._finished.append(places)
        self._free.append(core)
        self.waiting += len(places)
        self.most_waiting = max(self.most_waiting, self.waiting)

    def _doom(self, node: int) -> None:
        if hours := self._cluster.failure_hours:
            self._after(self._random.exponential(hours * HOUR), self._fail, node)

    def _fail(self, node: int) -> None:
        self.lost += 1
        if self.lost > MOST_LOST:
            raise UsageError(
                f"{MOST_LOST:,} nodes are lost before the run ends; give shorter items, or nodes "
                "that are lost less often"
            )
        for core, places, since in self._busy[node].values():
            core.alive = False
            self.at_work += self.now - since
            self.redone += self.now - since
            self._ready.appendleft(places)
        self._busy[node].clear()
        self._free = deque(core for core in self._free if core.node != node)
        self._after(self._cluster.repair_hours * HOUR, self._back, node)

    def _back(self, node: int) -> None:
        self._free.extend(_Core(node) for _ in range(self._each))
        self._doom(node)
