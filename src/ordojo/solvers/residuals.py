"""Checking a solver's answer by arithmetic, not by its word."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ordojo.core.errors import SolverError
from ordojo.milp.model import Floats, Model, VarType
from ordojo.solvers import farkas
from ordojo.solvers.answers import Solution, Status
from ordojo.solvers.branching import Discrete

PRIMAL = 1e-6
"""By how much a row or bound may be broken, relative to its terms."""
DUAL = 1e-6
"""By how much a reduced cost may have the wrong sign or differ from c - A'y, relative likewise."""
OBJECTIVE = 1e-6
"""By how much the objective may differ from c'x + offset, or from the dual one, relative."""
INTEGRALITY = 1e-5
"""How far from a whole number an integral column may lie."""


def check_optimal(
    model: Model,
    solution: Solution,
    primal: float = PRIMAL,
    dual: float = DUAL,
    objective: float = OBJECTIVE,
    integrality: float = INTEGRALITY,
) -> None:
    """Check an OPTIMAL answer; raises SolverError, with the figure, at the first that fails.

    Points: rows, bounds, integrality, the recomputed objective. LPs with duals besides:
    stationarity (reduced costs are c - A'y), the signs of all duals, complementarity, and so
    optimality itself. Tolerances are relative to the size of what is summed, at least 1.
    """
    x = solution.x
    if solution.status != Status.OPTIMAL or x is None or solution.objective is None:
        raise SolverError(f"the answer for '{model.name}' is {solution.status}; nothing to check")
    size = 1.0 + np.bincount(model.entry_rows, np.abs(model.value * x[model.index]), model.m)
    activity = model.activities(x)
    _within(
        model, "rows", model.row_names, activity, model.row_lower, model.row_upper, size, primal
    )
    bounds = Discrete(model.types, *model.effective_bounds)
    _within(model, "bounds", model.col_names, x, bounds.low, bounds.up, 1.0 + np.abs(x), primal)
    whole = (model.types != VarType.CONTINUOUS) & (model.types != VarType.SEMICONTINUOUS)
    _small(model, "integrality", np.where(whole, np.abs(x - np.rint(x)), 0.0), integrality)
    low, up = bounds.own
    off = (np.abs(x) > integrality) & ((x < low - primal) | (x > up + primal))
    semi = model.types >= VarType.SEMICONTINUOUS
    _small(model, "semicontinuity", np.where(semi & off, 1.0, 0.0), 0.5)
    value = model.value_at(x)
    scale = 1.0 + float(np.abs(model.objective * x).sum())
    _small(model, "objective", np.array([abs(value - solution.objective) / scale]), objective)
    y, reduced = solution.row_dual, solution.col_dual
    if model.is_mip or y is None or reduced is None:
        return
    terms = model.value * y[model.entry_rows]
    size = 1.0 + np.abs(model.objective) + np.bincount(model.index, np.abs(terms), model.n)
    rest = model.objective - np.bincount(model.index, terms, model.n)
    _small(model, "stationarity", np.abs(rest - reduced) / size, dual)
    sign = -1.0 if model.maximize else 1.0
    gap = 0.0
    for what, duals, values, lower, upper, scales in (
        ("row", y, activity, model.row_lower, model.row_upper, 1.0 + np.abs(y)),
        ("column", reduced, x, low, up, size),
    ):
        # A positive multiplier, in the sense of minimizing, holds up a lower side.
        side = np.where(sign * duals > 0, lower, upper)
        held = np.abs(duals) > dual * scales
        _small(model, f"{what} duals' signs", np.where(held & ~np.isfinite(side), 1.0, 0.0), 0.5)
        far = np.where(held, np.abs(duals) * np.abs(values - np.where(held, side, 0.0)), 0.0)
        gap += float(far.sum())
    _small(model, "complementarity", np.array([gap / scale]), objective)


def check_farkas(model: Model, ray: Floats) -> bool:
    """Whether multipliers y (m) of the rows prove that the relaxation has no point."""
    hull = Discrete(model.types, *model.effective_bounds)
    sides = (model.row_lower, model.row_upper, hull.low, hull.up)
    combination = farkas.Combination.of(ray, farkas.Matrix.of(model))
    return combination.members(*(side.tolist() for side in sides)) is not None


def _within(
    model: Model,
    what: str,
    names: tuple[str, ...],
    values: Floats,
    lower: Floats,
    upper: Floats,
    size: NDArray[np.floating[Any]],
    tolerance: float,
) -> None:
    broken = np.maximum(lower - values, values - upper) / size
    if len(broken) and not broken.max() <= tolerance:
        name = names[int(broken.argmax())]
        raise SolverError(
            f"the solver's answer for '{model.name}' breaks its {what} by {broken.max():.3g} at "
            f"'{name}', over {tolerance:g}; do not use it"
        )


def _small(model: Model, what: str, figures: Floats, tolerance: float) -> None:
    worst = float(figures.max(initial=0.0))
    if not worst <= tolerance:
        raise SolverError(
            f"the solver's answer for '{model.name}' fails its check of {what} by {worst:.3g}, "
            f"over {tolerance:g}; do not use it"
        )
