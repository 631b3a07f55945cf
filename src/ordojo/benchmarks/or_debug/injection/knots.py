"""Types A to D: which one of several alike elements is wrong, the text alone says.

The broken model comes first: three limits (or binary columns) that cannot all be, each of which
could be the wrong one. So there are three `cases` of what could be true of it.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product
from typing import NamedTuple

import numpy as np

from ordojo.benchmarks.or_debug.injection.candidate import (
    ColdSolver,
    InjectionCandidate,
    Source,
    a_sum,
    apart,
    between,
    binding,
    flipped,
    like_own,
    restore_type,
    row_candidate,
    solved,
    state_row,
    total_name,
    whole,
)
from ordojo.benchmarks.or_debug.injection.validation import (
    KNOT,
    clear,
    distinct,
    drawn,
    single_repairs,
)
from ordojo.benchmarks.or_debug.outcome import FULL, preservation
from ordojo.benchmarks.or_debug.telling.rules import Limit, Offer
from ordojo.milp.model import INF, Model, VarType
from ordojo.milp.tolerances import WHOLE

TRIES = 12
"""How many knots an attempt tries: one in a few holds, and solves are cheap."""

POINTS, OFF = (4, 150), (1.1, 4.0)
"""Between these lie a rule's points, evenly over their logarithm, so that no end is a hint; and
what one of them is off by."""

VALUES = 8
"""Other values of each of the points that are tried: with more, more knots hold, a solve each."""


class _Limit(NamedTuple):
    """A limit, by what the text says of it where it is right, and its row's name."""

    fact: Limit
    name: str

    def on(self, source: Source, rng: np.random.Generator) -> Source:
        """The problem with it."""
        columns, lower, side, _, points = self.fact
        return state_row(source, list(columns), lower, side, rng, self.name, points)[0]


def contradict(
    source: Source, rng: np.random.Generator, solver: ColdSolver
) -> InjectionCandidate | None:
    """Type D: of three limits that cannot all hold, one is not kept."""
    return _one_wrong("D", source, rng, solver)


def flip(source: Source, rng: np.random.Generator, solver: ColdSolver) -> InjectionCandidate | None:
    """Type A: of three limits that cannot all hold, one is stated the other way round."""
    return _one_wrong("A", source, rng, solver)


def _one_wrong(
    kind: str, source: Source, rng: np.random.Generator, solver: ColdSolver
) -> InjectionCandidate | None:
    for tied, limits in _knots(source, rng, solver):
        cases = []
        for wrong in limits:
            at, fact = tied.rows[wrong.name], wrong.fact
            if kind == "D":
                model, right = tied.without_row(at), fact._replace(kept=False)
            else:
                model, right = flipped(tied, at), fact._replace(lower=not fact.lower)
            facts = [right if limit is wrong else limit.fact for limit in limits]
            true = replace(source, model=model, facts=(*source.facts, *facts))
            cases.append(row_candidate(true, tied, (at,), KNOT))
        return drawn(kind, cases, rng, solver)
    return None


_Other = tuple[Model, tuple[float, ...], float]
"""A model with other points of one limit, these, and its optimum."""


def recoefficient(
    source: Source, rng: np.random.Generator, solver: ColdSolver
) -> InjectionCandidate | None:
    """Type C: of three limits by points that cannot all hold, one has a wrong coefficient.

    It is off so far that it conflicts (algorithm 8, tier 3, of one coefficient: in a row >= less
    than it should be, in a row <= more). Tier 1, a row without terms, tier 2 and what is scaled as
    a whole are seen without reading, tier 4 changes no coefficient. Of each limit the text tells
    two sets of points, of which one was given up.
    """
    for tied, limits in _knots(source, rng, solver, pointed=True):
        others = _otherwise(tied, limits, rng, solver)
        if not others:
            continue
        told = [
            (limit.fact, limit.fact._replace(points=points))
            for limit, (_, points, _) in zip(limits, others, strict=True)
        ]
        cases = []
        for k, (model, _, _) in enumerate(others):
            facts = [
                fact._replace(kept=(now == k) == is_other)
                for now, pair in enumerate(told)
                for is_other, fact in enumerate(pair)
            ]
            true = replace(source, model=model, facts=(*source.facts, *facts))
            at = tied.rows[limits[k].name]
            cases.append(row_candidate(true, tied, (at,), KNOT))
        return drawn("C", cases, rng, solver)
    return None


def _otherwise(
    tied: Model, limits: Sequence[_Limit], rng: np.random.Generator, solver: ColdSolver
) -> list[_Other]:
    """For each limit the model with another of its points that makes it feasible, and its points.

    Optima are clear of each other, and no repair of another member of the IIS keeps one. The list
    is empty where none is found.
    """
    iis = solver.iis(tied)
    if iis is None or not {limit.name for limit in limits} <= set(iis.row_names(tied)):
        return []
    repaired = [(name, solver.solve(m).objective) for name, m in single_repairs(tied, iis, solver)]
    ways: list[list[_Other]] = []
    for limit in limits:
        i, some = tied.rows[limit.name], list[_Other]()
        rivals = [optimum for name, optimum in repaired if name != limit.name]
        for k in rng.permutation(np.repeat(range(len(limit.fact.points)), VALUES)).tolist():
            factor = math.exp(rng.uniform(*np.log(OFF).tolist()))
            new = round(
                limit.fact.points[k] * factor if limit.fact.lower else limit.fact.points[k] / factor
            )
            points = (*limit.fact.points[:k], float(new), *limit.fact.points[k + 1 :])
            model = tied.with_row(i, limit.fact.columns, list(points))
            optimum = solver.solve(model).objective if new >= POINTS[0] else None
            if optimum and all(preservation(one, optimum) <= FULL for one in rivals):
                some.append((model, points, optimum))
        if not some:
            return []
        ways.append(some)
    for found in product(*ways):
        if all(clear(one[2], two[2]) for one, two in combinations(found, 2)):
            return list(found)
    return []


def _knots(
    source: Source, rng: np.random.Generator, solver: ColdSolver, pointed: bool = False
) -> Iterator[tuple[Model, list[_Limit]]]:
    """Models with three limits, of which any two can hold; without one, three different optima."""
    for _ in range(TRIES):
        limits: list[_Limit] = []
        at = source
        for _ in range(2):
            limit = _cutting(at, rng, solver, pointed)
            after = None if limit is None else solved(limit.on(at, rng), solver)
            if limit is None or after is None:
                break
            if not (pointed or apart(at.objective, after.objective)):
                break
            at = after
            limits.append(limit)
        if (
            len(limits) < 2
            or (last := _impossible(source, limits, at, rng, solver, pointed)) is None
        ):
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
        if len(optima) == 3 and all(distinct(source, optima[k], optima[k - 1]) for k in range(3)):
            tied = source
            for k in rng.permutation(3).tolist():
                tied = limits[k].on(tied, rng)
            yield tied.model, limits


def _some(
    source: Source, rng: np.random.Generator, pointed: bool
) -> tuple[list[int], tuple[float, ...]] | None:
    """Columns to limit the sum of, of one kind where they have points."""
    columns, telling = a_sum(source, rng), source.telling
    if columns is None or not pointed or telling is None:
        return None if columns is None else (columns, ())
    columns = [j for j in columns if telling.group(j) == telling.group(columns[0])]
    if len(columns) < 2:
        return None
    low, high = (math.log(end) for end in POINTS)
    points: list[float] = np.round(np.exp(rng.uniform(low, high, len(columns)))).tolist()
    return columns, tuple(points)


def _cutting(
    source: Source, rng: np.random.Generator, solver: ColdSolver, pointed: bool
) -> _Limit | None:
    some, lower = _some(source, rng, pointed), bool(rng.random() < 0.5)
    if some is None:
        return None
    columns, points = some
    for low in (lower, not lower):
        rhs = binding(source, columns, low, rng, solver, points)
        if rhs is not None:
            fact = Limit(tuple(columns), low, rhs, points=points)
            return _Limit(fact, like_own(source.model, columns, None, rng))
    return None


def _impossible(
    source: Source,
    limits: list[_Limit],
    both: Source,
    rng: np.random.Generator,
    solver: ColdSolver,
    pointed: bool,
) -> _Limit | None:
    """A third limit that either of two others allows, and both together do not."""
    singles = [limit.on(source, rng).model for limit in limits]
    for _ in range(TRIES):
        some, lower = _some(source, rng, pointed), bool(rng.random() < 0.5)
        if some is None:
            continue
        columns, points = some
        ones = list(points) or [1.0] * len(columns)
        ends = _ends(solver, (both.model, *singles), columns, ones, lower)
        if ends is None:
            continue
        rhs = between(*ends, rng, whole(source.model, columns))
        if rhs is not None and rhs > 0 and (rhs > ends[0] + 1e-3) == lower:
            name = like_own(both.model, columns, None, rng)
            return _Limit(Limit(tuple(columns), lower, rhs, points=points), name)
    return None


def _ends(
    solver: ColdSolver, models: Sequence[Model], columns: list[int], value: list[float], lower: bool
) -> tuple[float, float] | None:
    """How far a sum gets in the first model, and the nearest of how far it gets in the others.

    None unless in each of those it gets 5 % further, so that a round figure lies between (chosen
    without a fit); those after one where it does not are not solved.
    """
    first = solver.extreme(models[0], columns, value, lower)
    beyond: list[float] = []
    for model in models[1:] if math.isfinite(first) else ():
        end = solver.extreme(model, columns, value, lower)
        away = end - first if lower else first - end
        if not (math.isfinite(end) and away >= 0.05 * max(1.0, abs(first))):
            return None
        beyond.append(end)
    return (first, min(beyond) if lower else max(beyond)) if beyond else None


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
        # Beyond the most by the three purchases and some more, up to a tenth, so that one of each
        # is not enough; by how much is chosen without a fit.
        need = float(np.floor(top + WHOLE) + size + rng.integers(2, 3 + max(3, int(top / 10))))
        short = int(np.ceil(need - top - WHOLE))
        tops = [float(short + rng.integers(1, 10)) for _ in SHARES]
        prices = [
            float(max(1, round(share * abs(source.objective) / short)))
            for share in rng.permutation(SHARES).tolist()
        ]
        stated, bought = _with_purchases(source, columns, need, tops, prices, rng)
        once = stated.model
        for j in bought:
            once = once.with_type(j, VarType.BINARY)
        often = {j: once.with_type(j, VarType.INTEGER) for j in bought}
        trues = [solved(replace(stated, model=model), solver) for model in often.values()]
        optima = [one.objective for one in trues if one is not None]
        if len(optima) < size or not all(
            distinct(source, optima[k], optima[k - 1]) for k in range(size)
        ):
            continue
        cases = []
        for j in bought:
            offer = Offer(tuple(bought), tuple(prices), j)
            true = replace(stated, model=often[j], facts=(*stated.facts, offer))
            fix = restore_type(true.model, j)
            cases.append(InjectionCandidate(true, once, (fix.target,), (fix,), KNOT))
        return drawn("B", cases, rng, solver)
    return None


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
