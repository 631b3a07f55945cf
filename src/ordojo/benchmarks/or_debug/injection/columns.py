"""Types B, F and H: a column's type or one of its bounds is wrong."""

import math

import numpy as np

from ordojo.benchmarks.or_debug.injection.candidate import (
    Candidate,
    ColdSolver,
    Source,
    bound_candidate,
    insert_row,
    restore_type,
    with_bound,
)  # fmt: skip
from ordojo.benchmarks.or_debug.injection.rows import whole
from ordojo.benchmarks.or_debug.injection.wording import (
    at_least,
    beyond,
    defined,
    fresh_column,
    fresh_name,
)
from ordojo.milp.model import INF, Model, VarType

MEMBER = 0.3
"""How often type F breaks the bound of a member of the sum, in place of the sum's."""

LOWER_SUM = 0.6
"""How often type F tries a lower bound first."""


def retypable(model: Model) -> list[int]:
    """The INTEGER columns that may exceed 1, so that BINARY takes something from them."""
    return [
        j
        for j in range(model.n)
        if model.types[j] == VarType.INTEGER and model.col_lower[j] <= 1 and model.col_upper[j] >= 2
    ]


def retype(source: Source, rng: np.random.Generator, solver: ColdSolver) -> Candidate | None:
    """Type B: an INTEGER column becomes BINARY though a row needs 2 or more (RHS sensitivity).

    Columns on which the right-hand sides lean most, the largest at the optimum, come first. Where
    no row needs any of them, the true problem gets a minimum that the optimum already meets.
    """
    model = source.model
    columns = [j for j in rng.permutation(model.n).tolist() if j in set(retypable(model))]
    columns.sort(key=lambda j: -round(float(source.point[j]), 6))
    for j in columns:
        broken = model.with_type(j, VarType.BINARY)
        if source.point[j] > 1.5 and solver.is_infeasible(broken):
            return _retyped(model, broken, source.text, j, "rhs-sensitivity")
    for j in columns:
        most = float(source.point[j])
        if most < 1.5:
            most = solver.extreme(model, [j], [1.0], True)
        if math.isnan(most) or most < 2 - 1e-6:
            continue
        top = int(min(most + 1e-6, 1e6))
        need = float(rng.integers(2, max(2, top) + 1))
        name, at = fresh_name(model, True, rng), int(rng.integers(model.m + 1))
        stated = insert_row(model, at, name, {j: 1.0}, need, INF)
        text = f"{source.text} {at_least([model.col_names[j]], need, rng)}"
        return _retyped(stated, stated.with_type(j, VarType.BINARY), text, j, "forcing-row")
    return None


def _retyped(original: Model, broken: Model, text: str, j: int, method: str) -> Candidate:
    fix = restore_type(original, j)
    return Candidate(original, broken, text, (fix.target,), (fix,), method)


def hide(source: Source, rng: np.random.Generator, solver: ColdSolver) -> Candidate | None:
    """Type F: a bound that reaches its symptom through the definition of a sum (bottleneck).

    The true problem has an auxiliary column, the sum over columns of a tight row, with bounds that
    it states and that are loose. Sabotaged is one of these bounds, or that of a member.
    """
    model = source.model
    for i in _bottlenecks(source, rng):
        index, value = model.row(i)
        parts = [int(j) for j, v in zip(index, value, strict=True) if v > 0]
        if len(parts) < 2:
            continue
        ones = [1.0] * len(parts)
        most = solver.extreme(model, parts, ones, True)
        least = solver.extreme(model, parts, ones, False)
        if not (math.isfinite(most) and math.isfinite(least)) or most <= 1:
            continue
        stated, text = _with_sum(source, rng, parts, most, least)
        member = bool(rng.random() < MEMBER)
        columns = parts if member else [stated.n - 1]
        method = "bottleneck/member" if member else "bottleneck/sum"
        for side in _sides(rng, LOWER_SUM):
            tightened = _tighten(stated, rng, solver, columns, side)
            if tightened is not None:
                return bound_candidate(stated, *tightened, text=text, side=side, method=method)
    return None


def _sides(rng: np.random.Generator, lower: float) -> tuple[str, str]:
    """Both bounds, "lb" first with probability `lower`."""
    return ("lb", "ub") if rng.random() < lower else ("ub", "lb")


def _bottlenecks(source: Source, rng: np.random.Generator) -> list[int]:
    """Rows of two or more columns, those with the least relative slack at the optimum first."""
    model = source.model
    activity = model.activities(source.point)
    slack = np.minimum(np.abs(activity - model.row_lower), np.abs(model.row_upper - activity))
    tight = np.round(slack / np.maximum(1.0, np.abs(activity)), 2)
    return sorted(rng.permutation(model.m).tolist(), key=lambda i: float(tight[i]))


def _with_sum(
    source: Source, rng: np.random.Generator, parts: list[int], most: float, least: float
) -> tuple[Model, str]:
    """The model with a column for a sum, loosely bounded, and the text that says so."""
    model = source.model
    name = fresh_column(model, rng)
    integral = whole(model, parts)
    upper = beyond(most, True, rng, most, integral)
    lower = max(0.0, beyond(least, False, rng, least, integral)) if least > 1 else 0.0
    kind = VarType.INTEGER if integral else VarType.CONTINUOUS
    wider = model.with_new_col(name, lower, upper, kind)
    terms = {**dict.fromkeys(parts, -1.0), wider.n - 1: 1.0}
    at = int(rng.integers(model.m + 1))
    stated = insert_row(wider, at, f"{name}_sum", terms, 0.0, 0.0)
    names = [model.col_names[j] for j in parts]
    return stated, f"{source.text} {defined(name, names, lower, upper)}"


def _tighten(
    model: Model, rng: np.random.Generator, solver: ColdSolver, columns: list[int], side: str
) -> tuple[Model, int] | None:
    """The model with a bound of one of the columns beyond what the rows allow, and that column.

    The bounds of the column do not cross, so that it takes a row to see the conflict.
    """
    greatest = side == "lb"
    for j in rng.permutation(columns).tolist():
        low, up = (float(bounds[j]) for bounds in model.effective_bounds)
        if model.types[j] == VarType.BINARY:
            continue
        limit = solver.extreme(model, [j], [1.0], greatest)
        if not math.isfinite(limit):
            continue
        integral = whole(model, [j])
        rhs = beyond(limit, greatest, rng, limit, integral)
        room = up - limit if greatest else limit - low
        if (rhs > up) if greatest else (rhs < low):
            # What the own bound allows, but still clear of the limit.
            rhs = up if greatest else low
            if room < (1.0 if integral else max(0.01 * max(1.0, abs(limit)), 0.05)):
                continue
        return with_bound(model, j, side, rhs), j
    return None


def shift_bound(source: Source, rng: np.random.Generator, solver: ColdSolver) -> Candidate | None:
    """Type H: a column's bound beyond what the rows allow (constraint interaction graph).

    Columns that share rows with most others come first.
    """
    model = source.model
    meets = np.zeros((model.m, model.n), bool)
    meets[model.entry_rows, model.index] = True
    degree = ((meets.T.astype(np.int32) @ meets.astype(np.int32)) > 0).sum(axis=0)
    order = sorted(rng.permutation(model.n).tolist(), key=lambda j: -int(degree[j]))
    sides = _sides(rng, 0.5)
    for j in order:
        for side in sides:
            tightened = _tighten(model, rng, solver, [j], side)
            if tightened is not None:
                return bound_candidate(
                    model, *tightened, text=source.text, side=side, method="interaction-graph"
                )
    return None
