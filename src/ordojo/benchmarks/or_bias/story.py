"""What a sample's page tells of an order: where it lies on the curve of the demand."""

from typing import Any

from ordojo.benchmarks.or_bias.schema import Scenario
from ordojo.core.instance import Instance
from ordojo.core.panels import Plot, Story
from ordojo.core.records import SampleRecord

STEPS = 60
"""Pieces of the curve: no corner is seen on a screen."""

_NEAR = 0.02
"""Of the way from the mean to the optimum: nearer to an end counts as there."""


def story(record: SampleRecord, instance: Instance[Any] | None) -> Story | None:
    """The order beside the mean and the optimum, on the demand's distribution if it is known."""
    figures = next((v.metrics for v in record.verdicts.values() if "regret" in v.metrics), None)
    if figures is None or "mean" not in figures:
        return None
    q, optimum, mean = (figures[name] for name in ("q", "optimum", "mean"))
    ratio = figures["critical_ratio"]
    said = (
        f"Ordered {q:,.4g}. The optimum is {optimum:,.4g}, which covers demand with a chance of "
        f"{ratio:.1%}, the critical ratio; mean demand is {mean:,.4g}. {_place(q, optimum, mean)} "
        f"The order gives up {figures['regret']:,.4g} of expected profit"
    )
    if "relative_regret" in figures:
        said += f", {figures['relative_regret']:.2%} of the best"
    if instance is None or not isinstance(instance.problem, Scenario):
        return Story(f"{said}.")
    demand = instance.problem.demand
    low = min(q, mean - 3 * demand.std) if q >= 0 else mean - 3 * demand.std
    low = max(0.0, low) if mean > 0 else low
    # A far order is off the curve; the sentence has it.
    high = min(max(q, optimum, mean + 3 * demand.std), mean + 12 * demand.std)
    places = [low + (high - low) * k / STEPS for k in range(STEPS + 1)]
    curve = Plot(
        "The order on the curve of demand",
        "quantity",
        "chance that demand is covered",
        [
            ("demand", [(x, demand.cdf(x)) for x in places]),
            ("the order", [(q, demand.cdf(q))] if low <= q <= high else []),
            ("the optimum", [(optimum, demand.cdf(optimum))]),
            ("mean demand", [(mean, demand.cdf(mean))]),
        ],
        kind="lines",
    )
    return Story(f"{said}.", [curve])


def _place(q: float, optimum: float, mean: float) -> str:
    """In words where the order lies between the mean and the optimum."""
    if mean == optimum:
        return "Mean and optimum are the same here."
    way = (q - mean) / (optimum - mean)
    if abs(way - 1) <= _NEAR:
        return "The order is the optimum, but for rounding."
    if abs(way) <= _NEAR:
        return "The order is the mean: no margin was reckoned with."
    if 0 < way < 1:
        return f"The order lies {way:.0%} of the way from the mean to the optimum."
    where = "beyond the optimum" if way > 1 else "on the wrong side of the mean"
    return f"The order lies {where}."
