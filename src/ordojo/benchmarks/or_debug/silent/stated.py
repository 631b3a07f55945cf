"""The true problem behind a silent error: a library model with lots, stated limits, one goal row.

The goal is a row like the others, so that the actions on rows reach it; rows have no telling names;
a last row, `spare`, is empty, and takes a rule that the model lacks.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ordojo.benchmarks.or_debug.injection.candidate import ColdSolver, Source, insert_row, tidy
from ordojo.benchmarks.or_debug.injection.stating import solved
from ordojo.benchmarks.or_debug.injection.wording import between, beyond
from ordojo.benchmarks.or_debug.seeds import SIZES, Seed, make_seed
from ordojo.benchmarks.or_debug.silent.figures import DerivedFigures
from ordojo.formulation.words import joined, sentence
from ordojo.milp.model import INF, Model, VarType

GOAL, SPARE = "goal_total", "spare"
"""The column that the goal row defines, and the row that is empty."""

LOTS = (2, 4, 5, 8, 10, 16, 20, 25, 40, 50, 80, 100)
"""Pieces of a lot: few lots of many pieces, so that whole lots matter; bounds stay short decimals."""

HELD = (2, 5)
"""Lots under a column's bound: fewer leave no choice, with more whole ones hardly matter."""

WHOLE_LOTS = 0.35
"""The share of columns that are whole: with more, a lost one would be the only fractional one."""

COMMON = 6
"""Sizes of lots a model: each costs two sentences."""

STATED = (3, 5)
"""Stated limits a model: each may be the wrong one, and costs a sentence to read."""


def draw_stated(
    rng: np.random.Generator, solver: ColdSolver, families: Sequence[str] = tuple(SIZES)
) -> Source | None:
    """A true problem with its text, of a random family; None where it has no optimum."""
    family = families[int(rng.integers(len(families)))]
    figures = DerivedFigures(rng)
    seed = make_seed(family, rng, figures=figures)
    model = tidy(seed.model)
    source = solved(Source(family, model, seed.text, np.zeros(model.n), 0.0), solver)
    if source is None:
        return None
    words = column_names(seed)
    lots = dict.fromkeys(range(source.model.n), 1.0)
    source = solved(_with_lots(source, words, lots, figures, rng), solver)
    for _ in range(int(rng.integers(STATED[0], STATED[1] + 1))):
        source = source and solved(_with_limit(source, seed, words, lots, rng, solver), solver)
    return source and solved(_finished(source, rng), solver)


def column_names(seed: Seed) -> list[str]:
    """What each column is of: "shelf", "Porto with Oulu"; of no element, ""."""
    model, built, found = seed.model, seed.built, []
    for j, name in enumerate(model.col_names):
        group = built.spec.groups[int(built.groups[j])].name
        found.append(name.removeprefix(group).strip("_").replace("_", " "))
    return found


def _one(rng: np.random.Generator, *forms: str) -> str:
    return forms[int(rng.integers(len(forms)))]


def _with_lots(
    source: Source,
    words: Sequence[str],
    lots: dict[int, float],
    figures: DerivedFigures,
    rng: np.random.Generator,
) -> Source:
    """Some continuous columns counted in lots, some of these whole; the text says which."""
    model, told = source.model, defaultdict[tuple[int, bool], list[int]](list)
    common = [LOTS[k] for k in rng.permutation(len(LOTS))[:COMMON].tolist()]
    for j in range(model.n):
        fits = [
            lot
            for lot in common
            if model.types[j] == VarType.CONTINUOUS
            and words[j]
            and HELD[0] * lot <= model.col_upper[j] <= HELD[1] * lot
        ]
        if fits:
            lot = fits[int(rng.integers(len(fits)))]
            told[lot, bool(rng.random() < WHOLE_LOTS)].append(j)
    text = source.text
    for (lot, whole), columns in told.items():
        for j in columns:
            lots[j] = float(lot)
            model = _scaled_column(model, j, float(lot))
            model = model.with_type(j, VarType.INTEGER if whole else VarType.CONTINUOUS)
        things, size = joined([model.col_names[j].replace("_", " ") for j in columns]), lot
        many = figures.alone(size)
        text += " " + sentence(
            _one(
                rng,
                f"the variables for {things} count lots of {many}",
                f"one lot is {many} for {things}, and the variables count lots",
                f"counted is by the lot, not by the single one, and a lot is {many}, for {things}",
            )
        )
        text += " " + sentence(
            _one(
                rng,
                "no such lot is ever broken up" if whole else "such lots may be broken up",
                "these are whole lots" if whole else "part of a lot will do here",
                "of a lot of this kind it is "
                + ("all or nothing" if whole else "any part that one likes"),
            )
        )
    return replace(source, model=model, text=text)


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
    words: Sequence[str],
    lots: dict[int, float],
    rng: np.random.Generator,
    solver: ColdSolver,
) -> Source:
    """A limit on the sum of some columns of a group, or of some less others; most of them bind."""
    model, groups = source.model, seed.built.groups
    usable = [
        k
        for k in sorted(set(groups.tolist()))
        if seed.built.spec.groups[k].domain != "binary" and (groups == k).sum() >= 3
    ]
    if not usable:
        return source
    group = usable[int(rng.integers(len(usable)))]
    columns = rng.permutation(np.flatnonzero(groups == group)).tolist()
    size = int(rng.integers(1, min(4, len(columns))))
    plus, minus = columns[:size], columns[size : size + int(rng.integers(3))]
    terms = {j: lots[j] for j in plus} | {j: -lots[j] for j in minus}
    if len(terms) < 2:
        return source
    index, value = list(terms), list(terms.values())
    here = float(np.dot(source.point[index], value))
    lower = bool(rng.random() < 0.5)
    end = solver.extreme(model, index, value, lower)
    rhs: float | None = None
    if rng.random() < 0.75 and np.isfinite(end) and (end > here) == lower:
        rhs = between(here, end, rng, False)
    if rhs is None:
        rhs = beyond(here, not lower, rng, max(abs(here), 20.0), True)
    if not rhs or (rhs < 0 and not minus):
        return source
    at = int(rng.integers(model.m + 1))
    sides = (rhs, INF) if lower else (-INF, rhs)
    meaning = seed.built.spec.groups[group].meaning
    things = [words[j] for j in plus], [words[j] for j in minus]
    text = _limit_words(meaning, *things, lower, rhs, rng)
    stated = insert_row(model, at, f"stated_{model.m}", terms, *sides)
    return replace(source, model=stated, text=f"{source.text} {text}")


def _limit_words(
    meaning: str,
    plus: Sequence[str],
    minus: Sequence[str],
    lower: bool,
    rhs: float,
    rng: np.random.Generator,
) -> str:
    """A sentence for sum of `plus` less sum of `minus` >= or <= rhs."""
    figure = DerivedFigures(rng).alone(abs(rhs))
    ones, others = joined(list(plus)), joined(list(minus))
    if rhs < 0:  # told the other way round, so that no figure is negative
        ones, others, lower = others, ones, not lower
    floor = _one(rng, "at least {}", "no fewer than {}", "{} or more", "never under {}")
    roof = _one(rng, "at most {}", "no more than {}", "{} or fewer", "never above {}")
    much = (floor if lower else roof).format(figure)
    if not others:
        text = _one(
            rng,
            f"the {meaning} comes to {much} over {ones}",
            f"over {ones}, count the {meaning}: it is {much}",
            f"{ones} have {much} between them, by the {meaning}",
            f"it was agreed that the {meaning}, of {ones} together, is {much}",
        )
    else:
        text = _one(
            rng,
            f"the {meaning} over {ones}, less that over {others}, is {much}",
            f"once {others} is taken off, {ones} have {much} by the {meaning}",
            f"the lead of {ones} over {others} is {much}, by the {meaning}",
            f"by the {meaning}, {others} and then {much} make up {ones}",
        )
    return sentence(text)


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
