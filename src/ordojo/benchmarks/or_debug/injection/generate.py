"""One debugging problem by split, seed, index and type: inject, validate, or begin again.

And those of the hard set: two to four errors at once in a mixed-integer model of 50 to 500 rows.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np

from ordojo.benchmarks.or_debug.elements import ElementKind, find_element
from ordojo.benchmarks.or_debug.injection import knots, printed, sides
from ordojo.benchmarks.or_debug.injection.candidate import (
    ColdSolver,
    InjectionCandidate,
    Injector,
    Source,
    bounds_as_rows,
    hex_names,
    solved,
    tidy,
    with_asides,
    with_cuts,
)
from ordojo.benchmarks.or_debug.injection.validation import (
    CHECKS,
    KNOT,
    KNOTS,
    Validation,
    several,
    validate,
)
from ordojo.benchmarks.or_debug.schema import HARD, SEVERAL, TYPES, Debugging
from ordojo.benchmarks.or_debug.seeds import HARD_SIZES, SIZES, make_seed
from ordojo.benchmarks.or_debug.telling.figures import DerivedFigures
from ordojo.benchmarks.or_debug.telling.rules import Telling, Told
from ordojo.core.canonical import Json, significant
from ordojo.core.errors import GeneratorError, UsageError
from ordojo.core.seeds import generator
from ordojo.formulation.spec import Number
from ordojo.milp.model import Model, VarType

ASIDES = 2
"""Up to so many stated limits that are sound, so that an added one is not told by being there."""

ROWS = 0.4
"""The share of upper bounds that are written as rows: an IIS then has more to choose from."""

CUTS: Mapping[str, int] = {"G": 2, "I": 1}
"""How many stated limits that cost something a type needs: where few rows are dear, few can be
sabotaged so that the true numbers matter."""


Sizes = Mapping[str, Mapping[str, tuple[Number, Number]]]
"""Specifications to draw from, with the range of each knob; see `SIZES`."""


Shapes = Literal["all", "training", "plain"]
"""How a problem is told: in all shapes, without those held out, or, of the paper's injectors,
in the plain words that readers of before were taught on."""


def shapes_of(split: str, seed: int) -> Shapes:
    """All shapes are for the sets that are asked: eval, and the hard set as it is shipped."""
    return "all" if split == "eval" or (split == HARD and seed == 0) else "training"


def draw(
    family: str,
    rng: np.random.Generator,
    solver: ColdSolver,
    sizes: Sizes = SIZES,
    cuts: int = 0,
    shapes: Shapes = "training",
) -> Source | None:
    """A seed problem of a family; None where it is none or has no optimum (phase 1 fails).

    Some of its bounds are written as rows, and some limits are added that its text then states,
    `cuts` of which cost something.
    """
    figures = None if shapes == "plain" else DerivedFigures(rng)
    try:
        seed = make_seed(family, rng, sizes, figures)
    except GeneratorError:  # of a few draws a rule has nothing to say
        return None
    teller = Telling(seed, figures, rng, shapes == "all") if figures else None
    model = tidy(seed.model)
    drawn = Source(family, model, seed.text, np.zeros(model.n), 0.0, teller)
    source = solved(drawn, solver)
    if source is None:
        return None
    source = with_asides(bounds_as_rows(source, ROWS, rng), rng, ASIDES)
    return with_cuts(source, rng, solver, cuts)


INJECTORS: Mapping[str, Injector] = {
    "A": knots.flip,
    "B": knots.retype,
    "C": knots.recoefficient,
    "D": knots.contradict,
    "E": sides.overcommit,
    "F": sides.hide,
    "G": sides.cascade,
    "H": sides.shift_bound,
    "I": sides.choose,
}
"""The robust injector of each type (C.8, table 21)."""

RENAMED = "GHI"
"""Types whose rows are named by sense alone (C.10)."""

ATTEMPTS = 1000
"""After so many failures the generator is at fault, not the seed problem: one in twenty passes."""


STAY = 20
"""Attempts at one family before another is drawn: those that hold the easiest take not all."""

_COVERS = ("crop_planning", "cutting_stock", "lot_sizing")
_KNOTS = (*_COVERS, "diet", "facility_location", "generalized_assignment", "project_budget",
          "set_covering", "vehicle_loading")  # fmt: skip

HOLD: Mapping[str, tuple[str, ...]] = {
    "A": _KNOTS,
    "C": (*_COVERS, "diet", "max_flow", "media_mix", "min_cost_flow", "product_mix",
          "set_covering", "transportation"),
    "D": _KNOTS,
    "E": ("cutting_stock", "diet", "lot_sizing", "media_mix", "min_cost_flow", "power_dispatch",
          "transportation", "transshipment"),
    "F": (*_COVERS, "diet", "max_flow", "media_mix", "min_cost_flow", "product_mix",
          "transportation", "transshipment"),
    "G": (*_COVERS, "max_flow", "media_mix", "product_mix"),
    "H": (*_COVERS, "diet", "max_flow", "media_mix", "min_cost_flow", "product_mix"),
    "I": (*_COVERS, "diet", "max_flow", "product_mix"),
}  # fmt: skip
"""Families in which a type finds three cases whose optima are clear: of 60 attempts one at least.

Elsewhere a limit's cost has no such span, and attempts are in vain. B holds in nearly all.
"""


@dataclass(frozen=True)
class InjectionAttempt:
    """One attempt: the phases it passed, and the candidate with its proof if all four."""

    family: str
    validation: Validation
    candidate: InjectionCandidate | None = None


@dataclass(frozen=True)
class GeneratedProblem:
    """A problem, and the phases that each attempt passed, the last one all four.

    `found` is what its certificate says besides; `told` has what is told of it anew; `drawn` counts
    the problems that were made for its place.
    """

    problem: Debugging
    passed: tuple[int, ...]
    found: Mapping[str, Json] | None = None
    told: Told | None = None
    drawn: int = 1


@lru_cache(maxsize=1)
def shared_solver() -> ColdSolver:
    """One solver for the process; its answers depend on the model alone."""
    return ColdSolver()


def attempt(
    kind: str,
    rng: np.random.Generator,
    solver: ColdSolver,
    robust: bool = True,
    two_rows: bool = False,
    as_printed: bool = False,
    sizes: Sizes = SIZES,
    shapes: Shapes = "training",
) -> InjectionAttempt:
    """One seed problem, one injection, one validation; type E in its form of `two_rows` if so.

    Types A and C `as_printed` are those of algorithms 7 and 8, which need not be read to be solved.
    An injector that finds no target has failed phase 2. Raises GeneratorError if no family suits.
    """
    family = list(sizes)[int(rng.integers(len(sizes)))]
    shapes = shapes if robust else "plain"
    source = draw(family, rng, solver, sizes, CUTS.get(kind, 0), shapes)
    if source is None:
        return InjectionAttempt("", Validation(0, "the seed problem has no optimum"))
    injector = (INJECTORS if robust else printed.BASIC)[kind]
    if kind == "E" and two_rows:
        injector = sides.interlock
    literal = as_printed and kind in printed.ROBUST
    if literal:
        injector = printed.ROBUST[kind]
    candidate = injector(source, rng, solver)
    if candidate is None:
        return InjectionAttempt(source.family, Validation(1, "no target was found"))
    if kind in RENAMED:
        candidate = candidate.renamed(hex_names(candidate.original, rng))
    found = validate(
        kind,
        candidate.original,
        candidate.sabotaged,
        candidate.targets,
        [str(action) for action in candidate.fix],
        solver,
        strict=robust and not literal,
        knot=candidate.method == KNOT,
    )
    return InjectionAttempt(source.family, found, candidate)


def produce(
    split: str,
    seed: int,
    index: int,
    kind: str,
    two_rows: bool = False,
    robust: bool = True,
    as_printed: bool = False,
    sizes: Sizes = SIZES,
    again: int = 0,
) -> GeneratedProblem:
    """Make the problem with a record of its failed attempts; the same arguments, the same bytes.

    Without `robust` by the basic injectors (C.1), whose problems need not be read to be solved;
    `sizes` are the specifications that are drawn from; `again` makes another in its place.

    Raises UsageError for an unknown type, GeneratorError if no attempt passes.
    """
    if kind not in TYPES:
        raise UsageError(f"there is no error type '{kind}'; the types are {', '.join(TYPES)}")
    form = "" if robust else "basic/"
    if as_printed and kind in printed.ROBUST:
        form = "printed/"
    rng = generator(seed, f"or-debug/{form}{split}/{kind}{f'/{again}' if again else ''}", index)
    shapes, families = shapes_of(split, seed), list(sizes)
    in_cases = robust and form != "printed/" and not (two_rows and kind == "E")
    if in_cases:
        families = [family for family in sizes if family in HOLD.get(kind, sizes)] or families

    def tries() -> Iterator[InjectionAttempt]:
        for place in range(ATTEMPTS):
            if place % (STAY if in_cases else 1) == 0:
                family = families[int(rng.integers(len(families)))]
            own = {family: sizes[family]}
            yield attempt(kind, rng, shared_solver(), robust, two_rows, as_printed, own, shapes)

    return _first(tries(), split, index, kind)


def _first(
    tries: Iterator[InjectionAttempt], split: str, index: int, kind: str, most: float = math.inf
) -> GeneratedProblem:
    """The first problem that holds, its text of `most` characters; raises GeneratorError."""
    passed: list[int] = []
    for outcome in tries:
        passed.append(outcome.validation.passed)
        if outcome.validation.holds:
            made = generated(outcome, split, index, kind, passed)
            if len(made.problem.text) <= most:
                return made
    what = "several errors" if kind == SEVERAL else f"type {kind}"
    raise GeneratorError(
        f"no problem of {what} came out of {ATTEMPTS} attempts for item {index} of {split}; "
        "take another seed"
    )


def generate(split: str, seed: int, index: int, kind: str, robust: bool = True) -> Debugging:
    """The problem of `produce` alone."""
    return produce(split, seed, index, kind, robust=robust).problem


def generated(
    outcome: InjectionAttempt, split: str, index: int, kind: str, passed: Sequence[int]
) -> GeneratedProblem:
    """The problem of an attempt, the last of those that `passed` so far."""
    candidate = outcome.candidate
    assert candidate is not None
    iis, sabotaged = outcome.validation.iis, candidate.sabotaged
    told = candidate.source.told()
    problem = Debugging(
        index=index,
        split=split,
        type=kind,
        family=outcome.family,
        text=told.text,
        original=candidate.original.to_json(),
        sabotaged=sabotaged.to_json(),
        targets=candidate.targets,
        fix=tuple(str(action) for action in candidate.fix),
        iis_rows=() if iis is None else iis.row_names(sabotaged),
        iis_bounds=() if iis is None else iis.bound_names(sabotaged),
        objective=outcome.validation.objective,
        method=candidate.method,
        regenerations=len(passed) - 1,
    )
    return GeneratedProblem(problem, tuple(passed), told=told)


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
    shapes, solver = shapes_of(split, seed), shared_solver()
    tries = (_several_at_once(family, rng, solver, shapes) for _ in range(ATTEMPTS))
    return _first(tries, split, index, SEVERAL, ROOM)


def _several_at_once(
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
        if candidate is None:
            continue
        models, fix = (candidate.original, candidate.sabotaged), [str(a) for a in candidate.fix]
        knot = KINDS[k] in KNOTS
        if not validate(KINDS[k], *models, candidate.targets, fix, solver, knot=knot).holds:
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
            model = model.with_row(model.rows[name], index, value, *other.sides(k))
        elif element.part is ElementKind.TYPE:
            model = model.with_type(k, VarType(int(other.types[k])))
        else:
            model = model.with_col_bounds(k, *other.bounds(k))
    return model
