"""Types C, E and I: what one row asks is wrong, by its coefficients or by its right-hand side."""

import math
from collections.abc import Iterator

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

FACTORS = (2.0, 3.0, 5.0, 10.0)
"""By how much coefficients are off, the least that conflicts: a factor of ten shows by itself."""

TRIES = 6

ALPHAS = (1.2, 2.4)
"""Between these lies what a demand is multiplied by: algorithm 4's 1.3 alone could be undone."""


def recoefficient(
    source: Source, rng: np.random.Generator, solver: ColdSolver
) -> InjectionCandidate | None:
    """Type C: the first change of a dear row's coefficients that conflicts (algorithm 8).

    Terms of a row >= are left out (tier 1), then one or all coefficients are scaled (tier 3), up in
    a row <= and down in a row >=. The paper's tier 2 hardly ever conflicts, and its tier 4 changes
    no coefficient. A row that costs nothing would be repaired by dropping it.
    """
    model = source.model
    for i in dear(source, rng, solver):
        sides = float(model.row_lower[i]), float(model.row_upper[i])
        for method, index, value in _changes(source, i, rng):
            broken = model.with_row(i, index, value, *sides)
            if solver.is_infeasible(broken):
                return row_candidate(source, broken, (i,), method)
    return None


def _changes(
    source: Source, i: int, rng: np.random.Generator
) -> Iterator[tuple[str, list[int], list[float]]]:
    found, values = source.model.row(i)
    index, value = found.tolist(), values.tolist()
    lower = bool(source.model.row_lower[i] > -INF)
    if lower and rng.random() < 0.5:
        positive = [k for k in rng.permutation(len(value)).tolist() if value[k] > 0]
        gone: set[int] = set()
        for k in positive[: len(index) - 1]:
            gone.add(k)
            kept = [p for p in range(len(index)) if p not in gone]
            yield "terms", [index[p] for p in kept], [value[p] for p in kept]
    for factor in FACTORS:
        factor = 1 / factor if lower else factor
        for k in rng.permutation(len(value)).tolist():
            one = [round(v * factor, 2) if p == k else v for p, v in enumerate(value)]
            if one[k]:
                yield "coefficient", index, one
        scaled = [round(v * factor, 2) for v in value]
        if all(scaled):
            yield "scaled", index, scaled


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
