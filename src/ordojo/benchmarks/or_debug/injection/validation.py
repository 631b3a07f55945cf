"""The four-fold validation (algorithm 6), with what each type promises besides (C.6, C.10)."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations

from ordojo.benchmarks.or_debug.injection.candidate import ColdSolver, preservation
from ordojo.benchmarks.or_debug.injection.choices import KEPT, rivals
from ordojo.benchmarks.or_debug.repairs import apply_fix
from ordojo.core.canonical import significant
from ordojo.milp.model import Model
from ordojo.solvers.answers import Iis, Status

PHASES = 4

_SMALL = 1e-6


@dataclass(frozen=True)
class Validation:
    """How far a candidate came: `passed` of four phases, and why not further.

    `iis` and `objective`, the original optimum, are there once their phase was passed.
    """

    passed: int
    reason: str = ""
    objective: float = 0.0
    iis: Iis | None = None

    @property
    def holds(self) -> bool:
        """Whether all four phases were passed."""
        return self.passed == PHASES


def validate(
    kind: str,
    original: Model,
    sabotaged: Model,
    targets: Sequence[str],
    fix: Sequence[str],
    solver: ColdSolver,
) -> Validation:
    """Original optimal, sabotaged infeasible, IIS with a target, fix restoring the optimum."""
    solved = solver.solve(original)
    objective = solved.objective
    if solved.status != Status.OPTIMAL or objective is None or abs(objective) < _SMALL:
        return Validation(0, f"the original is {solved.status.value} at {objective}")
    iis = solver.iis(sabotaged)
    if iis is None:
        return Validation(1, "the sabotaged model is not INFEASIBLE")
    if not iis.proven:
        return Validation(2, "the IIS is not proven")
    rows, bounds = iis.row_names(sabotaged), iis.bound_names(sabotaged)
    if fault := missing(kind, targets, rows, bounds, iis.integral):
        return Validation(2, fault, objective)
    fault = unrepaired(kind, sabotaged, targets, fix, objective, solver)
    if fault is None and kind == "I":
        fault = no_choice(sabotaged, iis, objective, solver)
    if fault is not None:
        return Validation(3, fault, objective, iis)
    return Validation(PHASES, "", significant(objective), iis)


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
    if solved.status != Status.OPTIMAL or kept <= KEPT:
        return f"the fix leaves the model {solved.status.value} with OP {kept:.3f}"
    for size in range(1, len(fix)):
        for part in combinations(fix, size):
            later = solver.iis(apply_fix(sabotaged, part))
            if later is None:
                return f"{', '.join(part)} alone makes the model feasible"
            shown = {sabotaged.row_names[i] for i, _ in later.rows}
            if kind == "G" and part == (fix[0],) and targets[1] not in shown:
                return f"'{targets[1]}' does not show after the first repair"
    return None


def no_choice(sabotaged: Model, iis: Iis, optimum: float, solver: ColdSolver) -> str | None:
    """Why a model of type I has no choice of repairs, or a second good one; None if all is well."""
    others = rivals(sabotaged, iis, optimum, solver)
    if len(others) < 2:
        return "no two other single repairs make the model feasible"
    if max(others) > KEPT:
        return f"another single repair keeps the objective, with OP {max(others):.3f}"
    return None
