"""Indicators, ordered sets and products with binaries as rows, where bounds allow it exactly."""

import dataclasses

import numpy as np

from ordojo.compat.problem import Indicator, Problem, Quadratic, QuadraticRow, Sos
from ordojo.compat.service.engine.bounds import tightened
from ordojo.compat.service.engine.grow import Growing
from ordojo.milp.model import INF, Floats, VarType

LARGEST = 1e6
"""Above this a constant is so large that a solver's tolerance would let wrong points through."""


class NotLinear(Exception):  # noqa: N818 (it becomes an ending)
    """The problem has something that no bounded constant can express; the text names it."""


def linearised(problem: Problem) -> Problem:
    """An equivalent linear problem; its first n columns are the given one's.

    Raises NotLinear, naming the feature, where a column that it needs has no bound, or where
    products of continuous columns or smooth functions are left.
    """
    if problem.general:
        raise NotLinear(f"the function '{problem.general[0].function}'")
    low, up = tightened(problem.model)
    grown = Growing(dataclasses.replace(problem, quadratic=None))
    grown.indicators, grown.sos, grown.quadratic_rows = [], [], []
    writer = _Writer(problem, grown, low, up)
    for indicator in problem.indicators:
        writer.indicator(indicator)
    for sos in problem.sos:
        writer.sos(sos)
    for row in problem.quadratic_rows:
        writer.quadratic_row(row)
    costs = writer.terms(problem.quadratic) if problem.quadratic is not None else {}
    built = grown.built()
    objective = built.model.objective.copy()
    for j, cost in costs.items():
        objective[j] += cost
    return dataclasses.replace(built, model=dataclasses.replace(built.model, objective=objective))


class _Writer:
    def __init__(self, problem: Problem, grown: Growing, low: Floats, up: Floats) -> None:
        self._grown, self._low, self._up = grown, low, up
        self._products: dict[tuple[int, int], int] = {}
        types = problem.model.types
        whole = (types == VarType.INTEGER) | (types == VarType.BINARY)
        self._binary = whole & (low >= 0) & (up <= 1)

    def indicator(self, found: Indicator) -> None:
        """If z then row: the sides give way by as much as the bounds let the row go."""
        low, up = self._low[found.index], self._up[found.index]
        positive = found.value > 0
        most = _total(found.value, np.where(positive, up, low))
        least = _total(found.value, np.where(positive, low, up))
        for side, far, sign in ((found.upper, most, 1.0), (found.lower, least, -1.0)):
            room = sign * (far - side)
            if abs(side) == INF or room <= 0:
                continue
            if not room <= LARGEST:
                raise NotLinear("an indicator over columns without bounds")
            terms = dict(zip(found.index.tolist(), (sign * found.value).tolist(), strict=True))
            z = terms.get(found.binary, 0.0)
            if found.active:
                terms[found.binary] = z + room
                self._grown.row(terms, -INF, sign * side + room)
            else:
                terms[found.binary] = z - room
                self._grown.row(terms, -INF, sign * side)

    def sos(self, found: Sos) -> None:
        """A binary for each place (type 1) or each pair of neighbours (type 2)."""
        columns = found.index[np.argsort(found.weights, kind="stable")].tolist()
        if len(columns) <= found.kind:
            return
        grown = self._grown
        places = len(columns) - found.kind + 1
        chosen = [grown.column(0, 1, int(VarType.BINARY)) for _ in range(places)]
        grown.row(dict.fromkeys(chosen, 1.0), 1.0, 1.0)
        for k, j in enumerate(columns):
            near = [
                chosen[place] for place in range(k - found.kind + 1, k + 1) if 0 <= place < places
            ]
            for side, sign in ((self._up[j], 1.0), (self._low[j], -1.0)):
                room = sign * side
                if not room <= LARGEST:
                    raise NotLinear("an ordered set over columns without bounds")
                grown.row({j: sign} | dict.fromkeys(near, -max(room, 0.0)), -INF, 0.0)

    def quadratic_row(self, found: QuadraticRow) -> None:
        """A row whose products are written out."""
        terms = self.terms(found.quadratic)
        for j, value in zip(found.index.tolist(), found.value.tolist(), strict=True):
            terms[j] = terms.get(j, 0.0) + value
        self._grown.row(terms, found.lower, found.upper)

    def terms(self, quadratic: Quadratic) -> dict[int, float]:
        """The quadratic part as a sum over columns; products become columns of their own."""
        total: dict[int, float] = {}
        pairs = zip(quadratic.first.tolist(), quadratic.second.tolist(), strict=True)
        for (i, j), value in zip(pairs, quadratic.value.tolist(), strict=True):
            if value:
                column = self._product(min(i, j), max(i, j))
                total[column] = total.get(column, 0.0) + value
        return total

    def _product(self, i: int, j: int) -> int:
        if not self._binary[i]:
            i, j = j, i
        if not self._binary[i]:
            raise NotLinear("a product of columns that are not binary")
        if i == j:
            return i
        if (i, j) not in self._products:
            low, up = float(self._low[j]), float(self._up[j])
            if not max(abs(low), abs(up)) <= LARGEST:
                raise NotLinear("a product with a column without bounds")
            grown = self._grown
            y = self._products[i, j] = grown.column(min(low, 0.0), max(up, 0.0))
            grown.row({y: 1.0, i: -up}, -INF, 0.0)
            grown.row({y: 1.0, i: -low}, 0.0, INF)
            grown.row({y: 1.0, j: -1.0, i: -low}, -INF, -low)
            grown.row({y: 1.0, j: -1.0, i: -up}, -up, INF)
        return self._products[i, j]


def _total(value: Floats, at: Floats) -> float:
    with np.errstate(invalid="ignore"):
        return float(np.sum(np.where(value == 0, 0.0, value * at)))
