"""Rollouts of any model that Inspect reaches: asked through the evaluation engine, then replayed.

The engine brings connections, retries and concurrency; replaying the replies brings the same
trajectories as every other way, at the cost of stepping the environment twice.
"""

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from ordojo.core.errors import ProviderError
from ordojo.core.instance import Instance
from ordojo.core.records import SampleRecord
from ordojo.evaluate.session import Session
from ordojo.training.rollouts.play import Player
from ordojo.training.rollouts.trajectory import Trajectory
from ordojo.training.rollouts.work import Key, Work


@dataclass(frozen=True)
class _Given(Session):
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
    from ordojo.evaluate.engine.run import Connection, connect, run_items
    from ordojo.evaluate.engine.solver import Drive

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
