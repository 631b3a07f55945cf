"""ORQA: multiple-choice questions on operations research models (AAAI 2025, arXiv 2412.17874).

`schema` says what a question is, `environment` asks it in one turn or two, `judges` read the
letter. `reasoning` has chains of thought under review, `hardness` tells how far one gets without
reading, `page` shows runs in the report, and `build` makes fresh questions.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from ordojo.benchmarks.orqa import build, judges, page, reasoning
from ordojo.benchmarks.orqa.environment import ExampleTable, OrqaEnvironment
from ordojo.benchmarks.orqa.judges import READERS, judge_with
from ordojo.benchmarks.orqa.page import published_scores
from ordojo.benchmarks.orqa.schema import (
    ANSWER_KEY,
    LETTERS,
    TRIGGERS,
    OrqaOptions,
    Question,
    answer_key,
    make_instance,
    question_from_row,
)
from ordojo.core.building import BuildTools
from ordojo.core.canonical import Json
from ordojo.core.errors import DataError
from ordojo.core.instance import Instance
from ordojo.core.judge import Judge
from ordojo.core.seeds import generator
from ordojo.core.single_turn import SingleTurn
from ordojo.datasets import dataset_digest, read_rows
from ordojo.datasets.schemas import ORQA, Schema
from ordojo.review.kinds import QueueKind

ROTATIONS = tuple(tuple((shift + i) % 4 for i in range(4)) for shift in range(4))


class Orqa(SingleTurn[Question, OrqaOptions]):
    """The benchmark `orqa`."""

    name: ClassVar[str] = "orqa"
    version: ClassVar[str] = "3"
    title: ClassVar[str] = "ORQA"
    summary: ClassVar[str] = (
        "Multiple-choice questions on the parts of an optimization model, read from a case text"
    )
    options = OrqaOptions
    choices = LETTERS
    measured_by: ClassVar[str] = "ordojo.benchmarks.orqa.hardness"
    rules: ClassVar[Mapping[str, Judge]] = {rule: judge_with(rule) for rule in READERS}
    demo: ClassVar[Mapping[str, str]] = {"dataset": "orqa@ordojo"}
    chance = 0.25
    building = build.QuestionSettings
    season: ClassVar[int] = 110
    reads_by: ClassVar[str] = "dataset"
    queues: ClassVar[Mapping[str, QueueKind]] = {"reasoning": reasoning.QUEUE}
    schema: ClassVar[Schema] = ORQA
    # Table 1; it does not say which of an item's texts its words are counted in.
    stated: ClassVar[Mapping[str, Mapping[str, int]]] = {
        "orqa@793beee": {"test": 1468, "validation": 45, "words": 231}
    }

    metrics = staticmethod(judges.metrics)
    panels = staticmethod(page.panels)
    published = staticmethod(published_scores)
    setting = staticmethod(page.setting)

    def load(self, options: OrqaOptions, seed: int) -> Sequence[Instance[Question]]:
        """One instance a row, more where options or triggers are varied."""
        return [
            instance
            for question in _questions(options, options.split)
            for instance in self._variants(question, options, seed)
        ]

    def _variants(
        self, question: Question, options: OrqaOptions, seed: int
    ) -> Sequence[Instance[Question]]:
        name = f"{options.split}-{question.index:04d}"
        return [
            make_instance(varied, f"{name}{order_mark}{trigger_mark}", labels, self.version)
            for order_mark, reordered in _orders(question, options, seed)
            for trigger_mark, varied, labels in _triggers(reordered, options)
        ]

    def environment(self, options: OrqaOptions, seed: int) -> OrqaEnvironment:
        """The environment, with its in-context examples chosen."""
        pool = _questions(options, "validation") if options.shots else ()
        rows = _questions(options, options.split) if options.shots else ()
        examples = ExampleTable(options, pool, rows, seed)
        return OrqaEnvironment(options, examples, self.rules[self.default_rule(options)])

    def default_rule(self, options: OrqaOptions) -> str:
        """The published rule where the prefix is forced, the tolerant one in chat."""
        return "letter" if options.mode == "chat" else "published"

    def dataset(self, options: OrqaOptions) -> Mapping[str, str]:
        """Identifier and digest of the data."""
        return {"id": options.dataset, "sha256": dataset_digest(options.dataset, "orqa")}

    def truth(self, problem: Question) -> str:
        """The right letter."""
        return problem.letter

    def verify(self, instance: Instance[Question]) -> None:
        """Check that the answer key fits the question and its options are four.

        A built question is derived anew from its template, answer and wrong options alike.
        """
        question = instance.problem
        if len(question.options) != 4 or not 0 <= question.answer < 4:
            raise DataError(f"{instance.id}: an ORQA question has four options, one of them right")
        if instance.certificate.kind != ANSWER_KEY:
            from ordojo.benchmarks.orqa.build.make import labels_of, prove

            try:
                prove(question, instance.certificate)
            except DataError as error:
                raise DataError(f"{instance.id}: {error}") from None
            if not labels_of(instance.certificate).items() <= instance.labels.items():
                raise DataError(f"{instance.id}: its labels are not those of its recipe")
        elif answer_key(question) != instance.certificate:
            raise DataError(f"{instance.id}: the answer key does not belong to this question")

    def build(
        self, out: Path, settings: build.QuestionSettings, tools: BuildTools
    ) -> Iterator[str]:
        """See `build.build`."""
        return build.build(out, settings)

    def read_instance(self, row: Mapping[str, Json]) -> Instance[Question]:
        """The instance of a row of `ordojo build orqa`."""
        from ordojo.benchmarks.orqa.build.make import from_row

        return from_row(row)


def _questions(options: OrqaOptions, split: str) -> list[Question]:
    rows = read_rows(options.dataset, split, schema="orqa")
    return [question_from_row(row, index) for index, row in enumerate(rows)]


def _orders(question: Question, options: OrqaOptions, seed: int) -> Sequence[tuple[str, Question]]:
    if options.permute == "cyclic":
        return [(f"~{place}", question.reordered(order)) for place, order in enumerate(ROTATIONS)]
    if options.permute == "random":
        rng = generator(seed, "orqa/permute", question.index)
        return [("", question.reordered([int(i) for i in rng.permutation(len(LETTERS))]))]
    return [("", question)]


def _triggers(
    question: Question, options: OrqaOptions
) -> Sequence[tuple[str, Question, Mapping[str, str]]]:
    if options.prompt == "standard":
        return [("", question, {})]
    if options.trigger == "all":
        return [
            (f"~{name}", replace(question, trigger=text), {"trigger": text})
            for name, text in TRIGGERS.items()
        ]
    text = TRIGGERS.get(options.trigger, options.trigger)
    return [("", replace(question, trigger=text), {"trigger": text})]


BENCHMARK = Orqa()
