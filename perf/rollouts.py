"""The speed of rollouts, as ratios against the plain environment measured in the same run."""

import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ordojo.core.episode import play
from ordojo.core.spread import Place, spread
from ordojo.training.rollouts.files import TrajectoryFile, encode
from ordojo.training.rollouts.rollout import Player, start
from ordojo.training.rollouts.work import Asked, Sampling, Work, plan
from perf.engine import PROBLEMS
from perf.figure import Figure, command

POLICY = "greedy-iis"
"""What is played: a few diagnostic and repair actions an episode, with a solve for each repair."""


def bench_rollouts(instances: int = 60, repeats: int = 5) -> list[Figure]:
    """Measure a rollout into a file against the bare environment, and two processes against one.

    The first ratio is of processor time, a few episodes of each in turn, and is the median of the
    pairs. The second is of wall time once the workers are at work; where others use the machine's
    processors too, the processor time of an episode says what two free ones would give.
    """

    def asked(samples: int, batch: int) -> Work:
        wanted = Sampling(batch=batch)
        return plan(
            "or-debug", POLICY, options=PROBLEMS, samples=samples, limit=instances, sampling=wanted
        )

    shares = _shares(asked(1, 6), repeats)
    many = asked(8, 10)
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


def _shares(work: Work, repeats: int) -> list[float]:
    """The bare environment's time over a rollout's, nothing kept and all, batch by batch."""
    seed = work.provenance.seed
    policy = work.benchmark.policies(work.instances)[POLICY]
    environment = work.benchmark.environment(work.options, seed)
    found = []
    with (
        tempfile.TemporaryDirectory() as folder,
        TrajectoryFile(Path(folder) / "rollout.jsonl", work.provenance) as file,
        Player(work) as player,
    ):

        def bare(items: Sequence[Asked]) -> None:
            for instance, sample in items:
                play(environment, instance, policy.begin(instance, seed, sample), seed)

        def ours(items: Sequence[Asked]) -> None:
            file.add((), encode(player.play(items)))

        for turn in range(repeats + 1):
            for shard in work.shards():
                items = work.items(shard.start, shard.stop)
                order = (bare, ours) if turn % 2 else (ours, bare)
                took = {task: _seconds(partial(task, items)) for task in order}
                # In the first round each instance is new.
                found += [took[bare] / took[ours]] if turn else []
    environment.close()
    return found


def _seconds(task: Callable[[], object]) -> float:
    started = time.process_time()
    task()
    return time.process_time() - started


def _pace(work: Work, workers: int) -> _Pace:
    shards = list(work.shards())
    # A worker's first shard builds its models; the clock starts after those.
    warm = 2 * workers
    played = spread(partial(_timing, work), shards[:warm] + shards, Place("processes", workers))
    for _ in range(warm):
        next(played)
    own, started = time.process_time(), time.perf_counter()
    used = sum(played)
    passed = time.perf_counter() - started
    parent = time.process_time() - own
    return _Pace(work.size / passed, used / work.size, parent / work.size)


def _timing(work: Work) -> Callable[[range], float]:
    """Gives the processor seconds of playing a shard in a worker."""
    play = start(work)
    return lambda shard: _seconds(lambda: play(shard))


if __name__ == "__main__":
    command(bench_rollouts)()
