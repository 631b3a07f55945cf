"""What is kept of a run: one header and one record a sample; reports are computed from these."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ordojo.core.canonical import Json
from ordojo.core.environment import Message
from ordojo.core.episode import Episode, Turn
from ordojo.core.judge import Verdict

SCHEMA = 1
"""Version of the files in a run directory."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens in and out, those of them read from a cache, and cost in US dollars."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cost: float = 0.0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cached_tokens + other.cached_tokens,
            self.cost + other.cost,
        )


@dataclass(frozen=True)
class SampleRecord:
    """One finished sample, or one that failed (`error` set, no verdicts, unscored and counted).

    `epoch` counts from 1. `verdicts` maps every rule's name to its verdict. `seconds` is wall
    time of the episode. `gold` is the ground truth as a reader would want to see it.
    """

    id: str
    epoch: int
    content_hash: str
    cluster: str
    labels: Mapping[str, str]
    gold: Json
    episode: Episode
    verdicts: Mapping[str, Verdict]
    usage: Usage = field(default_factory=Usage)
    seconds: float = 0.0
    error: str = ""

    def verdict(self, rule: str) -> Verdict | None:
        """The verdict of `rule`, None if the sample failed before it could be judged."""
        return self.verdicts.get(rule)

    def to_json(self) -> dict[str, Any]:
        """The record as plain JSON."""
        return {
            "id": self.id,
            "epoch": self.epoch,
            "content_hash": self.content_hash,
            "cluster": self.cluster,
            "labels": dict(self.labels),
            "gold": self.gold,
            "turns": [
                {
                    "messages": [[m.role, m.content] for m in turn.messages],
                    "style": turn.style,
                    "reply": turn.reply,
                    "reward": turn.reward,
                    "info": dict(turn.info),
                }
                for turn in self.episode.turns
            ],
            "truncated": self.episode.truncated,
            "verdicts": {
                name: {
                    "outcome": v.outcome,
                    "score": v.score,
                    "answer": v.answer,
                    "reason": v.reason,
                    "metrics": dict(v.metrics),
                }
                for name, v in self.verdicts.items()
            },
            "usage": {
                "input_tokens": self.usage.input_tokens,
                "output_tokens": self.usage.output_tokens,
                "cached_tokens": self.usage.cached_tokens,
                "cost": self.usage.cost,
            },
            "seconds": round(self.seconds, 6),
            "error": self.error,
        }

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> "SampleRecord":
        """Read what `to_json` wrote; raises KeyError or TypeError on anything else."""
        turns = tuple(
            Turn(
                tuple(Message(role, content) for role, content in turn["messages"]),
                turn["style"],
                turn["reply"],
                turn["reward"],
                turn["info"],
            )
            for turn in row["turns"]
        )
        return cls(
            id=row["id"],
            epoch=row["epoch"],
            content_hash=row["content_hash"],
            cluster=row["cluster"],
            labels=row["labels"],
            gold=row["gold"],
            episode=Episode(turns, row["truncated"]),
            verdicts={name: Verdict(name, **v) for name, v in row["verdicts"].items()},
            usage=Usage(**row["usage"]),
            seconds=row["seconds"],
            error=row["error"],
        )


@dataclass(frozen=True)
class RunHeader:
    """What was run, in full: enough to repeat it.

    `items` is the number of (instance, epoch) pairs that the run consists of; `dataset` maps
    "id" and "sha256" to the data used; `rule` is the headline rule.
    """

    benchmark: str
    benchmark_version: str
    model: str
    options: Mapping[str, Json]
    dataset: Mapping[str, str]
    rule: str
    seed: int
    epochs: int
    limit: int | None
    items: int
    generation: Mapping[str, Json] = field(default_factory=dict)
    created: str = ""
    software: Mapping[str, str] = field(default_factory=dict)
    schema: int = SCHEMA


@dataclass(frozen=True)
class RunView:
    """A run as reports see it: `name` is its directory's, unique among the runs of a report."""

    name: str
    header: RunHeader
    records: Sequence[SampleRecord]
    errors: Sequence[SampleRecord] = ()
    published: bool = False

    @property
    def complete(self) -> bool:
        """Whether every item of the run is finished."""
        return len(self.records) >= self.header.items
