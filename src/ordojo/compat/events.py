"""What passes between a running solve and the program's callback."""

from collections.abc import Callable
from dataclasses import dataclass

from ordojo.milp.model import Floats, Ints

MIP, MIPSOL, MIPNODE, MESSAGE = "mip", "mipsol", "mipnode", "message"
WHERES = (MIP, MIPSOL, MIPNODE, MESSAGE)


@dataclass(frozen=True, slots=True)
class Event:
    """A moment in a solve at which the program's callback is asked.

    `where` is one of WHERES. `x` (n) and `objective` are the new solution's at "mipsol" and the
    relaxation's at "mipnode", else None. `best` and `bound` are the incumbent's value and the
    proven bound so far, None where there is none yet.
    """

    where: str
    x: Floats | None = None
    objective: float | None = None
    best: float | None = None
    bound: float | None = None
    nodes: int = 0
    seconds: float = 0.0
    message: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A lazy constraint: lower <= sum of value[k] * x[index[k]] <= upper."""

    index: Ints
    value: Floats
    lower: float
    upper: float


@dataclass(frozen=True, slots=True)
class Reply:
    """The callback's answer; `solution` (n, NaN where not given) is tried as a heuristic one."""

    lazy: tuple[Row, ...] = ()
    terminate: bool = False
    solution: Floats | None = None


Callback = Callable[[Event], Reply]
