"""Rolling out: a prepared work over one process, several, or a Ray cluster; into a file or not."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ordojo.core.errors import UsageError
from ordojo.training.rollouts.asked import ask_model
from ordojo.training.rollouts.cluster import play_over_ray
from ordojo.training.rollouts.files import TrajectoryFile, encode
from ordojo.training.rollouts.player import Player
from ordojo.training.rollouts.policies import is_model
from ordojo.training.rollouts.processes import play_over_processes
from ordojo.training.rollouts.trajectory import Trajectory
from ordojo.training.rollouts.work import Work

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
