"""Infeasible subsystems in which some members are never, and others always, as a program asks."""

import dataclasses
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from ordojo.compat import transport
from ordojo.compat.core.assemble import quadratic_of
from ordojo.compat.core.calls import sides_in
from ordojo.compat.core.store import IndicatorPart, QuadraticPart, SosPart, StoredConstraint
from ordojo.compat.gurobipy.errors import asked_service
from ordojo.milp.model import INF, VarType
from ordojo.milp.problem import PARTS
from ordojo.solvers.problem import Problem

Member = tuple[str, int]
"""A row ("row"), a bound ("lb", "ub") or a part, by the problem's field, and its number there."""


def parts_by_member(state: Any) -> dict[Member, StoredConstraint]:
    """The state's parts; a quadratic one without products is a row after the linear ones."""
    found: dict[Member, StoredConstraint] = {}
    places = Counter(row=state.rows_live)
    for part in (p for name in ("quadratic", "general", "sos") for p in state.family(name)):
        if isinstance(part, QuadraticPart):
            field = "quadratic_rows" if len(quadratic_of(*part.products).value) else "row"
        elif isinstance(part, SosPart):
            field = "sos"
        else:
            field = "indicators" if isinstance(part, IndicatorPart) else "general"
        found[field, places[field]] = part
        places[field] += 1
    return found


def forces(state: Any, parts: Mapping[Member, StoredConstraint]) -> dict[Member, int]:
    """What the attributes `IIS...Force` say: 0 of a member that is never in, 1 of one always in."""
    names = {id(part): member for member, part in parts.items()}
    found: dict[Member, int] = {}
    for name, kind in (("Constr", "row"), ("LB", "lb"), ("UB", "ub")):
        for handle, force in state.extra.get(f"IIS{name}Force", {}).items():
            found[kind, handle._number()] = force
    for name in ("QConstr", "GenConstr", "SOS"):
        for handle, force in state.extra.get(f"IIS{name}Force", {}).items():
            if id(handle._part) in names:
                found[names[id(handle._part)]] = force
    return {member: force for member, force in found.items() if force >= 0 <= member[1]}


def conflict(problem: Problem, forced: Mapping[Member, int]) -> tuple[set[Member], bool] | None:
    """The members of a subsystem, and whether none is spare; None where there is none.

    What is forced in does not count as spare.
    """
    out = {member for member, force in forced.items() if force == 0}
    firm = set(forced) - out
    asked = _ask(problem, out)
    if asked is None or firm <= asked[0]:
        return asked
    everything = _members(problem)
    needed, proven = asked[0] - firm, asked[1]
    for member in sorted(needed):
        if member in needed:
            smaller = _ask(problem, everything - firm - needed | {member})
            if smaller is not None:
                needed, proven = smaller[0] - firm, proven and smaller[1]
    return needed | firm, proven


def _members(problem: Problem) -> set[Member]:
    counts = {"row": problem.model.m, "lb": problem.model.n, "ub": problem.model.n}
    counts |= {field: len(getattr(problem, field)) for field in PARTS}
    return {(kind, place) for kind, count in counts.items() for place in range(count)}


def _ask(problem: Problem, out: set[Member]) -> tuple[set[Member], bool] | None:
    """The members of a subsystem of the problem without some of them."""
    left = {f: [k for k in range(len(getattr(problem, f))) if (f, k) not in out] for f in PARTS}
    found = asked_service(transport.iis, _without(problem, out, left))
    if found is None:
        return None
    sides = sides_in(found)
    members = {("row", i) for i in sides["row_lower"] | sides["row_upper"]}
    members |= {("lb", j) for j in sides["col_lower"]} | {("ub", j) for j in sides["col_upper"]}
    return members | {(field, left[field][k]) for field, k in found.parts}, found.proven


def _without(problem: Problem, out: set[Member], left: Mapping[str, list[int]]) -> Problem:
    """The problem without sides of rows, bounds and parts."""
    rows, lows, ups = ([k for kind, k in out if kind == which] for which in ("row", "lb", "ub"))
    model, types, loose = problem.model, problem.model.types.copy(), np.array(lows + ups, int)
    # A binary column would keep the bounds 0 and 1.
    types[loose[types[loose] == VarType.BINARY]] = VarType.INTEGER
    freed: Any = {"types": types}
    low, up = model.effective_bounds
    for name, side, places, none in (
        ("row_lower", model.row_lower, rows, -INF),
        ("row_upper", model.row_upper, rows, INF),
        ("col_lower", low, lows, -INF),
        ("col_upper", up, ups, INF),
    ):
        freed[name] = side.copy()
        freed[name][places] = none
    kept: Any = {field: tuple(getattr(problem, field)[k] for k in left[field]) for field in PARTS}
    return dataclasses.replace(problem, model=dataclasses.replace(model, **freed), **kept)
