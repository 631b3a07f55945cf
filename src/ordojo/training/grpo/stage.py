"""One run of GRPO: from settings to a saved model, resumed where it stopped.

With the means over episodes that are held out, which are played as it goes.
"""

import copy
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from ordojo.core.canonical import Json, digest
from ordojo.core.errors import UsageError
from ordojo.core.instance import Instance
from ordojo.core.teaching import NAMES
from ordojo.core.trajectory import Trajectory
from ordojo.evaluation.compact import rendering
from ordojo.training.grpo.episodes import (
    Episodes,
    Paid,
    Process,
    RolloutFunction,
    process_of,
    reward_functions,
)
from ordojo.training.grpo.settings import GrpoConfig
from ordojo.training.models import session
from ordojo.training.models.loading import Loaded, load_model, save_model, weights_digest
from ordojo.training.models.policy import ModelPolicy
from ordojo.training.models.session import MetricsLog, begin
from ordojo.training.prm import padded
from ordojo.training.rollouts.rollout import play_greedily
from ordojo.training.rollouts.work import TokenPolicy
from ordojo.training.sft import lora


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
        for name, value in one.verdict.metrics.items():
            found.setdefault(f"mean {name}", []).append(value)
    return {name: sum(values) / len(values) for name, values in found.items()}


class HeldOutCheck:
    """Plays held-out instances every so many steps, into `validation-BENCHMARK.csv` (table 26)."""

    def __init__(
        self,
        config: Any,
        policy: TokenPolicy,
        instances: Mapping[str, Sequence[Instance[Any]]],
        out: Path,
    ) -> None:
        self._config, self._policy, self._instances, self._out = config, policy, instances, out
        self._logs: dict[str, MetricsLog] = {}

    def callbacks(self) -> list[Any]:
        """The trainer's callback, where there is something to do."""
        every = self._config.validate_every
        if not every:
            return []
        check = self._check

        def on_train_begin(_: Any, args: Any, state: Any, control: Any, **rest: Any) -> None:
            if state.global_step == 0:
                check(0)

        def on_step_end(_: Any, args: Any, state: Any, control: Any, **rest: Any) -> None:
            if state.global_step % every == 0:
                check(state.global_step)

        return [session.make_callback(on_train_begin=on_train_begin, on_step_end=on_step_end)]

    def _check(self, step: int) -> None:
        for benchmark, instances in self._instances.items():
            options = self._config.options.get(benchmark, {})
            most = self._config.max_tokens
            played = play_greedily(self._policy, benchmark, options, instances, max_tokens=most)
            row = held_out(played)
            log = self._logs.get(benchmark)
            if log is None:
                columns = sorted(row)
                log = MetricsLog(self._out, columns, name=f"validation-{benchmark}.csv")
                log.rewind(step - 1)
                self._logs[benchmark] = log
            log.add(step, row)

    def close(self) -> None:
        """Close the logs."""
        for log in self._logs.values():
            log.close()


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
COLUMNS = (*THEIRS, *OURS, "tokens", *NAMES, "kl")


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
    _check_length(config, loaded)
    frozen = copy.deepcopy(loaded.model) if config.log_kl and config.method == "full" else None
    policy = ModelPolicy(loaded, rendering(config.rendering), config.model, config.max_length)
    episodes = Episodes(config, policy, instances or {}, process)
    log = MetricsLog(out, COLUMNS, config.tensorboard)
    stop = loaded.tokenizer.eos_token_id
    rollout = RolloutFunction(episodes, config.group, stop, say, config.resample, config.seed)
    checks = HeldOutCheck(config, policy, validation or {}, out)
    trainer = _trainer(config, out, loaded, episodes, rollout, log, checks)
    model = trainer.accelerator.unwrap_model(trainer.model)
    loaded.model = model  # with its adapter, if it has one
    if config.log_kl:
        pad = loaded.tokenizer.pad_token_id
        rollout.measure = divergence(model, pad, config.temperature, config.batch_size, frozen)
    try:
        session.train(trainer, out, log, say)
    finally:
        episodes.close()
        checks.close()
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


def _check_length(config: GrpoConfig, loaded: Loaded) -> None:
    context = getattr(loaded.model.config, "max_position_embeddings", config.max_length)
    if config.max_tokens is not None and config.max_tokens >= min(context, config.max_length):
        raise UsageError(
            f"grpo: max_tokens={config.max_tokens} leaves no room for a prompt in "
            f"{min(context, config.max_length)} tokens; lower it"
        )


def _trainer(
    config: GrpoConfig,
    out: Path,
    loaded: Loaded,
    episodes: Episodes,
    rollout: RolloutFunction,
    log: MetricsLog,
    checks: HeldOutCheck,
) -> Any:
    from trl import GRPOConfig, GRPOTrainer

    from datasets import Dataset

    return GRPOTrainer(
        model=loaded.model,
        reward_funcs=reward_functions(),
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
        callbacks=[session.callback(log, THEIRS, lambda: rollout.last), *checks.callbacks()],
    )
