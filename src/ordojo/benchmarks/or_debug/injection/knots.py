"""Types A, B and D: which one of several alike elements is wrong, the text alone says.

The broken model comes first: three limits (or binary columns) that cannot all be, each of which
could be the wrong one, with optima that are more than 5 % apart. One of them is drawn. So no rule
that does not read finds it more often than one time in three.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ordojo.benchmarks.or_debug.injection.candidate import (
    ColdSolver,
    InjectionCandidate,
    Source,
    flipped,
    restore_type,
    row_candidate,
)
from ordojo.benchmarks.or_debug.injection.stating import (
    a_sum,
    apart,
    binding,
    like_own,
    solved,
    state_row,
    total_name,
    whole,
)
from ordojo.benchmarks.or_debug.injection.wording import between
from ordojo.benchmarks.or_debug.telling.rules import Limit, Offer
from ordojo.milp.model import INF, Model, VarType

TRIES = 12
"""How many knots an attempt tries: one in a few holds, and solves are cheap."""


class _Limit:
    """A limit on a sum: its columns, sense and side, and the row's name."""

    def __init__(self, columns: list[int], lower: bool, rhs: float, name: str) -> None:
        self.columns, self.lower, self.rhs, self.name = columns, lower, rhs, name

    def on(self, source: Source, rng: np.random.Generator) -> Source:
        """The problem with it."""
        return state_row(source, self.columns, self.lower, self.rhs, rng, self.name)[0]

    @property
    def fact(self) -> Limit:
        """What the text says of it, where it is right."""
        return Limit(tuple(self.columns), self.lower, self.rhs)


def contradict(
    source: Source, rng: np.random.Generator, solver: ColdSolver
) -> InjectionCandidate | None:
    """Type D: of three limits that cannot all hold, one is not kept."""
    for tied, limits in _knots(source, rng, solver):
        wrong = limits[int(rng.integers(3))]
        facts = [limit.fact._replace(kept=limit is not wrong) for limit in limits]
        at = tied.rows[wrong.name]
        true = replace(source, model=tied.without_row(at), facts=(*source.facts, *facts))
        return row_candidate(true, tied, (at,), "knot")
    return None


def flip(source: Source, rng: np.random.Generator, solver: ColdSolver) -> InjectionCandidate | None:
    """Type A: of three limits that cannot all hold, one is stated the other way round."""
    for tied, limits in _knots(source, rng, solver):
        wrong = limits[int(rng.integers(3))]
        facts = [limit.fact._replace(lower=limit.lower != (limit is wrong)) for limit in limits]
        at = tied.rows[wrong.name]
        true = replace(source, model=flipped(tied, at), facts=(*source.facts, *facts))
        return row_candidate(true, tied, (at,), "knot")
    return None


def _knots(
    source: Source, rng: np.random.Generator, solver: ColdSolver
) -> Iterator[tuple[Model, list[_Limit]]]:
    """Models with three limits, of which any two can hold; without one, three different optima."""
    for _ in range(TRIES):
        limits: list[_Limit] = []
        at = source
        for _ in range(2):
            limit = _cutting(at, rng, solver)
            after = None if limit is None else solved(limit.on(at, rng), solver)
            if limit is None or after is None or not apart(at.objective, after.objective):
                break
            at = after
            limits.append(limit)
        if len(limits) < 2 or (last := _impossible(source, limits, at, rng, solver)) is None:
            continue
        limits.append(last)
        optima = []
        for one in limits:
            loose = source
            for other in limits:
                loose = loose if other is one else other.on(loose, rng)
            found = solved(loose, solver)
            if found is None:
                break
            optima.append(found.objective)
        if len(optima) == 3 and all(apart(optima[k], optima[k - 1]) for k in range(3)):
            for k in rng.permutation(3).tolist():
                source = limits[k].on(source, rng)
            yield source.model, limits


def _cutting(source: Source, rng: np.random.Generator, solver: ColdSolver) -> _Limit | None:
    columns, lower = a_sum(source, rng), bool(rng.random() < 0.5)
    if columns is None:
        return None
    for low in (lower, not lower):
        rhs = binding(source, columns, low, rng, solver)
        if rhs is not None:
            return _Limit(columns, low, rhs, like_own(source.model, columns, None, rng))
    return None


def _impossible(
    source: Source, limits: list[_Limit], both: Source, rng: np.random.Generator, solver: ColdSolver
) -> _Limit | None:
    """A third limit that either of two others allows, and both together do not."""
    singles = [limit.on(source, rng).model for limit in limits]
    for _ in range(TRIES):
        columns, lower = a_sum(source, rng), bool(rng.random() < 0.5)
        if columns is None:
            return None
        ones = [1.0] * len(columns)
        ends = [solver.extreme(model, columns, ones, lower) for model in (both.model, *singles)]
        if not np.isfinite(ends).all():
            continue
        end = min(ends[1:]) if lower else max(ends[1:])
        if abs(end - ends[0]) < 0.05 * max(1.0, abs(ends[0])) or (end > ends[0]) != lower:
            continue
        rhs = between(ends[0], end, rng, whole(source.model, columns))
        if rhs is not None and rhs > 0 and (rhs > ends[0] + 1e-3) == lower:
            return _Limit(columns, lower, rhs, like_own(both.model, columns, None, rng))
    return None


SHARES = (0.15, 0.35, 0.6)
"""What the three purchases of type B cost in all, of the optimum: far enough apart."""


def retype(
    source: Source, rng: np.random.Generator, solver: ColdSolver
) -> InjectionCandidate | None:
    """Type B: of three purchases one counts further than to 1, and which one the text says.

    A stated minimum asks for more than the rows allow, and what is missing can be bought in three
    ways. All are binary in the broken model; a count of any of them would be enough. What each may
    reach is a row, so that no bound shows it.
    """
    model, size = source.model, len(SHARES)
    for _ in range(TRIES):
        columns = a_sum(source, rng)
        top = np.inf
        if columns is not None:
            top = solver.extreme(model, columns, [1.0] * len(columns), True)
        if columns is None or not np.isfinite(top):
            continue
        need = float(np.floor(top + 1e-6) + size + rng.integers(2, 3 + max(3, int(top / 10))))
        short = int(np.ceil(need - top - 1e-6))
        tops = [float(short + rng.integers(1, 10)) for _ in SHARES]
        prices = [
            float(max(1, round(share * abs(source.objective) / short)))
            for share in rng.permutation(SHARES).tolist()
        ]
        stated, bought = _with_purchases(source, columns, need, tops, prices, rng)
        once = stated.model
        for j in bought:
            once = once.with_type(j, VarType.BINARY)
        trues = [solved(replace(stated, model=_counted(once, j)), solver) for j in bought]
        optima = [one.objective for one in trues if one is not None]
        if len(optima) < size or not all(apart(optima[k], optima[k - 1]) for k in range(size)):
            continue
        j = bought[int(rng.integers(size))]
        offer = Offer(tuple(bought), tuple(prices), j)
        true = replace(stated, model=_counted(once, j), facts=(*stated.facts, offer))
        fix = restore_type(true.model, j)
        return InjectionCandidate(true, once, (fix.target,), (fix,), "knot")
    return None


def _counted(model: Model, j: int) -> Model:
    return model.with_type(j, VarType.INTEGER)


def _with_purchases(
    source: Source,
    columns: list[int],
    need: float,
    tops: list[float],
    prices: list[float],
    rng: np.random.Generator,
) -> tuple[Source, list[int]]:
    """The problem with integer columns that help to meet a minimum, and their numbers."""
    model, bought = source.model, []
    for price in prices:
        name, cost = total_name(model, rng, "extra"), -price if model.maximize else price
        model = model.with_new_col(name, 0.0, INF, VarType.INTEGER, cost)
        bought.append(model.n - 1)
    wider = replace(source, model=model)
    for j, top in zip(bought, tops, strict=True):
        wider, _ = state_row(wider, [j], False, top, rng)
    return state_row(wider, sorted([*columns, *bought]), True, need, rng)[0], bought
