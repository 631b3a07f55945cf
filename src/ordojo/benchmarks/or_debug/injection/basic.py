"""The basic injectors (C.1, C.6): a random target, no look at what it does."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ordojo.benchmarks.or_debug.injection.candidate import (
    ColdSolver,
    InjectionCandidate,
    Injector,
    Source,
    bound_candidate,
    flipped,
    insert_row,
    is_inequality,
    restore_type,
    row_candidate,
    with_bound,
    with_side,
)  # fmt: skip
from ordojo.benchmarks.or_debug.injection.wording import at_least, defined
from ordojo.milp.model import INF, Model, VarType

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


def flip(source: Source, rng: np.random.Generator, solver: ColdSolver) -> InjectionCandidate | None:
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
    text = f"{source.text} {at_least([model.col_names[j]], 2, rng)}"
    fix = restore_type(stated, j)
    broken = stated.with_type(j, VarType.BINARY)
    true = replace(source, model=stated, text=text)
    return InjectionCandidate(true, broken, (fix.target,), (fix,), "basic")


def recoefficient(
    source: Source, rng: np.random.Generator, solver: ColdSolver
) -> InjectionCandidate | None:
    """Type C: all coefficients of a random inequality times ten."""
    model = source.model
    i = _inequalities(model, rng)[0]
    index, value = model.row(i)
    sides = (float(model.row_lower[i]), float(model.row_upper[i]))
    broken = model.with_row(i, index.tolist(), (10 * value).tolist(), *sides)
    return row_candidate(source, broken, (i,), "basic")


def contradict(
    source: Source, rng: np.random.Generator, solver: ColdSolver
) -> InjectionCandidate | None:
    """Type D: a random inequality once more, the other way round and half as far again."""
    model = source.model
    i = _inequalities(model, rng)[0]
    lower = bool(model.row_lower[i] > -INF)
    terms = dict(zip(model.row(i)[0].tolist(), model.row(i)[1].tolist(), strict=True))
    rhs = float(model.row_lower[i] / 1.5 if lower else model.row_upper[i] * 1.5)
    sides = (-INF, rhs) if lower else (rhs, INF)
    broken = insert_row(model, model.m, "added_rule", terms, *sides)
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


INJECTORS: Mapping[str, Injector] = {
    "A": flip, "B": retype, "C": recoefficient, "D": contradict, "E": interlock,
    "F": hide, "G": interlock, "H": shift_bound, "I": choose,
}  # fmt: skip
"""The basic injector of each type."""
