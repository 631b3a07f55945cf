"""One silently wrong problem by split, seed and index, tried until its proof holds."""

import numpy as np

from ordojo.benchmarks.or_debug.injection.candidate import ColdSolver, InjectionCandidate
from ordojo.benchmarks.or_debug.injection.generate import (
    ATTEMPTS,
    GeneratedProblem,
    shared_solver,
)
from ordojo.benchmarks.or_debug.injection.validation import CHECKS
from ordojo.benchmarks.or_debug.schema import SILENT, Debugging
from ordojo.benchmarks.or_debug.silent.errors import ERRORS
from ordojo.benchmarks.or_debug.silent.proof import silent_fault
from ordojo.benchmarks.or_debug.silent.stated import draw_stated
from ordojo.core.canonical import significant
from ordojo.core.errors import GeneratorError
from ordojo.core.seeds import generator
from ordojo.milp.model import Model, VarType

TRIES = 6
"""Errors tried in one problem: drawing another costs more than trying again."""


def silent_kind(index: int) -> str:
    """The kind of error of item `index`: all in turn."""
    return tuple(SILENT)[index % len(SILENT)]


def produce_silent(split: str, seed: int, index: int, kind: str = "") -> GeneratedProblem:
    """Make the problem with a record of its failed attempts; the same arguments, the same bytes.

    Raises GeneratorError if no attempt passes.
    """
    kind = kind or silent_kind(index)
    rng = generator(seed, f"or-debug/{split}/{kind}", index)
    for failed in range(ATTEMPTS):
        made = _attempt(kind, split, index, failed, rng, shared_solver())
        if made is not None:
            problem, wrong = made
            return GeneratedProblem(problem, (*[0] * failed, CHECKS), {"optimum": wrong})
    raise GeneratorError(
        f"no error of kind {kind} came out of {ATTEMPTS} attempts for item {index} of {split}; "
        "take another seed"
    )


def _attempt(
    kind: str, split: str, index: int, failed: int, rng: np.random.Generator, solver: ColdSolver
) -> tuple[Debugging, float] | None:
    source = draw_stated(rng, solver)
    for _ in range(TRIES if source else 0):
        assert source is not None
        made = ERRORS[kind](source, rng)
        if made is None:
            continue
        fix = str(made.fix[0])
        models = made.original, made.sabotaged
        fault, optimum, wrong = silent_fault(*models, made.targets[0], fix, solver)
        if fault is None and _hidden(made, kind, solver):
            problem = Debugging(
                index=index,
                split=split,
                type=kind,
                family=source.family,
                text=made.source.told().text,
                original=made.original.to_json(),
                sabotaged=made.sabotaged.to_json(),
                targets=made.targets,
                fix=(fix,),
                iis_rows=(),
                iis_bounds=(),
                objective=significant(optimum),
                regenerations=failed,
            )
            return problem, significant(wrong)
    return None


ALIKE = 2
"""Sound places that look as wrong as the wrong one: who guesses among three has a third."""


def _hidden(problem: InjectionCandidate, kind: str, solver: ColdSolver) -> bool:
    """Whether a flipped sign or a lost integrality has others beside it that look like it."""
    model = problem.sabotaged
    if kind == "sign":
        odd = [i for i in range(model.m) if i != model.rows[problem.targets[0]] and _odd(model, i)]
        return len(odd) >= ALIKE
    if kind == "integrality":
        x = solver.solve(model).x
        assert x is not None
        free = np.flatnonzero(model.types == VarType.CONTINUOUS)[:-1]  # the goal is no thing
        return int((np.abs(x[free] - np.round(x[free])) > 1e-6).sum()) > ALIKE
    return True


def _odd(model: Model, i: int) -> bool:
    """Whether one coefficient of a row has another sign than all others."""
    value = model.row(i)[1]
    return len(value) > 1 and int(min((value > 0).sum(), (value < 0).sum())) == 1
