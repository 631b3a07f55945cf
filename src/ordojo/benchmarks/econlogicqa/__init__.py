"""EconLogicQA: four economic events to be put in order (arXiv 2405.07938).

`schema` says what a question is, asks and judges it; `hardness` tells how far one gets without
reading, `page` shows runs in the report, and `build` makes new questions from articles.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import ClassVar

from ordojo.benchmarks.econlogicqa import page
from ordojo.benchmarks.econlogicqa.build import ArticleSettings, build_with
from ordojo.benchmarks.econlogicqa.schema import (
    LETTERS,
    ORDERS,
    READERS,
    EconLogicQAOptions,
    Ordering,
    answer_key,
    judge_with,
    make_instance,
    metrics,
    observe,
    ordering_from_row,
)
from ordojo.core.environment import Environment
from ordojo.core.errors import DataError
from ordojo.core.instance import Instance
from ordojo.core.judge import Judge
from ordojo.core.single_turn import SingleTurn, SingleTurnEnvironment
from ordojo.datasets import dataset_digest, read_rows
from ordojo.datasets.schemas import ECONLOGICQA, Schema


class EconLogicQA(SingleTurn[Ordering, EconLogicQAOptions]):
    """The benchmark `econlogicqa`."""

    name: ClassVar[str] = "econlogicqa"
    version: ClassVar[str] = "3"
    title: ClassVar[str] = "EconLogicQA"
    summary: ClassVar[str] = "Four events of an economic story, to be put into their logical order"
    options = EconLogicQAOptions
    choices = ORDERS
    measured_by: ClassVar[str] = "ordojo.benchmarks.econlogicqa.hardness"
    rules: ClassVar[Mapping[str, Judge]] = {rule: judge_with(rule) for rule in READERS}
    demo: ClassVar[Mapping[str, str]] = {"dataset": "econlogicqa@ordojo"}
    chance = 1 / 24
    building = ArticleSettings
    reads_by: ClassVar[str] = "dataset"
    schema: ClassVar[Schema] = ECONLOGICQA

    build = staticmethod(build_with)
    metrics = staticmethod(metrics)
    panels = staticmethod(page.panels)
    published = staticmethod(page.published_scores)
    setting = staticmethod(page.setting)

    def load(self, options: EconLogicQAOptions, seed: int) -> Sequence[Instance[Ordering]]:
        """One instance a row."""
        return [
            make_instance(ordering, options.split, self.version)
            for ordering in _orderings(options, options.split)
        ]

    def environment(self, options: EconLogicQAOptions, seed: int) -> Environment[Ordering]:
        """The environment, its examples from the training split."""
        pool = _orderings(options, "train") if options.shots else []
        # Asked on the training split itself, a question is never its own example.
        supply = len(pool) - (options.split == "train")
        if options.shots and supply < options.shots:
            raise DataError(
                f"{options.dataset} has {supply} training questions to show, too few for "
                f"{options.shots}-shot prompts; choose a smaller number of shots"
            )
        ask = partial(observe, options, pool, seed)
        return SingleTurnEnvironment(self.name, ask, self.rules[self.default_rule(options)])

    def default_rule(self, options: EconLogicQAOptions) -> str:
        """The first order in a completion; the last one in a chat reply, which may reason first."""
        return "last-order" if options.mode == "chat" else "exact-match"

    def dataset(self, options: EconLogicQAOptions) -> Mapping[str, str]:
        """Identifier and digest of the data."""
        return {"id": options.dataset, "sha256": dataset_digest(options.dataset, "econlogicqa")}

    def reads(self, dataset: str) -> Mapping[str, str] | None:
        """Its ids, and files of comma-separated values."""
        return {"dataset": dataset} if dataset.endswith(".csv") else super().reads(dataset)

    def truth(self, problem: Ordering) -> str:
        """The right order."""
        return problem.answer

    def verify(self, instance: Instance[Ordering]) -> None:
        """Check that the answer key fits the question and orders four distinct events."""
        ordering = instance.problem
        if sorted(ordering.order) != list(LETTERS) or len(set(ordering.events)) != 4:
            raise DataError(f"{instance.id}: the key must order four distinct events")
        if answer_key(ordering) != instance.certificate:
            raise DataError(f"{instance.id}: the answer key does not belong to this question")


def _orderings(options: EconLogicQAOptions, split: str) -> list[Ordering]:
    rows = read_rows(options.dataset, split, schema="econlogicqa")
    return [ordering_from_row(row, index) for index, row in enumerate(rows)]


BENCHMARK = EconLogicQA()
