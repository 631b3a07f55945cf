"""What an injector works on and what it makes, with the solver that decides.

Beneath stand the one action that brings an element back (`restore_*`) and the changes that
injectors make: a row put in (`insert_row`), turned (`flipped`) or given another side, a bound
moved. `tidy` brings a row's columns into the order in which a repair is read back.
"""

import dataclasses
import math
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ordojo.benchmarks.or_debug.actions import Action, ActionKind, number
from ordojo.benchmarks.or_debug.telling.rules import Fact, Telling, Told
from ordojo.milp.algebra import row_text
from ordojo.milp.model import INF, Floats, Model, VarType
from ordojo.solvers.answers import Iis, SolveResult, Status
from ordojo.solvers.highs import HighsOracle, HighsSession

PATIENCE = 60.0
"""Seconds for one solve of a large model, which takes a few where nothing else runs."""


class ColdSolver:
    """One session of HiGHS, loaded afresh for every question."""

    def __init__(self) -> None:
        self.oracle = HighsOracle()
        self._session = self.oracle.session()

    def solve(self, model: Model) -> SolveResult:
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
        self,
        model: Model,
        index: Sequence[int],
        value: Sequence[float],
        greatest: bool,
        relaxed: bool = True,
    ) -> float:
        """The greatest or least value of a linear form, over the LP relaxation if `relaxed`.

        Infinite where it is unbounded, NaN where there is no solution or no answer came.
        """
        cost = np.zeros(model.n)
        cost[np.asarray(index, np.int64)] = value
        base = model.relaxed if relaxed else model
        found = self.solve(dataclasses.replace(base, objective=cost, offset=0.0, maximize=greatest))
        if found.status == Status.UNBOUNDED:
            return math.inf if greatest else -math.inf
        return math.nan if found.objective is None else found.objective

    def row_extreme(self, model: Model, i: int, greatest: bool) -> float:
        """The greatest or least activity of row i over the LP relaxation."""
        index, value = model.row(i)
        return self.extreme(model, index.tolist(), value.tolist(), greatest)

    def relaxation(self, model: Model) -> SolveResult:
        """Solve the LP relaxation."""
        return self.solve(model.relaxed)

    def close(self) -> None:
        """Free the solver."""
        self._session.close()


class OwnSolver(threading.local):
    """A thread's solver, kept: making one takes longer than most solves of small models."""

    def __init__(self) -> None:
        self.solver = ColdSolver()


class WarmSolver(ColdSolver):
    """Goes from one question about a large model to the next by what differs.

    Extremes have a session of their own: from the one's optimum to the other's it is far.
    """

    def __init__(self) -> None:
        super().__init__()
        self._there: Model | None = None
        self._aside: tuple[HighsSession, Model | None] = self.oracle.session(), None

    def solve(self, model: Model) -> SolveResult:
        """Solve a model."""
        there, session = self._there, self._session
        self._there = model
        if there is None or not _alike(there, model):
            session.load(model)
            return session.solve(PATIENCE)
        sides = there.row_lower != model.row_lower, there.row_upper != model.row_upper
        for i in np.unique(model.entry_rows[there.value != model.value]).tolist():
            index, value = (part.tolist() for part in model.row(i))
            session.set_row(i, index, value, *model.sides(i))
        for i in np.flatnonzero(sides[0] | sides[1]).tolist():
            session.set_row_bounds(i, *model.sides(i))
        ends = there.col_lower != model.col_lower, there.col_upper != model.col_upper
        for j in np.flatnonzero(ends[0] | ends[1]).tolist():
            session.set_col_bounds(j, *model.bounds(j))
        if there.maximize != model.maximize or (there.objective != model.objective).any():
            session.set_cost(model.objective, model.maximize)
        return session.solve(PATIENCE)

    def extreme(
        self,
        model: Model,
        index: Sequence[int],
        value: Sequence[float],
        greatest: bool,
        relaxed: bool = True,
    ) -> float:
        """See `ColdSolver.extreme`."""
        self._exchange()
        try:
            if self._there is None:  # from an optimum of all costs it is nearer than from nothing
                self.solve(model)
            return super().extreme(model, index, value, greatest, relaxed)
        finally:
            self._exchange()

    def _exchange(self) -> None:
        here = self._session, self._there
        (self._session, self._there), self._aside = self._aside, here

    def close(self) -> None:
        """Free the solvers."""
        super().close()
        self._aside[0].close()


def _alike(one: Model, two: Model) -> bool:
    """Whether two models have the same names, types, places of coefficients, and offset."""
    same = one.col_names is two.col_names and one.row_names is two.row_names
    pairs = ((one.starts, two.starts), (one.index, two.index), (one.types, two.types))
    return same and one.offset == two.offset and all(np.array_equal(a, b) for a, b in pairs)


@dataclass(frozen=True)
class Source:
    """A seed problem that has an optimum: its model, its text, the optimal point and value.

    Rows have their columns in ascending order. With a `telling`, what is added is among `facts`,
    and told last; without, the text has it. Of `several` errors all have to be found at once, so
    that a guess at one need not be wrong two times in three.
    """

    family: str
    model: Model
    text: str
    point: Floats
    objective: float
    telling: Telling | None = None
    facts: tuple[Fact, ...] = ()
    several: bool = False

    def told(self) -> Told:
        """The whole text, whose words are drawn now."""
        if self.telling is None:
            return Told(self.text, self.text)
        return self.telling.told(self.text, self.model.col_names, self.facts)


@dataclass(frozen=True)
class InjectionCandidate:
    """A sabotaged problem before validation.

    `source` has and tells the true problem. `targets` are the sabotaged elements and `fix` one
    action for each.
    """

    source: Source
    sabotaged: Model
    targets: tuple[str, ...]
    fix: tuple[Action, ...]
    method: str

    @property
    def original(self) -> Model:
        """The true model."""
        return self.source.model

    def renamed(self, names: Mapping[str, str]) -> "InjectionCandidate":
        """The same under other names of rows."""
        return replace(
            self,
            source=replace(self.source, model=self.original.renamed(names)),
            sabotaged=self.sabotaged.renamed(names),
            targets=tuple(names.get(target, target) for target in self.targets),
            fix=tuple(replace(a, target=names.get(a.target, a.target)) for a in self.fix),
        )


Injector = Callable[[Source, np.random.Generator, ColdSolver], InjectionCandidate | None]
"""Sabotages a seed problem; None where its method finds no target."""


def row_candidate(
    source: Source, sabotaged: Model, rows: tuple[int, ...], method: str
) -> InjectionCandidate:
    """A candidate whose sabotage is in rows, with the fix that restores them one by one."""
    original = source.model
    return InjectionCandidate(
        source,
        sabotaged,
        tuple(original.row_names[i] for i in rows),
        tuple(restore_row(original, sabotaged, i) for i in rows),
        method,
    )


def bound_candidate(
    source: Source, sabotaged: Model, j: int, side: str, method: str
) -> InjectionCandidate:
    """A candidate whose sabotage is column j's bound "lb" or "ub"."""
    fix = restore_bound(source.model, sabotaged, j, side)
    return InjectionCandidate(source, sabotaged, (fix.target,), (fix,), method)


def restore_row(original: Model, sabotaged: Model, i: int) -> Action:
    """The one action that makes row i of `sabotaged` what it was.

    A moved right-hand side is relaxed back where that is exact in floating point, a row that the
    original has not (one without sides) is dropped, any other is rewritten.
    """
    name = original.row_names[i]
    if not original.is_live(i):
        return Action(ActionKind.DROP, name)
    old, new = original.sides(i), sabotaged.sides(i)
    terms, changed = original.row(i), sabotaged.row(i)
    if np.array_equal(terms[0], changed[0]) and np.array_equal(terms[1], changed[1]):
        moves = {round(a - b, 9) for a, b in zip(old, new, strict=True) if a != b}
        delta = moves.pop()
        if not moves and all(a in (b, b + delta) for a, b in zip(old, new, strict=True)):
            return Action(ActionKind.RELAX, name, delta)
    return Action(ActionKind.REWRITE, name, expr=row_text(original, i))


def restore_bound(original: Model, sabotaged: Model, j: int, side: str) -> Action:
    """The one action that makes the bound "lb" or "ub" of column j what it was."""
    target = f"{original.col_names[j]}.{side}"
    old, new = (
        float((model.col_lower if side == "lb" else model.col_upper)[j])
        for model in (original, sabotaged)
    )
    if not np.isfinite(old):
        return Action(ActionKind.DROP, target)
    delta = round(old - new, 9)
    if new + delta == old:
        return Action(ActionKind.RELAX, target, delta)
    return Action(ActionKind.REWRITE, target, expr=number(old))


def restore_type(original: Model, j: int) -> Action:
    """The one action that makes column j of its old type."""
    kind = VarType(int(original.types[j])).name
    return Action(ActionKind.REWRITE, f"{original.col_names[j]}.type", expr=kind)


def tidy(model: Model) -> Model:
    """A copy whose rows have their columns in ascending order, as parsed constraints do."""
    order = np.lexsort((model.index, model.entry_rows))
    return dataclasses.replace(model, index=model.index[order], value=model.value[order])


def insert_row(
    model: Model, at: int, name: str, terms: Mapping[int, float], lower: float, upper: float
) -> Model:
    """A copy with one more row before row `at`; `terms` are coefficients by column number."""
    index = np.array(sorted(terms), np.int32)
    value = np.array([terms[j] for j in sorted(terms)], np.float64)
    place = int(model.starts[at])
    starts = np.concatenate([model.starts[: at + 1], model.starts[at:] + len(index)])
    return dataclasses.replace(
        model,
        row_names=(*model.row_names[:at], name, *model.row_names[at:]),
        row_lower=np.insert(model.row_lower, at, lower),
        row_upper=np.insert(model.row_upper, at, upper),
        starts=starts.astype(np.int32),
        index=np.concatenate([model.index[:place], index, model.index[place:]]).astype(np.int32),
        value=np.concatenate([model.value[:place], value, model.value[place:]]),
    )


def flipped(model: Model, i: int) -> Model:
    """A copy in which row i, an inequality, points the other way."""
    low, up = model.sides(i)
    return model.with_row_bounds(i, -INF, low) if low > -INF else model.with_row_bounds(i, up, INF)


def is_inequality(model: Model, i: int) -> bool:
    """Whether row i has exactly one side."""
    return bool((model.row_lower[i] > -INF) != (model.row_upper[i] < INF))


def is_equation(model: Model, i: int) -> bool:
    """Whether row i fixes its activity."""
    return bool(model.row_lower[i] == model.row_upper[i])


def with_side(model: Model, i: int, rhs: float) -> Model:
    """A copy in which row i, an inequality or an equation, has another right-hand side."""
    low = rhs if model.row_lower[i] > -INF else -INF
    up = rhs if model.row_upper[i] < INF else INF
    return model.with_row_bounds(i, low, up)


def with_bound(model: Model, j: int, side: str, value: float) -> Model:
    """A copy in which column j's bound "lb" or "ub" is `value`."""
    if side == "lb":
        return model.with_col_bounds(j, value, float(model.col_upper[j]))
    return model.with_col_bounds(j, float(model.col_lower[j]), value)
