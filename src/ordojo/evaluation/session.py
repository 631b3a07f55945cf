"""An evaluation in progress: what is asked, how it is judged, and how a sample becomes a record."""

import logging
import platform
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache, cached_property
from typing import Any, NamedTuple

from pydantic import FilePath

from ordojo import __version__
from ordojo.core.benchmark import AnyBenchmark
from ordojo.core.building import setting
from ordojo.core.canonical import Json
from ordojo.core.environment import Environment, Observation
from ordojo.core.episode import Episode, EpisodeBuilder, Turn
from ordojo.core.errors import OrdojoError, UsageError
from ordojo.core.instance import Instance
from ordojo.core.judge import judge_all
from ordojo.core.options import Options, in_chat, parse_options
from ordojo.core.policy import Policy
from ordojo.core.progress import counted
from ordojo.core.ranges import COUNT, SHARE, TEMPERATURE, NumberRange
from ordojo.core.records import Item, RunHeader, SampleRecord, Usage
from ordojo.core.secrets import hidden
from ordojo.core.seeds import episode_seed, generator

_verified: set[tuple[Any, ...]] = set()
"""What this process has verified: a command that asks five models asks all of them the same."""


class Generation(Options):
    """What replaces the protocol's own settings of generation; None leaves them."""

    parameters = True

    temperature: float | None = TEMPERATURE.field(None, "Instead of the protocol's.")
    top_p: float | None = SHARE.field(None, "Instead of the protocol's.")
    max_tokens: int | None = COUNT.field(None, "Instead of the protocol's.")
    reasoning_tokens: int | None = COUNT.field(
        None, "Tokens to think in before a chat reply, on top of the reply's own."
    )


class Connection(Options):
    """How a language model is reached; None leaves a setting to the provider."""

    parameters = True

    model_args: Mapping[str, Any] = setting({}, "A model's argument.", "-M", metavar="KEY=VALUE")
    base_url: str | None = setting(None, "Another address of the provider.", "--model-base-url")
    max_connections: int | None = NumberRange(1, 100_000, whole=True).field(
        None, "Requests under way at once."
    )
    timeout: int | None = NumberRange(1, 1_000_000, whole=True).field(
        None, "Seconds for one attempt at a request."
    )
    max_retries: int | None = NumberRange(0, 1000, whole=True).field(
        5, "How often a failed request is tried again."
    )
    prices: FilePath | None = setting(
        None,
        "Model prices, YAML or JSON, dollars per million tokens (Inspect's model cost "
        "configuration).",
        metavar="FILE",
    )


def chat_options(benchmark: AnyBenchmark, settings: Mapping[str, Any]) -> Options:
    """The options of a benchmark that is answered in chat turns, by whoever has no raw prompts.

    What would continue a raw prompt by default is asked with mode=chat, and a warning of the logger
    "ordojo" says so, once; others what a trainer should know (`Options.warnings`). Raises
    UsageError as `parse_options` does.
    """
    asked = in_chat(benchmark.options, settings)
    options: Options = parse_options(benchmark.options, asked, benchmark.name)
    if asked is not settings:
        _warn(
            f"{benchmark.name} continues a raw prompt by default; answered in chat turns it is "
            "asked with mode=chat, and judged by that mode's rule"
        )
    for line in options.warnings():
        _warn(line)
    return options


@cache
def _warn(line: str) -> None:
    logging.getLogger("ordojo").warning("ordojo: %s", line)


class Answer(NamedTuple):
    """A reply, what to keep beside it, why it ended, and the most tokens that it could have."""

    text: str
    info: Mapping[str, Json] | None = None
    stop: str = ""
    max_tokens: int | None = None

    @classmethod
    def of(cls, turn: Turn) -> "Answer":
        """What was said in a turn, also where a refusal made it silence."""
        return cls(str(turn.info.get("withheld", turn.reply)), None, turn.stop, turn.max_tokens)


class InsideError(Exception):
    """An exception inside an environment or a judge: ours, never the provider's.

    The exception is the cause; `episode` is what was played until then.
    """

    def __init__(self, episode: Episode) -> None:
        super().__init__("an environment or a judge failed")
        self.episode = episode


@dataclass(frozen=True)
class EvaluationSession:
    """One benchmark under one set of options: its instances, and environments to reuse.

    `limit` takes the first so many instances, `sample` so many drawn (`draw`). `begun` counts the
    episodes of each instance for those who play without epochs.
    """

    benchmark: AnyBenchmark
    options: Options
    seed: int
    limit: int | None = None
    sample: int | None = None
    policies: dict[str, Policy] = field(default_factory=dict)
    begun: Counter[str] = field(default_factory=Counter)
    _idle: list[Environment[Any]] = field(default_factory=list)

    def __getstate__(self) -> dict[str, Any]:
        """As it travels to workers: environments and policies stay, the instances go along."""
        return {**self.__dict__, "instances": self.instances, "policies": {}, "_idle": []}

    @cached_property
    def instances(self) -> Sequence[Instance[Any]]:
        """The instances asked, each verified, in file order."""
        loaded = self.benchmark.load(self.options, self.seed)[: self.limit]
        if self.sample is not None:
            loaded = draw(loaded, self.sample, self.seed, self.benchmark.strata)
        for instance in counted(loaded, "checking certificates"):
            told = (instance.id, instance.cluster, *sorted(instance.labels.items()))
            seen = (type(self.benchmark), instance.content_hash, told)
            if seen not in _verified:
                self.benchmark.verify(instance)
                _verified.add(seen)
        return loaded

    @cached_property
    def by_id(self) -> Mapping[str, Instance[Any]]:
        """The instances by id."""
        return {instance.id: instance for instance in self.instances}

    @cached_property
    def known(self) -> Set[str]:
        """The ids of the whole dataset, asked or not."""
        if self.limit is None and self.sample is None:
            return self.by_id.keys()
        return {instance.id for instance in self.benchmark.load(self.options, self.seed)}

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

    def header(
        self,
        model: str,
        items: int,
        epochs: int,
        generation: Mapping[str, Any],
        software: Mapping[str, str],
    ) -> RunHeader:
        """What a run of these instances by `model` is known by."""
        benchmark, options = self.benchmark, self.options
        return RunHeader(
            benchmark=benchmark.name,
            benchmark_version=benchmark.version,
            model=model,
            options=options.model_dump(mode="json"),
            dataset=benchmark.dataset(options),
            rule=self.rule,
            seed=self.seed,
            epochs=epochs,
            limit=self.limit,
            sample=self.sample,
            items=items,
            generation=generation,
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            software={"ordojo": __version__, **software, "python": platform.python_version()},
            libraries=benchmark.libraries(options),
        )

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

    def begin(self, instance: Instance[Any], epoch: int = 1) -> "Attempt":
        """Start the instance's episode of that epoch."""
        return Attempt(self, instance, self.environment(), epoch)

    def first(self, instance: Instance[Any], epoch: int = 1) -> Observation | None:
        """What the episode asks first; None where it cannot be begun, as its sample will say."""
        with suppress(InsideError):
            attempt = self.begin(instance, epoch)
            attempt.abandon()
            return attempt.steps.observation
        return None

    def environment(self) -> Environment[Any]:
        """An idle environment, or a new one."""
        idle = self._idle
        return idle.pop() if idle else self.benchmark.environment(self.options, self.seed)

    def play(
        self, instance: Instance[Any], epoch: int, answer: Callable[[Observation], Answer]
    ) -> SampleRecord:
        """Play the episode to its end; its record, with `error` where ordojo itself failed."""
        try:
            attempt = self.begin(instance, epoch)
            while (asked := attempt.steps.observation) is not None:
                attempt.reply(*answer(asked))
            return attempt.record(epoch)
        except InsideError as error:
            return self.fault(instance, epoch, error)

    def fault(
        self, instance: Instance[Any], epoch: int, error: InsideError, usage: Usage | None = None
    ) -> SampleRecord:
        """Record that ordojo itself failed at an item, with the traceback."""
        cause = error.__cause__ or error
        return self._record(
            instance,
            epoch,
            error.episode,
            error=f"inside ordojo: {cause!r}",
            traceback="".join(traceback.format_exception(cause)),
            usage=usage or Usage(),
        )

    def _record(
        self, instance: Instance[Any], epoch: int, episode: Episode, **rest: Any
    ) -> SampleRecord:
        for name in ("error", "traceback"):
            if name in rest:
                rest[name] = hidden(rest[name])
        return SampleRecord(
            id=instance.id,
            epoch=epoch,
            content_hash=instance.content_hash,
            cluster=instance.cluster,
            labels=instance.labels,
            gold=self.benchmark.gold(instance),
            episode=episode,
            **rest,
        )

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
        self,
        session: EvaluationSession,
        instance: Instance[Any],
        environment: Environment[Any],
        epoch: int,
    ) -> None:
        self._session, self._instance, self._environment = session, instance, environment
        self._started = time.perf_counter()
        try:
            self.steps = EpisodeBuilder(environment, instance, episode_seed(session.seed, epoch))
        except OrdojoError:  # what cannot be begun is for the user to mend
            environment.close()
            raise
        except Exception as error:
            raise self._failed() from error

    def _failed(self) -> InsideError:
        """A fault of ours, which fails this sample alone; the environment is closed."""
        self._environment.close()
        steps = getattr(self, "steps", None)
        return InsideError(steps.episode() if steps else Episode(()))

    def reply(
        self,
        text: str,
        info: Mapping[str, Json] | None = None,
        stop: str = "",
        max_tokens: int | None = None,
    ) -> None:
        """Act with `text` (`EpisodeBuilder.reply`); raises InsideError."""
        try:
            self.steps.reply(text, info, stop, max_tokens)
        except Exception as error:
            raise self._failed() from error

    def abandon(self) -> None:
        """Release the environment without a record."""
        self._session.release(self._environment)

    def record(self, epoch: int, usage: Usage | None = None) -> SampleRecord:
        """Judge the finished episode under every rule and release the environment.

        Raises InsideError.
        """
        episode = self.steps.episode()
        try:
            verdicts = judge_all(self._session.benchmark.rules, self._instance, episode)
        except Exception as error:
            raise self._failed() from error
        self.abandon()
        return self._make(epoch, episode, verdicts=verdicts, usage=usage or Usage())

    def failure(self, epoch: int, error: str, usage: Usage | None = None) -> SampleRecord:
        """Record that the policy could not be asked; the environment is not reused."""
        self._environment.close()
        return self._make(epoch, self.steps.episode(), error=error, usage=usage or Usage())

    def _make(self, epoch: int, episode: Episode, **rest: Any) -> SampleRecord:
        seconds = time.perf_counter() - self._started
        return self._session._record(self._instance, epoch, episode, seconds=seconds, **rest)


def draw(
    instances: Sequence[Instance[Any]], n: int, seed: int, labels: Sequence[str]
) -> list[Instance[Any]]:
    """Draw `n` instances with `seed`, in file order; all of them where there are no more.

    Each stratum, the instances of the same values of `labels`, gets its share: n times its part of
    all, rounded down, and what is left goes to the largest remainders. Who answers does not matter.
    """
    n = min(n, len(instances))
    strata: dict[tuple[str, ...], list[int]] = {}
    for place, instance in enumerate(instances):
        key = tuple(instance.labels.get(label, "") for label in labels)
        strata.setdefault(key, []).append(place)
    shares = {key: divmod(n * len(places), len(instances)) for key, places in strata.items()}
    counts = {key: whole for key, (whole, _) in shares.items()}
    # Of equal remainders a random one wins, so that no stratum is favoured by its name.
    tie = generator(seed, "sample", 0).permutation(len(strata))
    order = dict(zip(sorted(strata), tie, strict=True))
    ranked = sorted(strata, key=lambda key: (-shares[key][1], order[key]))
    for key in ranked[: n - sum(counts.values())]:
        counts[key] += 1
    chosen: list[int] = []
    for key, places in strata.items():
        rng = generator(seed, "sample/" + "/".join(key), len(labels))
        chosen += [places[i] for i in rng.permutation(len(places))[: counts[key]]]
    return [instances[place] for place in sorted(chosen)]
