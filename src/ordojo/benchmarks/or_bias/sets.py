"""The sets of the paper, ID and OOD, evaluation and curriculum: scenarios by algorithm 5."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Literal

import numpy as np
from scipy.special import chdtrc, kolmogorov

from ordojo.benchmarks.or_bias.distributions import IQR, QUARTILES, Parameters, make_demand
from ordojo.benchmarks.or_bias.schema import BUCKETS, DISTRACTORS, LEVELS, Scenario, bucket_of
from ordojo.benchmarks.or_bias.stories import PARTS, tell
from ordojo.core.errors import GeneratorError
from ordojo.core.seeds import generator

PRICE, SALVAGE, MEAN, STD = (10.0, 100.0), (0.0, 0.3), (50.0, 200.0), (10.0, 50.0)
"""Ranges of algorithm 5; the salvage value as a share of the price."""

LEAST_OPTIMUM = 0.1
"""Least optimum, as a share of the mean demand."""

SAMPLE = 25
"""Past sales that an empirical demand consists of."""

_TRIES = 1000


def make_scenario(
    rng: np.random.Generator,
    index: int,
    split: str,
    level: str,
    low: float,
    high: float,
    family: str = "normal",
    iqr: float = IQR,
    slot: int = 0,
    slots: int = 1,
    stage: int = 0,
) -> Scenario:
    """Draw one scenario, its critical ratio from slot `slot` of `slots` equal parts of [low, high].

    At level L3 the five kinds of irrelevant remark take turns. Raises GeneratorError where the
    range leaves nothing to draw.
    """
    distractor = list(DISTRACTORS)[index % len(DISTRACTORS)] if level == "L3" else ""
    ratio = _between((low, high), (slot + rng.random()) / slots)
    for _ in range(_TRIES):
        uniforms: list[float] = rng.random(4 + PARTS).tolist()
        money = _money(ratio, low == high, uniforms)
        parameters = _parameters(family, level, uniforms[2:4], rng)
        if money is None or parameters is None:
            continue
        demand, percentiles = parameters
        price, cost, salvage = money
        scenario = Scenario(
            index=index,
            split=split,
            level=level,
            price=price,
            cost=cost,
            salvage=salvage,
            family=family,
            parameters=demand,
            distractor=distractor,
            percentiles=percentiles,
            text=tell(level, money, family, demand, percentiles, distractor, uniforms[4:]),
            stage=stage,
            iqr=iqr,
        )
        if _fits(scenario, low, high):
            return scenario
    raise GeneratorError(
        f"no scenario of {family} demand with a critical ratio in [{low:g}, {high:g}] was found in "
        f"{_TRIES} draws; widen the range"
    )


def _money(ratio: float, exact: bool, u: Sequence[float]) -> tuple[float, float, float] | None:
    """Price, cost and salvage in dollars; for an `exact` ratio of tenths, cost is whole cents."""
    step = 10 if exact else 1
    price = step * round(100 * _between(PRICE, u[0]) / step)
    salvage = step * round(price * _between(SALVAGE, u[1]) / step)
    cost = round(price - ratio * (price - salvage))
    return (price / 100, cost / 100, salvage / 100) if salvage < cost < price else None


def _parameters(
    family: str, level: str, u: Sequence[float], rng: np.random.Generator
) -> tuple[Parameters, tuple[tuple[float, float], ...]] | None:
    """The demand's parameters, and at level L4 the percentiles shown in their place."""
    mean, std = round(_between(MEAN, u[0]), 1), round(_between(STD, u[1]), 1)
    censored = level == "L4"
    if family == "empirical":
        # Gamma-distributed sales: positive, with the range's mean and deviation.
        draws = rng.gamma((mean / std) ** 2, std * std / mean, SAMPLE)
        sample = tuple(max(1.0, float(round(x))) for x in draws.tolist())
        ranks = enumerate(sorted(sample), 1) if censored else ()
        return {"sample": sample}, tuple((rank / SAMPLE, sale) for rank, sale in ranks)
    parameters: dict[str, Any] = {"mean": mean, "std": std}
    if family == "poisson":
        parameters = {"mean": float(round(mean)) if censored else mean}
    if not censored:
        return parameters, ()
    demand = make_demand(family, parameters)
    percentiles = tuple((share, round(demand.quantile(share), 1)) for share in QUARTILES)
    return (parameters, percentiles) if percentiles[0][1] < percentiles[2][1] else None


def _fits(scenario: Scenario, low: float, high: float) -> bool:
    ratio = scenario.critical_ratio
    within = low <= ratio <= high and bucket_of(ratio) == bucket_of((low + high) / 2)
    if low < high and not within:
        return False
    if scenario.family == "empirical" and abs(ratio * SAMPLE - round(ratio * SAMPLE)) < 1e-6:
        return False
    return scenario.optimum >= LEAST_OPTIMUM * scenario.demand.mean


def _between(ends: tuple[float, float], uniform: float) -> float:
    return ends[0] + (ends[1] - ends[0]) * uniform


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

SIZE = 1000
"""Scenarios of the ID set, and of the OOD set."""
EVAL_PER_LEVEL = 100

POOL_FROM = 1000
"""First index of a pool, so that its ids are not those of the curriculum."""


def id_set(seed: int, family: str = "normal", iqr: float = IQR) -> list[Scenario]:
    """1,000 scenarios, 250 a level, the levels taking turns."""
    return _split(seed, "ID", ID_RANGES, family, iqr)


def ood_set(seed: int, family: str = "normal", iqr: float = IQR) -> list[Scenario]:
    """1,000 scenarios, 500 each of L3 and L4, taking turns."""
    return _split(seed, "OOD", OOD_RANGES, family, iqr)


def _split(
    seed: int, split: str, ranges: Mapping[str, Ranges], family: str, iqr: float
) -> list[Scenario]:
    size = SIZE // len(ranges)
    return take_turns(
        level_set(seed, split, level, size, wanted, family, iqr) for level, wanted in ranges.items()
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
        for low, high, slot, slots in spread:
            level = "L2" if bucket_of((low + high) / 2).startswith("very") else "L1"
            rng = generator(seed, f"or-bias/train/stage {stage}", len(found))
            place = (len(found), "train", level, low, high)
            found.append(make_scenario(rng, *place, family, iqr, slot, slots, stage))
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


def eval_set(seed: int, family: str, iqr: float) -> list[Scenario]:
    """The 400 ID and 200 OOD scenarios of the paper's evaluation, levels and splits in turn."""
    inside, outside = (eval_subset(whole(seed, family, iqr)) for whole in (id_set, ood_set))
    groups: dict[tuple[str, str], list[Scenario]] = {}
    for scenario in [*inside, *outside]:
        groups.setdefault((scenario.split, scenario.level), []).append(scenario)
    return take_turns(groups.values())


def full_set(seed: int, family: str, iqr: float) -> list[Scenario]:
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
            generator(seed, f"or-bias/{name}", i), i, split, level, low, high, family, iqr, *slot
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


CELLS = 10
LEAST_P = 0.01
"""A set is called uniform if neither p-value lies below."""


@dataclass(frozen=True)
class Uniformity:
    """What the tests found of `n` ratios."""

    n: int
    ks: float
    ks_p: float
    chi_square: float
    chi_square_p: float

    @property
    def holds(self) -> bool:
        """Whether neither test rejects."""
        return min(self.ks_p, self.chi_square_p) >= LEAST_P

    def __str__(self) -> str:
        verdict = "uniform" if self.holds else "NOT uniform"
        return (
            f"n={self.n}, Kolmogorov-Smirnov D={self.ks:.3f} (p={self.ks_p:.2f}), "
            f"chi-square({CELLS - 1})={self.chi_square:.1f} (p={self.chi_square_p:.2f}): {verdict}"
        )


def uniformity(ratios: Sequence[float], ranges: Ranges) -> Uniformity:
    """Test critical ratios for uniformity over `ranges`, which must have a length."""
    values = np.sort(np.asarray(ratios, dtype=float))
    n = len(values)
    if n == 0:
        return Uniformity(0, math.nan, math.nan, math.nan, math.nan)
    length = sum(high - low for low, high in ranges)
    below = np.zeros(n)
    for low, high in ranges:
        below += np.clip(values - low, 0.0, high - low)
    mapped = below / length
    steps = np.arange(n + 1) / n
    distance = float(max((steps[1:] - mapped).max(), (mapped - steps[:-1]).max()))
    counts, _ = np.histogram(mapped, CELLS, (0.0, 1.0))
    expected = n / CELLS
    chi_square = float(((counts - expected) ** 2).sum() / expected)
    return Uniformity(
        n,
        distance,
        float(kolmogorov(math.sqrt(n) * distance)),
        chi_square,
        float(chdtrc(CELLS - 1, chi_square)),
    )
