"""Made-up records and runs of OR-Bias-Bench, as its judges would leave them."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from ordojo.benchmarks.or_bias.judges import RULES, judge_with
from ordojo.benchmarks.or_bias.page import DATASET
from ordojo.benchmarks.or_bias.policies import reply
from ordojo.benchmarks.or_bias.schema import (
    INSTANCES,
    VERSION,
    OrBiasOptions,
    Scenario,
    make_instance,
)
from ordojo.benchmarks.or_bias.sets import eval_subset, id_set, ood_set
from ordojo.core.episode import Episode, Turn
from ordojo.core.records import RunHeader, RunView, SampleRecord

Decide = Callable[[Scenario], float | None]
JUDGES = {rule: judge_with(rule) for rule in RULES}


@cache
def scenarios(seed: int = 0) -> list[Scenario]:
    """The paper's 400 ID and 200 OOD scenarios."""
    return eval_subset(id_set(seed)) + eval_subset(ood_set(seed))


def record(scenario: Scenario, q: float | None, epoch: int = 1) -> SampleRecord:
    """A record of one answer, as the judges leave it; None says nothing."""
    instance = make_instance(scenario, INSTANCES)
    episode = Episode((Turn((), "completion", "" if q is None else reply(q)),))
    return SampleRecord(
        id=instance.id,
        epoch=epoch,
        content_hash=instance.content_hash,
        cluster=instance.cluster,
        labels=instance.labels,
        gold=scenario.optimum,
        episode=episode,
        verdicts={rule: judge(instance, episode) for rule, judge in JUDGES.items()},
    )


def records(decide: Decide, asked: Sequence[Scenario] | None = None) -> list[SampleRecord]:
    """Every scenario decided."""
    return [record(s, decide(s)) for s in (scenarios() if asked is None else asked)]


def anchored(weight: float) -> Decide:
    return lambda s: weight * s.demand.mean + (1 - weight) * s.optimum


def gold(scenario: Scenario) -> float:
    return scenario.optimum


def silent(scenario: Scenario) -> None:
    return None


def view(model: str, found: Sequence[SampleRecord], name: str = "", **options: Any) -> RunView:
    header = RunHeader(
        benchmark="or-bias",
        benchmark_version=VERSION,
        model=model,
        options=OrBiasOptions(**options).model_dump(),
        dataset={"id": DATASET, "sha256": "0" * 64},
        rule="rational",
        seed=0,
        epochs=1,
        limit=None,
        items=len(found),
    )
    return RunView(name or model, header, found)
