"""Type I: several single repairs make the model feasible, one alone keeps its objective."""

import dataclasses
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ordojo.benchmarks.or_debug.injection.candidate import (
    Candidate,
    ColdSolver,
    Source,
    insert_row,
    is_inequality,
    preservation,
    row_candidate,
    with_side,
)
from ordojo.benchmarks.or_debug.injection.pairs import overload
from ordojo.benchmarks.or_debug.injection.rows import whole
from ordojo.benchmarks.or_debug.injection.wording import at_least, at_most, between, fresh_name
from ordojo.milp.model import INF, Floats, Model
from ordojo.solvers.answers import Iis, Side, Status

KEPT = 0.95
"""Optimality preservation above which a repair counts as full (B.4)."""

SINGLE = 3
"""On how many single columns stated pairs of limits are tried, before sums of them."""


def rivals(model: Model, iis: Iis, optimum: float, solver: ColdSolver) -> list[float]:
    """OP of single repairs: each member of an IIS dropped, and moved by the least that suffices.

    A repair that leaves no optimum is no repair and does not appear.
    """
    found = []
    for repaired in _single_repairs(model, iis, solver):
        solution = solver.solve(repaired)
        if solution.status == Status.OPTIMAL:
            found.append(preservation(solution.objective, optimum))
    return found


def _single_repairs(model: Model, iis: Iis, solver: ColdSolver) -> Iterator[Model]:
    for i, _ in iis.rows:
        low, up = float(model.row_lower[i]), float(model.row_upper[i])
        without = model.without_row(i)
        yield without
        index, value = model.row(i)
        if low < up and (limit := _nearest(without, index, value, up < INF, solver)) is not None:
            yield without.with_row_bounds(i, *((low, limit) if up < INF else (limit, up)))
    for j, side in iis.bounds:
        low, up = float(model.col_lower[j]), float(model.col_upper[j])
        upper = side == Side.UPPER
        without = model.with_col_bounds(j, *((low, INF) if upper else (-INF, up)))
        yield without
        one = np.ones(1)
        if (limit := _nearest(without, np.array([j]), one, upper, solver)) is not None:
            yield model.with_col_bounds(j, *((low, limit) if upper else (limit, up)))


def _nearest(
    without: Model, index: NDArray[np.integer], value: Floats, upper: bool, solver: ColdSolver
) -> float | None:
    """The side nearest to the old one at which the rest has a solution, with a hair's room."""
    cost = np.zeros(without.n)
    cost[index] = value
    found = solver.solve(
        dataclasses.replace(without, objective=cost, offset=0.0, maximize=not upper)
    )
    if found.status != Status.OPTIMAL or found.objective is None:
        return None
    slip = 1e-7 * max(1.0, abs(found.objective))
    return found.objective + (slip if upper else -slip)


def choose(source: Source, rng: np.random.Generator, solver: ColdSolver) -> Candidate | None:
    """Type I: rows that cost most if dropped are tried first, then stated pairs of limits.

    Composite strategy selection: the row is moved beyond what the others allow; of all single
    repairs of the IIS only its own restoration may keep the objective.
    """
    for method, stated, rows in _strategies(source, rng, solver):
        for i in rows:
            low = bool(stated.model.row_lower[i] > -INF)
            limit = solver.row_extreme(stated.model, i, low)
            moved = overload(stated.model, i, limit, rng) if np.isfinite(limit) else None
            if moved is None:
                continue
            broken = with_side(stated.model, i, moved.rhs)
            iis = solver.iis(broken)
            if iis is None or i not in {row for row, _ in iis.rows}:
                continue
            ops = rivals(broken, iis, stated.objective, solver)
            if len(ops) >= 2 and max(ops) <= KEPT:
                return row_candidate(stated.model, broken, stated.text, (i,), method)
    return None


def _strategies(
    source: Source, rng: np.random.Generator, solver: ColdSolver
) -> Iterator[tuple[str, Source, list[int]]]:
    """The method, the true problem, and the rows to move."""
    yield "composite/row", source, _dear(source, rng, solver)
    for parts in _sums(source, rng):
        for lower in (True, False):
            paired = _with_pair(source, parts, lower, rng, solver)
            if paired is not None:
                yield "composite/pair", paired[0], [paired[1]]


def _sums(source: Source, rng: np.random.Generator) -> list[list[int]]:
    """Columns, and sums of columns, whose limits move the objective most."""
    worth = np.abs(source.model.objective) * np.maximum(source.point, 1.0)
    order = sorted(rng.permutation(source.model.n).tolist(), key=lambda j: -float(worth[j]))
    order = [j for j in order if source.model.objective[j]]
    sums = [sorted(order[:size]) for size in range(2, min(6, len(order) + 1))]
    return [*([j] for j in order[:SINGLE]), *sums]


def _with_pair(
    source: Source, parts: list[int], lower: bool, rng: np.random.Generator, solver: ColdSolver
) -> tuple[Source, int] | None:
    """The problem with a stated minimum and maximum of a sum, and the number of the one that binds.

    The minimum binds if `lower`, else the maximum; so the optimum moves, by more than 5 %.
    """
    model, here = source.model, float(source.point[parts].sum())
    ones = [1.0] * len(parts)
    end = solver.extreme(model, parts, ones, lower)
    if not np.isfinite(end) or abs(end - here) <= 0.5:
        return None
    integral = whole(model, parts)
    binding = between(here, end, rng, integral)
    other = None if binding is None else between(binding, end, rng, integral)
    if binding is None or other is None or min(binding, other) <= 0:
        return None
    text, paired = source.text, model
    names = []
    for rhs, low in ((binding, lower), (other, not lower)):
        sides = (rhs, INF) if low else (-INF, rhs)
        names.append(fresh_name(paired, low, rng))
        at = int(rng.integers(paired.m + 1))
        paired = insert_row(paired, at, names[-1], dict.fromkeys(parts, 1.0), *sides)
        say = at_least if low else at_most
        text = f"{text} {say([model.col_names[j] for j in parts], rhs, rng)}"
    solved = solver.solve(paired)
    if solved.status != Status.OPTIMAL or solved.objective is None or solved.x is None:
        return None
    if abs(solved.objective) < 1e-6 or preservation(source.objective, solved.objective) > KEPT:
        return None
    moved = dataclasses.replace(
        source, model=paired, text=text, point=solved.x, objective=solved.objective
    )
    return moved, paired.rows[names[0]]


def _dear(source: Source, rng: np.random.Generator, solver: ColdSolver) -> list[int]:
    """The inequalities without slack whose loss moves the objective by 5 %, dearest first."""
    model = source.model
    activity = model.activities(source.point)
    slack = np.minimum(np.abs(activity - model.row_lower), np.abs(model.row_upper - activity))
    losses = []
    for i in rng.permutation(model.m).tolist():
        if not is_inequality(model, i) or slack[i] > 1e-6:
            continue
        without = solver.solve(model.without_row(i))
        kept = preservation(without.objective, source.objective)
        if without.status == Status.UNBOUNDED or kept <= KEPT:
            losses.append((round(kept, 6), i))
    return [i for _, i in sorted(losses, key=lambda loss: loss[0])]
