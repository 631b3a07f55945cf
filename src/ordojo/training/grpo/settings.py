"""GRPO's settings (paper 004, 4.3, table 29), checked when they are made."""

from collections.abc import Iterator
from typing import Any, Literal

from pydantic import Field, StrictInt

from ordojo.core.options import parse_options
from ordojo.core.ranges import COUNT, COUNT_OR_NONE
from ordojo.core.registry import get_benchmark
from ordojo.core.teaching import RULES, is_rule
from ordojo.training.models.settings import Count, NotNegative, Positive, TrainingSettings


class GrpoConfig(TrainingSettings):
    """Table 29: no KL term, clipping to [1 - 0.2, 1 + 0.28], groups of 4, four epochs.

    A generation is `batch_size * accumulation` episodes, in groups of `group`; `iterations` is how
    often each is learnt from. `loss` "grpo" weighs episodes alike, "dapo" tokens. `resample` is how
    many times the groups of a generation whose episodes were all paid alike, so that nothing can be
    learnt from them, are played again with other instances: DAPO's dynamic sampling.

    `benchmarks` are trained on together. `options` and `rewards` map their names to settings and
    to reward rules: a benchmark's own (`Teaching.rewards`), "environment", "verdict" or
    "verdict/RULE" for a judge's; without one it is the benchmark's `default_reward`. Rules as
    published can be farmed (`warnings`). `outcome`, `diagnosis` and `efficiency` are the weights of
    table 37, `faithfulness` says whether repairs outside the IIS cost 20, `process` is the weight
    of a process reward model's mean score, times 100, and `prm` that model's folder (or its run's).

    `max_length` bounds a conversation, prompt and replies together: one that has filled it goes on
    in silence to its end.

    `temperature`, `top_p` and `max_tokens` are those of sampling. `limit` takes the first so many
    instances. `validate_every` steps the validation instances are played greedily, 0 for never.
    """

    epochs: Positive = 4
    learning_rate: Positive = 5e-6
    benchmarks: tuple[str, ...] = ()
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
    resample: StrictInt = Field(default=0, ge=0, le=15)  # turns of a step: `episodes.TURNS`
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
        self.refuse_unless(bool(self.benchmarks), "benchmarks", "must name at least one")
        episodes = self.batch_size * self.accumulation
        must = f"must divide batch_size * accumulation, which is {episodes}"
        self.refuse_unless(episodes % self.group == 0, "group", must)
        for name in ("options", "rewards"):
            for benchmark in getattr(self, name):
                must = f"names {benchmark}, which is not among benchmarks"
                self.refuse_unless(benchmark in self.benchmarks, name, must)
        for benchmark, rule in self.rewards.items():
            teaching = get_benchmark(benchmark).teaching()
            must = f"must be of {', '.join([*teaching.rewards, *RULES])}, verdict/RULE"
            self.refuse_unless(is_rule(rule, teaching), "rewards", must)
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
            yield from get_benchmark(benchmark).teaching().warnings(rule)

    def rule(self, benchmark: str) -> str:
        """The reward rule of a benchmark."""
        return self.rewards.get(benchmark) or get_benchmark(benchmark).teaching().default_reward
