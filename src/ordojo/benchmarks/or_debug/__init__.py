"""OR-Debug-Bench: repairing infeasible or wrong models (solver-in-the-loop paper).

In goes a problem of the library (`seeds`) with its text (`telling`), in which `injection` or
`silent` breaks one thing, `large` one among thousands; `from_files` and `authors` take models that
are there; `authors` has their protocol, too. `schema` says what an instance is and keeps it,
`certificate` proves it; `build` makes the sets, and finds them. An episode is `environment`
(actions, one a turn, or the whole model anew): `prompts` ask, after `examples`; `actions` reads a
reply that names `elements`, `perform` does it on the model under repair and says what came of it,
`repairs` changes the model, or `rewritten` takes another in its place; `outcome` says what became
of it, `rewards` pays. Out come a trajectory, whose verdict and figures `judges` gives, and the
report's `page`, beside what is `published`. `policies` answer by rules, `teaching` is what trainers
ask. `shortcuts` never read and `adversaries` read as little as they can: both must fail, else
`build` refuses; `hardness` tells how far they get.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import ClassVar

from ordojo.benchmarks.or_debug import authors, certificate, examples, from_files, page, schema
from ordojo.benchmarks.or_debug.adversaries import certify_known, certify_large, knowers
from ordojo.benchmarks.or_debug.authors import AuthorsEnvironment
from ordojo.benchmarks.or_debug.build import RepairSettings, build_with, load_set
from ordojo.benchmarks.or_debug.environment import (
    FileEnvironment,
    OrDebugEnvironment,
    ProgramEnvironment,
)
from ordojo.benchmarks.or_debug.judges import RULES, judge_with, metrics
from ordojo.benchmarks.or_debug.outcome import check_known
from ordojo.benchmarks.or_debug.page import story
from ordojo.benchmarks.or_debug.policies import policies
from ordojo.benchmarks.or_debug.prompts import ERRAND
from ordojo.benchmarks.or_debug.published import published_scores
from ordojo.benchmarks.or_debug.schema import (
    DEFAULT_REWARD,
    FIRST,
    INSTANCES,
    LARGE,
    OWN,
    PLAIN,
    PRINTED,
    VERSION,
    Debugging,
    OrDebugOptions,
    check_options,
    check_silent,
)
from ordojo.benchmarks.or_debug.shortcuts import certify, shortcuts
from ordojo.benchmarks.or_debug.teaching import DebugTeaching
from ordojo.core.benchmark import Benchmark, Errand
from ordojo.core.canonical import Json, digest
from ordojo.core.environment import Environment
from ordojo.core.errors import SolverError, UsageError
from ordojo.core.extras import need
from ordojo.core.instance import Instance
from ordojo.core.judge import Judge
from ordojo.core.policy import Policy
from ordojo.core.teaching import Teaching


class OrDebug(Benchmark[Debugging, OrDebugOptions]):
    """The benchmark `or-debug`."""

    name: ClassVar[str] = "or-debug"
    version: ClassVar[str] = VERSION
    title: ClassVar[str] = "OR-Debug-Bench"
    summary: ClassVar[str] = "Infeasible or wrong models, repaired with a solver in the loop."
    options = OrDebugOptions
    building = RepairSettings
    season: ClassVar[int] = 90
    trains: ClassVar[bool] = True
    errand: ClassVar[Errand | None] = ERRAND
    measured_by: ClassVar[str] = "ordojo.benchmarks.or_debug.hardness"
    rules: ClassVar[Mapping[str, Judge]] = {rule: judge_with(rule) for rule in RULES}

    suggest = staticmethod(from_files.suggest)
    build = staticmethod(build_with)
    read_instance = staticmethod(schema.read_instance)
    metrics = staticmethod(metrics)
    panels = staticmethod(page.panels)
    story = staticmethod(story)
    published = staticmethod(published_scores)
    setting = staticmethod(page.setting)

    def load(self, options: OrDebugOptions, seed: int) -> Sequence[Instance[Debugging]]:
        """The instances of a set, the same under every `seed`; or those of a file.

        Raises UsageError for settings that do not fit each other, or the instances.
        """
        check_options(options)
        if options.instances and options.set != "eval":
            raise UsageError(
                f"or-debug cannot use set={options.set} together with instances=FILE; "
                "leave one of them out"
            )
        file = options.instances
        found = schema.read_file(Path(file).expanduser()) if file else load_set(options.set)
        check_silent(found, options)
        if options.answer != "actions" and not all(one.problem.original for one in found):
            raise UsageError(
                "or-debug cannot compare whole models with the originals of "
                f"{file or options.set}, which are not known; leave answer={options.answer} out"
            )
        if options.reward == DEFAULT_REWARD:
            check_known(found, options.reward)
        return found

    def environment(self, options: OrDebugOptions, seed: int) -> Environment[Debugging]:
        """An environment of up to `max_steps` turns, of actions, whole programs or whole files.

        SandboxError where programs cannot be contained.
        """
        if options.answer == "program":
            return ProgramEnvironment(options)
        if options.answer == "lp":
            return FileEnvironment(options)
        if options.prompt == "authors":
            return AuthorsEnvironment(options)
        return OrDebugEnvironment(options, partial(examples.shown, options=options, seed=seed))

    def default_rule(self, options: OrDebugOptions) -> str:
        """The paper's headline, or that of the authors' code."""
        return "authors-rr@5" if options.prompt == "authors" else "rr@5"

    def dataset(self, options: OrDebugOptions) -> Mapping[str, str]:
        """The set's name, or the file's, and a digest of the instances' content."""
        name = Path(options.instances).name if options.instances else f"v{INSTANCES}/{options.set}"
        found = [instance.content_hash for instance in self.load(options, 0)]
        return {"id": f"or-debug@{name}", "sha256": digest(found)}

    def policies(self, instances: Sequence[Instance[Debugging]]) -> Mapping[str, Policy]:
        """The repairers of `policies`, `shortcuts`, which never read, and `adversaries`."""
        return {**policies(), **shortcuts(), **knowers()}

    def gold(self, instance: Instance[Debugging]) -> Json:
        """The repair that brings the original back."""
        return list(instance.problem.fix)

    def verify(self, instance: Instance[Debugging]) -> None:
        """See `certificate.verify`; without an original, what `found` says of it."""
        (certificate if instance.problem.original else authors).verify(instance)

    def verify_set(self, instances: Sequence[Instance[Debugging]]) -> Sequence[str]:
        """That built instances yield neither to `shortcuts` nor to `adversaries`.

        Those of version 1 and 2, and those as PRINTED, may; to `adversaries` also infeasible ones
        of version 3.
        """
        built = [
            (one.problem, one.problem.is_silent or one.version not in PLAIN)
            for one in instances
            if one.version not in FIRST and one.problem.original
            and one.problem.split != OWN and one.problem.method not in PRINTED
        ]  # fmt: skip
        if built and built[0][0].split == LARGE:
            return [*certify_large([problem for problem, _ in built])]
        read = [problem for problem, _ in built if not problem.is_silent]
        return [*certify(read), *certify_known([problem for problem, told in built if told])]

    def require(self, options: OrDebugOptions) -> None:
        """The oracle's library."""
        if options.oracle != "highs":
            need(options.oracle, f"oracle={options.oracle}", SolverError)

    def teaching(self) -> Teaching:
        """See `teaching`."""
        return DebugTeaching(self)


BENCHMARK = OrDebug()
