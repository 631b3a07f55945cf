"""Points: their objective, and integers made exact."""

import numpy as np

from ordojo.compat.problem import Problem
from ordojo.milp.model import Floats, Model, VarType


def evaluate(problem: Problem, x: Floats) -> float:
    """The objective's value at a point (n)."""
    value = float(problem.model.objective @ x) + problem.model.offset
    if problem.quadratic is not None:
        q = problem.quadratic
        value += float(q.value @ (x[q.first] * x[q.second]))
    return value


def snapped(x: Floats, model: Model) -> Floats:
    """The point with integers exact that were whole up to rounding errors."""
    whole = np.rint(x)
    integral = (model.types == VarType.INTEGER) | (model.types == VarType.BINARY)
    return np.where(integral & (np.abs(x - whole) < 1e-9), whole, x) + 0.0
