"""Types E and I: what one row asks is wrong, by its right-hand side."""

import numpy as np

from ordojo.benchmarks.or_debug.injection.candidate import ColdSolver, InjectionCandidate, Source
from ordojo.benchmarks.or_debug.injection.cases import one_of_three
from ordojo.benchmarks.or_debug.injection.stating import a_sum

TRIES = 8
"""Sums that an attempt tries: with fewer, some families hardly ever have three cases."""


def overcommit(
    source: Source, rng: np.random.Generator, solver: ColdSolver
) -> InjectionCandidate | None:
    """Type E: algorithm 4. A demand grows until all of them exceed the capacity.

    A demand is a limit of a sum from below. It costs something, so that to drop it, or to meet it
    as far as it goes, is no repair; and it need not be the largest, which could be told unread.
    """
    for _ in range(TRIES):
        columns = a_sum(source, rng, most=6)
        found = columns and one_of_three("E", source, columns, True, "demand", rng, solver)
        if found:
            return found
    return None


def choose(
    source: Source, rng: np.random.Generator, solver: ColdSolver
) -> InjectionCandidate | None:
    """Type I: a dear row asks for more than the others allow (composite strategy selection).

    That several single repairs are possible, and its own restoration alone keeps the objective, is
    for the validation to see.
    """
    for _ in range(TRIES):
        columns, lower = a_sum(source, rng, most=6), bool(rng.random() < 0.5)
        found = columns and one_of_three("I", source, columns, lower, "composite", rng, solver)
        if found:
            return found
    return None
