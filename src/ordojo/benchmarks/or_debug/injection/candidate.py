"""What an injector works on and what it makes, with the solver that decides.

Beneath stand the one action that brings an element back (`restore_*`) and the changes that
injectors make: a row put in (`insert_row`), turned (`flipped`) or given another side, a bound
moved. `tidy` brings a row's columns into the order in which a repair is read back.

Then what an injection adds to a true problem: limits on sums, with their names and sentences. Their
figures are round, and lie beyond what can be kept (`beyond`) or where they cost something
(`between`, `binding`); `solved` has the optimum after it, and `apart` says whether two differ
enough. Bounds may become rows (`bounds_as_rows`), and limits that cost nothing stand beside
(`with_asides`).
"""

import dataclasses
import math
import re
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ordojo.benchmarks.or_debug.actions import Action, ActionKind, number
from ordojo.benchmarks.or_debug.outcome import FULL, preservation
from ordojo.benchmarks.or_debug.telling.rules import Fact, Limit, Telling, Told
from ordojo.milp.algebra import row_text
from ordojo.milp.model import INF, Floats, Model, VarType
from ordojo.milp.tolerances import OBJECTIVE, SAME, WHOLE
from ordojo.solvers.answers import Iis, SolveResult, Status
from ordojo.solvers.highs import HighsOracle, HighsSession

PATIENCE = 60.0
"""Seconds for one solve of a large model, which takes a few where nothing else runs."""


class ColdSolver:
    """One session of HiGHS, loaded afresh for every question."""

    def __init__(self) -> None:
        self.oracle = HighsOracle()
        self._session = self.oracle.session()

    def solve(self, model: Model) -> SolveResult:
        """Solve a model."""
        self._session.load(model)
        return self._session.solve()

    def is_infeasible(self, model: Model) -> bool:
        """Whether a model has no solution, proven."""
        return self.solve(model).status == Status.INFEASIBLE

    def iis(self, model: Model) -> Iis | None:
        """An IIS, None where the model is not infeasible."""
        if not self.is_infeasible(model):
            return None
        return self._session.iis()

    def extreme(
        self,
        model: Model,
        index: Sequence[int],
        value: Sequence[float],
        greatest: bool,
        relaxed: bool = True,
    ) -> float:
        """The greatest or least value of a linear form, over the LP relaxation if `relaxed`.

        Infinite where it is unbounded, NaN where there is no solution or no answer came.
        """
        cost = np.zeros(model.n)
        cost[np.asarray(index, np.int64)] = value
        base = model.relaxed if relaxed else model
        found = self.solve(dataclasses.replace(base, objective=cost, offset=0.0, maximize=greatest))
        if found.status == Status.UNBOUNDED:
            return math.inf if greatest else -math.inf
        return math.nan if found.objective is None else found.objective

    def relaxation(self, model: Model) -> SolveResult:
        """Solve the LP relaxation."""
        return self.solve(model.relaxed)

    def close(self) -> None:
        """Free the solver."""
        self._session.close()


class OwnSolver(threading.local):
    """A thread's solver, kept: making one takes longer than most solves of small models."""

    def __init__(self) -> None:
        self.solver = ColdSolver()


class WarmSolver(ColdSolver):
    """Goes from one question about a large model to the next by what differs.

    Extremes have a session of their own: from the one's optimum to the other's it is far.
    """

    def __init__(self) -> None:
        super().__init__()
        self._there: Model | None = None
        self._aside: tuple[HighsSession, Model | None] = self.oracle.session(), None

    def solve(self, model: Model) -> SolveResult:
        """Solve a model."""
        there, session = self._there, self._session
        self._there = model
        if there is None or not _alike(there, model):
            session.load(model)
            return session.solve(PATIENCE)
        sides = there.row_lower != model.row_lower, there.row_upper != model.row_upper
        for i in np.unique(model.entry_rows[there.value != model.value]).tolist():
            index, value = (part.tolist() for part in model.row(i))
            session.set_row(i, index, value, *model.sides(i))
        for i in np.flatnonzero(sides[0] | sides[1]).tolist():
            session.set_row_bounds(i, *model.sides(i))
        ends = there.col_lower != model.col_lower, there.col_upper != model.col_upper
        for j in np.flatnonzero(ends[0] | ends[1]).tolist():
            session.set_col_bounds(j, *model.bounds(j))
        if there.maximize != model.maximize or (there.objective != model.objective).any():
            session.set_cost(model.objective, model.maximize)
        return session.solve(PATIENCE)

    def extreme(
        self,
        model: Model,
        index: Sequence[int],
        value: Sequence[float],
        greatest: bool,
        relaxed: bool = True,
    ) -> float:
        """See `ColdSolver.extreme`."""
        self._exchange()
        try:
            if self._there is None:  # from an optimum of all costs it is nearer than from nothing
                self.solve(model)
            return super().extreme(model, index, value, greatest, relaxed)
        finally:
            self._exchange()

    def _exchange(self) -> None:
        here = self._session, self._there
        (self._session, self._there), self._aside = self._aside, here

    def close(self) -> None:
        """Free the solvers."""
        super().close()
        self._aside[0].close()


def _alike(one: Model, two: Model) -> bool:
    """Whether two models have the same names, types, places of coefficients, and offset."""
    same = one.col_names is two.col_names and one.row_names is two.row_names
    pairs = ((one.starts, two.starts), (one.index, two.index), (one.types, two.types))
    return same and one.offset == two.offset and all(np.array_equal(a, b) for a, b in pairs)


@dataclass(frozen=True)
class Source:
    """A seed problem that has an optimum: its model, its text, the optimal point and value.

    Rows have their columns in ascending order. With a `telling`, what is added is among `facts`,
    and told last; without, the text has it. Of `several` errors all have to be found at once, so
    that a guess at one need not be wrong two times in three.
    """

    family: str
    model: Model
    text: str
    point: Floats
    objective: float
    telling: Telling | None = None
    facts: tuple[Fact, ...] = ()
    several: bool = False

    def told(self) -> Told:
        """The whole text, whose words are drawn now."""
        if self.telling is None:
            return Told(self.text, self.text)
        return self.telling.told(self.text, self.model.col_names, self.facts)


@dataclass(frozen=True)
class InjectionCandidate:
    """A sabotaged problem before validation.

    `source` has and tells the true problem. `targets` are the sabotaged elements and `fix` one
    action for each.
    """

    source: Source
    sabotaged: Model
    targets: tuple[str, ...]
    fix: tuple[Action, ...]
    method: str

    @property
    def original(self) -> Model:
        """The true model."""
        return self.source.model

    def renamed(self, names: Mapping[str, str]) -> "InjectionCandidate":
        """The same under other names of rows."""
        return replace(
            self,
            source=replace(self.source, model=self.original.renamed(names)),
            sabotaged=self.sabotaged.renamed(names),
            targets=tuple(names.get(target, target) for target in self.targets),
            fix=tuple(replace(a, target=names.get(a.target, a.target)) for a in self.fix),
        )


Injector = Callable[[Source, np.random.Generator, ColdSolver], InjectionCandidate | None]
"""Sabotages a seed problem; None where its method finds no target."""


def row_candidate(
    source: Source, sabotaged: Model, rows: tuple[int, ...], method: str
) -> InjectionCandidate:
    """A candidate whose sabotage is in rows, with the fix that restores them one by one."""
    original = source.model
    return InjectionCandidate(
        source,
        sabotaged,
        tuple(original.row_names[i] for i in rows),
        tuple(restore_row(original, sabotaged, i) for i in rows),
        method,
    )


def bound_candidate(
    source: Source, sabotaged: Model, j: int, side: str, method: str
) -> InjectionCandidate:
    """A candidate whose sabotage is column j's bound "lb" or "ub"."""
    fix = restore_bound(source.model, sabotaged, j, side)
    return InjectionCandidate(source, sabotaged, (fix.target,), (fix,), method)


def restore_row(original: Model, sabotaged: Model, i: int) -> Action:
    """The one action that makes row i of `sabotaged` what it was.

    A moved right-hand side is relaxed back where that is exact in floating point, a row that the
    original has not (one without sides) is dropped, any other is rewritten.
    """
    name = original.row_names[i]
    if not original.is_live(i):
        return Action(ActionKind.DROP, name)
    old, new = original.sides(i), sabotaged.sides(i)
    terms, changed = original.row(i), sabotaged.row(i)
    if np.array_equal(terms[0], changed[0]) and np.array_equal(terms[1], changed[1]):
        moves = {round(a - b, 9) for a, b in zip(old, new, strict=True) if a != b}
        delta = moves.pop()
        if not moves and all(a in (b, b + delta) for a, b in zip(old, new, strict=True)):
            return Action(ActionKind.RELAX, name, delta)
    return Action(ActionKind.REWRITE, name, expr=row_text(original, i))


def restore_bound(original: Model, sabotaged: Model, j: int, side: str) -> Action:
    """The one action that makes the bound "lb" or "ub" of column j what it was."""
    target = f"{original.col_names[j]}.{side}"
    old, new = (
        float((model.col_lower if side == "lb" else model.col_upper)[j])
        for model in (original, sabotaged)
    )
    if not np.isfinite(old):
        return Action(ActionKind.DROP, target)
    delta = round(old - new, 9)
    if new + delta == old:
        return Action(ActionKind.RELAX, target, delta)
    return Action(ActionKind.REWRITE, target, expr=number(old))


def restore_type(original: Model, j: int) -> Action:
    """The one action that makes column j of its old type."""
    kind = VarType(int(original.types[j])).name
    return Action(ActionKind.REWRITE, f"{original.col_names[j]}.type", expr=kind)


def tidy(model: Model) -> Model:
    """A copy whose rows have their columns in ascending order, as parsed constraints do."""
    order = np.lexsort((model.index, model.entry_rows))
    return dataclasses.replace(model, index=model.index[order], value=model.value[order])


def insert_row(
    model: Model, at: int, name: str, terms: Mapping[int, float], lower: float, upper: float
) -> Model:
    """A copy with one more row before row `at`; `terms` are coefficients by column number."""
    index = np.array(sorted(terms), np.int32)
    value = np.array([terms[j] for j in sorted(terms)], np.float64)
    place = int(model.starts[at])
    starts = np.concatenate([model.starts[: at + 1], model.starts[at:] + len(index)])
    return dataclasses.replace(
        model,
        row_names=(*model.row_names[:at], name, *model.row_names[at:]),
        row_lower=np.insert(model.row_lower, at, lower),
        row_upper=np.insert(model.row_upper, at, upper),
        starts=starts.astype(np.int32),
        index=np.concatenate([model.index[:place], index, model.index[place:]]).astype(np.int32),
        value=np.concatenate([model.value[:place], value, model.value[place:]]),
    )


def flipped(model: Model, i: int) -> Model:
    """A copy in which row i, an inequality, points the other way."""
    low, up = model.sides(i)
    return model.with_row_bounds(i, -INF, low) if low > -INF else model.with_row_bounds(i, up, INF)


def is_inequality(model: Model, i: int) -> bool:
    """Whether row i has exactly one side."""
    return bool((model.row_lower[i] > -INF) != (model.row_upper[i] < INF))


def is_equation(model: Model, i: int) -> bool:
    """Whether row i fixes its activity."""
    return bool(model.row_lower[i] == model.row_upper[i])


def with_side(model: Model, i: int, rhs: float) -> Model:
    """A copy in which row i, an inequality or an equation, has another right-hand side."""
    low = rhs if model.row_lower[i] > -INF else -INF
    up = rhs if model.row_upper[i] < INF else INF
    return model.with_row_bounds(i, low, up)


def with_bound(model: Model, j: int, side: str, value: float) -> Model:
    """A copy in which column j's bound "lb" or "ub" is `value`."""
    if side == "lb":
        return model.with_col_bounds(j, value, float(model.col_upper[j]))
    return model.with_col_bounds(j, float(model.col_lower[j]), value)


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


_PLAIN = {
    (True, True): ("{} must be at least {}.", "No value below {1} is allowed for {0}."),
    (True, False): ("{} must come to at least {} in all.", "The sum of {} may not be below {}."),
    (False, True): ("{} must be at most {}.", "No value above {1} is allowed for {0}."),
    (False, False): ("{} must come to at most {} in all.", "The sum of {} may not exceed {}."),
}
"""Plain words for a limit, by whether it is the least, and on one column."""


def plainly(names: Sequence[str], lower: bool, rhs: float, rng: np.random.Generator) -> str:
    """A sentence for sum of columns >= rhs, or <=."""
    forms = _PLAIN[lower, len(names) == 1]
    return forms[int(rng.integers(len(forms)))].format(listing(names), number(float(rhs)))


def defined(name: str, parts: Sequence[str], lower: float, upper: float) -> str:
    """A sentence for a column that stands for a sum and has bounds of its own."""
    span = f"between {number(lower)} and {number(upper)}" if lower else f"at most {number(upper)}"
    return f"`{name}` stands for the sum of {listing(parts)} and is {span}."


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
    limit costs something and is kept with room, chosen without a fit (`validation.SPAN` is wider,
    as a figure near a known middle can be guessed). A whole one may be the end itself, for where
    the whole numbers are few.
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
    alike = sides[lower] if lower is not None and sides[lower].any() else np.ones(model.m, bool)
    names = (model.row_names[i] for i in np.flatnonzero(alike).tolist())
    stems = sorted({str(_WORD.findall(name)[0]) for name in names})
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
    sentence = plainly([source.model.col_names[j] for j in columns], lower, rhs, rng)
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
