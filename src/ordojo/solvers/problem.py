"""What a solver is handed, and what passes while it runs."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ordojo.milp.model import Floats, Ints, Model, VarType
from ordojo.milp.problem import (
    General,
    GeneralFunction,
    Indicator,
    LinearObjective,
    Problem,
    Quadratic,
    QuadraticRow,
    Settings,
    Sos,
)
from ordojo.milp.tolerances import SAME

__all__ = [
    "MESSAGE",
    "MIP",
    "MIPNODE",
    "MIPSOL",
    "WHERES",
    "Callback",
    "CallbackReply",
    "Event",
    "General",
    "GeneralFunction",
    "Indicator",
    "LazyConstraint",
    "LinearObjective",
    "Problem",
    "Quadratic",
    "QuadraticRow",
    "Settings",
    "Sos",
    "evaluate",
    "snapped",
    "without_objective",
]

MIP, MIPSOL, MIPNODE, MESSAGE = "mip", "mipsol", "mipnode", "message"
WHERES = (MIP, MIPSOL, MIPNODE, MESSAGE)


@dataclass(frozen=True, slots=True)
class Event:
    """A moment in a solve at which the program's callback is asked.

    `where` is one of WHERES. `x` (n) and `objective` are the new solution's at "mipsol" and the
    relaxation's at "mipnode", else None. `best` and `bound` are the incumbent's value and the
    proven bound so far, None where there is none yet.
    """

    where: str
    x: Floats | None = None
    objective: float | None = None
    best: float | None = None
    bound: float | None = None
    nodes: int = 0
    seconds: float = 0.0
    message: str = ""


@dataclass(frozen=True, slots=True)
class LazyConstraint:
    """A lazy constraint: lower <= sum of value[k] * x[index[k]] <= upper."""

    index: Ints
    value: Floats
    lower: float
    upper: float


@dataclass(frozen=True, slots=True)
class CallbackReply:
    """The callback's answer; `solution` (n, NaN where not given) is tried as a heuristic one."""

    lazy: tuple[LazyConstraint, ...] = ()
    terminate: bool = False
    solution: Floats | None = None


Callback = Callable[[Event], CallbackReply]


def evaluate(problem: Problem, x: Floats) -> float:
    """The objective's value at a point (n)."""
    value = float(problem.model.objective @ x) + problem.model.offset
    if problem.quadratic is not None:
        value += problem.quadratic.value_at(x)
    return value


def snapped(x: Floats, model: Model) -> Floats:
    """The point with integers exact that were whole up to rounding errors."""
    whole = np.rint(x)
    integral = (model.types == VarType.INTEGER) | (model.types == VarType.BINARY)
    return np.where(integral & (np.abs(x - whole) < SAME), whole, x) + 0.0


def without_objective(problem: Problem) -> Problem:
    """The problem of finding any point, which tells infeasible from unbounded."""
    model = dataclasses.replace(problem.model, objective=np.zeros(problem.model.n))
    return dataclasses.replace(problem, model=model, quadratic=None)
