"""Difficulty levels from measured results: the procedure of appendix C.11."""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean

from ordojo.benchmarks.or_debug.schema import DIFFICULTY

RANGES: Mapping[str, tuple[float, float]] = {
    "easy": (0.85, 1.0),
    "medium": (0.70, 0.85),
    "hard": (0.45, 0.70),
    "reject": (0.0, 0.45),
}
"""Target RR@5 of each level (table 24); below 45% a type is rejected as too difficult."""

ROUNDS = 10
"""More rounds than the two or three that the paper needed; moves by a type's own rate settle."""


def level(rate: float) -> str:
    """The level whose range holds an RR@5; the lower end belongs to it."""
    return next(name for name, (low, _) in RANGES.items() if rate >= low)


@dataclass(frozen=True)
class Calibration:
    """Levels of the error types, the mean RR@5 of each level, and the rounds until stable."""

    levels: Mapping[str, str]
    means: Mapping[str, float]
    rounds: int


def calibrate(rates: Mapping[str, float], start: Mapping[str, str] = DIFFICULTY) -> Calibration:
    """Group the types of `rates` (RR@5 by type) from `start`, round after round until stable.

    A level whose mean lies in its range is left as it is; of one outside, every type whose own
    rate belongs elsewhere moves there (C.11, steps 3 to 5).
    """
    levels = {name: start[name] for name in rates}
    rounds = 0
    while True:
        rounds += 1
        means = _means(rates, levels)
        moved = {
            name: level(rate) if level(means[levels[name]]) != levels[name] else levels[name]
            for name, rate in rates.items()
        }
        if moved == levels or rounds == ROUNDS:
            return Calibration(levels, means, rounds)
        levels = moved


def _means(rates: Mapping[str, float], levels: Mapping[str, str]) -> dict[str, float]:
    return {
        name: fmean(rates[kind] for kind in rates if levels[kind] == name)
        for name in RANGES
        if name in levels.values()
    }
