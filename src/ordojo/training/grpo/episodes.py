"""The episodes of a training step, played by the model as it now is, for TRL's `rollout_func`.

And who pays an episode, and in which parts (paper 004, 4.3).
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ordojo.core.episode import Turn
from ordojo.core.errors import UsageError
from ordojo.core.instance import Instance
from ordojo.core.registry import get_benchmark
from ordojo.core.seeds import generator
from ordojo.core.teaching import (
    NAMES,
    Composite,
    Parts,
    RewardedEpisode,
    RewardWeights,
    reward_parts,
)
from ordojo.core.trajectory import TokenSpans, Trajectory, tokens_of
from ordojo.evaluation.compact import rendering
from ordojo.training.grpo.settings import GrpoConfig
from ordojo.training.prm import Scorer, load_scorer, text_of
from ordojo.training.rollouts.rollout import Player
from ordojo.training.rollouts.work import Sampling, TokenPolicy, Work, plan

Process = Callable[[Sequence[str]], Sequence[float]]
"""A process reward model: the texts of an episode's steps (`prm.text_of`) to scores in [0, 1]."""


def is_valid(turn: Turn, trajectory: Trajectory) -> bool:
    """Whether an answer could be read and taken: by the turn, else by the verdict."""
    valid = turn.info.get("valid")
    return bool(valid) if valid is not None else trajectory.verdict.outcome != "unparsed"


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
        self._how = Composite(
            RewardWeights(config.outcome, config.diagnosis, config.efficiency), config.faithfulness
        )
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
                f"{trajectory.instance} has {len(talks)} conversations, and GRPO learns from "
                "episodes of one; set history=chat where the benchmark has that option"
            )
        teaching = get_benchmark(benchmark).teaching()
        parts = dict(reward_parts(episode, self._config.rule(benchmark), teaching, self._how))
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


def figures(paid: Sequence[Paid], group: int) -> dict[str, float]:
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
        "success": sum(one.trajectory.verdict.score or 0.0 for one in paid) / count,
        "valid": sum(is_valid(*turn) for turn in turns) / max(1, len(turns)),
        "turns": len(turns) / count,
        "groups": float(count // group),
        "zero_groups": float(len(alike(paid, group))),
        "tokens": sum(sum(one.tokens.mask) for one in paid) / count,
        **{name: sum(one.parts.get(name, 0.0) for one in paid) / count for name in NAMES},
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
        found = {**figures(paid, self._group), "resampled": float(resampled)}
        if self.measure is not None:
            found["kl"] = self.measure(paid)
        self.last = found
        self._report(found, step)
        rows: dict[str, list[Any]] = {
            name: [] for name in ("prompt_ids", "completion_ids", "logprobs", "env_mask", *NAMES)
        }
        for one in paid:
            tokens, start = one.tokens, one.tokens.prompt_length
            said = start < len(tokens.ids)
            rows["prompt_ids"].append(list(tokens.ids[:start]))
            rows["completion_ids"].append(list(tokens.ids[start:]) if said else [self._stop])
            rows["logprobs"].append(list(tokens.logprobs[start:]) if said else [0.0])
            rows["env_mask"].append(list(tokens.mask[start:]) if said else [0])
            for name in NAMES:
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


def reward_functions() -> list[Callable[..., list[float]]]:
    """One function a part of the reward, which gives back what the rollout found."""
    return [_part(name) for name in NAMES]


def _part(name: str) -> Callable[..., list[float]]:
    def function(**columns: Any) -> list[float]:
        found: list[float] = columns[name]
        return found

    function.__name__ = name
    return function
