"""What a silent error must be: seen in the optimum, and undone by one repair alone."""

from collections.abc import Iterator

import numpy as np

from ordojo.benchmarks.or_debug.elements import ElementKind, find_element
from ordojo.benchmarks.or_debug.injection.candidate import (
    ColdSolver,
    flipped,
    is_inequality,
    preservation,
)
from ordojo.benchmarks.or_debug.injection.stating import KEPT
from ordojo.benchmarks.or_debug.outcome import differences, holds_at, unbounded
from ordojo.benchmarks.or_debug.repairs import apply_fix
from ordojo.milp.model import Floats, Model, VarType
from ordojo.solvers.answers import Status
from ordojo.solvers.equivalence import EquivalenceVerdict, compare_points
from ordojo.solvers.residuals import check_optimal

SECONDS = 10.0
"""For one comparison of two small models, which takes milliseconds."""

MANY = 5000
"""Rows beyond which not each other repair is tried: the wrong element must forbid the optimum."""

ALIKE = 1e-6
"""Optima that differ relatively by no more are one."""


def silent_fault(
    original: Model, sabotaged: Model, target: str, fix: str, solver: ColdSolver
) -> tuple[str | None, float, float]:
    """What the error lacks of the set's promises, None for nothing; and the two optima.

    Both models have proved optima, more than 5% apart. The fix makes the original. No other repair
    of one element does: the optimum of the original is cut off by the sabotaged element, which
    every other repair keeps; or else each of `single_changes` is tried.
    """
    right, wrong = solver.solve(original), solver.solve(sabotaged)
    if right.status != Status.OPTIMAL or right.objective is None or right.x is None:
        return f"the original is {right.status.value}, not OPTIMAL", 0.0, 0.0
    if wrong.status != Status.OPTIMAL or wrong.objective is None or wrong.x is None:
        return f"the sabotaged model is {wrong.status.value}, not OPTIMAL", 0.0, 0.0
    check_optimal(original, right)
    check_optimal(sabotaged, wrong)
    optima = float(right.objective), float(wrong.objective)
    if min(map(abs, optima)) < ALIKE:
        return "an optimum is 0", *optima
    if max(preservation(*optima), preservation(*optima[::-1])) <= KEPT:
        fault = _not_undone(original, sabotaged, fix) or _undone_by_another(
            original, sabotaged, target, right.x.copy(), optima[0], solver
        )
        return fault, *optima
    return f"the optima {optima[0]:.6g} and {optima[1]:.6g} are within 5%", *optima


def _not_undone(original: Model, sabotaged: Model, fix: str) -> str | None:
    left = differences(apply_fix(sabotaged, [fix]), original)
    return f"after the fix '{left[0]}' is not what it was" if left else None


def _undone_by_another(
    original: Model, sabotaged: Model, target: str, best: Floats, optimum: float, solver: ColdSolver
) -> str | None:
    if not _keeps(sabotaged, target, best):
        return None
    if sabotaged.m > MANY:
        return "the wrong element allows the true optimum, and others are too many to be tried"
    for name, changed in single_changes(sabotaged, original, target, best):
        found = solver.solve(changed)
        if found.status != Status.OPTIMAL or found.objective is None or found.x is None:
            continue
        if abs(found.objective - optimum) > ALIKE * max(1.0, abs(optimum)):
            continue
        if not (holds_at(original, found.x) and holds_at(changed, best)):
            continue
        if compare_points(changed, original, SECONDS).verdict != EquivalenceVerdict.DIFFERENT:
            return f"a change of '{name}' undoes the error, too"
    return None


def _keeps(model: Model, name: str, point: Floats) -> bool:
    """Whether an element of the model allows a point."""
    element = find_element(model, name)
    assert element is not None
    k = element.number
    if element.part is not ElementKind.ROW:
        return bool(model.types[k] == VarType.CONTINUOUS or abs(point[k] - round(point[k])) < 1e-6)
    activity = float(model.activities(point)[k])
    slip = ALIKE * max(1.0, abs(activity))
    return bool(model.row_lower[k] - slip <= activity <= model.row_upper[k] + slip)


def single_changes(
    model: Model, original: Model, target: str, best: Floats
) -> Iterator[tuple[str, Model]]:
    """Every repair of one element but the target that could make up for it.

    A row dropped, turned, moved to where the true optimum `best` (n) is, or written anew as the
    target's true form; a bound dropped or moved there; a type exchanged. A rule that is missing may
    be written over one that others imply: that is the same repair at another place.
    """
    true = original.rows.get(target)
    if true is not None and not model.is_live(model.rows[target]):
        true = None
    activity = model.activities(best)
    for i, name in enumerate(model.row_names):
        if name == target:
            continue
        if model.is_live(i):
            yield name, model.without_row(i)
            here = float(activity[i])
            sides = float(model.row_lower[i]), float(model.row_upper[i])
            yield name, model.with_row_bounds(i, *(here if np.isfinite(s) else s for s in sides))
            if is_inequality(model, i):
                yield name, flipped(model, i)
        if true is not None:
            index, value = (part.tolist() for part in original.row(true))
            ends = float(original.row_lower[true]), float(original.row_upper[true])
            yield name, model.with_row(i, index, value, *ends)
    for j, name in enumerate(model.col_names):
        low, up = float(model.col_lower[j]), float(model.col_upper[j])
        for part, side in (("lb", low), ("ub", up)):
            if np.isfinite(side):
                yield f"{name}.{part}", unbounded(model, j, part == "lb")
                ends = (float(best[j]), up) if part == "lb" else (low, float(best[j]))
                yield f"{name}.{part}", model.with_col_bounds(j, *ends)
        for kind in (VarType.CONTINUOUS, VarType.INTEGER, VarType.BINARY):
            if kind != model.types[j] and f"{name}.type" != target:
                yield f"{name}.type", model.with_type(j, kind)
