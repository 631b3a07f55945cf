"""Scripted teachers that think aloud, and the conversations kept by equation 4's filter."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import NormalDist
from typing import Any

from ordojo.benchmarks.or_bias.schema import Scenario
from ordojo.benchmarks.or_debug.actions import REPAIR, Action, ActionKind, Invalid, parse_action
from ordojo.benchmarks.or_debug.diagnosis import name_elements
from ordojo.benchmarks.or_debug.examples import lesson
from ordojo.benchmarks.or_debug.policies import policies
from ordojo.benchmarks.or_debug.repairs import apply_action
from ordojo.benchmarks.or_debug.schema import Debugging
from ordojo.core.benchmark import AnyBenchmark
from ordojo.core.environment import Observation
from ordojo.core.errors import UsageError
from ordojo.core.instance import Instance
from ordojo.core.options import Options, parse_options
from ordojo.core.policy import Act, Policy
from ordojo.core.registry import get_benchmark
from ordojo.core.seeds import generator
from ordojo.core.spread import HERE, Place
from ordojo.core.trajectory import Trajectory
from ordojo.milp.algebra import number, row_text
from ordojo.milp.model import Model
from ordojo.training.made import episodes
from ordojo.training.rollouts.files import read_trajectories
from ordojo.training.rollouts.policies import PolicySpec, name_of
from ordojo.training.rollouts.rollout import Recorded, record, rollout
from ordojo.training.rollouts.work import Sampling, plan
from ordojo.training.teacher.formats import Record, sft_records

LOOKS = {
    ActionKind.GET_IIS: "First see which constraints contradict each other.",
    ActionKind.CHECK_SLACK: "See by how much each constraint is violated.",
    ActionKind.CHECK_BOUND: "See between which bounds the variables lie.",
}
"""Why a diagnostic action is taken, in a sentence."""


@dataclass(frozen=True)
class Debugger:
    """A scripted policy of or-debug that gives its reasons before every action.

    `base` is the policy's name; "gold" knows the right model and says what departs from the
    description, the others say what they see in the code. `looks` are diagnostic actions taken
    first, as GET_IIS and CHECK_SLACK. With `think` the reasons stand in `<think>` (D.10), else
    plainly before the two lines that the prompt asks for.
    """

    base: str = "gold"
    looks: tuple[str, ...] = ()
    think: bool = True

    def __post_init__(self) -> None:
        if self.base not in policies():
            raise UsageError(
                f"there is no scripted policy '{self.base}' of or-debug; choose from "
                f"{', '.join(policies())}"
            )
        for look in self.looks:
            if look not in LOOKS:
                raise UsageError(
                    f"'{look}' is no diagnostic action; choose from {', '.join(LOOKS)}"
                )

    @property
    def name(self) -> str:
        """What the teacher is called in records."""
        return "-".join(["expert", self.base, *self.looks, *([] if self.think else ["plain"])])

    def begin(self, instance: Instance[Any], seed: int, epoch: int) -> Act:
        """Start an episode with a model of its own, which every repair changes too."""
        base = policies()[self.base].begin(instance, seed, epoch)
        problem: Debugging = instance.problem
        looks = iter(self.looks)
        model = problem.model

        def act(asked: Observation) -> str:
            nonlocal model
            look = next(looks, None)
            if look is not None:
                return self._said(LOOKS[ActionKind(look)], f"Action: {look}()")
            reply = base(asked)
            action = parse_action(reply, model)
            if isinstance(action, Invalid):
                return reply
            reasons = "\n".join(_reasons(problem, model, action, knows=self.base == "gold"))
            if action.kind in REPAIR:
                after = apply_action(model, action)
                model = model if isinstance(after, Invalid) else after
            return self._said(reasons, reply) if reasons else reply

        return act

    def _said(self, reasons: str, reply: str) -> str:
        return f"<think>\n{reasons}\n</think>\n{reply}" if self.think else f"{reasons}\n{reply}"


def _reasons(problem: Debugging, model: Model, action: Action, knows: bool) -> Iterator[str]:
    members = [name for name in name_elements(model, action.diagnosis) if name in model.rows]
    if members:
        yield f"{len(members)} constraints cannot hold together:"
        for name in members:
            yield f"  {name}: {row_text(model, model.rows[name])}"
    if action.kind in LOOKS:
        yield LOOKS[action.kind]
    elif knows and action.kind in REPAIR:
        yield lesson(problem, str(action))
    elif action.kind is ActionKind.RELAX and action.target in model.rows:
        old = row_text(model, model.rows[action.target])
        yield f"{action.target} says {old}; its right-hand side must move by {number(_by(action))}."
    elif action.kind is ActionKind.DROP:
        yield f"Nothing in the description asks for {action.target}, so it goes."
    elif action.kind in REPAIR:
        yield f"{action.target} contradicts the description."


def _by(action: Action) -> float:
    return action.delta or 0.0


@dataclass(frozen=True)
class Newsvendor:
    """The optimal order of or-bias, with its reasons: critical ratio, side of the mean, quantile.

    A raw prompt is continued by the quantity alone. With `think` the reasons stand in `<think>`.
    With `steps` the order of a normal demand is worked out on rounded numbers, as a small model
    can: one difference, quotient, product or sum a line.
    """

    digits: int = 1
    think: bool = False
    name: str = "expert-newsvendor"
    steps: bool = False

    def begin(self, instance: Instance[Any], seed: int, epoch: int) -> Act:
        """Work the order out once; raises UsageError for other decisions than a newsvendor's."""
        scenario = instance.problem
        if not isinstance(scenario, Scenario):
            raise UsageError(f"{self.name} answers newsvendor scenarios; {instance.id} is none")
        answer = f"{scenario.optimum:.{self.digits}f}"
        if self.steps and scenario.family == "normal" and not self.think:
            worked = "\n".join(_steps(scenario))
            return lambda asked: worked if asked.style == "chat" else f" {answer}"
        reasons = "\n".join(_order(scenario, answer))
        if self.think:
            reasons = f"<think>\n{reasons}\n</think>"
        chat = f"{reasons}\nOrder quantity: {answer}"
        return lambda asked: chat if asked.style == "chat" else f" {answer}"


def _order(s: Scenario, answer: str) -> Iterator[str]:
    ratio, mean = s.critical_ratio, s.demand.mean
    yield (
        f"Critical ratio: ({s.price:g} - {s.cost:g}) / ({s.price:g} - {s.salvage:g}) = {ratio:.3f}."
    )
    side = "above" if s.optimum > mean else "below" if s.optimum < mean else "at"
    yield f"The demand's mean is {mean:g}, and the best order lies {side} it."
    yield f"The {s.family} demand stays at or under {answer} with probability {ratio:.3f}."


def _steps(s: Scenario) -> Iterator[str]:
    """Whole numbers, a ratio of two digits and a score of one: within 5% of the optimum in 95.5%.

    With money to a tenth and the score to a hundredth it would be 99.8%, of arithmetic that a
    model of 135 million parameters does not learn in an hour of two cores.
    """
    price, mean, spread = round(s.price), round(s.demand.mean), round(s.demand.std)
    if s.percentiles:
        shown = dict(s.percentiles)
        low, high = round(shown[0.25]), round(shown[0.75])
        spread = round((high - low) / 1.35)
        yield f"{high}-{low}={high - low}"
        yield f"{high - low}/1.35={spread}"
    under, total = price - round(s.cost), price - round(s.salvage)
    ratio = min(max(round(under / total, 2), 0.01), 0.99)
    score = round(NormalDist().inv_cdf(ratio), 1)
    change = round(score * spread)
    yield f"{price}-{round(s.cost)}={under}"
    yield f"{price}-{round(s.salvage)}={total}"
    yield f"{under}/{total}={ratio:.2f} z={score + 0.0:.1f}"
    yield f"{score + 0.0:.1f}*{spread}={change}"
    yield f"{mean}{change:+d}={mean + change}"
    yield f"Order quantity: {mean + change}"


def expert(name: str) -> Policy:
    """A teacher by name: "expert-newsvendor", the same with "-steps", or "expert-BASE" with looks.

    Debuggers may end in "-plain", as in "expert-gold-GET_IIS-CHECK_SLACK-plain". Raises UsageError.
    """
    if name in (Newsvendor.name, f"{Newsvendor.name}-steps"):
        return Newsvendor(name=name, steps=name != Newsvendor.name)
    words = name.removeprefix("expert-")
    plain = words.endswith("-plain")
    words = words.removesuffix("-plain")
    looks: list[str] = []
    while (tail := words.rpartition("-"))[2] in LOOKS:
        words = tail[0]
        looks.insert(0, tail[2])
    return Debugger(words, tuple(looks), not plain)


@dataclass(frozen=True)
class Teacher:
    """A policy and its share of the instances; "expert-..." names are those of `experts`."""

    policy: PolicySpec
    share: float = 1.0
    sampling: Sampling = field(default_factory=Sampling)
    connection: Mapping[str, Any] = field(default_factory=dict)


def collect(
    benchmark: str | AnyBenchmark,
    teachers: Sequence[Teacher],
    folder: Path,
    *,
    options: Options | Mapping[str, Any] | None = None,
    instances: Sequence[Instance[Any]] | None = None,
    seed: int = 0,
    samples: int = 1,
    limit: int | None = None,
    place: Place = HERE,
    progress: Callable[[str, int], None] = lambda teacher, episodes: None,
) -> list[Recorded]:
    """Roll out every teacher on its part of the instances; goes on where it was stopped.

    The parts are drawn by `seed` and are as large as the shares say; without `instances` the
    benchmark's own are played. Raises UsageError, DataError, and what `record` raises.
    """
    if isinstance(benchmark, str):
        benchmark = get_benchmark(benchmark)
    if not isinstance(options, Options):
        options = parse_options(benchmark.options, options or {}, benchmark.name)
    if not teachers or any(not teacher.share > 0 for teacher in teachers):
        raise UsageError("teacher data needs at least one teacher, each with a share above 0")
    own = instances is None
    chosen = benchmark.load(options, seed) if instances is None else instances
    chosen = chosen[:limit]
    files: list[Recorded] = []
    parts = _parts(chosen, teachers, seed)
    for order, (teacher, part) in enumerate(zip(teachers, parts, strict=True)):
        if not part:
            continue
        for instance in part if own else ():
            benchmark.verify(instance)
        policy = teacher.policy
        if isinstance(policy, str) and policy.startswith("expert-"):
            policy = expert(policy)
        work = plan(
            benchmark,
            policy,
            options=options,
            instances=part,
            seed=seed,
            samples=samples,
            sampling=teacher.sampling,
            connection=teacher.connection,
        )
        name = name_of(policy)
        path = folder / f"{order}-{re.sub(r'[^A-Za-z0-9.]+', '-', name).strip('-')[:60]}.jsonl"
        files.append(record(work, path, place, partial(progress, name)))
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


def _parts(
    instances: Sequence[Instance[Any]], teachers: Sequence[Teacher], seed: int
) -> list[list[Instance[Any]]]:
    """Disjoint parts in file order, sized by the shares to within one."""
    order = generator(seed, "teachers", 0).permutation(len(instances))
    total = sum(teacher.share for teacher in teachers)
    parts, before, passed = [], 0, 0.0
    for teacher in teachers:
        passed += teacher.share
        upto = round(len(instances) * passed / total)
        parts.append([instances[i] for i in sorted(order[before:upto])])
        before = upto
    return parts


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
    policy: PolicySpec = expert(name) if name.startswith("expert-") else name
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
    """The SFT records of the episodes that `accept` takes; all are kept in the folder `keep`."""
    every = played(name, benchmark, options, instances, seed, keep=keep)
    return list(sft_records(one for one in every if accept(one)))
