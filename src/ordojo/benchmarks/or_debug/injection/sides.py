"""Types E to I: the sides of rows or the bounds of columns are wrong, one alone or two."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from ordojo.benchmarks.or_debug.injection.candidate import (
    ColdSolver,
    InjectionCandidate,
    Source,
    a_sum,
    beyond,
    bound_candidate,
    insert_row,
    is_equation,
    row_candidate,
    saying,
    total_name,
    whole,
    with_bound,
    with_side,
)
from ordojo.benchmarks.or_debug.injection.validation import (
    StatedLimit,
    drawn,
    one_of_three,
    overstated,
    span,
)
from ordojo.benchmarks.or_debug.telling.rules import Limit, Total
from ordojo.milp.model import INF, Model, VarType

TRIES = 8
"""Sums that an attempt tries: with fewer, some families hardly ever have three cases."""


def overcommit(
    source: Source, rng: np.random.Generator, solver: ColdSolver
) -> InjectionCandidate | None:
    """Type E: algorithm 4. A demand grows until all of them exceed the capacity.

    A demand is a limit of a sum from below. It costs something, so that to drop it, or to meet it
    as far as it goes, is no repair; and it need not be the largest, which could be told unread.
    """
    for _ in range(TRIES):
        columns = a_sum(source, rng, most=6)
        found = columns and one_of_three("E", source, columns, True, "demand", rng, solver)
        if found:
            return found
    return None


def choose(
    source: Source, rng: np.random.Generator, solver: ColdSolver
) -> InjectionCandidate | None:
    """Type I: a dear row asks for more than the others allow (composite strategy selection).

    That several single repairs are possible, and its own restoration alone keeps the objective, is
    for the validation to see.
    """
    for _ in range(TRIES):
        columns, lower = a_sum(source, rng, most=6), bool(rng.random() < 0.5)
        found = columns and one_of_three("I", source, columns, lower, "composite", rng, solver)
        if found:
            return found
    return None


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
        # What the own bound allows, but still clear of the limit: by 1 %, far above tolerances.
        rhs = up if greatest else low
        if room < (1.0 if integral else max(0.01 * max(1.0, abs(limit)), 0.05)):
            return None
    return rhs


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
        index, value = (part.tolist() for part in others.row(i))
        limit = solver.extreme(others, index, value, greatest)
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
        # A capacity of nothing or less would give itself away: half of what is needed, and less by
        # 5 % of it, as `beyond` has at least.
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
    for one, two in _pairs(model, list(overloads(source, rng, solver))):
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
    later = solver.iis(broken.with_row_bounds(first, *original.sides(first)))
    held = later is not None and second in {i for i, _ in later.rows}
    return (first, second) if held else None


def _pairs(model: Model, found: list[Overload]) -> list[tuple[Overload, Overload]]:
    """Pairs of overloads, those with common columns first."""
    columns = {o.i: set(model.row(o.i)[0].tolist()) for o in found}
    pairs = [(a, b) for k, a in enumerate(found) for b in found[k + 1 :]]
    pairs.sort(key=lambda pair: columns[pair[0].i].isdisjoint(columns[pair[1].i]))
    return pairs[:PAIRS]
