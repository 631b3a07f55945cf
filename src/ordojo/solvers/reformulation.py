"""Problems rewritten exactly for a solver that lacks something."""

import dataclasses
from collections.abc import Callable
from functools import partial

import numpy as np

from ordojo.milp.model import ENDLESS, INF, Floats, VarType
from ordojo.solvers.problem import (
    General,
    GeneralFunction,
    Indicator,
    Problem,
    Quadratic,
    QuadraticRow,
    Sos,
)
from ordojo.solvers.tightening import ROUNDS, tightened


class Growing:
    """Starts with a problem's own columns and rows, which keep their numbers; new ones follow.

    `label` is the name of what is being rewritten; it begins those of the new rows.
    """

    def __init__(self, problem: Problem) -> None:
        model = problem.model
        self._problem = problem
        self.lower: list[float] = model.col_lower.tolist()
        self.upper: list[float] = model.col_upper.tolist()
        self.types: list[int] = model.types.tolist()
        self._index: list[int] = []
        self._value: list[float] = []
        self._lengths: list[int] = []
        self._sides: list[tuple[float, float]] = []
        self._labels: list[str] = []
        self._names: list[str] = []
        self.label = ""
        self.indicators: list[Indicator] = list(problem.indicators)
        self.sos: list[Sos] = list(problem.sos)
        self.quadratic_rows: list[QuadraticRow] = list(problem.quadratic_rows)

    def column(self, lower: float, upper: float, kind: int = 0, name: str = "") -> int:
        """A new column's number."""
        self._names.append(name or f"#c{len(self.types)}")
        self.lower.append(lower)
        self.upper.append(upper)
        self.types.append(int(kind))
        return len(self.types) - 1

    def row(self, terms: dict[int, float], lower: float, upper: float) -> None:
        """A new row."""
        self._index += terms.keys()
        self._value += terms.values()
        self._lengths.append(len(terms))
        self._sides.append((lower, upper))
        self._labels.append(self.label)

    def when(
        self, binary: int, active: int, terms: dict[int, float], lower: float, upper: float
    ) -> None:
        """A new indicator."""
        index = np.fromiter(terms.keys(), np.int32, len(terms))
        value = np.fromiter(terms.values(), np.float64, len(terms))
        self.indicators.append(Indicator(self.label, binary, active, index, value, lower, upper))

    def set(self, kind: int, columns: list[int]) -> None:
        """A new ordered set, in the order given."""
        weights = np.arange(1.0, len(columns) + 1)
        self.sos.append(Sos(kind, np.array(columns, np.int32), weights))

    def built(self) -> Problem:
        """The problem with what was added, and without its general constraints."""
        old = self._problem
        model = old.model.grown(
            self._lengths,
            np.array(self._index, np.int32),
            self._value,
            self._sides,
            [f"{label}#r{k}" for k, label in enumerate(self._labels, old.model.m)],
            (np.array(self.lower), np.array(self.upper), np.array(self.types, np.uint8)),
            self._names,
        )
        start = old.start
        if start is not None:
            start = np.concatenate([start, np.full(model.n - old.model.n, np.nan)])
        return dataclasses.replace(
            old,
            model=model,
            indicators=tuple(self.indicators),
            sos=tuple(self.sos),
            quadratic_rows=tuple(self.quadratic_rows),
            general=(),
            start=start,
        )


_BINARY = int(VarType.BINARY)
Rewrite = Callable[[Growing, General], None]


def lowered(problem: Problem, semi_limit: float = INF) -> Problem:
    """An equivalent problem; its first n columns are the given one's.

    Semicontinuous columns are rewritten where they reach above `semi_limit` or below zero.
    """
    if problem.settings.relaxed:
        return problem
    model = problem.model
    semi = np.flatnonzero(model.semi)
    far = [j for j in semi if model.col_upper[j] > semi_limit or model.col_lower[j] < 0]
    rest = tuple(general for general in problem.general if general.function in SMOOTH)
    if len(rest) == len(problem.general) and not far:
        return problem
    grown = Growing(problem)
    for j in far:
        _semi(grown, int(j))
    for general in problem.general:
        if general.function not in SMOOTH:
            grown.label = general.name
            _REWRITE[general.function](grown, general)
    return dataclasses.replace(grown.built(), general=rest)


def _semi(grown: Growing, j: int) -> None:
    """Zero, or within the bounds."""
    low, up = grown.lower[j], grown.upper[j]
    z = grown.column(0, 1, _BINARY)
    whole = grown.types[j] == VarType.SEMIINTEGER
    grown.types[j] = int(VarType.INTEGER if whole else VarType.CONTINUOUS)
    grown.lower[j], grown.upper[j] = min(low, 0.0), max(up, 0.0)
    if low <= up:
        grown.when(z, 1, {j: 1.0}, low, up)
    else:
        grown.row({z: 1.0}, 0.0, 0.0)
    grown.when(z, 0, {j: 1.0}, 0.0, 0.0)


def _extreme(sign: float, grown: Growing, general: General) -> None:
    """The result is on the far side of all operands, and equal to one."""
    r = general.result
    choices: dict[int, float] = {}
    for j in dict.fromkeys(general.operands.tolist()):
        if j == r:
            z = grown.column(0, 1, _BINARY)
        else:
            terms = {r: sign, j: -sign}
            grown.row(terms, 0.0, INF)
            z = grown.column(0, 1, _BINARY)
            grown.when(z, 1, terms, -INF, 0.0)
        choices[z] = 1.0
    for number in general.numbers:
        z = grown.column(0, 1, _BINARY)
        if abs(number) < ENDLESS:
            grown.row({r: sign}, sign * number, INF)
            grown.when(z, 1, {r: sign}, -INF, sign * number)
            choices[z] = 1.0
    grown.row(choices, 1.0, INF)


def _is_absolute(grown: Growing, r: int, x: int) -> None:
    if r == x:
        grown.row({r: 1.0}, 0.0, INF)
        return
    low, up = grown.lower[x], grown.upper[x]
    if low >= 0 or up <= 0:
        grown.row({r: 1.0, x: -1.0 if low >= 0 else 1.0}, 0.0, 0.0)
        return
    z = grown.column(0, 1, _BINARY)
    grown.row({r: 1.0, x: -1.0}, 0.0, INF)
    grown.row({r: 1.0, x: 1.0}, 0.0, INF)
    grown.when(z, 1, {r: 1.0, x: -1.0}, -INF, 0.0)
    grown.when(z, 0, {r: 1.0, x: 1.0}, -INF, 0.0)


def _logical(every: bool, grown: Growing, general: General) -> None:
    """The result is one where every operand is, or else where any is."""
    r, operands = general.result, list(dict.fromkeys(general.operands.tolist()))
    for j in operands:
        if j != r:
            grown.row({r: 1.0, j: -1.0}, *((-INF, 0.0) if every else (0.0, INF)))
    terms = dict.fromkeys(operands, -1.0)
    terms[r] = terms.get(r, 0.0) + 1.0
    grown.row(terms, *((1.0 - len(operands), INF) if every else (-INF, 0.0)))
    grown.row({r: 1.0}, 0.0, 1.0)


def _norm(grown: Growing, general: General) -> None:
    r, order = general.result, general.numbers[0]
    operands = general.operands.tolist()
    if order == 2:
        squares = np.array([*operands, r], np.int32)
        signs = np.array([1.0] * len(operands) + [-1.0])
        nothing = np.zeros(0, np.int32), np.zeros(0)
        part = Quadratic(squares, squares, signs)
        grown.row({r: 1.0}, 0.0, INF)
        grown.quadratic_rows.append(QuadraticRow("", *nothing, part, 0.0, 0.0))
        return
    sizes = []
    for j in operands:
        if order == 0:
            sizes.append(_is_nonzero(grown, j))
        else:
            sizes.append(grown.column(0, INF))
            _is_absolute(grown, sizes[-1], j)
    if order == INF:
        largest = General("", GeneralFunction.MAX, r, np.array(sizes, np.int32))
        _REWRITE[GeneralFunction.MAX](grown, largest)
        return
    grown.row({r: 1.0} | dict.fromkeys(sizes, -1.0), 0.0, 0.0)


def _is_nonzero(grown: Growing, j: int) -> int:
    """A binary that is 1 where the column is not zero.

    A continuous column may be as near to zero as it likes, so the limit point counts, too.
    """
    z = grown.column(0, 1, _BINARY)
    grown.when(z, 0, {j: 1.0}, 0.0, 0.0)
    if grown.types[j] in (VarType.INTEGER, VarType.BINARY):
        positive, negative = (grown.column(0, 1, _BINARY) for _ in range(2))
        grown.row({z: 1.0, positive: -1.0, negative: -1.0}, 0.0, 0.0)
        grown.when(positive, 1, {j: 1.0}, 1.0, INF)
        grown.when(negative, 1, {j: 1.0}, -INF, -1.0)
    return z


def _pieces(grown: Growing, general: General) -> None:
    """Weights on the points, at most two neighbours; beyond the ends the last slopes go on."""
    x, y = int(general.operands[0]), general.result
    points = list(zip(general.numbers[::2], general.numbers[1::2], strict=True))
    weights = [grown.column(0, 1) for _ in points]
    across = {x: -1.0} | {w: p[0] for w, p in zip(weights, points, strict=True)}
    along = {y: -1.0} | {w: p[1] for w, p in zip(weights, points, strict=True)}
    grown.row(dict.fromkeys(weights, 1.0), 1.0, 1.0)
    order = list(weights)
    for step, here, there in ((-1, 0, 1), (1, -1, -2)):
        slope = 0.0
        if len(points) > 1:
            run = points[here][0] - points[there][0]
            if run == 0:
                continue
            slope = (points[here][1] - points[there][1]) / run
        edge = points[here][0]
        room = edge - grown.lower[x] if step < 0 else grown.upper[x] - edge
        if room <= 0:
            continue
        ray = grown.column(0, room)
        across[ray], along[ray] = float(step), step * slope
        order = [ray, *order] if step < 0 else [*order, ray]
    grown.row(across, 0.0, 0.0)
    grown.row(along, 0.0, 0.0)
    if len(order) > 2:
        grown.set(2, order)


_REWRITE: dict[GeneralFunction, Rewrite] = {
    GeneralFunction.MAX: partial(_extreme, 1.0),
    GeneralFunction.MIN: partial(_extreme, -1.0),
    GeneralFunction.ABS: lambda grown, g: _is_absolute(grown, g.result, int(g.operands[0])),
    GeneralFunction.AND: partial(_logical, True),
    GeneralFunction.OR: partial(_logical, False),
    GeneralFunction.NORM: _norm,
    GeneralFunction.PWL: _pieces,
}
SMOOTH = frozenset(GeneralFunction) - frozenset(_REWRITE)
"""The functions that stay as they are."""


LARGEST = 1e6
"""Above this a constant is so large that a solver's tolerance would let wrong points through."""


class NotLinear(Exception):  # noqa: N818 (it becomes an ending)
    """The problem has something that no bounded constant can express; the text names it."""


def linearised(problem: Problem, keep: bool = False, rounds: int = ROUNDS) -> Problem:
    """An equivalent linear problem; its first n columns are the given one's.

    Raises NotLinear, naming the feature, where a column that it needs has no bound, or where
    products of continuous columns or smooth functions are left. With `keep` no bound becomes a
    constant, so that any may move: rows over products become rows over columns of these products,
    indicators rows with a slack, which the parts beyond linear then tie; ordered sets and functions
    stay as they are. Bounds are propagated in `rounds` first; in none, no row is used for a
    constant of another.
    """
    if problem.general and not keep:
        raise NotLinear(f"the function '{problem.general[0].function}'")
    low, up = tightened(problem.model, rounds)
    grown = Growing(dataclasses.replace(problem, quadratic=None))
    grown.indicators, grown.sos, grown.quadratic_rows = [], [], []
    writer = _Writer(problem, grown, low, up, keep)
    for indicator in problem.indicators:
        grown.label = indicator.name
        writer.indicator(indicator)
    for number, sos in enumerate(problem.sos, 1):
        grown.label = sos.name or f"sos{number}"
        writer.sos(sos)
    for row in problem.quadratic_rows:
        grown.label = row.name
        writer.quadratic_row(row)
    grown.label = "objective"
    costs = writer.terms(problem.quadratic) if problem.quadratic is not None else {}
    built = grown.built()
    objective = built.model.objective.copy()
    for j, cost in costs.items():
        objective[j] += cost
    return dataclasses.replace(
        built, model=dataclasses.replace(built.model, objective=objective), general=problem.general
    )


class _Writer:
    def __init__(
        self, problem: Problem, grown: Growing, low: Floats, up: Floats, keep: bool
    ) -> None:
        self._grown, self._low, self._up, self._keep = grown, low, up, keep
        self._names = problem.model.col_names
        self._products: dict[tuple[int, int], int] = {}
        types = problem.model.types
        whole = (types == VarType.INTEGER) | (types == VarType.BINARY)
        self._binary = whole & (low >= 0) & (up <= 1)

    def indicator(self, found: Indicator) -> None:
        """If z then row: the sides give way by as much as the bounds let the row go."""
        if self._keep:
            slack = self._grown.column(-INF, INF, name=f"{found.name}#slack")
            terms = dict(zip(found.index.tolist(), found.value.tolist(), strict=True))
            self._grown.row(terms | {slack: -1.0}, found.lower, found.upper)
            self._grown.when(found.binary, found.active, {slack: 1.0}, 0.0, 0.0)
            return
        low, up = self._low[found.index], self._up[found.index]
        positive = found.value > 0
        most = _total(found.value, np.where(positive, up, low))
        least = _total(found.value, np.where(positive, low, up))
        for side, far, sign in ((found.upper, most, 1.0), (found.lower, least, -1.0)):
            room = sign * (far - side)
            if abs(side) == INF or room <= 0:
                continue
            terms = dict(zip(found.index.tolist(), (sign * found.value).tolist(), strict=True))
            if not room <= LARGEST:
                raise NotLinear("an indicator over columns without bounds")
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
        if self._keep:
            grown.sos.append(found)
            return
        places = len(columns) - found.kind + 1
        chosen = [
            grown.column(0, 1, int(VarType.BINARY), f"{grown.label}#{k}")
            for k in range(1, places + 1)
        ]
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
        for i, j, value in quadratic.terms():
            if value:
                column = self._product(min(i, j), max(i, j))
                total[column] = total.get(column, 0.0) + value
        return total

    def _product(self, i: int, j: int) -> int:
        if self._binary[j] and not self._binary[i]:
            i, j = j, i
        if self._binary[i] and i == j:
            return i
        if (i, j) not in self._products:
            low, up, grown = float(self._low[j]), float(self._up[j]), self._grown
            first, second = self._names[i], self._names[j]
            name = f"{first}^2" if i == j else f"{first}*{second}"
            if self._keep:
                y = self._products[i, j] = grown.column(-INF, INF, name=name)
                at = (np.array([k], np.int32) for k in (y, i, j))
                out, *factors = at
                product = Quadratic(factors[0], factors[1], np.ones(1))
                grown.quadratic_rows.append(QuadraticRow("", out, -np.ones(1), product, 0.0, 0.0))
                return y
            if not self._binary[i]:
                raise NotLinear("a product of columns that are not binary")
            if not max(abs(low), abs(up)) <= LARGEST:
                raise NotLinear("a product with a column without bounds")
            y = self._products[i, j] = grown.column(min(low, 0.0), max(up, 0.0), name=name)
            label, grown.label = grown.label, name
            grown.row({y: 1.0, i: -up}, -INF, 0.0)
            grown.row({y: 1.0, i: -low}, 0.0, INF)
            grown.row({y: 1.0, j: -1.0, i: -low}, -INF, -low)
            grown.row({y: 1.0, j: -1.0, i: -up}, -up, INF)
            grown.label = label
        return self._products[i, j]


def _total(value: Floats, at: Floats) -> float:
    with np.errstate(invalid="ignore"):
        return float(np.sum(np.where(value == 0, 0.0, value * at)))
