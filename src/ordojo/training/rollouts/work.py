"""What a rollout is to do: instances, policy, seed and sampling, the same for every backend."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from ordojo import __version__
from ordojo.core.benchmark import AnyBenchmark
from ordojo.core.canonical import digest
from ordojo.core.errors import UsageError
from ordojo.core.instance import Instance
from ordojo.core.options import Options, parse_options
from ordojo.core.registry import get_benchmark
from ordojo.core.teaching import Key, Provenance
from ordojo.training.rollouts.policies import Loader, PolicySpec, is_model, name_of

Item = tuple[Instance[Any], int]
"""An instance and the number of the sample, from 1."""


@dataclass(frozen=True)
class Sampling:
    """How a language model is asked; None leaves a setting to the benchmark's protocol.

    `batch` episodes are played together: a model's log-probabilities depend on it in their last
    digits.
    """

    temperature: float | None = None
    top_p: float = 1.0
    max_tokens: int | None = None
    batch: int = 16

    def __post_init__(self) -> None:
        if self.temperature is not None and self.temperature < 0:
            raise UsageError(f"a temperature must not be negative, and is {self.temperature:g}")
        if not 0 < self.top_p <= 1:
            raise UsageError(f"top_p must lie above 0 and at most at 1, and is {self.top_p:g}")
        if self.batch < 1 or (self.max_tokens is not None and self.max_tokens < 1):
            raise UsageError("a batch and max_tokens must be at least 1")


@dataclass(frozen=True)
class Work:
    """A prepared rollout: every episode is decided by this, wherever it is played.

    Items come instance by instance with all their samples. Can be pickled if the policy can.
    """

    benchmark: AnyBenchmark
    options: Options
    instances: Sequence[Instance[Any]]
    policy: PolicySpec
    sampling: Sampling
    provenance: Provenance
    connection: Mapping[str, Any] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """The number of episodes."""
        return len(self.instances) * self.provenance.samples

    def items(self, start: int, stop: int) -> list[Item]:
        """The items from place `start` up to `stop`."""
        samples = self.provenance.samples
        return [(self.instances[i // samples], i % samples + 1) for i in range(start, stop)]

    def key(self, place: int) -> Key:
        """The key of the item at `place`."""
        samples = self.provenance.samples
        return self.instances[place // samples].id, place % samples + 1

    def shards(self, done: frozenset[Key] = frozenset()) -> Iterator[range]:
        """The places to play in batches, those without any item left to do not among them."""
        batch = self.sampling.batch
        for start in range(0, self.size, batch):
            shard = range(start, min(start + batch, self.size))
            if not done or any(self.key(place) not in done for place in shard):
                yield shard


def plan(
    benchmark: str | AnyBenchmark,
    policy: PolicySpec,
    *,
    options: Options | Mapping[str, Any] | None = None,
    instances: Sequence[Instance[Any]] | None = None,
    seed: int = 0,
    samples: int = 1,
    limit: int | None = None,
    sampling: Sampling = Sampling(),
    connection: Mapping[str, Any] | None = None,
    name: str = "",
) -> Work:
    """Prepare a rollout; `samples` episodes of each instance.

    `instances` are taken as they are; without them the benchmark's own are loaded and each is
    verified. `name` replaces the policy's in the provenance; `connection` has the fields of
    `evaluate.engine.run.Connection` for language models. Raises UsageError or DataError.
    """
    if isinstance(benchmark, str):
        benchmark = get_benchmark(benchmark)
    if isinstance(options, Options):
        chosen = options
    else:
        chosen = parse_options(benchmark.options, options or {}, benchmark.name)
    if samples < 1 or (limit is not None and limit < 1):
        raise UsageError("a rollout needs at least 1 sample of at least 1 instance")
    if instances is None:
        origin = benchmark.dataset(chosen)["id"]
        instances = benchmark.load(chosen, seed)[:limit]
        for instance in instances:
            benchmark.verify(instance)
    else:
        origin, instances = f"{benchmark.name}@given", instances[:limit]
    if not instances:
        raise UsageError(f"there are no instances of {benchmark.name} to play")
    ids = {instance.id for instance in instances}
    if len(ids) != len(instances):
        raise UsageError(f"of the {len(instances)} instances some have the same id; leave them out")
    scripted = isinstance(policy, str) and not is_model(policy)
    asked = {} if scripted else asdict(sampling)
    if isinstance(policy, Loader) and policy.content:
        asked["content"] = policy.content
    provenance = Provenance(
        benchmark=benchmark.name,
        benchmark_version=benchmark.version,
        options=chosen.model_dump(mode="json"),
        dataset={"id": origin, "sha256": digest([one.content_hash for one in instances])},
        rule=benchmark.default_rule(chosen),
        policy=name or name_of(policy),
        seed=seed,
        samples=samples,
        sampling={key: value for key, value in asked.items() if value is not None},
        ordojo=__version__,
    )
    return Work(benchmark, chosen, instances, policy, sampling, provenance, connection or {})
