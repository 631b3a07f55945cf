"""Collecting what teachers show, and keeping the conversations that are worth imitating.

`collect` has several teachers share the instances and keeps their files; `played` and `shown` are
one teacher's episodes and records. `Acceptance` counts what its benchmark's criterion refuses.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

from ordojo.core.benchmark import AnyBenchmark
from ordojo.core.errors import UsageError
from ordojo.core.instance import Instance
from ordojo.core.options import Options
from ordojo.core.registry import get_benchmark
from ordojo.core.seeds import generator
from ordojo.core.teaching import Bound, Criterion
from ordojo.core.trajectory import Trajectory
from ordojo.training.made import episodes
from ordojo.training.rollouts.files import read_trajectories
from ordojo.training.rollouts.rollout import Recorded, record, rollout
from ordojo.training.rollouts.work import PolicySpec, name_of, plan
from ordojo.training.teacher.formats import Record, sft_records


@dataclass(frozen=True)
class Teacher:
    """A policy and its share of the instances; "expert-..." names are the benchmark's own."""

    policy: PolicySpec
    share: float = 1.0


def collect(
    benchmark: str | AnyBenchmark,
    teachers: Sequence[Teacher],
    folder: Path,
    *,
    options: Options | Mapping[str, Any] | None = None,
    instances: Sequence[Instance[Any]] | None = None,
    seed: int = 0,
    limit: int | None = None,
) -> list[Recorded]:
    """Roll out every teacher on its part of the instances; goes on where it was stopped.

    The parts are drawn by `seed` and are as large as the shares say; without `instances` the
    benchmark's own are played. Raises UsageError, DataError, and what `record` raises.
    """
    if not teachers or any(not teacher.share > 0 for teacher in teachers):
        raise UsageError("teacher data needs at least one teacher, each with a share above 0")
    every = plan(benchmark, "gold", options=options, instances=instances, seed=seed, limit=limit)
    benchmark, files = every.benchmark, []
    shares = parts(every.instances, [teacher.share for teacher in teachers], seed)
    for order, (teacher, part) in enumerate(zip(teachers, shares, strict=True)):
        if not part:
            continue
        policy = teacher.policy
        if isinstance(policy, str):
            policy = benchmark.teaching().teacher(policy) or policy
        work = plan(benchmark, policy, options=every.options, instances=part, seed=seed)
        name = re.sub(r"[^A-Za-z0-9.]+", "-", name_of(policy)).strip("-")[:60]
        files.append(record(work, folder / f"{order}-{name}.jsonl"))
    return files


def read_collected(files: Iterable[Recorded | Path]) -> Iterator[Trajectory]:
    """The trajectories of several files, one after the other."""
    for file in files:
        yield from read_trajectories(file.path if isinstance(file, Recorded) else file)


def question_records(
    benchmark: str,
    options: Mapping[str, Any] | None = None,
    seed: int = 0,
    limit: int | None = None,
) -> Iterator[Record]:
    """SFT records of a question benchmark: every question of `options` with its right answer.

    As of econlogicqa with split=train, or of orqa with dataset=orqa@ordojo; never train on the
    split that is evaluated. Raises UsageError or DataError.
    """
    work = plan(benchmark, "gold", options=options, seed=seed, limit=limit)
    return sft_records(rollout(work))


def parts(
    instances: Sequence[Instance[Any]], shares: Sequence[float], seed: int
) -> list[list[Instance[Any]]]:
    """Disjoint parts in file order, drawn by `seed` and sized by the shares to within one."""
    order = generator(seed, "teachers", 0).permutation(len(instances))
    found, before, passed = [], 0, 0.0
    for share in shares:
        passed += share
        upto = round(len(instances) * passed / sum(shares))
        found.append([instances[i] for i in sorted(order[before:upto])])
        before = upto
    return found


def refusal(trajectory: Trajectory) -> str:
    """Why a trajectory is not worth imitating, by its benchmark's criterion; "" where it is."""
    return _criterion(trajectory).refusal(trajectory)


def _criterion(trajectory: Trajectory) -> Criterion:
    return get_benchmark(trajectory.provenance.benchmark).teaching().criterion


@dataclass
class Acceptance:
    """What was accepted, by teacher; `add` each trajectory, then ask for the lines."""

    seen: Counter[str] = field(default_factory=Counter)
    accepted: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    _figures: dict[Bound, list[float]] = field(default_factory=dict)
    _stated: dict[str, None] = field(default_factory=dict)

    def add(self, trajectory: Trajectory) -> bool:
        """Count a trajectory; says whether it is accepted."""
        policy, criterion = trajectory.provenance.model, _criterion(trajectory)
        self.seen[policy] += 1
        self._stated[criterion.stated] = None
        if why := criterion.refusal(trajectory):
            self.refusals[why] += 1
            return False
        self.accepted[policy] += 1
        for bound in criterion.bounds:
            if (found := trajectory.headline.metrics.get(bound.figure)) is not None:
                self._figures.setdefault(bound, []).append(found)
        return True

    def filter(self, trajectories: Iterable[Trajectory]) -> Iterator[Trajectory]:
        """The accepted ones, each counted."""
        return (one for one in trajectories if self.add(one))

    @property
    def rate(self) -> float:
        """The share accepted, NaN of none."""
        total = self.seen.total()
        return self.accepted.total() / total if total else float("nan")

    @property
    def means(self) -> Mapping[str, float]:
        """Of the accepted, the mean of each figure that the benchmark's criterion bounds."""
        return {bound.figure: fmean(found) for bound, found in self._figures.items()}

    def lines(self) -> Iterator[str]:
        """The report; in brackets what the paper of the one benchmark states."""
        yield (
            f"accepted: {self.accepted.total()} of {self.seen.total()} "
            f"({100 * self.rate:.1f}%){_beside('; '.join(filter(None, self._stated)))}"
        )
        for name, count in self.seen.items():
            yield f"  {name}: {self.accepted[name]} of {count}"
        for reason, count in self.refusals.most_common():
            yield f"  refused for {reason}: {count}"
        for bound in self._figures:
            mean = format(self.means[bound.figure], bound.form)
            yield f"mean {bound.words}: {mean}{_beside(bound.stated)}"


def _beside(stated: str) -> str:
    return f" [{stated}]" if stated else ""


def played(
    name: str,
    benchmark: str,
    options: Mapping[str, Any],
    instances: Sequence[Instance[Any]],
    seed: int = 0,
    samples: int = 1,
    keep: Path | None = None,
) -> Iterator[Trajectory]:
    """The episodes of a scripted policy, or of an "expert-..."; raises UsageError for neither.

    They are kept in the folder `keep`.
    """
    policy: PolicySpec = get_benchmark(benchmark).teaching().teacher(name) or name
    work = plan(benchmark, policy, options=options, instances=instances, seed=seed, samples=samples)
    return episodes(work, keep)


def shown(
    name: str,
    benchmark: str,
    options: Mapping[str, Any],
    instances: Sequence[Instance[Any]],
    seed: int = 0,
    keep: Path | None = None,
) -> list[Record]:
    """SFT records of the episodes that are worth imitating; all are kept in the folder `keep`."""
    every = played(name, benchmark, options, instances, seed, keep=keep)
    return list(sft_records(one for one in every if not refusal(one)))
