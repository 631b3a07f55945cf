"""GRPO's settings, and the composite reward of an episode in parts that add up (004, 4.3, D.3)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from pydantic import Field, StrictInt

from ordojo.benchmarks.or_debug import rewards as debugging
from ordojo.benchmarks.or_debug.actions import REPAIR, ActionKind
from ordojo.benchmarks.or_debug.outcome import recall
from ordojo.benchmarks.or_debug.rewards import SOLVED, UNSOLVED, RewardWeights, Transition
from ordojo.benchmarks.or_debug.schema import FARMED, Debugging, OrDebugOptions
from ordojo.core.errors import UsageError
from ordojo.core.instance import Instance
from ordojo.core.options import parse_options
from ordojo.core.ranges import COUNT, COUNT_OR_NONE
from ordojo.core.registry import get_benchmark
from ordojo.core.trajectory import Exchange, Trajectory
from ordojo.solvers.answers import Status
from ordojo.training.models.settings import Count, NotNegative, Positive, TrainingSettings

Parts = Mapping[str, float]
"""The weighted parts of a reward, by the names in `NAMES`; those left out are 0."""

NAMES = ("outcome", "diagnosis", "efficiency", "faithfulness", "process")

Process = Callable[[Sequence[str]], Sequence[float]]
"""A process reward model: the texts of an episode's steps (`prm.text_of`) to scores in [0, 1]."""


class RewardedEpisode(NamedTuple):
    """An episode with the instance that was played."""

    trajectory: Trajectory
    instance: Instance[Any]


@dataclass(frozen=True)
class Composite:
    """The weights of table 37, and whether a repair outside the IIS costs 20."""

    weights: RewardWeights = field(default_factory=RewardWeights)
    faithfulness: bool = True


def equation_5(episode: RewardedEpisode, how: Composite) -> Parts:
    """Equation 5 over an or-debug episode: the outcome is its last status."""
    return _debugging(episode, how, debugging.equation_5)


def equation_5_no_drift(episode: RewardedEpisode, how: Composite) -> Parts:
    """Equation 5 that pays for a true repair alone, and least for giving up: the default."""
    return _debugging(episode, how, debugging.equation_5_no_drift)


def algorithm_9(episode: RewardedEpisode, how: Composite) -> Parts:
    """Algorithm 9, summed over the turns of an or-debug episode, a diagnosis once."""
    return _debugging(episode, how, debugging.algorithm_9)


def equation_5_full(episode: RewardedEpisode, how: Composite) -> Parts:
    """Equation 5 whose outcome asks for the objective too: 100 for a full success, else -50.

    Equation 5 itself pays for any OPTIMAL, so that a repair which ruins the objective earns as
    much as the right one; a full success (B.4) keeps it to 5%.
    """
    parts = dict(equation_5(episode, how))
    final: Any = episode.trajectory.last_info.get("final") or {}
    good = final.get("outcome") == "full"
    return {**parts, "outcome": how.weights.outcome * (SOLVED if good else UNSOLVED)}


def environment(episode: RewardedEpisode, how: Composite) -> Parts:
    """The environment's own rewards, added up."""
    return {"outcome": episode.trajectory.reward}


def verdict(episode: RewardedEpisode, how: Composite) -> Parts:
    """100 times the score under the headline rule, 0 where it is undecided."""
    return {"outcome": 100.0 * (episode.trajectory.verdict.score or 0.0)}


def closeness(episode: RewardedEpisode, how: Composite) -> Parts:
    """For or-bias: 100 times one minus the order's relative error, 0 beyond twice the optimum."""
    error = episode.trajectory.verdict.metrics.get("relative_error")
    return {"outcome": 0.0 if error is None else 100.0 * max(0.0, 1.0 - error)}


RULES: Mapping[str, Callable[[RewardedEpisode, Composite], Parts]] = {
    "equation-5-no-drift": equation_5_no_drift,
    "equation-5": equation_5,
    "algorithm-9": algorithm_9,
    "equation-5-full": equation_5_full,
    "environment": environment,
    "verdict": verdict,
    "closeness": closeness,
}
"""The rules by name; "verdict/RULE" is `verdict` under another rule of the benchmark."""

_JUDGED = "verdict/"


def is_rule(name: str) -> bool:
    """Whether a reward rule may be called so."""
    return name in RULES or (name.startswith(_JUDGED) and len(name) > len(_JUDGED))


def reward_parts(episode: RewardedEpisode, rule: str, how: Composite = Composite()) -> Parts:
    """The parts of an episode's reward; raises UsageError where the rule does not fit it."""
    if rule.startswith(_JUDGED):
        wanted, trajectory = rule.removeprefix(_JUDGED), episode.trajectory
        if wanted not in trajectory.scores:
            raise UsageError(
                f"{trajectory.instance} is not judged by '{wanted}'; choose from "
                f"{', '.join(trajectory.scores)}"
            )
        return {"outcome": 100.0 * (trajectory.scores[wanted] or 0.0)}
    return RULES[rule](episode, how)


def transitions(episode: RewardedEpisode) -> Iterator[Transition]:
    """What the rewards of an or-debug episode depend on, turn by turn, from what was recorded.

    `known_after` is that of an element by its name; raises UsageError for another benchmark's.
    """
    trajectory = episode.trajectory
    if trajectory.provenance.benchmark != "or-debug":
        raise UsageError(_UNFIT.format(trajectory.instance))
    problem: Debugging = episode.instance.problem
    both = trajectory.provenance.options.get("iis") == "rows+bounds" or not problem.iis_rows
    recorded = (*problem.iis_rows, *problem.iis_bounds) if both else problem.iis_rows
    diagnosed: dict[str, None] = {}
    repaired: dict[str, None] = {}
    step, size = 0, len(problem.iis_rows) + len(problem.iis_bounds)
    past = debugging.Past()
    for place, turn in enumerate(trajectory.turns):
        info: Mapping[str, Any] = turn.info
        if "known" not in info:
            raise UsageError(_UNFIT.format(trajectory.instance))
        kind = (
            ActionKind(info["action"])
            if info["valid"] and info["action"] in set(ActionKind)
            else None
        )
        diagnosed.update(dict.fromkeys(info["diagnosis"]))
        if kind in REPAIR:
            repaired[info["target"]] = None
        t = Transition(
            kind=kind,
            status=Status(info["status"]),
            step=step,
            turn=place,
            counted=info["step"] > step,
            last=place == len(trajectory.turns) - 1,
            known_before=bool(info["known"]),
            known_after=info["target"] in (*info["iis"], *info["iis_bounds"]),
            accuracy=recall(info["diagnosis"], recorded) if info["diagnosis"] else None,
            episode_accuracy=recall(diagnosed or repaired, recorded),
            size_before=size,
            size_after=info["iis_size"],
            true_repair=debugging.is_true_repair(info),
            credit=debugging.credit_of(info),
            lost=debugging.has_lost(info),
            kept=debugging.kept_of(info),
            past=past,
        )
        yield t
        past = past.after(t)
        step, size = info["step"], info["iis_size"]


_UNFIT = (
    "{} is no debugging episode of actions; take the reward rule 'verdict' or 'environment' for it"
)
_Rule = Callable[[Transition, RewardWeights, Literal["before", "after", "none"]], float]


def _debugging(episode: RewardedEpisode, how: Composite, rule: _Rule) -> Parts:
    nothing = RewardWeights(0.0, 0.0, 0.0)
    found = dict.fromkeys(("outcome", "diagnosis", "efficiency", "faithfulness"), 0.0)
    for t in transitions(episode):
        for name in ("outcome", "diagnosis", "efficiency"):
            alone = replace(nothing, **{name: getattr(how.weights, name)})
            found[name] += rule(t, alone, "none")
        if how.faithfulness:
            found["faithfulness"] += rule(t, nothing, "before")
    return found


def is_valid(turn: Exchange, trajectory: Trajectory) -> bool:
    """Whether an answer could be read and taken: by the turn, else by the verdict."""
    valid = turn.info.get("valid")
    return bool(valid) if valid is not None else trajectory.verdict.outcome != "unparsed"


class GrpoConfig(TrainingSettings):
    """Table 29: no KL term, clipping to [1 - 0.2, 1 + 0.28], groups of 4, four epochs.

    A generation is `batch_size * accumulation` episodes, in groups of `group`; `iterations` is how
    often each is learnt from. `loss` "grpo" weighs episodes alike, "dapo" tokens.

    `benchmarks` are trained on together. `options` and `rewards` map their names to settings and
    to reward rules (`rewards.RULES`, or "verdict/RULE" for a judge's); without one it is
    "equation-5-no-drift" for or-debug and "verdict" elsewhere. The paper's own rules for or-debug
    can be farmed (`warnings`). `outcome`, `diagnosis` and
    `efficiency` are the weights of table 37, `faithfulness` says whether repairs outside the IIS
    cost 20, `process` is the weight of a process reward model's mean score, times 100, and `prm`
    that model's folder (or its run's).

    `max_length` bounds a conversation, prompt and replies together: one that has filled it goes on
    in silence to its end.

    `temperature`, `top_p` and `max_tokens` are those of sampling. `limit` takes the first so many
    instances. `validate_every` steps the validation instances are played greedily, 0 for never.
    """

    epochs: Positive = 4
    learning_rate: Positive = 5e-6
    benchmarks: tuple[str, ...] = Field(default=("or-debug",), min_length=1)
    options: dict[str, dict[str, Any]] = Field(default_factory=dict)
    rewards: dict[str, str] = Field(default_factory=dict)
    outcome: NotNegative = 0.5
    diagnosis: NotNegative = 0.3
    efficiency: NotNegative = 0.2
    faithfulness: bool = True
    process: NotNegative = 0.0
    prm: str | None = None
    group: StrictInt = Field(default=4, ge=2, le=COUNT.high)  # a group of one has no spread
    iterations: Count = 1
    loss: Literal["grpo", "dapo", "bnpo", "dr_grpo"] = "grpo"
    beta: NotNegative = 0.0
    clip_low: float = Field(default=0.2, gt=0, lt=1)
    clip_high: Positive = 0.28
    scale_rewards: bool = True
    temperature: Positive = 1.0  # greedy sampling has no spread
    top_p: float = Field(default=1.0, gt=0, le=1)
    max_tokens: Count | None = None
    limit: Count | None = None
    log_kl: bool = True
    validate_every: int = COUNT_OR_NONE.field(0)

    def check(self) -> None:
        """Groups fit generations, names are known, and weights have what they weigh."""
        self.refuse_unless(self.model != "tiny", "model", "must be trained first: name its folder")
        episodes = self.batch_size * self.accumulation
        must = f"must divide batch_size * accumulation, which is {episodes}"
        self.refuse_unless(episodes % self.group == 0, "group", must)
        for name in ("options", "rewards"):
            for benchmark in getattr(self, name):
                must = f"names {benchmark}, which is not among benchmarks"
                self.refuse_unless(benchmark in self.benchmarks, name, must)
        for rule in self.rewards.values():
            must = f"must be of {', '.join(RULES)}, verdict/RULE"
            self.refuse_unless(is_rule(rule), "rewards", must)
        must = "must be above 0 where prm names a process reward model"
        self.refuse_unless(self.prm is None or self.process > 0, "process", must)
        # A checkpoint between two looks at one generation could not be gone on from exactly.
        must = f"must be a multiple of iterations={self.iterations}"
        self.refuse_unless(self.save_every % self.iterations == 0, "save_every", must)

    def warnings(self) -> Iterator[str]:
        """A line for each rule that pays some policies more than the ground truth."""
        for benchmark in self.benchmarks:
            rule = self.rule(benchmark)
            if rule == "environment":
                kind, options = get_benchmark(benchmark).options, self.options.get(benchmark, {})
                yield from parse_options(kind, options, benchmark).warnings()
            elif rule in FARMED:
                yield from parse_options(OrDebugOptions, {"reward": rule}, "or-debug").warnings()

    def rule(self, benchmark: str) -> str:
        """The reward rule of a benchmark."""
        usual = "equation-5-no-drift" if benchmark == "or-debug" else "verdict"
        return self.rewards.get(benchmark, usual)
