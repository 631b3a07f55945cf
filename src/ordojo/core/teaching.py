"""What trainers ask of a benchmark, and what they keep of an episode.

Problems to learn on, who shows how, and what is paid: the base is what holds for any benchmark; one
that has more to teach extends it in its own folder. A trajectory has texts, rewards, tokens and
verdict.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple, Self

from ordojo.core.canonical import Json, digest
from ordojo.core.environment import Message
from ordojo.core.episode import Episode, Turn, TurnTokens
from ordojo.core.errors import DataError, UsageError
from ordojo.core.instance import Instance
from ordojo.core.judge import Verdict
from ordojo.core.policy import Policy

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
            "verdict": self.verdict.to_json(),
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


Parts = Mapping[str, float]
"""The weighted parts of a reward, by the names in `NAMES`; those left out are 0."""

NAMES = ("outcome", "diagnosis", "efficiency", "faithfulness", "process")

BRIEF = ("brief", "restated", "shortest")
"""Teachers that say the least that does the work; see the benchmark's page."""
EXPERT = "expert-"
"""What the names of teachers that give their reasons begin with."""


class RewardedEpisode(NamedTuple):
    """An episode with the instance that was played."""

    trajectory: Trajectory
    instance: Instance[Any]


@dataclass(frozen=True, slots=True)
class RewardWeights:
    """The shares of outcome, diagnosis and efficiency; the paper's choice out of table 37."""

    outcome: float = 0.5
    diagnosis: float = 0.3
    efficiency: float = 0.2


@dataclass(frozen=True)
class Composite:
    """The weights of table 37, and whether a repair outside the IIS costs 20."""

    weights: RewardWeights = field(default_factory=RewardWeights)
    faithfulness: bool = True


RewardRule = Callable[[RewardedEpisode, Composite], Parts]


@dataclass(frozen=True)
class Criterion:
    """Success under `rule`, the headline rule if "", in `steps` with `accuracy` or better.

    Steps are the counted ones up to the last model; accuracy is the diagnostic accuracy against
    the recorded IIS. Where a benchmark's verdicts have no such figure, the condition falls away.
    """

    rule: str = ""
    steps: float | None = None
    accuracy: float | None = None

    def refusal(self, trajectory: Trajectory) -> str:
        """Why a trajectory is not accepted, in a few words; "" if it is."""
        rule = self.rule or trajectory.provenance.rule
        if trajectory.scores.get(rule) != 1.0:
            return "no success"
        measures = trajectory.verdict.metrics
        if self.steps is not None and measures.get("steps", 0.0) > self.steps:
            return f"more than {self.steps:g} steps"
        if self.accuracy is not None and measures.get("da", 1.0) < self.accuracy:
            return f"diagnostic accuracy below {self.accuracy:g}"
        return ""


@dataclass(frozen=True)
class Wanted:
    """Problems that a recipe asks for: `count` of a `set`, of the types `kinds` in turn.

    `injectors` are "robust" or the paper's "basic" ones (C.1).
    """

    count: int | None = None
    seed: int = 0
    set: str = ""
    kinds: str = ""
    injectors: str = "robust"


@dataclass(frozen=True)
class Course:
    """A curriculum as it is asked for; see `training.curriculum.CurriculumConfig`."""

    stages: tuple[int, ...]
    seed: int
    count: int | None
    training: str
    kinds: str


@dataclass(frozen=True)
class Making:
    """Instances that take long: `make(place)` makes each of `count`; `about` decides which."""

    name: str
    about: tuple[Json, ...]
    count: int
    make: Callable[[int], Instance[Any]]


Made = Sequence[Instance[Any]] | Making


class Teaching:
    """The base: any benchmark's instances, its scripted policies, and its verdicts as rewards.

    `figures` maps the metrics that are shown of a trained model to what they are called (none: the
    first metric), `criterion` says which episodes are worth imitating, `default_reward` names the
    rule that pays where none is chosen, `course` a curriculum.
    """

    figures: Mapping[str, str] = {}
    criterion: Criterion = Criterion()
    default_reward: str = "verdict"
    course: str = ""

    def __init__(self, benchmark: Any) -> None:
        self.benchmark = benchmark  # a `Benchmark`, which stands above this module

    @property
    def rewards(self) -> Mapping[str, RewardRule]:
        """The benchmark's own reward rules by name."""
        return {}

    def warnings(self, rule: str) -> Sequence[str]:
        """A line for each way in which a reward rule pays others more than the ground truth."""
        return ()

    def problems(self, wanted: Wanted) -> Made | None:
        """Problems made anew; None where the benchmark's options load all there are.

        Raises UsageError for what cannot be made.
        """
        if wanted.kinds or wanted.set:
            raise UsageError(f"{self.benchmark.name} has no kinds and sets here: use its options")
        return None

    def teacher(self, name: str, doubt: float = 0.0) -> Policy | None:
        """A teacher by name, None where a scripted policy is meant; raises UsageError."""
        if name.startswith(EXPERT) or name in BRIEF:
            raise UsageError(f"{self.benchmark.name} has no teacher '{name}'")
        return None

    def check_course(self, course: Course) -> None:
        """Raise UsageError for a curriculum that cannot be gone through."""

    def stage(self, course: Course, number: int) -> Made:
        """The instances of a curriculum's stage, by its number from 1."""
        raise UsageError(f"{self.benchmark.name} has no curriculum")

    def paper_record(self, instance: Instance[Any]) -> Mapping[str, Any]:
        """The instance in the paper's form (D.10); raises DataError where that has none."""
        raise DataError(f"{instance.id} has no record in the paper's form; use grpo_records")

    def ground_truth(self, instance: Instance[Any]) -> Any:
        """What the reward knows: D.10's fields where the paper has them, else the gold answer."""
        return self.benchmark.gold(instance)


def environment(episode: RewardedEpisode, how: Composite) -> Parts:
    """The environment's own rewards, added up."""
    return {"outcome": episode.trajectory.reward}


def verdict(episode: RewardedEpisode, how: Composite) -> Parts:
    """100 times the score under the headline rule, 0 where it is undecided."""
    return {"outcome": 100.0 * (episode.trajectory.verdict.score or 0.0)}


RULES: Mapping[str, RewardRule] = {"environment": environment, "verdict": verdict}
"""The rules of every benchmark; "verdict/RULE" is `verdict` under another rule of it."""

JUDGED = "verdict/"


def is_rule(name: str, teaching: Teaching) -> bool:
    """Whether a reward rule of a benchmark may be called so."""
    judged = name.startswith(JUDGED) and len(name) > len(JUDGED)
    return judged or name in RULES or name in teaching.rewards


def reward_parts(
    episode: RewardedEpisode, rule: str, teaching: Teaching, how: Composite = Composite()
) -> Parts:
    """The parts of an episode's reward; raises UsageError where the rule does not fit it."""
    if rule.startswith(JUDGED):
        wanted, trajectory = rule.removeprefix(JUDGED), episode.trajectory
        if wanted not in trajectory.scores:
            raise UsageError(
                f"{trajectory.instance} is not judged by '{wanted}'; choose from "
                f"{', '.join(trajectory.scores)}"
            )
        return {"outcome": 100.0 * (trajectory.scores[wanted] or 0.0)}
    known = {**RULES, **teaching.rewards}
    if rule not in known:
        raise UsageError(
            f"{episode.trajectory.instance} has no reward rule '{rule}'; choose from "
            f"{', '.join(known)}, verdict/RULE"
        )
    return known[rule](episode, how)
