"""What happened in one play of an instance, and the plain loop that makes it happen."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from ordojo.core.canonical import Json
from ordojo.core.environment import Environment, Message, Observation
from ordojo.core.errors import UsageError
from ordojo.core.instance import Instance

P = TypeVar("P")


CUT = ("max_tokens", "model_length")
"""Stop reasons of a reply that a token limit ended, in Inspect's words."""

REFUSED = "content_filter"
"""Stop reason of a reply that a content filter, or the model's own refusal, ended."""

UNKNOWN = "unknown"
"""Stop reason where the provider does not say why the reply ended."""


@dataclass(frozen=True, slots=True)
class TurnTokens:
    """The tokens of one turn.

    `prompt` is what the environment put after all tokens before it: the whole prompt on a fresh
    turn, else the new turns alone. `completion` is what the policy sampled, its stop token
    included; `logprobs` has the natural log-probability of each of them under the distribution
    that was sampled from, temperature applied (temperature 1 where the choice was greedy).
    """

    prompt: tuple[int, ...]
    completion: tuple[int, ...]
    logprobs: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.logprobs) != len(self.completion):
            raise ValueError(
                f"{len(self.completion)} tokens have {len(self.logprobs)} log-probabilities"
            )


@dataclass(frozen=True, slots=True)
class Turn:
    """One exchange: the turns asked, the reply, and what the environment made of it.

    `messages` are the new turns, and `info` is the environment's (action, status, IIS size, ...).
    `stop` says why the reply ended, in Inspect's words; it is empty where nothing was generated (a
    scripted policy, a person) and in runs from before it was kept. `max_tokens` is the limit under
    which the reply was generated, None where that is not known. A `fresh` turn begins a new
    conversation; `tokens` is None for a policy that has none. These two are for training alone.
    """

    messages: tuple[Message, ...]
    style: str
    reply: str
    reward: float = 0.0
    info: Mapping[str, Json] = field(default_factory=dict)
    stop: str = ""
    max_tokens: int | None = None
    fresh: bool = True
    tokens: TurnTokens | None = None

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


def spoken(reply: object) -> str:
    """A reply as a text: None is silence, as clients give it for a refusal or a call of a tool.

    Raises UsageError for what is no text.
    """
    if reply is None:
        return ""
    if not isinstance(reply, str):
        raise UsageError(
            f"a reply is a text, or None for silence, and this one is a {type(reply).__name__}; "
            "give the text of the model's answer"
        )
    return reply


class EpisodeBuilder:
    """Steps an environment and keeps what happened; every loop that plays goes by this."""

    def __init__(self, environment: Environment[P], instance: Instance[P], seed: int) -> None:
        self.environment, self.instance = environment, instance
        self._turns: list[Turn] = []
        self._truncated = False
        self.observation: Observation | None = environment.reset(instance, seed)

    def reply(
        self,
        text: str | None,
        info: Mapping[str, Json] | None = None,
        stop: str = "",
        max_tokens: int | None = None,
        tokens: TurnTokens | None = None,
    ) -> None:
        """Act with `text` (`spoken`); `observation` is then what follows, None at the end.

        `info`, `stop`, `max_tokens` and `tokens` are kept in the turn. A refused reply is silence,
        whatever came of it, which is kept beside as "withheld".
        """
        asked = self.observation
        if asked is None:
            return
        text = spoken(text)
        if stop == REFUSED:
            info, text = {**(info or {}), "withheld": text}, ""
        step = self.environment.step(text)
        known = {**step.info, **info} if info else step.info
        how = stop, max_tokens, asked.fresh, tokens
        self._turns.append(Turn(asked.messages, asked.style, text, step.reward, known, *how))
        self._truncated = step.truncated
        self.observation = None if step.terminated or step.truncated else step.observation

    def episode(self) -> Episode:
        """The episode so far."""
        return Episode(tuple(self._turns), self._truncated)


def play(
    environment: Environment[P],
    instance: Instance[P],
    act: Callable[[Observation], str | None],
    seed: int = 0,
) -> Episode:
    """Play one episode to its end with `act` and return it."""
    builder = EpisodeBuilder(environment, instance, seed)
    while builder.observation is not None:
        builder.reply(act(builder.observation))
    return builder.episode()
