"""The sets that are asked: the shipped one is what its seed gives."""

from collections import Counter
from dataclasses import replace

import pytest

from ordojo.benchmarks.or_debug.build import SEED, kind_of, load_set, produce_all
from ordojo.benchmarks.or_debug.certificate import verify
from ordojo.benchmarks.or_debug.injection.generate import GeneratedProblem, produce
from ordojo.benchmarks.or_debug.schema import SPLITS, TOLD, TYPES, make_instance
from ordojo.benchmarks.or_debug.telling.anew import lost
from ordojo.core.errors import UsageError
from ordojo.milp.tolerances import OBJECTIVE
from ordojo.solvers.highs import HighsOracle
from tests.benchmarks.or_debug.made import fitted_to_all


def test_the_shipped_set_is_stratified_and_whole() -> None:
    instances = load_set("eval")
    assert len(instances) == SPLITS["eval"]
    assert Counter(instance.labels["type"] for instance in instances) == dict.fromkeys(TYPES, 50)
    assert len({instance.content_hash for instance in instances}) == len(instances)


@pytest.fixture(scope="module")
def plain() -> list[GeneratedProblem]:
    """The first of each type of version 6, made anew."""
    return [produce("eval", SEED, index, kind) for index, kind in enumerate(TYPES)]


def test_the_shipped_sets_are_what_their_seed_gives(plain: list[GeneratedProblem]) -> None:
    with fitted_to_all():
        _made_again("eval", list(produce_all("eval", SEED, len(TYPES))))
    more = (produce("eval", SEED, index, kind_of(index)) for index in range(50, 450, 100))
    _made_again("eval-v6", [*plain, *more])


def _made_again(name: str, made: list[GeneratedProblem]) -> None:
    instances = load_set(name)
    solvers = {"highs": HighsOracle().version}
    if instances[0].certificate.data["solvers"] != solvers:
        pytest.skip("the shipped set was made with another version of HiGHS")
    for again in (one.problem for one in made):
        index = again.index
        shipped = instances[index].problem
        # The optima in the shipped set have the last bits of the machine on which it was made.
        assert again.objective == pytest.approx(shipped.objective, rel=OBJECTIVE)
        again = replace(again, objective=shipped.objective)
        assert make_instance(again, solvers).content_hash == instances[index].content_hash
        verify(instances[index])


def test_the_shipped_set_is_proved() -> None:
    for instance in load_set("eval")[::11]:
        verify(instance)


def test_there_is_no_other_set() -> None:
    with pytest.raises(UsageError, match="choose from"):
        load_set("test")


@pytest.mark.parametrize(
    ("name", "version"), [("eval-v1", "2"), ("eval-v3", "3"), ("eval-v6", "6")]
)
def test_the_sets_of_former_versions_are_there_by_name(name: str, version: str) -> None:
    instances = load_set(name)
    assert len(instances) == SPLITS["eval"]
    assert {instance.version for instance in instances} == {version}
    for instance in instances[::50]:
        verify(instance)


def test_told_are_problems_of_version_6_in_other_words() -> None:
    instances = load_set(TOLD)
    assert Counter(instance.labels["type"] for instance in instances) == dict.fromkeys(TYPES, 20)
    for instance, plain in zip(instances, load_set("eval-v6"), strict=False):
        text, split = plain.problem.text, plain.problem.split
        assert replace(instance.problem, text=text, split=split) == plain.problem
        assert instance.problem.text != text
    for instance in instances[::20]:
        verify(instance)


def test_what_is_told_loses_no_figure_and_no_name(plain: list[GeneratedProblem]) -> None:
    for made, instance in zip(plain, load_set(TOLD), strict=False):
        assert made.told is not None
        assert lost(made.told, instance.problem.text) == []
