"""Types E and I: what one row asks is wrong, by its right-hand side."""

import math

import numpy as np

from ordojo.benchmarks.or_debug.injection.candidate import (
    ColdSolver,
    InjectionCandidate,
    Source,
    is_inequality,
    row_candidate,
    with_side,
)
from ordojo.benchmarks.or_debug.injection.pairs import overload
from ordojo.benchmarks.or_debug.injection.stating import (
    a_sum,
    apart,
    binding,
    dear,
    solved,
    state_row,
)
from ordojo.milp.model import INF, Model

TRIES = 6

ALPHAS = (1.2, 2.4)
"""Between these lies what a demand is multiplied by: algorithm 4's 1.3 alone could be undone."""


def overcommit(
    source: Source, rng: np.random.Generator, solver: ColdSolver
) -> InjectionCandidate | None:
    """Type E: algorithm 4. The largest demand grows until all of them exceed the capacity.

    Demands are the limits of sums from below. Where the largest costs nothing, one that does is
    stated: to drop it, or to meet it as far as it goes, is then no repair.
    """
    for _ in range(TRIES):
        columns = a_sum(source, rng, most=6)
        rhs = None if columns is None else binding(source, columns, True, rng, solver)
        others = [float(source.model.row_lower[i]) for i in _demands(source.model)]
        if columns is None or rhs is None or rhs <= max(others, default=math.inf):
            continue
        stated, name = state_row(source, columns, True, rhs, rng)
        after = solved(stated, solver)
        if after is None or not apart(after.objective, source.objective):
            continue
        largest = after.model.rows[name]
        for alpha in sorted(rng.uniform(*ALPHAS, 3).tolist()):
            more = math.ceil(rhs * alpha - 1e-9) if rhs >= 5 else round(rhs * alpha, 2)
            broken = with_side(after.model, largest, float(more))
            if solver.is_infeasible(broken):
                method = f"demand x {alpha:.3g}"
                return row_candidate(after, broken, (largest,), method)
    return None


def _demands(model: Model) -> list[int]:
    return [
        i
        for i in range(model.m)
        if is_inequality(model, i) and model.row_lower[i] > 0 and (model.row(i)[1] == 1).all()
    ]


def choose(
    source: Source, rng: np.random.Generator, solver: ColdSolver
) -> InjectionCandidate | None:
    """Type I: a dear row asks for more than the others allow (composite strategy selection).

    That several single repairs are possible, and its own restoration alone keeps the objective, is
    for the validation to see.
    """
    for i in dear(source, rng, solver):
        limit = solver.row_extreme(source.model, i, bool(source.model.row_lower[i] > -INF))
        moved = overload(source.model, i, limit, rng) if np.isfinite(limit) else None
        if moved is not None:
            broken = with_side(source.model, i, moved.rhs)
            return row_candidate(source, broken, (i,), "composite")
    return None
