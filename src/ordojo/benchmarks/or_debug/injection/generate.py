"""One debugging problem by split, seed, index and type: inject, validate, or begin again."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from ordojo.benchmarks.or_debug.injection import basic, choices, columns, pairs, rows
from ordojo.benchmarks.or_debug.injection.candidate import (
    Candidate,
    ColdSolver,
    Injector,
    Source,
    insert_row,
    tidy,
)
from ordojo.benchmarks.or_debug.injection.columns import retypable
from ordojo.benchmarks.or_debug.injection.rows import whole
from ordojo.benchmarks.or_debug.injection.validation import Validation, validate
from ordojo.benchmarks.or_debug.injection.wording import (
    at_least,
    at_most,
    beyond,
    fresh_name,
    hex_names,
)
from ordojo.benchmarks.or_debug.schema import TYPES, Debugging
from ordojo.benchmarks.or_debug.seeds import SIZES, has_integers, make_seed
from ordojo.core.errors import GeneratorError, UsageError
from ordojo.core.seeds import generator
from ordojo.milp.model import INF
from ordojo.solvers.answers import Status

_DRAWS = 200
_ASIDE = 0.4


def draw(kind: str, rng: np.random.Generator, solver: ColdSolver) -> Source | None:
    """A seed problem of a random family; None where it has no optimum (phase 1 fails).

    Type B needs an INTEGER column that may exceed 1. Some problems get an aside, a stated row which
    the optimum meets with room to spare, so that an added row of type D is not told by its name.
    Raises GeneratorError if no family suits the type.
    """
    names = [name for name in SIZES if kind != "B" or has_integers(name)]
    for _ in range(_DRAWS):
        family = names[int(rng.integers(len(names)))]
        seed = make_seed(family, rng)
        if kind == "B" and not retypable(seed.model):
            continue
        model = tidy(seed.model)
        solved = solver.solve(model)
        if solved.status != Status.OPTIMAL or solved.x is None or solved.objective is None:
            return None
        source = Source(
            family, model, seed.text, seed.roles, solved.x.copy(), float(solved.objective)
        )
        return _with_aside(source, rng) if rng.random() < _ASIDE else source
    raise GeneratorError(f"no family gives a problem for type {kind}; add one that does")


def _with_aside(source: Source, rng: np.random.Generator) -> Source:
    model = source.model
    lengths = np.diff(model.starts)
    i = int(rng.choice(np.flatnonzero(lengths >= 2))) if (lengths >= 2).any() else 0
    columns = [int(j) for j, v in zip(*model.row(i), strict=True) if v > 0]
    if not columns:
        return source
    size = int(rng.integers(1, len(columns) + 1))
    chosen = sorted(rng.permutation(columns)[:size].tolist())
    here = float(source.point[chosen].sum())
    lower = bool(rng.random() < 0.5)
    rhs = beyond(here, not lower, rng, here, whole(model, chosen))
    if rhs <= 0:
        return source
    sides = (rhs, INF) if lower else (-INF, rhs)
    name, at = fresh_name(model, lower, rng), int(rng.integers(model.m + 1))
    say = at_least if lower else at_most
    sentence = say([model.col_names[j] for j in chosen], rhs, rng)
    return replace(
        source,
        model=insert_row(model, at, name, dict.fromkeys(chosen, 1.0), *sides),
        text=f"{source.text} {sentence}",
        roles={**source.roles, name: "minimum" if lower else "maximum"},
    )


INJECTORS: Mapping[str, Injector] = {
    "A": rows.flip,
    "B": columns.retype,
    "C": rows.recoefficient,
    "D": rows.contradict,
    "E": pairs.interlock,
    "F": columns.hide,
    "G": pairs.cascade,
    "H": columns.shift_bound,
    "I": choices.choose,
}
"""The robust injector of each type (C.8, table 21)."""

RENAMED = "GHI"
"""Types whose rows are named by sense alone (C.10)."""

ATTEMPTS = 100
"""After so many failures the generator is at fault, not the seed problem."""


@dataclass(frozen=True)
class Outcome:
    """One attempt: the phases it passed, and the candidate with its proof if all four."""

    family: str
    validation: Validation
    candidate: Candidate | None = None


@dataclass(frozen=True)
class Made:
    """A problem, and the phases that each attempt passed, the last one all four."""

    problem: Debugging
    passed: tuple[int, ...]


@lru_cache(maxsize=1)
def shared_solver() -> ColdSolver:
    """One solver for the process; its answers depend on the model alone."""
    return ColdSolver()


def attempt(
    kind: str, rng: np.random.Generator, solver: ColdSolver, robust: bool = True
) -> Outcome:
    """One seed problem, one injection, one validation.

    An injector that finds no target has failed phase 2. Raises GeneratorError if no family suits.
    """
    source = draw(kind, rng, solver)
    if source is None:
        return Outcome("", Validation(0, "the seed problem has no optimum"))
    candidate = (INJECTORS if robust else basic.INJECTORS)[kind](source, rng, solver)
    if candidate is None:
        return Outcome(source.family, Validation(1, "no target was found"))
    if kind in RENAMED:
        candidate = candidate.renamed(hex_names(candidate.original, rng))
    found = validate(
        kind,
        candidate.original,
        candidate.sabotaged,
        candidate.targets,
        [str(action) for action in candidate.fix],
        solver,
    )
    return Outcome(source.family, found, candidate)


def produce(split: str, seed: int, index: int, kind: str) -> Made:
    """Make the problem with a record of its failed attempts; the same arguments, the same bytes.

    Raises UsageError for an unknown type, GeneratorError if no attempt passes.
    """
    if kind not in TYPES:
        raise UsageError(f"there is no error type '{kind}'; the types are {', '.join(TYPES)}")
    rng = generator(seed, f"or-debug/{split}/{kind}", index)
    passed: list[int] = []
    while len(passed) < ATTEMPTS:
        outcome = attempt(kind, rng, shared_solver())
        passed.append(outcome.validation.passed)
        if outcome.validation.holds and outcome.candidate is not None:
            problem = _problem(outcome, outcome.candidate, split, index, kind, len(passed) - 1)
            return Made(problem, tuple(passed))
    raise GeneratorError(
        f"no problem of type {kind} came out of {ATTEMPTS} attempts for item {index} of {split}; "
        "take another seed"
    )


def generate(split: str, seed: int, index: int, kind: str) -> Debugging:
    """The problem of `produce` alone."""
    return produce(split, seed, index, kind).problem


def _problem(
    outcome: Outcome, candidate: Candidate, split: str, index: int, kind: str, failed: int
) -> Debugging:
    iis, sabotaged = outcome.validation.iis, candidate.sabotaged
    return Debugging(
        index=index,
        split=split,
        type=kind,
        family=outcome.family,
        text=candidate.text,
        original=candidate.original.to_json(),
        sabotaged=sabotaged.to_json(),
        targets=candidate.targets,
        fix=tuple(str(action) for action in candidate.fix),
        iis_rows=() if iis is None else iis.row_names(sabotaged),
        iis_bounds=() if iis is None else iis.bound_names(sabotaged),
        objective=outcome.validation.objective,
        method=candidate.method,
        regenerations=failed,
    )
