"""Shards over a Ray cluster; Ray plays the shard of a dead worker or node again."""

import hashlib
import pickle
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

from ordojo.core.errors import RunError, UsageError
from ordojo.training.rollouts.files import encode
from ordojo.training.rollouts.player import Player
from ordojo.training.rollouts.processes import DEATHS, pickled
from ordojo.training.rollouts.work import Work

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
