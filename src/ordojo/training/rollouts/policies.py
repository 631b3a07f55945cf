"""The kinds of policies that rollouts take, and the protocol of those that show their tokens."""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable
from urllib.parse import parse_qs, urlsplit

import numpy as np

from ordojo.core.benchmark import AnyBenchmark
from ordojo.core.environment import Message, Observation, Style
from ordojo.core.episode import spoken
from ordojo.core.errors import UsageError
from ordojo.core.instance import Instance
from ordojo.core.policy import Act, Policy
from ordojo.evaluation.scripted import Replay, is_scripted

PREFIX = "ordojo/"


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

    def load(self) -> Policy | TokenPolicy:
        """Make the policy."""
        return self.make()


@dataclass(frozen=True)
class Prompted:
    """Any function from a prompt to a text as a policy: it is given the conversation as one text.
    Where it gives None, that is silence.

    It is told `max_tokens`, `temperature` and `seed` as far as it has parameters of these names
    (`core.policy.Generate` has all). A raw prompt is passed on as it is; chat turns stand under
    "System:", "User:" and "Assistant:", the last one open. `temperature` None is the protocol's.
    """

    generate: Callable[..., str | None]
    max_tokens: int | None = None
    temperature: float | None = None

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
            temperature = asked.temperature if self.temperature is None else self.temperature
            settings = {
                "max_tokens": self.max_tokens or asked.max_tokens,
                "temperature": temperature or 0.0,
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


def scripted(benchmark: AnyBenchmark, instances: Sequence[Instance[Any]], name: str) -> Policy:
    """The benchmark's scripted policy called `name`; raises UsageError for an unknown one."""
    parts = urlsplit(name.removeprefix(PREFIX))
    if parts.path == "replay" and (paths := parse_qs(parts.query).get("path")):
        return Replay(Path(paths[0]))
    policies = benchmark.policies(instances)
    if parts.path not in policies:
        raise UsageError(
            f"{benchmark.name} has no scripted policy '{parts.path}'; it has "
            f"{', '.join(policies)}, and 'replay?path=FILE'"
        )
    return policies[parts.path]


def is_model(policy: PolicySpec) -> bool:
    """Whether a policy is a language model that is asked through Inspect."""
    return isinstance(policy, str) and "/" in policy.partition("?")[0] and not is_scripted(policy)


def name_of(policy: PolicySpec) -> str:
    """What a policy is called in records."""
    if isinstance(policy, str):
        known = "/" in policy.partition("?")[0]
        return policy if known else PREFIX + policy
    return str(getattr(policy, "name", type(policy).__name__))
