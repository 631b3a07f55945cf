"""The four-fold validation (algorithm 6), what each type promises (C.6, C.10), and reading."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ordojo.benchmarks.or_debug.elements import ElementKind, as_row, find_element
from ordojo.benchmarks.or_debug.injection.candidate import ColdSolver, with_bound
from ordojo.benchmarks.or_debug.outcome import FULL, preservation
from ordojo.benchmarks.or_debug.repairs import apply_fix
from ordojo.core.canonical import significant
from ordojo.milp.model import INF, Model
from ordojo.milp.tolerances import FEASIBILITY, PRIMAL
from ordojo.solvers.answers import Iis, Status

PHASES = 4
"""Algorithm 6's checks."""

CHECKS = PHASES + 1
"""The last asks that the problem must be read; where that is not asked for, it passes."""

KNOT = "knot"
"""The method by which one of three alike elements is wrong: to take that one away is right."""
KNOTS = "ABD"
"""The types that are made so in a model of several errors."""

ROWS = (50, 500)
"""Rows of a model of the hard set."""

LARGE = 10
"""Members of an IIS that is large: nine in ten of the eval set are smaller."""


@dataclass(frozen=True)
class Validation:
    """How far a candidate came: `passed` of the checks, and why not further.

    `iis` and `objective`, the original optimum, are there once their phase was passed; `rivals` is
    the number of sound elements whose repair makes the model feasible, where that was looked for.
    """

    passed: int
    reason: str = ""
    objective: float = 0.0
    iis: Iis | None = None
    rivals: int = 0

    @property
    def holds(self) -> bool:
        """Whether all checks were passed."""
        return self.passed == CHECKS


def validate(
    kind: str,
    original: Model,
    sabotaged: Model,
    targets: Sequence[str],
    fix: Sequence[str],
    solver: ColdSolver,
    strict: bool = True,
    knot: bool = False,
) -> Validation:
    """Original optimal, sabotaged infeasible, IIS with a target, fix restoring the optimum.

    If `strict`, no repair that needs no reading may do as well: see `unread`.
    """
    solved = solver.solve(original)
    objective = solved.objective
    if solved.status != Status.OPTIMAL or objective is None or abs(objective) < PRIMAL:
        return Validation(0, f"the original is {solved.status.value} at {objective}")
    iis = solver.iis(sabotaged)
    if iis is None:
        return Validation(1, "the sabotaged model is not INFEASIBLE")
    if not iis.proven:
        return Validation(2, "the IIS is not proven")
    rows, bounds = iis.row_names(sabotaged), iis.bound_names(sabotaged)
    if fault := missing(kind, targets, rows, bounds, iis.integral):
        return Validation(2, fault, objective)
    if fault := unrepaired(kind, sabotaged, targets, fix, objective, solver):
        return Validation(3, fault, objective, iis)
    fault, rivals = lonely(targets, rows) if strict else None, 0
    if fault is None and strict:
        fault, rivals = unread(kind, sabotaged, iis, targets, objective, solver, knot)
    if fault is not None:
        return Validation(PHASES, fault, objective, iis)
    return Validation(CHECKS, "", significant(objective), iis, rivals)


def missing(
    kind: str,
    targets: Sequence[str],
    rows: Collection[str],
    bounds: Collection[str],
    integral: bool,
) -> str | None:
    """What an IIS lacks of what its type promises, None where nothing is missing.

    A row of its own for every type but B (types F and H show a symptom), and a target: of type G
    the first and not the second. A type is there if a bound of its column or integrality is.
    """
    there = {*rows, *bounds}
    if kind == "B":
        column = targets[0].removesuffix(".type")
        if not (integral or f"{column}.ub" in there or f"{column}.lb" in there):
            return f"neither a bound of '{column}' nor integrality is in the IIS"
        return None
    if not rows:
        return "the IIS has bounds alone"
    if there.isdisjoint(targets):
        return f"none of {', '.join(targets)} is in the IIS"
    if kind == "G" and (targets[0] not in there or targets[1] in there):
        return f"the IIS shows '{targets[1]}' before '{targets[0]}' is repaired"
    return None


def unrepaired(
    kind: str,
    sabotaged: Model,
    targets: Sequence[str],
    fix: Sequence[str],
    optimum: float,
    solver: ColdSolver,
) -> str | None:
    """What the fix leaves wrong: no optimum, a worse one, or actions that are not all needed."""
    solved = solver.solve(apply_fix(sabotaged, fix))
    kept = preservation(solved.objective, optimum)
    if solved.status != Status.OPTIMAL or kept <= FULL:
        return f"the fix leaves the model {solved.status.value} with OP {kept:.3f}"
    for size in range(1, len(fix)):
        for part in combinations(fix, size):
            partly = apply_fix(sabotaged, part)
            if not solver.is_infeasible(partly):
                return f"{', '.join(part)} alone makes the model feasible"
            if kind == "G" and part == (fix[0],):
                later = solver.iis(partly)
                if later is None or targets[1] not in later.row_names(sabotaged):
                    return f"'{targets[1]}' does not show after the first repair"
    return None


def lonely(targets: Sequence[str], rows: Collection[str]) -> str | None:
    """What an IIS lacks of a choice: two rows at least, and one that is sound."""
    if len(rows) < 2 or set(rows) <= set(targets):
        return "the IIS has no sound row beside another one"
    return None


def unread(
    kind: str,
    sabotaged: Model,
    iis: Iis,
    targets: Sequence[str],
    optimum: float,
    solver: ColdSolver,
    knot: bool = False,
) -> tuple[str | None, int]:
    """A repair that needs no reading and keeps the objective, None if there is none; and rivals.

    Such are each member of the IIS dropped, or moved by the least that makes the model feasible;
    and all targets so. Of a knot, whose repair can be no other, the target itself is left out.
    Rivals are sound members that make the model feasible: of type I there must be one.
    """
    rivals: set[str] = set()
    for name, repaired in single_repairs(sabotaged, iis, solver):
        found = solver.solve(repaired)
        if found.status != Status.OPTIMAL:
            continue
        if name not in targets:
            rivals.add(name)
        elif knot:
            continue
        if (kept := preservation(found.objective, optimum)) > FULL:
            return f"a repair of '{name}' without reading keeps the objective ({kept:.3f})", 0
    if kind == "I" and not rivals:
        return "no repair of a sound constraint makes the model feasible", 0
    fault = _unread_together(sabotaged, targets, optimum, solver) if len(targets) > 1 else None
    return fault, len(rivals)


def _unread_together(
    model: Model, targets: Sequence[str], optimum: float, solver: ColdSolver
) -> str | None:
    models = [model]
    for name in targets:
        models = [after for before in models for after in repairs_of(before, name, solver)]
    for repaired in models:
        kept = preservation(solver.solve(repaired).objective, optimum)
        if kept > FULL:
            return f"repairs of all targets without reading keep the objective ({kept:.3f})"
    return None


def several(
    kinds: Sequence[str],
    original: Model,
    sabotaged: Model,
    targets: Sequence[str],
    fix: Sequence[str],
    iis: Iis,
    optimum: float,
    solver: ColdSolver,
) -> str | None:
    """What a model with an error of each of `kinds` at once lacks of the hard set's promises.

    The IIS is large or shows no target. Each error alone is one of its type that must be read, so
    that all have to be repaired. A sound element's repair would do for one of them, at a loss. No
    repair of the IIS, nor of all targets, keeps the objective without reading.
    """
    rows, bounds = iis.row_names(sabotaged), iis.bound_names(sabotaged)
    if not ROWS[0] <= sabotaged.m <= ROWS[1]:
        return f"it has {sabotaged.m} rows, {ROWS[0]} to {ROWS[1]} are asked for"
    if len(rows) + len(bounds) < LARGE and not set(rows).isdisjoint(targets):
        return "the IIS is small and shows a target"
    singles = list(zip(kinds, targets, fix, strict=True))
    shown = (missing(kind, (name,), rows, bounds, iis.integral) for kind, name, _ in singles)
    if all(shown):
        return "the IIS has nothing of any error"
    fault = lonely(targets, rows) or unrepaired("", sabotaged, targets, fix, optimum, solver)
    if fault is not None:
        return fault
    rivals = 0
    for kind, name, action in singles:
        alone = apply_fix(sabotaged, [other for other in fix if other != action])
        knot = kind in KNOTS
        found = validate(kind, original, alone, (name,), (action,), solver, knot=knot)
        if not found.holds:
            return f"the error in '{name}' alone: {found.reason}"
        rivals += found.rivals
    if not rivals:
        return "no repair of a sound constraint makes the model feasible"
    for name, repaired in single_repairs(sabotaged, iis, solver):
        if preservation(solver.solve(repaired).objective, optimum) > FULL:
            return f"a repair of '{name}' alone keeps the objective"
    read = [action for kind, _, action in singles if kind in KNOTS]
    open_ = [name for kind, name, _ in singles if kind not in KNOTS]
    if not open_:
        return None
    return _unread_together(apply_fix(sabotaged, read), open_, optimum, solver)


def no_choice(sabotaged: Model, iis: Iis, optimum: float, solver: ColdSolver) -> str | None:
    """What a type I of versions 1 and 2 lacks; the sabotaged row was counted among its rivals."""
    kept = []
    for _, repaired in single_repairs(sabotaged, iis, solver):
        found = solver.solve(repaired)
        if found.status == Status.OPTIMAL:
            kept.append(preservation(found.objective, optimum))
    if len(kept) < 2:
        return "no two other single repairs make the model feasible"
    if max(kept) > FULL:
        return f"another single repair keeps the objective, with OP {max(kept):.3f}"
    return None


def single_repairs(model: Model, iis: Iis, solver: ColdSolver) -> Iterator[tuple[str, Model]]:
    """Each member of an IIS dropped, and moved by the least that suffices, with its name."""
    for name in (*iis.row_names(model), *iis.bound_names(model)):
        for repaired in repairs_of(model, name, solver):
            yield name, repaired


def repairs_of(model: Model, name: str, solver: ColdSolver) -> Iterator[Model]:
    """A row or bound dropped, and moved to the nearest place at which the model is feasible."""
    element = find_element(model, name)
    if element is None or element.part is ElementKind.TYPE:
        return
    k, is_row, end = element.number, element.part is ElementKind.ROW, element.part.value
    index, value, low, up = as_row(model, element)
    free = -INF if element.part is ElementKind.LB else INF
    without = model.without_row(k) if is_row else with_bound(model, k, end, free)
    yield without
    if low == up:
        return
    for side, greatest in ((low, True), (up, False)):
        limit = solver.extreme(without, index, value, greatest, relaxed=False)
        if not np.isfinite(side) or not np.isfinite(limit):
            continue
        slip = FEASIBILITY * max(1.0, abs(limit))
        limit += -slip if greatest else slip
        if is_row:
            yield without.with_row_bounds(k, *((limit, up) if greatest else (low, limit)))
        else:
            yield with_bound(model, k, end, limit)
