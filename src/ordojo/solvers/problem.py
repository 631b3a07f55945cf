"""What a solver is handed: a model with what is beyond linear, and what passes while it runs."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from ordojo.milp.model import Floats, Ints, Model, VarType


class GeneralFunction(StrEnum):
    """General constraints: result = function of the operands."""

    MAX = "max"
    MIN = "min"
    ABS = "abs"
    AND = "and"
    OR = "or"
    NORM = "norm"
    PWL = "pwl"
    POW = "pow"
    EXP = "exp"
    EXPA = "expa"
    LOG = "log"
    LOGA = "loga"
    SIN = "sin"
    COS = "cos"
    TAN = "tan"
    POLY = "poly"
    LOGISTIC = "logistic"


@dataclass(frozen=True, slots=True)
class Quadratic:
    """Terms value[k] * x[first[k]] * x[second[k]]; a square has first == second."""

    first: Ints
    second: Ints
    value: Floats


@dataclass(frozen=True, slots=True)
class QuadraticRow:
    """lower <= linear + quadratic terms <= upper."""

    name: str
    index: Ints
    value: Floats
    quadratic: Quadratic
    lower: float
    upper: float


@dataclass(frozen=True, slots=True)
class Indicator:
    """If column `binary` has `active` (0 or 1), then lower <= row <= upper."""

    name: str
    binary: int
    active: int
    index: Ints
    value: Floats
    lower: float
    upper: float


@dataclass(frozen=True, slots=True)
class Sos:
    """A special ordered set of type 1 or 2 over columns in the order of their weights."""

    kind: int
    index: Ints
    weights: Floats
    name: str = ""


@dataclass(frozen=True, slots=True)
class General:
    """Column `result` equals `function` of the columns `operands`.

    `numbers` are the function's constants: for MAX and MIN the constant operand if any; POW and
    EXPA and LOGA their base or exponent; NORM its order; POLY its coefficients, highest power
    first; PWL the points x1, y1, x2, y2, ...
    """

    name: str
    function: GeneralFunction
    result: int
    operands: Ints
    numbers: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class LinearObjective:
    """One of several linear objectives; higher priorities come first, equal ones are summed."""

    name: str
    priority: int
    weight: float
    abs_tol: float
    rel_tol: float
    coefficients: Floats
    offset: float = 0.0


@dataclass(frozen=True, slots=True)
class Settings:
    """Limits and tolerances that the program asked for; None: the solver's own.

    Of `pool_mode` 2 the pool holds the best `pool_solutions` points, no two of which have the same
    integers; of 0 and 1 what the search met. `pool_gap` (relative) and `pool_gap_abs` say how much
    worse than the best a point of the pool may be. `ignored` names what the program asked for
    that has no effect.
    """

    time_limit: float | None = None
    mip_gap: float | None = None
    mip_gap_abs: float | None = None
    feasibility_tol: float | None = None
    integrality_tol: float | None = None
    node_limit: float | None = None
    solution_limit: int | None = None
    cutoff: float | None = None
    best_obj_stop: float | None = None
    pool_solutions: int = 1
    presolve: bool = True
    relaxed: bool = False
    lazy: bool = False
    seed: int = 0
    pool_mode: int = 0
    pool_gap: float | None = None
    pool_gap_abs: float | None = None
    ignored: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """Everything that one optimize() call hands over; `start` has NaN where nothing is given."""

    model: Model
    quadratic: Quadratic | None = None
    quadratic_rows: tuple[QuadraticRow, ...] = ()
    indicators: tuple[Indicator, ...] = ()
    sos: tuple[Sos, ...] = ()
    general: tuple[General, ...] = ()
    objectives: tuple[LinearObjective, ...] = ()
    start: Floats | None = None
    settings: Settings = field(default_factory=Settings)

    @property
    def is_linear(self) -> bool:
        """Whether the model is all there is, so that any MIP solver will do."""
        return not (
            self.quadratic
            or self.quadratic_rows
            or self.indicators
            or self.sos
            or self.general
            or self.objectives
        )


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
        q = problem.quadratic
        value += float(q.value @ (x[q.first] * x[q.second]))
    return value


def snapped(x: Floats, model: Model) -> Floats:
    """The point with integers exact that were whole up to rounding errors."""
    whole = np.rint(x)
    integral = (model.types == VarType.INTEGER) | (model.types == VarType.BINARY)
    return np.where(integral & (np.abs(x - whole) < 1e-9), whole, x) + 0.0


def without_objective(problem: Problem) -> Problem:
    """The problem of finding any point, which tells infeasible from unbounded."""
    model = dataclasses.replace(problem.model, objective=np.zeros(problem.model.n))
    return dataclasses.replace(problem, model=model, quadratic=None)
