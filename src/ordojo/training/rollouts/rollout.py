"""Rollouts: which instances are played by whom, in this process, in many, or over Ray."""

import json
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from ordojo.core.errors import ProviderError
from ordojo.core.instance import Instance
from ordojo.core.progress import counting
from ordojo.core.records import SampleRecord
from ordojo.core.spread import HERE, Place, spread
from ordojo.core.teaching import Key, Trajectory
from ordojo.evaluation.session import Answer, EvaluationSession
from ordojo.training.rollouts.files import TrajectoryFile, encode
from ordojo.training.rollouts.play import Player
from ordojo.training.rollouts.policies import is_model
from ordojo.training.rollouts.work import Work


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
    from ordojo.evaluation.engine.ask import Drive
    from ordojo.evaluation.engine.run import Connection, connect, run_items

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

        def keep(record: SampleRecord) -> None:
            if record.error:
                errors.append(record.error)
                return
            said = [Answer.of(turn) for turn in record.episode.turns]
            sink(player.replay((session.by_id[record.id], record.epoch), said))

        drive = Drive(session, keep, overrides)
        with tempfile.TemporaryDirectory() as folder:
            run_items(drive, model, list(left), how, Path(folder))
    session.close()
    if errors and len(errors) == len(left):
        raise ProviderError(
            f"none of the {len(left)} episodes could be played; the first error was: {errors[0]}"
        )
    return errors


def start(work: Work) -> Callable[[range], bytes]:
    """What plays shards and gives the lines of their trajectories; made once a worker."""
    player = Player(work)
    return lambda shard: encode(player.play(work.items(shard.start, shard.stop)))


def play_shards(work: Work, shards: Iterable[range], place: Place) -> Iterator[tuple[range, bytes]]:
    """The shards with the lines of their trajectories, in order; raises as `spread` does."""
    every = list(shards)
    yield from zip(every, spread(partial(start, work), every, place, cost=len), strict=True)


@dataclass(frozen=True)
class Recorded:
    """A file of trajectories after a rollout: how many it holds, and why others are missing."""

    path: Path
    episodes: int
    errors: tuple[str, ...] = ()


def rollout(work: Work, place: Place = HERE) -> Iterator[Trajectory]:
    """Play every episode and yield the trajectories in order, a batch at a time.

    Raises what playing raises; ProviderError where a language model could not be asked.
    """
    if is_model(work.policy):
        found: dict[tuple[str, int], Trajectory] = {}
        keys = [work.key(place) for place in range(work.size)]
        ask_model(work, keys, lambda one: found.update({one.key: one}))
        yield from (found[key] for key in keys if key in found)
    elif place == HERE:
        with Player(work) as player, counting(_playing(work), work.size) as count:
            for shard in work.shards():
                played = player.play(work.items(shard.start, shard.stop))
                count.step(len(played))
                yield from played
    else:
        for _, lines in play_shards(work, work.shards(), place):
            for text in lines.splitlines():
                yield Trajectory.from_json(json.loads(text), work.provenance)


def _playing(work: Work) -> str:
    return f"{work.provenance.policy} plays {work.provenance.benchmark}"


def record(
    work: Work,
    path: Path,
    place: Place = HERE,
    progress: Callable[[int], None] = lambda episodes: None,
) -> Recorded:
    """Play what `path` does not hold yet and append it; `progress` hears how many it holds.

    The bytes do not depend on the place, nor on whether and where it was stopped and started
    again. Of a language model over a network the order is that in which it answered, and what
    could not be asked is left to the next call.
    """
    with (
        TrajectoryFile(path, work.provenance) as file,
        counting(_playing(work), work.size, len(file.done)) as count,
    ):
        before = len(file.done)

        def tell() -> None:
            progress(len(file.done))
            count.to(len(file.done) - before)

        tell()
        errors: list[str] = []
        if is_model(work.policy):

            def keep(trajectory: Trajectory) -> None:
                file.add([trajectory.key], encode([trajectory]))
                tell()

            every = (work.key(place) for place in range(work.size))
            left = [key for key in every if key not in file.done]
            errors = ask_model(work, left, keep) if left else []
        else:
            for shard, lines in play_shards(work, work.shards(frozenset(file.done)), place):
                keys = [work.key(place) for place in shard]
                new = [place for place, key in enumerate(keys) if key not in file.done]
                if len(new) < len(keys):
                    rows = lines.splitlines(keepends=True)
                    lines = b"".join(rows[place] for place in new)
                file.add((keys[place] for place in new), lines)
                tell()
        return Recorded(path, len(file.done), tuple(errors))
