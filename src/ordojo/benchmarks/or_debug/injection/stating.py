"""What an injection adds to a true problem: limits on sums, with their names and sentences.

Their figures are round, and lie beyond what can be kept (`beyond`) or where they cost something
(`between`, `binding`); `solved` has the optimum after it, and `apart` says whether two differ
enough. Bounds may become rows (`bounds_as_rows`), and limits that cost nothing stand beside
(`with_asides`).
"""

import math
import re
from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from ordojo.benchmarks.or_debug.actions import number
from ordojo.benchmarks.or_debug.injection.candidate import (
    ColdSolver,
    Source,
    insert_row,
    is_equation,
)
from ordojo.benchmarks.or_debug.outcome import FULL, preservation
from ordojo.benchmarks.or_debug.telling.rules import Limit
from ordojo.milp.model import INF, Model, VarType
from ordojo.milp.tolerances import OBJECTIVE, SAME, WHOLE
from ordojo.solvers.answers import Status


def hex_names(model: Model, rng: np.random.Generator) -> dict[str, str]:
    """Names by sense alone, `c_53e476_ub`, for every row (C.10)."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for i, old in enumerate(model.row_names):
        suffix = "eq" if is_equation(model, i) else "ub" if model.row_upper[i] < INF else "lb"
        code = f"{int(rng.integers(16**6)):06x}"
        while code in taken:
            code = f"{int(rng.integers(16**6)):06x}"
        taken.add(code)
        names[old] = f"c_{code}_{suffix}"
    return names


def listing(names: Collection[str]) -> str:
    """`a`, `b` and `c`."""
    found = [f"`{name}`" for name in names]
    return found[0] if len(found) == 1 else f"{', '.join(found[:-1])} and {found[-1]}"


def at_least(names: Sequence[str], rhs: float, rng: np.random.Generator) -> str:
    """A sentence for sum of columns >= rhs."""
    if len(names) == 1:
        forms = ("{} must be at least {}.", "No value below {1} is allowed for {0}.")
    else:
        forms = ("{} must come to at least {} in all.", "The sum of {} may not be below {}.")
    return _form(forms, listing(names), rhs, rng)


def at_most(names: Sequence[str], rhs: float, rng: np.random.Generator) -> str:
    """A sentence for sum of columns <= rhs."""
    if len(names) == 1:
        forms = ("{} must be at most {}.", "No value above {1} is allowed for {0}.")
    else:
        forms = ("{} must come to at most {} in all.", "The sum of {} may not exceed {}.")
    return _form(forms, listing(names), rhs, rng)


def defined(name: str, parts: Sequence[str], lower: float, upper: float) -> str:
    """A sentence for a column that stands for a sum and has bounds of its own."""
    span = f"between {number(lower)} and {number(upper)}" if lower else f"at most {number(upper)}"
    return f"`{name}` stands for the sum of {listing(parts)} and is {span}."


def _form(forms: Sequence[str], names: str, rhs: float, rng: np.random.Generator) -> str:
    return forms[int(rng.integers(len(forms)))].format(names, number(float(rhs)))


def step_of(scale: float) -> float:
    """The grid on which figures of a size lie: 5 from 100 on, 1 from 10 on, then finer."""
    if scale >= 100:
        return 5.0
    return 1.0 if scale >= 10 else 0.5 if scale >= 2 else 0.05


def beyond(
    limit: float, up: bool, rng: np.random.Generator, scale: float, whole: bool = False
) -> float:
    """A round figure 5 to 35 % of `scale` above (or below) `limit`.

    Less would be within what a success may lose, more would stand out: chosen without a fit.
    """
    size = max(abs(limit), abs(scale))
    step = step_of(size)
    step = max(step, 1.0) if whole else step
    gap = size * (0.05 + 0.3 * float(rng.random()))
    steps = (limit + gap) / step if up else (limit - gap) / step
    figure = round((math.ceil(steps - SAME) if up else math.floor(steps + SAME)) * step, 6)
    # A tiny scale may round to the limit itself.
    if abs(figure - limit) < 1e-3 * max(1.0, size):
        figure = round(figure + (step if up else -step), 6)
    return figure


def between(
    start: float,
    end: float,
    rng: np.random.Generator,
    whole: bool,
    first: float = 0.45,
    spread: float = 0.4,
) -> float | None:
    """A round figure inside an interval, nearer to its end, None where there is none.

    It lies `first` of the way from the start, or up to `spread` of it further: by default where a
    limit costs something and is kept with room, chosen without a fit (`cases.SPAN` is wider, as a
    figure near a known middle can be guessed). A whole one may be the end itself, for where the
    whole numbers are few.
    """
    step = step_of(max(abs(start), abs(end)))
    low, high = min(start, end) + 1e-3, max(start, end) - 1e-3
    point = start + (end - start) * (first + spread * float(rng.random()))
    figure = round(round(point / step) * step, 6)
    if whole and not (figure.is_integer() and low < figure < high):
        figure = math.floor(end + WHOLE) if end > start else math.ceil(end - WHOLE)
        return float(figure) if abs(figure - start) > 0.5 and low - 1 < figure < high + 1 else None
    return figure if low < figure < high else None


_WORD = re.compile(r"[^\W_]+")


def whole(model: Model, columns: list[int]) -> bool:
    """Whether all these columns are integral."""
    return all(model.types[j] in (VarType.INTEGER, VarType.BINARY) for j in columns)


def like_own(model: Model, columns: list[int], lower: bool | None, rng: np.random.Generator) -> str:
    """A name for one more row, as the model names its own: a word of theirs, and what it is on.

    The word is that of a row of the same sense, of any row where `lower` is None.
    """
    taken = {*model.row_names, *model.col_names}
    sides = {True: model.row_lower > -INF, False: model.row_upper < INF}
    rows = np.flatnonzero(sides[lower]) if lower is not None and sides[lower].any() else None
    stems = sorted({_first(model.row_names[i]) for i in (range(model.m) if rows is None else rows)})
    things = [_WORD.findall(model.col_names[j])[-1] for j in rng.permutation(columns).tolist()]
    for size in range(1, len(things) + 1):
        for stem in rng.permutation(stems).tolist():
            name = "_".join([stem, *dict.fromkeys(things[:size])])
            if name not in taken:
                return name
    return f"{stems[0]}_{len(taken)}"


def total_name(model: Model, rng: np.random.Generator, ending: str = "total") -> str:
    """A name for one more column, a word of the others' names with an `ending`."""
    taken = {*model.row_names, *model.col_names}
    words = sorted({word for name in model.col_names for word in _WORD.findall(name)})
    for word in rng.permutation(words).tolist():
        name = f"{word}_{ending}"
        if name not in taken and f"{name}_sum" not in taken and not word[0].isdigit():
            return name
    return f"{ending}_{len(taken)}"


def _first(name: str) -> str:
    return str(_WORD.findall(name)[0])


def state_row(
    source: Source,
    columns: list[int],
    lower: bool,
    rhs: float,
    rng: np.random.Generator,
    name: str = "",
    points: Sequence[float] = (),
) -> tuple[Source, str]:
    """The problem with a limit on a sum of columns, at a random place, and its name.

    With `points` each column counts so many times. The point and the objective stay as they are;
    see `solved`.
    """
    model = source.model
    name = name or like_own(model, columns, lower, rng)
    sides = (rhs, INF) if lower else (-INF, rhs)
    at = int(rng.integers(model.m + 1))
    terms = dict(zip(columns, points or [1.0] * len(columns), strict=True))
    stated = insert_row(model, at, name, terms, *sides)
    return saying(replace(source, model=stated), columns, lower, rhs, rng, points), name


def saying(
    source: Source,
    columns: list[int],
    lower: bool,
    rhs: float,
    rng: np.random.Generator,
    points: Sequence[float] = (),
) -> Source:
    """The problem with a limit in what it says, in plain words where it has no telling.

    Points take a telling.
    """
    if source.telling is not None:
        limit = Limit(tuple(columns), lower, rhs, points=tuple(points))
        return replace(source, facts=(*source.facts, limit))
    say = at_least if lower else at_most
    sentence = say([source.model.col_names[j] for j in columns], rhs, rng)
    return replace(source, text=f"{source.text} {sentence}")


def solved(source: Source, solver: ColdSolver) -> Source | None:
    """The problem with its optimal point and objective; None where that is none, or 0."""
    found = solver.solve(source.model)
    if found.status != Status.OPTIMAL or found.x is None or found.objective is None:
        return None
    if abs(found.objective) < OBJECTIVE:
        return None
    return replace(source, point=found.x.copy(), objective=float(found.objective))


def apart(one: float, two: float) -> bool:
    """Whether neither of two objectives preserves the other."""
    return max(preservation(one, two), preservation(two, one)) <= FULL


def a_sum(source: Source, rng: np.random.Generator, most: int = 4) -> list[int] | None:
    """Up to `most` random columns, the first by what it adds to the objective; None without any."""
    model = source.model
    worth = np.abs(model.objective) * np.maximum(1.0, np.round(np.abs(source.point), 6))
    if not worth.any():
        return None
    first = int(np.searchsorted(np.cumsum(worth), rng.random() * worth.sum(), side="right"))
    first = min(first, model.n - 1)
    others = [int(j) for j in rng.permutation(model.n) if j != first]
    return sorted([first, *others[: int(rng.integers(most))]])


def binding(
    source: Source,
    columns: list[int],
    lower: bool,
    rng: np.random.Generator,
    solver: ColdSolver,
    points: Sequence[float] = (),
) -> float | None:
    """A limit of a sum that the optimum breaks, and that can be kept; None if there is none."""
    values = list(points) or [1.0] * len(columns)
    here = float((source.point[columns] * values).sum())
    end = solver.extreme(source.model, columns, values, lower)
    if not np.isfinite(end) or abs(end - here) <= 0.5 or (end > here) != lower:
        return None
    rhs = between(here, end, rng, whole(source.model, columns))
    return rhs if rhs is not None and rhs > 0 else None


def with_asides(source: Source, rng: np.random.Generator, most: int) -> Source:
    """Up to `most` limits on sums that the optimum meets with room to spare."""
    for _ in range(int(rng.integers(most + 1))):
        columns = a_sum(source, rng)
        if columns is None:
            return source
        here = float(source.point[columns].sum())
        lower = bool(rng.random() < 0.5)
        rhs = beyond(here, not lower, rng, here, whole(source.model, columns))
        if rhs > 0:
            source, _ = state_row(source, columns, lower, rhs, rng)
    return source


def bounds_as_rows(source: Source, share: float, rng: np.random.Generator) -> Source:
    """Upper bounds written as rows, a `share` of them: an IIS then shows them."""
    model = source.model
    for j in range(model.n):
        top = float(model.col_upper[j])
        if top < INF and model.types[j] != VarType.BINARY and rng.random() < share:
            name = like_own(model, [j], False, rng)
            at = int(rng.integers(model.m + 1))
            model = insert_row(model, at, name, {j: 1.0}, -INF, top)
            model = model.with_col_bounds(j, float(model.col_lower[j]), INF)
    return replace(source, model=model)


def with_cuts(source: Source, rng: np.random.Generator, solver: ColdSolver, count: int) -> Source:
    """The problem with up to `count` stated limits that cost more than 5 % of the optimum."""
    for _ in range(2 * count):
        columns, lower = a_sum(source, rng), bool(rng.random() < 0.5)
        if columns is None or count == 0:
            break
        rhs = binding(source, columns, lower, rng, solver)
        if rhs is None:
            continue
        after = solved(state_row(source, columns, lower, rhs, rng)[0], solver)
        if after is not None and apart(after.objective, source.objective):
            source, count = after, count - 1
    return source
