"""OR-Bias-Bench: newsvendor decisions against the closed form (solver-in-the-loop paper).

`schema` says what a scenario is, `sets` draws the paper's sets, `stories` tells them, `build`
writes them. `distributions` has demand and its optimum; `reading` finds the one quantity that a
reply decides for, with `amounts` for its numbers, and `judges` decide and count. `policies` show
people's biases, `hardness` tells how far one gets without a critical ratio, `teaching` is what
trainers ask, `page` shows runs in the report. `beyond` has decisions other than the newsvendor's.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

from ordojo.benchmarks.or_bias import beyond, build, page, policies, schema, sets
from ordojo.benchmarks.or_bias.distributions import IQR
from ordojo.benchmarks.or_bias.judges import RULES
from ordojo.benchmarks.or_bias.page import published_scores, story
from ordojo.benchmarks.or_bias.schema import (
    INSTANCES,
    VERSION,
    OrBiasOptions,
    Scenario,
    make_instance,
)
from ordojo.benchmarks.or_bias.stories import observe
from ordojo.benchmarks.or_bias.teaching import NewsvendorTeaching
from ordojo.core.benchmark import Benchmark
from ordojo.core.building import BuildTools
from ordojo.core.canonical import Json, digest
from ordojo.core.environment import Environment
from ordojo.core.errors import UsageError
from ordojo.core.hardness import Battery
from ordojo.core.instance import Instance
from ordojo.core.judge import Judge
from ordojo.core.policy import Policy
from ordojo.core.single_turn import SingleTurnEnvironment
from ordojo.core.teaching import Teaching

SEED = 0
"""The sets that are asked are those of this seed; other seeds come as files."""


class OrBias(Benchmark[Any, OrBiasOptions]):
    """The benchmark `or-bias`."""

    name: ClassVar[str] = "or-bias"
    version: ClassVar[str] = VERSION
    title: ClassVar[str] = "OR-Bias-Bench"
    summary: ClassVar[str] = (
        "Newsvendor orders, whose optimum is known: how far is the mean a trap?"
    )
    options = OrBiasOptions
    strata: ClassVar[Sequence[str]] = ("split", "level")
    building = build.ScenarioSettings
    season: ClassVar[int] = 100
    rules: ClassVar[Mapping[str, Judge]] = {rule: beyond.judge_with(rule) for rule in RULES}

    metrics = staticmethod(beyond.metrics)
    panels = staticmethod(beyond.panels)
    story = staticmethod(story)
    published = staticmethod(published_scores)
    setting = staticmethod(page.setting)

    def load(self, options: OrBiasOptions, seed: int) -> Sequence[Instance[Any]]:
        """The instances of a set, the same under every `seed`; or those of a file."""
        if options.instances:
            return build.read_file(_path(options), INSTANCES)
        if options.decision != "newsvendor":
            _refuse(options, f"decision={options.decision}", _UNUSED[options.decision])
            return beyond.load(options, SEED, INSTANCES)
        return _instances(options.set, options.family, options.iqr)

    def environment(self, options: OrBiasOptions, seed: int) -> Environment[Any]:
        """An environment of one turn; of one a period for repeated decisions."""
        if options.decision != "newsvendor":
            return beyond.environment(options, self.default_rule(options))
        chat = options.mode == "chat"
        judge = self.rules[self.default_rule(options)]
        return SingleTurnEnvironment(self.name, lambda asked: observe(asked.text, chat), judge)

    def default_rule(self, options: OrBiasOptions) -> str:
        """Within 5% of the optimum: the paper's rationality is 1 for random orders, too."""
        return "within-5pct"

    def dataset(self, options: OrBiasOptions) -> Mapping[str, str]:
        """The set's name, or the file's, and a digest of the instances' content."""
        name = f"v{INSTANCES}/{options.set}/{options.family}"
        if options.decision != "newsvendor":
            name += f"/{options.decision}"
        if options.iqr != IQR:
            name += f"/iqr={options.iqr:g}"
        if options.instances:
            name = _path(options).name
        found = [instance.content_hash for instance in self.load(options, SEED)]
        return {"id": f"or-bias@{name}", "sha256": digest(found)}

    def policies(self, instances: Sequence[Instance[Any]]) -> Mapping[str, Policy]:
        """Gold, noop, random, and buyers with the biases that people show."""
        return policies.policies(instances)

    def gold(self, instance: Instance[Any]) -> Json:
        """The optimal quantity."""
        return instance.certificate.data["optimum"]

    def verify(self, instance: Instance[Any]) -> None:
        """See `schema.verify` and `beyond.verify`."""
        (beyond if beyond.owns(instance) else schema).verify(instance)

    def build(
        self, out: Path, settings: build.ScenarioSettings, tools: BuildTools
    ) -> Iterator[str]:
        """See `build.build`."""
        return build.build(out, settings)

    def read_instance(self, row: Mapping[str, Json]) -> Instance[Scenario]:
        """See `build.read_instance`."""
        return build.read_instance(row, INSTANCES)

    def teaching(self) -> Teaching:
        """See `teaching`."""
        return NewsvendorTeaching(self)

    def hardness(
        self,
        options: OrBiasOptions,
        instances: Sequence[Instance[Any]],
        seen: Sequence[Instance[Any]] = (),
    ) -> Battery:
        """See `hardness.battery`."""
        # With the optimizers that guessers need, which nothing else does.
        from ordojo.benchmarks.or_bias.hardness import battery

        if instances and beyond.owns(instances[0]):
            return super().hardness(options, instances, seen)
        return battery(instances, seen)


_UNUSED: Mapping[str, tuple[str, ...]] = {
    "eoq": ("family", "iqr"),
    "base-stock": ("family", "iqr"),
    "repeated": ("iqr",),
}


def _refuse(options: OrBiasOptions, beside: str, names: Sequence[str]) -> None:
    """Raise UsageError for a setting that would have no effect beside another."""
    for name in names:
        value = getattr(options, name)
        if value != OrBiasOptions.model_fields[name].default:
            raise UsageError(
                f"or-bias cannot use {name}={value} together with {beside}; leave one of them out"
            )


def _path(options: OrBiasOptions) -> Path:
    _refuse(options, "instances=FILE", ("set", "family", "iqr", "decision"))
    return Path(options.instances).expanduser()


@lru_cache(maxsize=8)
def _instances(wanted: str, family: str, iqr: float) -> tuple[Instance[Scenario], ...]:
    scenarios = sets.SETS[wanted](SEED, family, iqr)
    return tuple(make_instance(scenario, INSTANCES) for scenario in scenarios)


BENCHMARK = OrBias()
