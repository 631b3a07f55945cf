"""The best and the worst objective of a model, as safe intervals; and what they show."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ordojo.core.errors import SolverError
from ordojo.milp.model import INF, Floats, Model
from ordojo.solvers.answers import SolveResult, Status
from ordojo.solvers.equivalence.answers import Ground, Witness
from ordojo.solvers.highs import HighsOracle
from ordojo.solvers.residuals import check_optimal

MARGIN = 5e-6
"""How far two figures must lie apart to differ, relative to the terms that they sum: five times a
solver's tolerance, so that two solves of one model never do; smaller differences stay undecided."""

Left = Callable[[], float]
"""The seconds left."""


@dataclass(frozen=True, eq=False)
class Range:
    """Where a model's optimum lies: between `low` and `high`, in the model's own min or max.

    `x` is a point at `value`, its integer columns whole; None, with infinite ends, where the model
    is INFEASIBLE or UNBOUNDED. `size` is that of the terms that are summed.
    """

    status: Status
    low: float = -INF
    high: float = INF
    value: float | None = None
    size: float = 0.0
    x: Floats | None = None


def tidy(model: Model) -> Model:
    """The same model with each row's largest coefficient near 1, for the solver's tolerances."""
    top = np.zeros(model.m)
    np.maximum.at(top, model.entry_rows, np.abs(model.value))
    # Powers of two: the division is exact.
    scale = np.exp2(-np.rint(np.log2(np.where(top > 0, top, 1.0))))
    return dataclasses.replace(
        model,
        row_lower=model.row_lower * scale,
        row_upper=model.row_upper * scale,
        value=model.value * scale[model.entry_rows],
    )


def best(model: Model, seconds: float) -> Range | None:
    """The optimum of a tidy model; None where it is not settled in time, or not cleanly."""
    if seconds <= 0:
        return None
    try:
        found = HighsOracle().solve(model, seconds)
        if found.status in (Status.INFEASIBLE, Status.UNBOUNDED):
            return Range(found.status)
        if found.status != Status.OPTIMAL or found.x is None or found.objective is None:
            return None
        check_optimal(model, found)
        clean = _whole(model, found, seconds)
    except SolverError:
        return None
    if clean is None or clean.x is None or clean.objective is None:
        return None
    size = 1.0 + abs(model.offset) + float(np.abs(model.objective * clean.x).sum())
    low, high = sorted((found.objective, clean.objective))
    return Range(Status.OPTIMAL, low, high, clean.objective, size, clean.x)


def _whole(model: Model, found: SolveResult, seconds: float) -> SolveResult | None:
    """The solution again with integer columns at whole numbers, so that none leaks through a big M.

    None where none is there.
    """
    if not model.is_mip or found.x is None:
        return found
    plain = model.fixed_at(found.x)
    off = model.semi & (np.abs(found.x) <= 1e-6)
    plain = dataclasses.replace(
        plain,
        col_lower=np.where(off, 0.0, plain.col_lower),
        col_upper=np.where(off, 0.0, plain.col_upper),
    )
    clean = HighsOracle().solve(plain, seconds)
    if clean.status != Status.OPTIMAL:
        return None
    check_optimal(plain, clean)
    return clean


def apart(a: Range, b: Range, turned: bool) -> bool:
    """Whether two optima differ; `turned`: one model's objective is the other's times -1."""
    if a.status != b.status:
        return True
    if a.status != Status.OPTIMAL:
        return False
    low, high = (-b.high, -b.low) if turned else (b.low, b.high)
    return max(a.low - high, low - a.high) > MARGIN * max(a.size, b.size)


def reversed_sense(model: Model) -> Model:
    """The model with min and max exchanged."""
    return dataclasses.replace(model, maximize=not model.maximize)


def compare_values(one: Model, other: Model, ground: Ground, left: Left) -> Witness | None:
    """A witness where the best (OPTIMUM) or worst (WORST) objectives differ; None where unsure."""
    turned = one.maximize != other.maximize
    if ground == Ground.WORST:
        one, other = reversed_sense(one), reversed_sense(other)
    one, other = tidy(one), tidy(other)
    a = best(one, left() / 2)
    if a is None:
        return None
    b = best(other, left())
    if b is None or not apart(a, b, turned):
        return None
    if ground == Ground.WORST:
        for model, found in ((one, a), (other, b)):
            # A column that only the objective holds back, as in min z with z >= c'x, runs off in
            # the other direction, which says nothing about the rest.
            if found.status == Status.UNBOUNDED and _runs_off(model):
                return None
    what = "best" if ground == Ground.OPTIMUM else "worst"
    figures = [_said(found) for found in (a, b)]
    attained = ((one, a, "one"), (other, b, "other"))
    where = next(((m, f, side) for m, f, side in attained if f.x is not None), None)
    return Witness(
        ground,
        f"the {what} objective is {figures[0]} in one and {figures[1]} in the other",
        a.value,
        b.value,
        where[2] if where else "",
        named(where[0], where[1].x) if where else {},
    )


def _said(found: Range) -> str:
    return f"{found.value:.9g}" if found.value is not None else found.status.value.lower()


def named(model: Model, x: Floats | None) -> dict[str, float]:
    """A point by column names."""
    return {} if x is None else dict(zip(model.col_names, x.tolist(), strict=True))


def _runs_off(model: Model) -> bool:
    """Whether one column alone can move for ever, and better the objective."""
    low, up = model.effective_bounds
    good = model.objective if model.maximize else -model.objective
    for sign, end in ((1.0, up), (-1.0, low)):
        terms = sign * model.value
        held = ((terms > 0) & (model.row_upper[model.entry_rows] < INF)) | (
            (terms < 0) & (model.row_lower[model.entry_rows] > -INF)
        )
        stopped = np.bincount(model.index[held], minlength=model.n) > 0
        if (~stopped & (np.abs(end) == INF) & (sign * good > 0)).any():
            return True
    return False
