"""What both formats share: names that nothing else has, and what neither can hold."""

from collections.abc import Container

from ordojo.core.errors import DataError
from ordojo.milp.model import INF, VarType
from ordojo.milp.problem import Indicator, Problem, QuadraticRow

SEMI = (VarType.SEMICONTINUOUS, VarType.SEMIINTEGER)
NO_BOUND = 1e30
"""How an upper bound that is none is written where one must stand."""


def free_name(wanted: str, used: Container[str]) -> str:
    """The wanted name, lengthened until nothing has it."""
    while wanted in used:
        wanted += "_"
    return wanted


def check_whole(problem: Problem) -> None:
    """Raise DataError for what neither format can say."""
    if problem.settings.lazy:
        raise DataError("constraints that a callback adds cannot be written; state them as rows")
    for row in further(problem):
        if -INF < row.lower < row.upper < INF:
            raise DataError(f"'{row.name}' has two sides, which cannot be written; state it twice")


def sign_and_side(lower: float, upper: float) -> tuple[str, float]:
    """`=`, `<` or `>` and the right side of a row with one."""
    if lower == upper:
        return "=", upper
    return ("<", upper) if lower == -INF else (">", lower)


def further(problem: Problem) -> list[Indicator | QuadraticRow]:
    """The rows beyond linear ones."""
    return [*problem.indicators, *problem.quadratic_rows]
