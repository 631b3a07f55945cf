"""The speed of rollouts, as ratios against the plain environment measured in the same run."""

import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ordojo.core.episode import play
from ordojo.evaluate.bench import Figure
from ordojo.training.rollouts.processes import one_thread, open_pool, pickled, play_shard
from ordojo.training.rollouts.rollout import record
from ordojo.training.rollouts.work import Sampling, Work, plan

POLICY = "greedy-iis"
"""What is played: a few diagnostic and repair actions an episode, with a solve for each repair."""


def bench_rollouts(instances: int = 60, repeats: int = 5) -> list[Figure]:
    """Measure a rollout into a file against the bare environment, and two processes against one.

    The first ratio is of processor time, each part in turn, and is the median of the pairs. The
    second is of wall time once the workers are at work; where others use the machine's processors
    too, the processor time of an episode says what two free ones would give.
    """
    work = plan("or-debug", POLICY, limit=instances)
    shares = []
    with tempfile.TemporaryDirectory() as folder:
        _bare(work)
        for place in range(repeats):
            path = Path(folder) / f"{place}.jsonl"
            bare = _seconds(lambda: _bare(work))
            ours = _seconds(lambda path=path: record(work, path))  # type: ignore[misc]
            shares.append(bare / ours)
    many = plan("or-debug", POLICY, limit=instances, samples=8, sampling=Sampling(batch=10))
    one, two = _pace(many, 1), _pace(many, 2)
    dearer = two.worker / one.worker
    return [
        Figure(
            f"rollout of {POLICY} into a file / bare environment",
            statistics.median(shares),
            "times the speed, one core",
            "0.9 or more",
        ),
        Figure("two processes / one", two.rate / one.rate, "times the speed", "1.7 or more"),
        Figure("an episode's processor time, two processes / one", dearer, "times", "1.15 or less"),
        Figure("processor time of the parent / of its workers", two.parent / two.worker, "", ""),
        Figure("one process", one.rate, "episodes/s", ""),
    ]


@dataclass(frozen=True)
class _Pace:
    """Episodes a second of wall time; processor seconds an episode of worker and parent."""

    rate: float
    worker: float
    parent: float


def _bare(work: Work) -> None:
    """The same policy in one environment, nothing kept."""
    seed = work.provenance.seed
    policy = work.benchmark.policies(work.instances)[POLICY]
    environment = work.benchmark.environment(work.options, seed)
    for instance in work.instances:
        play(environment, instance, policy.begin(instance, seed, 1), seed)
    environment.close()


def _seconds(task: Callable[[], object]) -> float:
    started = time.process_time()
    task()
    return time.process_time() - started


def _pace(work: Work, workers: int) -> _Pace:
    with one_thread(), open_pool(pickled(work), workers) as pool:
        shards = list(work.shards())
        # A worker's first shard builds its models; the clock starts after it.
        list(pool.map(_timed, shards[: 2 * workers]))
        own, started = time.process_time(), time.perf_counter()
        used = sum(pool.map(_timed, shards))
        passed = time.perf_counter() - started
        parent = time.process_time() - own
    return _Pace(work.size / passed, used / work.size, parent / work.size)


def _timed(shard: range) -> float:
    """Processor seconds of playing a shard in a worker."""
    return _seconds(lambda: play_shard(shard))
