"""The record of an episode as training takes it: with its rollout, conversations and tokens."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from ordojo.core.canonical import Json
from ordojo.core.environment import Message
from ordojo.core.episode import Turn
from ordojo.core.judge import Verdict
from ordojo.core.records import RunHeader, SampleRecord

SCHEMA = 2
"""Version of a file of trajectories: since the second it has the header and records of a run."""


@dataclass(frozen=True, slots=True)
class TokenSpans:
    """A conversation as one sequence of tokens.

    `mask` is 1 where the model sampled the token and 0 where it came from the environment;
    `logprobs` is 0 there. `prompt_length` counts the tokens before the first completion.
    """

    ids: tuple[int, ...]
    mask: tuple[int, ...]
    logprobs: tuple[float, ...]
    prompt_length: int


@dataclass(frozen=True)
class Trajectory(SampleRecord):
    """One judged episode of a rollout.

    `provenance` is shared by the trajectories of a rollout and is written once, as the header of
    their file. There is no time in either: equal rollouts have equal bytes.
    """

    provenance: RunHeader = field(kw_only=True)

    @property
    def headline(self) -> Verdict:
        """The verdict of the rollout's headline rule."""
        return self.verdicts[self.provenance.rule]

    @property
    def scores(self) -> Mapping[str, float | None]:
        """The score of every rule, None where unscored."""
        return {name: verdict.score for name, verdict in self.verdicts.items()}

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns of the episode."""
        return self.episode.turns

    @property
    def reward(self) -> float:
        """The sum of the steps' rewards."""
        return self.episode.reward

    @property
    def last_info(self) -> Mapping[str, Json]:
        """The last turn's info, empty if there was no turn."""
        return self.turns[-1].info if self.turns else {}

    def conversations(self) -> Iterator[tuple[Turn, ...]]:
        """The turns, cut where a fresh one begins a new conversation."""
        start = 0
        for place in range(1, len(self.turns) + 1):
            if place == len(self.turns) or self.turns[place].fresh:
                yield self.turns[start:place]
                start = place

    def to_json(self) -> dict[str, Any]:
        """The row of a file: everything but the provenance, and of a turn what training needs.

        Figures that another rule shares with the headline's stand once.
        """
        row = super().to_json()
        headline = row["verdicts"][self.provenance.rule]
        for verdict in row["verdicts"].values():
            if verdict is not headline and verdict["metrics"] == headline["metrics"]:
                del verdict["metrics"]
        for told, turn in zip(row["turns"], self.turns, strict=True):
            told["fresh"] = turn.fresh
            if turn.tokens is not None:
                told["tokens"] = {name: getattr(turn.tokens, name) for name in _TOKENS}
        return row

    @classmethod
    def from_json(cls, row: Mapping[str, Any], **beside: Any) -> Self:
        """Read what `to_json` wrote, its provenance `beside` it.

        Raises ValueError, KeyError or TypeError on anything else.
        """
        figures = {"metrics": row["verdicts"][beside["provenance"].rule]["metrics"]}
        verdicts = {name: {**figures, **one} for name, one in row["verdicts"].items()}
        return super().from_json({**row, "verdicts": verdicts}, **beside)


_TOKENS = ("prompt", "completion", "logprobs")


def messages_of(conversation: tuple[Turn, ...]) -> list[Message]:
    """The chat of one conversation, the policy's completions as the assistant's turns."""
    found: list[Message] = []
    for turn in conversation:
        found += [*turn.messages, Message("assistant", turn.reply)]
    return found


def tokens_of(conversation: tuple[Turn, ...]) -> TokenSpans:
    """The tokens of one conversation in a row; raises ValueError where a turn has none."""
    ids: list[int] = []
    mask: list[int] = []
    logprobs: list[float] = []
    for turn in conversation:
        if turn.tokens is None:
            raise ValueError("the policy of this trajectory has no tokens; encode its texts")
        prompt, completion = turn.tokens.prompt, turn.tokens.completion
        ids += [*prompt, *completion]
        mask += [0] * len(prompt) + [1] * len(completion)
        logprobs += [0.0] * len(prompt) + list(turn.tokens.logprobs)
    first = conversation[0].tokens
    return TokenSpans(tuple(ids), tuple(mask), tuple(logprobs), len(first.prompt) if first else 0)
