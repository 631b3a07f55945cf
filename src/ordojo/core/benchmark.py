"""A benchmark: the folder's contract with everything that is written once for all.

With it what it may give to others: an `Errand` for an agent, a `Suggestion` of a model's.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar, get_args

from ordojo.core.building import BuildSettings, BuildTools
from ordojo.core.canonical import Json
from ordojo.core.environment import Environment
from ordojo.core.episode import play
from ordojo.core.errors import UsageError
from ordojo.core.hardness import Battery, measured
from ordojo.core.instance import Instance
from ordojo.core.judge import Judge
from ordojo.core.options import Options
from ordojo.core.panels import Panel, Published, Story
from ordojo.core.policy import Policy
from ordojo.core.progress import counted
from ordojo.core.records import RunView, SampleRecord
from ordojo.core.statistics import Estimate
from ordojo.core.teaching import Teaching


@dataclass(frozen=True)
class Errand:
    """What an agent is given, and what of its work is judged.

    `files` are those of its folder, by name, and `brief` what it is told; `answer` is the name of
    the file that it leaves, which is judged as a reply with a block of the `language`, under the
    options in `settings`. `figures` are those of the benchmark's metrics that say how it did.
    Where it `asks` for something beside the file, "diagnosis" say, `asked` says what that is, and
    the reply ends in a line "Diagnosis: " with what was said.
    """

    settings: Mapping[str, str]
    brief: Callable[[Instance[Any]], str]
    files: Callable[[Instance[Any]], Mapping[str, str]]
    answer: str
    language: str
    figures: Sequence[str]
    asks: str = ""
    asked: str = ""


@dataclass(frozen=True)
class Suggestion:
    """What a model did to a model: its actions, in order, and the optimum that came of them.

    `objective` is None where no optimum came.
    """

    by: str
    actions: tuple[str, ...]
    objective: float | None

    def text(self) -> str:
        """The repair, or that none came of it."""
        if self.objective is None:
            tried = f"{len(self.actions)} actions" if self.actions else "no action"
            return f"suggested by {self.by}: {tried}, none of which made the model feasible"
        done = "\n".join(f"  {action}" for action in self.actions)
        return f"suggested by {self.by}, solved again: optimum {self.objective:g}\n{done}"


BLIND = {
    "noop": "silence is right",
    "random": "there are few answers",
    "majority": "one answer is right more often than others",
}
"""The baselines that know no answer, and what they would live on."""

P = TypeVar("P")
O = TypeVar("O", bound=Options)  # noqa: E741 - the conventional letter


class Benchmark(ABC, Generic[P, O]):
    """Instances, an environment, judges and a page, under one name and version.

    `version` is raised by any change of prompt, data or score that breaks comparison. `rules`
    maps names to judges; every sample is judged by all of them. `chance` is the expected score
    of the random policy under the default rule, None where it has no closed form. `demo` holds
    the settings under which everything is at hand without a download. `strata` are the labels that
    a drawn sample is stratified by. `building` are the settings of its builder, None where it has
    none, and `season` is how many instances a month's season has of it. `reads_by` is the option
    that names a file of built instances. `queues` are what a person reviews, by name
    (`review.QueueKind`), and `trains` is whether trainers that name no benchmark mean this one.
    `errand` says how an agent is asked, None where it is not. `measured_by` names the module whose
    `battery(instances, seen)` says how hard it is; none: by baselines alone. `schema` is the format
    of the rows of its published files (`datasets.schemas.Schema`), `stated` what a paper counts of
    a dataset, by id: the items of each split, and the "words" of an item.
    """

    name: ClassVar[str]
    version: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    options: type[O]
    chance: ClassVar[float | None] = None
    demo: ClassVar[Mapping[str, str]] = {}
    strata: ClassVar[Sequence[str]] = ("type",)
    building: ClassVar[type[BuildSettings] | None] = None
    season: ClassVar[int] = 0
    reads_by: ClassVar[str] = "instances"
    queues: ClassVar[Mapping[str, Any]] = {}
    trains: ClassVar[bool] = False
    errand: ClassVar[Errand | None] = None
    measured_by: ClassVar[str] = ""
    schema: ClassVar[Any] = None
    stated: ClassVar[Mapping[str, Mapping[str, int]]] = {}

    @property
    @abstractmethod
    def rules(self) -> Mapping[str, Judge]:
        """The judges by name."""

    @abstractmethod
    def load(self, options: O, seed: int) -> Sequence[Instance[P]]:
        """The instances, in file order. Raises DataError where the data are absent or damaged."""

    @abstractmethod
    def environment(self, options: O, seed: int) -> Environment[P]:
        """A new environment for these options."""

    @abstractmethod
    def default_rule(self, options: O) -> str:
        """The name of the headline rule under these options."""

    @abstractmethod
    def dataset(self, options: O) -> Mapping[str, str]:
        """The "id" and "sha256" of the data that `load` reads."""

    def require(self, options: O) -> None:
        """Say what the options need and this installation lacks, before data are loaded.

        Raises SolverError or ProviderError with what to install.
        """

    def libraries(self, options: O) -> Mapping[str, str]:
        """The libraries that answers are run with, each with its version; none where none is run.

        `records.MISSING` is the version of one that is not to be had; see there.
        """
        return {}

    @abstractmethod
    def policies(self, instances: Sequence[Instance[P]]) -> Mapping[str, Policy]:
        """The scripted policies by name: gold, noop, random and what else the field expects."""

    @abstractmethod
    def gold(self, instance: Instance[P]) -> Json:
        """The ground truth as a reader would want to see it."""

    @abstractmethod
    def verify(self, instance: Instance[P]) -> None:
        """Check the certificate from scratch; raises DataError where it does not hold."""

    def read_instance(self, row: Mapping[str, Json]) -> Instance[P]:
        """The instance of one row of a built file, its certificate as it stands, not checked.

        Raises DataError, naming the field, where the row cannot be an instance, and UsageError
        where the benchmark keeps no instances in files.
        """
        raise UsageError(f"{self.name} keeps no instances in files; there is nothing to verify")

    def build(self, out: Path, settings: Any, tools: BuildTools) -> Iterator[str]:
        """Write new instances to `out`, all or none, and yield lines on them.

        `settings` are of the class `building`; the same ones give the same bytes. Raises
        UsageError, DataError or GeneratorError.
        """
        raise UsageError(f"{self.name} has no builder")

    def reads(self, dataset: str) -> Mapping[str, str] | None:
        """The options under which `load` reads a dataset's id, file or folder; None for others'."""
        own = "dataset" in self.options.model_fields and dataset.partition("@")[0] == self.name
        return {"dataset": dataset} if own else None

    def rows(self, dataset: str) -> Mapping[str, Sequence[Mapping[str, Json]]] | None:
        """The rows of one of its datasets by split; None: as they stand in its files, one a line.

        Raises DataError where it is not here.
        """
        return None

    def audit(self, dataset: str) -> Any:
        """What is doubtful in one of its datasets; None: what `datasets.audit` finds in rows.

        It has an id, a licence, `table()`, `findings()` and `to_json()`. Raises DataError.
        """
        return None

    def describe(
        self, dataset: str, size_of: Callable[[Path], tuple[int, int]] | None = None
    ) -> Any:
        """The figures of one of its datasets, with `size_of` those of model files; DataError.

        Raises UsageError where it has none.
        """
        raise UsageError(f"{dataset} has no statistics: {self.name} does not describe its items")

    def verify_folder(self, folder: Path) -> None:
        """Check an instance that is a folder of files from scratch; raises DataError."""
        raise UsageError(f"{self.name} keeps no instances in folders; there is nothing to verify")

    def problem_type(self) -> type:
        """The type of its problems: as its bases state it, else that of the first one."""
        for kind in type(self).__mro__:
            for base in getattr(kind, "__orig_bases__", ()):
                if get_args(base) and isinstance(get_args(base)[0], type):
                    stated: type = get_args(base)[0]
                    return stated
        return type(self.load(self.options(), 0)[0].problem)

    def verify_set(self, instances: Sequence[Instance[P]]) -> Sequence[str]:
        """Check what a whole set promises; gives lines on it, raises DataError where it fails."""
        return ()

    @abstractmethod
    def metrics(self, records: Sequence[SampleRecord], rule: str) -> Mapping[str, Estimate]:
        """All figures of one run under `rule`; the first is the headline."""

    @abstractmethod
    def panels(self, runs: Sequence[RunView]) -> Sequence[Panel]:
        """The benchmark's page of the report, computed from runs alone."""

    def story(self, record: SampleRecord, instance: Instance[P] | None) -> Story | None:
        """What a sample's page tells of it; `instance` is None where it is not at hand.

        A benchmark that tells nothing of its own leaves the reply, verdicts and ground truth.
        """
        return None

    def published(self) -> Sequence[Published]:
        """Scores quoted from papers, for the leaderboard."""
        return ()

    def teaching(self) -> Teaching:
        """What trainers ask of it."""
        return Teaching(self)

    def hardness(
        self, options: O, instances: Sequence[Instance[P]], seen: Sequence[Instance[P]] = ()
    ) -> Battery:
        """How far one gets without reading: `measured_by`, or the baselines that know no answer.

        Guessers are fitted to the instances `seen`, or cross-validated where there are none.
        """
        if self.measured_by:
            # With the optimizers that guessers need, which nothing else does.
            found: Battery = import_module(self.measured_by).battery(instances, seen)
            return found
        environment, rule = self.environment(options, 0), self.default_rule(options)
        policies = self.policies(instances)

        def scores(policy: Policy) -> list[float]:
            played = [play(environment, i, policy.begin(i, 0, 1)) for i in instances]
            judged = [self.rules[rule](i, e) for i, e in zip(instances, played, strict=True)]
            return [verdict.score or 0.0 for verdict in judged]

        return Battery(
            rule,
            tuple(
                measured(name, says, instances, scores(policies[name]))
                for name, says in counted(BLIND.items(), "playing baselines")
                if name in policies
            ),
            published=tuple(self.published()),
        )

    def validate(self, runs: Sequence[RunView]) -> Sequence[Any]:
        """Which references the runs validate: a `ReferenceValidation` each (paper 003, 3.4).

        Raises UsageError where the benchmark has no references that a model can rebuild.
        """
        raise UsageError(f"{self.name} has no references that a model rebuilds: give other runs")

    def suggest(
        self, model: Any, text: str, ask: Callable[[Path, Mapping[str, Json]], RunView]
    ) -> Suggestion | None:
        """How a language model repairs a model that is infeasible; None where it is not asked that.

        `model` is a linear one, `text` its description, and `ask` takes a file of instances with
        the options under which they are asked. Raises DataError for a model that has nothing to
        repair, ProviderError where no reply came.
        """
        return None

    def setting(self, options: Mapping[str, Json]) -> str:
        """A run's options in a few words, for labels ("cot, 1-shot")."""
        return ", ".join(f"{key}={value}" for key, value in options.items())


AnyBenchmark = Benchmark[Any, Any]
