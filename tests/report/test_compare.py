"""`ordojo.compare`: its tests against SciPy's, its symmetries, and what it refuses."""

import json
import math
from statistics import NormalDist

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from ordojo.cli.report import compare as command
from ordojo.core.errors import UsageError
from ordojo.core.statistics import holm, paired_comparison
from ordojo.report.compare import compare_runs

from .fakes import lookup, run, sample

scored = st.lists(
    st.tuples(st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from([0.0, 1.0]), st.integers(0, 4)),
    min_size=1,
    max_size=25,
)


@settings(max_examples=40, deadline=None)
@given(scored)
def test_exchanged_runs_differ_in_the_sign_alone(rows):
    a, b, clusters = (list(column) for column in zip(*rows, strict=True))
    one, other = paired_comparison(a, b, clusters), paired_comparison(b, a, clusters)
    assert one.difference.value == -other.difference.value
    assert (one.p_value, one.sign_p) == (other.p_value, other.sign_p)
    assert (one.first, one.second) == (other.second, other.first)
    assert one.needed == other.needed


def test_identical_runs():
    both = [1.0, 0.0, 1.0]
    found = paired_comparison(both, both)
    assert (found.p_value, found.sign_p, found.needed) == (1.0, 1.0, None)
    assert math.isnan(found.detectable)


@pytest.mark.parametrize(("better", "worse"), [(5, 1), (0, 8), (10, 10), (3, 12)])
def test_mcnemar(better, worse):
    first = [1.0] * better + [0.0] * worse + [1.0] * 7
    second = [0.0] * better + [1.0] * worse + [1.0] * 7
    expected = binomtest(better, better + worse).pvalue
    found = paired_comparison(first, second, draws=10_000)
    assert found.sign_p == pytest.approx(expected)
    # On 0 and 1 the permutation test estimates the same p.
    assert found.p_value == pytest.approx(expected, abs=0.02)


def test_copies_in_a_cluster_add_no_evidence():
    once = paired_comparison([1.0, 1.0, 0.0, 1.0], [0.0, 0.0, 1.0, 0.0])
    copied = paired_comparison(
        [1.0, 1.0, 0.0, 1.0] * 5, [0.0, 0.0, 1.0, 0.0] * 5, list(range(4)) * 5
    )
    assert (copied.p_value, copied.sign_p) == (once.p_value, once.sign_p)
    assert copied.detectable == pytest.approx(once.detectable)


def test_power_is_that_of_the_normal_test():
    found = paired_comparison([1.0, 1.0, 0.0, 1.0] * 25, [0.0, 1.0, 1.0, 0.0] * 25)
    normal, wide = NormalDist(), (found.difference.high - found.difference.value) / 1.959963985
    assert normal.cdf(found.detectable / wide - normal.inv_cdf(0.975)) == pytest.approx(0.8)
    grown = wide * math.sqrt(100 / found.needed)
    power = normal.cdf(found.difference.value / grown - normal.inv_cdf(0.975))
    assert 0.8 <= power < 0.82


@given(st.lists(st.floats(0, 1) | st.just(math.nan), max_size=8))
def test_holm(p_values):
    adjusted = holm(p_values)
    known = sorted((p, q) for p, q in zip(p_values, adjusted, strict=True) if p == p)
    assert all(p <= q <= min(1.0, len(known) * p) for p, q in known)
    assert [q for _, q in known] == sorted(q for _, q in known)
    assert [math.isnan(p) for p in p_values] == [math.isnan(q) for q in adjusted]


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])


def test_epochs_are_averaged_and_pairs_are_in_the_order_given():
    twice = [sample(0, 1.0), sample(0, 0.0, epoch=2), sample(1, 1.0)]
    found = compare_runs(
        [run("a", records=twice), run("b", records=[sample(0, 0.5), sample(1, 0.0)])], lookup
    )[0]
    assert found.pairs[0].comparison.difference.value == pytest.approx(0.5)
    assert found.to_json()["pairs"][0]["first"].startswith("a")
    assert "2 items in 1 clusters" in str(found)
    json.dumps(found.to_json(), allow_nan=False)


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"benchmark": "other"}, "benchmark is fake-qa"),
        ({"benchmark_version": "2"}, "version is 1"),
        ({"dataset": {"id": "fake@2", "sha256": "ab" * 32}}, "dataset is fake@1"),
        ({"rule": "lenient"}, "rule is strict"),
        ({"records": [sample(99, 1.0)]}, "no scored item in common"),
    ],
)
def test_what_is_not_comparable_is_refused(other, said):
    with pytest.raises(UsageError, match=said):
        compare_runs([run("a"), run("b", **other)], lookup)


def test_one_run_is_not_enough(tmp_path):
    with pytest.raises(UsageError, match="two runs or more"):
        compare_runs([run("a")], lookup)
    assert CliRunner().invoke(command, []).exit_code == 2
