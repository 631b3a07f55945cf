import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ordojo.benchmarks.or_debug.rewards import RULES as PAPER
from ordojo.benchmarks.or_debug.rewards import RewardWeights, transitions
from ordojo.core import teaching
from ordojo.core.errors import UsageError
from ordojo.core.registry import get_benchmark
from ordojo.core.teaching import RewardedEpisode
from ordojo.evaluation.compact import full, rendering
from ordojo.training import grpo
from ordojo.training.grpo import (
    Episodes,
    GrpoConfig,
    RolloutFunction,
    alike,
    divergence,
    figures,
    reward_functions,
)
from ordojo.training.models.loading import Loaded, TinyConfig, make_tiny, save_model
from ordojo.training.models.policy import ModelPolicy
from ordojo.training.models.session import METRICS, read_metrics
from ordojo.training.prm import Scorer, text_of
from ordojo.training.rollouts.rollout import Player
from ordojo.training.rollouts.work import Completion, plan
from tests import needs
from tests.training.rollout_toys import debugging

pytestmark = needs("torch", "train")


def reward_parts(episode: RewardedEpisode, rule: str, *how: RewardWeights) -> Any:
    benchmark = get_benchmark(episode.trajectory.provenance.benchmark)
    return teaching.reward_parts(episode, rule, benchmark.teaching(), *how)


def played(policy: str, size: int = 18, **options: Any) -> list[RewardedEpisode]:
    instances = debugging(size)
    work = plan("or-debug", policy, instances=instances, options={"max_steps": 8, **options})
    with Player(work) as player:
        trajectories = player.play(work.items(0, work.size))
    return [RewardedEpisode(*pair) for pair in zip(trajectories, instances, strict=True)]


@pytest.mark.parametrize("policy", ["random", "greedy-iis", "gold", "noop"])
@pytest.mark.parametrize("options", [{}, {"iis": "rows+bounds", "count": "all"}])
def test_rewards_out_of_records_are_the_environments_own(
    policy: str, options: dict[str, Any]
) -> None:
    for episode in played(policy, **options):
        turns = episode.trajectory.turns
        for name, rule in PAPER.items():
            if name == "authors":
                continue  # GRPO pays it as "environment"
            steps = [rule(t) for t in transitions(episode)]
            recorded: list[Any] = [turn.info["rewards"] for turn in turns]
            assert steps == pytest.approx([one[name] for one in recorded])
            parts = reward_parts(episode, name)
            assert sum(parts.values()) == pytest.approx(sum(steps))


def test_the_weights_of_table_37_and_the_penalty_are_options() -> None:
    (episode,) = played("gold", 1)
    usual = reward_parts(episode, "equation-5")
    weights = RewardWeights(outcome=0.4, diagnosis=0.5, efficiency=0.1)
    other = reward_parts(episode, "equation-5", weights)
    assert usual["outcome"] == 50 and usual["diagnosis"] == 30
    assert other["outcome"] == 40 and other["diagnosis"] == 50
    assert other["efficiency"] == pytest.approx(usual["efficiency"] / 2)
    off_target = [e for e in played("random") if reward_parts(e, "equation-5")["faithfulness"] < 0]
    assert off_target
    for one in off_target:
        kept = reward_parts(one, "equation-5", RewardWeights(faithfulness=False))
        assert kept["faithfulness"] == 0


def test_an_optimum_that_ruins_the_objective_is_paid_by_equation_5_alone() -> None:
    worse = [
        e
        for e in played("random", 60)
        if e.trajectory.last_info["status"] == "OPTIMAL" and not e.trajectory.headline.score
    ]
    assert worse
    for one in worse:
        if one.trajectory.last_info["final"]["outcome"] != "full":  # type: ignore[index, call-overload]
            assert reward_parts(one, "equation-5")["outcome"] == 50
            assert reward_parts(one, "equation-5-full")["outcome"] == -25


def test_rules_that_can_be_farmed_are_said() -> None:
    names = ("or-debug",)
    assert not list(GrpoConfig(benchmarks=names).warnings())
    for rules, options in (
        ({"or-debug": "algorithm-9"}, {}),
        ({"or-debug": "environment"}, {"or-debug": {"reward": "authors"}}),
    ):
        (said,) = GrpoConfig(benchmarks=names, rewards=rules, options=options).warnings()
        assert said.startswith(f"or-debug is paid by {'authors' if options else 'algorithm-9'}, ")


def test_other_benchmarks_have_rules_too() -> None:
    benchmark = get_benchmark("or-bias")
    instances = list(benchmark.load(benchmark.options(), 0)[:3])
    work = plan("or-bias", "always-mean", instances=instances)
    with Player(work) as player:
        trajectories = player.play(work.items(0, 3))
    for trajectory, instance in zip(trajectories, instances, strict=True):
        episode = RewardedEpisode(trajectory, instance)
        error = trajectory.headline.metrics["relative_error"]
        assert reward_parts(episode, "closeness")["outcome"] == pytest.approx(100 * (1 - error))
        assert reward_parts(episode, "verdict")["outcome"] == 100 * (error <= 0.05)
        strict = reward_parts(episode, "verdict/within-1pct")["outcome"]
        assert strict == 100 * (error <= 0.01)
        assert reward_parts(episode, "environment")["outcome"] == trajectory.reward
        with pytest.raises(UsageError, match="no reward rule 'equation-5'"):
            reward_parts(episode, "equation-5")
        with pytest.raises(UsageError, match="not judged by 'best'"):
            reward_parts(episode, "verdict/best")


def test_the_defaults_are_table_29() -> None:
    config = GrpoConfig(benchmarks=("or-debug",))
    assert (config.beta, config.clip_low, config.clip_high, config.group) == (0, 0.2, 0.28, 4)
    assert (config.epochs, config.learning_rate) == (4, 5e-6)
    assert config.paying(get_benchmark("or-debug").teaching()) == RewardWeights(
        outcome=0.5, diagnosis=0.3, efficiency=0.2, faithfulness=True
    )
    row = json.loads(json.dumps(config.to_json()))
    assert GrpoConfig.from_json(row).to_json() == row


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"group": 1}, "group=1: give a whole number from 2 to"),
        ({"group": 3}, "must divide batch_size"),
        ({"temperature": 0}, "temperature=0: Input should be greater than 0"),
        ({"model": "tiny"}, "must be trained first"),
        ({"rewards": {"or-debug": "best"}}, "must be of equation-5"),
        ({"rewards": {"or-debug": "closeness"}}, "must be of equation-5"),
        ({"benchmarks": ()}, "must name at least one"),
        ({"rewards": {"or-bias": "verdict"}}, "not among benchmarks"),
        ({"iterations": 3, "save_every": 10}, "must be a multiple of iterations=3"),
        ({"loss": "ppo"}, "loss='ppo': give one of grpo, dapo"),
        ({"benchmarks": "or-debug"}, "give a list of texts"),
        ({"process": -1}, "process=-1: give a number from 0 to"),
        ({"prm": "runs/prm"}, "must be above 0 where prm names"),
    ],
)
def test_impossible_settings_are_a_sentence(settings: dict[str, Any], reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        GrpoConfig.from_json({"benchmarks": ("or-debug",), **settings})


def config_of(**changes: Any) -> GrpoConfig:
    options = {"or-debug": {"max_steps": 2}}
    return GrpoConfig(
        **{
            "benchmarks": ("or-debug",),
            "model": "folder",
            "method": "full",
            "options": options,
            "max_tokens": 6,
            "batch_size": 8,
            "accumulation": 1,
            **changes,
        }
    )


def silent() -> ModelPolicy:
    import torch

    torch.set_num_threads(1)
    texts = [instance.problem.text for instance in debugging(3)]
    model, tokenizer = make_tiny(texts, TinyConfig(hidden=32, heads=2, intermediate=48))
    return ModelPolicy(Loaded(model, tokenizer, "tiny"), rendering("compact"))


class Coin(ModelPolicy):
    """Looks nine times in ten, else gives up."""

    def complete(self, prompts: Any, generators: Any, **how: Any) -> list[Completion]:
        texts = [
            "Action: GET_IIS()" if g.random() < 0.9 else "Action: SUBMIT()" for g in generators
        ]
        ids = [self.loaded.tokenizer.encode(text) for text in texts]
        pairs = zip(texts, ids, strict=True)
        return [Completion(tuple(i), (0.0,) * len(i), text, True) for text, i in pairs]


class Trainer:
    """What a rollout function reads of TRL's trainer."""

    def __init__(self, step: int) -> None:
        self.state = type("State", (), {"global_step": step})()


def test_a_model_that_never_acts_is_trained_on_and_said_so() -> None:
    policy, heard = silent(), list[str]()
    episodes = Episodes(config_of(), policy, {"or-debug": debugging(3)})
    function = RolloutFunction(episodes, 4, policy.loaded.tokenizer.eos_token_id, heard.append)
    function.measure = divergence(policy.loaded.model, 0, 1.0, 4, frozen=policy.loaded.model)
    prompts = [key for key in episodes.keys[:2] for _ in range(4)]
    rows = function(prompts, Trainer(0))
    assert function.last["valid"] == 0 and function.last["zero_groups"] == 2
    assert function.last["kl"] == pytest.approx(0, abs=1e-6)
    assert len(heard) == 1 and "training goes on" in heard[0]
    for step in range(1, 10):
        function(prompts, Trainer(step))
    assert len(heard) == 2 and "10 generations in a row" in heard[1]
    for ids, mask, odds in zip(
        rows["completion_ids"], rows["env_mask"], rows["logprobs"], strict=True
    ):
        assert len(ids) == len(mask) == len(odds) and set(mask) == {0, 1}
        assert all(odd == 0 for odd, own in zip(odds, mask, strict=True) if not own)
    functions = reward_functions(episodes.parts)
    parts = [function_(**rows) for function_ in functions]
    assert [f.__name__ for f in functions] == [
        *("outcome", "diagnosis", "efficiency", "faithfulness", "process")
    ]
    assert parts[0] == [-25.0] * 8
    assert function(prompts, Trainer(3)) == function(prompts, Trainer(3))
    assert function(prompts, Trainer(3))["prompt_ids"] == rows["prompt_ids"]
    assert function(prompts, Trainer(4))["completion_ids"] != rows["completion_ids"]
    episodes.close()


def test_groups_from_which_nothing_is_learnt_are_played_anew_with_others() -> None:
    """DAPO's dynamic sampling: what was paid alike gives way to other instances, for a while."""
    made = debugging(6)
    policy = silent()
    episodes = Episodes(config_of(), policy, {"or-debug": made})
    prompts = [key for key in episodes.keys[:2] for _ in range(4)]

    def begun(resample: int) -> tuple[list[list[int]], float]:
        function = RolloutFunction(episodes, 4, 0, lambda line: None, resample)
        rows = function(prompts, Trainer(0))
        return rows["prompt_ids"], function.last["resampled"]

    (plain, none), (other, some) = begun(0), begun(2)
    assert (none, some) == (0, 4), "a silent model is paid alike in both groups, twice"
    assert all(other[i] == other[i - i % 4] not in plain for i in range(8)), "other instances"
    assert begun(2) == (other, some)
    episodes.close()


def test_what_varies_is_kept_and_what_does_not_is_replaced() -> None:
    episodes = Episodes(
        config_of(rewards={"or-debug": "equation-5"}),
        Coin(silent().loaded, rendering("compact")),
        {"or-debug": debugging(8)},
    )
    prompts = [key for key in episodes.keys for _ in range(4)]
    first = episodes.play(prompts, 0)
    dull = alike(first, 4)
    assert 0 < len(dull) < 8
    function = RolloutFunction(episodes, 4, 0, lambda line: None, resample=15)
    paid, resampled = function._varied(prompts, 0)
    assert not alike(paid, 4) and resampled >= len(dull)
    for start in range(0, len(prompts), 4):
        now, before = paid[start].trajectory, first[start].trajectory
        assert (now.item == before.item) == (start not in dull)
    episodes.close()


def test_max_length_bounds_a_conversation() -> None:
    long = config_of(options={"or-debug": {"max_steps": 4}})
    wide, made = silent(), {"or-debug": debugging(1)}
    episodes = Episodes(long, wide, made)
    (free,) = episodes.play(episodes.keys, 0)
    episodes.close()
    most = free.tokens.prompt_length + 10
    assert len(free.tokens.ids) > most
    narrow = ModelPolicy(wide.loaded, rendering("compact"), most=most)
    episodes = Episodes(long, narrow, made)
    (cut,) = episodes.play(episodes.keys, 0)
    assert len(cut.tokens.ids) <= most and cut.tokens.ids == free.tokens.ids[: len(cut.tokens.ids)]
    assert [turn.reply for turn in cut.trajectory.turns][-1] == ""
    episodes.close()
    episodes = Episodes(long, ModelPolicy(wide.loaded, rendering("compact"), most=9), made)
    with pytest.raises(UsageError, match="a greater max_length"):
        episodes.play(episodes.keys, 0)
    episodes.close()


def test_a_process_reward_joins_the_sum() -> None:
    seen: list[list[str]] = []

    def process(texts: Any) -> list[float]:
        seen.append(list(texts))
        return [0.5] * len(texts)

    episodes = Episodes(config_of(process=0.2), silent(), {"or-debug": debugging(1)}, process)
    (one,) = episodes.play(episodes.keys, 0)
    assert one.parts["process"] == pytest.approx(10.0)
    assert seen == [[text_of(turn, full) for turn in one.trajectory.turns]] and len(seen[0]) == 2
    assert figures([one], 1, episodes.parts)["process"] == pytest.approx(10.0)
    episodes.close()


def test_a_process_reward_model_reads_steps_as_it_learnt_to() -> None:
    seen: list[str] = []

    class Heard(Scorer):
        def __call__(self, texts: Any, batch: int = 64) -> list[float]:
            seen.extend(texts)
            return [1.0] * len(texts)

    policy = silent()
    judge = Heard(policy.loaded.model, policy.loaded.tokenizer, 64, "compact")
    episodes = Episodes(config_of(process=0.2), policy, {"or-debug": debugging(1)}, judge)
    (one,) = episodes.play(episodes.keys, 0)
    episodes.close()
    assert seen == [text_of(turn, rendering("compact")) for turn in one.trajectory.turns]
    assert len(seen) == 2 and seen[0].startswith("INFEASIBLE\n")


def test_episodes_of_many_conversations_are_refused() -> None:
    config = config_of(options={"or-debug": {"max_steps": 2, "history": "state"}})
    episodes = Episodes(config, silent(), {"or-debug": debugging(1)})
    with pytest.raises(UsageError, match="set history=chat"):
        episodes.play(episodes.keys, 0)
    episodes.close()


def test_what_a_run_needs_is_asked_for_first(tmp_path: Path) -> None:
    from ordojo.training.grpo import run

    with pytest.raises(UsageError, match="no process reward model"):
        run(config_of(process=0.1), tmp_path)
    with pytest.raises(UsageError, match="no instances to validate"):
        run(config_of(validate_every=5), tmp_path)


def test_rewards_are_scaled_by_their_groups_deviation_or_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def outcome(completion_ids: list[Any], **rows: Any) -> list[float]:
        return [12.0 * (i % 2) for i in range(len(completion_ids))]

    monkeypatch.setattr(grpo, "reward_functions", lambda parts: [outcome])
    loaded = silent().loaded
    model = save_model(loaded.model, loaded.tokenizer, tmp_path / "tiny", "compact")
    slopes = []
    for scaled in (True, False):
        config = config_of(
            model=str(model), rendering="compact", group=4, steps=1, max_length=1024,
            max_grad_norm=0.0, device="cpu", save_every=0, scale_rewards=scaled,
        )  # fmt: skip
        out = tmp_path / str(scaled)
        grpo.run(config, out, {"or-debug": debugging(3)})
        (row,) = read_metrics(out / METRICS)
        slopes.append(row["grad_norm"])
    assert slopes[1] == pytest.approx(slopes[0] * np.std([0, 12, 0, 12], ddof=1), rel=1e-3)
