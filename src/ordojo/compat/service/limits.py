"""What a program may ask of the service."""

from dataclasses import dataclass

GIB = 1 << 30


@dataclass(frozen=True, slots=True)
class Limits:
    """`seconds` for one solve and `total_seconds` for all of a program; sizes of a model.

    `memory` in bytes is for the solver's process; `grace` seconds after its limit it is killed.
    """

    seconds: float = 3600.0
    total_seconds: float = 36000.0
    rows: int = 5_000_000
    columns: int = 5_000_000
    nonzeros: int = 50_000_000
    solves: int = 10_000
    memory: int = 16 * GIB
    grace: float = 15.0
