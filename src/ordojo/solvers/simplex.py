"""A linear program held by HiGHS's simplex method, warm: the calls that a solve needs."""

from time import perf_counter
from typing import Any

import highspy
import numpy as np

from ordojo.milp.model import INF, Floats, Ints, Model
from ordojo.solvers.highs_model import (
    INFEASIBLE,
    OPTIMAL,
    TIME_LIMIT,
    UNBOUNDED,
    UNBOUNDED_OR_INFEASIBLE,
    highs,
    pass_model,
    run_until,
)

_MAXIMIZE, _MINIMIZE = highspy.ObjSense.kMaximize, highspy.ObjSense.kMinimize
_FINAL = frozenset((OPTIMAL, INFEASIBLE, UNBOUNDED, TIME_LIMIT))

SETTINGS: dict[str, object] = {
    "output_flag": False,
    "log_to_console": False,
    "presolve": "off",
    "solver": "simplex",
    "threads": 1,
    "small_matrix_value": 1e-12,
}

_USUAL: dict[str, object] = {"presolve": "off", "simplex_strategy": 1}
_PRIMAL: dict[str, object] = {"simplex_strategy": 4}
_ATTEMPTS: tuple[tuple[bool, dict[str, object]], ...] = (
    (False, {}),
    (True, _PRIMAL),
    (False, _PRIMAL),
    (True, {"presolve": "on"}),
)
"""What to try, with the cost or without, where the dual simplex method loses its way."""


PRESOLVED = 5000
"""Rows beyond which the first run of a model has presolve: it takes a fifth of the time."""


class Lp:
    """One linear program held by HiGHS, simplex, one thread, warm between runs.

    Presolve is off, but for the first run of more than `PRESOLVED` rows.
    """

    __slots__ = ("_fresh", "_kept", "_seconds", "_until", "cost", "h", "model")

    def __init__(self) -> None:
        self.h: Any = highs(SETTINGS)
        self.model: Model
        self.cost: Floats
        self._kept: tuple[Floats, Ints] | None = None
        self._seconds, self._fresh, self._until = INF, 0.0, INF

    def load(self, model: Model, low: Floats, up: Floats, cost: Floats | None = None) -> None:
        """Hold the model's relaxation between these column bounds (n), forgetting the one before.

        `cost` replaces the objective. Raises SolverError where HiGHS refuses the model.
        """
        self.model = model
        self.cost = model.objective if cost is None else cost
        self._fresh = 0.0
        self.h.setOptionValue("presolve", "on" if model.m > PRESOLVED else "off")
        pass_model(self.h, model, self.cost, low, up, np.zeros(model.n, np.int32))

    def goal(self, cost: Floats, maximize: bool) -> None:
        """Another objective (n) and direction."""
        self.cost = cost
        self.h.changeColsCost(len(cost), np.arange(len(cost), dtype=np.int32), cost)
        self.h.changeObjectiveSense(_MAXIMIZE if maximize else _MINIMIZE)

    def limit(self, seconds: float) -> None:
        """The solving time that the runs from now on may take together, to a hundredth of it."""
        now = perf_counter()
        if seconds == self._seconds and now < self._fresh:
            return
        # HiGHS's clock runs on from solve to solve, and never ahead of ours.
        self._seconds, self._fresh = seconds, now + 0.01 * seconds
        self._until = now + seconds
        self.h.setOptionValue("time_limit", self.h.getRunTime() + max(seconds, 0.0))

    def run(self) -> int:
        """Solve from where the last run ended; HiGHS's status number."""
        self._kept = None
        code = run_until(self.h, self._until, self._seconds)
        self.h.setOptionValue("presolve", "off")
        if code in _FINAL:
            return code
        for with_cost, options in _ATTEMPTS:
            found = self._again(with_cost, options)
            if found in (INFEASIBLE, TIME_LIMIT) or (with_cost and found in _FINAL):
                return found
            if found == OPTIMAL and code == UNBOUNDED_OR_INFEASIBLE:
                return UNBOUNDED
        return code

    def _again(self, with_cost: bool, options: dict[str, object]) -> int:
        """Solve from a fresh basis, otherwise; afterwards cost and options are as before."""
        h, n = self.h, self.model.n
        numbers = np.arange(n, dtype=np.int32)
        h.clearSolver()
        if not with_cost:
            h.changeColsCost(n, numbers, np.zeros(n))
        for name, value in options.items():
            h.setOptionValue(name, value)
        self._fresh = 0.0
        self.limit(self._seconds)
        code = run_until(h, self._until, self._seconds)
        self._kept = self.ray() if code == INFEASIBLE else None
        for name in options:
            h.setOptionValue(name, _USUAL[name])
        if not with_cost:
            h.changeColsCost(n, numbers, self.cost)
        return code

    def ray(self) -> tuple[Floats, Ints] | None:
        """The dual ray (m) of an infeasible run, and its basic variables (rows as -1 - i)."""
        if self._kept is not None:
            return self._kept
        _, has, ray = self.h.getDualRay()
        if not has and self.model.m > PRESOLVED:  # presolve found it, which shows no ray
            self._again(True, {})
            return self._kept
        if not has:
            return None
        return ray, self.h.getBasicVariables()[1]

    def x(self) -> list[float]:
        """The point found (n)."""
        found: list[float] = self.h.getSolution().col_value
        return found
