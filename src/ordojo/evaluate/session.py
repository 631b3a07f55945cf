"""An evaluation in progress: what is asked, how it is judged, and how a sample becomes a record."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ordojo.core.benchmark import AnyBenchmark
from ordojo.core.environment import Environment
from ordojo.core.episode import Episode, EpisodeBuilder
from ordojo.core.errors import UsageError
from ordojo.core.instance import Instance
from ordojo.core.options import Options
from ordojo.core.policy import Policy
from ordojo.core.records import SampleRecord, Usage
from ordojo.evaluate.runs import Item


@dataclass(frozen=True)
class Session:
    """One benchmark under one set of options: its instances, and environments to reuse."""

    benchmark: AnyBenchmark
    options: Options
    seed: int
    limit: int | None = None
    policies: dict[str, Policy] = field(default_factory=dict)
    _idle: list[Environment[Any]] = field(default_factory=list)

    @cached_property
    def instances(self) -> Sequence[Instance[Any]]:
        """The instances asked, each verified, in file order."""
        loaded = self.benchmark.load(self.options, self.seed)[: self.limit]
        for instance in loaded:
            self.benchmark.verify(instance)
        return loaded

    @cached_property
    def by_id(self) -> Mapping[str, Instance[Any]]:
        """The instances by id."""
        return {instance.id: instance for instance in self.instances}

    @cached_property
    def rule(self) -> str:
        """The headline rule."""
        return self.benchmark.default_rule(self.options)

    def items(self, epochs: int, done: Iterable[Item] = ()) -> list[Item]:
        """What is left to ask. Items of one cluster stand together, so that a model's prefix
        cache serves them; otherwise in file order.
        """
        first: dict[str, int] = {}
        for place, instance in enumerate(self.instances):
            first.setdefault(instance.cluster, place)
        ordered = sorted(self.instances, key=lambda instance: first[instance.cluster])
        left = set(done)
        return [
            (instance.id, epoch)
            for epoch in range(1, epochs + 1)
            for instance in ordered
            if (instance.id, epoch) not in left
        ]

    def policy(self, name: str) -> Policy:
        """The benchmark's scripted policy of that name; raises UsageError."""
        policies = self.benchmark.policies(self.instances)
        if name not in policies:
            raise UsageError(
                f"there is no model 'ordojo/{name}' for {self.benchmark.name}; there is "
                f"{', '.join(f'ordojo/{known}' for known in policies)}, ordojo/replay?path=... "
                "and the embedded ordojo/smollm2"
            )
        return policies[name]

    def begin(self, instance: Instance[Any]) -> "Attempt":
        """Start an episode in an idle environment, or a new one."""
        idle = self._idle
        environment = idle.pop() if idle else self.benchmark.environment(self.options, self.seed)
        return Attempt(self, instance, environment)

    def release(self, environment: Environment[Any]) -> None:
        """Give an environment back for the next episode."""
        self._idle.append(environment)

    def close(self) -> None:
        """Close the idle environments."""
        while self._idle:
            self._idle.pop().close()


class Attempt:
    """One episode under way, ending in a record."""

    def __init__(
        self, session: Session, instance: Instance[Any], environment: Environment[Any]
    ) -> None:
        self._session, self._instance, self._environment = session, instance, environment
        self._started = time.perf_counter()
        self.steps = EpisodeBuilder(environment, instance, session.seed)

    def abandon(self) -> None:
        """Release the environment without a record."""
        self._session.release(self._environment)

    def record(self, epoch: int, usage: Usage | None = None) -> SampleRecord:
        """Judge the finished episode under every rule and release the environment."""
        self.abandon()
        episode = self.steps.episode()
        rules = self._session.benchmark.rules
        return self._make(
            epoch,
            episode,
            verdicts={name: judge(self._instance, episode) for name, judge in rules.items()},
            usage=usage or Usage(),
        )

    def failure(self, epoch: int, error: str, usage: Usage | None = None) -> SampleRecord:
        """Record that the policy could not be asked; the environment is not reused."""
        self._environment.close()
        return self._make(epoch, self.steps.episode(), error=error, usage=usage or Usage())

    def _make(self, epoch: int, episode: Episode, **rest: Any) -> SampleRecord:
        instance = self._instance
        return SampleRecord(
            id=instance.id,
            epoch=epoch,
            content_hash=instance.content_hash,
            cluster=instance.cluster,
            labels=instance.labels,
            gold=self._session.benchmark.gold(instance),
            episode=episode,
            seconds=time.perf_counter() - self._started,
            **{"verdicts": {}, **rest},
        )
