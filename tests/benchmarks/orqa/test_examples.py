"""The choice of in-context examples."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from ordojo.benchmarks.orqa import BENCHMARK
from ordojo.benchmarks.orqa.environment import ExampleTable
from ordojo.benchmarks.orqa.schema import OrqaOptions, Question
from ordojo.core.errors import DataError

SELECTIONS = ("paper-same-type", "random", "similar-length", "similar-length-same-type")


def questions(split: str) -> list[Question]:
    options = OrqaOptions.model_validate({"dataset": "orqa@ordojo", "split": split})
    return [instance.problem for instance in BENCHMARK.load(options, seed=0)]


POOL, ROWS = questions("validation"), questions("test")


def chosen(
    icl: str,
    shots: int = 2,
    seed: int = 0,
    rows: Sequence[Question] = ROWS,
    pool: Sequence[Question] = POOL,
) -> list[tuple[Question, ...]]:
    """The examples of every row; both calls see the same ones but under published-code."""
    options = OrqaOptions.model_validate({"shots": shots, "icl": icl, "prompt": "cot"})
    table = ExampleTable(options, pool, rows, seed)
    if icl != "published-code":
        assert [table.reasoning(row) for row in rows] == [table.answer(row) for row in rows]
    return [table.answer(row) for row in rows]


def words(question: Question) -> int:
    shown = f"Context: {question.context} Question: {question.question}"
    return len(f"{shown} A. {' x. '.join(question.options)}".split())


@pytest.mark.parametrize("icl", SELECTIONS)
@pytest.mark.parametrize("shots", [0, 1, 3])
def test_examples_are_as_many_as_asked_and_none_twice(icl: str, shots: int) -> None:
    for examples in chosen(icl, shots):
        assert len({example.index for example in examples}) == len(examples) == shots
        assert set(examples) <= set(POOL)


@pytest.mark.parametrize("icl", ["paper-same-type", "similar-length-same-type"])
def test_same_type_shows_the_questions_own_type_alone(icl: str) -> None:
    for row, examples in zip(ROWS, chosen(icl, 3), strict=True):
        assert {example.type for example in examples} == {row.type}


@pytest.mark.parametrize("icl", ["paper-same-type", "random"])
def test_draws_depend_on_the_seed_and_the_question_alone(icl: str) -> None:
    assert chosen(icl) == chosen(icl) != chosen(icl, seed=1)
    assert chosen(icl)[7:] == chosen(icl, rows=ROWS[7:])
    drawn = [row for row in ROWS if row.type == ROWS[0].type]
    assert len(set(chosen(icl, rows=drawn))) > 1


def test_random_reaches_every_example_and_all_types() -> None:
    rows = [replace(row, index=1000 * k + row.index) for row in ROWS for k in range(20)]
    counts = [example.index for examples in chosen("random", 1, rows=rows) for example in examples]
    expected = len(rows) / len(POOL)
    assert all(expected / 2 < counts.count(example.index) < 2 * expected for example in POOL)


@pytest.mark.parametrize("icl", ["similar-length", "similar-length-same-type"])
def test_similar_length_takes_the_nearest_and_no_seed(icl: str) -> None:
    assert chosen(icl) == chosen(icl, seed=1)
    for row, examples in zip(ROWS, chosen(icl), strict=True):
        eligible = [e for e in POOL if e.type == row.type or not icl.endswith("type")]
        distances = [abs(words(example) - words(row)) for example in examples]
        assert distances == sorted(abs(words(example) - words(row)) for example in eligible)[:2]


def test_examples_of_equal_length_come_in_file_order() -> None:
    twins = [replace(POOL[0], index=i, question=f"Is it {name}?") for i, name in enumerate("abc")]
    ((first, second),) = chosen("similar-length", 2, rows=ROWS[:1], pool=twins)
    assert (first.index, second.index) == (0, 1)


@pytest.mark.parametrize("icl", SELECTIONS)
@pytest.mark.parametrize("order", [(0, 1, 2, 3), (2, 3, 0, 1)])
def test_a_question_is_never_its_own_example(icl: str, order: tuple[int, ...]) -> None:
    rows = [row.reordered(order) for row in POOL]
    for row, examples in zip(rows, chosen(icl, 2, rows=rows), strict=True):
        assert row.index not in {example.index for example in examples}


def test_published_code_draws_with_replacement_and_from_all_types() -> None:
    drawn = chosen("published-code", 3)
    assert any(len(set(examples)) < 3 for examples in drawn)
    assert any(
        row.type not in {e.type for e in examples}
        for row, examples in zip(ROWS, drawn, strict=True)
    )
    assert drawn == chosen("published-code", 3, seed=1)


def test_too_few_examples_are_refused_before_anything_is_asked() -> None:
    options = OrqaOptions(dataset="orqa@ordojo", shots=4)
    with pytest.raises(DataError, match=r"has 3 examples for question 0 \(type Q\d+\)"):
        BENCHMARK.environment(options, seed=0)
    BENCHMARK.environment(options.model_copy(update={"icl": "random"}), seed=0)
    BENCHMARK.environment(options.model_copy(update={"icl": "published-code"}), seed=0)
    itself = options.model_copy(update={"split": "validation", "shots": 3})
    with pytest.raises(DataError, match="has 2 examples"):
        BENCHMARK.environment(itself, seed=0)
