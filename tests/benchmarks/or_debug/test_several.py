"""The hard set: what its instances promise, and that none of it can be taken away unseen."""

from dataclasses import replace

import pytest

from ordojo.benchmarks.or_debug import BENCHMARK
from ordojo.benchmarks.or_debug.build import SEED, load_set
from ordojo.benchmarks.or_debug.certificate import verify
from ordojo.benchmarks.or_debug.injection.generate import KINDS, produce_several
from ordojo.benchmarks.or_debug.injection.validation import LARGE, ROWS
from ordojo.benchmarks.or_debug.perform import BUDGET
from ordojo.benchmarks.or_debug.schema import HARD, SEVERAL, OrDebugOptions, make_instance
from ordojo.core.episode import play
from ordojo.core.errors import DataError


def test_every_instance_is_what_the_page_says() -> None:
    instances = load_set(HARD)
    assert len({instance.content_hash for instance in instances}) == len(instances) == 88
    for instance in instances:
        problem, kinds = instance.problem, instance.problem.method.split("+")
        assert problem.type == instance.labels["type"] == SEVERAL
        assert 2 <= len(kinds) == len(set(kinds)) == len(problem.targets) == len(problem.fix) <= 4
        assert set(kinds) <= {*KINDS, "C"} and instance.labels["kind"] == "MIP"
        assert ROWS[0] <= problem.model.m <= ROWS[1]
        large = len(problem.iis_rows) + len(problem.iis_bounds) >= LARGE
        assert large or set(problem.iis_rows).isdisjoint(problem.targets)


def test_some_are_proved_again() -> None:
    for instance in load_set(HARD)[1:11:5]:
        verify(instance)


def test_one_that_is_made_is_told_by_rules_within_a_turns_room() -> None:
    made = make_instance(produce_several(HARD, SEED, 8).problem, {"highs": "x"})
    verify(made)
    assert " rule" in made.problem.text and "`" not in made.problem.text
    environment = BENCHMARK.environment(OrDebugOptions(), 0)
    assert len(environment.reset(made, 0).text) < BUDGET
    environment.close()


def test_what_is_tampered_with_is_refused() -> None:
    instance = load_set(HARD)[11]
    problem = instance.problem

    def refused(**changes: object) -> str:
        changed = make_instance(replace(problem, **changes), {"highs": "x"})  # type: ignore[arg-type]
        with pytest.raises(DataError) as error:
            verify(changed)
        return str(error.value)

    assert "one entry for each error" in refused(method="A")
    assert "is no target" in refused(targets=problem.targets[:1], fix=problem.fix[:1])
    assert "after the fix" in refused(fix=(*problem.fix[:-1], f"DROP({problem.iis_rows[0]})"))
    assert "not irreducible" in refused(iis_rows=problem.iis_rows[1:]) or "has a solution"


def test_gold_repairs_all_and_noop_nothing_within_a_turns_room() -> None:
    environment = BENCHMARK.environment(OrDebugOptions(), 0)
    policies = BENCHMARK.policies([])
    for instance in load_set(HARD)[::12]:
        first = environment.reset(instance, 0)
        assert len(first.text) < BUDGET
        scores = [
            BENCHMARK.rules["rr@5"](
                instance, play(environment, instance, policies[name].begin(instance, 0, 0))
            ).score
            for name in ("gold", "noop")
        ]
        assert scores == [1.0, 0.0]
    environment.close()
