"""Whether answers are true, by arithmetic and not by a solver's word."""

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

import numpy as np

from ordojo.core.errors import SolverError
from ordojo.milp.model import INF, Floats, Model
from ordojo.milp.tolerances import APART, DUAL, INTEGRALITY, OBJECTIVE, PRIMAL, SAME
from ordojo.solvers.answers import SolveResult, Status
from ordojo.solvers.problem import (
    General,
    GeneralFunction,
    Indicator,
    Problem,
    QuadraticRow,
    Sos,
)

Part = QuadraticRow | Indicator | Sos | General


class Residuals:
    """By how much a point x (n) breaks a model, in its units; 0 and less: it holds.

    What that is held against, and relative to what size, is the asker's. `lower` and `upper` are
    other sides of its rows than its own. Of each row (m) there is its value, `activity`, and, in
    `rows`, how far it is beyond its sides.
    """

    def __init__(
        self,
        model: Model,
        x: Floats,
        lower: Floats | Sequence[float] | None = None,
        upper: Floats | Sequence[float] | None = None,
    ) -> None:
        self.model, self.x = model, x
        self._parts = model.value * x[model.index]
        self.activity = self._by_row(self._parts)
        low = model.row_lower if lower is None else np.asarray(lower)
        up = model.row_upper if upper is None else np.asarray(upper)
        self.rows: Floats = np.maximum(low - self.activity, self.activity - up)

    @cached_property
    def terms(self) -> Floats:
        """The summed sizes of each row's terms."""
        return self._by_row(np.abs(self._parts))

    def _by_row(self, parts: Floats) -> Floats:
        return np.asarray(np.bincount(self.model.entry_rows, parts, self.model.m), np.float64)

    @property
    def relative(self) -> Floats:
        """`rows` relative to their terms, at least to 1."""
        return self.rows / np.maximum(1.0, self.terms)

    @property
    def hull(self) -> Floats:
        """How far each column (n) is beyond its bounds in the LP relaxation."""
        low, up = self.model.hull
        return np.maximum(low - self.x, self.x - up)

    @property
    def bounds(self) -> Floats:
        """How far each column (n) is from its bounds, and from 0 where that may be taken too."""
        low, up = self.model.effective_bounds
        off = np.maximum(low - self.x, self.x - up)
        semi = self.model.semi
        return np.where(semi, np.minimum(off, np.abs(self.x)), off) if semi.any() else off

    @property
    def whole(self) -> Floats:
        """How far each column (n) that is to be whole is from it; 0 of others."""
        return np.where(self.model.whole, np.abs(self.x - np.rint(self.x)), 0.0)


def check_optimal(model: Model, solution: SolveResult) -> None:
    """Check an OPTIMAL answer; raises SolverError, with the figure, at the first that fails.

    Points: rows, bounds, integrality, the recomputed objective. LPs with duals besides:
    stationarity (reduced costs are c - A'y), the signs of all duals, complementarity, and so
    optimality itself. Tolerances are relative to the size of what is summed, at least 1.
    """
    x = solution.x
    if solution.status != Status.OPTIMAL or x is None or solution.objective is None:
        raise SolverError(f"the answer for '{model.name}' is {solution.status}; nothing to check")
    off = Residuals(model, x)
    _within(model, "rows", model.row_names, off.rows / (1.0 + off.terms))
    _within(model, "bounds", model.col_names, off.hull / (1.0 + np.abs(x)))
    _small(model, "integrality", off.whole, INTEGRALITY)
    between = model.semi & (np.abs(x) > INTEGRALITY) & (off.bounds > PRIMAL)
    _small(model, "semicontinuity", np.where(between, 1.0, 0.0), 0.5)
    value = model.value_at(x)
    scale = 1.0 + float(np.abs(model.objective * x).sum())
    _small(model, "objective", np.array([abs(value - solution.objective) / scale]), OBJECTIVE)
    y, reduced = solution.row_dual, solution.col_dual
    if model.is_mip or y is None or reduced is None:
        return
    terms = model.value * y[model.entry_rows]
    size = 1.0 + np.abs(model.objective) + np.bincount(model.index, np.abs(terms), model.n)
    rest = model.objective - np.bincount(model.index, terms, model.n)
    _small(model, "stationarity", np.abs(rest - reduced) / size, DUAL)
    sign = -1.0 if model.maximize else 1.0
    gap = 0.0
    for what, duals, values, lower, upper, scales in (
        ("row", y, off.activity, model.row_lower, model.row_upper, 1.0 + np.abs(y)),
        ("column", reduced, x, *model.effective_bounds, size),
    ):
        # A positive multiplier, in the sense of minimizing, holds up a lower side.
        side = np.where(sign * duals > 0, lower, upper)
        held = np.abs(duals) > DUAL * scales
        _small(model, f"{what} duals' signs", np.where(held & ~np.isfinite(side), 1.0, 0.0), 0.5)
        far = np.where(held, np.abs(duals) * np.abs(values - np.where(held, side, 0.0)), 0.0)
        gap += float(far.sum())
    _small(model, "complementarity", np.array([gap / scale]), OBJECTIVE)


def _within(model: Model, what: str, names: tuple[str, ...], broken: Floats) -> None:
    if len(broken) and not broken.max() <= PRIMAL:
        name = names[int(broken.argmax())]
        raise SolverError(
            f"the solver's answer for '{model.name}' breaks its {what} by {broken.max():.3g} at "
            f"'{name}', over {PRIMAL:g}; do not use it"
        )


def _small(model: Model, what: str, figures: Floats, tolerance: float) -> None:
    worst = float(figures.max(initial=0.0))
    if not worst <= tolerance:
        raise SolverError(
            f"the solver's answer for '{model.name}' fails its check of {what} by {worst:.3g}, "
            f"over {tolerance:g}; do not use it"
        )


def worst(problem: Problem, x: Floats) -> tuple[float, str]:
    """The largest violation at a point (n), relative to the terms' size, and what is violated."""
    off, relaxed = Residuals(problem.model, x), problem.settings.relaxed
    bounds = (off.hull if relaxed else off.bounds) / np.maximum(1.0, np.abs(x))
    found = [(_most(bounds), "a bound"), (0.0 if relaxed else _most(off.whole), "integrality")]
    found.append((_most(off.relative), "a row"))
    found += [(off, what) for off, what, _ in parts_off(problem, x)]
    return max(found, key=lambda pair: pair[0])


def parts_off(problem: Problem, x: Floats) -> Iterator[tuple[float, str, Part]]:
    """By how much each part that is no linear row is broken, as in `worst`, what it is, and it."""
    for row in problem.quadratic_rows:
        q = row.quadratic
        parts = np.concatenate([row.value * x[row.index], q.value * x[q.first] * x[q.second]])
        yield _off(parts, row.lower, row.upper), f"quadratic row '{row.name}'", row
    if problem.settings.relaxed:
        return
    for tie in problem.indicators:
        if abs(x[tie.binary] - tie.active) < 0.5:
            off = _off(tie.value * x[tie.index], tie.lower, tie.upper)
            yield off, f"indicator '{tie.name}'", tie
    yield from ((_spread(sos, x), "an ordered set", sos) for sos in problem.sos)
    yield from ((_general(one, x), f"'{one.name}'", one) for one in problem.general)


def _most(parts: Floats) -> float:
    return float(parts.max(initial=0.0))


def _off(parts: Floats, lower: float, upper: float) -> float:
    total, size = float(parts.sum()), max(1.0, float(np.abs(parts).sum()))
    return max(lower - total, total - upper, 0.0) / size


def outside(sos: Sos, x: Floats) -> float:
    """The largest value outside the best window of neighbours."""
    values = np.abs(x[sos.index[np.argsort(sos.weights, kind="stable")]])
    if len(values) <= sos.kind:
        return 0.0
    places = range(len(values) - sos.kind + 1)
    return min(max(_most(values[:k]), _most(values[k + sos.kind :])) for k in places)


def _spread(sos: Sos, x: Floats) -> float:
    return outside(sos, x) / max(1.0, _most(np.abs(x[sos.index])))


def _general(general: General, x: Floats) -> float:
    operands = x[general.operands]
    wanted = evaluated(general, operands)
    if wanted is None:
        return 0.0
    got = float(x[general.result])
    # A steep function multiplies what the solver tolerates in its argument.
    near = [evaluated(general, operands + step) for step in (-APART, APART)]
    known = [value for value in near if value is not None and math.isfinite(value)]
    if math.isnan(wanted):
        return 0.0 if known else INF  # at the domain's rim nothing can be said
    give = max((abs(value - wanted) for value in known), default=0.0)
    return max(abs(got - wanted) - give, 0.0) / max(1.0, abs(wanted))


def evaluated(general: General, x: Floats) -> float | None:
    """The function at its operands; None at a jump, nan where it is undefined or too large."""
    try:
        return _VALUES[general.function](x.tolist(), general.numbers)
    except (ValueError, OverflowError, ZeroDivisionError):
        return math.nan


def _piecewise(x: float, numbers: tuple[float, ...]) -> float | None:
    points = list(zip(numbers[::2], numbers[1::2], strict=True))
    if len(points) == 1:
        return points[0][1]
    place = next((k for k, point in enumerate(points) if x <= point[0]), len(points))
    place = min(max(place, 1), len(points) - 1)
    (x1, y1), (x2, y2) = points[place - 1], points[place]
    jump = any(a == b and abs(a - x) < APART for (a, _), (b, _) in pairwise(points))
    if x1 == x2 or jump:
        return None
    return y1 + (y2 - y1) / (x2 - x1) * (x - x1)


_VALUES: dict[GeneralFunction, Callable[[list[float], tuple[float, ...]], float | None]] = {
    GeneralFunction.MAX: lambda x, numbers: float(max((*x, *numbers))),
    GeneralFunction.MIN: lambda x, numbers: float(min((*x, *numbers))),
    GeneralFunction.ABS: lambda x, _: abs(x[0]),
    GeneralFunction.AND: lambda x, _: float(all(value > 0.5 for value in x)),
    GeneralFunction.OR: lambda x, _: float(any(value > 0.5 for value in x)),
    GeneralFunction.NORM: lambda x, order: float(np.linalg.norm(x, order[0])) if order[0] else None,
    GeneralFunction.PWL: lambda x, points: _piecewise(x[0], points),
    GeneralFunction.POW: lambda x, power: math.pow(x[0], power[0]),
    GeneralFunction.EXP: lambda x, _: math.exp(x[0]),
    GeneralFunction.EXPA: lambda x, base: math.pow(base[0], x[0]),
    GeneralFunction.LOG: lambda x, _: math.log(x[0]),
    GeneralFunction.LOGA: lambda x, base: math.log(x[0]) / math.log(base[0]),
    GeneralFunction.SIN: lambda x, _: math.sin(x[0]),
    GeneralFunction.COS: lambda x, _: math.cos(x[0]),
    GeneralFunction.TAN: lambda x, _: math.tan(x[0]),
    GeneralFunction.POLY: lambda x, powers: float(np.polyval(powers, x[0])),
    GeneralFunction.LOGISTIC: lambda x, _: (1 + math.tanh(x[0] / 2)) / 2,  # without overflow
}
"""Each function of its operands and its numbers."""


def written(number: float) -> Fraction:
    """The number as a person wrote it: 0.1 is a tenth."""
    return Fraction(repr(float(number)))


COMPARED = 40
"""Pairs of rows that are compared in fractions, the furthest apart first."""
_ONLY = "It is feasible to the solver's tolerance only:"


def only_just(model: Model, status: Status, x: Floats | None) -> list[str]:
    """Whether a model is feasible by tolerances alone; nothing of one not said to be feasible."""
    if status != Status.OPTIMAL:
        return []
    return _violated(model, x) or _crossed(model)


def _violated(model: Model, x: Floats | None) -> list[str]:
    """Whether a solution holds only by the solver's tolerance."""
    if x is None or not model.m:
        return []
    off = Residuals(model, x).relative
    worst = int(np.argmax(off))
    if off[worst] <= SAME:
        return []
    return [
        f"{_ONLY} row '{model.row_names[worst]}' is off by {off[worst]:.1g} at the point found. "
        "Look for a rounded number or a huge one."
    ]


def _crossed(model: Model) -> list[str]:
    """Whether two rows of the same terms contradict each other by less than a point's digits."""
    pairs = ((_gap(model, i, k), i, k) for i, k in _overlapping(model)[:COMPARED])
    off, i, k = max(pairs, default=(Fraction(0), -1, -1))
    if off <= 0:
        return []
    return [
        f"{_ONLY} rows '{model.row_names[i]}' and '{model.row_names[k]}' have the same terms, and "
        f"contradict each other by {float(off):.1g}. Look for a rounded number."
    ]


def _overlapping(model: Model) -> list[tuple[int, int]]:
    """Two rows each that seem to have the same terms, and to contradict; the furthest first."""
    order = np.lexsort((model.index, model.entry_rows))
    order = order[model.value[order] != 0]
    rows, first = np.unique(model.entry_rows[order], return_index=True)
    if not len(rows):
        return []
    lead = model.value[order][first]
    # Rows of the same terms give the same number at a random point; few others do.
    point = np.random.default_rng(0).random(model.n)
    at = np.add.reduceat(model.value[order] * point[model.index[order]], first) / lead
    digits, power = np.frexp(at)
    sides = np.array([model.row_lower[rows], model.row_upper[rows]]) / lead
    low, up = sides.min(axis=0), sides.max(axis=0)
    _, same = np.unique(np.ldexp(np.round(digits, 10), power), return_inverse=True)
    by_low, by_up = np.lexsort((low, same)), np.lexsort((-up, same))
    last = np.append(np.flatnonzero(np.diff(same[by_low])), len(rows) - 1)
    i, k = by_low[last], by_up[last]  # of each group the highest low side and the lowest up side
    off = low[i] - up[k]
    found = [g for g in np.argsort(-off, kind="stable") if off[g] > 0 and i[g] != k[g]]
    return [(int(rows[i[g]]), int(rows[k[g]])) for g in found]


def _gap(model: Model, i: int, k: int) -> Fraction:
    """How far row i's low side is above row k's high one, in fractions; 0 of unlike terms.

    Each row is divided by its first coefficient, which may turn its sides.
    """

    def scaled(row: int) -> tuple[dict[int, Fraction], Fraction, list[float]]:
        index, value = (part.tolist() for part in model.row(row))
        terms = {j: written(a) for j, a in sorted(zip(index, value, strict=True)) if a}
        lead = next(iter(terms.values()))
        sides = [float(model.row_lower[row]), float(model.row_upper[row])]
        return {j: a / lead for j, a in terms.items()}, lead, sides[:: 1 if lead > 0 else -1]

    (terms, lead, (low, _)), (others, other, (_, up)) = scaled(i), scaled(k)
    return written(low) / lead - written(up) / other if terms == others else Fraction(0)
