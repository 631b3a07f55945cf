"""Models that solve and are wrong by one error: the true problem, the error, its proof.

The true problem is one of the library with columns in lots, stated limits, and a goal row like the
others, so that the actions on rows reach it; rows have no telling names; a last row, `spare`, is
empty, and takes a rule that the model lacks. The error is a sign, coefficient, row, sense, type,
goal term, or unit. It is seen in the optimum, and undone by one repair alone; problems are tried
until that holds.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from ordojo.benchmarks.or_debug.actions import Action, ActionKind
from ordojo.benchmarks.or_debug.elements import ElementKind, find_element
from ordojo.benchmarks.or_debug.injection.candidate import (
    ColdSolver,
    InjectionCandidate,
    Source,
    between,
    beyond,
    flipped,
    insert_row,
    is_inequality,
    restore_row,
    restore_type,
    solved,
    tidy,
    with_side,
)
from ordojo.benchmarks.or_debug.injection.generate import ATTEMPTS, GeneratedProblem, shared_solver
from ordojo.benchmarks.or_debug.injection.validation import CHECKS
from ordojo.benchmarks.or_debug.outcome import FULL, differences, holds_at, preservation, unbounded
from ordojo.benchmarks.or_debug.repairs import apply_fix
from ordojo.benchmarks.or_debug.schema import SILENT, Debugging
from ordojo.benchmarks.or_debug.seeds import SIZES, Seed, make_seed
from ordojo.benchmarks.or_debug.telling.figures import FACTORS, DerivedFigures
from ordojo.benchmarks.or_debug.telling.rules import ColumnWords, much, one_of
from ordojo.core.canonical import significant
from ordojo.core.errors import GeneratorError
from ordojo.core.seeds import generator
from ordojo.formulation.words import sentence
from ordojo.milp.algebra import row_text
from ordojo.milp.model import INF, Floats, Model, VarType
from ordojo.milp.tolerances import OBJECTIVE, WHOLE
from ordojo.solvers.answers import Status
from ordojo.solvers.equivalence import EquivalenceVerdict, compare_points
from ordojo.solvers.residuals import check_optimal

GOAL, SPARE = "goal_total", "spare"
"""The column that the goal row defines, and the row that is empty."""

LOTS = (2, 4, 5, 8, 10, 16, 20, 25, 40, 50, 80, 100)
"""Pieces of a lot: few lots of many, so that whole lots matter; bounds stay short decimals."""

HELD = (2, 5)
"""Lots under a column's bound: fewer leave no choice, with more whole ones hardly matter."""

WHOLE_LOTS = 0.35
"""The share of columns that are whole: with more, a lost one would be the only fractional one."""

RULED = 0.6
"""How often a rule on a table's figures says which lots are whole; chosen without a
fit."""

LIKENED = 0.5
"""How often a lot is whole, or not, as another one is; chosen without a fit."""

COMMON = 6
"""Sizes of lots a model: each costs two sentences."""

STATED = (3, 5)
"""Stated limits a model: each may be the wrong one, and costs a sentence to read."""


def draw_stated(rng: np.random.Generator, solver: ColdSolver) -> Source | None:
    """A true problem with its text, of a random family; None where it has no optimum."""
    families = tuple(SIZES)
    family = families[int(rng.integers(len(families)))]
    figures = DerivedFigures(rng)
    try:
        seed = make_seed(family, rng, figures=figures)
    except GeneratorError:  # of a few draws a rule has nothing to say
        return None
    model = tidy(seed.model)
    source = solved(Source(family, model, seed.text, np.zeros(model.n), 0.0), solver)
    if source is None:
        return None
    words, lots = ColumnWords(seed, rng), dict.fromkeys(range(model.n), 1.0)
    scaled, said = _with_lots(source, words, lots, figures, rng)
    source = solved(scaled, solver)
    for _ in range(int(rng.integers(STATED[0], STATED[1] + 1))):
        if source is None:
            return None
        limited, limit = _with_limit(source, seed, words, lots, rng, solver)
        source = solved(limited, solver)
        said += limit
    if source is None:
        return None
    told = [sentence(said[k]) for k in rng.permutation(len(said)).tolist()]
    source = replace(source, text=" ".join([source.text, *told]))
    return solved(_finished(source, rng), solver)


def _with_lots(
    source: Source,
    words: ColumnWords,
    lots: dict[int, float],
    figures: DerivedFigures,
    rng: np.random.Generator,
) -> tuple[Source, list[str]]:
    """Some continuous columns counted in lots, some of them whole; and what says which."""
    model, told = source.model, defaultdict[int, list[int]](list)
    common = [LOTS[k] for k in rng.permutation(len(LOTS))[:COMMON].tolist()]
    for j in range(model.n):
        fits = [
            lot
            for lot in common
            if model.types[j] == VarType.CONTINUOUS
            and words.names[j]
            and HELD[0] * lot <= model.col_upper[j] <= HELD[1] * lot
        ]
        if fits:
            lots[j] = float(fits[int(rng.integers(len(fits)))])
            told[int(lots[j])].append(j)
            kind = VarType.INTEGER if rng.random() < WHOLE_LOTS else VarType.CONTINUOUS
            value, objective = model.value.copy(), model.objective.copy()
            value[model.index == j] *= lots[j]
            objective[j] *= lots[j]
            ends = (end / lots[j] for end in model.bounds(j))
            model = replace(model, value=value, objective=objective)
            model = model.with_col_bounds(j, *ends).with_type(j, kind)
    counted = [j for columns in told.values() for j in columns]
    ruled = _ruled(words, counted, figures, rng) if rng.random() < RULED else None
    said = []
    if ruled is not None:
        whole, rule = ruled
        said.append(rule)
        for j in counted:
            model = model.with_type(j, VarType.INTEGER if j in whole else VarType.CONTINUOUS)
    for lot, columns in told.items():
        things, many = words.all(columns), figures.alone(lot)
        said.append(
            one_of(
                rng,
                f"the variables for {things} count lots of {many}",
                f"one lot is {many} for {things}, and the variables count lots",
                f"counted is by the lot, not by the single one, and a lot is {many}, for {things}",
            )
        )
    if ruled is None:
        said += _wholeness(model, sorted(counted), words, rng)
    return replace(source, model=model), said


def _ruled(
    words: ColumnWords, columns: Sequence[int], figures: DerivedFigures, rng: np.random.Generator
) -> tuple[set[int], str] | None:
    """A rule by a table's figures for which lots are whole, and those; None without a table."""
    fits = [
        (meaning, given)
        for meaning, given in words.tables
        if set(columns) <= set(given) and len({given[j] for j in columns}) >= 3
    ]
    if not fits:
        return None
    meaning, given = fits[int(rng.integers(len(fits)))]
    values = sorted({given[j] for j in columns})
    cut = int(rng.integers(1, len(values)))
    limit = figures.alone(values[cut])
    if rng.random() < 0.5:
        rule = (
            f"where the {meaning} is {limit} or more, a lot stays whole, and elsewhere it need not"
        )
        return {j for j in columns if given[j] >= values[cut]}, rule
    rule = f"lots may be broken up where the {meaning} is {limit} or more, and nowhere else"
    return {j for j in columns if given[j] < values[cut]}, rule


def _wholeness(
    model: Model, columns: Sequence[int], words: ColumnWords, rng: np.random.Generator
) -> Iterator[str]:
    """Which lots are whole, for some by that of others."""
    order = rng.permutation(columns).tolist()
    for place, j in enumerate(order):
        whole, thing = bool(model.types[j] == VarType.INTEGER), words.of(j)
        if place and rng.random() < LIKENED:
            k = order[int(rng.integers(place))]
            other = words.of(k)
            forms = _LIKE if whole == (model.types[k] == VarType.INTEGER) else _UNLIKE
            yield one_of(rng, *forms).format(one=thing, other=other)
        else:
            yield one_of(rng, *(_WHOLE if whole else _PARTED)).format(one=thing)


_LIKE = (
    "as to parts of a lot, {one} is no different from {other}",
    "what {other} may do with parts of a lot, {one} may, and nothing else",
)
_UNLIKE = (
    "as to parts of a lot, {one} is the opposite of {other}",
    "of {one} and {other}, only one can have parts of a lot",
)
_WHOLE = (
    "a lot of {one} is never broken up",
    "{one}: all of a lot or nothing of it",
    "nobody takes less than the rest of a lot once it is begun, for {one}",
)
_PARTED = (
    "a lot of {one} may be broken up",
    "{one}: any part of a lot will do",
    "a lot may be left when it is half gone, for {one}",
)


def _with_limit(
    source: Source,
    seed: Seed,
    words: ColumnWords,
    lots: Mapping[int, float],
    rng: np.random.Generator,
    solver: ColdSolver,
) -> tuple[Source, list[str]]:
    """A limit on the sum of some columns of a group, or of some less others; and its sentence."""
    model, groups = source.model, seed.built.groups
    usable = [
        k
        for k in sorted(set(groups.tolist()))
        if seed.built.spec.groups[k].domain != "binary" and (groups == k).sum() >= 3
    ]
    if not usable:
        return source, []
    group = usable[int(rng.integers(len(usable)))]
    columns = rng.permutation(np.flatnonzero(groups == group)).tolist()
    size = int(rng.integers(1, min(4, len(columns))))
    plus, minus = columns[:size], columns[size : size + int(rng.integers(3))]
    terms = {j: lots[j] for j in plus} | {j: -lots[j] for j in minus}
    if len(terms) < 2:
        return source, []
    index, value = list(terms), list(terms.values())
    here = math.fsum(float(source.point[j]) * v for j, v in terms.items())
    lower = bool(rng.random() < 0.5)
    end = solver.extreme(model, index, value, lower)
    rhs: float | None = None
    # Three in four cost something and the others nothing, so that a limit need not matter: no fit.
    if rng.random() < 0.75 and np.isfinite(end) and (end > here) == lower:
        rhs = between(here, end, rng, False)
    if rhs is None:
        # Where the sum is next to nothing, by some whole pieces: 20 is chosen without a fit.
        rhs = beyond(here, not lower, rng, max(abs(here), 20.0), True)
    if not rhs or (rhs < 0 and not minus):
        return source, []
    at = int(rng.integers(model.m + 1))
    sides = (rhs, INF) if lower else (-INF, rhs)
    meaning = seed.built.spec.groups[group].meaning
    text = _limit_words(meaning, words.all(plus), words.all(minus), lower, rhs, rng)
    stated = insert_row(model, at, f"stated_{model.m}", terms, *sides)
    return replace(source, model=stated), [text]


def _limit_words(
    meaning: str, ones: str, others: str, lower: bool, rhs: float, rng: np.random.Generator
) -> str:
    """The words for sum of `ones` less sum of `others` >= or <= rhs."""
    figure = DerivedFigures(rng).alone(abs(rhs))
    if rhs < 0:  # told the other way round, so that no figure is negative
        ones, others, lower = others, ones, not lower
    said = much(figure, lower, rng)
    if not others:
        return one_of(
            rng,
            f"the {meaning} comes to {said} over {ones}",
            f"over {ones}, count the {meaning}: it is {said}",
            f"{ones} have {said} between them, by the {meaning}",
            f"it was agreed that the {meaning}, of {ones} together, is {said}",
        )
    return one_of(
        rng,
        f"the {meaning} over {ones}, less that over {others}, is {said}",
        f"once {others} is taken off, {ones} have {said} by the {meaning}",
        f"the lead of {ones} over {others} is {said}, by the {meaning}",
        f"by the {meaning}, {others} and then {said} make up {ones}",
    )


def _finished(source: Source, rng: np.random.Generator) -> Source:
    """The goal as a row, rows in random order under names that say nothing, an empty last row."""
    model = source.model
    wide = model.with_new_col(GOAL, -INF, INF)
    terms = {j: -float(c) for j, c in enumerate(model.objective.tolist()) if c} | {model.n: 1.0}
    wide = insert_row(wide, model.m, "goal", terms, model.offset, model.offset)
    cost = np.zeros(wide.n)
    cost[-1] = 1.0
    wide = reordered(replace(wide, objective=cost, offset=0.0), rng.permutation(wide.m).tolist())
    wide = insert_row(wide, wide.m, SPARE, {}, -INF, INF)
    wide = wide.renamed({name: f"r{i + 1}" for i, name in enumerate(wide.row_names[:-1])})
    text = (
        f"{source.text} In the program {GOAL} stands for what is "
        f"{'maximized' if model.maximize else 'minimized'}."
    )
    return replace(source, model=wide, text=text)


def reordered(model: Model, order: Sequence[int]) -> Model:
    """The model with these rows alone, in this order."""
    parts = [model.row(i) for i in order]
    return replace(
        model,
        row_names=tuple(model.row_names[i] for i in order),
        row_lower=model.row_lower[list(order)],
        row_upper=model.row_upper[list(order)],
        starts=np.cumsum([0, *(len(index) for index, _ in parts)]).astype(np.int32),
        index=np.concatenate([index for index, _ in parts]).astype(np.int32),
        value=np.concatenate([value for _, value in parts]).astype(np.float64),
    )


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
    terms = {j: v for j, v in zip(index, value, strict=True) if v}
    return _in_row(source, model.with_row(i, list(terms), list(terms.values())), i)


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


def _inequality(model: Model, rng: np.random.Generator) -> int:
    rows = [i for i in range(model.m) if is_inequality(model, i)]
    return rows[int(rng.integers(len(rows)))]


def _scaled(model: Model, j: int, old: float, rng: np.random.Generator) -> float:
    factor = FACTORS[int(rng.integers(len(FACTORS)))]
    return old * factor if rng.random() < 0.5 else old / factor


def _unit(source: Source, rng: np.random.Generator) -> InjectionCandidate | None:
    """A coefficient in another unit, or a row's side: as often, and the goal's in three of ten.

    The shares are chosen without a fit.
    """
    if rng.random() < 0.5:
        return _recoefficient(source, rng, _scaled, bool(rng.random() < 0.3))
    model, i = source.model, _inequality(source.model, rng)
    low, up = model.sides(i)
    side = low if np.isfinite(low) else up
    if not side:
        return None
    return _in_row(source, with_side(model, i, round(_scaled(model, 0, side, rng), 9)), i)


def _turned(source: Source, rng: np.random.Generator) -> InjectionCandidate | None:
    i = _inequality(source.model, rng)
    return _in_row(source, flipped(source.model, i), i)


def _missing(source: Source, rng: np.random.Generator) -> InjectionCandidate | None:
    """A row is not there; the true problem has it in the place of the empty one."""
    model, i = source.model, _inequality(source.model, rng)
    rest = reordered(model, [k for k in range(model.m - 1) if k != i])
    rest = rest.renamed({name: f"r{k + 1}" for k, name in enumerate(rest.row_names)})
    whole = insert_row(rest, rest.m, SPARE, model.terms(i), *model.sides(i))
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
    "goal": partial(  # no term, or one that is not its column's
        _recoefficient,
        new=lambda m, j, old, rng: 0.0 if rng.random() < 0.5 else _near(m, j, old, rng),
        goal=True,
    ),
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
        if left := differences(apply_fix(sabotaged, [fix]), original):
            return f"after the fix '{left[0]}' is not what it was", *optima
        best = right.x.copy()
        return _undone_by_another(original, sabotaged, target, best, optima[0], solver), *optima
    return f"the optima {optima[0]:.6g} and {optima[1]:.6g} are within 5%", *optima


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
            here, sides = float(activity[i]), model.sides(i)
            yield name, model.with_row_bounds(i, *(here if np.isfinite(s) else s for s in sides))
            if is_inequality(model, i):
                yield name, flipped(model, i)
        if true is not None:
            index, value = (part.tolist() for part in original.row(true))
            yield name, model.with_row(i, index, value, *original.sides(true))
    for j, name in enumerate(model.col_names):
        low, up = model.bounds(j)
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
        target = model.rows[problem.targets[0]]
        values = [model.row(i)[1] for i in range(model.m) if i != target]
        # Rows in which one coefficient has another sign than all others.
        odd = [v for v in values if len(v) > 1 and min((v > 0).sum(), (v < 0).sum()) == 1]
        return len(odd) >= ALIKE
    if kind == "integrality":
        x = solver.solve(model).x
        assert x is not None
        free = np.flatnonzero(model.types == VarType.CONTINUOUS)[:-1]  # the goal is no thing
        return int((np.abs(x[free] - np.round(x[free])) > WHOLE).sum()) > ALIKE
    return True
