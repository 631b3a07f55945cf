"""The agent's own copy of the model, solved by its own solver: what it can know without asking."""

import dataclasses
import threading

import numpy as np

from ordojo.milp.model import INF, Model
from ordojo.solvers.answers import Iis, Side, Status
from ordojo.solvers.highs import HighsSession


class _Own(threading.local):
    """A thread's solver, kept: making one takes longer than most of these solves."""

    def __init__(self) -> None:
        self.session = HighsSession()


_own = _Own()


def conflict(model: Model) -> Iis | None:
    """An IIS of the model; None where it is not infeasible."""
    session = _own.session
    session.load(model)
    return session.iis() if session.solve().status == Status.INFEASIBLE else None


def shortfall(model: Model, iis: Iis, i: int, side: Side) -> float | None:
    """By how much a side of row i must move so that the IIS's rows can hold, alone.

    Signed as RELAX takes it, 0 where it need not; None where no move is enough. The other rows
    of the IIS and every bound are kept, the rest of the model is left aside.
    """
    kept = np.zeros(model.m, bool)
    kept[[row for row, _ in iis.rows if row != i]] = True
    index, value = model.row(i)
    gradient = np.zeros(model.n)
    gradient[index] = value
    alone = dataclasses.replace(
        model,
        maximize=side == Side.LOWER,
        objective=gradient,
        offset=0.0,
        row_lower=np.where(kept, model.row_lower, -INF),
        row_upper=np.where(kept, model.row_upper, INF),
    )
    _own.session.load(alone)
    solution = _own.session.solve()
    if solution.status != Status.OPTIMAL or solution.objective is None:
        return 0.0 if solution.status == Status.UNBOUNDED else None
    if side == Side.LOWER:
        return min(0.0, solution.objective - float(model.row_lower[i]))
    return max(0.0, solution.objective - float(model.row_upper[i]))
