"""Held-out figures of a model: instances played greedily, judged, averaged."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ordojo.core.instance import Instance
from ordojo.core.teaching import Trajectory
from ordojo.training.models.checkpoints import MetricsLog
from ordojo.training.models.session import make_callback
from ordojo.training.rollouts.policies import TokenPolicy
from ordojo.training.rollouts.rollout import rollout
from ordojo.training.rollouts.work import Sampling, plan

BATCH = 64
"""Episodes played together."""


def play_greedily(
    policy: TokenPolicy,
    benchmark: str,
    options: Mapping[str, Any],
    instances: Sequence[Instance[Any]] | None = None,
    max_tokens: int | None = None,
) -> list[Trajectory]:
    """One greedy episode of each instance, in order; the benchmark's own instances if None.

    `max_tokens` bounds a reply, the benchmark's own bound if None.
    """
    sampling = Sampling(temperature=0.0, max_tokens=max_tokens, batch=BATCH)
    work = plan(benchmark, policy, options=options, instances=instances, sampling=sampling)
    return list(rollout(work))


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

        return [make_callback(on_train_begin=on_train_begin, on_step_end=on_step_end)]

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
