"""The sets: sizes, ranges, stratification, and that nothing stands in two of them."""

import re
from collections import Counter
from collections.abc import Callable, Sequence

import pytest
from scipy import stats

from ordojo.benchmarks.or_bias import sets
from ordojo.benchmarks.or_bias.distributions import FAMILIES, IQR
from ordojo.benchmarks.or_bias.schema import INSTANCES, Scenario, bucket_of, make_instance
from ordojo.benchmarks.or_bias.sets import ID_RANGES, OOD_RANGES, Ranges, uniformity

SEEDS = (0, 1, 42, 43)


def ratios(scenarios: Sequence[Scenario], level: str) -> list[float]:
    return [s.critical_ratio for s in scenarios if s.level == level]


def within(ratio: float, ranges: Ranges) -> bool:
    return any(low - 1e-9 <= ratio <= high + 1e-9 for low, high in ranges)


@pytest.mark.parametrize("seed", SEEDS)
def test_id_and_ood_have_the_papers_sizes_and_ranges(seed: int) -> None:
    inside, outside = sets.id_set(seed), sets.ood_set(seed)
    assert Counter(s.level for s in inside) == dict.fromkeys(("L1", "L2", "L3", "L4"), 250)
    assert Counter(s.level for s in outside) == {"L3": 500, "L4": 500}
    assert {s.split for s in inside} == {"ID"} and {s.split for s in outside} == {"OOD"}
    assert all(within(s.critical_ratio, ID_RANGES[s.level]) for s in inside)
    assert all(within(s.critical_ratio, OOD_RANGES[s.level]) for s in outside)
    assert min(Counter(bucket_of(s.critical_ratio) for s in inside).values()) >= 100


@pytest.mark.parametrize("seed", SEEDS)
def test_critical_ratios_are_uniform_within_each_level(seed: int) -> None:
    for scenarios, ranges in (
        (sets.id_set(seed), ID_RANGES),
        (sets.ood_set(seed), OOD_RANGES),
        (sets.pool(seed, 4000), ID_RANGES),
    ):
        for level, wanted in ranges.items():
            found = ratios(scenarios, level)
            assert uniformity(found, wanted).holds
            # The same by scipy's own test, and the buckets exactly in proportion.
            length = sum(high - low for low, high in wanted)
            mapped = [sum(min(max(r - a, 0), b - a) for a, b in wanted) / length for r in found]
            assert stats.kstest(mapped, "uniform").pvalue > 0.01
            counts = Counter(map(bucket_of, found))
            for low, high in sets.cells_of(wanted):
                share = len(found) * (high - low) / length
                assert abs(counts[bucket_of((low + high) / 2)] - share) < 1


def test_the_test_of_uniformity_agrees_with_scipy_and_rejects_what_is_not() -> None:
    even = ratios(sets.id_set(7), "L3")
    found = uniformity(even, ID_RANGES["L3"])
    right = stats.kstest(even, stats.uniform(0.3, 0.4).cdf, mode="asymp")
    assert found.ks == pytest.approx(right.statistic) and found.ks_p == pytest.approx(right.pvalue)
    assert not uniformity([0.3 + 0.4 * (i / 250) ** 2 for i in range(250)], ID_RANGES["L3"]).holds
    assert not uniformity(even, ID_RANGES["L4"]).holds
    assert not uniformity([], ID_RANGES["L4"]).holds


@pytest.mark.parametrize("seed", SEEDS)
def test_the_evaluation_subsets_are_parts_of_the_sets(seed: int) -> None:
    inside, outside = sets.id_set(seed), sets.ood_set(seed)
    some, others = sets.eval_subset(inside), sets.eval_subset(outside)
    assert Counter(s.level for s in some) == dict.fromkeys(("L1", "L2", "L3", "L4"), 100)
    assert Counter(s.level for s in others) == {"L3": 100, "L4": 100}
    assert {s.index for s in others if s.level == "L3"} < {
        s.index for s in outside if s.level == "L3"
    }
    assert set(map(id, some)) < set(map(id, inside))
    assert Counter(bucket_of(r) for r in ratios(some, "L2")) == {"very low": 50, "very high": 50}
    assert Counter(bucket_of(r) for r in ratios(some, "L3")) == {
        "low": 25,
        "neutral": 50,
        "high": 25,
    }


def test_the_first_few_are_a_fair_sample() -> None:
    first = sets.eval_set(0, "normal", IQR)[:60]
    assert set(Counter((s.split, s.level) for s in first).values()) == {10}
    assert len(sets.eval_set(0, "normal", IQR)) == 600
    assert len(sets.full_set(0, "normal", IQR)) == 2000


def test_the_curriculum_has_the_papers_stages() -> None:
    train = sets.curriculum(0)
    assert [s.stage for s in train] == [1] * 200 + [2] * 300 + [3] * 400
    assert all(0.05 <= s.critical_ratio <= 0.95 for s in train)
    for stage, (_, ranges) in sets.STAGES.items():
        assert all(within(s.critical_ratio, ranges) for s in train if s.stage == stage)
    assert Counter(round(s.critical_ratio, 12) for s in train[:200]) == {0.1: 100, 0.9: 100}
    assert all(not s.distractor and not s.percentiles for s in train)


def test_table_4_is_the_other_reading_of_the_curriculum() -> None:
    train = sets.curriculum(0, training="table-4")
    assert [s.stage for s in train] == [1] * 200 + [2] * 300 + [3] * 400
    assert all(0.3 <= s.critical_ratio <= 0.7 for s in train)


@pytest.mark.parametrize("size", [1, 3, 10, 1001])
def test_a_pool_has_any_size(size: int) -> None:
    found = Counter(s.level for s in sets.pool(0, size))
    assert sum(found.values()) == size
    assert max(found.values()) - min(found.values()) <= 1


def hashes(scenarios: Sequence[Scenario]) -> set[str]:
    return {make_instance(s, INSTANCES).content_hash for s in scenarios}


def numbers(scenarios: Sequence[Scenario]) -> set[str]:
    """What a scenario asks, whatever it is called: its numbers alone."""
    return {" ".join(re.findall(r"\d[\d.]*\d", s.text)) for s in scenarios}


MAKERS: dict[str, Callable[[int], list[Scenario]]] = {
    "ID": sets.id_set,
    "OOD": sets.ood_set,
    "train": sets.curriculum,
    "pool": lambda seed: sets.pool(seed, 2000),
}


@pytest.fixture(scope="module")
def groups() -> list[list[Scenario]]:
    """All sets of two adjacent seeds."""
    return [make(seed) for seed in (42, 43) for make in MAKERS.values()]


@pytest.mark.parametrize("of", [hashes, numbers, lambda found: {s.text for s in found}])
def test_splits_and_adjacent_seeds_share_no_item(
    of: Callable[[Sequence[Scenario]], set[str]], groups: list[list[Scenario]]
) -> None:
    parts = [of(group) for group in groups]
    assert sum(map(len, parts)) == sum(map(len, groups))
    assert len(set().union(*parts)) == sum(map(len, parts))


def test_ids_differ_between_all_sets_of_a_seed() -> None:
    ids = [make_instance(s, INSTANCES).id for make in MAKERS.values() for s in make(0)]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_same_seed_gives_the_same_scenarios(family: str) -> None:
    assert sets.eval_set(3, family, IQR) == sets.eval_set(3, family, IQR)


@pytest.mark.parametrize(
    ("size", "lengths", "counts"),
    [
        (250, [0.15, 0.15], [125, 125]),
        (100, [0.1, 0.2, 0.2, 0.2, 0.1], [13, 25, 25, 25, 12]),
        (200, [0, 0], [100, 100]),
        (3, [1, 1, 1, 1], [1, 1, 1, 0]),
    ],
)
def test_allocation_is_proportional(size: int, lengths: list[float], counts: list[int]) -> None:
    assert sets.allocate(size, lengths) == counts
