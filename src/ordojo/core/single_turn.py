"""Benchmarks of one question: what follows from a question, its answer and a way to read replies.

A subclass of `SingleTurn` writes `generate` (or `load`), `prompt`, `truth` and, where the answer is
not one number, `parse`. The environment, the judge, the reward, the baselines, the figures and the
page are made of these; each is a method, and is overridden where a benchmark differs.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import numpy as np
from pydantic import Field, TypeAdapter

from ordojo.core.benchmark import Benchmark
from ordojo.core.building import BuildSettings, BuildTools, Overwriting
from ordojo.core.canonical import Json, canonical, digest
from ordojo.core.environment import Environment, Message, Observation, Step
from ordojo.core.episode import Episode, Turn
from ordojo.core.errors import BenchmarkError, DataError, UsageError
from ordojo.core.instance import Certificate, Instance, object_of, read_instances, write_instances
from ordojo.core.judge import Judge, Outcome, Verdict
from ordojo.core.options import Options, parse_options
from ordojo.core.panels import Cell, Panel, Table
from ordojo.core.policy import Policy, baselines
from ordojo.core.ranges import COUNT
from ordojo.core.readers.turn import after_thinking
from ordojo.core.readers.values import read_value
from ordojo.core.records import RunView, SampleRecord, check, scored
from ordojo.core.seeds import generator
from ordojo.core.selection import RunPool, described, labels, pooled
from ordojo.core.statistics import Estimate, mean_interval
from ordojo.core.words import amount

P = TypeVar("P")
O = TypeVar("O", bound=Options)  # noqa: E741 - the conventional letter

RULE = "answer"
CLOSE = 1e-6
"""How far a number may lie from the true one, relative to it (below 1: absolute).

Of six digits asked for, none may be wrong; a truth that a solver found is no better than this.
"""


class GeneratedOptions(Options):
    """How many questions are generated; or a file of built ones, asked in place of them."""

    items: int = Field(default=100, ge=1, le=100_000)
    instances: str = ""


class Questions(Overwriting):
    """Build new questions, each with its answer, in one file."""

    n: int | None = COUNT.field(None, "Questions; as many as are asked by default.")
    doing: ClassVar[str] = "building questions"


class SingleTurnEnvironment(Environment[P]):
    """Asks what `ask` makes of a problem; the reward is the score under `judge`."""

    def __init__(self, name: str, ask: Callable[[P], Observation], judge: Judge) -> None:
        self._name, self._ask, self._judge = name, ask, judge
        self._instance: Instance[P] | None = None

    def reset(self, instance: Instance[P], seed: int) -> Observation:
        """Ask the question; nothing depends on `seed`."""
        self._instance = instance
        return self._ask(instance.problem)

    def step(self, text: str) -> Step:
        """Take the answer."""
        instance, self._instance = self._instance, None
        if instance is None:
            raise BenchmarkError(f"{self._name}: step() before reset(), or after the episode's end")
        verdict = self._judge(instance, Episode((Turn((), "chat", text),)))
        return Step(None, reward=verdict.score or 0.0, terminated=True)


class SingleTurn(Benchmark[P, O]):
    """A benchmark of one question: `generate` or `load`, `prompt`, `parse`, `truth`.

    `choices` is the closed set of answers where there is one. A benchmark with options of its own
    takes them from `GeneratedOptions` where it generates its questions.
    """

    version: ClassVar[str] = "1"
    options: type[O] = GeneratedOptions  # type: ignore[assignment]
    building: ClassVar[type[BuildSettings] | None] = Questions
    choices: ClassVar[Sequence[str]] = ()
    max_tokens: ClassVar[int] = 1024

    def generate(self, rng: np.random.Generator, options: O) -> P:
        """One problem, drawn from `rng` and from nothing else."""
        raise BenchmarkError(f"{self.name} has no questions; write generate() or load()")

    def prompt(self, problem: P) -> str:
        """What is asked, with how the answer is to be written."""
        raise BenchmarkError(f"{self.name} asks nothing; write prompt() or environment()")

    def truth(self, problem: P) -> Any:
        """The right answer, as JSON; numpy's numbers are taken as well."""
        raise BenchmarkError(f"{self.name} has no right answer; write truth()")

    def parse(self, reply: str, problem: P) -> Json:
        """The answer that a reply gives, None where it gives none; here: the number it states."""
        return read_value(reply)

    def score(self, said: Json, truth: Json) -> float:
        """The score in [0, 1] of an answer: 1 if it is the right one (numbers to 1e-6), else 0."""
        if isinstance(said, int | float) and isinstance(truth, int | float):
            return float(abs(said - truth) <= CLOSE * max(1, abs(truth)))
        return float(canonical(said) == canonical(truth))

    def labels(self, problem: P) -> Mapping[str, str]:
        """The categories by which the report breaks results down."""
        return {}

    def load(self, options: O, seed: int) -> Sequence[Instance[P]]:
        """As many problems as the options say, each from a generator of its own; or a file's."""
        if not isinstance(options, GeneratedOptions):
            raise BenchmarkError(f"{self.name}'s options have no items; extend GeneratedOptions")
        if options.instances:
            if options.items != GeneratedOptions.model_fields["items"].default:
                raise UsageError(
                    f"{self.name} cannot use items={options.items} together with instances=FILE; "
                    "leave one of them out"
                )
            path = Path(options.instances).expanduser()
            return read_instances(path, self.name, self.read_instance)
        return [
            self.instance(
                f"{self.name}-{index:04d}",
                self.generate(generator(seed, self.name, index), options),
            )
            for index in range(options.items)
        ]

    def build(self, out: Path, settings: Any, tools: BuildTools) -> Iterator[str]:
        """Write what `load` generates under this seed; see `Benchmark.build`."""
        if out.suffix != ".jsonl":
            raise UsageError(f"{out} would be one file; give it a name ending in .jsonl")
        options = {} if settings.n is None else {"items": settings.n}
        found = self.load(parse_options(self.options, options, self.name), settings.seed)
        yield f"{out}: {amount(write_instances(out, found), 'question')}"

    def read_instance(self, row: Mapping[str, Json]) -> Instance[P]:
        """See `Benchmark.read_instance`: the problem as its dataclass's fields say."""
        certificate = object_of(row, "certificate")
        try:
            problem: P = check(self._reader, row.get("problem"))
        except ValueError as error:
            raise DataError(f"problem.{error}") from None
        stored = Certificate(str(certificate.get("kind")), object_of(certificate, "data"))
        return replace(self.instance(str(row.get("id")), problem), certificate=stored)

    @cached_property
    def _reader(self) -> TypeAdapter[Any]:
        """Of problems; kept, as where no base states their type a problem is made to tell it."""
        return TypeAdapter(self.problem_type())

    def instance(self, name: str, problem: P, cluster: str = "") -> Instance[P]:
        """Wrap a problem; `cluster` is shared by those that are not independent."""
        return Instance(
            id=name,
            benchmark=self.name,
            version=self.version,
            problem=problem,
            certificate=self._key(problem),
            cluster=cluster or name,
            labels=self.labels(problem),
        )

    def _key(self, problem: P) -> Certificate:
        return Certificate("answer-key", {"truth": json.loads(canonical(self.truth(problem)))})

    def gold(self, instance: Instance[P]) -> Json:
        """The right answer, from the certificate if it stands there."""
        data = instance.certificate.data
        truth: Json = data["truth"] if "truth" in data else self.truth(instance.problem)
        return truth

    def verify(self, instance: Instance[P]) -> None:
        """Find the right answer anew."""
        if self._key(instance.problem) != instance.certificate:
            raise DataError(f"{instance.id}: the answer key does not belong to this question")

    def dataset(self, options: O) -> Mapping[str, str]:
        """Name and version, or the file's name, and a digest of what seed 0 loads."""
        hashes = [instance.content_hash for instance in self.load(options, 0)]
        given = isinstance(options, GeneratedOptions) and options.instances
        name = Path(given).name if given else self.version
        return {"id": f"{self.name}@{name}", "sha256": digest(hashes)}

    def setting(self, options: Mapping[str, Json]) -> str:
        """All options, but `instances` without a file, and `items` beside one."""
        idle = "items" if options.get("instances") else "instances"
        return super().setting({key: value for key, value in options.items() if key != idle})

    def environment(self, options: O, seed: int) -> Environment[P]:
        """One chat turn."""
        return SingleTurnEnvironment(self.name, self._ask, self.rules[self.default_rule(options)])

    def _ask(self, problem: P) -> Observation:
        asked = Message("user", self.prompt(problem))
        return Observation((asked,), max_tokens=self.max_tokens, choices=tuple(self.choices))

    @property
    def rules(self) -> Mapping[str, Judge]:
        """One rule, "answer"."""
        return {RULE: self._judge}

    def default_rule(self, options: O) -> str:
        """The first rule."""
        return next(iter(self.rules))

    def _judge(self, instance: Instance[P], episode: Episode) -> Verdict:
        said = self.parse(after_thinking(episode.last_reply), instance.problem)
        if said is None:
            return Verdict(RULE, "unparsed", 0.0, reason="no answer could be read")
        score = self.score(said, self.gold(instance))
        outcome: Outcome = "correct" if score == 1 else "partial" if score else "wrong"
        return Verdict(RULE, outcome, score, said)

    def policies(self, instances: Sequence[Instance[P]]) -> Mapping[str, Policy]:
        """Gold, noop, random, majority; see `policy.baselines`."""
        return baselines(instances, self._written, closed=bool(self.choices))

    def _written(self, instance: Instance[P]) -> str:
        truth = self.gold(instance)
        return truth if isinstance(truth, str) else canonical(truth)

    def metrics(self, records: Sequence[SampleRecord], rule: str) -> Mapping[str, Estimate]:
        """The mean score, then the share of replies of each outcome."""
        rows = scored(records, rule)
        mean = partial(mean_interval, clusters=[record.cluster for record, _ in rows])
        shares = {
            outcome: mean([float(verdict.outcome == outcome) for _, verdict in rows])
            for outcome in ("correct", "partial", "wrong", "unparsed")
        }
        return {"score": mean([verdict.score or 0.0 for _, verdict in rows]), **shares}

    def panels(self, runs: Sequence[RunView]) -> Sequence[Panel]:
        """The scores and how answers ended; the scores by each label."""
        pools = pooled(runs)
        names = sorted({name for pool in pools for r in pool.records for name in r.labels})
        return [self._scores(pools), *(self._by_label(pools, name) for name in names)]

    def _scores(self, pools: Sequence[RunPool]) -> Table:
        rows: list[list[Cell]] = []
        for pool in pools:
            figures = self.metrics(pool.records, pool.header.rule)
            words = described(pool, self.setting(pool.header.options))
            rows.append([pool.header.model, words, figures["score"].n, *figures.values()])
        golds = list({r.content_hash: r.gold for p in pools for r in p.records}.values())
        known = [] if self.chance is None else [f"Chance scores {self.chance:.3f}."]
        if golds:
            most = json.loads(Counter(map(canonical, golds)).most_common(1)[0][0])
            mean = sum(self.score(most, gold) for gold in golds) / len(golds)
            known.append(f"The most frequent answer, {most}, scores {mean:.3f} everywhere.")
        columns = ["model", "setting", "n", "score", "correct", "partial", "wrong", "unparsed"]
        return Table("Scores", columns, rows, note=" ".join(known))

    def _by_label(self, pools: Sequence[RunPool], name: str) -> Table:
        def score(pool: RunPool, value: str) -> Cell:
            records = [r for r in pool.records if r.labels.get(name) == value]
            return self.metrics(records, pool.header.rule)["score"]

        values = {r.labels[name] for p in pools for r in p.records if name in r.labels}
        rows = [[value, *(score(pool, value) for pool in pools)] for value in sorted(values)]
        return Table(f"Score by {name}", [name, *labels(pools, self.setting)], rows)
