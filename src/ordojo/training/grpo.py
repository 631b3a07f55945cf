"""Group relative policy optimization on verified episodes, with TRL (paper 004, 4.3, table 29).

Settings; the episodes of a step, played by the model as it now is for TRL's `rollout_func`, and who
pays them, in parts that add up; and one run: settings in, a saved model out, resumed where it
stopped, with the means over episodes that are held out.
"""

import copy
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, StrictInt

from ordojo.core.canonical import Json, digest
from ordojo.core.episode import Turn
from ordojo.core.errors import UsageError
from ordojo.core.instance import Instance
from ordojo.core.options import Beside, Options, parse_options
from ordojo.core.ranges import COUNT, COUNT_OR_NONE
from ordojo.core.registry import benchmark_names, get_benchmark
from ordojo.core.seeds import generator
from ordojo.core.teaching import RULES, Parts, RewardedEpisode, Teaching, is_rule, reward_parts
from ordojo.core.trajectory import TokenSpans, Trajectory, tokens_of
from ordojo.evaluation.compact import rendering
from ordojo.training.models import session
from ordojo.training.models.loading import Loaded, load_model, save_model, weights_digest
from ordojo.training.models.policy import ModelPolicy
from ordojo.training.models.session import (
    Count,
    MetricsLog,
    NotNegative,
    Positive,
    TrainingSettings,
    begin,
)
from ordojo.training.prm import Scorer, load_scorer, padded, text_of
from ordojo.training.rollouts.rollout import Player, play_greedily
from ordojo.training.rollouts.work import Sampling, TokenPolicy, Work, plan
from ordojo.training.sft import lora


class GrpoConfig(Beside, TrainingSettings):
    """Table 29: no KL term, clipping to [1 - 0.2, 1 + 0.28], groups of 4, four epochs.

    A generation is `batch_size * accumulation` episodes, in groups of `group`; `iterations` is how
    often each is learnt from. `loss` "grpo" weighs episodes alike, "dapo" tokens. `resample` is how
    many times the groups of a generation whose episodes were all paid alike, so that nothing can be
    learnt from them, are played again with other instances: DAPO's dynamic sampling.

    `benchmarks` are trained on together. `options` and `rewards` map their names to settings and
    to reward rules: a benchmark's own (`Teaching.rewards`), "environment", "verdict" or
    "verdict/RULE" for a judge's; without one it is the benchmark's `default_reward`. Rules as
    published can be farmed (`warnings`). Their own settings (`Teaching.paying`) stand beside these.
    `process` is the weight of a process reward model's mean score, times 100, and `prm` that
    model's folder (or its run's).

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
    process: NotNegative = 0.0
    prm: str | None = None
    group: StrictInt = Field(default=4, ge=2, le=COUNT.high)  # a group of one has no spread
    iterations: Count = 1
    resample: StrictInt = Field(default=0, ge=0, le=15)  # turns of a step: `TURNS`
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

    @classmethod
    def names(cls, settings: Mapping[str, Any]) -> list[str]:
        """Those of every benchmark's rewards too: recipes are like others, of other benchmarks."""
        own = (name for one in _teachings() for name in one.paying.model_fields)
        return [*super().names(settings), *dict.fromkeys(own)]

    def paying(self, teaching: Teaching) -> Options:
        """The settings of a benchmark's rewards; raises UsageError."""
        return self.of(teaching.paying, self.stage())

    @property
    def parts(self) -> tuple[str, ...]:
        """What the rewards of the benchmarks are added up of."""
        teachings = [get_benchmark(name).teaching() for name in self.benchmarks]
        return (*dict.fromkeys(part for one in teachings for part in one.parts), "process")

    def to_json(self) -> dict[str, Json]:
        """The settings of rewards beside the others, with their defaults."""
        row = self.model_dump(mode="json", exclude={"own"})
        for teaching in _teachings():
            row |= self.paying(teaching).model_dump(mode="json")
        return row

    def model_post_init(self, context: object) -> None:
        """Groups fit generations, names are known, and weights have what they weigh."""
        for key in self.own.keys() - set(self.names({})):
            raise UsageError(f"{self.stage()} has no setting '{key}'")
        for teaching in _teachings():
            self.paying(teaching)
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


def _teachings() -> list[Teaching]:
    return [get_benchmark(name).teaching() for name in benchmark_names()]


Process = Callable[[Sequence[str]], Sequence[float]]
"""A process reward model: the texts of an episode's steps (`prm.text_of`) to scores in [0, 1]."""


def is_valid(turn: Turn, trajectory: Trajectory) -> bool:
    """Whether an answer could be read and taken: by the turn, else by the verdict."""
    valid = turn.info.get("valid")
    return bool(valid) if valid is not None else trajectory.headline.outcome != "unparsed"


TURNS, SAMPLES = 1 << 12, 1 << 16
"""More than an instance's episodes in one turn, and in one step: sample numbers never meet."""


@dataclass(frozen=True)
class Paid:
    """An episode, its tokens, and the parts of its reward."""

    trajectory: Trajectory
    tokens: TokenSpans
    parts: Parts

    @property
    def reward(self) -> float:
        """The sum of the parts."""
        return float(sum(self.parts.values()))


class Episodes:
    """Plays instances of several benchmarks, known by keys (benchmark and id).

    Works and environments are made once; `close` frees them. Raises UsageError for options under
    which a benchmark's episodes are no single conversation.
    """

    def __init__(
        self,
        config: GrpoConfig,
        policy: TokenPolicy,
        instances: Mapping[str, Sequence[Instance[Any]]],
        process: Process | None = None,
    ) -> None:
        self._config, self._process = config, process
        self._show = rendering(process.rendering if isinstance(process, Scorer) else "full")
        self._players: dict[str, Player] = {}
        self._instances: dict[str, tuple[str, Instance[Any]]] = {}
        self.parts = config.parts
        for benchmark in config.benchmarks:
            work = make_work(config, benchmark, policy, instances.get(benchmark))
            self._players[benchmark] = Player(work)
            for instance in work.instances:
                self._instances[f"{benchmark} {instance.id}"] = (benchmark, instance)

    @property
    def keys(self) -> list[str]:
        """The keys of all instances, the benchmarks one after another."""
        return list(self._instances)

    def play(self, keys: Sequence[str], step: int, turn: int = 0) -> list[Paid]:
        """One episode a key, in their order; a key may stand there many times.

        `step` numbers the generation and `turn` what is played of it anew: the same arguments and
        weights give the same episodes.
        """
        seen: Counter[str] = Counter()
        items: dict[str, list[tuple[int, tuple[Instance[Any], int]]]] = {}
        for place, key in enumerate(keys):
            benchmark, instance = self._instances[key]
            sample = step * SAMPLES + turn * TURNS + seen[key] + 1
            seen[key] += 1
            items.setdefault(benchmark, []).append((place, (instance, sample)))
        paid: dict[int, Paid] = {}
        for benchmark, group in items.items():
            played = self._players[benchmark].play([item for _, item in group])
            for (place, (instance, _)), trajectory in zip(group, played, strict=True):
                paid[place] = self._pay(benchmark, RewardedEpisode(trajectory, instance))
        return [paid[place] for place in range(len(keys))]

    def _pay(self, benchmark: str, episode: RewardedEpisode) -> Paid:
        trajectory = episode.trajectory
        talks = list(trajectory.conversations())
        if len(talks) != 1:
            raise UsageError(
                f"{trajectory.id} has {len(talks)} conversations, and GRPO learns from "
                "episodes of one; set history=chat where the benchmark has that option"
            )
        teaching = get_benchmark(benchmark).teaching()
        how = self._config.paying(teaching)
        parts = dict(reward_parts(episode, self._config.rule(benchmark), teaching, how))
        if self._process is not None and self._config.process:
            scores = self._process([text_of(turn, self._show) for turn in trajectory.turns])
            mean = sum(scores) / len(scores) if len(scores) else 0.0
            parts["process"] = 100.0 * self._config.process * float(mean)
        return Paid(trajectory, tokens_of(talks[0]), parts)

    def close(self) -> None:
        """Free the environments."""
        for player in self._players.values():
            player.close()


def process_of(config: GrpoConfig, given: Process | None = None) -> Process | None:
    """The process reward model that is paid for: the one `given`, or the one in `config.prm`.

    Raises UsageError where there is none, DataError where the folder holds none.
    """
    if given is not None or not config.process:
        return given
    if config.prm is None:
        raise UsageError(
            "grpo: process has a weight, but there is no process reward model: name its folder "
            "as prm"
        )
    return load_scorer(Path(config.prm).expanduser(), config.device)


def make_work(
    config: GrpoConfig,
    benchmark: str,
    policy: TokenPolicy,
    instances: Sequence[Instance[Any]] | None,
) -> Work:
    """A rollout of one benchmark under the settings; the benchmark's own instances if None."""
    return plan(
        benchmark,
        policy,
        options=config.options.get(benchmark, {}),
        instances=instances,
        seed=config.seed,
        limit=config.limit,
        sampling=Sampling(
            temperature=config.temperature, top_p=config.top_p, max_tokens=config.max_tokens
        ),
    )


def alike(paid: Sequence[Paid], group: int) -> list[int]:
    """Where the groups begin whose episodes were all paid the same."""
    starts = range(0, len(paid), group)
    groups = ((start, [one.reward for one in paid[start : start + group]]) for start in starts)
    return [start for start, rewards in groups if max(rewards) - min(rewards) < 1e-9]


def figures(paid: Sequence[Paid], group: int, parts: Sequence[str]) -> dict[str, float]:
    """What a generation came to; `group` episodes in a row share an instance.

    "success": the mean score under the headline rule; "valid": the share of answers that could be
    taken; "zero_groups": groups whose rewards are all equal, from which nothing is learnt.
    """
    rewards = [one.reward for one in paid]
    turns = [(turn, one.trajectory) for one in paid for turn in one.trajectory.turns]
    count = len(paid)
    return {
        "episodes": float(count),
        "reward": sum(rewards) / count,
        "success": sum(one.trajectory.headline.score or 0.0 for one in paid) / count,
        "valid": sum(is_valid(*turn) for turn in turns) / max(1, len(turns)),
        "turns": len(turns) / count,
        "groups": float(count // group),
        "zero_groups": float(len(alike(paid, group))),
        "tokens": sum(sum(one.tokens.mask) for one in paid) / count,
        **{name: sum(one.parts.get(name, 0.0) for one in paid) / count for name in parts},
    }


Rollout = Mapping[str, list[Any]]


class RolloutFunction:
    """Plays a generation's episodes turn by turn and hands tokens, masks and rewards to TRL.

    Prompts are the keys of instances, repeated by TRL for each member of a group. Groups that were
    paid alike are played anew with other instances, at most `resample` times (DAPO). `last` has the
    figures of the latest generation, with "resampled" groups, and "kl" where `measure` is set.
    `stop` ends a conversation in which nothing was said, which TRL does not take.
    """

    def __init__(
        self,
        episodes: Episodes,
        group: int,
        stop: int,
        say: Callable[[str], None],
        resample: int = 0,
        seed: int = 0,
    ) -> None:
        self._episodes, self._group, self._stop, self._say = episodes, group, stop, say
        self._resample, self._seed = resample, seed
        self._silent = 0
        self.measure: Callable[[Sequence[Paid]], float] | None = None
        self.last: Mapping[str, float] = {}

    def __call__(self, prompts: Sequence[str], trainer: Any) -> Rollout:
        """See TRL's GRPOTrainer; `env_mask` is 1 where the model wrote the token."""
        step = int(trainer.state.global_step)
        paid, resampled = self._varied(prompts, step)
        parts = self._episodes.parts
        found = {**figures(paid, self._group, parts), "resampled": float(resampled)}
        if self.measure is not None:
            found["kl"] = self.measure(paid)
        self.last = found
        self._report(found, step)
        rows: dict[str, list[Any]] = {
            name: [] for name in ("prompt_ids", "completion_ids", "logprobs", "env_mask", *parts)
        }
        for one in paid:
            tokens, start = one.tokens, one.tokens.prompt_length
            said = start < len(tokens.ids)
            rows["prompt_ids"].append(list(tokens.ids[:start]))
            rows["completion_ids"].append(list(tokens.ids[start:]) if said else [self._stop])
            rows["logprobs"].append(list(tokens.logprobs[start:]) if said else [0.0])
            rows["env_mask"].append(list(tokens.mask[start:]) if said else [0])
            for name in parts:
                rows[name].append(one.parts.get(name, 0.0))
        return rows

    def _varied(self, prompts: Sequence[str], step: int) -> tuple[list[Paid], int]:
        """A generation's episodes, and how many groups were played in the place of others.

        Others come in an order of the step's own, those of the generation itself after them, and
        then all again: each turn draws anew.
        """
        group = self._group
        paid = self._episodes.play(prompts, step)
        others = [key for key in self._episodes.keys if key not in prompts]
        drawn = generator(self._seed, "resample", step).permutation(len(others)).tolist()
        keys = [others[place] for place in drawn] + [*dict.fromkeys(prompts)]
        resampled = 0
        for turn in range(1, self._resample + 1):
            starts = alike(paid, group)
            if not starts:
                break
            chosen = [keys[(resampled + i) % len(keys)] for i in range(len(starts))]
            again = self._episodes.play([k for k in chosen for _ in range(group)], step, turn)
            for place, start in enumerate(starts):
                paid[start : start + group] = again[place * group : (place + 1) * group]
            resampled += len(starts)
        return paid, resampled

    def _report(self, found: Mapping[str, float], step: int) -> None:
        self._silent = self._silent + 1 if found["valid"] == 0 else 0
        if self._silent and (self._silent == 1 or self._silent % 10 == 0):
            self._say(
                f"step {step}: none of {found['episodes']:.0f} episodes had a valid action, for "
                f"{self._silent} generations in a row; training goes on, but learns nothing until "
                "one has: more SFT would help"
            )


def reward_functions(parts: Sequence[str]) -> list[Callable[..., list[float]]]:
    """One function a part of the reward, which gives back what the rollout found."""

    def part(name: str) -> Callable[..., list[float]]:
        def function(**columns: Any) -> Any:
            return columns[name]

        function.__name__ = name
        return function

    return list(map(part, parts))


def divergence(
    model: Any, pad: int, temperature: float, batch: int, frozen: Any = None
) -> Callable[[Sequence[Paid]], float]:
    """A function from episodes to the mean of exp(d) - d - 1 over the tokens that `model` wrote.

    d is the reference's log-probability of a token minus that under which it was sampled. The
    reference is `frozen`, or `model` with its adapter off.
    """

    def measure(paid: Sequence[Paid]) -> float:
        import torch
        from torch.nn.utils.rnn import pad_sequence

        total, count = 0.0, 0
        reference = model if frozen is None else frozen
        training = reference.training
        reference.eval()
        for first in range(0, len(paid), batch):
            part = [one.tokens for one in paid[first : first + batch]]
            inputs = padded([tokens.ids for tokens in part], pad)
            ids = inputs["input_ids"]
            own = pad_sequence([torch.tensor(t.mask, dtype=torch.bool) for t in part], True)
            sampled = pad_sequence([torch.tensor(t.logprobs) for t in part], True)
            place = reference.device
            inputs = {name: rows.to(place) for name, rows in inputs.items()}
            with torch.no_grad(), nullcontext() if frozen is not None else model.disable_adapter():
                out = reference(**inputs)
            logits = out.logits[:, :-1].float() / temperature
            odds = torch.log_softmax(logits, -1).gather(2, ids[:, 1:, None].to(place))[..., 0].cpu()
            d = (odds - sampled[:, 1:])[own[:, 1:]]
            total += float((d.exp() - d - 1).sum())
            count += d.numel()
        reference.train(training)
        return total / max(1, count)

    return measure


def held_out(trajectories: Sequence[Trajectory]) -> dict[str, float]:
    """Means over episodes: the score under each rule, and of the headline verdict's metrics.

    A metric is averaged over the episodes that have it; unscored episodes enter no mean.
    """
    found: dict[str, list[float]] = {}
    for one in trajectories:
        for rule, score in one.scores.items():
            if score is not None:
                found.setdefault(rule, []).append(score)
        for name, value in one.headline.metrics.items():
            found.setdefault(f"mean {name}", []).append(value)
    return {name: sum(values) / len(values) for name, values in found.items()}


def held_out_check(
    config: GrpoConfig,
    policy: TokenPolicy,
    instances: Mapping[str, Sequence[Instance[Any]]],
    out: Path,
) -> Any:
    """A callback that plays held-out instances every so many steps (table 26).

    Their means go into `validation-BENCHMARK.csv`.
    """
    logs: dict[str, MetricsLog] = {}

    def check(step: int) -> None:
        for benchmark, given in instances.items():
            options = config.options.get(benchmark, {})
            most = config.max_tokens
            row = held_out(play_greedily(policy, benchmark, options, given, max_tokens=most))
            if benchmark not in logs:
                name = f"validation-{benchmark}.csv"
                logs[benchmark] = MetricsLog(out, sorted(row), name=name)
                logs[benchmark].rewind(step - 1)
            logs[benchmark].add(step, row)

    def begun(state: Any, logged: Mapping[str, Any]) -> None:
        if state.global_step == 0:
            check(0)

    def stepped(state: Any, logged: Mapping[str, Any]) -> None:
        if state.global_step % config.validate_every == 0:
            check(state.global_step)

    return session.make_callback(on_train_begin=begun, on_step_end=stepped)


THEIRS = {
    "epoch": "epoch",
    "loss": "loss",
    "entropy": "entropy",
    "reward_std": "reward_std",
    "clip_low": "clip_ratio/low_mean",
    "clip_high": "clip_ratio/high_mean",
    "learning_rate": "learning_rate",
    "grad_norm": "grad_norm",
}
"""The columns of the log that TRL fills, and what it calls them."""

OURS = ("episodes", "reward", "success", "valid", "turns", "groups", "zero_groups", "resampled")


def run(
    config: GrpoConfig,
    out: Path,
    instances: Mapping[str, Sequence[Instance[Any]]] | None = None,
    process: Process | None = None,
    validation: Mapping[str, Sequence[Instance[Any]]] | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> Mapping[str, Json]:
    """Train, or go on; the model is then in `out/model`, the log in `out/metrics.csv`.

    `instances` and `validation` map benchmarks to what is played; without the first, what the
    benchmark itself loads under its options. `process` takes the place of `config.prm`. Started
    again after a kill, with as many threads, it ends with the same weights on a CPU. The summary
    has "model", "steps", "instances", "reward" (mean over the last tenth of the steps),
    "zero_groups" (their share over all), "digest". Raises UsageError, DataError or ProviderError.
    """
    process = process_of(config, process)
    if config.validate_every and not validation:
        raise UsageError("grpo: validate_every is set, but there are no instances to validate on")
    given = {name: [one.content_hash for one in found] for name, found in (instances or {}).items()}
    begin(out, {**config.to_json(), "instances": digest(given)})
    for line in config.warnings():
        say(line)
    session.quiet()
    loaded = load_model(
        config.model, dtype=config.dtype, device=config.device, template=config.template
    )
    context = getattr(loaded.model.config, "max_position_embeddings", config.max_length)
    if config.max_tokens is not None and config.max_tokens >= min(context, config.max_length):
        raise UsageError(
            f"grpo: max_tokens={config.max_tokens} leaves no room for a prompt in "
            f"{min(context, config.max_length)} tokens; lower it"
        )
    frozen = copy.deepcopy(loaded.model) if config.log_kl and config.method == "full" else None
    policy = ModelPolicy(loaded, rendering(config.rendering), config.model, config.max_length)
    episodes = Episodes(config, policy, instances or {}, process)
    columns = (*THEIRS, *OURS, "tokens", *config.parts, "kl")
    log = MetricsLog(out, columns, config.tensorboard)
    stop = loaded.tokenizer.eos_token_id
    rollout = RolloutFunction(episodes, config.group, stop, say, config.resample, config.seed)
    trainer = _trainer(config, out, loaded, episodes, rollout)
    if config.validate_every:
        trainer.add_callback(held_out_check(config, policy, validation or {}, out))
    model = trainer.accelerator.unwrap_model(trainer.model)
    loaded.model = model  # with its adapter, if it has one
    if config.log_kl:
        pad = loaded.tokenizer.pad_token_id
        rollout.measure = divergence(model, pad, config.temperature, config.batch_size, frozen)
    try:
        session.train(trainer, out, log, THEIRS, say, lambda: rollout.last)
    finally:
        episodes.close()
    folder = save_model(model, loaded.tokenizer, out / "model", config.rendering)
    return session.write_summary(
        out,
        {
            "stage": "grpo",
            "model": str(folder),
            "steps": trainer.state.global_step,
            "instances": len(episodes.keys),
            **session.learning_curve(out),
            "digest": weights_digest(model),
        },
    )


def _trainer(
    config: GrpoConfig,
    out: Path,
    loaded: Loaded,
    episodes: Episodes,
    rollout: RolloutFunction,
) -> Any:
    from trl import GRPOConfig, GRPOTrainer

    from datasets import Dataset

    return GRPOTrainer(
        model=loaded.model,
        reward_funcs=reward_functions(episodes.parts),
        args=GRPOConfig(
            **session.shared_arguments(config, out),
            num_generations=config.group,
            num_iterations=config.iterations,
            steps_per_generation=config.accumulation,
            beta=config.beta,
            epsilon=config.clip_low,
            epsilon_high=config.clip_high,
            loss_type=config.loss,
            scale_rewards="group" if config.scale_rewards else "none",
            temperature=config.temperature,
            max_completion_length=config.max_length,
        ),
        train_dataset=Dataset.from_dict({"prompt": episodes.keys}),
        processing_class=loaded.tokenizer,
        peft_config=lora(config),
        rollout_func=rollout,
    )
