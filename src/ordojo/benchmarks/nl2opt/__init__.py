"""NL2Opt: optimization problems in words, answered by programs (MIPLIB-NL paper, section 4).

`schema` says what a problem is and how it is asked; `items` makes instances of a dataset's items,
each with the evidence for its gold, `build` fresh ones from the templates. `environment` asks, and
runs programs in a `workshop`; `reading` finds the value in what a turn recorded, `judge` gives the
verdict by one of the `rules`, and `metrics` the figures. `policies` are scripted answers,
`hardness` tells how far one gets without modelling, `expert` puts instances before a person, and
`page` shows runs in the report.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from ordojo.benchmarks.nl2opt import build, expert, items, page
from ordojo.benchmarks.nl2opt.environment import Nl2OptEnvironment
from ordojo.benchmarks.nl2opt.judge import DEFAULT, JUDGES
from ordojo.benchmarks.nl2opt.metrics import metrics, validate
from ordojo.benchmarks.nl2opt.page import published_scores, story
from ordojo.benchmarks.nl2opt.policies import policies
from ordojo.benchmarks.nl2opt.schema import NAME, VERSION, Nl2OptOptions, WordProblem
from ordojo.compat.declared import declared_versions
from ordojo.core.benchmark import Benchmark
from ordojo.core.building import BuildTools
from ordojo.core.canonical import Json
from ordojo.core.environment import Environment
from ordojo.core.instance import Instance
from ordojo.core.judge import Judge
from ordojo.datasets.nl2opt import nl2opt_ids, own_folder
from ordojo.datasets.nl2opt.audit import ItemAudit, audit_items
from ordojo.datasets.nl2opt.statistics import DatasetStatistics, SizeOf, statistics
from ordojo.datasets.schemas import NL2OPT, Schema
from ordojo.problems.instances import verify as verify_folder
from ordojo.review.kinds import QueueKind


class Nl2Opt(Benchmark[WordProblem, Nl2OptOptions]):
    """The benchmark `nl2opt`."""

    name: ClassVar[str] = NAME
    version: ClassVar[str] = VERSION
    title: ClassVar[str] = "NL2Opt"
    summary: ClassVar[str] = "Problems in words, answered by programs that model and solve them."
    options = Nl2OptOptions
    measured_by: ClassVar[str] = "ordojo.benchmarks.nl2opt.hardness"
    rules: ClassVar[Mapping[str, Judge]] = JUDGES
    demo: ClassVar[Mapping[str, str]] = {"dataset": "nl2opt@ordojo"}
    building = build.ProblemSettings
    season: ClassVar[int] = 36
    reads_by: ClassVar[str] = "dataset"
    queues: ClassVar[Mapping[str, QueueKind]] = {"instances": expert.QUEUE}
    schema: ClassVar[Schema] = NL2OPT

    validate = staticmethod(validate)
    policies = staticmethod(policies)
    rows = staticmethod(items.rows)
    verify = staticmethod(items.verify)
    verify_folder = staticmethod(verify_folder)
    metrics = staticmethod(metrics)
    panels = staticmethod(page.panels)
    story = staticmethod(story)
    published = staticmethod(published_scores)
    setting = staticmethod(page.setting)

    def load(self, options: Nl2OptOptions, seed: int) -> Sequence[Instance[WordProblem]]:
        """The items of the dataset in its order, the same under every `seed`."""
        return items.load(options.dataset, options.items)

    def environment(self, options: Nl2OptOptions, seed: int) -> Environment[WordProblem]:
        """One turn, and up to `repair` more; SandboxError where programs cannot be contained."""
        return Nl2OptEnvironment(options)

    def default_rule(self, options: Nl2OptOptions) -> str:
        """The paper's."""
        return DEFAULT

    def dataset(self, options: Nl2OptOptions) -> Mapping[str, str]:
        """The id and hash, and the items that were refused because files of them are missing."""
        found = {"id": options.dataset, "sha256": items.dataset_digest(options.dataset)}
        if out := items.refused(options.dataset):
            found["refused"] = ", ".join(out)
        return found

    def libraries(self, options: Nl2OptOptions) -> Mapping[str, str]:
        """The declared ones as they are in the sandbox; SandboxError where there is none."""
        return declared_versions(options.isolation)

    def gold(self, instance: Instance[WordProblem]) -> Json:
        """The accepted answers."""
        return items.spell(instance.problem.golds)

    def build(self, out: Path, settings: build.ProblemSettings, tools: BuildTools) -> Iterator[str]:
        """See `build.build`."""
        return build.build(out, settings)

    def audit(self, dataset: str) -> ItemAudit:
        """See `datasets.nl2opt.audit`."""
        return audit_items(dataset)

    def describe(self, dataset: str, size_of: SizeOf | None = None) -> DatasetStatistics:
        """See `datasets.nl2opt.statistics`."""
        return statistics(dataset, size_of=size_of)

    def reads(self, dataset: str) -> Mapping[str, str] | None:
        """Its ids, `folder:PATH`, folders of instances, and files that name no benchmark."""
        path = Path(dataset).expanduser()
        if path.is_dir():
            return {"dataset": f"folder:{path}"}
        own = path.suffix == ".jsonl" or dataset in nl2opt_ids() or own_folder(dataset)
        return {"dataset": dataset} if own else None


BENCHMARK = Nl2Opt()
