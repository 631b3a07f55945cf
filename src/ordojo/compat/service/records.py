"""What the judge sees of each solve."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class SolveRecord:
    """One solve as it was: the model's hash and size, and how it ended.

    `objective` is that of the point found, None without one; `detail` says what was unsupported
    or went wrong. `seconds` are those of the solve itself, also where its result came from the
    cache. `ignored` names the parameters that the program set without effect. `library` is "" for
    what the service solved itself; else the record is what the program's own process told of a
    library, without hash and size.
    """

    hash: str
    rows: int
    columns: int
    nonzeros: int
    is_mip: bool
    maximize: bool
    ending: str
    objective: float | None
    bound: float | None
    seconds: float
    solver: str
    cached: bool
    detail: str = ""
    ignored: tuple[str, ...] = ()
    library: str = ""

    def to_json(self) -> dict[str, Any]:
        """The record as plain JSON."""
        return asdict(self)
