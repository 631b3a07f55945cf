"""Demonstrations of a scripted teacher or expert on given instances, those worth imitating."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ordojo.core.instance import Instance
from ordojo.training.rollouts.policies import PolicySpec
from ordojo.training.rollouts.rollout import rollout
from ordojo.training.rollouts.trajectory import Trajectory
from ordojo.training.rollouts.work import plan
from ordojo.training.teacher.collect import accept
from ordojo.training.teacher.experts import expert
from ordojo.training.teacher.formats import Record, sft_records


def played(
    name: str,
    benchmark: str,
    options: Mapping[str, Any],
    instances: Sequence[Instance[Any]],
    seed: int = 0,
    samples: int = 1,
) -> Iterator[Trajectory]:
    """The episodes of a scripted policy, or of an "expert-..."; raises UsageError for neither."""
    policy: PolicySpec = expert(name) if name.startswith("expert-") else name
    return rollout(
        plan(benchmark, policy, options=options, instances=instances, seed=seed, samples=samples)
    )


def shown(
    name: str,
    benchmark: str,
    options: Mapping[str, Any],
    instances: Sequence[Instance[Any]],
    seed: int = 0,
) -> list[Record]:
    """The SFT records of the episodes that `accept` takes."""
    every = played(name, benchmark, options, instances, seed)
    return list(sft_records(one for one in every if accept(one)))
