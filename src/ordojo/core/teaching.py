"""What trainers ask of a benchmark: problems to learn on, who shows how, and what is paid.

The base is what holds for any benchmark; one that has more to teach extends it in its own folder.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar, NamedTuple

from ordojo.core.canonical import Json
from ordojo.core.errors import DataError, UsageError
from ordojo.core.instance import Instance
from ordojo.core.options import Options
from ordojo.core.policy import Policy
from ordojo.core.ranges import COUNT, SEED
from ordojo.core.trajectory import Trajectory

Parts = Mapping[str, float]
"""The weighted parts of a reward, by the names in `Teaching.parts`; those left out are 0."""

BRIEF = ("brief", "restated", "shortest")
"""Teachers that say the least that does the work; see the benchmark's page."""
EXPERT = "expert-"
"""What the names of teachers that give their reasons begin with."""


class RewardedEpisode(NamedTuple):
    """An episode with the instance that was played."""

    trajectory: Trajectory
    instance: Instance[Any]


ShortForm = Callable[[str], str | None]
"""A shorter text in the place of one of the benchmark's own, None for any other."""

RewardRule = Callable[[RewardedEpisode, Any], Parts]
"""What an episode is paid, under settings of the class `Teaching.paying`."""


@dataclass(frozen=True)
class Bound:
    """What a `figure` of a verdict must be; it falls away where there is no such figure.

    `words` are what it is called, `form` is how its mean is written, `stated` a paper's mean.
    """

    figure: str
    words: str
    least: float = -inf
    most: float = inf
    form: str = ".2f"
    stated: str = ""


@dataclass(frozen=True)
class Criterion:
    """Success under `rule`, the headline rule if "", within `bounds`; `stated`: a paper's count."""

    rule: str = ""
    bounds: tuple[Bound, ...] = ()
    stated: str = ""

    def refusal(self, trajectory: Trajectory) -> str:
        """Why a trajectory is not accepted, in a few words; "" if it is."""
        rule = self.rule or trajectory.provenance.rule
        if trajectory.scores.get(rule) != 1.0:
            return "no success"
        for bound in self.bounds:
            found = trajectory.headline.metrics.get(bound.figure)
            if found is not None and found > bound.most:
                return f"more than {bound.most:g} {bound.words}"
            if found is not None and found < bound.least:
                return f"{bound.words} below {bound.least:g}"
        return ""


class Wanted(Options):
    """Problems that a recipe asks for; a benchmark adds what else its own are asked by."""

    count: int | None = COUNT.field(None)
    seed: int = SEED.field(0)


class Course(Options):
    """A curriculum as it is asked for; a benchmark adds what else its own is asked by.

    The default of `stages` are those that there are, in their order; `count` is how many instances
    each has, None for its usual number. A `usual` one is gone through where a recipe names none.
    """

    usual: ClassVar[bool] = False

    stages: tuple[int, ...] = ()
    seed: int = SEED.field(0)
    count: int | None = COUNT.field(None)


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
    first metric), `curves` the columns of `training.grpo.held_out` that a report draws by step
    (none: every rule's score), `criterion` says which episodes are worth imitating,
    `default_reward` names the rule that pays where none is chosen, `course` a curriculum.

    `wanted`, `coursing` and `paying` are the settings of its problems, of its curriculum and of its
    reward rules, whose fields stand in recipes; `parts` are what a reward is added up of.
    """

    figures: Mapping[str, str] = {}
    curves: Mapping[str, str] = {}
    criterion: Criterion = Criterion()
    default_reward: str = "verdict"
    course: str = ""
    wanted: type[Wanted] = Wanted
    coursing: type[Course] = Course
    paying: type[Options] = Options
    parts: Sequence[str] = ("outcome",)

    def __init__(self, benchmark: Any) -> None:
        self.benchmark = benchmark  # a `Benchmark`, which stands above this module

    @property
    def renderings(self) -> Mapping[str, ShortForm]:
        """How small models read its texts, by the names of `evaluation.compact.RENDERINGS`."""
        return {}

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

    def paper_turns(self, trajectory: Trajectory) -> Iterable[Mapping[str, Any]]:
        """A record a turn in the paper's form (D.10); raises DataError where that has none."""
        raise DataError(f"{trajectory.id} has no record in the paper's form; use sft_records")

    def ground_truth(self, instance: Instance[Any]) -> Any:
        """What the reward knows: D.10's fields where the paper has them, else the gold answer."""
        return self.benchmark.gold(instance)


def environment(episode: RewardedEpisode, how: Options) -> Parts:
    """The environment's own rewards, added up."""
    return {"outcome": episode.trajectory.reward}


def verdict(episode: RewardedEpisode, how: Options) -> Parts:
    """100 times the score under the headline rule, 0 where it is undecided."""
    return {"outcome": 100.0 * (episode.trajectory.headline.score or 0.0)}


RULES: Mapping[str, RewardRule] = {"environment": environment, "verdict": verdict}
"""The rules of every benchmark; "verdict/RULE" is `verdict` under another rule of it."""

JUDGED = "verdict/"


def is_rule(name: str, teaching: Teaching) -> bool:
    """Whether a reward rule of a benchmark may be called so."""
    judged = name.startswith(JUDGED) and len(name) > len(JUDGED)
    return judged or name in RULES or name in teaching.rewards


def reward_parts(
    episode: RewardedEpisode, rule: str, teaching: Teaching, how: Options | None = None
) -> Parts:
    """The parts of an episode's reward under settings of `teaching.paying`.

    Raises UsageError where the rule does not fit it.
    """
    if rule.startswith(JUDGED):
        wanted, trajectory = rule.removeprefix(JUDGED), episode.trajectory
        if wanted not in trajectory.scores:
            raise UsageError(
                f"{trajectory.id} is not judged by '{wanted}'; choose from "
                f"{', '.join(trajectory.scores)}"
            )
        return {"outcome": 100.0 * (trajectory.scores[wanted] or 0.0)}
    known = {**RULES, **teaching.rewards}
    if rule not in known:
        raise UsageError(
            f"{episode.trajectory.id} has no reward rule '{rule}'; choose from "
            f"{', '.join(known)}, verdict/RULE"
        )
    return known[rule](episode, how or teaching.paying())
