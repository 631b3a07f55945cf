"""Types A, C and D: one row flipped, its coefficients changed, or one row too many."""

import math
from collections.abc import Iterator

import numpy as np

from ordojo.benchmarks.or_debug.injection.candidate import (
    Candidate,
    ColdSolver,
    Source,
    flipped,
    insert_row,
    is_inequality,
    row_candidate,
)
from ordojo.benchmarks.or_debug.injection.wording import beyond, fresh_name
from ordojo.milp.model import INF, Model, VarType

CANDIDATES = 10
"""How many of the tightest rows algorithm 7 tries."""

_NO_SLACK = 1e-6


def flip(source: Source, rng: np.random.Generator, solver: ColdSolver) -> Candidate | None:
    """Type A: the first of the ten tightest inequalities whose flip conflicts (algorithm 7).

    Rows without any slack are passed over unsolved: the optimum itself satisfies them flipped.
    """
    model = source.model
    activity = model.activities(source.point)
    slack = np.minimum(np.abs(activity - model.row_lower), np.abs(model.row_upper - activity))
    order = [i for i in rng.permutation(model.m).tolist() if is_inequality(model, i)]
    order.sort(key=lambda i: round(float(slack[i]), 6))
    for i in order[:CANDIDATES]:
        if slack[i] <= _NO_SLACK:
            continue
        broken = flipped(model, i)
        if solver.is_infeasible(broken):
            return row_candidate(model, broken, source.text, (i,), "slack")
    return None


def recoefficient(source: Source, rng: np.random.Generator, solver: ColdSolver) -> Candidate | None:
    """Type C: the four tiers of algorithm 8, the first change of coefficients that conflicts.

    Tier 4 of the paper adds two bounds, which changes no coefficient; ours multiplies a single
    one, of the variables with the largest range first.
    """
    tiers = (_without_terms, _negated, _scaled, _one_term)
    for tier, changes in enumerate(tiers, 1):
        for i, index, value in changes(source, rng, solver):
            broken = source.model.with_row(i, index, value, *_sides(source.model, i))
            if solver.is_infeasible(broken):
                return row_candidate(source.model, broken, source.text, (i,), f"tier-{tier}")
    return None


_Change = tuple[int, list[int], list[float]]


def _sides(model: Model, i: int) -> tuple[float, float]:
    return float(model.row_lower[i]), float(model.row_upper[i])


def _terms(model: Model, i: int) -> tuple[list[int], list[float]]:
    index, value = model.row(i)
    return index.tolist(), value.tolist()


def _without_terms(
    source: Source, rng: np.random.Generator, solver: ColdSolver
) -> Iterator[_Change]:
    """Tier 1: rows >= by what their right-hand side is worth, stripped of positive terms.

    Terms go one after the other, the largest at the optimum first, and one stays: a row without
    any variable would be no constraint.
    """
    model = source.model
    for i in _by_worth(source, solver):
        index, value = _terms(model, i)
        positive = [k for k, v in enumerate(value) if v > 0]
        positive.sort(key=lambda k: -value[k] * float(source.point[index[k]]))
        gone: set[int] = set()
        for k in positive[: len(index) - 1]:
            gone.add(k)
            kept = [p for p in range(len(index)) if p not in gone]
            yield i, [index[p] for p in kept], [value[p] for p in kept]


def _by_worth(source: Source, solver: ColdSolver) -> list[int]:
    """The rows >= in descending order of their dual value in the LP relaxation."""
    model = source.model
    lower = [i for i in range(model.m) if is_inequality(model, i) and model.row_lower[i] > -INF]
    duals = solver.relaxation(model).row_dual
    if duals is None:
        return lower
    return sorted(lower, key=lambda i: -abs(float(duals[i])))


def _negated(source: Source, rng: np.random.Generator, solver: ColdSolver) -> Iterator[_Change]:
    """Tier 2: rows <= whose positive coefficients turn negative."""
    model = source.model
    for i in rng.permutation(model.m).tolist():
        if is_inequality(model, i) and model.row_upper[i] < INF:
            index, value = _terms(model, i)
            yield i, index, [-abs(v) for v in value]


def _scaled(source: Source, rng: np.random.Generator, solver: ColdSolver) -> Iterator[_Change]:
    """Tier 3: all coefficients of an inequality times ten."""
    model = source.model
    for i in rng.permutation(model.m).tolist():
        if is_inequality(model, i):
            index, value = _terms(model, i)
            yield i, index, [round(10 * v, 9) for v in value]


def _one_term(source: Source, rng: np.random.Generator, solver: ColdSolver) -> Iterator[_Change]:
    """Tier 4: one coefficient times 10, 100 or -10."""
    model = source.model
    low, up = model.effective_bounds
    for j in np.argsort(-(up - low), kind="stable").tolist():
        for i in np.unique(model.entry_rows[model.index == j]).tolist():
            index, value = _terms(model, i)
            for factor in (10.0, 100.0, -10.0):
                changed = [
                    round(factor * v, 9) if k == j else v for k, v in zip(index, value, strict=True)
                ]
                yield i, index, changed


def contradict(source: Source, rng: np.random.Generator, solver: ColdSolver) -> Candidate | None:
    """Type D: a row that asks for more, or less, than the others allow (bound gap).

    It is a sum over columns of a row there is; its side lies beyond what that sum can reach.
    """
    model = source.model
    for i in rng.permutation(model.m).tolist():
        index, value = _terms(model, i)
        columns = [j for j, v in zip(index, value, strict=True) if v > 0]
        if len(columns) < 2 or not model.is_live(i):
            continue
        size = int(rng.integers(2, len(columns) + 1))
        chosen = sorted(rng.permutation(columns)[:size].tolist())
        up = bool(rng.random() < 0.5)
        for greatest in (up, not up):
            terms = dict.fromkeys(chosen, 1.0)
            limit = solver.extreme(model, chosen, [1.0] * size, greatest)
            if not math.isfinite(limit) or (not greatest and limit <= 0.5):
                continue
            rhs = beyond(limit, greatest, rng, limit, whole(model, chosen))
            if not greatest and rhs <= 0:
                continue
            at = int(rng.integers(model.m + 1))
            name = fresh_name(model, greatest, rng)
            sides = (rhs, INF) if greatest else (-INF, rhs)
            broken = insert_row(model, at, name, terms, *sides)
            return row_candidate(broken.without_row(at), broken, source.text, (at,), "bound-gap")
    return None


def whole(model: Model, columns: list[int]) -> bool:
    """Whether all these columns are integral."""
    return all(model.types[j] in (VarType.INTEGER, VarType.BINARY) for j in columns)
