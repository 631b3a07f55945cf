"""Types F and H: a bound of a column is wrong, and rows alone are what the IIS shows."""

import math
from dataclasses import replace

import numpy as np

from ordojo.benchmarks.or_debug.injection.candidate import (
    ColdSolver,
    InjectionCandidate,
    Source,
    bound_candidate,
    insert_row,
    with_bound,
)
from ordojo.benchmarks.or_debug.injection.stating import (
    a_sum,
    apart,
    binding,
    saying,
    solved,
    total_name,
    whole,
)
from ordojo.benchmarks.or_debug.injection.wording import beyond
from ordojo.benchmarks.or_debug.telling.rules import Limit, Total
from ordojo.milp.model import INF, Model, VarType

TRIES = 6


def hide(source: Source, rng: np.random.Generator, solver: ColdSolver) -> InjectionCandidate | None:
    """Type F: a bound that reaches its symptom through the definition of a sum (bottleneck).

    The true problem has an auxiliary column, the sum of others, with stated bounds of which one
    costs more than 5 % of the optimum. That one is moved beyond what the rows allow.
    """
    for _ in range(TRIES):
        parts = a_sum(source, rng)
        if parts is None:
            return None
        parts = sorted({*parts, int(rng.integers(source.model.n))})
        if len(parts) < 2:
            continue
        for lower in _either(rng):
            rhs = binding(source, parts, lower, rng, solver)
            stated = None if rhs is None else _with_sum(source, parts, lower, rhs, rng, solver)
            found = None if stated is None else _moved(source, stated, lower, rng, solver)
            if found is not None:
                return found
    return None


def shift_bound(
    source: Source, rng: np.random.Generator, solver: ColdSolver
) -> InjectionCandidate | None:
    """Type H: a column's bound beyond what the rows allow (constraint interaction graph).

    Columns that share rows with most others come first; the true bound is stated, and costs more
    than 5 % of the optimum.
    """
    model = source.model
    meets = np.zeros((model.m, model.n), bool)
    meets[model.entry_rows, model.index] = True
    degree = ((meets.T.astype(np.int32) @ meets.astype(np.int32)) > 0).sum(axis=0)
    order = sorted(rng.permutation(model.n).tolist(), key=lambda j: -int(degree[j]))
    for j in order:
        if model.types[j] == VarType.BINARY:
            continue
        for lower in _either(rng):
            rhs = binding(source, [j], lower, rng, solver)
            if rhs is None:
                continue
            stated = replace(source, model=with_bound(model, j, "lb" if lower else "ub", rhs))
            stated = saying(stated, [j], lower, rhs, rng)
            found = _moved(source, (stated, j), lower, rng, solver)
            if found is not None:
                return found
    return None


def _either(rng: np.random.Generator) -> tuple[bool, bool]:
    first = bool(rng.random() < 0.5)
    return first, not first


def _with_sum(
    source: Source,
    parts: list[int],
    lower: bool,
    rhs: float,
    rng: np.random.Generator,
    solver: ColdSolver,
) -> tuple[Source, int] | None:
    """The problem with a column for a sum, one bound of which is `rhs`, the other one loose."""
    model = source.model
    far = solver.extreme(model, parts, [1.0] * len(parts), lower)
    near = solver.extreme(model, parts, [1.0] * len(parts), not lower)
    if not (math.isfinite(far) and math.isfinite(near)):
        return None
    integral, name = whole(model, parts), total_name(model, rng)
    if lower:
        bounds = rhs, beyond(far, True, rng, far, integral)
    else:
        bounds = max(0.0, beyond(far, False, rng, near, integral)), rhs
    kind = VarType.INTEGER if integral else VarType.CONTINUOUS
    wider = model.with_new_col(name, *bounds, kind)
    terms = {**dict.fromkeys(parts, -1.0), wider.n - 1: 1.0}
    stated = insert_row(wider, int(rng.integers(model.m + 1)), f"{name}_sum", terms, 0.0, 0.0)
    j, facts = stated.n - 1, source.facts
    facts += (Total(j, tuple(parts)), Limit((j,), False, bounds[1]))
    facts += (Limit((j,), True, bounds[0]),) if bounds[0] else ()
    return replace(source, model=stated, facts=facts), j


def _moved(
    source: Source,
    stated: tuple[Source, int],
    lower: bool,
    rng: np.random.Generator,
    solver: ColdSolver,
) -> InjectionCandidate | None:
    """The problem with that bound beyond what the rows allow, if it costs what it should."""
    original, j = stated
    after = solved(original, solver)
    if after is None or not apart(after.objective, source.objective):
        return None
    side = "lb" if lower else "ub"
    rhs = _beyond(after.model, rng, solver, j, side)
    if rhs is None:
        return None
    broken = with_bound(after.model, j, side, rhs)
    return bound_candidate(after, broken, j, side, "dear bound")


def _beyond(
    model: Model, rng: np.random.Generator, solver: ColdSolver, j: int, side: str
) -> float | None:
    """A bound of a column that the rows do not allow.

    The bounds of the column do not cross, so that it takes a row to see the conflict.
    """
    greatest = side == "lb"
    low, up = (float(bounds[j]) for bounds in model.effective_bounds)
    free = with_bound(model, j, side, -INF if greatest else INF)
    limit = solver.extreme(free, [j], [1.0], greatest)
    if not math.isfinite(limit):
        return None
    integral = whole(model, [j])
    rhs = beyond(limit, greatest, rng, limit, integral)
    room = up - limit if greatest else limit - low
    if (rhs > up) if greatest else (rhs < low):
        # What the own bound allows, but still clear of the limit.
        rhs = up if greatest else low
        if room < (1.0 if integral else max(0.01 * max(1.0, abs(limit)), 0.05)):
            return None
    return rhs
