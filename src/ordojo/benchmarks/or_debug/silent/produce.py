"""One silently wrong problem by split, seed and index, tried until its proof holds."""

import numpy as np

from ordojo.benchmarks.or_debug.injection.candidate import ColdSolver
from ordojo.benchmarks.or_debug.injection.generate import (
    ATTEMPTS,
    GeneratedProblem,
    shared_solver,
)
from ordojo.benchmarks.or_debug.injection.validation import PHASES
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
            return GeneratedProblem(problem, (*[0] * failed, PHASES), {"optimum": wrong})
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
        if fault is None and (kind != "integrality" or _hidden(made.sabotaged, solver)):
            problem = Debugging(
                index=index,
                split=split,
                type=kind,
                family=source.family,
                text=made.text,
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


FRACTIONAL = 2
"""Continuous columns with a part in the plan: with so many others, one guessed is right in a third."""


def _hidden(model: Model, solver: ColdSolver) -> bool:
    """Whether other columns have fractional values, too, and may."""
    x = solver.solve(model).x
    assert x is not None
    free = np.flatnonzero(model.types == VarType.CONTINUOUS)[:-1]
    return int((np.abs(x[free] - np.round(x[free])) > 1e-6).sum()) >= FRACTIONAL
