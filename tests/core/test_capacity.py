"""The simulation behind `ordojo plan`, where the answer can be had on paper."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordojo.core.capacity import Cluster, Load, simulate
from ordojo.core.errors import UsageError

FREE = {"start": 0.0, "send": 0.0, "take": 0.0, "keep": 0.0, "disk": 0.0}
"""A driver and a disk that take no time."""


@given(
    seconds=st.lists(st.floats(0, 100), min_size=1, max_size=40),
    nodes=st.integers(1, 5),
    cores=st.integers(1, 4),
)
def test_no_run_is_shorter_than_its_work_or_longer_than_any_schedule(seconds, nodes, cores):
    found = simulate(Load(len(seconds), seconds), Cluster(nodes, cores, **FREE))
    work, taken = sum(seconds), found.hours * 3600
    assert work / (nodes * cores) - 1e-6 <= taken <= work + 1e-6
    assert found.core_hours * 3600 == pytest.approx(work, abs=1e-6)


def test_even_items_on_free_cores_take_their_share():
    found = simulate(Load(800, [2.0]), Cluster(4, 2, price=3.0, **FREE))
    assert found.hours * 3600 == pytest.approx(200)
    assert found.busy["cores"] == pytest.approx(1) and found.bottleneck == "cores"
    assert found.dollars == pytest.approx(4 * 3 * 200 / 3600)


def test_a_driver_that_is_slower_than_the_cores_is_the_bottleneck():
    found = simulate(Load(6400, [0.001]), Cluster(10, 10, start=0, send=0.01, take=0.01, keep=0.01))
    assert found.bottleneck == "driver" and found.hours * 3600 > 64


@pytest.mark.parametrize(
    ("part", "load", "cluster"),
    [("endpoint", {"tokens": 500}, {"tokens": 100}), ("disk", {"size": 5e4}, {"disk": 10})],
)
def test_an_endpoint_or_a_disk_may_be_the_bottleneck(part, load, cluster):
    found = simulate(Load(100, [1.0], **load), Cluster(10, 10, **cluster))
    assert found.bottleneck == part and found.hours * 3600 == pytest.approx(500)


def test_what_runs_on_a_lost_node_is_done_again_and_all_ends():
    calm, lossy = (
        simulate(Load(2_000, [600.0]), Cluster(10, 4, failure_hours=hours), seed=3)
        for hours in (0.0, 5.0)
    )
    assert calm.nodes_lost == 0 and lossy.nodes_lost > 5
    assert lossy.hours > calm.hours and lossy.redone > 0
    again = lossy.core_hours * (1 - lossy.redone)
    assert again == pytest.approx(calm.core_hours, rel=0.01)
    assert lossy == simulate(Load(2_000, [600.0]), Cluster(10, 4, failure_hours=5.0), seed=3)


def test_memory_decides_how_many_cores_of_a_node_work():
    assert Cluster(1, 16, node_memory=32).workers(Load(1, [1.0], memory=10)) == 3
    with pytest.raises(UsageError, match="an item takes 40 GB, a node has 32; give larger nodes"):
        Cluster(1, 16, node_memory=32).workers(Load(1, [1.0], memory=40))


def test_many_cores_are_not_kept_waiting_for_the_first_result():
    """With shards of 64 items and 4,096 results that may wait, two thirds of the cores idled."""
    found = simulate(Load(200_000, [60.0]), Cluster(100, 16))
    assert found.busy["cores"] > 0.9


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: Cluster(0, 1), "1 to 1,000,000 cores"),
        (lambda: Cluster(1, 1, price=-1), "price of a cluster must be 0 or more, not -1"),
        (lambda: Load(0, [1.0]), "1 to 10,000,000 items"),
        (lambda: Load(1, []), "at least one item"),
        (lambda: Load(1, [float("nan")]), "each 0 or more"),
        (lambda: Load(1, [1.0], memory=float("nan")), r"memory of an item .* not nan"),
        (
            lambda: simulate(Load(9, [1e9]), Cluster(2, 1, failure_hours=1)),
            "nodes are lost before the run ends",
        ),
    ],
)
def test_what_cannot_be_planned_is_said(wrong, said):
    with pytest.raises(UsageError, match=said):
        wrong()
