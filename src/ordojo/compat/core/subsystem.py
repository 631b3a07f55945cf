"""Members of a problem: parts of it that an infeasible subsystem names, or that are left out."""

import dataclasses
from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any

import numpy as np

from ordojo.compat.core.assemble import quadratic_of
from ordojo.compat.core.store import (
    IndicatorPart,
    QuadraticPart,
    SosPart,
    Store,
    StoredConstraint,
)
from ordojo.milp.model import INF, Flags, Ints
from ordojo.milp.problem import PARTS, Problem

Member = tuple[str, int]
"""A row ("row"), a side of one or of a column, as the model's fields are called, or a part, by the
problem's field; and its number there."""

SIDES = {"row_lower": -INF, "row_upper": INF, "col_lower": -INF, "col_upper": INF}
"""A model's sides, and what they are where they bound nothing."""


def parts_by_member(store: Store) -> dict[Member, StoredConstraint]:
    """A store's parts; a quadratic one without products is a row after the linear ones."""
    found: dict[Member, StoredConstraint] = {}
    places = Counter(row=store.rows_live)
    for part in (p for name in ("quadratic", "general", "sos") for p in store.family(name)):
        if isinstance(part, QuadraticPart):
            field = "quadratic_rows" if len(quadratic_of(*part.products).value) else "row"
        elif isinstance(part, SosPart):
            field = "sos"
        else:
            field = "indicators" if isinstance(part, IndicatorPart) else "general"
        found[field, places[field]] = part
        places[field] += 1
    return found


def members_in(store: Store, found: Collection[Any]) -> set[Member]:
    """The members that stand in a set of members and parts."""
    named = {part: member for member, part in parts_by_member(store).items()}
    return {named.get(one, one) for one in found}


def members_of(problem: Problem) -> set[Member]:
    """All that may be left out, rows by their sides."""
    sized = [*((side, getattr(problem.model, side)) for side in SIDES)]
    sized += [(field, getattr(problem, field)) for field in PARTS]
    return {(kind, place) for kind, held in sized for place in range(len(held))}


def sided(members: Iterable[Member]) -> set[Member]:
    """The members with both sides of a row instead of it."""
    kinds = {"row": ("row_lower", "row_upper")}
    return {(name, place) for kind, place in members for name in kinds.get(kind, (kind,))}


def left(problem: Problem, out: Collection[Member]) -> dict[str, list[int]]:
    """The numbers of each field's parts that are not left out."""
    return {f: [k for k in range(len(getattr(problem, f))) if (f, k) not in out] for f in PARTS}


def without(problem: Problem, out: Collection[Member]) -> Problem:
    """The problem without some of its members; a binary column keeps 0 and 1."""
    freed = dict[str, Any]()
    dropped = sided(out)
    for side, none in SIDES.items():
        freed[side] = getattr(problem.model, side).copy()
        freed[side][[k for kind, k in dropped if kind == side]] = none
    numbers = left(problem, out).items()
    kept: Any = {f: tuple(getattr(problem, f)[k] for k in chosen) for f, chosen in numbers}
    return dataclasses.replace(problem, model=dataclasses.replace(problem.model, **freed), **kept)


def only(problem: Problem, members: Iterable[Member]) -> Problem:
    """The problem of these members alone: no objective, no rows and columns that they lack."""
    kept = sided(members)
    small = without(problem, members_of(problem) - kept)
    nothing = np.zeros(problem.model.n)
    model = dataclasses.replace(small.model, objective=nothing, offset=0.0)
    model = model.with_rows(sorted({k for kind, k in kept if kind.startswith("row")}))
    used: Flags = np.isfinite(model.col_lower) | np.isfinite(model.col_upper)
    used[model.index] = True
    for part in (*small.parts, *(row.quadratic for row in small.quadratic_rows)):
        for columns in _columns(part).values():
            used[columns] = True
    used[:1] |= not used.any()  # files write a row without terms as one of no times a column
    number = np.where(used, np.cumsum(used) - 1, -1).astype(np.int32)
    fields = ("objective", "col_lower", "col_upper", "types")
    model = dataclasses.replace(
        model,
        col_names=tuple(name for name, one in zip(model.col_names, used, strict=True) if one),
        index=number[model.index],
        **{field: getattr(model, field)[used] for field in fields},
    )
    parts: Any = {f: tuple(_renumbered(part, number) for part in getattr(small, f)) for f in PARTS}
    return Problem(model, **parts)


_FIELDS = ("index", "binary", "result", "operands", "first", "second")
"""The fields of parts that name columns."""


def _columns(part: Any) -> dict[str, Any]:
    return {name: getattr(part, name) for name in _FIELDS if name in part._fields}


def _renumbered(part: Any, number: Ints) -> Any:
    """A part over columns of other numbers."""
    moved = {name: number[columns] for name, columns in _columns(part).items()}
    if "quadratic" in part._fields:
        moved["quadratic"] = _renumbered(part.quadratic, number)
    return part._replace(**moved)
