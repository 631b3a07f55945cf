"""Repairers that know the generator: what they read, how they are fitted, and who is refused."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from ordojo.benchmarks.or_debug import BENCHMARK, adversaries
from ordojo.benchmarks.or_debug.adversaries import (
    DRAWS,
    FILTERING,
    INVERSE,
    KEPT,
    KNOWN,
    KnowingRepair,
    certify_known,
    filtered,
    knowers,
    mends,
    trust,
)
from ordojo.benchmarks.or_debug.build import SEED, load_set, produce_all
from ordojo.benchmarks.or_debug.injection.generate import GeneratedProblem
from ordojo.benchmarks.or_debug.injection.validation import CHECKS
from ordojo.benchmarks.or_debug.schema import QUIET, SILENT, Debugging, OrDebugOptions
from ordojo.core.episode import play
from ordojo.core.errors import DataError
from tests.benchmarks.or_debug.made import fitted_to_all


@pytest.fixture(autouse=True)
def _fitted_anew() -> Iterator[None]:
    """Each test fits the adversaries that it has."""
    trust.cache_clear()
    yield
    trust.cache_clear()


def _gives_away(problem: Debugging) -> Iterator[tuple[tuple[str, ...], str]]:
    yield from ((("told",), repair) for repair in problem.fix)


def _plain(problem: Debugging, told: str) -> Debugging:
    """The problem with a text that tells one thing in the words that the readers know."""
    return replace(problem, text=told)


def test_the_fix_mends_and_nothing_else_does() -> None:
    for one in load_set(QUIET)[:7]:
        problem = one.problem
        assert mends(problem, problem.fix[0])
        assert not mends(problem, "DROP(r1)") and not mends(problem, "DROP(no_such_row)")


def test_lost_integrality_is_found_where_it_is_told() -> None:
    one = next(one for one in load_set(QUIET) if one.problem.type == "integrality")
    column = one.problem.targets[0].removesuffix(".type")
    told = _plain(one.problem, f"A lot of {column.replace('_', ' ')} is never broken up.")
    assert [repair for _, repair in KNOWN["knows-phrases"](told)] == [one.problem.fix[0]]


def test_what_is_scored_without_the_environment_is_what_it_scores() -> None:
    instances = load_set(QUIET)[:14]
    environment = BENCHMARK.environment(OrDebugOptions(), 0)
    policies = BENCHMARK.policies([])
    for name in ("knows-undo", "knows-facts"):
        scores = KnowingRepair(name).scores([one.problem for one in instances])
        played = [
            BENCHMARK.rules["rr@5"](
                one, play(environment, one, policies[name].begin(one, 0, 0))
            ).score
            for one in instances
        ]
        assert played == scores
    environment.close()


def test_trust_is_the_share_that_was_mended_and_less_for_few_tries() -> None:
    found = trust("knows-phrases", True)
    assert found and all(0 <= value < 1 for value in found.values())


def test_a_set_that_yields_is_refused_and_a_small_one_is_not_judged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problems = [one.problem for one in load_set(QUIET)]
    assert list(certify_known(problems[:20])) == list(certify_known([])) == []

    monkeypatch.setattr(adversaries, "KNOWN", {"knows-all": _gives_away})
    with pytest.raises(DataError, match=r"all to knows-all \(1.00\); sign to knows-all"):
        list(certify_known(problems))


def test_rules_are_read_as_far_as_an_adversary_reads() -> None:
    problems = [one.problem for one in load_set("eval") if one.problem.type == "D"][:12]
    by_text = ("knows-phrases", "knows-facts", "knows-rules")
    right = Counter(
        name
        for problem in problems
        for name in by_text
        if (("lapsed",), problem.fix[0]) in KNOWN[name](problem)
    )
    assert right["knows-phrases"] <= right["knows-facts"] < right["knows-rules"] == 12
    assert not mends(problems[0]) and mends(problems[0], *problems[0].fix)


def test_repairs_follow_each_other_while_the_model_is_infeasible(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problem = next(one.problem for one in load_set("eval") if one.problem.type == "G")

    monkeypatch.setattr(adversaries, "KNOWN", {"knows-all": _gives_away})
    assert KnowingRepair("knows-all").choices(problem) == list(problem.fix)
    assert KnowingRepair("knows-all").scores([problem]) == [1.0]


def test_infeasible_sets_are_judged_and_the_inverse_of_the_telling_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problems = [one.problem for one in load_set("eval")]

    monkeypatch.setattr(adversaries, "KNOWN", {INVERSE: _gives_away})
    assert "above a ceiling; as the telling's inverse" in list(certify_known(problems))[-1]
    monkeypatch.setattr(adversaries, "KNOWN", {"knows-phrases": _gives_away})
    with pytest.raises(DataError, match="without reading: all to knows-phrases"):
        list(certify_known(problems))


def test_what_stands_above_a_ceiling_is_said_and_the_filter_leaves_nothing_there() -> None:
    problems = [one.problem for one in load_set("silent-v3")]
    asked = [one.problem for one in load_set(QUIET)]
    changed = [k for k in range(28) if asked[k].text != problems[k].text]
    with fitted_to_all():
        before, after = list(certify_known(problems)), list(certify_known(asked))
        fell = [
            any(KnowingRepair(name).scores([problems[k]])[0] for name in FILTERING) for k in changed
        ]
        again = [one.problem.text for one in produce_all(QUIET, SEED, 3)]
    assert len(before) == 2 + len(knowers()) - 1  # there are no rules in them
    assert "integrality to knows-facts (0.57)" in before[-1] and "all to" not in before[-1]
    assert all(kind in before[1] for kind in SILENT)
    assert len(after) == len(knowers()) and "above" not in after[-1]
    assert 0 < len(changed) < 14 and all(fell)
    assert again == [one.text for one in asked[:3]]


def _falls(problem: Debugging) -> bool:
    return bool(KnowingRepair("knows-all").scores([problem])[0])


def test_what_is_repaired_is_drawn_again_but_for_a_coin_and_not_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    easy, hard = (one.problem for one in load_set(QUIET)[:2])

    def given(problem: Debugging) -> Iterator[tuple[tuple[str, ...], str]]:
        yield from _gives_away(problem) if problem == easy else ()

    monkeypatch.setattr(adversaries, "KNOWN", {"knows-all": given})
    monkeypatch.setattr(adversaries, "FILTERING", ("knows-all",))
    assert _falls(easy) and not _falls(hard)
    made = {True: GeneratedProblem(easy, (CHECKS,)), False: GeneratedProblem(hard, (CHECKS,))}
    ends = Counter[tuple[bool, int]]()
    for seed in range(300):
        drawn = filtered(lambda again: made[again < 2], np.random.default_rng(seed))
        ends[drawn.problem == easy, drawn.drawn] += 1
    assert ends.keys() == {(True, 1), (True, 2), (False, 3)}
    assert ends[True, 1] / 300 == pytest.approx(KEPT, abs=0.1)
    assert ends[True, 2] / 300 == pytest.approx(KEPT * (1 - KEPT), abs=0.1)
    always = [
        filtered(lambda again: made[True], np.random.default_rng(k)).drawn for k in range(400)
    ]
    assert max(always) == DRAWS
