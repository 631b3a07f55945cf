"""Whether an optimum holds by solvers' tolerances alone: one sentence, wherever one is told."""

from fractions import Fraction

import numpy as np

from ordojo.milp.model import Floats, Model
from ordojo.solvers.answers import Status
from ordojo.solvers.ray import written

COMPARED = 40
"""Pairs of rows that are compared in fractions, the furthest apart first."""


def only_just(model: Model, status: Status, x: Floats | None) -> list[str]:
    """Whether a model is feasible by tolerances alone; nothing of one not said to be feasible."""
    if status != Status.OPTIMAL:
        return []
    return _violated(model, x) or _crossed(model)


def _violated(model: Model, x: Floats | None) -> list[str]:
    """Whether a solution holds only by the solver's tolerance."""
    if x is None or not model.m:
        return []
    off = model.excess(x)
    worst = int(np.argmax(off))
    if off[worst] <= 1e-9:
        return []
    return [
        f"It is feasible to the solver's tolerance only: row '{model.row_names[worst]}' is off by "
        f"{off[worst]:.1g} at the point found. Look for a rounded number or a huge one."
    ]


def _crossed(model: Model) -> list[str]:
    """Whether two rows of the same terms contradict each other by less than a point's digits."""
    pairs = ((_gap(model, i, k), i, k) for i, k in _overlapping(model)[:COMPARED])
    off, i, k = max(pairs, default=(Fraction(0), -1, -1))
    if off <= 0:
        return []
    return [
        f"It is feasible to the solver's tolerance only: rows '{model.row_names[i]}' and "
        f"'{model.row_names[k]}' have the same terms, and contradict each other by "
        f"{float(off):.1g}. Look for a rounded number."
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
