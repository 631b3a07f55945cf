"""The hard set: two to four errors at once in a mixed-integer model of 50 to 500 rows."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ordojo.benchmarks.or_debug.elements import ElementKind, find_element
from ordojo.benchmarks.or_debug.injection.candidate import (
    ColdSolver,
    InjectionCandidate,
    Source,
)
from ordojo.benchmarks.or_debug.injection.generate import (
    ATTEMPTS,
    INJECTORS,
    GeneratedProblem,
    InjectionAttempt,
    Shapes,
    draw,
    generated,
    shapes_of,
    shared_solver,
)
from ordojo.benchmarks.or_debug.injection.stating import (
    solved,
)
from ordojo.benchmarks.or_debug.injection.validation import (
    CHECKS,
    KNOTS,
    Validation,
    several,
    validate,
)
from ordojo.benchmarks.or_debug.schema import SEVERAL
from ordojo.benchmarks.or_debug.seeds import HARD_SIZES
from ordojo.core.canonical import significant
from ordojo.core.errors import GeneratorError
from ordojo.core.seeds import generator
from ordojo.milp.model import Model, VarType

KINDS = "ABDEFHI"
"""Types that are put together, each at most once. G is two errors by itself, and the rules of C
would make texts longer than what a turn holds."""

ROOM = 9_000
"""Characters of a text: what else the first turn says has the rest of 16,000."""

ERRORS = (2, 4)
"""How many: a fix of more actions would not fit into RR@5 with a mistake."""


TURN = ("network_design", "blending", "cyclic_roster", "unit_commitment", "blending")
"""Specifications in turn; blending, which is broken the most quickly, comes twice."""


def produce_several(split: str, seed: int, index: int) -> GeneratedProblem:
    """Make the problem with a record of its failed attempts; the same arguments, the same bytes.

    Raises GeneratorError if no attempt passes.
    """
    rng = generator(seed, f"or-debug/{split}/{SEVERAL}", index)
    family = TURN[index % len(TURN)]
    passed: list[int] = []
    while len(passed) < ATTEMPTS:
        outcome = _attempt(family, rng, shared_solver(), shapes_of(split, seed))
        passed.append(outcome.validation.passed)
        if outcome.validation.holds:
            made = generated(outcome, split, index, SEVERAL, passed)
            if len(made.problem.text) <= ROOM:
                return made
    raise GeneratorError(
        f"no problem of several errors came out of {ATTEMPTS} attempts for item {index} of "
        f"{split}; take another seed"
    )


def _attempt(
    family: str, rng: np.random.Generator, solver: ColdSolver, shapes: Shapes
) -> InjectionAttempt:
    """Errors put one after the other into one seed problem, each a proper one alone."""
    source = draw(family, rng, solver, HARD_SIZES, 1, shapes)
    if source is None:
        return InjectionAttempt(family, Validation(0, "the seed problem has no optimum"))
    source = replace(source, several=True)
    wanted = int(rng.integers(ERRORS[0], ERRORS[1] + 1))
    found: list[tuple[str, InjectionCandidate]] = []
    for k in rng.permutation(len(KINDS)).tolist():
        candidate = INJECTORS[KINDS[k]](source, rng, solver)
        if candidate is None or not _holds(KINDS[k], candidate, solver):
            continue
        after = solved(candidate.source, solver)
        if after is None or any(candidate.targets == other.targets for _, other in found):
            continue
        source = after
        found.append((KINDS[k], candidate))
        if len(found) == wanted:
            break
    if len(found) < ERRORS[0]:
        return InjectionAttempt(family, Validation(1, "no two errors were found"))
    return _together(source, found, solver)


def _holds(kind: str, candidate: InjectionCandidate, solver: ColdSolver) -> bool:
    fix = [str(action) for action in candidate.fix]
    models = candidate.original, candidate.sabotaged
    knot = kind in KNOTS
    return validate(kind, *models, candidate.targets, fix, solver, knot=knot).holds


def _together(
    source: Source, found: Sequence[tuple[str, InjectionCandidate]], solver: ColdSolver
) -> InjectionAttempt:
    """All errors in the last true problem, validated."""
    broken = source.model
    for _, candidate in found:
        broken = _broken(broken, candidate)
    kinds = [kind for kind, _ in found]
    targets = tuple(name for _, candidate in found for name in candidate.targets)
    fix = tuple(action for _, candidate in found for action in candidate.fix)
    whole = InjectionCandidate(source, broken, targets, fix, "+".join(kinds))
    iis = solver.iis(broken)
    if iis is None or not iis.proven:
        return InjectionAttempt(source.family, Validation(2, "the IIS is not proven"))
    said = [str(action) for action in fix]
    fault = several(kinds, source.model, broken, targets, said, iis, source.objective, solver)
    if fault is not None:
        return InjectionAttempt(source.family, Validation(3, fault, source.objective, iis))
    optimum = significant(source.objective)
    return InjectionAttempt(source.family, Validation(CHECKS, "", optimum, iis), whole)


def _broken(model: Model, candidate: InjectionCandidate) -> Model:
    """A model with the sabotaged elements of a candidate, whose columns it has at their places."""
    other = candidate.sabotaged
    for name in candidate.targets:
        element = find_element(other, name)
        assert element is not None
        k = element.number
        if element.part is ElementKind.ROW:
            index, value = (part.tolist() for part in other.row(k))
            sides = float(other.row_lower[k]), float(other.row_upper[k])
            model = model.with_row(model.rows[name], index, value, *sides)
        elif element.part is ElementKind.TYPE:
            model = model.with_type(k, VarType(int(other.types[k])))
        else:
            model = model.with_col_bounds(k, float(other.col_lower[k]), float(other.col_upper[k]))
    return model
