"""What is kept of a run: one header and one record a sample; reports are computed from these.

What is read back is checked against its types (`check`). Also the samples with their verdicts under
one rule, how their replies ended, and what asking an item several times shows: pass@k.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Annotated, Any, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from ordojo.core.canonical import Json
from ordojo.core.environment import Message
from ordojo.core.episode import REFUSED, UNKNOWN, Episode, Turn, TurnTokens
from ordojo.core.judge import Outcome, Verdict
from ordojo.core.secrets import without_secrets
from ordojo.core.statistics import Estimate, mean_interval

T = TypeVar("T")

SCHEMA = 1
"""Version of the files in a run directory."""

Item = tuple[str, int]
"""An instance's id and an epoch, from 1: what a sample is known by within its run."""

MISSING = "missing"
"""Stands for the version of a library that is not installed; with a colon and the reason, of one
that is and lacks another."""
BROKEN = "broken"
"""Stands, with a colon and the reason, for the version of one that lacks none and does not work."""


def lacks(version: str) -> bool:
    """Whether what stands as a library's version says that it is not to be had."""
    return version.partition(":")[0] in (MISSING, BROKEN)


class _Stored(BaseModel):
    """What stands in a file: of these types, and of no others that might be made into them."""

    model_config = ConfigDict(strict=True)


class _Tokens(_Stored):
    prompt: list[int]
    completion: list[int]
    logprobs: list[float]


class _Turn(_Stored):
    messages: list[Annotated[list[str], Field(min_length=2, max_length=2)]]
    style: str
    reply: str
    reward: float
    info: dict[str, Any]
    stop: str = ""
    max_tokens: int | None = None
    fresh: bool = True
    tokens: _Tokens | None = None


class _Verdict(_Stored):
    outcome: Outcome
    score: float | None
    answer: Any
    reason: str
    metrics: dict[str, float | None]
    kind: str = ""


class _Usage(_Stored):
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    cost: float


class _Row(_Stored):
    id: str
    epoch: int
    content_hash: str
    cluster: str
    labels: dict[str, str]
    gold: Any
    turns: list[_Turn]
    truncated: bool
    verdicts: dict[str, _Verdict]
    usage: _Usage
    seconds: float
    error: str
    traceback: str = ""


@dataclass(frozen=True)
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

    A failure inside an environment or judge, which is ours and not the provider's, has its
    `traceback`. `epoch` counts from 1. `verdicts` maps every rule's name to its verdict. `seconds`
    is wall time of the episode. `gold` is the ground truth as a reader would want to see it.
    """

    id: str
    epoch: int
    content_hash: str
    cluster: str
    labels: Mapping[str, str]
    gold: Json
    episode: Episode
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    seconds: float = 0.0
    error: str = ""
    traceback: str = ""

    @property
    def item(self) -> Item:
        """What the sample is known by within its run."""
        return self.id, self.epoch

    def verdict(self, rule: str) -> Verdict | None:
        """The verdict of `rule`, None if the sample failed before it could be judged."""
        return self.verdicts.get(rule)

    def to_json(self) -> dict[str, Any]:
        """The record as plain JSON."""
        return {
            **dict(zip(_FIRST, _first_of(self), strict=True)),
            "labels": dict(self.labels),
            "turns": [
                {
                    "messages": [[m.role, m.content] for m in turn.messages],
                    **dict(zip(_TURN, _turn_of(turn), strict=True)),
                    "info": dict(turn.info),
                }
                for turn in self.episode.turns
            ],
            "truncated": self.episode.truncated,
            "verdicts": {name: v.to_json() for name, v in self.verdicts.items()},
            "usage": dict(vars(self.usage)),
            "seconds": round(self.seconds, 6),
            "error": self.error,
            **({"traceback": self.traceback} if self.traceback else {}),
        }

    @classmethod
    def from_json(cls, row: Mapping[str, Any], **beside: Any) -> Self:
        """Read what `to_json` wrote, with the fields that stand `beside` it.

        Raises ValueError, in one line, on anything else.
        """
        check(_ROW, row)
        return cls(
            episode=Episode(tuple(map(_turn, row["turns"])), row["truncated"]),
            verdicts={name: Verdict(name, **v) for name, v in row["verdicts"].items()},
            usage=Usage(**row["usage"]),
            **{name: row[name] for name in _PLAIN if name in row},
            **beside,
        )


def _turn(row: Mapping[str, Any]) -> Turn:
    # Runs from before some fields were kept do not have them, and tokens are for training alone.
    told = {name: row[name] for name in (*_TURN, "fresh") if name in row}
    if tokens := row.get("tokens"):
        told["tokens"] = TurnTokens(**{name: tuple(tokens[name]) for name in tokens})
    return Turn(tuple(Message(role, content) for role, content in row["messages"]), **told)


_TURN = ("style", "reply", "reward", "info", "stop", "max_tokens")
_FIRST = ("id", "epoch", "content_hash", "cluster", "labels", "gold")
_PLAIN = (*_FIRST, "seconds", "error", "traceback")
# A hundred thousand records are written in seconds: one call takes all fields.
_first_of, _turn_of = attrgetter(*_FIRST), attrgetter(*_TURN)
_ROW = TypeAdapter(_Row)


def check(kind: TypeAdapter[T], value: Any) -> T:
    """A stored value as its types have it; raises ValueError, in one line, where it has others."""
    try:
        return kind.validate_python(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise ValueError(f"{where}: {first['msg']}") from None


OFTEN = 0.05
"""Share of replies cut at the token limit from which a run is warned about.

A cut reply mostly scores 0, so that this is about what truncation takes from the score; 5% is the
half-width of the 95% interval of 400 samples, and more than what often parts two models.
"""


@dataclass(frozen=True)
class Endings:
    """Of how many samples a reply was cut at the token limit, refused, empty, or of unsaid end.

    `samples` are those of which it was kept why their replies ended; of `unknown` ones of them the
    provider never said.
    """

    samples: int
    cut: int
    refused: int
    empty: int
    unknown: int

    @property
    def often_cut(self) -> bool:
        """Whether cut replies are frequent enough for a warning."""
        return self.cut > 0 and self.cut >= OFTEN * self.samples

    def __str__(self) -> str:
        said = {
            "cut at the token limit": self.cut,
            "refused": self.refused,
            "empty": self.empty,
            "without a stop reason": self.unknown,
        }
        return ", ".join(f"{count:,} {what}" for what, count in said.items() if count)


def endings(records: Sequence[SampleRecord]) -> Endings:
    """Count how the replies of the finished samples ended.

    An empty reply counts where something was generated: a scripted policy may keep silent.
    """
    every = [record.episode.turns for record in records if not record.error]
    turns = [found for found in every if any(turn.stop for turn in found)]

    def count(ended: Callable[[Turn], bool]) -> int:
        return sum(any(ended(turn) for turn in found) for found in turns)

    return Endings(
        samples=len(turns),
        cut=count(lambda turn: turn.cut),
        refused=count(lambda turn: turn.stop == REFUSED),
        empty=count(lambda turn: bool(turn.stop) and not turn.reply.strip()),
        unknown=count(lambda turn: turn.stop == UNKNOWN),
    )


@dataclass(frozen=True)
class RunHeader:
    """What was run, in full: enough to repeat it.

    `items` is the number of (instance, epoch) pairs that the run consists of; `dataset` maps
    "id" and "sha256" to the data used; `rule` is the headline rule. `limit` takes the first so many
    instances, `sample` so many drawn with `seed`. `libraries` are those that answers are run with,
    each with its version, or what `lacks` says. Secrets among a model's arguments are left out.
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
    sample: int | None = None
    libraries: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        generation = dict(self.generation)
        if arguments := without_secrets(generation.pop("model_args", None)):
            generation["model_args"] = arguments
        object.__setattr__(self, "generation", generation)

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> Self:
        """Read a header that is plain JSON; raises ValueError or TypeError on anything else."""
        check(_HEADER, row)
        return cls(**row)

    @property
    def missing(self) -> list[str]:
        """The libraries that answers may use and that are not to be had."""
        return [name for name, version in self.libraries.items() if lacks(version)]


_HEADER = TypeAdapter(RunHeader)


@dataclass(frozen=True)
class RunView:
    """A run as reports see it: `name` is its directory's, unique among the runs of a report."""

    name: str
    header: RunHeader
    records: Sequence[SampleRecord]
    errors: Sequence[SampleRecord] = ()

    @property
    def complete(self) -> bool:
        """Whether every item of the run is finished."""
        return len(self.records) >= self.header.items


Judged = tuple[SampleRecord, Verdict]


def judged(records: Sequence[SampleRecord], rule: str) -> list[Judged]:
    """The records that were judged, each with its verdict under `rule`."""
    return [(r, v) for r in records if (v := r.verdict(rule)) is not None]


def scored(records: Sequence[SampleRecord], rule: str) -> list[Judged]:
    """The records that `rule` scored, each with its verdict."""
    return [pair for pair in judged(records, rule) if pair[1].score is not None]


def share(found: Sequence[Judged], value: Callable[[Verdict], float | None]) -> Estimate:
    """Mean of a value in [0, 1] over the samples that have it, by clusters."""
    pairs = [(x, record.cluster) for record, verdict in found if (x := value(verdict)) is not None]
    return mean_interval([x for x, _ in pairs], [cluster for _, cluster in pairs])


def one_in(k: int, n: int, right: int) -> float:
    """The chance that one of k samples is right, unbiased, over all choices of k among n."""
    return 1 - math.comb(n - right, k) / math.comb(n, k)


def pass_at(found: Sequence[Judged], name: str) -> Mapping[str, Estimate]:
    """The chance that one of k samples is right, the mean over items with at least k scored ones.

    For every k up to 16, then its doubles, up to the most samples of an item. Intervals are over
    clusters.
    """
    counts: dict[tuple[str, str, str], tuple[int, int]] = {}
    for record, verdict in found:
        if verdict.score is not None:
            key = (record.id, record.content_hash, record.cluster or record.id)
            n, c = counts.get(key, (0, 0))
            counts[key] = (n + 1, c + (verdict.score >= 1))
    most = max((n for n, _ in counts.values()), default=1)
    figures = {}
    for k in (k for k in range(1, most + 1) if k <= 16 or k.bit_count() == 1):
        asked = {key: nc for key, nc in counts.items() if nc[0] >= k}
        chances = [one_in(k, *nc) for nc in asked.values()]
        figures[f"{name}@{k}"] = mean_interval(chances, [key[2] for key in asked])
    return figures
