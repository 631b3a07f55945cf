"""Models that solve and are wrong by one error: the error, its proof, and one problem by its index.

The error is a sign, coefficient, row, sense, type, goal term, or unit. It is seen in the optimum,
and undone by one repair alone; problems are tried until that holds.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from ordojo.benchmarks.or_debug.actions import Action, ActionKind
from ordojo.benchmarks.or_debug.elements import ElementKind, find_element
from ordojo.benchmarks.or_debug.injection.candidate import (
    ColdSolver,
    InjectionCandidate,
    Source,
    flipped,
    insert_row,
    is_inequality,
    restore_row,
    restore_type,
    with_side,
)
from ordojo.benchmarks.or_debug.injection.generate import ATTEMPTS, GeneratedProblem, shared_solver
from ordojo.benchmarks.or_debug.injection.validation import CHECKS
from ordojo.benchmarks.or_debug.outcome import FULL, differences, holds_at, preservation, unbounded
from ordojo.benchmarks.or_debug.repairs import apply_fix
from ordojo.benchmarks.or_debug.schema import SILENT, Debugging
from ordojo.benchmarks.or_debug.silent.stated import GOAL, SPARE, draw_stated, reordered
from ordojo.benchmarks.or_debug.telling.figures import FACTORS
from ordojo.core.canonical import significant
from ordojo.core.errors import GeneratorError
from ordojo.core.seeds import generator
from ordojo.milp.algebra import row_text
from ordojo.milp.model import Floats, Model, VarType
from ordojo.milp.tolerances import OBJECTIVE, WHOLE
from ordojo.solvers.answers import Status
from ordojo.solvers.equivalence import EquivalenceVerdict, compare_points
from ordojo.solvers.residuals import check_optimal

SilentError = Callable[[Source, np.random.Generator], InjectionCandidate | None]
"""Puts an error into a true problem; None where it has no place for one."""


def _entries(model: Model, goal: bool) -> list[tuple[int, int]]:
    """(row, place in the row) of every coefficient, in the goal row or in the others."""
    there = model.cols[GOAL]
    return [
        (i, k)
        for i in range(model.m)
        for index in [model.row(i)[0].tolist()]
        if (there in index) == goal and len(index) > 1
        for k, j in enumerate(index)
        if j != there
    ]


def _recoefficient(
    source: Source,
    rng: np.random.Generator,
    new: Callable[[Model, int, float, np.random.Generator], float],
    goal: bool = False,
) -> InjectionCandidate | None:
    """Another coefficient, `new` of model, column and old one; 0 takes the term out."""
    model = source.model
    places = _entries(model, goal)
    if not places:
        return None
    i, k = places[int(rng.integers(len(places)))]
    index, value = (part.tolist() for part in model.row(i))
    value[k] = round(new(model, index[k], value[k], rng), 9)
    terms = [(j, v) for j, v in zip(index, value, strict=True) if v]
    sides = float(model.row_lower[i]), float(model.row_upper[i])
    broken = model.with_row(i, [j for j, _ in terms], [v for _, v in terms], *sides)
    return _in_row(source, broken, i)


def _in_row(source: Source, broken: Model, i: int) -> InjectionCandidate:
    fix = restore_row(source.model, broken, i)
    return InjectionCandidate(source, broken, (fix.target,), (fix,), "")


def _near(model: Model, j: int, old: float, rng: np.random.Generator) -> float:
    """A coefficient on the grid of its column, from a third to three times the old one."""
    sizes = np.abs(model.value[model.index == j])
    step = float(np.gcd.reduce(np.round(sizes).astype(np.int64))) if (sizes % 1 == 0).all() else 0.5
    steps = max(2, round(abs(old) / step))
    fits = [n for n in range(max(1, steps // 3), 3 * steps + 1) if n * step != abs(old)]
    return float(np.sign(old)) * step * fits[int(rng.integers(len(fits)))]


def _scaled(model: Model, j: int, old: float, rng: np.random.Generator) -> float:
    factor = FACTORS[int(rng.integers(len(FACTORS)))]
    return old * factor if rng.random() < 0.5 else old / factor


def _unit(source: Source, rng: np.random.Generator) -> InjectionCandidate | None:
    """A coefficient in another unit, or a row's side: as often, and the goal's in three of ten.

    The shares are chosen without a fit.
    """
    if rng.random() < 0.5:
        return _recoefficient(source, rng, _scaled, bool(rng.random() < 0.3))
    model = source.model
    rows = [i for i in range(model.m) if is_inequality(model, i)]
    i = rows[int(rng.integers(len(rows)))]
    low, up = float(model.row_lower[i]), float(model.row_upper[i])
    side = low if np.isfinite(low) else up
    if not side:
        return None
    return _in_row(source, with_side(model, i, round(_scaled(model, 0, side, rng), 9)), i)


def _lost(model: Model, j: int, old: float, rng: np.random.Generator) -> float:
    """No term, or one that is not its column's."""
    return 0.0 if rng.random() < 0.5 else _near(model, j, old, rng)


def _turned(source: Source, rng: np.random.Generator) -> InjectionCandidate | None:
    model = source.model
    rows = [i for i in range(model.m) if is_inequality(model, i)]
    i = rows[int(rng.integers(len(rows)))]
    return _in_row(source, flipped(model, i), i)


def _missing(source: Source, rng: np.random.Generator) -> InjectionCandidate | None:
    """A row is not there; the true problem has it in the place of the empty one."""
    model = source.model
    rows = [i for i in range(model.m) if is_inequality(model, i)]
    i = rows[int(rng.integers(len(rows)))]
    index, value = (part.tolist() for part in model.row(i))
    rest = reordered(model, [k for k in range(model.m - 1) if k != i])
    rest = rest.renamed({name: f"r{k + 1}" for k, name in enumerate(rest.row_names)})
    sides = float(model.row_lower[i]), float(model.row_upper[i])
    terms = dict(zip(index, value, strict=True))
    whole = insert_row(rest, rest.m, SPARE, terms, *sides)
    broken = insert_row(rest, rest.m, SPARE, {}, -np.inf, np.inf)
    fix = Action(ActionKind.REWRITE, SPARE, expr=row_text(whole, whole.m - 1))
    return InjectionCandidate(replace(source, model=whole), broken, (SPARE,), (fix,), "")


def _untyped(source: Source, rng: np.random.Generator) -> InjectionCandidate | None:
    model = source.model
    whole = [j for j in range(model.n) if model.types[j] == VarType.INTEGER]
    if not whole:
        return None
    j = whole[int(rng.integers(len(whole)))]
    broken, fix = model.with_type(j, VarType.CONTINUOUS), restore_type(model, j)
    return InjectionCandidate(source, broken, (fix.target,), (fix,), "")


ERRORS: Mapping[str, SilentError] = {
    "sign": lambda source, rng: _recoefficient(source, rng, lambda _m, _j, old, _r: -old),
    "coefficient": partial(_recoefficient, new=_near),
    "row": _missing,
    "sense": _turned,
    "integrality": _untyped,
    "goal": partial(_recoefficient, new=_lost, goal=True),
    "unit": _unit,
}
"""How each kind of error is made."""


SECONDS = 10.0
"""For one comparison of two small models, which takes milliseconds."""

MANY = 5000
"""Rows beyond which not each other repair is tried: the wrong element must forbid the optimum."""


def silent_fault(
    original: Model, sabotaged: Model, target: str, fix: str, solver: ColdSolver
) -> tuple[str | None, float, float]:
    """What the error lacks of the set's promises, None for nothing; and the two optima.

    Both models have proved optima, more than 5% apart. The fix makes the original. No other repair
    of one element does: the optimum of the original is cut off by the sabotaged element, which
    every other repair keeps; or else each of `single_changes` is tried.
    """
    right, wrong = solver.solve(original), solver.solve(sabotaged)
    if right.status != Status.OPTIMAL or right.objective is None or right.x is None:
        return f"the original is {right.status.value}, not OPTIMAL", 0.0, 0.0
    if wrong.status != Status.OPTIMAL or wrong.objective is None or wrong.x is None:
        return f"the sabotaged model is {wrong.status.value}, not OPTIMAL", 0.0, 0.0
    check_optimal(original, right)
    check_optimal(sabotaged, wrong)
    optima = float(right.objective), float(wrong.objective)
    if min(map(abs, optima)) < OBJECTIVE:
        return "an optimum is 0", *optima
    if max(preservation(*optima), preservation(*optima[::-1])) <= FULL:
        fault = _not_undone(original, sabotaged, fix) or _undone_by_another(
            original, sabotaged, target, right.x.copy(), optima[0], solver
        )
        return fault, *optima
    return f"the optima {optima[0]:.6g} and {optima[1]:.6g} are within 5%", *optima


def _not_undone(original: Model, sabotaged: Model, fix: str) -> str | None:
    left = differences(apply_fix(sabotaged, [fix]), original)
    return f"after the fix '{left[0]}' is not what it was" if left else None


def _undone_by_another(
    original: Model, sabotaged: Model, target: str, best: Floats, optimum: float, solver: ColdSolver
) -> str | None:
    if not _keeps(sabotaged, target, best):
        return None
    if sabotaged.m > MANY:
        return "the wrong element allows the true optimum, and others are too many to be tried"
    for name, changed in single_changes(sabotaged, original, target, best):
        found = solver.solve(changed)
        if found.status != Status.OPTIMAL or found.objective is None or found.x is None:
            continue
        if abs(found.objective - optimum) > OBJECTIVE * max(1.0, abs(optimum)):
            continue
        if not (holds_at(original, found.x) and holds_at(changed, best)):
            continue
        if compare_points(changed, original, SECONDS).verdict != EquivalenceVerdict.DIFFERENT:
            return f"a change of '{name}' undoes the error, too"
    return None


def _keeps(model: Model, name: str, point: Floats) -> bool:
    """Whether an element of the model allows a point."""
    element = find_element(model, name)
    assert element is not None
    k = element.number
    if element.part is not ElementKind.ROW:
        return bool(model.types[k] == VarType.CONTINUOUS or abs(point[k] - round(point[k])) < WHOLE)
    activity = float(model.activities(point)[k])
    slip = OBJECTIVE * max(1.0, abs(activity))
    return bool(model.row_lower[k] - slip <= activity <= model.row_upper[k] + slip)


def single_changes(
    model: Model, original: Model, target: str, best: Floats
) -> Iterator[tuple[str, Model]]:
    """Every repair of one element but the target that could make up for it.

    A row dropped, turned, moved to where the true optimum `best` (n) is, or written anew as the
    target's true form; a bound dropped or moved there; a type exchanged. A rule that is missing may
    be written over one that others imply: that is the same repair at another place.
    """
    true = original.rows.get(target)
    if true is not None and not model.is_live(model.rows[target]):
        true = None
    activity = model.activities(best)
    for i, name in enumerate(model.row_names):
        if name == target:
            continue
        if model.is_live(i):
            yield name, model.without_row(i)
            here = float(activity[i])
            sides = float(model.row_lower[i]), float(model.row_upper[i])
            yield name, model.with_row_bounds(i, *(here if np.isfinite(s) else s for s in sides))
            if is_inequality(model, i):
                yield name, flipped(model, i)
        if true is not None:
            index, value = (part.tolist() for part in original.row(true))
            ends = float(original.row_lower[true]), float(original.row_upper[true])
            yield name, model.with_row(i, index, value, *ends)
    for j, name in enumerate(model.col_names):
        low, up = float(model.col_lower[j]), float(model.col_upper[j])
        for part, side in (("lb", low), ("ub", up)):
            if np.isfinite(side):
                yield f"{name}.{part}", unbounded(model, j, part == "lb")
                ends = (float(best[j]), up) if part == "lb" else (low, float(best[j]))
                yield f"{name}.{part}", model.with_col_bounds(j, *ends)
        for kind in (VarType.CONTINUOUS, VarType.INTEGER, VarType.BINARY):
            if kind != model.types[j] and f"{name}.type" != target:
                yield f"{name}.type", model.with_type(j, kind)


TRIES = 6
"""Errors tried in one problem: drawing another costs more than trying again."""


def silent_kind(index: int) -> str:
    """The kind of error of item `index`: all in turn."""
    return tuple(SILENT)[index % len(SILENT)]


def produce_silent(
    split: str, seed: int, index: int, kind: str = "", again: int = 0
) -> GeneratedProblem:
    """Make the problem with a record of its failed attempts; the same arguments, the same bytes.

    `again` makes another in its place. Raises GeneratorError if no attempt passes.
    """
    kind = kind or silent_kind(index)
    rng = generator(seed, f"or-debug/{split}/{kind}{f'/{again}' if again else ''}", index)
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
        return int((np.abs(x[free] - np.round(x[free])) > WHOLE).sum()) > ALIKE
    return True


def _odd(model: Model, i: int) -> bool:
    """Whether one coefficient of a row has another sign than all others."""
    value = model.row(i)[1]
    return len(value) > 1 and int(min((value > 0).sum(), (value < 0).sum())) == 1
