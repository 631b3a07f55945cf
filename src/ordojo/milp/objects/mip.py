"""Models of python-mip."""

from typing import Any

from ordojo.milp.model import VarType
from ordojo.milp.objects.sketch import Sketch, Terms, sides
from ordojo.milp.problem import Problem

_KINDS = {"B": VarType.BINARY, "I": VarType.INTEGER, "C": VarType.CONTINUOUS}


def read(model: Any) -> Problem:
    """What a python-mip Model holds, but ordered sets: python-mip does not tell them."""
    goal = model.objective
    sketch = Sketch(model.name, model.sense == "MAX", goal.const)
    for var in model.vars:
        sketch.col(var.name, var.lb, var.ub, _KINDS[var.var_type])
    sketch.cost(_terms(goal))
    for row in model.constrs:
        sketch.row(row.name, _terms(row.expr), *sides(row.expr.sense, row.rhs))
    return sketch.problem()


def _terms(total: Any) -> Terms:
    return [(var.idx, value) for var, value in total.expr.items()]
