"""The sets that are asked: the shipped one is what its seed gives."""

from collections import Counter
from dataclasses import replace

import pytest

from ordojo.benchmarks.or_debug.build import SEED, kind_of, load_set, produce_all
from ordojo.benchmarks.or_debug.certificate import CLOSE, verify
from ordojo.benchmarks.or_debug.injection.generate import GeneratedProblem, generate
from ordojo.benchmarks.or_debug.schema import SPLITS, TOLD, TYPES, make_instance
from ordojo.benchmarks.or_debug.telling.anew import lost
from ordojo.core.errors import UsageError
from ordojo.solvers.highs import HighsOracle


def test_the_shipped_set_is_stratified_and_whole() -> None:
    instances = load_set("eval")
    assert len(instances) == SPLITS["eval"]
    assert Counter(instance.labels["type"] for instance in instances) == dict.fromkeys(TYPES, 50)
    assert len({instance.content_hash for instance in instances}) == len(instances)


@pytest.fixture(scope="module")
def first() -> list[GeneratedProblem]:
    """The first of each type, made anew."""
    return list(produce_all("eval", SEED, len(TYPES)))


def test_the_shipped_set_is_what_its_seed_gives(first: list[GeneratedProblem]) -> None:
    instances = load_set("eval")
    solvers = {"highs": HighsOracle().version}
    if instances[0].certificate.data["solvers"] != solvers:
        pytest.skip("the shipped set was made with another version of HiGHS")
    made = [*(one.problem for one in first)]
    for index in range(50, len(instances), 100):  # of types F to I
        made.append(generate("eval", SEED, index, kind_of(index)))
    for again in made:
        index = again.index
        shipped = instances[index].problem
        # The optima in the shipped set have the last bits of the machine on which it was made.
        assert again.objective == pytest.approx(shipped.objective, rel=CLOSE)
        again = replace(again, objective=shipped.objective)
        assert make_instance(again, solvers).content_hash == instances[index].content_hash
        verify(instances[index])


def test_the_shipped_set_is_proved() -> None:
    for instance in load_set("eval")[::11]:
        verify(instance)


def test_there_is_no_other_set() -> None:
    with pytest.raises(UsageError, match="choose from"):
        load_set("test")


@pytest.mark.parametrize(("name", "version"), [("eval-v1", "2"), ("eval-v3", "3")])
def test_the_sets_of_former_versions_are_there_by_name(name: str, version: str) -> None:
    instances = load_set(name)
    assert len(instances) == SPLITS["eval"]
    assert {instance.version for instance in instances} == {version}
    for instance in instances[::50]:
        verify(instance)


def test_told_are_problems_of_the_shipped_set_in_other_words() -> None:
    instances = load_set(TOLD)
    assert Counter(instance.labels["type"] for instance in instances) == dict.fromkeys(TYPES, 20)
    for instance, plain in zip(instances, load_set("eval"), strict=False):
        text, split = plain.problem.text, plain.problem.split
        assert replace(instance.problem, text=text, split=split) == plain.problem
        assert instance.problem.text != text
    for instance in instances[::20]:
        verify(instance)


def test_what_is_told_loses_no_figure_and_no_name(first: list[GeneratedProblem]) -> None:
    for made, instance in zip(first, load_set(TOLD), strict=False):
        assert made.told is not None
        assert lost(made.told, instance.problem.text) == []
