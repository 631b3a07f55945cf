"""The true problem behind a silent error: a library model with lots, stated limits, one goal row.

The goal is a row like the others, so that the actions on rows reach it; rows have no telling names;
a last row, `spare`, is empty, and takes a rule that the model lacks.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ordojo.benchmarks.or_debug.injection.candidate import ColdSolver, Source, insert_row, tidy
from ordojo.benchmarks.or_debug.injection.stating import between, beyond, solved
from ordojo.benchmarks.or_debug.seeds import SIZES, Seed, make_seed
from ordojo.benchmarks.or_debug.telling.figures import DerivedFigures
from ordojo.benchmarks.or_debug.telling.rules import ColumnWords, much, one_of
from ordojo.core.errors import GeneratorError
from ordojo.formulation.words import sentence
from ordojo.milp.model import INF, Model, VarType

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
            model = _scaled_column(model, j, lots[j]).with_type(j, kind)
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
            if whole == (model.types[k] == VarType.INTEGER):
                yield one_of(
                    rng,
                    f"as to parts of a lot, {thing} is no different from {other}",
                    f"what {other} may do with parts of a lot, {thing} may, and nothing else",
                )
            else:
                yield one_of(
                    rng,
                    f"as to parts of a lot, {thing} is the opposite of {other}",
                    f"of {thing} and {other}, only one can have parts of a lot",
                )
        elif whole:
            yield one_of(
                rng,
                f"a lot of {thing} is never broken up",
                f"{thing}: all of a lot or nothing of it",
                f"nobody takes less than the rest of a lot once it is begun, for {thing}",
            )
        else:
            yield one_of(
                rng,
                f"a lot of {thing} may be broken up",
                f"{thing}: any part of a lot will do",
                f"a lot may be left when it is half gone, for {thing}",
            )


def _scaled_column(model: Model, j: int, lot: float) -> Model:
    value, objective = model.value.copy(), model.objective.copy()
    value[model.index == j] *= lot
    objective[j] *= lot
    return replace(model, value=value, objective=objective).with_col_bounds(
        j, float(model.col_lower[j]) / lot, float(model.col_upper[j]) / lot
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
