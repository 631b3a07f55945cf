"""`ordojo.compare`: its tests against SciPy's, its symmetries, and what it refuses."""

import json
import math
from dataclasses import replace
from statistics import NormalDist

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from ordojo.api.runs import evaluate
from ordojo.cli.report import compare as command
from ordojo.core.errors import UsageError
from ordojo.core.statistics import holm, paired_comparison
from ordojo.evaluation.runs import RunStore
from ordojo.reports.compare import compare_runs, pairs
from ordojo.reports.study import study

from .fakes import lookup, run, sample

scored = st.lists(
    st.tuples(st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from([0.0, 1.0]), st.integers(0, 4)),
    min_size=1,
    max_size=25,
)


@settings(max_examples=40)
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


def mixed():
    """Two runs of a kind, one of another version, one by another rule, two of other items."""
    return [
        run("a", 0.9),
        run("b", 0.2, seed=1),
        run("old", benchmark_version="0"),
        run("lenient", rule="lenient"),
        run("c", benchmark="other"),
        run("d", benchmark="other", records=[sample(99, 1.0)]),
    ]


def test_runs_of_a_mixed_folder_are_compared_group_by_group():
    groups = compare_runs(mixed(), lookup)
    assert [len(group.runs) for group in groups] == [2, 1, 1, 2]
    assert [len(group.pairs) for group in groups] == [1, 0, 0, 1]
    assert "fake-qa v1 on fake@1" in str(groups[0]) and "difference" in str(groups[0])
    assert str(groups[1]).endswith("old · shots=0: alone, compared with nothing")
    assert "rule lenient" in str(groups[2])
    assert str(groups[3]).endswith("no scored item in common, not compared")


def test_two_hashes_of_a_dataset_are_told_apart():
    other = {"id": "fake@1", "sha256": "cd" * 32}
    groups = compare_runs([run("a"), run("b"), run("c", dataset=other)], lookup)
    assert [group.dataset for group in groups] == ["fake@1@" + "ab" * 6, "fake@1@" + "cd" * 6]


def test_the_report_has_the_p_values_of_the_command():
    runs = [run(f"m{n}", (n + 3) / 8, 60, seed=n) for n in range(3)]
    (column,) = study(runs, lookup, "T").columns
    ranked = [summary.run for summary in column.runs]
    (group,) = compare_runs(ranked, lookup)
    assert pairs(column) == list(group.pairs)
    assert {pair.among for pair in group.pairs} == {3}


def test_the_report_corrects_over_the_pairs_of_one_rule():
    runs = [run(name, seed=n) for n, name in enumerate("abc")]
    (column,) = study([*runs, run("d", rule="lenient")], lookup, "T").columns
    found = pairs(column)
    assert [pair.among for pair in found] == [3, 3, 3]
    named = {column.runs[place].model for pair in found for place in (pair.first, pair.second)}
    assert named == set("abc")


def keep(folder, runs):
    for view in runs:
        with RunStore(folder / view.name, view.header) as store:
            for record in view.records:
                store.add(record)


def scripted(model, **options):
    return evaluate("orqa", f"ordojo/{model}", dataset="orqa@ordojo", limit=4, **options)


def test_json_is_an_object_for_one_group_and_a_list_for_several(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for model in ("gold", "random"):
        scripted(model)
    one = json.loads(CliRunner().invoke(command, ["runs", "--json"]).stdout)
    assert one["benchmark"] == "orqa" and len(one["pairs"]) == 1
    old = scripted("noop")
    keep(
        tmp_path / "runs",
        [replace(old, name="the-old", header=replace(old.header, benchmark_version="0"))],
    )
    done = CliRunner().invoke(command, ["runs", "--json"])
    assert [len(group["pairs"]) for group in json.loads(done.stdout)] == [3, 0]
    assert json.loads(done.stdout)[0]["version"] == one["version"]
    assert "orqa: runs of versions 0 and" in done.stderr


def test_one_run_is_not_enough(tmp_path):
    with pytest.raises(UsageError, match="two runs or more"):
        compare_runs([run("a")], lookup)
    assert CliRunner().invoke(command, []).exit_code == 2
