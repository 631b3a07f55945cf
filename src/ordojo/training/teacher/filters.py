"""Which trajectories are worth imitating: equation 4 of paper 004, and what it accepts."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ordojo.training.rollouts.trajectory import Trajectory


@dataclass(frozen=True)
class Criterion:
    """Success under `rule`, the headline rule if "", in `steps` with `accuracy` or better.

    Steps are the counted ones up to the last model; accuracy is the diagnostic accuracy against
    the recorded IIS. Where a benchmark's verdicts have no such figure, the condition falls away.
    """

    rule: str = ""
    steps: float | None = None
    accuracy: float | None = None

    def refusal(self, trajectory: Trajectory) -> str:
        """Why a trajectory is not accepted, in a few words; "" if it is."""
        rule = self.rule or trajectory.provenance.rule
        if trajectory.scores.get(rule) != 1.0:
            return "no success"
        measures = trajectory.verdict.metrics
        if self.steps is not None and measures.get("steps", 0.0) > self.steps:
            return f"more than {self.steps:g} steps"
        if self.accuracy is not None and measures.get("da", 1.0) < self.accuracy:
            return f"diagnostic accuracy below {self.accuracy:g}"
        return ""


EQUATION_4 = Criterion("full", 5, 0.5)
"""Solved with the objective kept, in at most 5 steps, diagnostic accuracy at least 0.5."""

SUCCESS = Criterion()
"""Success under the headline rule, for benchmarks of one turn."""


def criterion_for(benchmark: str) -> Criterion:
    """The criterion of a benchmark: equation 4 for or-debug, success for all others."""
    return EQUATION_4 if benchmark == "or-debug" else SUCCESS


def accept(trajectory: Trajectory, criterion: Criterion | None = None) -> bool:
    """Whether a trajectory is worth imitating, by its benchmark's criterion or another."""
    chosen = criterion or criterion_for(trajectory.provenance.benchmark)
    return not chosen.refusal(trajectory)


@dataclass
class Acceptance:
    """What was accepted, by teacher; `add` each trajectory, then ask for the lines."""

    criterion: Criterion | None = None
    seen: Counter[str] = field(default_factory=Counter)
    accepted: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    _steps: list[float] = field(default_factory=list)
    _accuracy: list[float] = field(default_factory=list)

    def add(self, trajectory: Trajectory) -> bool:
        """Count a trajectory; says whether it is accepted."""
        origin = trajectory.provenance
        self.seen[origin.policy] += 1
        refusal = (self.criterion or criterion_for(origin.benchmark)).refusal(trajectory)
        if refusal:
            self.refusals[refusal] += 1
            return False
        self.accepted[origin.policy] += 1
        measures = trajectory.verdict.metrics
        self._steps += [measures["steps"]] if "steps" in measures else []
        self._accuracy += [measures["da"]] if "da" in measures else []
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
    def steps(self) -> float:
        """Mean steps of the accepted, NaN where they have none."""
        return _mean(self._steps)

    @property
    def accuracy(self) -> float:
        """Mean diagnostic accuracy of the accepted, NaN where they have none."""
        return _mean(self._accuracy)

    def lines(self) -> Iterator[str]:
        """The report; in brackets the paper's figures for its three teachers (4.2)."""
        yield (
            f"accepted: {self.accepted.total()} of {self.seen.total()} "
            f"({100 * self.rate:.1f}%) [696 of 1,247, 55.8%]"
        )
        for name, count in self.seen.items():
            yield f"  {name}: {self.accepted[name]} of {count}"
        for reason, count in self.refusals.most_common():
            yield f"  refused for {reason}: {count}"
        if self._steps:
            yield f"mean steps: {self.steps:.2f} [2.3]"
        if self._accuracy:
            yield f"mean diagnostic accuracy: {100 * self.accuracy:.1f}% [68%]"


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else float("nan")
