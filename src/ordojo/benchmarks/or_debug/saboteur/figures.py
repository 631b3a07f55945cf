"""Round figures beyond a limit, so that a sabotaged number looks like the others."""

import math

import numpy as np


def step_of(scale: float) -> float:
    """The grid on which figures of a size lie: 5 from 100 on, 1 from 10 on, then finer."""
    if scale >= 100:
        return 5.0
    return 1.0 if scale >= 10 else 0.5 if scale >= 2 else 0.05


def beyond(
    limit: float, up: bool, rng: np.random.Generator, scale: float, whole: bool = False
) -> float:
    """A round figure 5 to 35 % of `scale` above (or below) `limit`."""
    size = max(abs(limit), abs(scale))
    step = step_of(size)
    step = max(step, 1.0) if whole else step
    gap = size * (0.05 + 0.3 * float(rng.random()))
    steps = (limit + gap) / step if up else (limit - gap) / step
    figure = round((math.ceil(steps - 1e-9) if up else math.floor(steps + 1e-9)) * step, 6)
    # A tiny scale may round to the limit itself.
    if abs(figure - limit) < 1e-3 * max(1.0, size):
        figure = round(figure + (step if up else -step), 6)
    return figure


def between(start: float, end: float, rng: np.random.Generator, whole: bool) -> float | None:
    """A round figure inside an interval, nearer to its end, None where there is none.

    A whole one may be the end itself, for where the whole numbers are few.
    """
    step = step_of(max(abs(start), abs(end)))
    low, high = min(start, end) + 1e-3, max(start, end) - 1e-3
    point = start + (end - start) * (0.45 + 0.4 * float(rng.random()))
    figure = round(round(point / step) * step, 6)
    if whole and not (figure.is_integer() and low < figure < high):
        figure = math.floor(end + 1e-6) if end > start else math.ceil(end - 1e-6)
        return float(figure) if abs(figure - start) > 0.5 and low - 1 < figure < high + 1 else None
    return figure if low < figure < high else None
