"""Conflicts of models with parts that no linear row expresses: these are kept, and stand firm.

What bounds allow is written as rows. The rest (products of continuous columns, what hangs on
columns without bounds, smooth functions) ties columns of the model beside its rows, and SCIP or
Gurobi solves both together.
"""

import dataclasses
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import ClassVar

import numpy as np

from ordojo.core.errors import SolverError, UsageError
from ordojo.core.extras import to_type
from ordojo.milp.model import INF, Floats, Ints, Model
from ordojo.solvers import choose, farkas, scip
from ordojo.solvers.answers import Iis, Shift, Side, SolveResult, Status
from ordojo.solvers.deletion import Subsystems, shrink
from ordojo.solvers.gurobi import GurobiOracle
from ordojo.solvers.iis import subsystem
from ordojo.solvers.problem import Indicator, Problem, QuadraticRow, Settings
from ordojo.solvers.protocol import TIME_LIMIT, need_infeasible
from ordojo.solvers.reformulation import NotLinear, linearised, lowered
from ordojo.solvers.repair import apply_shifts
from ordojo.solvers.scip import ScipOracle, ScipSession
from ordojo.solvers.search import Search


@dataclasses.dataclass(frozen=True)
class Settled:
    """A problem as a model, and what is beside it.

    `source` is the problem itself. `kept` has the parts beyond linear, over the model's columns;
    None where there are none. `firm` names the rows and bounds that only say what a part means, so
    that no repair moves them; `said` are sentences on what became of the parts.
    """

    model: Model
    source: Problem
    kept: Problem | None = None
    firm: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    """Sentences on parts of the objective that the model lacks: of a conflict they are no part."""


def settled(problem: Problem) -> Settled:
    """The problem with all parts as rows that can be, under their own names, the others kept."""
    problem = dataclasses.replace(problem, model=_ranged(problem))
    if problem.is_linear:
        return Settled(problem.model, problem)
    said, left_out, source = [], [], problem
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
    own = problem.model
    found = linearised(lowered(problem), keep=True)
    functions = {general.name for general in problem.general}
    rows = {row.name for row in problem.quadratic_rows}
    rows |= {indicator.name for indicator in problem.indicators} - functions
    new = found.model.row_names[own.m :]
    labels = [name.partition("#")[0] for name in new]
    taken = {*own.row_names, ""}
    names = tuple(
        label if labels.count(label) == 1 and label in rows - taken else name
        for name, label in zip(new, labels, strict=True)
    )
    model = dataclasses.replace(found.model, row_names=(*own.row_names, *names))
    firm = [name for name, label in zip(names, labels, strict=True) if label not in rows]
    firm += [f"{name}{end}" for name in model.col_names[own.n :] for end in (".lb", ".ub")]
    kept = dataclasses.replace(found, model=model, settings=Settings())
    parts = _parts(kept)
    tied = {int(row.index[0]) for row in kept.quadratic_rows}
    tied |= {int(indicator.index[0]) for indicator in kept.indicators}
    written = [
        label
        for i, label in enumerate(labels, own.m)
        if label and tied.isdisjoint(model.row(i)[0].tolist())
    ]
    if written:
        said.append(
            f"Written as rows by the bounds of their columns: {', '.join(dict.fromkeys(written))}."
        )
    if parts:
        said.append(f"Kept as they are, and firm: {', '.join(parts)}.")
    kept_too = kept if parts else None
    return Settled(model, source, kept_too, tuple(firm), tuple(said), tuple(left_out))


def repaired(problem: Problem, written: Model, shifts: Sequence[Shift]) -> Problem:
    """The problem with the sides moved that `written` has, its model as `settled` wrote it.

    Raises UsageError where it has several parts of the name of one that moves.
    """
    parts: list[QuadraticRow | Indicator] = [*problem.quadratic_rows, *problem.indicators]
    names = [part.name for part in parts]
    own = []
    for shift in shifts:
        name = shift.target.partition("#")[0]
        if (i := written.rows.get(shift.target, -1)) < problem.model.m:
            own.append(shift)
        elif names.count(name) > 1:
            raise UsageError(f"the model has several parts called '{name}'; name them apart first")
        elif isinstance(part := parts[names.index(name)], Indicator):
            parts[names.index(name)] = _given_way(part, *written.row(i), shift)
        else:
            parts[names.index(name)] = _with_side(part, shift)
    return dataclasses.replace(
        problem,
        model=apply_shifts(problem.model, own),
        quadratic_rows=tuple(part for part in parts if isinstance(part, QuadraticRow)),
        indicators=tuple(part for part in parts if isinstance(part, Indicator)),
    )


def _with_side(row: QuadraticRow, shift: Shift) -> QuadraticRow:
    if shift.side == Side.UPPER:
        return dataclasses.replace(row, upper=shift.new)
    return dataclasses.replace(row, lower=shift.new)


def _given_way(part: Indicator, index: Ints, value: Floats, shift: Shift) -> Indicator:
    """The indicator with its side moved as far as that of its row, which may have it turned."""
    k, by = int(np.argmax(part.index != part.binary)), shift.new - shift.old
    same = value[index == part.index[k]].item() == part.value[k]
    if part.lower == -INF or (part.upper < INF and same):
        return dataclasses.replace(part, upper=part.upper + by)
    return dataclasses.replace(part, lower=part.lower - by)


def _ranged(problem: Problem) -> Model:
    """The model with `x + Rgcap = 10` as `6 <= x <= 10`: Gurobi's hidden column of a range.

    It stays, in no row, so that the others keep their numbers.
    """
    model = problem.model
    taken = [part.index for part in problem.quadratic_rows]
    taken += [part.index for part in problem.indicators] + [part.index for part in problem.sos]
    used = {int(j) for part in taken for j in part} | set(np.flatnonzero(model.objective).tolist())
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


def _parts(kept: Problem) -> list[str]:
    """What is beyond linear, in words."""
    names = kept.model.col_names
    products = [names[int(row.index[0])] for row in kept.quadratic_rows]
    slacks = [names[int(indicator.index[0])].partition("#")[0] for indicator in kept.indicators]
    sets = [sos.name or "an ordered set" for sos in kept.sos]
    functions = [general.name or str(general.function) for general in kept.general]
    return list(dict.fromkeys([*products, *slacks, *sets, *functions]))


@contextmanager
def _quiet() -> Iterator[None]:
    """SCIP's LP solver warns on the process's own stderr, hidden output or not."""
    held, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(held, 2)
        os.close(held)
        os.close(nowhere)


EXACT = Settings(mip_gap=0.0, feasibility_tol=1e-9)
"""SCIP's own 1e-6 would come back in every amount of a repair, and make it too small by that."""


class KeptOracle(ScipOracle):
    """SCIP over a model's rows together with what is kept beside them."""

    name: ClassVar[str] = "scip"

    def __init__(self, kept: Problem) -> None:
        if not scip.installed():
            raise SolverError(
                f"{', '.join(_parts(kept))} cannot be written as linear rows, and SCIP, which "
                f"takes them, is not installed; {to_type('scip')}, or give columns bounds"
            )
        super().__init__()
        self.kept = kept

    @classmethod
    def of(cls, kept: Problem, solver: str) -> "KeptOracle":
        """By Gurobi where that is the solver, else by SCIP, as HiGHS does not take such parts."""
        return GurobiKept(kept) if solver == "gurobi" else cls(kept)

    def session(self) -> "KeptSession":
        """A new session, empty."""
        return KeptSession(self)


class GurobiKept(KeptOracle):
    """Gurobi in SCIP's place."""

    name: ClassVar[str] = "gurobi"

    def __init__(self, kept: Problem) -> None:
        self.kept, self._gurobi, self.scip = kept, GurobiOracle(), None

    @property
    def version(self) -> str:
        """Gurobi's version."""
        return self._gurobi.version


class KeptSession(ScipSession):
    """The current model with the kept parts, whose columns are the model's first ones."""

    def __init__(self, oracle: KeptOracle) -> None:
        super().__init__(oracle)
        self._kept, self._solver = oracle.kept, oracle.name

    def load(self, model: Model) -> None:
        """Forget everything before, and hold `model`."""
        self._model, self._solved = model, None

    def solve(self, time_limit: float = TIME_LIMIT) -> SolveResult:
        """Solve as it stands."""
        search = Search(time_limit)
        if self._obvious() is not None:
            return SolveResult(Status.INFEASIBLE)
        problem = dataclasses.replace(self._kept, model=self.current(), settings=EXACT)
        with _quiet():
            found = choose.solve(problem, search, self._solver)
        activity = None if found.x is None else self.current().activities(found.x)
        return found._replace(status=found.status.told, activity=activity)

    def iis(self, time_limit: float = TIME_LIMIT) -> Iis:
        """The deletion filter; the kept parts are in each subsystem."""
        deadline = perf_counter() + time_limit
        model = dataclasses.replace(self.current(), objective=np.zeros(self.current().n))
        need_infeasible(model, self.solve(time_limit).status)
        systems = _KeptSubsystems(self, model)
        found = shrink(systems, deadline - perf_counter())
        members, proven = (systems.members, False) if found is None else found
        integral = model.is_mip
        if integral:
            self.load(subsystem(model, farkas.as_iis(members, model.m)))
            left = max(deadline - perf_counter(), 0.1)
            integral = self.solve(left).status != Status.INFEASIBLE
        self.load(model)
        return farkas.as_iis(
            members, model.m, integral=integral, proven=proven, method="deletion filter"
        )


class _KeptSubsystems:
    """Subsystems of an infeasible model by members, each solved with what is kept."""

    def __init__(self, session: KeptSession, model: Model) -> None:
        self.session, self.model = session, model
        self.members = Subsystems(model, model.is_mip).members

    def feasible(self, members: set[int] | None, seconds: float) -> tuple[bool | None, set[int]]:
        """As `deletion.Subsystems.feasible`; all members are the proof."""
        if members is None or len(members) == len(self.members):
            return False, set(self.members)
        iis = farkas.as_iis(sorted(members), self.model.m, integral=self.model.is_mip)
        self.session.load(subsystem(self.model, iis))
        status = self.session.solve(max(seconds, 0.01)).status
        return {Status.OPTIMAL: True, Status.INFEASIBLE: False}.get(status), members
