"""What makes two problems equal: everything but names, time limits and what is ignored."""

import hashlib
import struct
from typing import Any

import numpy as np

from ordojo.solvers.problem import Indicator, Problem, QuadraticRow, Settings


def problem_hash(problem: Problem) -> str:
    """SHA-256 over what a problem means: everything but its names and its time limit."""
    state = hashlib.sha256()

    def add(*parts: Any) -> None:
        for part in parts:
            data = part.tobytes() if isinstance(part, np.ndarray) else repr(part).encode()
            state.update(struct.pack("<Q", len(data)))
            state.update(data)

    model, settings = problem.model, problem.settings
    add(model.n, model.m, model.maximize, float(model.offset), model.objective)
    add(model.col_lower, model.col_upper, model.types, model.row_lower, model.row_upper)
    add(model.starts, model.index, model.value)
    for q in (problem.quadratic, *(row.quadratic for row in problem.quadratic_rows)):
        add(*((q.first, q.second, q.value) if q else ("none",)))
    rows: tuple[QuadraticRow | Indicator, ...] = (*problem.quadratic_rows, *problem.indicators)
    for row in rows:
        add(row.index, row.value, float(row.lower), float(row.upper))
    for indicator in problem.indicators:
        add(indicator.binary, indicator.active)
    for sos in problem.sos:
        add(sos.kind, sos.index, sos.weights)
    for general in problem.general:
        add(str(general.function), general.result, general.operands, general.numbers)
    for goal in problem.objectives:
        add(goal.priority, goal.weight, goal.abs_tol, goal.rel_tol, goal.offset, goal.coefficients)
    add(problem.start if problem.start is not None else "none")
    add(
        *(
            getattr(settings, name)
            for name in Settings.__dataclass_fields__
            if name not in ("time_limit", "ignored")
        )
    )
    return state.hexdigest()
