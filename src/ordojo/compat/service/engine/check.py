"""Whether a point satisfies everything that a problem asks, function by function."""

import math
from itertools import pairwise

import numpy as np

from ordojo.compat.problem import Function, General, Problem, Sos
from ordojo.milp.model import Floats, VarType

LOOSE = 1e-4
"""A point that is off by more than this, relative to its terms, is no solution."""


def worst(problem: Problem, x: Floats) -> tuple[float, str]:
    """The largest violation at a point (n), relative to the terms' size, and what is violated."""
    model = problem.model
    low, up = model.effective_bounds
    semi = model.types >= VarType.SEMICONTINUOUS
    size = np.maximum(1.0, np.abs(x))
    off = np.maximum(low - x, x - up) / size
    off = np.where(semi, np.minimum(off, np.abs(x)), off)
    found = [(_most(off), "a bound")]
    if problem.settings.relaxed:
        found = [(_most(np.where(semi, (x - up) / size, off)), "a bound")]
    else:
        whole = (model.types == VarType.INTEGER) | (model.types == VarType.BINARY)
        whole |= model.types == VarType.SEMIINTEGER
        found.append((_most(np.abs(x - np.rint(x))[whole]), "integrality"))
    scale = np.bincount(model.entry_rows, np.abs(model.value * x[model.index]), model.m)
    activity = model.activities(x)
    rows = np.maximum(model.row_lower - activity, activity - model.row_upper)
    found.append((_most(rows / np.maximum(1.0, scale)), "a row"))
    for row in problem.quadratic_rows:
        q = row.quadratic
        parts = np.concatenate([row.value * x[row.index], q.value * x[q.first] * x[q.second]])
        found.append((_off(parts, row.lower, row.upper), f"quadratic row '{row.name}'"))
    if not problem.settings.relaxed:
        for indicator in problem.indicators:
            if abs(x[indicator.binary] - indicator.active) < 0.5:
                parts = indicator.value * x[indicator.index]
                off_by = _off(parts, indicator.lower, indicator.upper)
                found.append((off_by, f"indicator '{indicator.name}'"))
        found += [(_spread(sos, x), "an ordered set") for sos in problem.sos]
        found += [(_general(general, x), f"'{general.name}'") for general in problem.general]
    return max(found, key=lambda pair: pair[0])


def _most(parts: Floats) -> float:
    return float(parts.max(initial=0.0))


def _off(parts: Floats, lower: float, upper: float) -> float:
    total, size = float(parts.sum()), max(1.0, float(np.abs(parts).sum()))
    return max(lower - total, total - upper, 0.0) / size


def _spread(sos: Sos, x: Floats) -> float:
    """The largest value outside the best window of neighbours."""
    values = np.abs(x[sos.index[np.argsort(sos.weights, kind="stable")]])
    if len(values) <= sos.kind:
        return 0.0
    left = []
    for k in range(len(values) - sos.kind + 1):
        left.append(max(_most(values[:k]), _most(values[k + sos.kind :])))
    return min(left) / max(1.0, _most(values))


def _general(general: General, x: Floats) -> float:
    operands = x[general.operands]
    wanted = evaluated(general, operands)
    if wanted is None:
        return 0.0
    got = float(x[general.result])
    # A steep function multiplies what the solver tolerates in its argument.
    near = [evaluated(general, operands + step) for step in (-1e-5, 1e-5)]
    known = [value for value in near if value is not None and math.isfinite(value)]
    give = max((abs(value - wanted) for value in known), default=0.0)
    return max(abs(got - wanted) - give, 0.0) / max(1.0, abs(wanted))


def evaluated(general: General, x: Floats) -> float | None:
    """The function at its operands; None outside its domain, or at a jump."""
    function, numbers = general.function, general.numbers
    try:
        match function:
            case Function.MAX:
                return float(max((*x.tolist(), *numbers)))
            case Function.MIN:
                return float(min((*x.tolist(), *numbers)))
            case Function.AND:
                return float(all(value > 0.5 for value in x))
            case Function.OR:
                return float(any(value > 0.5 for value in x))
            case Function.NORM:
                return None if numbers[0] == 0 else float(np.linalg.norm(x, numbers[0]))
            case Function.PWL:
                return _piecewise(float(x[0]), numbers)
            case _:
                return _smooth(function, float(x[0]), numbers)
    except (ValueError, OverflowError, ZeroDivisionError):
        return None


def _smooth(function: Function, x: float, numbers: tuple[float, ...]) -> float:
    match function:
        case Function.ABS:
            return abs(x)
        case Function.POW:
            return math.pow(x, numbers[0])
        case Function.EXP:
            return math.exp(x)
        case Function.EXPA:
            return math.pow(numbers[0], x)
        case Function.LOG:
            return math.log(x)
        case Function.LOGA:
            return math.log(x) / math.log(numbers[0])
        case Function.SIN:
            return math.sin(x)
        case Function.COS:
            return math.cos(x)
        case Function.TAN:
            return math.tan(x)
        case Function.POLY:
            return float(np.polyval(numbers, x))
        case _:
            return 1 / (1 + math.exp(-x))


def _piecewise(x: float, numbers: tuple[float, ...]) -> float | None:
    points = list(zip(numbers[::2], numbers[1::2], strict=True))
    if len(points) == 1:
        return points[0][1]
    place = next((k for k, point in enumerate(points) if x <= point[0]), len(points))
    place = min(max(place, 1), len(points) - 1)
    (x1, y1), (x2, y2) = points[place - 1], points[place]
    jump = any(a == b and abs(a - x) < 1e-5 for (a, _), (b, _) in pairwise(points))
    if x1 == x2 or jump:
        return None
    return y1 + (y2 - y1) / (x2 - x1) * (x - x1)
