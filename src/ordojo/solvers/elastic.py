"""The weighted elastic program: sides may give way, and the least total distance is sought.

The idea (Brown and Graves 1975; Chinneck's elastic filter): each side that may move gets a column
of its own that says how far, at a price. The program is feasible, and its optimum is the cheapest
repair; where its search ends before, the bound it proved says what is left to gain.

A side between two values that whole numbers can add up to moves to one of these, or not at all: no
tolerance then takes a step for less, and free columns end no search late.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ordojo.core.errors import SolverError
from ordojo.milp.model import INF, Floats, Ints, Model, VarType
from ordojo.milp.tolerances import WHOLE
from ordojo.solvers.answers import SolveResult, Status
from ordojo.solvers.deletion import SMALL
from ordojo.solvers.farkas import apart
from ordojo.solvers.highs import HighsOracle
from ordojo.solvers.highs_model import solve_exactly
from ordojo.solvers.tightening import steps, tight


class Stretch(NamedTuple):
    """How far each side moved outwards, by member (see `farkas`).

    A solve proved that no movement costs less than `bound`; `x` (n) is its point.
    """

    moved: Floats
    bound: float = 0.0
    x: Floats | None = None


Solver = Callable[[Model, float], SolveResult]


def stretch(
    model: Model,
    price: Floats,
    seconds: float,
    solver: Solver | None = None,
    caps: Floats | None = None,
) -> Stretch | None:
    """Solve the elastic program: min sum w |shift| over the sides of finite weight.

    `price` says by member what a unit of each side's movement costs (inf: it stands firm), `caps`
    how far it may move. Row sides give way by a slack of their own; elastic column bounds become
    rows. Integrality stays. None where a solve proves that no allowed shift makes the model
    feasible; raises SolverError where that was not settled in time. `solver` solves the program;
    HiGHS without.
    """
    program, places = _program(model, price, np.full(len(price), INF) if caps is None else caps)
    solution = solver_for(program, solver)(program, max(seconds, 0.01))
    if solution.x is not None:
        moved = np.zeros(len(price))
        for members, columns, step, gap in places:
            far = solution.x[columns]
            whole = np.where(far > 0.5, step * np.rint(far) - gap, 0.0)
            moved[members] = np.where(gap > 0, whole, np.maximum(far, 0.0))
        x = solution.x[: model.n]
        return Stretch(moved, max(solution.bound or 0.0, 0.0), np.where(model.whole, np.rint(x), x))
    if solution.status == Status.INFEASIBLE:
        return None
    why = " in the time" if solution.status == Status.TIME_LIMIT else ": the solver failed"
    raise SolverError(f"the search for the least moves of sides was not settled{why}")


def solver_for(model: Model, solver: Solver | None) -> Solver:
    """The given solver, or of HiGHS's ways the quick one for a model's size."""
    return solver or (HighsOracle().solve if model.n <= SMALL else solve_exactly)


_Places = list[tuple[Ints, Ints, Floats, Floats]]
"""For each kind of side: members that move, their columns, how far one of these moves a side, and
how much of its first step a side need not go as it lies within (0: the column is the distance)."""


def _program(model: Model, price: Floats, caps: Floats) -> tuple[Model, _Places]:
    n, m = model.n, model.m
    (row_price, col_price), (row_caps, col_caps) = apart(price, m), apart(caps, m)
    given, model = model, tight(model)
    low, up = model.effective_bounds
    with np.errstate(invalid="ignore"):  # of no side
        row_gaps = [model.row_lower - given.row_lower, given.row_upper - model.row_upper]
        col_gaps = [low - given.effective_bounds[0], given.effective_bounds[1] - up]
    row_free = np.isfinite(row_price) & np.isfinite([model.row_lower, model.row_upper])
    firm = (model.types == VarType.BINARY) | model.semi
    col_free = np.isfinite(col_price) & np.isfinite([low, up]) & ~firm
    # Rows of the program: the model's, then elastic bounds, then upper sides that had to be parted
    # from a lower side above them.
    bounded = np.flatnonzero(col_free.any(axis=0)).astype(np.int32)
    lower = np.concatenate([model.row_lower, np.where(col_free[0], low, -INF)[bounded]])
    upper = np.concatenate([model.row_upper, np.where(col_free[1], up, INF)[bounded]])
    place = np.arange(m + len(bounded), dtype=np.int32)
    parted = np.flatnonzero(lower > upper).astype(np.int32)
    upper_place = place.copy()
    upper_place[parted] = len(place) + np.arange(len(parted), dtype=np.int32)
    base_rows = np.concatenate([model.entry_rows, m + np.arange(len(bounded), dtype=np.int32)])
    base_cols = np.concatenate([model.index, bounded])
    base_value = np.concatenate([model.value, np.ones(len(bounded))])
    twice = np.flatnonzero(np.isin(base_rows, parted))
    parts_rows = [base_rows, upper_place[base_rows[twice]]]
    parts_cols = [base_cols, base_cols[twice]]
    parts_value = [base_value, base_value[twice]]
    costs, most, kinds = [np.zeros(n)], [np.zeros(0)], [model.types]
    first: list[tuple[Ints, Floats]] = []
    size = n
    places: _Places = []
    back = np.full(n, -1, np.int32)
    back[bounded] = m + np.arange(len(bounded), dtype=np.int32)
    for free, wanted, most_of, before, spot, gaps, all_steps in (
        (row_free, row_price, row_caps, 0, place[:m], row_gaps, steps(model)),
        (col_free, col_price, col_caps, m, back, col_gaps, np.ones(n)),
    ):
        for side in (0, 1):
            numbers = np.flatnonzero(free[side]).astype(np.int32)
            columns = size + np.arange(len(numbers), dtype=np.int32)
            size += len(numbers)
            at = spot[numbers]
            parts_rows.append(upper_place[at] if side else at)
            parts_cols.append(columns)
            gap = np.where(gaps[side][numbers] > WHOLE, gaps[side][numbers], 0.0)
            within = gap > 0
            step = np.where(within, all_steps[numbers], 1.0)
            parts_value.append(-step if side else step)
            costs.append(step * wanted[side, numbers])
            cap = most_of[side, numbers]
            most.append(np.where(within, np.floor((cap + gap) / step + WHOLE), cap))
            kinds.append(np.where(within, VarType.INTEGER, VarType.CONTINUOUS).astype(np.uint8))
            first.append((columns[within], (gap * wanted[side, numbers])[within]))
            places.append((2 * (before + numbers) + side, columns, step, gap))
    end_upper = upper[parted]
    upper[parted] = INF
    lower = np.concatenate([lower, np.full(len(parted), -INF)])
    upper = np.concatenate([upper, end_upper])
    # A side that moves at all is refunded what its first step has too much, once.
    stepped = np.concatenate([columns for columns, _ in first]).astype(np.int32)
    once = size + np.arange(len(stepped), dtype=np.int32)
    at = len(lower) + np.arange(len(stepped), dtype=np.int32)
    parts_rows += [at, at]
    parts_cols += [once, stepped]
    parts_value += [np.ones(len(stepped)), np.full(len(stepped), -1.0)]
    costs.append(-np.concatenate([refund for _, refund in first]))
    most.append(np.ones(len(stepped)))
    kinds.append(np.zeros(len(stepped), np.uint8))
    size += len(stepped)
    lower = np.concatenate([lower, np.full(len(stepped), -INF)])
    upper = np.concatenate([upper, np.zeros(len(stepped))])
    rows = np.concatenate(parts_rows)
    order = np.argsort(rows, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(lower)))])
    extra = size - n
    program = Model(
        *("elastic", False, np.concatenate(costs), 0.0, tuple(map(str, range(size)))),
        np.concatenate([np.where(col_free[0], -INF, low), np.zeros(extra)]),
        np.concatenate([np.where(col_free[1], INF, up), *most]),
        np.concatenate(kinds),
        *(tuple(map(str, range(len(lower)))), lower, upper, starts.astype(np.int32)),
        np.concatenate(parts_cols)[order].astype(np.int32),
        np.concatenate(parts_value)[order],
    )
    return program, places
