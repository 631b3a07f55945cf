"""The environment: text in, text out, one episode at a time, knowing no language-model library."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Generic, Literal, TypeVar

from ordojo.core.canonical import Json
from ordojo.core.instance import Instance

P = TypeVar("P")

Role = Literal["system", "user", "assistant"]
Style = Literal["chat", "completion"]


@dataclass(frozen=True, slots=True)
class Message:
    """One chat turn."""

    role: Role
    content: str


def chat(messages: Iterable[Message]) -> list[dict[str, str]]:
    """Turns as chat templates and trainers take them."""
    return [{"role": turn.role, "content": turn.content} for turn in messages]


@dataclass(frozen=True, slots=True)
class Observation:
    """What is asked, and how it is to be asked.

    `messages` are the new turns; under `style="completion"` there is exactly one, the raw prompt
    to continue, sent without a chat template. `fresh` starts a new conversation, else the turns
    follow those before. `max_tokens` bounds the reply, which ends at the first of `stop`.
    `choices` is the closed set of answers where there is one; `choose` asks for the choice of
    highest probability instead of generated text. `temperature` is the protocol's, if it has one.
    """

    messages: tuple[Message, ...]
    style: Style = "chat"
    fresh: bool = True
    max_tokens: int = 512
    stop: tuple[str, ...] = ()
    temperature: float | None = 0.0
    choices: tuple[str, ...] = ()
    choose: bool = False

    @property
    def text(self) -> str:
        """The new turns' text, joined by blank lines."""
        return "\n\n".join(message.content for message in self.messages)


@dataclass(frozen=True, slots=True)
class Step:
    """What an action led to.

    `observation` is None when the episode is over: `terminated` by its own end, `truncated` by a
    limit. `reward` is a real number; `info` is JSON for records and reports.
    """

    observation: Observation | None
    reward: float = 0.0
    terminated: bool = False
    truncated: bool = False
    info: Mapping[str, Json] = field(default_factory=dict)


class Environment(ABC, Generic[P]):
    """A task in which a policy acts by text.

    Deterministic: the same instance, seed and texts give the same bytes. Any text is a legal
    action; a useless one costs the policy, never raises. `step` before `reset` or after the end
    raises `BenchmarkError`; `close` may be called any number of times.

    `waits` says whether a step waits for another process, such as a program in a sandbox.
    """

    waits: ClassVar[bool] = False

    @abstractmethod
    def reset(self, instance: Instance[P], seed: int) -> Observation:
        """Begin an episode and return its first observation.

        `seed` is the episode's (`seeds.episode_seed`): samples of an instance have different ones.
        """

    @abstractmethod
    def step(self, text: str) -> Step:
        """Act with `text`."""

    def close(self) -> None:
        """Free what the environment holds."""
