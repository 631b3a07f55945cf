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
from ordojo.benchmarks.or_debug.injection.cases import StatedLimit, drawn, span
from ordojo.benchmarks.or_debug.injection.stating import a_sum, saying, total_name, whole
from ordojo.benchmarks.or_debug.injection.wording import beyond
from ordojo.benchmarks.or_debug.telling.rules import Limit, Total
from ordojo.milp.model import INF, Model, VarType

TRIES = 8
"""Sums that an attempt tries, each with a bound from either side."""


def hide(source: Source, rng: np.random.Generator, solver: ColdSolver) -> InjectionCandidate | None:
    """Type F: a bound that reaches its symptom through the definition of a sum (bottleneck).

    The true problem has an auxiliary column, the sum of others, with stated bounds of which one
    costs something. That one is moved beyond what the rows allow.
    """
    for _ in range(TRIES):
        parts = a_sum(source, rng)
        if parts is None:
            return None
        parts = sorted({*parts, int(rng.integers(source.model.n))})
        if len(parts) < 2:
            continue
        for lower in _either(rng):
            ends = span(source, parts, lower, solver)
            stated = None if ends is None else _with_sum(source, parts, lower, rng, solver)
            found = stated and ends and _moved("F", *stated, lower, ends, rng, solver)
            if found:
                return found
    return None


def shift_bound(
    source: Source, rng: np.random.Generator, solver: ColdSolver
) -> InjectionCandidate | None:
    """Type H: a column's bound beyond what the rows allow (constraint interaction graph).

    Columns that share rows with most others come first; the true bound is stated, and costs
    something.
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
            ends = span(source, [j], lower, solver)
            found = ends and _moved(
                "H", saying(source, [j], lower, 0.0, rng), j, lower, ends, rng, solver
            )
            if found:
                return found
    return None


def _either(rng: np.random.Generator) -> tuple[bool, bool]:
    first = bool(rng.random() < 0.5)
    return first, not first


def _with_sum(
    source: Source, parts: list[int], lower: bool, rng: np.random.Generator, solver: ColdSolver
) -> tuple[Source, int] | None:
    """The problem with a column for a sum, one bound of which is to come, the other one loose."""
    model = source.model
    far = solver.extreme(model, parts, [1.0] * len(parts), lower)
    near = solver.extreme(model, parts, [1.0] * len(parts), not lower)
    if not (math.isfinite(far) and math.isfinite(near)):
        return None
    integral, name = whole(model, parts), total_name(model, rng)
    loose = beyond(far, lower, rng, far if lower else near, integral)
    bounds = (0.0, loose) if lower else (max(0.0, loose), INF)
    kind = VarType.INTEGER if integral else VarType.CONTINUOUS
    wider = model.with_new_col(name, *bounds, kind)
    terms = {**dict.fromkeys(parts, -1.0), wider.n - 1: 1.0}
    stated = insert_row(wider, int(rng.integers(model.m + 1)), f"{name}_sum", terms, 0.0, 0.0)
    j, facts = stated.n - 1, source.facts
    facts += (Total(j, tuple(parts)),)
    facts += (Limit((j,), not lower, loose),) if lower or loose > 0 else ()
    return replace(source, model=stated, facts=(*facts, Limit((j,), lower, 0.0))), j


def _moved(
    kind: str,
    source: Source,
    j: int,
    lower: bool,
    ends: tuple[float, float],
    rng: np.random.Generator,
    solver: ColdSolver,
) -> InjectionCandidate | None:
    """The problem with a bound of a column beyond what the rows allow, for one that they do."""
    model, side = source.model, "lb" if lower else "ub"
    bound = _beyond(model, rng, solver, j, side)
    if bound is None or bound <= 0:
        return None
    stated = StatedLimit(
        source, lambda model, at: with_bound(model, j, side, at), *ends, whole(model, [j])
    )
    trues = stated.cases(rng, solver)
    if trues is None:
        return None
    broken = with_bound(model, j, side, bound)
    cases = [bound_candidate(true, broken, j, side, "dear bound") for true in trues]
    return drawn(kind, cases, rng, solver)


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
