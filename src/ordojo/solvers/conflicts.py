"""A conflict as it is told: its members by name and in algebra, its lines, and where lists end."""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from ordojo.milp.algebra import cut, number, side_text
from ordojo.milp.model import INF, Model, VarType
from ordojo.solvers.answers import Iis, Side
from ordojo.solvers.kept import Settled

SHOWN = 40
"""Lines of a list, as of members or moves, that a text has; JSON has them all."""


class ConflictMember(NamedTuple):
    """A row, one end of a column's bounds, or a part beyond linear, named and in algebra.

    `place` is that of the row or column, or of the part in its field. `side` takes part: of a row
    perhaps both, of a bound the one that this is; None of a part.
    """

    kind: Literal["row", "bound", "part"]
    name: str
    text: str
    place: int
    side: Side | None


def members(whole: Settled, iis: Iis) -> Iterator[ConflictMember]:
    """Rows, then bounds, then parts; a bound is called "x.lb" or "x.ub", long algebra is cut."""
    model = whole.model
    for i, side in iis.rows:
        text = cut(whole.row_text(i)) + one_side(*model.sides(i), side)
        yield ConflictMember("row", model.row_names[i], text, i, side)
    for (j, end), name in zip(iis.ends, iis.bound_names(model), strict=True):
        yield ConflictMember("bound", name, side_text(model, j, end == Side.UPPER), j, end)
    for part in iis.parts:
        name, text = whole.part_text(part)
        yield ConflictMember("part", name, cut(text), part[1], None)


def one_side(low: float, up: float, side: Side) -> str:
    """Which side of a row with two takes part, where it is only one; else nothing."""
    if side == Side.BOTH or low == -INF or up == INF:
        return ""
    return f" (only {'>=' if side == Side.LOWER else '<='} takes part)"


def crossed_binary(model: Model, iis: Iis) -> list[str]:
    """What is wrong where a conflict is a binary column's two bounds."""
    if iis.rows or iis.parts or len(iis.bounds) != 1:
        return []
    j = iis.bounds[0][0]
    if model.types[j] != VarType.BINARY:
        return []
    low, up = (side.item(j) for side in model.effective_bounds)
    return [
        f"Column '{model.col_names[j]}' is binary, and neither 0 nor 1 is at least {number(low)} "
        f"and at most {number(up)}."
    ]


def conflict_lines(
    told: Sequence[tuple[str, str]], irreducible: bool, integral: bool, further: bool = False
) -> list[str]:
    """A conflict's names and texts for a reader; a `further` one stands below another."""
    width = max(len(name) for name, _ in told[:SHOWN])
    lines = shown([f"  {name:<{width}}  {text}" for name, text in told])
    whole = " for whole numbers" if integral else ""
    if len(told) == 1:
        start = "Nor can this hold" if further else "This cannot hold"
        return [f"{start} by itself{whole}:", *lines]
    start, cannot = ("Nor can these", "all hold") if further else ("These", "cannot all hold")
    sure = "remove any one and the rest can" if irreducible else "some may be spare"
    return [f"{start} {len(told)} {cannot}{whole} ({sure}):", *lines]


def shown(lines: Sequence[str]) -> list[str]:
    """The first `SHOWN` lines, and how many more there are."""
    more = len(lines) - SHOWN
    return [*lines[:SHOWN], *([f"  and {more} more"] if more > 0 else [])]
