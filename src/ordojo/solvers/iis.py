"""Infeasible subsystems: rows first, as a person reads them; and checked, member by member."""

import math
from collections.abc import Iterable
from contextlib import closing

import numpy as np

from ordojo.core.errors import SolverError
from ordojo.milp.model import INF, Model, VarType
from ordojo.solvers.answers import Iis, Status
from ordojo.solvers.deletion import Subsystems, shrink
from ordojo.solvers.farkas import as_iis, as_members, sides_of, with_members
from ordojo.solvers.highs import HighsSession
from ordojo.solvers.protocol import TIME_LIMIT, Oracle, SolverSession
from ordojo.solvers.search import Search


def conflict(model: Model, seconds: float, rows: Iterable[int] | None = None) -> Iis:
    """Rows that contradict each other with all bounds and types kept, then the bounds they need.

    Without any one row the rest has a point, all bounds kept; without any one bound of those named
    the rows have one. `rows` are numbers to start from; all without. What time did not settle is
    not `proven`. Raises SolverError where no solve showed these infeasible.
    """
    clock = Search(seconds)
    whole = Subsystems(model, False)
    bounds = frozenset(member for member in whole.members if member >> 1 >= model.m)
    if rows is None:
        rows = _of_a_ray(model, clock.share())
    kept = {2 * i + side for i in rows for side in (0, 1)} & set(whole.members)
    found = shrink(whole, clock.share(0.5), kept | bounds, bounds)
    systems, integral = whole, found is None
    sure = found is not None and found[1]
    kept = kept if found is None else set(found[0]) - bounds
    if model.is_mip:
        typed = Subsystems(model, True)
        own = frozenset(member for member in typed.members if member >> 1 >= model.m)
        fewer = shrink(typed, clock.share(0.5), kept | own, own)
        sure = fewer is not None and fewer[1]
        if fewer is not None and set(fewer[0]) - own != kept:
            kept = set(fewer[0]) - own
            integral = whole.feasible(kept | bounds, clock.share())[0] is not False
        if integral:
            systems, bounds = typed, own
        found = fewer or found
    if found is None:
        raise SolverError("no solve proved the rows infeasible by themselves in the time")
    last = shrink(systems, clock.share(), kept | bounds, frozenset(kept))
    members, proven = (sorted(kept | bounds), False) if last is None else last
    return as_iis(members, model.m, integral=integral, proven=sure and proven, method="rows first")


def _of_a_ray(model: Model, seconds: float) -> Iterable[int]:
    """The rows in a proof that the relaxation is infeasible; all rows where it is not."""
    with closing(HighsSession()) as session:
        session.load(model.relaxed)
        if session.solve(seconds).status != Status.INFEASIBLE:
            return range(model.m)
        return [i for i, _ in session.iis(seconds).rows]


def for_whole_numbers(model: Model, iis: Iis) -> bool:
    """Whether it takes part in a conflict that some of its columns are whole numbers.

    That a semicontinuous column may not be between 0 and its bound stands in its bound.
    """
    columns = {j for i, _ in iis.rows for j in model.row(i)[0].tolist()}
    return iis.integral and bool(model.whole[[*columns, *(j for j, _ in iis.bounds)]].any())


def subsystem(model: Model, iis: Iis) -> Model:
    """The model of the IIS alone: other rows and bounds without sides, no objective.

    Without integrality all columns are continuous, and semicontinuous ones reach to 0; with it a
    BINARY column is an integer one between the bounds that take part.
    """
    low, up = model.effective_bounds
    types = np.where(model.types == VarType.BINARY, VarType.INTEGER, model.types).astype(np.uint8)
    if not iis.integral:
        low, up, types = *model.hull, np.zeros_like(types)
    full, nothing = sides_of(model, (low, up)), np.zeros(model.n)
    kept, members = np.tile([-INF, INF], model.m + model.n), as_members(iis, model.m)
    kept[members] = full[members]
    return with_members(model, kept, types=types, objective=nothing, offset=0.0)


def is_irreducible(
    model: Model, iis: Iis, oracle: Oracle, time_limit: float = TIME_LIMIT
) -> str | None:
    """None where the members have no common point, and without any one of them they have.

    Else a sentence that says what does not hold. The 1 + k solves run in one session of `oracle`,
    on the subsystem alone, `time_limit` seconds for all of them.
    """
    clock = Search(time_limit)
    part = subsystem(model, iis)
    members, sides = as_members(iis, model.m), sides_of(part).tolist()
    for member in members:
        if not math.isfinite(sides[member]):
            return f"{_name(model, member)} has no such side to take part"
    with closing(oracle.session()) as session:
        session.load(part)
        status = session.solve(clock.share()).status
        if status != Status.INFEASIBLE:
            return f"its {len(members)} members together are {status.value}, not INFEASIBLE"
        for member in members:
            _drop(session, sides, model.m, member)
            status = session.solve(clock.share()).status
            if status not in (Status.OPTIMAL, Status.UNBOUNDED):
                return f"without {_name(model, member)} the rest is still {status.value}"
            _drop(session, sides, model.m, member, back=True)
    return None


def _drop(
    session: SolverSession, sides: list[float], m: int, member: int, back: bool = False
) -> None:
    place = member >> 1
    low, up = sides[2 * place : 2 * place + 2]
    if not back:
        low, up = (low, INF) if member & 1 else (-INF, up)
    if place < m:
        session.set_row_bounds(place, low, up)
    else:
        session.set_col_bounds(place - m, low, up)


def _name(model: Model, member: int) -> str:
    place, side = member >> 1, ("lower", "upper")[member & 1]
    if place < model.m:
        return f"the {side} side of row '{model.row_names[place]}'"
    return f"the {side} bound of column '{model.col_names[place - model.m]}'"
