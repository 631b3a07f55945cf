"""What is kept of one episode for training: texts, rewards, tokens, verdict."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from ordojo.core.canonical import Json, digest
from ordojo.core.environment import Message
from ordojo.core.episode import Episode, Turn, TurnTokens
from ordojo.core.judge import Verdict

SCHEMA = 1
"""Version of the rows of a file of trajectories."""

Key = tuple[str, int]
"""An instance's id and the number of the sample, from 1."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """What the trajectories of one rollout come from: enough to make them again, byte for byte.

    `policy` is a scripted policy's or a model's name, `sampling` what it was asked with
    (temperature, top_p, batch, and what else decides its texts); `options` are all of the
    benchmark's, `dataset` maps "id" and "sha256" to the instances, `samples` is the number of
    episodes an instance. There is no time in it: equal rollouts have equal bytes.
    """

    benchmark: str
    benchmark_version: str
    options: Mapping[str, Json]
    dataset: Mapping[str, str]
    rule: str
    policy: str
    seed: int
    samples: int
    sampling: Mapping[str, Json] = field(default_factory=dict)
    ordojo: str = ""
    schema: int = SCHEMA

    @property
    def options_digest(self) -> str:
        """SHA-256 of the benchmark's options."""
        return digest(dict(self.options))

    def to_json(self) -> dict[str, Any]:
        """The provenance as plain JSON, the options' digest with it."""
        return {**asdict(self), "options_digest": self.options_digest}

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> Self:
        """Read what `to_json` wrote; raises TypeError on anything else."""
        return cls(**{key: value for key, value in row.items() if key != "options_digest"})


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


@dataclass(frozen=True, slots=True)
class Trajectory:
    """One episode, judged.

    `sample` counts the episodes of an instance from 1. `verdict` is that of the headline rule,
    `scores` has the score of every rule (None where unscored). `provenance` is shared by the
    trajectories of a rollout and is written once, as the header of their file.
    """

    instance: str
    content_hash: str
    sample: int
    episode: Episode
    verdict: Verdict
    scores: Mapping[str, float | None]
    labels: Mapping[str, str]
    gold: Json
    provenance: Provenance

    @property
    def key(self) -> Key:
        """What the trajectory is known by within its rollout."""
        return self.instance, self.sample

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
        """The row of a file: everything but the provenance."""
        return {
            "instance": self.instance,
            "sample": self.sample,
            "content_hash": self.content_hash,
            "labels": dict(self.labels),
            "gold": self.gold,
            "turns": [_turn_json(turn) for turn in self.turns],
            "truncated": self.episode.truncated,
            "verdict": {"rule": self.verdict.rule, **self.verdict.to_json()},
            "scores": dict(self.scores),
        }

    @classmethod
    def from_json(cls, row: Mapping[str, Any], provenance: Provenance) -> Self:
        """Read what `to_json` wrote; raises KeyError, TypeError or ValueError on anything else."""
        return cls(
            instance=str(row["instance"]),
            content_hash=row["content_hash"],
            sample=int(row["sample"]),
            episode=Episode(tuple(_turn(turn) for turn in row["turns"]), row["truncated"]),
            verdict=Verdict(**row["verdict"]),
            scores=row["scores"],
            labels=row["labels"],
            gold=row["gold"],
            provenance=provenance,
        )


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


def _turn_json(turn: Turn) -> dict[str, Any]:
    row: dict[str, Any] = {
        "messages": [[m.role, m.content] for m in turn.messages],
        "completion": turn.reply,
        "reward": turn.reward,
        "info": dict(turn.info),
        "style": turn.style,
        "fresh": turn.fresh,
    }
    if turn.tokens is not None:
        row["tokens"] = {
            "prompt": turn.tokens.prompt,
            "completion": turn.tokens.completion,
            "logprobs": turn.tokens.logprobs,
        }
    return row


def _turn(row: Mapping[str, Any]) -> Turn:
    tokens = row.get("tokens")
    return Turn(
        messages=tuple(Message(role, content) for role, content in row["messages"]),
        reply=row["completion"],
        reward=row["reward"],
        info=row["info"],
        style=row["style"],
        fresh=row["fresh"],
        tokens=None
        if tokens is None
        else TurnTokens(*(tuple(tokens[name]) for name in ("prompt", "completion", "logprobs"))),
    )
