"""The injectors that the paper prints: basic ones (C.1, C.6), and algorithms 7 and 8 (C.8).

The basic ones take a random target and do not look at what they do. What either make can be
repaired without reading, so that other robust injectors take the place of the printed ones.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from ordojo.benchmarks.or_debug.injection.candidate import (
    ColdSolver,
    InjectionCandidate,
    Injector,
    Source,
    bound_candidate,
    defined,
    flipped,
    insert_row,
    is_inequality,
    plainly,
    restore_type,
    row_candidate,
    with_bound,
    with_side,
)
from ordojo.milp.model import INF, Floats, Model, VarType

FACTOR = 1.3
"""How much larger a right-hand side gets (algorithm 4's example)."""


def _inequalities(model: Model, rng: np.random.Generator) -> list[int]:
    return [i for i in rng.permutation(model.m).tolist() if is_inequality(model, i)]


def _harder(model: Model, i: int) -> Model:
    """Row i with a side that asks for more: 1.3 times as much, of 0 one more."""
    lower = bool(model.row_lower[i] > -INF)
    rhs = float(model.row_lower[i] if lower else model.row_upper[i])
    more = max(rhs * FACTOR, rhs + 1) if lower else min(rhs / FACTOR, rhs - 1)
    return with_side(model, i, round(more, 2))


def flip_any(
    source: Source, rng: np.random.Generator, solver: ColdSolver
) -> InjectionCandidate | None:
    """Type A: algorithm 3 on a random inequality."""
    i = _inequalities(source.model, rng)[0]
    return row_candidate(source, flipped(source.model, i), (i,), "basic")


def retype(
    source: Source, rng: np.random.Generator, solver: ColdSolver
) -> InjectionCandidate | None:
    """Type B: a random INTEGER column, with a row that asks for 2."""
    model = source.model
    counts = (model.types == VarType.INTEGER) & (model.col_lower <= 1) & (model.col_upper >= 2)
    if not counts.any():
        return None
    j = int(rng.choice(np.flatnonzero(counts)))
    stated = insert_row(model, model.m, "least_count", {j: 1.0}, 2.0, INF)
    text = f"{source.text} {plainly([model.col_names[j]], True, 2, rng)}"
    fix = restore_type(stated, j)
    broken = stated.with_type(j, VarType.BINARY)
    true = replace(source, model=stated, text=text)
    return InjectionCandidate(true, broken, (fix.target,), (fix,), "basic")


def recoefficient_any(
    source: Source, rng: np.random.Generator, solver: ColdSolver
) -> InjectionCandidate | None:
    """Type C: all coefficients of a random inequality times ten."""
    model = source.model
    i = _inequalities(model, rng)[0]
    index, value = model.row(i)
    broken = model.with_row(i, index.tolist(), (10 * value).tolist())
    return row_candidate(source, broken, (i,), "basic")


def contradict(
    source: Source, rng: np.random.Generator, solver: ColdSolver
) -> InjectionCandidate | None:
    """Type D: a random inequality once more, the other way round and half as far again."""
    model = source.model
    i = _inequalities(model, rng)[0]
    lower = bool(model.row_lower[i] > -INF)
    rhs = float(model.row_lower[i] / 1.5 if lower else model.row_upper[i] * 1.5)
    sides = (-INF, rhs) if lower else (rhs, INF)
    broken = insert_row(model, model.m, "added_rule", model.terms(i), *sides)
    true = replace(source, model=broken.without_row(model.m))
    return row_candidate(true, broken, (model.m,), "basic")


def interlock(
    source: Source, rng: np.random.Generator, solver: ColdSolver
) -> InjectionCandidate | None:
    """Type E: algorithm 4 on two random inequalities."""
    one, two = _inequalities(source.model, rng)[:2]
    broken = _harder(_harder(source.model, one), two)
    return row_candidate(source, broken, (one, two), "basic")


def hide(source: Source, rng: np.random.Generator, solver: ColdSolver) -> InjectionCandidate | None:
    """Type F: the sum of two random columns must come near the most their bounds allow."""
    model = source.model
    parts = sorted(rng.permutation(model.n)[:2].tolist())
    most = float(model.effective_bounds[1][parts].sum())
    if not np.isfinite(most):
        return None
    wider = model.with_new_col("aux", 0.0, most)
    terms = {**dict.fromkeys(parts, -1.0), wider.n - 1: 1.0}
    stated = insert_row(wider, model.m, "aux_sum", terms, 0.0, 0.0)
    text = f"{source.text} {defined('aux', [model.col_names[j] for j in parts], 0.0, most)}"
    broken = with_bound(stated, stated.n - 1, "lb", round(most / FACTOR, 2))
    true = replace(source, model=stated, text=text)
    return bound_candidate(true, broken, stated.n - 1, "lb", "basic")


def shift_bound(
    source: Source, rng: np.random.Generator, solver: ColdSolver
) -> InjectionCandidate | None:
    """Type H: a random column must reach its own upper bound."""
    model = source.model
    j = int(rng.integers(model.n))
    low, up = (float(bounds[j]) for bounds in model.effective_bounds)
    if not np.isfinite(up) or up == low:
        return None
    broken = with_bound(model, j, "lb", up)
    return bound_candidate(source, broken, j, "lb", "basic")


def choose(
    source: Source, rng: np.random.Generator, solver: ColdSolver
) -> InjectionCandidate | None:
    """Type I: a random inequality asks for more."""
    i = _inequalities(source.model, rng)[0]
    return row_candidate(source, _harder(source.model, i), (i,), "basic")


BASIC: Mapping[str, Injector] = {
    "A": flip_any, "B": retype, "C": recoefficient_any, "D": contradict, "E": interlock,
    "F": hide, "G": interlock, "H": shift_bound, "I": choose,
}  # fmt: skip
"""The basic injector of each type."""


TIGHTEST = 10
"""Algorithm 7's number of candidates."""

SCALE = 10.0
"""Tier 3's factor."""

EPSILON = 1.0
"""Tier 4's distance, which the paper leaves open: a whole unit is above every tolerance."""


def flip(source: Source, rng: np.random.Generator, solver: ColdSolver) -> InjectionCandidate | None:
    """Algorithm 7: the tightest inequality that, turned round, conflicts and is in the IIS."""
    model = source.model
    activity = model.activities(source.point)
    slack = np.minimum(np.abs(activity - model.row_lower), np.abs(model.row_upper - activity))
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


ROBUST: Mapping[str, Injector] = {"A": flip, "C": recoefficient}
"""The injectors as printed; the paper prints those of no other type."""


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
            yield tier, i, model.with_row(i, index[kept].tolist(), after[kept].tolist())


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
