"""Algorithm 5 of the paper: one scenario from a target range of the critical ratio.

The shown numbers are rounded first (money to cents, demand to tenths); ratio and optimum follow
from them. Numbers are drawn again where the rounded ratio leaves its range, where the optimum
falls below a tenth of the mean (an untruncated normal demand can ask for a negative order), or
where two quantities would be equally good.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordojo.benchmarks.or_bias.demand import make_demand
from ordojo.benchmarks.or_bias.percentiles import IQR, QUARTILES
from ordojo.benchmarks.or_bias.schema import DISTRACTORS, Parameters, Scenario, bucket_of
from ordojo.benchmarks.or_bias.stories import PARTS, tell
from ordojo.core.errors import GeneratorError

PRICE, SALVAGE, MEAN, STD = (10.0, 100.0), (0.0, 0.3), (50.0, 200.0), (10.0, 50.0)
"""Ranges of algorithm 5; the salvage value as a share of the price."""

LEAST_OPTIMUM = 0.1
"""Least optimum, as a share of the mean demand."""

SAMPLE = 25
"""Past sales that an empirical demand consists of."""

_TRIES = 1000


@dataclass(frozen=True)
class Target:
    """What is wanted of one scenario: its place, its critical ratio, and how the demand is told.

    The ratio is drawn from slot `slot` of the `slots` equal parts of [low, high].
    """

    index: int
    split: str
    level: str
    low: float
    high: float
    family: str = "normal"
    distractor: str = ""
    stage: int = 0
    iqr: float = IQR
    slot: int = 0
    slots: int = 1


def distractor_of(level: str, index: int) -> str:
    """The five kinds in turn at level L3, none elsewhere."""
    kinds = list(DISTRACTORS)
    return kinds[index % len(kinds)] if level == "L3" else ""


def make_scenario(target: Target, rng: np.random.Generator) -> Scenario:
    """Draw one scenario; raises GeneratorError where the range leaves nothing to draw."""
    ratio = _between((target.low, target.high), (target.slot + rng.random()) / target.slots)
    for _ in range(_TRIES):
        uniforms: list[float] = rng.random(4 + PARTS).tolist()
        money = _money(ratio, target.low == target.high, uniforms)
        parameters = _parameters(target.family, target.level, uniforms[2:4], rng)
        if money is None or parameters is None:
            continue
        price, cost, salvage = money
        scenario = Scenario(
            index=target.index,
            split=target.split,
            level=target.level,
            price=price,
            cost=cost,
            salvage=salvage,
            family=target.family,
            parameters=parameters[0],
            distractor=target.distractor,
            percentiles=parameters[1],
            text=tell(
                target.level, money, target.family, *parameters, target.distractor, uniforms[4:]
            ),
            stage=target.stage,
            iqr=target.iqr,
        )
        if _fits(scenario, target):
            return scenario
    raise GeneratorError(
        f"no scenario of {target.family} demand with a critical ratio in "
        f"[{target.low:g}, {target.high:g}] was found in {_TRIES} draws; widen the range"
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


def _fits(scenario: Scenario, target: Target) -> bool:
    ratio = scenario.critical_ratio
    middle = (target.low + target.high) / 2
    within = target.low <= ratio <= target.high and bucket_of(ratio) == bucket_of(middle)
    if target.low < target.high and not within:
        return False
    if target.family == "empirical" and abs(ratio * SAMPLE - round(ratio * SAMPLE)) < 1e-6:
        return False
    return scenario.optimum >= LEAST_OPTIMUM * scenario.demand.mean


def _between(ends: tuple[float, float], uniform: float) -> float:
    return ends[0] + (ends[1] - ends[0]) * uniform
