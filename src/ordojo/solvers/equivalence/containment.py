"""Equality by containment: what each model asks follows from what the other asks.

Columns of the same name are the same quantity; a column that one model lacks is eliminated by an
equality. Then each row and bound of a model is maximised over the other's linear relaxation, and
the multipliers of that program show that it holds there (Farkas 1902). For integer columns this is
sufficient, not necessary. Redundant and aggregated rows are seen through so, and equalities that
are combined otherwise.
"""

import dataclasses
import threading
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from ordojo.core.errors import SolverError
from ordojo.milp.model import INF, Model, VarType
from ordojo.milp.tolerances import SAME
from ordojo.solvers.answers import Status
from ordojo.solvers.equivalence.answers import Implication
from ordojo.solvers.equivalence.reduce import InvalidStepError, ReducedModel, near
from ordojo.solvers.equivalence.witnesses import NamedConstraint, NamedModel, demands_of
from ordojo.solvers.highs import HighsSession
from ordojo.solvers.search import Search


class _Own(threading.local):
    """A thread's solver, kept: making one takes longer than most of these solves."""

    def __init__(self) -> None:
        self.session = HighsSession()


_own = _Own()

Sides = dict[frozenset[tuple[str, float]], tuple[float, float]]


def contain_each_other(one: Model, other: Model, clock: Search) -> tuple[Implication, ...] | None:
    """The multipliers that show both to be the same problem by names; None where there are none."""
    views = _views(one, other)
    if views is None:
        return None
    found: list[Implication] = []
    for side, (source, target) in enumerate((views, views[::-1])):
        for number, _, sense, multipliers in _shown(source, target, clock):
            if multipliers is None:
                return None
            found.append((side, number, sense, multipliers))
    return tuple(found)


def unmet(one: Model, other: Model, time_limit: float) -> frozenset[str] | None:
    """What `other` asks and is not shown to follow from what `one` asks, in `time_limit` seconds.

    Rows by name, bounds as "column.lb" and "column.ub"; columns of the same name are the same
    quantity. None where the models cannot be compared: other columns are whole, or a column that
    one of them lacks is not defined by an equality of the other.
    """
    views = _views(one, other)
    if views is None:
        return None
    return frozenset(
        demand.row or f"{next(iter(demand.terms))}.{'ub' if sense > 0 else 'lb'}"
        for number, demand, sense, multipliers in _shown(*views, Search(time_limit))
        if multipliers is None and number < len(views[1].demands)
    )


_Shown = tuple[int, NamedConstraint, int, tuple[tuple[int, float], ...] | None]
"""A demand's number, the demand, the sense of its side, and what shows it: None where nothing."""


def _shown(source: NamedModel, target: NamedModel, clock: Search) -> Iterator[_Shown]:
    """Each side of what the target asks and the source does not state."""
    names, sides = sorted(source.names), _sides_of(source)
    relaxation = _relaxation(source, names)
    for number, demand in enumerate(_asked(source, target)):
        for sense, end in ((1, demand.up), (-1, demand.low)):
            if abs(end) == INF or _stated(sides, demand, sense):
                continue
            multipliers = _multipliers(_own.session, relaxation, names, demand, sense, clock.left)
            shown = _follows(source, demand, sense, multipliers)
            yield number, demand, sense, multipliers if shown else None


def _views(one: Model, other: Model) -> tuple[NamedModel, NamedModel] | None:
    """Both over the columns that they share; None where they cannot be, or not the same are whole.

    Semicontinuous columns are not seen.
    """
    shared = one.cols.keys() & other.cols.keys()
    found = []
    for model in (one, other):
        if not shared or model.semi.any():
            return None
        state = ReducedModel(model)
        try:
            for j in [j for j, name in enumerate(model.col_names) if name not in shared]:
                state.eliminate(j)
        except InvalidStepError:
            return None
        found.append(demands_of(model, state))
    whole = [{next(iter(d.terms)) for d in view.demands if d.whole} for view in found]
    return (found[0], found[1]) if whole[0] == whole[1] else None


def _asked(source: NamedModel, target: NamedModel) -> list[NamedConstraint]:
    """The target's demands, and that its objective is the source's."""
    gap = {}
    for name in sorted(source.names):
        a, b = source.cost.get(name, 0.0), target.cost.get(name, 0.0)
        if abs(a - b) > SAME * max(abs(a), abs(b)):
            gap[name] = a - b
    off = target.offset - source.offset
    size = max(abs(target.offset), abs(source.offset))
    off = 0.0 if abs(off) <= SAME * size else off
    return [*target.demands, NamedConstraint("the objective", gap, off, off)]


def _sides_of(source: NamedModel) -> Sides:
    """What the source states of each sum of terms, so that there is nothing to prove of it."""
    sides: Sides = {}
    for d in source.demands:
        key = frozenset(d.terms.items())
        low, up = sides.get(key, (-INF, INF))
        sides[key] = max(low, d.low), min(up, d.up)
    return sides


def _stated(sides: Sides, demand: NamedConstraint, sense: int) -> bool:
    low, up = sides.get(frozenset(demand.terms.items()), (-INF, INF))
    return up <= demand.up if sense > 0 else low >= demand.low


def _relaxation(source: NamedModel, names: list[str]) -> Model:
    """All demands as rows over free columns, so that the rows' duals are the whole proof."""
    place = {name: j for j, name in enumerate(names)}
    columns = [(name, -INF, INF, VarType.CONTINUOUS, 0.0) for name in names]
    rows = [
        (f"r{k}", d.low, d.up, [place[name] for name in d.terms], d.terms.values())
        for k, d in enumerate(source.demands)
    ]
    return Model.of("relaxation", False, 0.0, columns, rows)


def _multipliers(
    session: HighsSession,
    relaxation: Model,
    names: list[str],
    demand: NamedConstraint,
    sense: int,
    seconds: float,
) -> tuple[tuple[int, float], ...]:
    """Those of the relaxation's rows that bound a demand; none where it has no bound."""
    if seconds <= 0 or not demand.terms:
        return ()
    cost = np.array([-sense * demand.terms.get(name, 0.0) for name in names])
    try:
        session.load(dataclasses.replace(relaxation, objective=cost))
        found = session.solve(seconds)
    except SolverError:
        return ()
    if found.status != Status.OPTIMAL or found.row_dual is None:
        return ()
    return tuple((k, -y) for k, y in enumerate(found.row_dual.tolist()) if y != 0)


def _follows(
    source: NamedModel,
    demand: NamedConstraint,
    sense: int,
    multipliers: Sequence[tuple[int, float]],
) -> bool:
    """Whether the source's demands, so combined, say as much, to a relative 1e-9."""
    total: dict[str, float] = {}
    size: dict[str, float] = {}
    ends = []
    for k, y in multipliers:
        if not 0 <= k < len(source.demands) or not abs(y) < INF:
            return False
        part = source.demands[k]
        ends.append(y * (part.up if y > 0 else part.low))
        for name, a in part.terms.items():
            total[name] = total.get(name, 0.0) + y * a
            size[name] = size.get(name, 0.0) + abs(y * a)
    wanted: Mapping[str, float] = {name: sense * a for name, a in demand.terms.items()}
    if not all(
        near(total.get(name, 0.0), wanted.get(name, 0.0), size.get(name, 0.0))
        for name in total.keys() | wanted.keys()
    ):
        return False
    end = demand.up if sense > 0 else -demand.low
    bound = sum(ends)
    return bound <= end or near(bound, end, sum(map(abs, ends)))
