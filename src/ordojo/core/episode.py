"""What happened in one play of an instance, and the plain loop that makes it happen."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from ordojo.core.canonical import Json
from ordojo.core.environment import Environment, Message, Observation
from ordojo.core.instance import Instance

P = TypeVar("P")


CUT = ("max_tokens", "model_length")
"""Stop reasons of a reply that a token limit ended, in Inspect's words."""

REFUSED = "content_filter"
"""Stop reason of a reply that a content filter, or the model's own refusal, ended."""

UNKNOWN = "unknown"
"""Stop reason where the provider does not say why the reply ended."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One exchange: the turns asked, the reply, and what the environment made of it.

    `stop` says why the reply ended, in Inspect's words; it is empty where nothing was generated (a
    scripted policy, a person) and in runs from before it was kept. `max_tokens` is the limit under
    which the reply was generated, None where that is not known.
    """

    messages: tuple[Message, ...]
    style: str
    reply: str
    reward: float = 0.0
    info: Mapping[str, Json] = field(default_factory=dict)
    stop: str = ""
    max_tokens: int | None = None

    @property
    def cut(self) -> bool:
        """Whether a token limit ended the reply; a protocol of one token ends there by design."""
        return self.stop in CUT and self.max_tokens != 1


@dataclass(frozen=True, slots=True)
class Episode:
    """The exchanges of one play, in order; `truncated` says that a limit ended it."""

    turns: tuple[Turn, ...]
    truncated: bool = False

    @property
    def last_reply(self) -> str:
        """The last text of the policy, empty if there was none."""
        return self.turns[-1].reply if self.turns else ""

    @property
    def reward(self) -> float:
        """The sum of the steps' rewards."""
        return float(sum(turn.reward for turn in self.turns))


class EpisodeBuilder:
    """Steps an environment and keeps what happened; shared by the plain and the Inspect loop."""

    def __init__(self, environment: Environment[P], instance: Instance[P], seed: int) -> None:
        self._environment = environment
        self._turns: list[Turn] = []
        self._truncated = False
        self.observation: Observation | None = environment.reset(instance, seed)

    def reply(
        self,
        text: str,
        info: Mapping[str, Json] | None = None,
        stop: str = "",
        max_tokens: int | None = None,
    ) -> None:
        """Act with `text`; `observation` is then what follows, None at the end.

        `info`, `stop` and `max_tokens` are kept in the turn. A refused reply is silence, whatever
        came of it, which is kept beside as "withheld".
        """
        asked = self.observation
        if asked is None:
            return
        if stop == REFUSED:
            info, text = {**(info or {}), "withheld": text}, ""
        step = self._environment.step(text)
        merged = {**step.info, **info} if info else step.info
        reward = step.reward
        self._turns.append(
            Turn(asked.messages, asked.style, text, reward, merged, stop, max_tokens)
        )
        self._truncated = step.truncated
        self.observation = None if step.terminated or step.truncated else step.observation

    def episode(self) -> Episode:
        """The episode so far."""
        return Episode(tuple(self._turns), self._truncated)


def play(
    environment: Environment[P],
    instance: Instance[P],
    act: Callable[[Observation], str],
    seed: int = 0,
) -> Episode:
    """Play one episode to its end with `act` and return it."""
    builder = EpisodeBuilder(environment, instance, seed)
    while builder.observation is not None:
        builder.reply(act(builder.observation))
    return builder.episode()
