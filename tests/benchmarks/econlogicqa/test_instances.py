"""The instances, their answer keys, and what the baselines score."""

from dataclasses import replace

import pytest

from ordojo.benchmarks.econlogicqa import BENCHMARK
from ordojo.benchmarks.econlogicqa.schema import LETTERS, ORDERS, EconLogicQAOptions, Ordering
from ordojo.core.errors import DataError
from ordojo.core.instance import Certificate, Instance
from tests.benchmarks.econlogicqa.test_prompts import rows
from tests.core.helpers import played, published_folder

SHIPPED = EconLogicQAOptions(dataset="econlogicqa@ordojo")
DATASETS = [
    pytest.param("econlogicqa@ordojo", 36),
    pytest.param("econlogicqa@hf-sample6", 6, marks=pytest.mark.data),
]


def test_questions_are_the_files_rows_in_order() -> None:
    instances = BENCHMARK.load(SHIPPED, 0)
    for row, instance in zip(rows("test"), instances, strict=True):
        ordering = instance.problem
        assert (ordering.question, *ordering.events) == tuple(
            row[column] for column in ("Question", *LETTERS)
        )
        assert ordering.answer == BENCHMARK.gold(instance) == row["Answer"]
    assert len({instance.id for instance in instances}) == 36


def test_there_are_24_answers() -> None:
    assert len(set(ORDERS)) == 24
    assert all(sorted(order.split(", ")) == list(LETTERS) for order in ORDERS)


def tampered(instance: Instance[Ordering]) -> list[Instance[Ordering]]:
    ordering = instance.problem
    a, b, c, d = ordering.order
    e, f, g, h = ordering.events
    wrong_key = Certificate("answer-key", {**instance.certificate.data, "order": "A, B"})
    problems = [
        replace(ordering, order=(b, a, c, d)),
        replace(ordering, order=(a, b, c)),
        replace(ordering, order=(a, a, c, d)),
        replace(ordering, order=()),
        replace(ordering, question=ordering.question + " "),
        replace(ordering, events=(f, e, g, h)),
        replace(ordering, events=(e, e, g, h)),
        replace(ordering, events=(e, f, g, h + "!")),
    ]
    return [
        replace(instance, certificate=wrong_key),
        *(replace(instance, problem=problem) for problem in problems),
    ]


def test_verify_refuses_every_kind_of_tampering() -> None:
    for instance in BENCHMARK.load(SHIPPED, 0):
        BENCHMARK.verify(instance)
        for changed in tampered(instance):
            with pytest.raises(DataError, match=instance.id):
                BENCHMARK.verify(changed)


@pytest.mark.parametrize(("dataset", "count"), DATASETS)
def test_baselines_score_what_they_must(dataset: str, count: int) -> None:
    if dataset != "econlogicqa@ordojo":
        published_folder()
    options = EconLogicQAOptions(dataset=dataset, shots=0)
    keys = [instance.problem.answer for instance in BENCHMARK.load(options, 0)]
    most = max(keys.count(order) for order in ORDERS)
    for policy, right in (("gold", count), ("noop", 0), ("majority", most)):
        figures = BENCHMARK.metrics(played(BENCHMARK, policy, options), "exact-match")
        assert figures["exact_match"].value == pytest.approx(right / count)
        assert figures["exact_match"].n == count
    epochs = 2400 // count
    figures = BENCHMARK.metrics(played(BENCHMARK, "random", options, epochs=epochs), "exact-match")
    assert figures["exact_match"].low < 1 / 24 < figures["exact_match"].high
    assert figures["pairwise_accuracy"].low < 1 / 2 < figures["pairwise_accuracy"].high
    assert figures["kendall_tau"].low < 0 < figures["kendall_tau"].high
    assert figures["exact_match"].clusters == count
