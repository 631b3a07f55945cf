"""What an oracle answers: statuses, solutions, infeasible subsystems, repairs."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from ordojo.milp.model import Floats, Model
from ordojo.milp.tolerances import OBJECTIVE


class Status(StrEnum):
    """How a solve ended.

    The first five are all that an oracle says, and a debugging environment (paper 004, D.1): what
    ended otherwise is ERROR there.
    """

    OPTIMAL = "OPTIMAL"
    INFEASIBLE = "INFEASIBLE"
    UNBOUNDED = "UNBOUNDED"
    ERROR = "ERROR"
    TIME_LIMIT = "TIME_LIMIT"
    INFEASIBLE_OR_UNBOUNDED = "INFEASIBLE_OR_UNBOUNDED"
    NODE_LIMIT = "NODE_LIMIT"
    SOLUTION_LIMIT = "SOLUTION_LIMIT"
    CUTOFF = "CUTOFF"
    INTERRUPTED = "INTERRUPTED"
    NUMERIC = "NUMERIC"
    MEMORY = "MEMORY"
    CRASH = "CRASH"
    UNSUPPORTED = "UNSUPPORTED"
    LACKING = "LACKING"
    """No solve: a declared library could not be imported."""

    @property
    def told(self) -> "Status":
        """As an oracle says it: one of the first five."""
        return self if self in _TOLD else Status.ERROR

    @property
    def word(self) -> str:
        """As the records of a program's solves have it: "optimal", "time-limit"."""
        return self.value.lower().replace("_", "-")


_TOLD = frozenset(
    (Status.OPTIMAL, Status.INFEASIBLE, Status.UNBOUNDED, Status.ERROR, Status.TIME_LIMIT)
)


class Side(StrEnum):
    """Which side of a row or of a column's bounds takes part."""

    LOWER = "lower"
    UPPER = "upper"
    BOTH = "both"


class SolveResult(NamedTuple):
    """A solve's result; arrays are None where they do not exist.

    `x` has n values and `activity` m. `row_dual` and `col_dual` (reduced costs) are those of an LP,
    in the sense d(objective)/d(side) under the model's own min or max. `bound` is the best proven
    bound. `pool` holds further solutions, best first, each with its objective. `solver` says who
    solved it, `detail` in one sentence what was unsupported or went wrong.
    """

    status: Status
    objective: float | None = None
    bound: float | None = None
    x: Floats | None = None
    row_dual: Floats | None = None
    col_dual: Floats | None = None
    nodes: int = 0
    iterations: int = 0
    seconds: float = 0.0
    pool: tuple[tuple[float, Floats], ...] = ()
    solver: str = ""
    detail: str = ""
    cached: bool = False
    activity: Floats | None = None


class Iis(NamedTuple):
    """An irreducible infeasible subsystem: rows and column bounds that contradict each other.

    Without any one member (one side of a row or of a bound) the rest has a solution. `rows` and
    `bounds` are (number, side) in ascending order; BOTH counts as two members. `integral` says
    that the integrality of the columns is needed for the contradiction. `proven` is False where a
    limit ended the search: the set is then infeasible, yet a member may be spare. `parts` are of a
    problem beyond linear: the field that holds them, and their place in it.
    """

    rows: tuple[tuple[int, Side], ...]
    bounds: tuple[tuple[int, Side], ...]
    integral: bool = False
    proven: bool = True
    method: str = ""
    parts: tuple[tuple[str, int], ...] = ()

    @property
    def size(self) -> int:
        """How many rows, bounded columns and parts it has."""
        return len(self.rows) + len(self.bounds) + len(self.parts)

    def row_names(self, model: Model) -> tuple[str, ...]:
        """The rows' names, in the model's order."""
        return tuple(model.row_names[i] for i, _ in self.rows)

    def bound_names(self, model: Model) -> tuple[str, ...]:
        """The bounds as "column.lb" and "column.ub", in the model's order."""
        ending = {Side.LOWER: "lb", Side.UPPER: "ub"}
        return tuple(f"{model.col_names[j]}.{ending[end]}" for j, end in self.ends)

    @property
    def ends(self) -> list[tuple[int, Side]]:
        """The bounds one side at a time, BOTH as the lower and then the upper one."""
        ends = (Side.LOWER, Side.UPPER)
        return [(j, end) for j, side in self.bounds for end in ends if side in (end, Side.BOTH)]


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

    `objective` is that of the repaired model, solved again; None where it is `unbounded` or was not
    solved in time. `verified` says that the repaired model was solved and has a solution. A solve
    proved that no moves cost less than `bound`, and `fewest` that fewer do not suffice. `kind` is
    "least", "one", "family", "few" or "other", as it was looked for. `alike` are sides each of
    which suffices alone, too, by as much as the one that moves. `family` names the rows that move
    by one amount.
    """

    shifts: tuple[Shift, ...]
    cost: float
    objective: float | None
    verified: bool
    bound: float = 0.0
    kind: str = "least"
    fewest: bool = False
    alike: tuple[str, ...] = ()
    family: str = ""
    unbounded: bool = False

    @property
    def least(self) -> bool:
        """Whether a solve proved that no moves cost less; a millionth is rounding."""
        return self.cost <= self.bound * (1 + OBJECTIVE)
