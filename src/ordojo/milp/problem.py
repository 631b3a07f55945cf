"""A whole problem: a linear model with what is beyond it, and what its program asks of a solver."""

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from ordojo.milp.model import INF, Floats, Ints, Model


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


VALUE_FIRST = frozenset(
    {
        *(GeneralFunction.MAX, GeneralFunction.MIN, GeneralFunction.ABS),
        *(GeneralFunction.AND, GeneralFunction.OR, GeneralFunction.NORM),
    }
)
"""Functions whose value stands before their arguments in an MPS file; of the others it stands
behind."""


class Quadratic(NamedTuple):
    """Terms value[k] * x[first[k]] * x[second[k]]; a square has first == second."""

    first: Ints
    second: Ints
    value: Floats

    @classmethod
    def of(cls, terms: Iterable[tuple[int, int, float]]) -> "Quadratic":
        """The part of these terms: two columns and a coefficient each."""
        first, second, value = zip(*terms, strict=True) if (terms := [*terms]) else ((), (), ())
        index = np.array(first, np.int32), np.array(second, np.int32)
        return cls(*index, np.array(value, np.float64))

    def terms(self) -> list[tuple[int, int, float]]:
        """Each term's two columns and its coefficient."""
        parts = self.first.tolist(), self.second.tolist(), self.value.tolist()
        return list(zip(*parts, strict=True))

    def value_at(self, x: Floats) -> float:
        """What the terms add up to at a point x of n numbers."""
        return float(self.value @ (x[self.first] * x[self.second]))


class QuadraticRow(NamedTuple):
    """lower <= linear + quadratic terms <= upper."""

    name: str
    index: Ints  # type: ignore[assignment]  # hides tuple.index
    value: Floats
    quadratic: Quadratic
    lower: float
    upper: float


class Indicator(NamedTuple):
    """If column `binary` has `active` (0 or 1), then lower <= row <= upper."""

    name: str
    binary: int
    active: int
    index: Ints  # type: ignore[assignment]  # hides tuple.index
    value: Floats
    lower: float
    upper: float


class Sos(NamedTuple):
    """A special ordered set of type 1 or 2 over columns in the order of their weights."""

    kind: int
    index: Ints  # type: ignore[assignment]  # hides tuple.index
    weights: Floats
    name: str = ""


class General(NamedTuple):
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


class LinearObjective(NamedTuple):
    """One of several linear objectives; higher priorities come first, equal ones are summed."""

    name: str
    priority: int
    weight: float
    abs_tol: float
    rel_tol: float
    coefficients: Floats
    offset: float = 0.0

    def value_at(self, x: Floats) -> float:
        """Its value at a point x of n numbers."""
        return float(self.coefficients @ x) + self.offset


class Settings(NamedTuple):
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


PARTS = ("quadratic_rows", "indicators", "sos", "general")
"""The fields of a problem that hold parts beside the linear rows."""


@dataclass(frozen=True, eq=False)
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
    notes: tuple[str, ...] = ()
    """Sentences on what a file left to its reader, and how it was read."""
    title: str = ""
    """What an MPS file calls its model, which is named after the file."""

    @property
    def parts(self) -> tuple[QuadraticRow | Indicator | Sos | General, ...]:
        """All that restricts columns beside the linear rows."""
        return tuple(part for field in PARTS for part in getattr(self, field))

    @property
    def is_linear(self) -> bool:
        """Whether the model is all there is, so that any MIP solver will do."""
        return not any(_parts(self).values())


def _parts(problem: Problem) -> dict[str, object]:
    return {
        "a quadratic objective": problem.quadratic,
        "quadratic constraints": problem.quadratic_rows,
        "indicator constraints": problem.indicators,
        "special ordered sets": problem.sos,
        "general constraints": problem.general,
        "several objectives": problem.objectives,
    }


def beyond_linear(problem: Problem) -> str:
    """What a problem has that no linear model has, in words; "" where it is linear."""
    parts = {**_parts(problem), "lazy constraints": problem.settings.lazy}
    return ", ".join(name for name, found in parts.items() if found)


def with_pieces(problem: Problem, pieces: Mapping[int, tuple[float, ...]]) -> Problem:
    """The problem with piecewise-linear terms of columns in its objective.

    `pieces` has points x1, y1, x2, y2, ... by column; each gets a column for its value.
    """
    if not pieces:
        return problem
    model, general = problem.model, list(problem.general)
    for column, numbers in pieces.items():
        new = model.n
        model = model.with_new_col(f"pwl.{new}", -INF, cost=1.0)
        operands = np.array([column], np.int32)
        general.append(General(f"pwl.{new}", GeneralFunction.PWL, new, operands, numbers))
    start = problem.start
    if start is not None:
        start = np.append(start, np.full(model.n - len(start), np.nan))
    return dataclasses.replace(problem, model=model, general=tuple(general), start=start)


def without_pieces(problem: Problem) -> tuple[Problem, dict[int, tuple[float, ...]]]:
    """Undoes `with_pieces`: the problem without these columns, and the points by column."""
    model = problem.model
    pieces = {
        part.result: part for part in problem.general if model.col_names[part.result] == part.name
    }
    if not pieces or min(pieces) != model.n - len(pieces):
        return problem, {}
    kept = slice(0, model.n - len(pieces))
    model = dataclasses.replace(
        model,
        col_names=model.col_names[kept],
        objective=model.objective[kept],
        col_lower=model.col_lower[kept],
        col_upper=model.col_upper[kept],
        types=model.types[kept],
    )
    general = tuple(part for part in problem.general if part.result not in pieces)
    points = {int(part.operands[0]): part.numbers for part in pieces.values()}
    start = None if problem.start is None else problem.start[kept]
    return dataclasses.replace(problem, model=model, general=general, start=start), points
