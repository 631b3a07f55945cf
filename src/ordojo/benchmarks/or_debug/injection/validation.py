"""The four-fold validation (algorithm 6), what each type promises (C.6, C.10), and reading.

A broken problem must leave open what is true of it: so an injector finds several cases, and `drawn`
draws one of them last, where all are valid and no objective preserves the optima of two. Cases of
one limit at several figures are `StatedLimit.cases`; those of three alike are in `knots`.
"""

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from ordojo.benchmarks.or_debug.elements import ElementKind, as_row, find_element
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
    with_bound,
    with_side,
)
from ordojo.benchmarks.or_debug.outcome import FULL, preservation
from ordojo.benchmarks.or_debug.repairs import apply_fix
from ordojo.benchmarks.or_debug.telling.rules import Limit
from ordojo.core.canonical import significant
from ordojo.milp.model import INF, Model
from ordojo.milp.tolerances import FEASIBILITY, PRIMAL
from ordojo.solvers.answers import Iis, Status

PHASES = 4
"""Algorithm 6's checks."""

CHECKS = PHASES + 1
"""The last asks that the problem must be read; where that is not asked for, it passes."""

KNOT = "knot"
"""The method by which one of three alike elements is wrong: to take that one away is right."""
KNOTS = "ABD"
"""The types that are made so in a model of several errors."""

ROWS = (50, 500)
"""Rows of a model of the hard set."""

LARGE = 10
"""Members of an IIS that is large: nine in ten of the eval set are smaller."""


@dataclass(frozen=True)
class Validation:
    """How far a candidate came: `passed` of the checks, and why not further.

    `iis` and `objective`, the original optimum, are there once their phase was passed; `rivals` is
    the number of sound elements whose repair makes the model feasible, where that was looked for.
    """

    passed: int
    reason: str = ""
    objective: float = 0.0
    iis: Iis | None = None
    rivals: int = 0

    @property
    def holds(self) -> bool:
        """Whether all checks were passed."""
        return self.passed == CHECKS


def validate(
    kind: str,
    original: Model,
    sabotaged: Model,
    targets: Sequence[str],
    fix: Sequence[str],
    solver: ColdSolver,
    strict: bool = True,
    knot: bool = False,
) -> Validation:
    """Original optimal, sabotaged infeasible, IIS with a target, fix restoring the optimum.

    If `strict`, no repair that needs no reading may do as well: see `unread`.
    """
    solved = solver.solve(original)
    objective = solved.objective
    if solved.status != Status.OPTIMAL or objective is None or abs(objective) < PRIMAL:
        return Validation(0, f"the original is {solved.status.value} at {objective}")
    iis = solver.iis(sabotaged)
    if iis is None:
        return Validation(1, "the sabotaged model is not INFEASIBLE")
    if not iis.proven:
        return Validation(2, "the IIS is not proven")
    rows, bounds = iis.row_names(sabotaged), iis.bound_names(sabotaged)
    if fault := missing(kind, targets, rows, bounds, iis.integral):
        return Validation(2, fault, objective)
    if fault := unrepaired(kind, sabotaged, targets, fix, objective, solver):
        return Validation(3, fault, objective, iis)
    fault, rivals = lonely(targets, rows) if strict else None, 0
    if fault is None and strict:
        fault, rivals = unread(kind, sabotaged, iis, targets, objective, solver, knot)
    if fault is not None:
        return Validation(PHASES, fault, objective, iis)
    return Validation(CHECKS, "", significant(objective), iis, rivals)


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
    if solved.status != Status.OPTIMAL or kept <= FULL:
        return f"the fix leaves the model {solved.status.value} with OP {kept:.3f}"
    for size in range(1, len(fix)):
        for part in combinations(fix, size):
            partly = apply_fix(sabotaged, part)
            if not solver.is_infeasible(partly):
                return f"{', '.join(part)} alone makes the model feasible"
            if kind == "G" and part == (fix[0],):
                later = solver.iis(partly)
                if later is None or targets[1] not in later.row_names(sabotaged):
                    return f"'{targets[1]}' does not show after the first repair"
    return None


def lonely(targets: Sequence[str], rows: Collection[str]) -> str | None:
    """What an IIS lacks of a choice: two rows at least, and one that is sound."""
    if len(rows) < 2 or set(rows) <= set(targets):
        return "the IIS has no sound row beside another one"
    return None


def unread(
    kind: str,
    sabotaged: Model,
    iis: Iis,
    targets: Sequence[str],
    optimum: float,
    solver: ColdSolver,
    knot: bool = False,
) -> tuple[str | None, int]:
    """A repair that needs no reading and keeps the objective, None if there is none; and rivals.

    Such are each member of the IIS dropped, or moved by the least that makes the model feasible;
    and all targets so. Of a knot, whose repair can be no other, the target itself is left out.
    Rivals are sound members that make the model feasible: of type I there must be one.
    """
    rivals: set[str] = set()
    for name, repaired in single_repairs(sabotaged, iis, solver):
        found = solver.solve(repaired)
        if found.status != Status.OPTIMAL:
            continue
        if name not in targets:
            rivals.add(name)
        elif knot:
            continue
        if (kept := preservation(found.objective, optimum)) > FULL:
            return f"a repair of '{name}' without reading keeps the objective ({kept:.3f})", 0
    if kind == "I" and not rivals:
        return "no repair of a sound constraint makes the model feasible", 0
    fault = _unread_together(sabotaged, targets, optimum, solver) if len(targets) > 1 else None
    return fault, len(rivals)


def _unread_together(
    model: Model, targets: Sequence[str], optimum: float, solver: ColdSolver
) -> str | None:
    models = [model]
    for name in targets:
        models = [after for before in models for after in repairs_of(before, name, solver)]
    for repaired in models:
        kept = preservation(solver.solve(repaired).objective, optimum)
        if kept > FULL:
            return f"repairs of all targets without reading keep the objective ({kept:.3f})"
    return None


def several(
    kinds: Sequence[str],
    original: Model,
    sabotaged: Model,
    targets: Sequence[str],
    fix: Sequence[str],
    iis: Iis,
    optimum: float,
    solver: ColdSolver,
) -> str | None:
    """What a model with an error of each of `kinds` at once lacks of the hard set's promises.

    The IIS is large or shows no target. Each error alone is one of its type that must be read, so
    that all have to be repaired. A sound element's repair would do for one of them, at a loss. No
    repair of the IIS, nor of all targets, keeps the objective without reading.
    """
    rows, bounds = iis.row_names(sabotaged), iis.bound_names(sabotaged)
    if not ROWS[0] <= sabotaged.m <= ROWS[1]:
        return f"it has {sabotaged.m} rows, {ROWS[0]} to {ROWS[1]} are asked for"
    if len(rows) + len(bounds) < LARGE and not set(rows).isdisjoint(targets):
        return "the IIS is small and shows a target"
    singles = list(zip(kinds, targets, fix, strict=True))
    shown = (missing(kind, (name,), rows, bounds, iis.integral) for kind, name, _ in singles)
    if all(shown):
        return "the IIS has nothing of any error"
    fault = lonely(targets, rows) or unrepaired("", sabotaged, targets, fix, optimum, solver)
    if fault is not None:
        return fault
    rivals = 0
    for kind, name, action in singles:
        alone = apply_fix(sabotaged, [other for other in fix if other != action])
        knot = kind in KNOTS
        found = validate(kind, original, alone, (name,), (action,), solver, knot=knot)
        if not found.holds:
            return f"the error in '{name}' alone: {found.reason}"
        rivals += found.rivals
    if not rivals:
        return "no repair of a sound constraint makes the model feasible"
    for name, repaired in single_repairs(sabotaged, iis, solver):
        if preservation(solver.solve(repaired).objective, optimum) > FULL:
            return f"a repair of '{name}' alone keeps the objective"
    read = [action for kind, _, action in singles if kind in KNOTS]
    open_ = [name for kind, name, _ in singles if kind not in KNOTS]
    if not open_:
        return None
    return _unread_together(apply_fix(sabotaged, read), open_, optimum, solver)


def no_choice(sabotaged: Model, iis: Iis, optimum: float, solver: ColdSolver) -> str | None:
    """What a type I of versions 1 and 2 lacks; the sabotaged row was counted among its rivals."""
    kept = []
    for _, repaired in single_repairs(sabotaged, iis, solver):
        found = solver.solve(repaired)
        if found.status == Status.OPTIMAL:
            kept.append(preservation(found.objective, optimum))
    if len(kept) < 2:
        return "no two other single repairs make the model feasible"
    if max(kept) > FULL:
        return f"another single repair keeps the objective, with OP {max(kept):.3f}"
    return None


def single_repairs(model: Model, iis: Iis, solver: ColdSolver) -> Iterator[tuple[str, Model]]:
    """Each member of an IIS dropped, and moved by the least that suffices, with its name."""
    for name in (*iis.row_names(model), *iis.bound_names(model)):
        for repaired in repairs_of(model, name, solver):
            yield name, repaired


def repairs_of(model: Model, name: str, solver: ColdSolver) -> Iterator[Model]:
    """A row or bound dropped, and moved to the nearest place at which the model is feasible."""
    element = find_element(model, name)
    if element is None or element.part is ElementKind.TYPE:
        return
    k, is_row, end = element.number, element.part is ElementKind.ROW, element.part.value
    index, value, low, up = as_row(model, element)
    free = -INF if element.part is ElementKind.LB else INF
    without = model.without_row(k) if is_row else with_bound(model, k, end, free)
    yield without
    if low == up:
        return
    for side, greatest in ((low, True), (up, False)):
        limit = solver.extreme(without, index, value, greatest, relaxed=False)
        if not np.isfinite(side) or not np.isfinite(limit):
            continue
        slip = FEASIBILITY * max(1.0, abs(limit))
        limit += -slip if greatest else slip
        if is_row:
            yield without.with_row_bounds(k, *((limit, up) if greatest else (low, limit)))
        else:
            yield with_bound(model, k, end, limit)


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
