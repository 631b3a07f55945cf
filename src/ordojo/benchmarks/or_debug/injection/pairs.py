"""Type G, and type E with two rows: wrong at once, side by side or one behind the other."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from ordojo.benchmarks.or_debug.injection.candidate import (
    ColdSolver,
    InjectionCandidate,
    Source,
    is_equation,
    row_candidate,
    with_side,
)
from ordojo.benchmarks.or_debug.injection.cases import drawn, overstated
from ordojo.benchmarks.or_debug.injection.stating import a_sum, whole
from ordojo.benchmarks.or_debug.injection.wording import beyond
from ordojo.milp.model import INF, Model

TRIES = 8
"""Stated limits that an attempt tries."""

PAIRS = 8
"""How many pairs of rows an attempt tries."""


@dataclass(frozen=True)
class Overload:
    """A right-hand side that row i alone cannot have; `limit` is the last one that it could."""

    i: int
    limit: float
    rhs: float


def overloads(source: Source, rng: np.random.Generator, solver: ColdSolver) -> Iterator[Overload]:
    """Right-hand sides that conflict by themselves, least relative change of a row first.

    Capacity utilization analysis: how far a row's activity can be driven by all the others.
    """
    model = source.model
    scored: list[tuple[float, int, int, float]] = []
    for i in rng.permutation(model.m).tolist():
        if model.starts[i + 1] - model.starts[i] == 0 or not model.is_live(i):
            continue
        equation = is_equation(model, i)
        if not equation and model.row_lower[i] > -INF and model.row_upper[i] < INF:
            continue
        greatest = bool(rng.random() < 0.5) if equation else bool(model.row_lower[i] > -INF)
        rhs = float(model.row_lower[i] if greatest else model.row_upper[i])
        others = model.without_row(i) if equation else model
        limit = solver.row_extreme(others, i, greatest)
        if math.isfinite(limit):
            scored.append((round(abs(limit - rhs) / max(1.0, abs(rhs)), 2), len(scored), i, limit))
    for _, _, i, limit in sorted(scored):
        found = overload(model, i, limit, rng)
        if found is not None:
            yield found


def overload(model: Model, i: int, limit: float, rng: np.random.Generator) -> Overload | None:
    """A round right-hand side of row i beyond its limit; None where only an odd one would do."""
    old = float(model.row_lower[i] if model.row_lower[i] > -INF else model.row_upper[i])
    up = limit > old if is_equation(model, i) else bool(model.row_lower[i] > -INF)
    index, value = model.row(i)
    integral = whole(model, index.tolist()) and bool((value == np.round(value)).all())
    rhs = beyond(limit, up, rng, max(abs(limit), 0.5 * abs(old)), integral)
    if old >= 0 and rhs <= 0:
        # A capacity of nothing or less would give itself away.
        rhs = float(math.floor(0.5 * limit)) if integral else round(0.5 * limit, 2)
        if not 0 < rhs <= limit - 0.05 * max(1.0, limit):
            return None
    return Overload(i, limit, rhs)


def interlock(
    source: Source, rng: np.random.Generator, solver: ColdSolver
) -> InjectionCandidate | None:
    """The two-row form of type E (C.6): each row conflicts with the rest, so both need a repair.

    A pair that the IIS shows together is taken before one of which it shows one row.
    """
    model, half_shown = source.model, None
    for one, two in _pairs(model, list(overloads(source, rng, solver)), together=True):
        rows = (one.i, two.i)
        broken = with_side(with_side(model, one.i, one.rhs), two.i, two.rhs)
        iis = solver.iis(broken)
        shown = set() if iis is None else {i for i, _ in iis.rows}.intersection(rows)
        if not shown or (len(shown) == 1 and half_shown is not None):
            continue
        if all(solver.is_infeasible(with_side(model, o.i, o.rhs)) for o in (one, two)):
            found = row_candidate(source, broken, rows, "capacity-utilization")
            if len(shown) == 2:
                return found
            half_shown = found
    return half_shown


def cascade(
    source: Source, rng: np.random.Generator, solver: ColdSolver
) -> InjectionCandidate | None:
    """Type G: two conflicts, of which the IIS shows the second once the first is repaired.

    Flow balance verification: each of two rows is driven beyond what flows through the others. One
    is a stated limit, whose figure costs something, so that both cannot just be dropped.
    """
    own: list[Overload] | None = None
    for _ in range(TRIES):
        columns, lower = a_sum(source, rng, most=6), bool(rng.random() < 0.5)
        found = None if columns is None else overstated(source, columns, lower, rng, solver)
        trues = found and found[0].cases(rng, solver)
        if not (found and trues):
            continue
        wider, i = found[0].source.model, found[1]
        own = list(islice(overloads(source, rng, solver), PAIRS)) if own is None else own
        for other in own:
            k = wider.rows[source.model.row_names[other.i]]
            broken = with_side(wider, k, other.rhs)
            rows = _in_turn(trues[0].model, broken, (i, k), solver)
            if rows:
                cases = [row_candidate(true, broken, rows, "flow-balance") for true in trues]
                return drawn("G", cases, rng, solver)
    return None


def _in_turn(
    original: Model, broken: Model, rows: tuple[int, int], solver: ColdSolver
) -> tuple[int, int] | None:
    """The rows in the order in which an IIS shows them, one alone; None where it is otherwise."""
    iis = solver.iis(broken)
    shown = [] if iis is None else [i for i, _ in iis.rows if i in rows]
    if len(shown) != 1:
        return None
    first, second = shown[0], sum(rows) - shown[0]
    sides = float(original.row_lower[first]), float(original.row_upper[first])
    later = solver.iis(broken.with_row_bounds(first, *sides))
    held = later is not None and second in {i for i, _ in later.rows}
    return (first, second) if held else None


def _pairs(model: Model, found: list[Overload], together: bool) -> list[tuple[Overload, Overload]]:
    """Pairs of overloads, those with common columns first (or last)."""
    columns = {o.i: set(model.row(o.i)[0].tolist()) for o in found}
    pairs = [(a, b) for k, a in enumerate(found) for b in found[k + 1 :]]
    pairs.sort(key=lambda pair: columns[pair[0].i].isdisjoint(columns[pair[1].i]) == together)
    return pairs[:PAIRS]
