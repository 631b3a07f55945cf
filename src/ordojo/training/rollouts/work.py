"""What a rollout is to do: instances, policy, seed and sampling, the same for every backend.

With the kinds of policies that rollouts take, and the protocol of those that show their tokens.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np

from ordojo import __version__
from ordojo.core.benchmark import AnyBenchmark
from ordojo.core.canonical import digest
from ordojo.core.environment import Message, Observation, Style
from ordojo.core.episode import spoken
from ordojo.core.errors import UsageError
from ordojo.core.instance import Instance
from ordojo.core.options import Options, parse_options
from ordojo.core.policy import Act, Policy
from ordojo.core.records import Item, RunHeader
from ordojo.core.registry import get_benchmark
from ordojo.core.trajectory import SCHEMA
from ordojo.evaluation.scripted import PREFIX, is_scripted


@dataclass(frozen=True, slots=True)
class Completion:
    """What a policy sampled: the tokens, their log-probabilities, and the text without its end.

    `ended` says that the last token is a stop token, which is not part of `text`.
    """

    ids: tuple[int, ...]
    logprobs: tuple[float, ...]
    text: str
    ended: bool


@runtime_checkable
class TokenPolicy(Protocol):
    """A policy that samples tokens itself, many prompts at once.

    `name` goes into the provenance; `context` is the most tokens of prompt and completion
    together. Deterministic given the prompts, their order, and the generators.
    """

    name: str
    context: int

    def encode(
        self, messages: Sequence[Message], style: Style, after: Completion | None
    ) -> list[int]:
        """The tokens that new turns add, up to where the policy begins to answer.

        `after` is the policy's own last completion in a conversation that goes on, whose end is
        written here if the policy did not; None begins a new one.
        """
        ...

    def complete(
        self,
        prompts: Sequence[Sequence[int]],
        generators: Sequence[np.random.Generator],
        *,
        max_tokens: int,
        temperature: float,
        top_p: float,
        stop: Sequence[str],
    ) -> list[Completion]:
        """Continue each prompt by at most `max_tokens`, drawing with the generator of its own.

        Temperature 0 is greedy. A completion ends at a stop token or at the first of `stop`.
        """
        ...


@dataclass(frozen=True)
class Loader:
    """A policy made where it is used: in each process, on each machine.

    `make` must be a function or object that can be pickled. `name` goes into the provenance, and
    so does `content`, a digest of what it is made from.
    """

    name: str
    make: Callable[[], Policy | TokenPolicy]
    content: str = ""


@dataclass(frozen=True)
class Prompted:
    """Any function from a prompt to a text as a policy: it is given the conversation as one text.
    Where it gives None, that is silence.

    It is told `max_tokens`, `temperature` and `seed` as far as it has parameters of these names
    (`core.policy.Generate` has all). A raw prompt is passed on as it is; chat turns stand under
    "System:", "User:" and "Assistant:", the last one open.
    """

    generate: Callable[..., str | None]
    max_tokens: int | None = None

    def begin(self, instance: Instance[Any], seed: int, epoch: int) -> Act:
        """Start a conversation; `epoch` is added to the seed that the callable is given."""
        talk: list[Message] = []
        told = _told(self.generate)

        def act(asked: Observation) -> str:
            if asked.fresh:
                talk.clear()
            talk.extend(asked.messages)
            text = asked.text
            if asked.style == "chat":
                turns = (f"{m.role.capitalize()}: {m.content}" for m in talk)
                text = "\n\n".join([*turns, "Assistant:"])
            settings = {
                "max_tokens": self.max_tokens or asked.max_tokens,
                "temperature": asked.temperature or 0.0,
                "seed": seed + epoch,
            }
            reply = spoken(self.generate(text, **{name: settings[name] for name in told}))
            talk.append(Message("assistant", reply))
            return reply

        return act


def _told(generate: Callable[..., Any]) -> list[str]:
    """Which settings a callable takes by name; none of one that cannot be looked into."""
    try:
        parameters = inspect.signature(generate).parameters.values()
    except (TypeError, ValueError):
        return []
    kinds = {one.name: one.kind for one in parameters}
    if inspect.Parameter.VAR_KEYWORD in kinds.values():
        return list(_SETTINGS)
    by_name = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    # The first one is the prompt, whatever it is called.
    return [name for name in _SETTINGS if kinds.get(name) in by_name and name != next(iter(kinds))]


_SETTINGS = ("max_tokens", "temperature", "seed")

PolicySpec = str | Policy | TokenPolicy | Loader
"""A scripted policy's name ("gold", "ordojo/gold", "ordojo/replay?path=..."), the name of a
language model as `ordojo eval` takes it, a policy, or the loader of one."""


def is_model(policy: PolicySpec) -> bool:
    """Whether a policy is a language model that is asked through Inspect."""
    return isinstance(policy, str) and "/" in policy.partition("?")[0] and not is_scripted(policy)


def name_of(policy: PolicySpec) -> str:
    """What a policy is called in records."""
    if isinstance(policy, str):
        known = "/" in policy.partition("?")[0]
        return policy if known else PREFIX + policy
    return str(getattr(policy, "name", type(policy).__name__))


Asked = tuple[Instance[Any], int]
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
    provenance: RunHeader
    connection: Mapping[str, Any] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """The number of episodes."""
        return len(self.instances) * self.provenance.epochs

    def items(self, start: int, stop: int) -> list[Asked]:
        """The items from place `start` up to `stop`."""
        samples = self.provenance.epochs
        return [(self.instances[i // samples], i % samples + 1) for i in range(start, stop)]

    def key(self, place: int) -> Item:
        """The key of the item at `place`."""
        samples = self.provenance.epochs
        return self.instances[place // samples].id, place % samples + 1

    def shards(self, done: frozenset[Item] = frozenset()) -> Iterator[range]:
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
    `evaluation.session.Connection` for language models. Raises UsageError or DataError.
    """
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
    is_sampled = is_model(policy) or not isinstance(policy, str)
    asked = asdict(sampling) if is_sampled else {}
    if isinstance(policy, Loader) and policy.content:
        asked["content"] = policy.content
    provenance = RunHeader(
        benchmark=benchmark.name,
        benchmark_version=benchmark.version,
        options=chosen.model_dump(mode="json"),
        dataset={"id": origin, "sha256": digest([one.content_hash for one in instances])},
        rule=benchmark.default_rule(chosen),
        model=name or name_of(policy),
        seed=seed,
        epochs=samples,
        limit=None,  # the dataset's digest is of the instances that are played
        items=len(instances) * samples,
        generation={key: value for key, value in asked.items() if value is not None},
        software={"ordojo": __version__},
        schema=SCHEMA,
    )
    return Work(benchmark, chosen, instances, policy, sampling, provenance, connection or {})
