"""Model methods that let bounds and rows be violated at a price."""

import dataclasses
from collections.abc import Iterable
from typing import Any

import numpy as np

from ordojo.compat import transport
from ordojo.compat.coptpy.constants import COPT
from ordojo.compat.coptpy.errors import unsupported
from ordojo.compat.coptpy.handles import paired
from ordojo.compat.coptpy.solving import Solving, asked_service
from ordojo.compat.coptpy.state import problem_now
from ordojo.milp.model import INF, Model
from ordojo.solvers.answers import Status

Price = tuple[float, float]
"""What a unit of violation of the lower and of the upper side costs."""


def _prices(things: Any, lower: Any, upper: Any) -> dict[int, Price]:
    if things is None:
        return {}
    found: dict[int, list[float]] = {}
    for side, prices in enumerate((lower, upper)):
        pairs: Iterable[tuple[Any, Any]] = paired(things, INF if prices is None else prices)
        for thing, price in pairs:
            found.setdefault(thing.getIdx(), [INF, INF])[side] = float(price)
    return {number: (low, up) for number, (low, up) in found.items()}


class _Loosened:
    """A linear model to which violations are added as columns."""

    def __init__(self, model: Model) -> None:
        zero = np.zeros(model.n)
        self.model = dataclasses.replace(model, maximize=False, objective=zero, offset=0.0)
        self.violations: list[tuple[str, int, int]] = []

    def row(self, i: int, price: Price, kind: str = "row", number: int | None = None) -> None:
        """Let the sides of row i be violated."""
        sides = (self.model.row_lower[i], self.model.row_upper[i])
        for side, sign, cost in zip(sides, (1.0, -1.0), price, strict=True):
            if np.isfinite(side) and cost < COPT.INFINITY:
                column = self.model.n
                self.model = self.model.with_new_col(f"violation.{column}", 0.0, cost=cost)
                index, value = self.model.row(i)
                lower, upper = float(self.model.row_lower[i]), float(self.model.row_upper[i])
                terms = [*index.tolist(), column], [*value.tolist(), sign]
                self.model = self.model.with_row(i, *terms, lower, upper)
                name = f"{kind}_lower" if sign > 0 else f"{kind}_upper"
                self.violations.append((name, i if number is None else number, column))

    def column(self, j: int, price: Price) -> None:
        """Let the bounds of column j be violated, as a row that holds them."""
        sides = float(self.model.col_lower[j]), float(self.model.col_upper[j])
        free = [not np.isfinite(s) or p >= COPT.INFINITY for s, p in zip(sides, price, strict=True)]
        if all(free):
            return
        kept = list(sides)
        limits = [-INF, INF]
        for k in (0, 1):
            if not free[k]:
                kept[k], limits[k] = limits[k], sides[k]
        self.model = self.model.with_new_row(f"bounds.{j}", [j], [1.0], limits[0], limits[1])
        self.model = self.model.with_col_bounds(j, kept[0], kept[1])
        self.row(self.model.m - 1, price, "col", j)


def _relax(model: Solving, columns: dict[int, Price], rows: dict[int, Price]) -> None:
    state = model._state
    problem = problem_now(state)
    if not problem.is_linear and not (problem.objectives or problem.quadratic):
        raise unsupported(
            "feasRelax of a model with nonlinear, indicator or SOS constraints",
            "write them as big-M rows first",
        )
    if state.params["FeasRelaxMode"]:
        raise unsupported("feasRelax with FeasRelaxMode other than 0", "leave the parameter at 0")
    if any(state.kinds[j] == 2 for j in columns):
        columns = {j: price for j, price in columns.items() if state.kinds[j] != 2}
    loose = _Loosened(problem.model)
    for i, price in rows.items():
        loose.row(i, price)
    for j, price in columns.items():
        loose.column(j, price)
    asked = dataclasses.replace(
        problem, model=loose.model, objectives=(), quadratic=None, start=None
    )
    result = asked_service(transport.solve, asked)
    state.relaxed = None
    if result.status != Status.OPTIMAL or result.x is None:
        return
    found: dict[str, Any] = {"objective": float(result.objective or 0.0)}
    found["value"] = result.x[: len(state.columns)].tolist()
    for name, size in (("row", len(state.rows)), ("col", len(state.columns))):
        found[f"{name}_lower"], found[f"{name}_upper"] = [0.0] * size, [0.0] * size
    for name, number, column in loose.violations:
        amount = float(result.x[column])
        found[name][number] = -amount if name.endswith("lower") else amount
    found["lower"], found["upper"] = found["col_lower"], found["col_upper"]
    state.relaxed = found


class Relaxing(Solving):
    """Relaxes a model."""

    def feasRelaxS(self, vrelax: Any, crelax: Any) -> None:
        """Let all bounds (`vrelax`) and rows (`crelax`) be violated at a price of one."""
        state = self._state
        columns = dict.fromkeys(range(len(state.columns)), (1.0, 1.0)) if vrelax else {}
        rows = dict.fromkeys(range(len(state.rows)), (1.0, 1.0)) if crelax else {}
        _relax(self, columns, rows)

    def feasRelax(
        self, vars: Any, lbpen: Any, ubpen: Any, constrs: Any, rhspen: Any, uppen: Any = None
    ) -> None:
        """Let bounds and rows be violated at their prices; None as a price means never."""
        uppen = rhspen if uppen is None else uppen
        _relax(self, _prices(vars, lbpen, ubpen), _prices(constrs, rhspen, uppen))
