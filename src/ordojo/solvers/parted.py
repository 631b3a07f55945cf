"""Infeasible subsystems of problems with parts beyond linear: each part is a member, as a row is.

The deletion filter is that of linear models; what answers it solves the whole problem, parts as
they stand, with the solver that takes them.
"""

import dataclasses
from typing import Any

import numpy as np

from ordojo.milp.model import INF, VarType
from ordojo.milp.problem import PARTS
from ordojo.solvers import choose, deletion, farkas
from ordojo.solvers.answers import Iis, Status
from ordojo.solvers.problem import Problem, Settings
from ordojo.solvers.search import Search


class PartedSubsystems(deletion.Decidable):
    """Subsystems of one problem, by members, solved for feasibility only.

    Members are those of its linear model (see `farkas`), then its parts in the order of `PARTS`.
    A binary column without its bounds is one within 0 and 1: a switch would be none without.
    `solver` is what `choose.solve` takes as such.
    """

    def __init__(self, problem: Problem, solver: str = "open") -> None:
        model = problem.model
        self.problem, self._solver = problem, solver
        self._sides = farkas.sides_of(model, model.effective_bounds)
        binary = np.append(np.zeros(model.m, bool), model.types == VarType.BINARY)
        self._free = np.where(binary[:, None], (0.0, 1.0), (-INF, INF)).ravel()
        self._parts = [(name, k) for name in PARTS for k in range(len(getattr(problem, name)))]
        self._first = len(self._sides)
        self.members = [
            *np.flatnonzero(self._sides != self._free).tolist(),
            *range(self._first, self._first + len(self._parts)),
        ]

    def feasible(self, members: set[int] | None, seconds: float) -> tuple[bool | None, set[int]]:
        """Whether these members have a common point (None: not settled in time), and the members.

        None stands for all members.
        """
        members = set(self.members) if members is None else members
        out = np.array([k for k in self.members if k not in members and k < self._first], int)
        sides = self._sides.copy()
        sides[out] = self._free[out]
        kept = self.parts(members)
        parts: dict[str, Any] = {
            name: tuple(getattr(self.problem, name)[k] for field, k in kept if field == name)
            for name in PARTS
        }
        nothing = np.zeros(self.problem.model.n)
        model = farkas.with_members(self.problem.model, sides, objective=nothing, offset=0.0)
        asked = Problem(model, **parts, settings=Settings())
        status = choose.solve(asked, Search(seconds), self._solver).status
        return {Status.OPTIMAL: True, Status.INFEASIBLE: False}.get(status), members

    def parts(self, members: set[int]) -> list[tuple[str, int]]:
        """The field and place of the parts among members."""
        return [self._parts[k - self._first] for k in sorted(members) if k >= self._first]


def conflict(problem: Problem, seconds: float, solver: str = "open") -> Iis | None:
    """An irreducible infeasible subsystem of rows, bounds and parts.

    None where the problem has a solution, or nothing was settled in so many seconds. `integral`:
    with the columns that are no switch continuous no solve proved the same.
    """
    search = Search(seconds)
    systems = PartedSubsystems(problem, solver)
    found = deletion.shrink(systems, seconds)
    if found is None:
        return None
    members, proven = found
    linear = [k for k in members if k < systems._first]
    parts = systems.parts(set(members))
    model = problem.model
    switches = {problem.indicators[k].binary for field, k in parts if field == "indicators"}
    relaxed = model.whole & ~model.semi & ~np.isin(np.arange(model.n), list(switches))
    integral = bool(relaxed.any())
    if integral:
        low, up = model.effective_bounds
        types = np.where(relaxed, VarType.CONTINUOUS, model.types).astype(np.uint8)
        other = dataclasses.replace(model, types=types, col_lower=low, col_upper=up)
        looser = PartedSubsystems(dataclasses.replace(problem, model=other), solver)
        binary = 2 * (model.m + np.flatnonzero(model.types == VarType.BINARY))
        ends = {*members, *binary.tolist(), *(binary + 1).tolist()} & set(looser.members)
        integral = looser.feasible(ends, max(search.left, 0.1))[0] is not False
    iis = farkas.as_iis(linear, model.m, integral=integral, proven=proven, method="deletion filter")
    return iis._replace(parts=tuple(parts))
