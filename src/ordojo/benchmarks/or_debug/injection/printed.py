"""The robust injectors of types A and C as algorithms 7 and 8 print them (C.8).

What they make can be repaired without reading, so that the default ones take their place.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from ordojo.benchmarks.or_debug.injection.candidate import (
    ColdSolver,
    InjectionCandidate,
    Injector,
    Source,
    flipped,
    insert_row,
    is_inequality,
    row_candidate,
)
from ordojo.milp.model import INF, Floats, Model

TIGHTEST = 10
"""Algorithm 7's number of candidates."""

SCALE = 10.0
"""Tier 3's factor."""

EPSILON = 1.0
"""Tier 4's distance, which the paper leaves open: a whole unit is above every tolerance."""


def flip(source: Source, rng: np.random.Generator, solver: ColdSolver) -> InjectionCandidate | None:
    """Algorithm 7: the tightest inequality that, turned round, conflicts and is in the IIS."""
    model = source.model
    slack = _slack(model, source.point)
    rows = [i for i in np.argsort(slack, kind="stable").tolist() if is_inequality(model, i)]
    for i in rows[:TIGHTEST]:
        broken = flipped(model, i)
        if _conflicts(broken, i, solver):
            return row_candidate(source, broken, (i,), "tightest")
    return None


def recoefficient(
    source: Source, rng: np.random.Generator, solver: ColdSolver
) -> InjectionCandidate | None:
    """Algorithm 8: the first of its four tiers that conflicts; the fourth changes no coefficient.

    Tier 1 takes the positive terms out of a row >=, the dearest first by its dual in the LP
    relaxation; tier 2 turns them negative in a row <=; tier 3 scales a row by ten, not its side.
    """
    for tier, i, broken in _changes(source, solver):
        if _conflicts(broken, i, solver):
            return row_candidate(source, broken, (i,), tier)
    return _parted(source, solver)


INJECTORS: Mapping[str, Injector] = {"A": flip, "C": recoefficient}
"""The injectors as printed; the paper prints those of no other type."""


def _slack(model: Model, point: Floats) -> Floats:
    activity = model.activities(point)
    return np.minimum(np.abs(activity - model.row_lower), np.abs(model.row_upper - activity))


def _conflicts(model: Model, i: int, solver: ColdSolver) -> bool:
    iis = solver.iis(model)
    return iis is not None and model.row_names[i] in iis.row_names(model)


def _changes(source: Source, solver: ColdSolver) -> Iterator[tuple[str, int, Model]]:
    model = source.model
    inequalities = [i for i in range(model.m) if is_inequality(model, i)]
    above = [i for i in inequalities if model.row_lower[i] > -INF]
    dual = solver.relaxation(model).row_dual
    worth = np.zeros(model.m) if dual is None else np.abs(dual)
    tiers: tuple[tuple[str, list[int], Callable[[Floats], Floats]], ...] = (
        ("tier 1", sorted(above, key=lambda i: -worth[i]), lambda v: np.where(v > 0, 0.0, v)),
        ("tier 2", [i for i in inequalities if i not in above], lambda v: -np.abs(v)),
        ("tier 3", inequalities, lambda v: SCALE * v),
    )
    for tier, rows, change in tiers:
        for i in rows:
            index, value = model.row(i)
            after = change(value)
            kept = after != 0
            sides = float(model.row_lower[i]), float(model.row_upper[i])
            yield tier, i, model.with_row(i, index[kept].tolist(), after[kept].tolist(), *sides)


def _parted(source: Source, solver: ColdSolver) -> InjectionCandidate | None:
    """Tier 4: x <= x* and x >= x* + 1 of the column with the largest range; the second is wrong."""
    model = source.model
    spans = [
        solver.extreme(model, [j], [1.0], True) - solver.extreme(model, [j], [1.0], False)
        for j in range(model.n)
    ]
    j = int(np.argmax(np.nan_to_num(spans, nan=-1.0, posinf=-1.0)))
    at = round(float(source.point[j]), 6)
    original = insert_row(model, model.m, "most", {j: 1.0}, -INF, at)
    broken = insert_row(original, original.m, "least", {j: 1.0}, at + EPSILON, INF)
    true = replace(source, model=broken.without_row(original.m))
    return row_candidate(true, broken, (original.m,), "tier 4")
