"""Names of rows, and sentences for what an injection adds to a true problem."""

import math
from collections.abc import Collection, Sequence

import numpy as np

from ordojo.benchmarks.or_debug.actions import number
from ordojo.benchmarks.or_debug.injection.candidate import is_equation
from ordojo.milp.model import INF, Model


def hex_names(model: Model, rng: np.random.Generator) -> dict[str, str]:
    """Names by sense alone, `c_53e476_ub`, for every row (C.10)."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for i, old in enumerate(model.row_names):
        suffix = "eq" if is_equation(model, i) else "ub" if model.row_upper[i] < INF else "lb"
        code = f"{int(rng.integers(16**6)):06x}"
        while code in taken:
            code = f"{int(rng.integers(16**6)):06x}"
        taken.add(code)
        names[old] = f"c_{code}_{suffix}"
    return names


def listing(names: Collection[str]) -> str:
    """`a`, `b` and `c`."""
    found = [f"`{name}`" for name in names]
    return found[0] if len(found) == 1 else f"{', '.join(found[:-1])} and {found[-1]}"


def at_least(names: Sequence[str], rhs: float, rng: np.random.Generator) -> str:
    """A sentence for sum of columns >= rhs."""
    if len(names) == 1:
        forms = ("{} must be at least {}.", "No value below {1} is allowed for {0}.")
    else:
        forms = ("{} must come to at least {} in all.", "The sum of {} may not be below {}.")
    return _form(forms, listing(names), rhs, rng)


def at_most(names: Sequence[str], rhs: float, rng: np.random.Generator) -> str:
    """A sentence for sum of columns <= rhs."""
    if len(names) == 1:
        forms = ("{} must be at most {}.", "No value above {1} is allowed for {0}.")
    else:
        forms = ("{} must come to at most {} in all.", "The sum of {} may not exceed {}.")
    return _form(forms, listing(names), rhs, rng)


def defined(name: str, parts: Sequence[str], lower: float, upper: float) -> str:
    """A sentence for a column that stands for a sum and has bounds of its own."""
    span = f"between {number(lower)} and {number(upper)}" if lower else f"at most {number(upper)}"
    return f"`{name}` stands for the sum of {listing(parts)} and is {span}."


def _form(forms: Sequence[str], names: str, rhs: float, rng: np.random.Generator) -> str:
    return forms[int(rng.integers(len(forms)))].format(names, number(float(rhs)))


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


def between(
    start: float,
    end: float,
    rng: np.random.Generator,
    whole: bool,
    first: float = 0.45,
    spread: float = 0.4,
) -> float | None:
    """A round figure inside an interval, nearer to its end, None where there is none.

    It lies `first` of the way from the start, or up to `spread` of it further. A whole one may be
    the end itself, for where the whole numbers are few.
    """
    step = step_of(max(abs(start), abs(end)))
    low, high = min(start, end) + 1e-3, max(start, end) - 1e-3
    point = start + (end - start) * (first + spread * float(rng.random()))
    figure = round(round(point / step) * step, 6)
    if whole and not (figure.is_integer() and low < figure < high):
        figure = math.floor(end + 1e-6) if end > start else math.ceil(end - 1e-6)
        return float(figure) if abs(figure - start) > 0.5 and low - 1 < figure < high + 1 else None
    return figure if low < figure < high else None
