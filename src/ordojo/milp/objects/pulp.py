"""Models of PuLP."""

from itertools import count
from typing import Any

from ordojo.milp.model import VarType
from ordojo.milp.objects.sketch import Sketch
from ordojo.milp.problem import Problem

_SIDES: dict[int, tuple[bool, bool]] = {-1: (False, True), 0: (True, True), 1: (True, False)}
"""PuLP's signs of <=, == and >=: whether a row has a lower and an upper side."""


def read(problem: Any) -> Problem:
    """What an LpProblem holds; its variables in PuLP's order."""
    goal = problem.objective
    sketch = Sketch(problem.name, problem.sense < 0, goal.constant if goal is not None else 0.0)
    sets = [*((1, *item) for item in problem.sos1.items())]
    sets += [*((2, *item) for item in problem.sos2.items())]
    places: dict[int, int] = {}
    for var in [*problem.variables(), *(var for _, _, members in sets for var in members)]:
        if id(var) not in places:
            kind = VarType.INTEGER if var.cat == "Integer" else VarType.CONTINUOUS
            places[id(var)] = sketch.col(var.name, var.lowBound, var.upBound, kind)
    sketch.cost(_terms(goal or {}, places))
    rows = problem.constraints  # a list by call since 3.3, a dict before
    unnamed = (f"_C{k}" for k in count(1))  # as PuLP writes them
    for row in rows() if callable(rows) else rows.values():
        low, up = _SIDES[row.sense]
        sketch.row(
            row.name or next(unnamed),
            _terms(row, places),
            *(-row.constant if s else None for s in (low, up)),
        )
    for kind, name, members in sets:
        sketch.sos(kind, _terms(members, places), str(name))
    return sketch.problem()


def _terms(total: Any, places: dict[int, int]) -> list[tuple[int, float]]:
    return [(places[id(var)], value) for var, value in total.items()]
