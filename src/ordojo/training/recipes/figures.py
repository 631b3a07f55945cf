"""Held-out figures of a model: the benchmarks' own metrics on instances that it never learnt."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ordojo.core.canonical import Json
from ordojo.core.records import SampleRecord
from ordojo.core.registry import get_benchmark
from ordojo.evaluate.compact import rendering
from ordojo.training.models.loading import Loaded
from ordojo.training.models.policy import ModelPolicy
from ordojo.training.recipes.sources import Source
from ordojo.training.rollouts.rollout import rollout
from ordojo.training.rollouts.trajectory import Trajectory
from ordojo.training.rollouts.work import Sampling, plan

CHOSEN: Mapping[str, Mapping[str, str]] = {
    "or-debug": {"rr@5": "RR@5", "da": "DA", "steps": "steps"},
    "or-bias": {
        "rationality": "rational",
        "within_5pct": "within 5%",
        "relative_error": "relative error",
        "bias_difference/ID": "bias ID",
        "bias_difference/OOD": "bias OOD",
        "id_to_ood": "change",
    },
}
"""Metrics shown, and what they are called; of any other benchmark the first one."""


BATCH = 64
"""Episodes played together."""


def held_out_figures(loaded: Loaded, shown: str, sources: Iterable[Source]) -> dict[str, Json]:
    """By benchmark: each figure as [value, low, high], an interval of 95%, and "n"."""
    policy = ModelPolicy(loaded, rendering(shown))
    played: dict[str, list[Trajectory]] = {}
    for source in sources:
        work = plan(
            source.benchmark,
            policy,
            options=source.options,
            instances=source.instances(),
            sampling=Sampling(temperature=0.0, max_tokens=source.max_tokens, batch=BATCH),
        )
        played.setdefault(source.benchmark, []).extend(rollout(work))
    return {benchmark: figures_of(benchmark, found) for benchmark, found in played.items()}


def figures_of(benchmark: str, played: Sequence[Trajectory]) -> Json:
    """The chosen metrics of judged episodes."""
    kind = get_benchmark(benchmark)
    rule = played[0].verdict.rule
    found = kind.metrics([_record(one) for one in played], rule)
    names = CHOSEN.get(benchmark) or {name: name for name in list(found)[:1]}
    row: dict[str, Any] = {"n": len(played)}
    for name, label in names.items():
        if name in found and found[name].value == found[name].value:
            row[label] = [round(x, 6) if x == x else None for x in _bounds(found[name])]
    return row


def _bounds(estimate: Any) -> tuple[float, float, float]:
    return float(estimate.value), float(estimate.low), float(estimate.high)


def _record(one: Trajectory) -> SampleRecord:
    """A trajectory as metrics take it; every instance is a cluster of its own."""
    return SampleRecord(
        one.instance,
        one.sample,
        one.content_hash,
        one.instance,
        one.labels,
        one.gold,
        one.episode,
        {one.verdict.rule: one.verdict},
    )
