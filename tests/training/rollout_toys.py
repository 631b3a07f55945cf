"""What the tests of rollouts share: instances, and policies that misbehave in other processes."""

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ordojo.benchmarks.or_debug.policies import policies
from ordojo.core.instance import Instance
from ordojo.core.policy import Act
from ordojo.core.registry import get_benchmark
from ordojo.training.made import instances as made_instances
from ordojo.training.rollouts.work import Sampling, Work, plan


def debugging(count: int) -> list[Instance[Any]]:
    """The first instances of or-debug's eval set."""
    benchmark = get_benchmark("or-debug")
    return list(benchmark.load(benchmark.options(), 0)[:count])


def problems(split: str, seed: int, kinds: str, count: int, injectors: str = "robust") -> Any:
    """Problems of or-debug as a recipe makes them."""
    benchmark = get_benchmark("or-debug")
    teaching = benchmark.teaching()
    settings = {"set": split, "kinds": kinds, "injectors": injectors}
    made = teaching.problems(teaching.wanted(count=count, seed=seed, **settings))
    return made_instances(benchmark, made)


def small_work(policy: Any = "greedy-iis", count: int = 6, samples: int = 2) -> Work:
    """A rollout of `count` instances in batches of 3."""
    return plan(
        "or-debug",
        policy,
        instances=debugging(count),
        samples=samples,
        seed=3,
        sampling=Sampling(batch=3),
        name="toy",
    )


@dataclass(frozen=True)
class Killer:
    """Plays by chance; kills its own process at `instance`, each time until `left` files stand."""

    instance: str
    folder: Path
    left: int = 1

    def begin(self, instance: Instance[Any], seed: int, epoch: int) -> Act:
        if instance.id == self.instance and epoch == 1:
            died = len(list(self.folder.iterdir()))
            if died < self.left:
                (self.folder / str(died)).touch()
                os.kill(os.getpid(), signal.SIGKILL)
        return policies()["random"].begin(instance, seed, epoch)


def slow_square(item: int) -> int:
    """A square that takes long enough for a node to be lost meanwhile."""
    time.sleep(0.2)
    return item * item
