"""From a dual ray to the sides that contradict each other.

The idea: an infeasible linear program has multipliers of its rows whose sum no point can satisfy
(Farkas 1902). Simplex holds such a ray when it stops. The sides that it combines contradict each
other, and where the ray comes from a basis they do so irreducibly, as the ray is then an extreme
one of the alternative system (Gleeson and Ryan 1990): one solve gives a proven IIS, without any of
the k solves of a deletion filter.

Members are whole numbers: side s (0 lower, 1 upper) of row i is 2 i + s, of column j's bounds
2 (m + j) + s.
"""

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ordojo.milp.model import INF, Floats, Ints, Model
from ordojo.milp.tolerances import SAME
from ordojo.solvers.answers import Iis, Side

SUPPORT = SAME
"""A multiplier below this share of what it was summed from is noise of the arithmetic.

Larger, true members of a badly scaled model are lost, and the contradiction with them: the ray is
then refused and the deletion filter has to do it, slower. Smaller, noise joins the set, which is
then no vertex, with the same end. Doubles sum some 1e5 terms to this precision.
"""

Sides = tuple[Floats, Floats] | Floats
"""Lower sides, then upper ones."""
_LOWER, _UPPER, _BOTH = Side.LOWER, Side.UPPER, Side.BOTH


class Matrix(NamedTuple):
    """A model's rows as plain lists, which a ray of few rows walks fastest."""

    starts: list[int]
    columns: list[int]
    value: list[float]

    @classmethod
    def of(cls, model: Model) -> "Matrix":
        """The rows of a model."""
        return cls(model.starts.tolist(), model.index.tolist(), model.value.tolist())


class Combination(NamedTuple):
    """Rows and columns with multipliers that are not noise: y'A x = w'x, with y and w."""

    rows: list[tuple[int, float]]
    cols: list[tuple[int, float]]

    @classmethod
    def of(cls, ray: Floats, matrix: Matrix) -> "Combination":
        """What the ray y (m) makes of the rows."""
        multipliers = ray.tolist()
        least = SUPPORT * max(max(multipliers, default=0.0), -min(multipliers, default=0.0))
        starts, index, value = matrix
        rows = [(i, y) for i, y in enumerate(multipliers) if y > least or y < -least]
        w: dict[int, float] = {}
        size: dict[int, float] = {}
        for i, y in rows:
            for k in range(starts[i], starts[i + 1]):
                j, term = index[k], y * value[k]
                w[j] = w.get(j, 0.0) + term
                size[j] = size.get(j, 0.0) + (term if term > 0 else -term)
        return cls(rows, sorted((j, v) for j, v in w.items() if abs(v) > SUPPORT * size[j]))

    def members(
        self,
        row_lower: Sequence[float],
        row_upper: Sequence[float],
        lower: Sequence[float],
        upper: Sequence[float],
    ) -> list[int] | None:
        """The members that this combines into a contradiction, ascending.

        y'A x lies between what the rows' sides (m) and what the bounds (n) allow; the answer
        stands only where these two ranges do not meet. None where they do.
        """
        m = len(row_lower)
        for flip in (False, True):
            gap = scale = 0.0
            members = []
            for i, y in self.rows:
                up = (y < 0) is not flip
                term = y * (row_upper[i] if up else row_lower[i])
                gap += term
                scale += abs(term)
                members.append(2 * i + up)
            for j, v in self.cols:
                up = (v > 0) is not flip
                term = v * (upper[j] if up else lower[j])
                gap -= term
                scale += abs(term)
                members.append(2 * (m + j) + up)
            if SUPPORT * scale < (-gap if flip else gap) < INF:
                return members
        return None


def is_vertex(members: Iterable[int], m: int, basic: Ints) -> bool:
    """Whether at most one member is basic, so that no smaller set contradicts itself.

    The nonbasic rows and bounds are independent, and the one that leaves depends on them in one
    way only (Gleeson and Ryan 1990). `basic` has columns as j and rows as -1 - i.
    """
    held = set(basic.tolist())
    count = 0
    for member in members:
        place = member >> 1
        count += (-1 - place if place < m else place - m) in held
    return count <= 1


def as_iis(
    members: Sequence[int], m: int, *, integral: bool = False, proven: bool = True, method: str = ""
) -> Iis:
    """Ascending members as an Iis."""
    rows: list[tuple[int, Side]] = []
    bounds: list[tuple[int, Side]] = []
    for member in members:
        place, side = member >> 1, _UPPER if member & 1 else _LOWER
        found, at = (rows, place) if place < m else (bounds, place - m)
        if found and found[-1][0] == at:
            found[-1] = (at, _BOTH)
        else:
            found.append((at, side))
    return Iis(tuple(rows), tuple(bounds), integral, proven, method)


def as_members(iis: Iis, m: int) -> list[int]:
    """An Iis as members, ascending."""
    found = []
    for shift, sides in ((0, iis.rows), (m, iis.bounds)):
        for place, side in sides:
            found += [2 * (place + shift)] if side != Side.UPPER else []
            found += [2 * (place + shift) + 1] if side != Side.LOWER else []
    return sorted(found)


def by_member(rows: Sides, cols: Sides) -> Floats:
    """What the lower and the upper sides of rows and of columns have, by member."""
    return np.concatenate([np.asarray(rows), np.asarray(cols)], axis=1).T.ravel()


def apart(sides: Floats, m: int) -> tuple[Floats, Floats]:
    """Undoes `by_member`: those of rows (2, m) and of columns (2, n)."""
    both = sides.reshape(-1, 2).T
    return both[:, :m].copy(), both[:, m:].copy()


def sides_of(model: Model, bounds: Sides | None = None) -> Floats:
    """The sides of rows and the columns' bounds, perhaps others than their own, by member."""
    own = model.col_lower, model.col_upper
    return by_member((model.row_lower, model.row_upper), own if bounds is None else bounds)


def with_members(model: Model, sides: Floats, **changed: Any) -> Model:
    """The model with these sides of rows and columns, by member."""
    (low, up), (lower, upper) = apart(sides, model.m)
    changed |= {"row_lower": low, "row_upper": up, "col_lower": lower, "col_upper": upper}
    return dataclasses.replace(model, **changed)
