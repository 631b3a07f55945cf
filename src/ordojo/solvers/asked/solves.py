"""One clock and one solver for all solves of a question, with outcomes that say what was proved."""

import dataclasses
from collections.abc import Set
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordojo.core.errors import SolverError
from ordojo.core.progress import doing
from ordojo.milp.algebra import cut, row_text
from ordojo.milp.model import Floats, Model
from ordojo.milp.tolerances import LEAST_TERM, OBJECTIVE, SAME
from ordojo.solvers import choose, deletion
from ordojo.solvers.answers import Side, Status
from ordojo.solvers.choose import get_oracle
from ordojo.solvers.conflicts import ConflictMember, conflict_lines, members
from ordojo.solvers.highs_model import EXACT, EXACT_WHOLE
from ordojo.solvers.iis import for_whole_numbers, is_irreducible
from ordojo.solvers.kept import oracle_of, settled
from ordojo.solvers.problem import Problem
from ordojo.solvers.protocol import NotInfeasibleError
from ordojo.solvers.residuals import only_just
from ordojo.solvers.search import Search

Sides = Set[tuple[int, Side]]
"""Sides of rows, or of columns."""


@dataclass(frozen=True)
class Outcome:
    """How a solve ended: `objective` of the best point, `bound` proved, both None where unknown.

    `x` (n) is the point, `row_dual` (m) an LP's dual prices, None where there are none.
    """

    status: Status
    objective: float | None = None
    bound: float | None = None
    x: Floats | None = None
    row_dual: Floats | None = None

    @property
    def gap(self) -> float:
        """How far the objective may be from the optimum, relative; inf where nothing is proved."""
        if self.objective is None or self.bound is None:
            return float("inf")
        return abs(self.objective - self.bound) / max(1.0, abs(self.objective))

    def gain_over(self, other: "Outcome", maximize: bool) -> float | None:
        """By how much the optimum is better (worse: below 0; 0 within `OBJECTIVE`) than another.

        None where one of the two is not proved.
        """
        if not self.status == other.status == Status.OPTIMAL:
            return None
        if self.objective is None or other.objective is None:
            return None
        size = max(1.0, abs(self.objective), abs(other.objective))
        gain = (self.objective - other.objective) * (1 if maximize else -1)
        return 0.0 if abs(gain) <= OBJECTIVE * size else gain

    def text(self) -> str:
        """The outcome in words, with what was not proved."""
        if self.status == Status.OPTIMAL and self.objective is not None:
            shut = self.gap <= OBJECTIVE
            return f"optimum {short(self.objective)}" + ("" if shut else f" ({self._open()})")
        if self.status == Status.TIME_LIMIT:
            found = "no plan found"
            if self.objective is not None:
                found = f"best found {short(self.objective)}, {self._open()}"
            return f"not finished within the limit ({found})"
        return {Status.INFEASIBLE: "infeasible", Status.UNBOUNDED: "unbounded"}.get(
            self.status, "not solved: the solver failed; check its numbers"
        )

    def _open(self) -> str:
        if self.bound is None:
            return "no bound proved"
        return f"gap {100 * self.gap:.3g}%, proved bound {short(self.bound)}"

    def to_json(self) -> dict[str, Any]:
        """Status, objective and bound as plain JSON."""
        return {"status": str(self.status), "objective": self.objective, "bound": self.bound}


@dataclass(frozen=True)
class Member:
    """A side of a row or bound in a conflict, in algebra; `asked`: the question put it there."""

    name: str
    text: str
    asked: bool


@dataclass(frozen=True)
class Conflict:
    """Members that cannot all hold; `irreducible`: by a solve without each, any one less can.

    `integral`: only for whole numbers. `unfinished` says, where no conflict was found, why.
    """

    members: tuple[Member, ...] = ()
    irreducible: bool = False
    integral: bool = False
    unfinished: str = ""

    @property
    def takes_part(self) -> bool:
        """Whether what was asked is among the members."""
        return any(member.asked for member in self.members)

    def lines(self) -> list[str]:
        """The conflict for a reader, what was asked marked."""
        if not self.members:
            return [f"No conflict to show: {self.unfinished}."]
        told = [(one.name, one.text + "   <- asked" * one.asked) for one in self.members]
        return conflict_lines(told, self.irreducible, self.integral)

    def to_json(self) -> dict[str, Any]:
        """Everything as plain JSON."""
        return {**dataclasses.asdict(self), "takes_part": self.takes_part}


class Solves:
    """The solves of one question: `solver` is "highs", "scip" or "gurobi", `seconds` for all.

    HiGHS leaves to SCIP what it does not take; `version` names those that did solve. Raises
    UsageError for another solver, SolverError for one that is not installed.
    """

    def __init__(self, solver: str, seconds: float) -> None:
        get_oracle(solver)
        self.solver = solver
        self._used: set[str] = set()
        self.clock = Search(seconds)

    @property
    def version(self) -> str:
        """The solvers that took part, with their versions."""
        oracles = map(get_oracle, sorted(self._used or {self.solver}))
        return " and ".join(f"{oracle.name} {oracle.version}" for oracle in oracles)

    def solve(self, problem: Problem, what: str, share: float = 1.0) -> Outcome:
        """The problem's optimum in a `share` of the time left; `what` is said while it is sought.

        A time limit that has passed is an outcome, TIME_LIMIT, too.
        """
        seconds = share * self.clock.left
        if seconds <= 0:
            return Outcome(Status.TIME_LIMIT)
        doing(what, seconds)
        # What HiGHS does not take goes to SCIP where that is installed.
        linear = problem.is_linear
        taken = linear and not problem.model.semi.any()
        solver = "open" if self.solver == "highs" and not taken else self.solver
        asked = dataclasses.replace(problem, settings=EXACT if linear else EXACT_WHOLE)
        found = choose.solve(asked, Search(seconds), solver)
        if found.status == Status.UNSUPPORTED:
            raise SolverError(
                f"{problem.model.name or 'the model'} cannot be solved: {found.detail}"
            )
        self._used.add(found.solver or self.solver)
        status, bound = found.status.told, found.bound
        if problem.objectives and status == Status.OPTIMAL:
            bound = found.objective  # each was proved in its turn
        return Outcome(status, found.objective, bound, found.x, found.row_dual)

    def conflict(self, problem: Problem, rows: Sides, cols: Sides) -> Conflict:
        """Why an infeasible problem is so; sides of rows and columns that were asked are marked.

        Parts that are no rows are written as rows, or kept beside them (`solvers.kept`).
        """
        doing("looking for an irreducible conflict", self.clock.left)
        try:
            parts = settled(problem, self.solver)
            model, linear = parts.model, parts.kept is None
            oracle = oracle_of(parts, self.solver)
            self._used.add(oracle.name)
            odd = deletion.obvious(model) if linear else None
            with closing(oracle.session()) as session:
                session.load(model)
                iis = odd or session.iis(max(self.clock.left / 2, 0.1))
            sure = iis.proven
            if linear:
                sure = is_irreducible(model, iis, oracle, max(self.clock.left, 0.1)) is None
        except NotInfeasibleError:
            return Conflict(unfinished="what contradicts is less than a solver tolerates")
        except SolverError as error:
            return Conflict(unfinished=str(error))
        whole = for_whole_numbers(model, iis)
        told = [
            Member(one.name, one.text, _is_asked(one, rows, cols)) for one in members(parts, iis)
        ]
        return Conflict(tuple(told), sure, whole)


def _is_asked(one: ConflictMember, rows: Sides, cols: Sides) -> bool:
    """Whether the question put a member there, or one of its sides."""
    ends = (*Side,) if one.side == Side.BOTH else (one.side, Side.BOTH)
    asked = {"row": rows, "bound": cols}.get(one.kind, frozenset())
    return any((one.place, end) in asked for end in ends)


def notes_of(problem: Problem, solver: str, found: Outcome | None = None) -> tuple[str, ...]:
    """How the problem was read, and what the figures that a solver gives leave out.

    Also whether what it has `found` holds by its tolerance only.
    """
    model, notes = problem.model, list(problem.notes)
    if problem.objectives:
        many = len(problem.objectives)
        notes.append(
            f"Of {many} objectives the figures are the first one's; the others may differ."
        )
    size = np.abs(model.value)
    lost = np.flatnonzero((size > 0) & (size <= LEAST_TERM))
    if len(lost) and solver == "highs":
        k = int(lost[0])
        column, row = model.col_names[model.index[k]], model.row_names[model.entry_rows[k]]
        notes.append(
            f"HiGHS leaves out coefficients of {LEAST_TERM:g} and less, {len(lost)} in all, as "
            f"that of '{column}' in row '{row}'; scale their rows if they matter."
        )
    return (*notes, *(only_just(model, found.status, found.x) if found else ()))


def told_row(model: Model, i: int) -> str:
    """Row i in algebra, cut in its middle where it is long."""
    return cut(row_text(model, i))


def short(value: float) -> str:
    """A number for a reader: nine digits, and what is 0 to the solvers is 0."""
    return f"{0.0 if abs(value) < SAME else value:.9g}"


def gained(gain: float, nothing: str) -> str:
    """A gain in words; `nothing` where there is none."""
    return f"{short(abs(gain))} {'better' if gain > 0 else 'worse'}" if gain else nothing


def differs(x: Floats, y: Floats) -> list[int]:
    """The columns in which two points (n) differ by more than `OBJECTIVE`."""
    return np.flatnonzero(np.abs(x - y) > OBJECTIVE * np.maximum(1.0, np.abs(y))).tolist()
