"""The oracles by name."""

from collections.abc import Callable, Mapping

from ordojo.core.errors import SolverError, UsageError
from ordojo.solvers.highs import HighsOracle
from ordojo.solvers.protocol import Oracle


def _gurobi() -> Oracle:
    from ordojo.solvers.gurobi import GurobiOracle

    return GurobiOracle()


def _scip() -> Oracle:
    from ordojo.solvers.scip import ScipOracle

    return ScipOracle()


ORACLES: Mapping[str, Callable[[], Oracle]] = {
    "highs": HighsOracle,
    "gurobi": _gurobi,
    "scip": _scip,
}
"""What makes each oracle; HiGHS is always there, the others where they are installed."""


def get_oracle(name: str) -> Oracle:
    """The oracle of that name; raises UsageError for no such name, SolverError where missing."""
    if name not in ORACLES:
        raise UsageError(f"there is no oracle '{name}'; choose one of {', '.join(ORACLES)}")
    return ORACLES[name]()


def versions() -> dict[str, str]:
    """The versions of the oracles that are installed, by name."""
    found = {}
    for name, make in ORACLES.items():
        try:
            found[name] = make().version
        except SolverError:
            continue
    return found
