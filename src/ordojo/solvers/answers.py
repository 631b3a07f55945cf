"""What an oracle answers: statuses, solutions, infeasible subsystems, repairs."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from ordojo.milp.model import Floats, Model


class Status(StrEnum):
    """How a solve ended; the first four are the environment's own (paper 004, D.1)."""

    OPTIMAL = "OPTIMAL"
    INFEASIBLE = "INFEASIBLE"
    UNBOUNDED = "UNBOUNDED"
    ERROR = "ERROR"
    TIME_LIMIT = "TIME_LIMIT"


class Side(StrEnum):
    """Which side of a row or of a column's bounds takes part."""

    LOWER = "lower"
    UPPER = "upper"
    BOTH = "both"


class Solution(NamedTuple):
    """A solve's result.

    `x` has n values and `activity` m, both None without a feasible point. `row_dual` and `col_dual`
    (reduced costs) are those of an LP, in the sense d(objective)/d(side) under the model's own
    min or max; None for MIPs. `bound` is the best proven bound, equal to `objective` at an optimum.
    """

    status: Status
    objective: float | None = None
    x: Floats | None = None
    activity: Floats | None = None
    row_dual: Floats | None = None
    col_dual: Floats | None = None
    bound: float | None = None
    seconds: float = 0.0


class Iis(NamedTuple):
    """An irreducible infeasible subsystem: rows and column bounds that contradict each other.

    Without any one member (one side of a row or of a bound) the rest has a solution. `rows` and
    `bounds` are (number, side) in ascending order; BOTH counts as two members. `integral` says
    that the integrality of the columns is needed for the contradiction. `proven` is False where a
    limit ended the search: the set is then infeasible, yet a member may be spare.
    """

    rows: tuple[tuple[int, Side], ...]
    bounds: tuple[tuple[int, Side], ...]
    integral: bool = False
    proven: bool = True
    method: str = ""

    @property
    def size(self) -> int:
        """How many rows and bounded columns it has."""
        return len(self.rows) + len(self.bounds)

    def row_names(self, model: Model) -> tuple[str, ...]:
        """The rows' names, in the model's order."""
        return tuple(model.row_names[i] for i, _ in self.rows)

    def bound_names(self, model: Model) -> tuple[str, ...]:
        """The bounds as "column.lb" and "column.ub", in the model's order."""
        names = []
        for j, side in self.bounds:
            if side != Side.UPPER:
                names.append(f"{model.col_names[j]}.lb")
            if side != Side.LOWER:
                names.append(f"{model.col_names[j]}.ub")
        return tuple(names)


@dataclass(frozen=True, slots=True)
class Shift:
    """One side moved by a repair: `target` is a row's name, "column.lb" or "column.ub".

    The side goes from `old` to `new`.
    """

    target: str
    side: Side
    old: float
    new: float


@dataclass(frozen=True, slots=True)
class Repair:
    """Moves that make a model feasible, with the total weighted distance and the new optimum.

    `objective` is that of the repaired model, solved again; None where it is unbounded or was not
    solved in time. `verified` says that the repaired model was solved and has a solution, `least`
    that a solve proved that no moves cost less.
    """

    shifts: tuple[Shift, ...]
    cost: float
    objective: float | None
    verified: bool
    least: bool = False
    kind: str = field(default="elastic")
