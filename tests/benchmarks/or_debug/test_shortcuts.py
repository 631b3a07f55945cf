"""Shortcuts: what is scored without the environment is what the environment scores."""

import numpy as np
import pytest

from ordojo.benchmarks.or_debug import BENCHMARK
from ordojo.benchmarks.or_debug.build import load_set
from ordojo.benchmarks.or_debug.schema import OrDebugOptions
from ordojo.benchmarks.or_debug.shortcuts import (
    ENOUGH,
    FEATURES,
    Walk,
    certify,
    fit_tree,
    guessers,
    recovery,
    shortcuts,
)
from ordojo.core.episode import play
from ordojo.core.errors import DataError

INSTANCES = [one for place, one in enumerate(load_set("eval")[:180]) if place % 90 < 9]


def test_recovery_is_rr_at_5_of_the_environment() -> None:
    walks = [Walk(instance.problem) for instance in INSTANCES]
    environment = BENCHMARK.environment(OrDebugOptions(), 0)
    judge = BENCHMARK.rules["rr@5"]
    for name, policy in {**shortcuts(), **guessers(walks)}.items():
        scores = [
            judge(one, play(environment, one, policy.begin(one, 0, 0))).score for one in INSTANCES
        ]
        assert scores == recovery(policy, walks), name
    environment.close()


def test_every_element_of_the_iis_has_its_features() -> None:
    for instance in INSTANCES:
        names, features = Walk(instance.problem).choice(())
        assert {*instance.problem.iis_rows, *instance.problem.iis_bounds} <= {*names}
        assert features.shape == (len(names), len(FEATURES))
        assert np.isfinite(features).all()


def test_a_tree_finds_what_two_features_say_together() -> None:
    table = np.random.default_rng(0).random((400, 3))
    truth = ((table[:, 0] > 0.5) & (table[:, 2] > 0.3)).astype(float)
    asked = np.array([[0.9, 0.1, 0.9], [0.9, 0.9, 0.1], [0.1, 0.9, 0.9]])
    assert fit_tree(table, truth)(asked) == pytest.approx([1.0, 0.0, 0.0], abs=0.1)


def test_other_policies_are_refused() -> None:
    with pytest.raises(TypeError, match="no policy of this module"):
        recovery(BENCHMARK.policies([])["gold"], [])


def test_a_set_that_yields_is_refused_and_a_small_one_told_so() -> None:
    told = [one.problem for one in load_set("eval-v1") if one.problem.type == "D"][:ENOUGH]
    with pytest.raises(DataError, match="without reading: type D yields to "):
        list(certify(told))
    lines = list(certify(told[:5]))
    assert lines[1] == f"  D: 5 are too few for a verdict, which takes {ENOUGH}"
    assert list(certify([])) == []
