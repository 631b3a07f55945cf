"""What shows that two models differ: another best or worst objective, or a point of one alone.

Objectives are safe intervals; points are found and judged over columns matched by name.
"""

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from ordojo.core.errors import SolverError
from ordojo.milp.model import INF, Floats, Model, VarType, free_name
from ordojo.milp.tolerances import APART, MARGIN, PRIMAL, ROUNDING, SAME, WHOLE
from ordojo.solvers.answers import SolveResult, Status
from ordojo.solvers.equivalence.answers import Ground, Witness
from ordojo.solvers.equivalence.reduce import ReducedModel, reduce, times
from ordojo.solvers.highs import HighsOracle
from ordojo.solvers.residuals import check_optimal
from ordojo.solvers.search import Search


@dataclass(frozen=True, eq=False)
class Range:
    """Where a model's optimum lies: between `low` and `high`, in the model's own min or max.

    `x` is a point at `value`, its integer columns whole; None, with infinite ends, where the model
    is INFEASIBLE or UNBOUNDED. `size` is that of the terms that are summed.
    """

    status: Status
    low: float = -INF
    high: float = INF
    value: float | None = None
    size: float = 0.0
    x: Floats | None = None


def tidy(model: Model) -> Model:
    """The same model with each row's largest coefficient near 1, for the solver's tolerances."""
    top = np.zeros(model.m)
    np.maximum.at(top, model.entry_rows, np.abs(model.value))
    # Powers of two: the division is exact.
    scale = np.exp2(-np.rint(np.log2(np.where(top > 0, top, 1.0))))
    return dataclasses.replace(
        model,
        row_lower=model.row_lower * scale,
        row_upper=model.row_upper * scale,
        value=model.value * scale[model.entry_rows],
    )


def best(model: Model, seconds: float) -> Range | None:
    """The optimum of a tidy model; None where it is not settled in time, or not cleanly."""
    if seconds <= 0:
        return None
    try:
        found = HighsOracle().solve(model, seconds)
        if found.status in (Status.INFEASIBLE, Status.UNBOUNDED):
            return Range(found.status)
        if found.status != Status.OPTIMAL or found.x is None or found.objective is None:
            return None
        check_optimal(model, found)
        clean = _whole(model, found, seconds)
    except SolverError:
        return None
    if clean is None or clean.x is None or clean.objective is None:
        return None
    size = 1.0 + abs(model.offset) + float(np.abs(model.objective * clean.x).sum())
    low, high = sorted((found.objective, clean.objective))
    return Range(Status.OPTIMAL, low, high, clean.objective, size, clean.x)


def _whole(model: Model, found: SolveResult, seconds: float) -> SolveResult | None:
    """The solution again with integer columns at whole numbers, so that none leaks through a big M.

    None where none is there.
    """
    if not model.is_mip or found.x is None:
        return found
    plain = model.fixed_at(found.x)
    off = model.semi & (np.abs(found.x) <= WHOLE)
    plain = dataclasses.replace(
        plain,
        col_lower=np.where(off, 0.0, plain.col_lower),
        col_upper=np.where(off, 0.0, plain.col_upper),
    )
    clean = HighsOracle().solve(plain, seconds)
    if clean.status != Status.OPTIMAL:
        return None
    check_optimal(plain, clean)
    return clean


def apart(a: Range, b: Range, turned: bool) -> bool:
    """Whether two optima differ; `turned`: one model's objective is the other's times -1."""
    if a.status != b.status:
        return True
    if a.status != Status.OPTIMAL:
        return False
    low, high = (-b.high, -b.low) if turned else (b.low, b.high)
    return max(a.low - high, low - a.high) > MARGIN * max(a.size, b.size)


def reversed_sense(model: Model) -> Model:
    """The model with min and max exchanged."""
    return dataclasses.replace(model, maximize=not model.maximize)


def compare_values(one: Model, other: Model, ground: Ground, clock: Search) -> Witness | None:
    """A witness where the best (OPTIMUM) or worst (WORST) objectives differ; None where unsure."""
    turned = one.maximize != other.maximize
    if ground == Ground.WORST:
        one, other = reversed_sense(one), reversed_sense(other)
    one, other = tidy(one), tidy(other)
    a = best(one, clock.left / 2)
    if a is None:
        return None
    b = best(other, clock.left)
    if b is None or not apart(a, b, turned):
        return None
    if ground == Ground.WORST:
        for model, found in ((one, a), (other, b)):
            # A column that only the objective holds back, as in min z with z >= c'x, runs off in
            # the other direction, which says nothing about the rest.
            if found.status == Status.UNBOUNDED and _runs_off(model):
                return None
    what = "best" if ground == Ground.OPTIMUM else "worst"
    figures = [
        f"{found.value:.9g}" if found.value is not None else found.status.value.lower()
        for found in (a, b)
    ]
    attained = ((one, a, "one"), (other, b, "other"))
    where = next(((m, f, side) for m, f, side in attained if f.x is not None), None)
    return Witness(
        ground,
        f"the {what} objective is {figures[0]} in one and {figures[1]} in the other",
        a.value,
        b.value,
        where[2] if where else "",
        named(where[0], where[1].x) if where else {},
    )


def named(model: Model, x: Floats | None) -> dict[str, float]:
    """A point by column names."""
    return {} if x is None else dict(zip(model.col_names, x.tolist(), strict=True))


def _runs_off(model: Model) -> bool:
    """Whether one column alone can move for ever, and better the objective."""
    low, up = model.effective_bounds
    good = model.objective if model.maximize else -model.objective
    for sign, end in ((1.0, up), (-1.0, low)):
        terms = sign * model.value
        held = ((terms > 0) & (model.row_upper[model.entry_rows] < INF)) | (
            (terms < 0) & (model.row_lower[model.entry_rows] > -INF)
        )
        stopped = np.bincount(model.index[held], minlength=model.n) > 0
        if (~stopped & (np.abs(end) == INF) & (sign * good > 0)).any():
            return True
    return False


@dataclass(frozen=True)
class NamedConstraint:
    """What a model asks of a point: a sum of terms by name within sides, and perhaps whole.

    `row` is the row's name, empty where it is no row.
    """

    text: str
    terms: Mapping[str, float]
    low: float
    up: float
    whole: bool = False
    row: str = ""

    def excess(self, point: Mapping[str, float]) -> float:
        """By how much a point breaks it, relative to its terms; below zero inside."""
        parts = [a * point[name] for name, a in self.terms.items()]
        total, size = sum(parts), 1.0 + sum(map(abs, parts))
        over = max(self.low - total, total - self.up) / size
        return max(over, abs(total - round(total)) if self.whole else over)


@dataclass(frozen=True, eq=False)
class NamedModel:
    """A model as demands over names, and its objective in min form; see `view`."""

    names: frozenset[str]
    demands: tuple[NamedConstraint, ...]
    cost: Mapping[str, float]
    offset: float

    def breaks(self, point: Mapping[str, float]) -> NamedConstraint | None:
        """The demand that a point breaks clearly, None where there is none."""
        worst = max(self.demands, key=lambda d: d.excess(point), default=None)
        return worst if worst and worst.excess(point) > APART else None

    def value(self, point: Mapping[str, float]) -> float:
        """The objective of a point, in min form."""
        return self.offset + sum(c * point[name] for name, c in self.cost.items())


def view(model: Model, names: frozenset[str]) -> NamedModel | None:
    """The model seen over these names: as it is, or reduced to them; None where it has others.

    Columns that are semicontinuous are not seen, so a model that has them gives None.
    """
    if model.semi.any():
        return None
    state = ReducedModel(model)
    if not names.issuperset(model.col_names):
        reduce(state)
        if not names.issuperset(model.col_names[j] for j in state.cols):
            return None
    return demands_of(model, state)


def demands_of(model: Model, state: ReducedModel) -> NamedModel:
    """What is left of a model in a state of it, by names."""
    called = model.col_names
    demands = [
        NamedConstraint(
            f"the row '{model.row_names[i]}'",
            {called[j]: a for j, a in row.items()},
            state.row_low[i],
            state.row_up[i],
            row=model.row_names[i],
        )
        for i, row in state.rows.items()
    ]
    for j in state.cols:
        whole = state.kind[j] == VarType.INTEGER
        text = f"the column '{called[j]}'"
        demands.append(NamedConstraint(text, {called[j]: 1.0}, state.low[j], state.up[j], whole))
    cost = {called[j]: state.cost[j] for j in state.cols if state.cost[j] != 0}
    return NamedModel(frozenset(called[j] for j in state.cols), tuple(demands), cost, state.offset)


def find_point(one: Model, other: Model, clock: Search, optima: bool = True) -> Witness | None:
    """A point of one model that the other forbids or values differently; None where none is found.

    For each demand of the one that the other does not state, the other's farthest point; before
    that, unless `optima` is false, both optima.
    """
    for source, target, side in ((one, other, "one"), (other, one, "other")):
        seen = view(target, frozenset(source.col_names))
        mine = view(source, frozenset(source.col_names))
        if seen is None or mine is None:
            continue
        for model in _probes(tidy(source), mine, seen, optima):
            if clock.left <= 0:
                return None
            found = best(model, clock.left)
            if found is None or found.x is None:
                continue
            point = named(model, found.x)
            witness = _judged(seen, point, side, mine)
            if witness is not None:
                return witness
    return None


def _judged(
    seen: NamedModel, point: Mapping[str, float], side: str, mine: NamedModel
) -> Witness | None:
    if max((d.excess(point) for d in mine.demands), default=0.0) > PRIMAL:
        return None
    there = "the other" if side == "one" else "one"
    broken = seen.breaks(point)
    if broken is not None:
        text = f"a point that {_side(side)} allows breaks {broken.text} of {there}"
        return Witness(Ground.POINT, text, feasible_in=side, point=point)
    a, b = mine.value(point), seen.value(point)
    size = 1.0 + sum(abs(c * point[n]) for v in (mine, seen) for n, c in v.cost.items())
    if abs(a - b) <= MARGIN * size:
        return None
    text = f"a point has the objective {a:.9g} (to be minimized) in {_side(side)} and {b:.9g} in "
    figures = (a, b) if side == "one" else (b, a)
    return Witness(Ground.POINT, text + there, *figures, feasible_in=side, point=point)


def _side(side: str) -> str:
    return "one" if side == "one" else "the other"


def _probes(source: Model, mine: NamedModel, seen: NamedModel, optima: bool) -> Iterator[Model]:
    """Models whose optima are the likeliest to break a demand of the other, cheap ones first."""
    if optima:
        yield source
    stated: dict[frozenset[str], list[NamedConstraint]] = {}
    for demand in mine.demands:
        stated.setdefault(frozenset(demand.terms), []).append(demand)
    fresh = [
        demand
        for demand in seen.demands
        if not any(_implies(d, demand) for d in stated.get(frozenset(demand.terms), ()))
    ]
    for demand in fresh:
        for sense, end in ((1, demand.up), (-1, demand.low)):
            if abs(end) < INF:
                yield _toward(source, demand.terms, sense, end)
    for demand in fresh:
        if demand.whole:
            (name,) = demand.terms
            for ends in _between(source, name):
                found = source.with_col_bounds(source.cols[name], *ends)
                yield dataclasses.replace(found, objective=np.zeros(source.n))
    gap = dict(mine.cost)
    for name, c in seen.cost.items():
        gap[name] = gap.get(name, 0.0) - c
    gap = {name: c for name, c in gap.items() if abs(c) > SAME * abs(mine.cost.get(name, c))}
    if gap:
        for sense in (1, -1):
            yield _toward(source, gap, sense, 0.0)


_STEPS = (0, 1, 2, 5, 10, 20, 50, 100, 200, 500)
"""From a column's lower end so many whole numbers up a fraction is looked for: each is a solve."""


def _between(source: Model, name: str) -> Iterator[tuple[float, float]]:
    """Ranges clearly between whole numbers, within a column's bounds."""
    j = source.cols[name]
    low, up = (side.item(j) for side in source.effective_bounds)
    start = np.floor(low) if low > -INF else min(np.floor(up), 0.0) - 1
    for step in _STEPS if low > -INF else [-step for step in _STEPS]:
        ends = max(low, start + step + 0.1), min(up, start + step + 0.9)
        if ends[0] <= ends[1]:
            yield ends


def _toward(source: Model, terms: Mapping[str, float], sense: int, end: float) -> Model:
    """The point farthest in a direction, kept within reach where there is no farthest one."""
    cost: Floats = np.zeros(source.n)
    for name, a in terms.items():
        cost[source.cols[name]] = sense * a
    top = float(np.abs(cost).max(initial=0.0)) or 1.0
    cost = cost / top
    reach = sense * end / top + 10.0 + abs(end / top)
    index, name = np.flatnonzero(cost), free_name("reach", source.rows)
    capped = source.with_new_row(name, index.tolist(), cost[index].tolist(), -INF, reach)
    return dataclasses.replace(capped, objective=cost, offset=0.0, maximize=True)


def _implies(a: NamedConstraint, b: NamedConstraint) -> bool:
    """Whether a, over the same names, says as much as b, to rounding."""
    if b.whole and not a.whole:
        return False
    if not b.terms:
        return b.low <= 0 <= b.up
    top = max(b.terms, key=lambda name: abs(b.terms[name]))
    factor = b.terms[top] / a.terms[top] if a.terms[top] else INF
    if not abs(factor) < INF or any(
        abs(v - factor * a.terms[name]) > SAME * abs(v) for name, v in b.terms.items()
    ):
        return False
    low, up = times(factor, a.low, a.up) if factor else (-INF, INF)
    slip = ROUNDING + SAME * max((abs(s) for s in (b.low, b.up) if abs(s) < INF), default=0.0)
    return low >= b.low - slip and up <= b.up + slip
