"""What a gurobipy model keeps, the solver's problem made of it, and figures of the last solve."""

import dataclasses
import math
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from ordojo.compat.core.assemble import objective_of, problem_of, take_apart
from ordojo.compat.core.store import Goal, Store
from ordojo.compat.gurobipy.errors import UnreadError, failure, unsupported
from ordojo.compat.gurobipy.params import Values
from ordojo.compat.messages import Analysis
from ordojo.milp.model import ENDLESS, VarType
from ordojo.milp.problem import GeneralFunction, with_pieces
from ordojo.solvers.problem import Problem

VBASIS, CBASIS = "VBasis", "CBasis"
NEAR = 1e-6
"""For Gurobi points whose x are nearer than this are one above the other."""


class State(Store):
    """The store of a gurobipy model.

    `iis` has, after `computeIIS`, its rows and bounds as members (`core.subsystem`), and its other
    parts. `calling` is the call of a running callback, `big` what
    feasRelax has multiplied its switches by. `several` counts the objectives of a model of several,
    `meant` with those that await an update. `start_count` counts the starts, of which the first
    goes to the solver.
    """

    unsupported = staticmethod(unsupported)
    stranger = staticmethod(partial(failure, "NOT_IN_MODEL", "Variable not in model"))
    drops_zeros = True

    def __init__(self, name: str, params: Values) -> None:
        super().__init__(name)
        self.params = params
        self.iis: set[Any] | None = None
        self.analysis: Analysis | None = None
        self.iis_minimal = True
        self.calling: Any = None
        self.several = self.meant = self.start_count = 0
        self.big = 0.0
        self.is_mip = False

    def update(self) -> bool:
        """Make what awaits happen; a changed model has no solution."""
        changed = super().update()
        if changed:
            self.forget()
        return changed

    @property
    def pieces(self) -> dict[Any, tuple[float, ...]]:
        """The x and y in turn of the objective's piecewise-linear terms, by variable."""
        found: dict[Any, tuple[float, ...]] = self.extra.get("PWLObj", {})
        return found

    def free(self) -> None:
        """Have nothing any more: what a program still holds of the model tells nothing."""
        self.forget()
        self.freed, self.cols_live, self.rows_live = True, 0, 0
        for part in (part for parts in self.parts.values() for part in parts):
            part.number = -1

    def forget(self) -> None:
        """Drop what came of the last solve, and the basis that was set."""
        super().forget()
        self.iis = self.analysis = None
        for name in (VBASIS, CBASIS):
            self.extra.pop(name, None)


def problem_now(state: Any) -> Problem:
    """The updated state as the solver's problem."""
    if state.extra.get("ScenNX") or state.extra.get("NumScenarios"):
        raise unsupported("a model of several scenarios", "solve one model for each scenario")
    if any(var._col < 0 for var in state.pieces):
        raise unsupported("removing a variable with a piecewise-linear objective", "fix it at 0")
    _check_pieces(state)
    settings = state.params.settings()
    if state.big:
        # A switch that is 1e-6 off would let a violation of `big` times that go uncounted.
        settings = settings._replace(integrality_tol=1e-3 / state.big)
    if settings.pool_mode == 2 and any(state.extra.get("PoolIgnore", {}).values()):
        raise unsupported(
            "PoolIgnore with PoolSearchMode=2", "drop the points that differ in it alone"
        )
    problem = _switched(problem_of(state, settings, take_apart))
    if any(
        abs(cost) >= ENDLESS for cost in (*problem.model.objective.tolist(), problem.model.offset)
    ):
        raise unsupported(
            "an objective with a number of 1e20 or more",
            "scale it, or bound what is forbidden by 0",
        )
    if state.pieces:
        pieces = {var._col: numbers for var, numbers in state.pieces.items()}
        problem = with_pieces(problem, pieces)
    if state.several and not problem.objectives and state.goal.weight != 1.0:
        alone = objective_of(state.goal, problem.model.objective)
        problem = dataclasses.replace(problem, objectives=(alone,))
    return problem


def _check_pieces(state: Any) -> None:
    """Raise where points are no function, or one that begins or ends with a jump within bounds."""
    found = list[tuple[Any, tuple[float, ...], str, str]]()
    for var, numbers in state.pieces.items():
        xs, what = numbers[::2], f"x values for PWL objective of variable {var._label()}"
        if xs[-1] - xs[0] < NEAR:
            raise failure("INVALID_PIECEWISE_OBJ", f"all {what} differ less than 1E-6")
        if list(xs) != sorted(xs):
            raise failure("INVALID_PIECEWISE_OBJ", f"{what} aren't sorted")
        text = "length of the {} piece of PWL obj. of variable {}"
        found.append((var, numbers, "INVALID_PIECEWISE_OBJ", text))
    text = "the {} piece of PWL constraint for {}"
    found += [
        (part.operands[0], part.numbers, "INVALID_ARGUMENT", text)
        for part in state.family("general")
        if getattr(part, "function", None) == GeneralFunction.PWL and part.operands[0]._col >= 0
    ]
    for var, numbers, kind, text in found:
        lower, upper, xs = state.lower[var._col], state.upper[var._col], numbers[::2]
        for where, bound, jumps in (
            ("first", "lb", lower < xs[0] > xs[1] - NEAR),
            ("last", "ub", upper > xs[-1] < xs[-2] + NEAR),
        ):
            if jumps:
                what = text.format(where, var._label())
                raise failure(kind, f"{what} < 1e-6, cannot be extended to {bound}")


def _switched(problem: Problem) -> Problem:
    """The problem with binary columns where Gurobi solves with them: switches, and, or."""
    logical = (GeneralFunction.AND, GeneralFunction.OR)
    parts = [part for part in problem.general if part.function in logical]
    columns = [part.binary for part in problem.indicators]
    columns += [j for part in parts for j in (part.result, *part.operands.tolist())]
    if not columns:
        return problem
    model = problem.model
    types, low, up = model.types.copy(), model.col_lower.copy(), model.col_upper.copy()
    types[columns] = VarType.BINARY
    low[columns], up[columns] = np.maximum(low[columns], 0.0), np.minimum(up[columns], 1.0)
    return dataclasses.replace(
        problem, model=dataclasses.replace(model, types=types, col_lower=low, col_upper=up)
    )


def is_convex(state: Any, var: Any) -> bool:
    """Whether a variable's piecewise-linear objective is convex, or concave to be maximized."""
    numbers, sign = state.pieces.get(var, ()), -1.0 if state.maximize else 1.0
    slopes = [
        sign * (d - b) / (c - a) if c > a else math.copysign(np.inf, sign * (d - b))
        for (a, b), (c, d) in pairwise(zip(numbers[::2], numbers[1::2], strict=True))
        if (a, b) != (c, d)
    ]
    return all(left <= right for left, right in pairwise(slopes))


def gap(state: Any) -> float:
    """The relative gap between incumbent and bound, as Gurobi defines it."""
    result = state.result
    if result is None or result.objective is None or result.bound is None or result.x is None:
        return float("inf")
    distance = abs(result.objective - result.bound)
    if distance == 0.0:
        return 0.0
    return float("inf") if result.objective == 0 else float(distance / abs(result.objective))


def maximizes(sense: Any) -> bool:
    """Whether a sense means maximizing; GurobiError for other numbers than 1 and -1."""
    number = int(sense)
    if number not in (1, 0, -1):
        raise failure("INVALID_ARGUMENT", "Invalid objective sense")
    return number < 0


def goal_at(state: Any, index: int) -> Goal:
    """Objective number `index`, made where it does not exist, with those before it."""
    if index == 0:
        first: Goal = state.goal
        return first
    for number in range(1, index + 1):
        state.goals.setdefault(number, Goal())
    found: Goal = state.goals[index]
    return found


def goal_read(state: Any, number: int) -> Goal:
    """Objective `number` of a model of several."""
    if not state.several:
        raise UnreadError("VALUE_OUT_OF_RANGE", "It isn't a multi-objective model")
    _within(number, state.several)
    return goal_at(state, number)


def later_of_goal(state: Any, change: Callable[[int, Goal], None]) -> None:
    """Change, at the next update, the objective that ObjNumber asks for now."""
    number = state.params["ObjNumber"]
    _within(number, state.meant)
    state.later(lambda: change(number, goal_at(state, number)))


def _within(number: int, count: int) -> None:
    if number >= count:
        text = "Value of parameter ObjNumber is larger than the number of objectives"
        raise UnreadError("VALUE_OUT_OF_RANGE", text)


def objective_values(state: Any) -> list[float]:
    """The value of each of several objectives at the solution."""
    x = state.x or []
    first = sum(c * v for c, v in zip(state.cost, x, strict=False)) + state.goal.constant
    return [float(first), *(goal.value(x) for _, goal in sorted(state.goals.items()))]
