"""Lazy constraints without SCIP: solve, ask, add what the point violates, solve again."""

import dataclasses
from collections.abc import Callable

import numpy as np

from ordojo.compat.problem import Ending, Problem, Result
from ordojo.compat.service.engine.search import Search
from ordojo.milp.model import Model


def solve(problem: Problem, search: Search, one: Callable[[Problem, Search], Result]) -> Result:
    """Solve by `one` until the callback has nothing to add; exact, since each round is a bound."""
    done, current = 0, problem
    while True:
        quiet = Search(search.left)
        found = one(current, quiet)
        if found.ending != Ending.OPTIMAL or found.x is None or found.objective is None:
            return found
        best = found.objective
        good = search.accepts(found.x, best, best, found.bound, found.nodes)
        if search.terminated:
            x = found.x if good else None
            return search.stopped(best if good else None, found.bound, x) or found
        if good:
            return found
        if len(search.pool) == done:
            return dataclasses.replace(
                found,
                ending=Ending.NUMERIC,
                detail="a lazy constraint is violated after it was added",
            )
        current = dataclasses.replace(problem, model=_with(problem.model, search))
        done = len(search.pool)


def _with(model: Model, search: Search) -> Model:
    rows = search.pool
    lengths = np.array([len(row.index) for row in rows])
    return dataclasses.replace(
        model,
        row_names=(*model.row_names, *(f"#lazy{k}" for k in range(len(rows)))),
        row_lower=np.concatenate([model.row_lower, [row.lower for row in rows]]),
        row_upper=np.concatenate([model.row_upper, [row.upper for row in rows]]),
        starts=np.concatenate([model.starts, model.nonzeros + np.cumsum(lengths)]).astype(np.int32),
        index=np.concatenate([model.index, *(row.index for row in rows)]).astype(np.int32),
        value=np.concatenate([model.value, *(row.value for row in rows)]),
    )
