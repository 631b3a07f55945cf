"""What could be true of a broken model: three cases, all valid, of which one is drawn last.

Acceptance says nothing of the draw, and as optima are so far apart that no objective preserves two
of them, whoever does not read restores what is true one time in three at most. Here are the draw,
and the cases of a limit whose figure alone the text says; those of three alike are in `knots`.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from ordojo.benchmarks.or_debug.injection.candidate import (
    ColdSolver,
    InjectionCandidate,
    Source,
    apart,
    between,
    beyond,
    row_candidate,
    solved,
    state_row,
    whole,
    with_side,
)
from ordojo.benchmarks.or_debug.injection.validation import KNOT, validate
from ordojo.benchmarks.or_debug.outcome import FULL
from ordojo.benchmarks.or_debug.telling.rules import Limit
from ordojo.milp.model import Model

CASES = 3
"""How many could be true: with more, few models have as many."""

FIGURES, SPAN = 10, (0.1, 0.85)
"""Figures that are tried for the three, and where they lie: from the second part of the way on
which a limit costs something, over so much of it."""


def clear(one: float, two: float) -> bool:
    """Whether no objective preserves both of two."""
    near, far = sorted((abs(one), abs(two)))
    return one * two < 0 or near * (2 - FULL) <= far * FULL


def distinct(source: Source, one: float, two: float) -> bool:
    """Whether two optima are as far from each other as those of a source's cases have to be."""
    return apart(one, two) if source.several else clear(one, two)


def drawn(
    kind: str, cases: Sequence[InjectionCandidate], rng: np.random.Generator, solver: ColdSolver
) -> InjectionCandidate | None:
    """One of the cases; one that is not valid, if there is one, and None if two are too near."""
    chosen = cases[int(rng.integers(len(cases)))]
    if len(cases) == 1:  # there was no draw
        return chosen
    optima: list[float] = []
    for case in (chosen, *(one for one in cases if one is not chosen)):
        found = validate(
            kind,
            case.original,
            case.sabotaged,
            case.targets,
            [str(action) for action in case.fix],
            solver,
            knot=case.method == KNOT,
        )
        if not found.holds:
            return case
        optima.append(found.objective)
    far = all(distinct(chosen.source, one, two) for one, two in combinations(optima, 2))
    return chosen if far else None


@dataclass(frozen=True)
class StatedLimit:
    """A problem with a limit of which the last of its facts tells the figure.

    `put` gives a model with another figure; where the limit begins to cost is `here`, and where it
    can no longer be kept `end`.
    """

    source: Source
    put: Callable[[Model, float], Model]
    here: float
    end: float
    whole: bool

    def at(self, figure: float) -> Source:
        """The problem where the limit has this figure; the point and objective stay."""
        *others, fact = self.source.facts
        assert isinstance(fact, Limit)
        told = (*others, fact._replace(side=figure))
        return replace(self.source, model=self.put(self.source.model, figure), facts=told)

    def cases(self, rng: np.random.Generator, solver: ColdSolver) -> list[Source] | None:
        """The problem at three figures whose optima are clear of each other; None without them.

        At one, where it is to have several errors.
        """
        wanted, tries = (1, 1) if self.source.several else (CASES, FIGURES)
        found: list[Source] = []
        tried = [between(self.here, self.end, rng, self.whole, *SPAN) for _ in range(tries)]
        for figure in dict.fromkeys(tried):
            true = solved(self.at(figure), solver) if figure and figure > 0 else None
            if true is None or not apart(true.objective, self.source.objective):
                continue
            if all(clear(true.objective, other.objective) for other in found):
                found.append(true)
                if len(found) == wanted:
                    return found
        return None


def span(
    source: Source, columns: list[int], lower: bool, solver: ColdSolver
) -> tuple[float, float] | None:
    """Where the optimum has a sum, and how far a limit can drive it; None where that is nowhere."""
    here = float(source.point[columns].sum())
    end = solver.extreme(source.model, columns, [1.0] * len(columns), lower)
    there = math.isfinite(end) and abs(end - here) > 0.5 and (end > here) == lower
    return (here, end) if there else None


def overstated(
    source: Source, columns: list[int], lower: bool, rng: np.random.Generator, solver: ColdSolver
) -> tuple[StatedLimit, int] | None:
    """A limit on a sum whose side is beyond what the rows allow, and its row; None without any."""
    ends = span(source, columns, lower, solver)
    if ends is None:
        return None
    integral = whole(source.model, columns)
    side = beyond(ends[1], lower, rng, ends[1], integral)
    if side <= 0:  # a capacity of nothing would give itself away
        return None
    wider, name = state_row(source, columns, lower, side, rng)
    i = wider.model.rows[name]
    return StatedLimit(wider, lambda model, figure: with_side(model, i, figure), *ends, integral), i


def one_of_three(
    kind: str,
    source: Source,
    columns: list[int],
    lower: bool,
    method: str,
    rng: np.random.Generator,
    solver: ColdSolver,
) -> InjectionCandidate | None:
    """A limit on a sum that asks for too much, and for what instead the text alone says."""
    found = overstated(source, columns, lower, rng, solver)
    if found is None:
        return None
    stated, i = found
    trues = stated.cases(rng, solver)
    if trues is None:
        return None
    broken = stated.source.model
    return drawn(kind, [row_candidate(true, broken, (i,), method) for true in trues], rng, solver)
