"""General constraints and semicontinuous columns, rewritten exactly.

What remains are rows, binaries, indicators, ordered sets and quadratic rows; the smooth functions
(powers, exponentials, logarithms, angles, polynomials, the logistic) stay for a solver that knows
them.
"""

import dataclasses
from collections.abc import Callable

import numpy as np

from ordojo.compat.problem import Function, General, Problem, Quadratic, QuadraticRow
from ordojo.compat.service.engine.grow import Growing
from ordojo.milp.model import INF, VarType

SMOOTH = frozenset(
    {
        Function.POW,
        Function.EXP,
        Function.EXPA,
        Function.LOG,
        Function.LOGA,
        Function.SIN,
        Function.COS,
        Function.TAN,
        Function.POLY,
        Function.LOGISTIC,
    }
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
    semi = np.flatnonzero(model.types >= VarType.SEMICONTINUOUS)
    far = [j for j in semi if model.col_upper[j] > semi_limit or model.col_lower[j] < 0]
    rest = tuple(general for general in problem.general if general.function in SMOOTH)
    if len(rest) == len(problem.general) and not far:
        return problem
    grown = Growing(problem)
    for j in far:
        _semi(grown, int(j))
    for general in problem.general:
        if general.function not in SMOOTH:
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


def _extreme(sign: float) -> Rewrite:
    def rewrite(grown: Growing, general: General) -> None:
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
            if abs(number) < 1e20:
                grown.row({r: sign}, sign * number, INF)
                grown.when(z, 1, {r: sign}, -INF, sign * number)
                choices[z] = 1.0
        grown.row(choices, 1.0, INF)

    return rewrite


def _absolute(grown: Growing, general: General) -> None:
    _is_absolute(grown, general.result, int(general.operands[0]))


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


def _logical(every: bool) -> Rewrite:
    def rewrite(grown: Growing, general: General) -> None:
        """The result is one where every operand is, or else where any is."""
        r, operands = general.result, list(dict.fromkeys(general.operands.tolist()))
        for j in operands:
            if j != r:
                grown.row({r: 1.0, j: -1.0}, *((-INF, 0.0) if every else (0.0, INF)))
        terms = dict.fromkeys(operands, -1.0)
        terms[r] = terms.get(r, 0.0) + 1.0
        grown.row(terms, *((1.0 - len(operands), INF) if every else (-INF, 0.0)))
        grown.row({r: 1.0}, 0.0, 1.0)

    return rewrite


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
        largest = General("", Function.MAX, r, np.array(sizes, np.int32))
        _REWRITE[Function.MAX](grown, largest)
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


_REWRITE: dict[Function, Rewrite] = {
    Function.MAX: _extreme(1.0),
    Function.MIN: _extreme(-1.0),
    Function.ABS: _absolute,
    Function.AND: _logical(every=True),
    Function.OR: _logical(every=False),
    Function.NORM: _norm,
    Function.PWL: _pieces,
}
