"""The settings of group relative policy optimization."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ordojo.training.grpo.rewards import RULES, is_rule
from ordojo.training.models.settings import Settings

LOSSES = ("grpo", "dapo", "bnpo", "dr_grpo")


@dataclass(frozen=True)
class GrpoConfig(Settings):
    """Table 29: no KL term, clipping to [1 - 0.2, 1 + 0.28], groups of 4, four epochs.

    A generation is `batch_size * accumulation` episodes, in groups of `group`; `iterations` is how
    often each is learnt from. `loss` "grpo" weighs episodes alike, "dapo" tokens.

    `benchmarks` are trained on together. `options` and `rewards` map their names to settings and
    to reward rules (`rewards.RULES`, or "verdict/RULE" for a judge's); without one it is
    "equation-5-no-drift" for or-debug and "verdict" elsewhere. `outcome`, `diagnosis` and
    `efficiency` are the weights of table 37, `faithfulness` says whether repairs outside the IIS
    cost 20, `process` is the weight of a process reward model's mean score, times 100, and `prm`
    that model's folder (or its run's).

    `max_length` bounds a conversation, prompt and replies together: one that has filled it goes on
    in silence to its end.

    `temperature`, `top_p` and `max_tokens` are those of sampling. `limit` takes the first so many
    instances. `validate_every` steps the validation instances are played greedily, 0 for never.
    """

    model: str = "Qwen/Qwen3-8B"
    epochs: float = 4
    batch_size: int = 4
    learning_rate: float = 5e-6
    benchmarks: tuple[str, ...] = ("or-debug",)
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    rewards: Mapping[str, str] = field(default_factory=dict)
    outcome: float = 0.5
    diagnosis: float = 0.3
    efficiency: float = 0.2
    faithfulness: bool = True
    process: float = 0.0
    prm: str | None = None
    group: int = 4
    iterations: int = 1
    loss: str = "grpo"
    beta: float = 0.0
    clip_low: float = 0.2
    clip_high: float = 0.28
    scale_rewards: bool = True
    temperature: float = 1.0
    top_p: float = 1.0
    max_tokens: int | None = None
    limit: int | None = None
    log_kl: bool = True
    validate_every: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check(self.model != "tiny", "model", "must be trained first: name its folder")
        self._check(self.group >= 2, "group", "must be 2 or more: a group of one has no spread")
        episodes = self.batch_size * self.accumulation
        fits = episodes % self.group == 0
        self._check(fits, "group", f"must divide batch_size * accumulation, which is {episodes}")
        self._check(self.iterations >= 1, "iterations", "must be 1 or more")
        self._check(self.loss in LOSSES, "loss", f"must be one of {', '.join(LOSSES)}")
        self._check(self.temperature > 0, "temperature", "must be above 0: greedy has no spread")
        self._check(0 < self.top_p <= 1, "top_p", "must lie in (0, 1]")
        self._check(self.beta >= 0, "beta", "must not be negative")
        self._check(0 < self.clip_low < 1, "clip_low", "must lie between 0 and 1")
        self._check(self.clip_high > 0, "clip_high", "must be above 0")
        self._check(bool(self.benchmarks), "benchmarks", "must name one or more")
        for name in ("options", "rewards"):
            for benchmark in getattr(self, name):
                known = benchmark in self.benchmarks
                self._check(known, name, f"names {benchmark}, which is not among benchmarks")
        for rule in self.rewards.values():
            self._check(is_rule(rule), "rewards", f"must be of {', '.join(RULES)}, verdict/RULE")
        for name in ("outcome", "diagnosis", "efficiency", "process"):
            self._check(getattr(self, name) >= 0, name, "must not be negative")
        paid = self.prm is None or self.process > 0
        self._check(paid, "process", "must be above 0 where prm names a process reward model")
        for name in ("max_tokens", "limit"):
            value = getattr(self, name)
            self._check(value is None or value >= 1, name, "must be 1 or more")
        # A checkpoint between two looks at one generation could not be gone on from exactly.
        whole = self.save_every % self.iterations == 0
        self._check(whole, "save_every", f"must be a multiple of iterations={self.iterations}")

    def rule(self, benchmark: str) -> str:
        """The reward rule of a benchmark."""
        usual = "equation-5-no-drift" if benchmark == "or-debug" else "verdict"
        return self.rewards.get(benchmark, usual)
