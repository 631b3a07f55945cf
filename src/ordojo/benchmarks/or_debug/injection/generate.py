"""One debugging problem by split, seed, index and type: inject, validate, or begin again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np

from ordojo.benchmarks.or_debug.injection import basic, columns, knots, pairs, printed, rows
from ordojo.benchmarks.or_debug.injection.candidate import (
    ColdSolver,
    InjectionCandidate,
    Injector,
    Source,
    tidy,
)
from ordojo.benchmarks.or_debug.injection.stating import (
    bounds_as_rows,
    solved,
    with_asides,
    with_cuts,
)
from ordojo.benchmarks.or_debug.injection.validation import KNOT, Validation, validate
from ordojo.benchmarks.or_debug.injection.wording import hex_names
from ordojo.benchmarks.or_debug.schema import HARD, TYPES, Debugging
from ordojo.benchmarks.or_debug.seeds import SIZES, make_seed
from ordojo.benchmarks.or_debug.telling.figures import DerivedFigures
from ordojo.benchmarks.or_debug.telling.rules import Telling, Told
from ordojo.core.canonical import Json
from ordojo.core.errors import GeneratorError, UsageError
from ordojo.core.seeds import generator
from ordojo.formulation.spec import Number

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
    "E": rows.overcommit,
    "F": columns.hide,
    "G": pairs.cascade,
    "H": columns.shift_bound,
    "I": rows.choose,
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

    `found` is what its certificate says besides; `told` has what is told of it anew.
    """

    problem: Debugging
    passed: tuple[int, ...]
    found: Mapping[str, Json] | None = None
    told: Told | None = None


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
    injector = (INJECTORS if robust else basic.INJECTORS)[kind]
    if kind == "E" and two_rows:
        injector = pairs.interlock
    literal = as_printed and kind in printed.INJECTORS
    if literal:
        injector = printed.INJECTORS[kind]
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
) -> GeneratedProblem:
    """Make the problem with a record of its failed attempts; the same arguments, the same bytes.

    Without `robust` by the basic injectors (C.1), whose problems need not be read to be solved;
    `sizes` are the specifications that are drawn from.

    Raises UsageError for an unknown type, GeneratorError if no attempt passes.
    """
    if kind not in TYPES:
        raise UsageError(f"there is no error type '{kind}'; the types are {', '.join(TYPES)}")
    form = "" if robust else "basic/"
    if as_printed and kind in printed.INJECTORS:
        form = "printed/"
    rng = generator(seed, f"or-debug/{form}{split}/{kind}", index)
    passed: list[int] = []
    shapes, families = shapes_of(split, seed), list(sizes)
    in_cases = robust and form != "printed/" and not (two_rows and kind == "E")
    if in_cases:
        families = [family for family in sizes if family in HOLD.get(kind, sizes)] or families
    while len(passed) < ATTEMPTS:
        if len(passed) % (STAY if in_cases else 1) == 0:
            family = families[int(rng.integers(len(families)))]
        own = {family: sizes[family]}
        outcome = attempt(kind, rng, shared_solver(), robust, two_rows, as_printed, own, shapes)
        passed.append(outcome.validation.passed)
        if outcome.validation.holds:
            return generated(outcome, split, index, kind, passed)
    raise GeneratorError(
        f"no problem of type {kind} came out of {ATTEMPTS} attempts for item {index} of {split}; "
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
