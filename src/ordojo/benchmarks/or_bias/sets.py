"""The sets of the paper: ID and OOD, their evaluation subsets, and the training curriculum.

A level's scenarios are spread over the critical-ratio buckets in proportion to what its range has
of each. Within a bucket each has its own slot, all of one length, and lies uniformly in it: the
histogram over the whole range is uniform by construction, which `uniformity` confirms.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Literal

import numpy as np

from ordojo.benchmarks.or_bias.generator import Target, distractor_of, make_scenario
from ordojo.benchmarks.or_bias.percentiles import IQR
from ordojo.benchmarks.or_bias.schema import BUCKETS, LEVELS, Scenario, bucket_of
from ordojo.core.seeds import generator

Ranges = tuple[tuple[float, float], ...]
"""Intervals that do not overlap, in increasing order."""

ID_RANGES: Mapping[str, Ranges] = {
    "L1": ((0.4, 0.6),),
    "L2": ((0.05, 0.2), (0.8, 0.95)),
    "L3": ((0.3, 0.7),),
    "L4": ((0.1, 0.9),),
}
"""Critical ratios of each level (table 8)."""

OOD_RANGES: Mapping[str, Ranges] = {"L3": ((0.10, 0.89),), "L4": ((0.10, 0.89),)}
"""Critical ratios of the OOD set (table 4): both of its levels over the whole range."""

STAGES: Mapping[int, tuple[int, Ranges]] = {
    1: (200, ((0.1, 0.1), (0.9, 0.9))),
    2: (300, ((0.15, 0.25), (0.75, 0.85))),
    3: (400, ((0.2, 0.8),)),
}
"""Scenarios and critical ratios of each training stage (table 27)."""

TABLE_4: Ranges = ((0.3, 0.7),)
"""The other reading of the training ratios, which contradicts table 27."""

Training = Literal["stages", "table-4"]

ID_SIZE, OOD_SIZE = 1000, 1000
EVAL_PER_LEVEL = 100

POOL_FROM = 1000
"""First index of a pool, so that its ids are not those of the curriculum."""


def id_set(seed: int, family: str = "normal", iqr: float = IQR) -> list[Scenario]:
    """1,000 scenarios, 250 a level, the levels taking turns."""
    size = ID_SIZE // len(ID_RANGES)
    return take_turns(
        level_set(seed, "ID", level, size, ranges, family, iqr)
        for level, ranges in ID_RANGES.items()
    )


def ood_set(seed: int, family: str = "normal", iqr: float = IQR) -> list[Scenario]:
    """1,000 scenarios, 500 each of L3 and L4, taking turns."""
    size = OOD_SIZE // len(OOD_RANGES)
    return take_turns(
        level_set(seed, "OOD", level, size, ranges, family, iqr)
        for level, ranges in OOD_RANGES.items()
    )


def pool(seed: int, n: int, family: str = "normal", iqr: float = IQR) -> list[Scenario]:
    """`n` training scenarios of all levels over their ID ranges, apart from every other set."""
    sizes = [n // len(LEVELS) + (place < n % len(LEVELS)) for place in range(len(LEVELS))]
    return take_turns(
        level_set(seed, "train", level, size, ID_RANGES[level], family, iqr, POOL_FROM)
        for level, size in zip(LEVELS, sizes, strict=True)
    )


def training_ranges(training: Training) -> Mapping[int, Ranges]:
    """The critical ratios of each training stage."""
    return {stage: r if training == "stages" else TABLE_4 for stage, (_, r) in STAGES.items()}


def curriculum(
    seed: int, family: str = "normal", iqr: float = IQR, training: Training = "stages"
) -> list[Scenario]:
    """The 900 training scenarios, stage after stage, in clean prompts.

    They are labelled L2 in the outer buckets and L1 elsewhere, which are told alike. "table-4"
    keeps the stages' sizes and draws all of them from [0.3, 0.7].
    """
    found: list[Scenario] = []
    for stage, ranges in training_ranges(training).items():
        size = STAGES[stage][0]
        spread = spread_over(size, ranges, _order(seed, f"train/stage {stage}", size))
        for low, high, *slot in spread:
            level = "L2" if bucket_of((low + high) / 2).startswith("very") else "L1"
            index = len(found)
            target = Target(index, "train", level, low, high, family, "", stage, iqr, *slot)
            found.append(
                make_scenario(target, generator(seed, f"or-bias/train/stage {stage}", index))
            )
    return found


def eval_subset(scenarios: Sequence[Scenario]) -> list[Scenario]:
    """100 scenarios of every level, evenly from all its critical ratios, in the given order."""
    by_level: dict[str, list[Scenario]] = {}
    for scenario in scenarios:
        by_level.setdefault(scenario.level, []).append(scenario)
    return take_turns(_evenly(group, EVAL_PER_LEVEL) for group in by_level.values())


def _evenly(group: Sequence[Scenario], size: int) -> list[Scenario]:
    """Every (n / size)-th by critical ratio, so that each bucket keeps its share."""
    by_ratio = sorted(range(len(group)), key=lambda place: group[place].critical_ratio)
    kept = {by_ratio[int((k + 0.5) * len(group) / size)] for k in range(size)}
    return [group[place] for place in sorted(kept)]


def eval_set(seed: int, family: str = "normal", iqr: float = IQR) -> list[Scenario]:
    """The 400 ID and 200 OOD scenarios of the paper's evaluation, levels and splits in turn."""
    inside, outside = (eval_subset(whole(seed, family, iqr)) for whole in (id_set, ood_set))
    groups: dict[tuple[str, str], list[Scenario]] = {}
    for scenario in [*inside, *outside]:
        groups.setdefault((scenario.split, scenario.level), []).append(scenario)
    return take_turns(groups.values())


def full_set(seed: int, family: str = "normal", iqr: float = IQR) -> list[Scenario]:
    """All 2,000."""
    return [*id_set(seed, family, iqr), *ood_set(seed, family, iqr)]


def level_set(
    seed: int,
    split: str,
    level: str,
    size: int,
    ranges: Ranges,
    family: str,
    iqr: float,
    first: int = 0,
) -> list[Scenario]:
    """`size` scenarios of one level with indices from `first`, uniform over `ranges`."""
    name = f"{split}/{level}" + ("/pool" if first else "")
    spread = spread_over(size, ranges, _order(seed, name, size))
    return [
        make_scenario(
            Target(i, split, level, low, high, family, distractor_of(level, i), 0, iqr, *slot),
            generator(seed, f"or-bias/{name}", i),
        )
        for i, (low, high, *slot) in enumerate(spread, first)
    ]


def spread_over(
    size: int, ranges: Ranges, order: Callable[[int], Iterable[int]]
) -> list[tuple[float, float, int, int]]:
    """`size` slots of the cells, in proportion to their lengths, in the order of `order`."""
    cells = cells_of(ranges)
    counts = allocate(size, [high - low for low, high in cells])
    spread = [
        (*cell, slot, count)
        for cell, count in zip(cells, counts, strict=True)
        for slot in range(count)
    ]
    return [spread[place] for place in order(size)]


def cells_of(ranges: Ranges) -> list[tuple[float, float]]:
    """The ranges cut at the borders of the buckets; a range of one point is a cell."""
    cells = []
    for low, high in ranges:
        cuts = [edge for _, edge in BUCKETS.values() if low < edge < high]
        cells += list(zip([low, *cuts], [*cuts, high], strict=True))
    return cells


def allocate(size: int, lengths: Sequence[float]) -> list[int]:
    """`size` parted in proportion to `lengths` (equally, if all are 0), by largest remainders."""
    total = sum(lengths)
    shares = [size * (x / total if total else 1 / len(lengths)) for x in lengths]
    counts = [int(share + 1e-9) for share in shares]
    by_remainder = sorted(range(len(shares)), key=lambda i: (round(counts[i] - shares[i], 9), i))
    for i in by_remainder[: size - sum(counts)]:
        counts[i] += 1
    return counts


def take_turns(groups: Iterable[Sequence[Scenario]]) -> list[Scenario]:
    """One of each group in turn, so that the first N are a fair sample."""
    rounds = zip_longest(*groups)
    return [scenario for turn in rounds for scenario in turn if scenario is not None]


def _order(seed: int, name: str, size: int) -> Callable[[int], Iterable[int]]:
    rng: np.random.Generator = generator(seed, f"or-bias/{name}/order", size)
    return lambda n: rng.permutation(n).tolist()


SETS: Mapping[str, Callable[[int, str, float], list[Scenario]]] = {
    "eval": eval_set,
    "full": full_set,
    "id": id_set,
    "ood": ood_set,
    "train": curriculum,
}
"""The sets by the names under which they are asked."""
