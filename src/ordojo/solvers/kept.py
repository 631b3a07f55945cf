"""Models with parts that are no linear rows: as rows for repairs, as they are for conflicts.

A repair moves sides of rows, so each indicator and each row with products becomes one, over columns
that the rest of it ties; sets and functions stand beside them. SCIP or Gurobi solves both together,
and no bound is written into a row, so that any may move. Without them bounds have to be, and stand
firm.
"""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from typing import Any

import numpy as np

from ordojo.core.errors import SolverError
from ordojo.core.extras import to_type
from ordojo.milp.algebra import indicator_text, products_text, row_text, set_text
from ordojo.milp.model import INF, Model, free_name
from ordojo.milp.problem import PARTS
from ordojo.milp.writers import function_text
from ordojo.solvers import choose, iis, parted, scip
from ordojo.solvers.answers import Iis, Shift, Side, SolveResult, Status
from ordojo.solvers.choose import get_oracle
from ordojo.solvers.highs import HighsOracle
from ordojo.solvers.highs_model import LEAST
from ordojo.solvers.problem import Problem, Settings, without_objective
from ordojo.solvers.protocol import TIME_LIMIT, Oracle, SolverSession, need_infeasible
from ordojo.solvers.reformulation import NotLinear, linearised, lowered
from ordojo.solvers.repair import apply_shifts
from ordojo.solvers.search import Search

Part = tuple[str, int]
"""A part of a problem: the field that holds it, and its place there."""
MOVING = ("quadratic_rows", "indicators")
"""Parts with sides, which a repair may move."""
_TEXTS: Mapping[str, Callable[[Model, Any], str]] = dict(
    zip(PARTS, (products_text, indicator_text, set_text, function_text), strict=True)
)
UNNAMED = dict(zip(PARTS, ("(products)", "(indicator)", "(set)", "(function)"), strict=True))
"""What a part without a name is called."""


TOLD = 20
"""Parts that a note names; more would hide the rest of what is said."""


@dataclasses.dataclass(frozen=True)
class Settled:
    """A problem as a model of rows that may move, and what is beside it.

    `source` is the problem itself. `kept` has the parts beyond linear, over the model's columns;
    None where the problem is linear. `parts` are those that rows of the model stand for, by the
    row's number. `firm` names the rows and bounds that only say what a part means, so that no
    repair moves them, and with `bound` also bounds that became constants of rows; `said` are
    sentences on what became of the parts.
    """

    model: Model
    source: Problem
    kept: Problem | None = None
    parts: Mapping[int, Part] = dataclasses.field(default_factory=dict)
    firm: tuple[str, ...] = ()
    bound: bool = False
    said: tuple[str, ...] = ()
    names: Mapping[Part, str] = dataclasses.field(default_factory=dict)
    """What parts are called, those that rows stand for as the first of these rows."""
    left_out: tuple[str, ...] = ()
    """Sentences on parts of the objective that the model lacks: of a conflict they are no part."""

    @property
    def explained(self) -> Model:
        """The model; of an objective that has more its linear part alone would say nothing."""
        if not self.left_out:
            return self.model
        return dataclasses.replace(self.model, objective=np.zeros(self.model.n))

    @property
    def still(self) -> Model:
        """The source's rows with the columns of its parts held, so that no step touches a part."""
        model = self.source.model
        held = list(_columns(dataclasses.replace(self.source, quadratic=None)))
        lower, upper = model.col_lower.copy(), model.col_upper.copy()
        lower[held] = upper[held] = 0.0
        return dataclasses.replace(model, col_lower=lower, col_upper=upper)

    def row_text(self, i: int) -> str:
        """Row i of the model in algebra, or the part that it stands for, as files have it."""
        part = self.parts.get(i)
        return row_text(self.model, i) if part is None else self.part_text(part)[1]

    def part_text(self, part: Part) -> tuple[str, str]:
        """The name of a part, and the part as LP files have it."""
        field, k = part
        return self.names[part], _TEXTS[field](self.source.model, getattr(self.source, field)[k])


def settled(problem: Problem, solver: str = "highs") -> Settled:
    """The problem with the parts that may move as rows under their own names, the others kept.

    HiGHS leaves these to SCIP. Raises SolverError for what only SCIP takes where that is not
    installed.
    """
    problem = dataclasses.replace(problem, model=_ranged(problem))
    if problem.is_linear:
        return Settled(problem.model, problem)
    left_out, source = [], problem
    if problem.objectives:
        left_out.append("Its objectives are left out: they have no part in a conflict.")
        problem = dataclasses.replace(problem, objectives=())
    if problem.quadratic is not None:
        try:
            linearised(Problem(problem.model, problem.quadratic))
        except NotLinear:
            left_out.append(
                "The products in its objective are left out: they have no part in a conflict."
            )
            problem = dataclasses.replace(problem, quadratic=None)
    if not problem.parts and problem.quadratic is None:
        return Settled(problem.model, source, left_out=tuple(left_out))
    own, bound = problem.model, solver == "highs" and not scip.installed()
    written = _bound(_keyed(problem)) if bound else _free(_keyed(problem))
    names, parts = list(written.model.row_names), {}
    keys = [name.rpartition("#")[0] for name in names]
    taken = set(names[: own.m])
    for i, key in enumerate(keys[own.m :], own.m):
        field, _, place = key.rpartition(":")
        part = getattr(problem, field)[int(place)] if field in PARTS else None
        own_name = part.name if part is not None else ""
        if field in MOVING and not bound:
            parts[i] = field, int(place)
        names[i], number = own_name, i
        while not names[i] or names[i] in taken:
            names[i], number = f"{own_name or 'part'}#{number}", number + 1
        taken.add(names[i])
    model = dataclasses.replace(written.model, row_names=tuple(names))
    firm = [names[i] for i in range(own.m, model.m) if i not in parts]
    held = set(range(own.n, model.n)) | (_columns(problem) if bound else set())
    firm += [f"{model.col_names[j]}{end}" for j in sorted(held) for end in (".lb", ".ub")]
    kept = dataclasses.replace(written, model=model, settings=Settings())
    called = {
        (field, k): part.name or UNNAMED[field]
        for field in PARTS
        for k, part in enumerate(getattr(problem, field))
    }
    called |= {part: names[i] for i, part in reversed(parts.items())}
    told = [*called.values()][:TOLD]
    told += [f"and {len(called) - TOLD:,} more"] if len(called) > TOLD else []
    said = []
    if told and bound:
        said.append(
            f"Written as rows by the bounds of their columns: {', '.join(told)}. Without SCIP "
            f"({to_type('scip')}) these parts and bounds stand firm."
        )
    elif told:
        name = "Gurobi" if solver == "gurobi" else "SCIP"
        firmly = " Sets and functions stand firm." if problem.sos or problem.general else ""
        said.append(f"Not written as rows: {', '.join(told)}; {name} solves with them.{firmly}")
    told_of = tuple(said), called, tuple(left_out)
    return Settled(model, source, kept, parts, tuple(firm), bound, *told_of)


def _keyed(problem: Problem) -> Problem:
    """The problem with its parts named by field and place, which their rows' names then tell."""
    keyed: dict[str, Any] = {
        field: tuple(
            part._replace(name=f"{field}:{k}") for k, part in enumerate(getattr(problem, field))
        )
        for field in PARTS
    }
    return dataclasses.replace(problem, **keyed)


def _free(problem: Problem) -> Problem:
    """Written without any bound that a repair may move, as it would be a constant from then on."""
    model = problem.model
    loose = ~model.semi
    free = dataclasses.replace(
        model,
        col_lower=np.where(loose, -INF, model.col_lower),
        col_upper=np.where(loose, INF, model.col_upper),
    )
    written = linearised(lowered(dataclasses.replace(problem, model=free)), keep=True)
    lower, upper = written.model.col_lower.copy(), written.model.col_upper.copy()
    lower[: model.n][loose] = model.col_lower[loose]
    upper[: model.n][loose] = model.col_upper[loose]
    bounded = dataclasses.replace(written.model, col_lower=lower, col_upper=upper)
    return dataclasses.replace(written, model=bounded)


def _bound(problem: Problem) -> Problem:
    """Written as rows by the bounds of columns, for a solver of these alone."""
    try:
        return linearised(lowered(problem), rounds=0)
    except NotLinear as error:
        raise SolverError(
            f"{error} needs SCIP, which is not installed; {to_type('scip')}"
        ) from error


def _columns(problem: Problem) -> set[int]:
    """The columns that parts are over."""
    found: set[int] = set()
    for row in problem.quadratic_rows:
        products = row.quadratic
        found |= {*row.index.tolist(), *products.first.tolist(), *products.second.tolist()}
    for tie in problem.indicators:
        found |= {tie.binary, *tie.index.tolist()}
    for each in problem.sos:
        found |= set(each.index.tolist())
    for general in problem.general:
        found |= {general.result, *general.operands.tolist()}
    if problem.quadratic is not None:
        found |= {*problem.quadratic.first.tolist(), *problem.quadratic.second.tolist()}
    return found


def repaired(found: Settled, shifts: Sequence[Shift]) -> Problem:
    """The problem with the sides moved that rows and bounds of its model have."""
    own, changed = [], {field: list(getattr(found.source, field)) for field in MOVING}
    for shift in shifts:
        part = found.parts.get(found.model.rows.get(shift.target, -1))
        if part is None:
            own.append(shift)
            continue
        field, k = part
        end = "upper" if shift.side == Side.UPPER else "lower"
        changed[field][k] = changed[field][k]._replace(**{end: shift.new})
    used = {part.name for field in MOVING for part in changed[field]} | {
        *found.source.model.row_names
    }
    parts: dict[str, Any] = {
        field: tuple(half for part in each for half in _one_sided(part, used))
        for field, each in changed.items()
    }
    return dataclasses.replace(found.source, model=apply_shifts(found.source.model, own), **parts)


def _one_sided(part: Any, used: set[str]) -> list[Any]:
    """A part, in two where it has two sides: no file can say them of one."""
    if not -INF < part.lower < part.upper < INF:
        return [part]
    name = part.name and free_name(f"{part.name}.up", used)
    used.add(name)
    halves = {"upper": INF}, {"lower": -INF, "name": name}
    return [part._replace(**half) for half in halves]


def _ranged(problem: Problem) -> Model:
    """The model with `x + Rgcap = 10` as `6 <= x <= 10`: Gurobi's hidden column of a range.

    It stays, in no row, so that the others keep their numbers.
    """
    model = problem.model
    costs = [model.objective, *(goal.coefficients for goal in problem.objectives)]
    used = _columns(problem).union(*(np.flatnonzero(cost).tolist() for cost in costs))
    counts = np.bincount(model.index, minlength=model.n)
    for name, j in [(name, j) for name, j in model.cols.items() if name.startswith("Rg")]:
        i = model.rows.get(name[2:], -1)
        if i < 0 or counts[j] != 1 or j in used or model.types[j]:
            continue
        index, value = model.row(i)
        rhs, mine = float(model.row_upper[i]), index == j
        if value[mine].tolist() == [1.0] and rhs == model.row_lower[i]:
            low, up = rhs - float(model.col_upper[j]), rhs - float(model.col_lower[j])
            model = model.with_row(i, index[~mine].tolist(), value[~mine].tolist(), low, up)
    return model


class KeptOracle(Oracle):
    """A model's rows together with what is kept beside them, by the solver of that name.

    Raises SolverError where the solver is missing.
    """

    def __init__(self, found: Settled, name: str = "scip") -> None:
        assert found.kept is not None
        self.settled, self.kept, self.name = found, found.kept, name
        self._solver = get_oracle(name)

    @property
    def version(self) -> str:
        """The solver's version."""
        return self._solver.version

    def session(self) -> "KeptSession":
        """A new session, empty."""
        return KeptSession(self)


def oracle_of(found: Settled, solver: str) -> Oracle:
    """Who answers for the rows and what is kept: HiGHS leaves to SCIP what is more than rows."""
    if found.kept is None:
        return get_oracle(solver)
    return KeptOracle(found, "scip" if solver == "highs" and not found.kept.is_linear else solver)


class KeptSession(SolverSession):
    """The current model with the kept parts, whose columns are the model's first ones."""

    def __init__(self, oracle: KeptOracle) -> None:
        self._oracle = oracle

    def solve(self, time_limit: float = TIME_LIMIT) -> SolveResult:
        """Solve as it stands."""
        search = Search(time_limit)
        if self._obvious() is not None:
            return SolveResult(Status.INFEASIBLE)
        problem = dataclasses.replace(self._oracle.kept, model=self.current(), settings=LEAST)
        found = choose.solve(problem, search, self._oracle.name)
        if found.status == Status.INFEASIBLE_OR_UNBOUNDED:
            point = choose.solve(without_objective(problem), search, self._oracle.name).status
            ended = Status.UNBOUNDED if point == Status.OPTIMAL else point
            found = found._replace(status=ended)
        activity = None if found.x is None else self.current().activities(found.x)
        return found._replace(status=found.status.told, activity=activity)

    def iis(self, time_limit: float = TIME_LIMIT) -> Iis:
        """Rows, bounds and parts that contradict each other; the linear ones alone if they do."""
        clock = Search(time_limit)
        found, model = self._oracle.settled, self.current()
        problem, at = self._without_freed()
        with closing(HighsOracle().session()) as session:
            session.load(problem.model)
            if session.solve(time_limit / 2).status == Status.INFEASIBLE:
                return iis.conflict(problem.model, clock.left)
        solver = "gurobi" if self._oracle.name == "gurobi" else "open"
        told = parted.conflict(problem, clock.left, solver)
        if told is None:
            need_infeasible(model, self.solve(clock.share()).status)
            raise SolverError("no solve proved the parts infeasible by themselves in the time")
        parts = [at[part] for part in told.parts]
        rows = {part: i for i, part in found.parts.items() if part in parts}
        return told._replace(
            rows=(*told.rows, *((i, _finite(model, i)) for i in sorted(rows.values()))),
            parts=tuple(part for part in parts if part not in rows),
        )

    def _without_freed(self) -> tuple[Problem, dict[Part, Part]]:
        """The problem with the rows and bounds as they stand, and where its parts came from.

        A part whose row has no sides is left out.
        """
        found, model = self._oracle.settled, self.current()
        own, free = found.source.model, (model.row_lower == -INF) & (model.row_upper == INF)
        gone = {part for i, part in found.parts.items() if free[i]}
        parts: dict[str, Any] = {}
        at: dict[Part, Part] = {}
        for field in PARTS:
            left = [k for k in range(len(getattr(found.source, field))) if (field, k) not in gone]
            at |= {(field, new): (field, k) for new, k in enumerate(left)}
            parts[field] = tuple(getattr(found.source, field)[k] for k in left)
        moved = dataclasses.replace(
            own,
            row_lower=model.row_lower[: own.m],
            row_upper=model.row_upper[: own.m],
            col_lower=model.col_lower[: own.n],
            col_upper=model.col_upper[: own.n],
        )
        return Problem(moved, **parts), at


def _finite(model: Model, i: int) -> Side:
    if model.row_lower[i] == -INF:
        return Side.UPPER
    return Side.LOWER if model.row_upper[i] == INF else Side.BOTH
