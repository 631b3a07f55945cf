"""The saboteur's solver: cold solves whose answers depend on the model alone."""

import dataclasses
import math
from collections.abc import Sequence

import numpy as np

from ordojo.milp.model import Model
from ordojo.oracle.answers import Iis, Solution, Status
from ordojo.oracle.highs import HighsOracle


class Bench:
    """One session of HiGHS, loaded afresh for every question."""

    def __init__(self) -> None:
        self.oracle = HighsOracle()
        self._session = self.oracle.session()

    def solve(self, model: Model) -> Solution:
        """Solve a model."""
        self._session.load(model)
        return self._session.solve()

    def is_infeasible(self, model: Model) -> bool:
        """Whether a model has no solution, proven."""
        return self.solve(model).status == Status.INFEASIBLE

    def iis(self, model: Model) -> Iis | None:
        """An IIS, None where the model is not infeasible."""
        if not self.is_infeasible(model):
            return None
        return self._session.iis()

    def extreme(
        self, model: Model, index: Sequence[int], value: Sequence[float], greatest: bool
    ) -> float:
        """The greatest or least value of a linear form over the LP relaxation.

        Infinite where it is unbounded, NaN where the relaxation has no solution or no answer came.
        """
        cost = np.zeros(model.n)
        cost[np.asarray(index, np.int64)] = value
        relaxed = dataclasses.replace(relax(model), objective=cost, offset=0.0, maximize=greatest)
        found = self.solve(relaxed)
        if found.status == Status.UNBOUNDED:
            return math.inf if greatest else -math.inf
        return math.nan if found.objective is None else found.objective

    def row_extreme(self, model: Model, i: int, greatest: bool) -> float:
        """The greatest or least activity of row i over the LP relaxation."""
        index, value = model.row(i)
        return self.extreme(model, index.tolist(), value.tolist(), greatest)

    def relaxation(self, model: Model) -> Solution:
        """Solve the LP relaxation."""
        return self.solve(relax(model))

    def close(self) -> None:
        """Free the solver."""
        self._session.close()


def relax(model: Model) -> Model:
    """The LP relaxation."""
    if not model.is_mip:
        return model
    low, up = model.effective_bounds
    return dataclasses.replace(
        model, col_lower=low, col_upper=up, types=np.zeros(model.n, np.uint8)
    )


def preservation(objective: float | None, optimum: float) -> float:
    """OP = 1 - |obj - obj*| / |obj*|, cut at 0 (section 2.1); 0 without an objective."""
    if objective is None:
        return 0.0
    return max(0.0, 1.0 - abs(objective - optimum) / abs(optimum))
