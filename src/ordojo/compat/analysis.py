"""What an optimal basis, or a proof that there is none, says about a linear problem."""

from dataclasses import dataclass, fields
from typing import Any

from ordojo.compat.fields import Fields
from ordojo.milp.model import Floats


@dataclass(frozen=True)
class Analysis:
    """What simplex leaves beside a solution; parts that do not apply are None.

    Basis (n and m): 1 where basic, else 0 at the lower side, 2 at the upper one, 3 at none. Ranges
    (n and m, low and up): of each cost, and of the side that each nonbasic column or row stands at,
    within which the basis stays optimal. `dual_ray` (m) combines rows into a contradiction;
    `primal_ray` (n) is a direction without end.
    """

    x: Floats | None = None
    activity: Floats | None = None
    col_basis: Floats | None = None
    row_basis: Floats | None = None
    cost_low: Floats | None = None
    cost_up: Floats | None = None
    col_low: Floats | None = None
    col_up: Floats | None = None
    row_low: Floats | None = None
    row_up: Floats | None = None
    dual_ray: Floats | None = None
    primal_ray: Floats | None = None


def write(found: Analysis) -> dict[str, Any]:
    """An analysis as plain values."""
    return {part.name: getattr(found, part.name) for part in fields(Analysis)}


def read(data: Any) -> Analysis:
    """The analysis in an unpacked message; raises BadMessage."""
    given = Fields(data, "the analysis")
    parts = [part.name for part in fields(Analysis) if given.has(part.name)]
    return Analysis(**{name: given.floats(name, None, False, True) for name in parts})
