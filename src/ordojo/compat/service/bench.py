"""How much sooner a wrong model is refuted than solved: `bench_stopping`."""

import dataclasses
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np
from numpy.typing import NDArray

from ordojo.compat.problem import Ending, Problem, Settings
from ordojo.compat.service.bench_models import FAMILIES
from ordojo.compat.service.gold import Gold
from ordojo.compat.service.work import perform
from ordojo.core.seeds import generator
from ordojo.milp.model import INF, Model

Mask = NDArray[np.bool_]
LIMIT = 300.0
"""Seconds that a full solve may take."""
LEAST, MOST = 5.0, 60.0
"""Seconds of the full solves that count."""


@dataclass(frozen=True)
class Variant:
    """A wrong model."""

    name: str
    problem: Problem


def base(family: str, seed: int, size: float = 1.0) -> Problem:
    """A right model; at size 1 it takes seconds to solve."""
    model = FAMILIES[family][0](generator(seed, f"stopping {family}", 0), size)
    return Problem(model, settings=Settings(mip_gap=0.0, time_limit=LIMIT))


def variants(family: str, right: Problem, seed: int) -> Iterator[Variant]:
    """A family dropped, one tightened, and the objective changed."""
    _, dropped, tight = FAMILIES[family]
    model, rng = right.model, generator(seed, f"variants {family}", 0)
    for what in ("dropped", "tightened", "objective"):
        changed = model
        if what == "objective":
            factor = np.where(rng.random(model.n) < 0.3, rng.choice([0.8, 1.25]), 1.0)
            changed = dataclasses.replace(model, objective=np.round(model.objective * factor))
        elif what == "dropped":
            rows = _rows(model, dropped)
            lower = np.where(rows, -INF, model.row_lower)
            upper = np.where(rows, INF, model.row_upper)
            changed = dataclasses.replace(model, row_lower=lower, row_upper=upper)
        else:
            changed = _tightened(model, _rows(model, tight))
        yield Variant(f"{family}-{seed}-{what}", dataclasses.replace(right, model=changed))


def _rows(model: Model, family: str) -> Mask:
    return np.array([row.startswith(f"{family}.") for row in model.row_names])


def _tightened(model: Model, rows: Mask) -> Model:
    """8% less room (at least 1 for counts) in these rows, on whichever side the room is stated."""
    side = model.row_upper
    less = np.where(side <= 3, side - 1, np.floor(0.92 * side))
    stated = rows & (side > 0)
    inside = (rows & (side == 0))[model.entry_rows] & (model.value < 0)
    return dataclasses.replace(
        model,
        row_upper=np.where(stated, less, side),
        value=np.where(inside, 0.92 * model.value, model.value),
    )


@dataclass(frozen=True)
class Measured:
    """One wrong variant: what a full solve shows and a stopped one says, and both times."""

    name: str
    gold: float
    optimum: float | None
    shown: str
    full_seconds: float
    verdict: str
    seconds: float

    @property
    def right(self) -> bool:
        """Whether the stopped solve says what the full one shows."""
        return self.verdict == self.shown


def measure(variant: Variant, value: float, limit: float = LIMIT) -> Measured | None:
    """Solve with the gold, and to the end; times are of this process's processor.

    None for a variant that is right after all, or that neither solve settles.
    """
    gold, maximize = Gold(value), variant.problem.model.maximize
    before = time.process_time()
    stopped = perform(variant.problem, limit, gold)
    between = time.process_time()
    full = perform(variant.problem, limit)
    after = time.process_time()
    shown = gold.refuted(maximize, full.objective, full.bound)
    verdict = gold.refuted(maximize, stopped.objective, stopped.bound)
    if stopped.ending == Ending.DECIDED:
        verdict = stopped.detail
    if full.ending == Ending.INFEASIBLE:
        shown, verdict = str(full.ending), str(stopped.ending)
    if not shown and not verdict:
        return None
    return Measured(
        variant.name, value, full.objective, shown, after - between, verdict, between - before
    )


def bench_stopping(
    wanted: int = 60, report: Callable[[Measured], None] = lambda one: None
) -> list[tuple[str, float, str, str]]:
    """So many wrong variants of 5 to 60 seconds: (name, value, unit, target) of each figure.

    Models are made until there are enough; variants that are solved sooner or later than that are
    not among the figures.
    """
    found: list[Measured] = []
    for seed in count():
        for family in FAMILIES:
            for one in sample(family, seed):
                if LEAST <= one.full_seconds <= MOST:
                    found.append(one)
                    report(one)
            if len(found) >= wanted:
                return figures(found)
    raise AssertionError


def sample(family: str, seed: int) -> list[Measured]:
    """The wrong variants of one model."""
    right = base(family, seed)
    solved = perform(right, LIMIT)
    if solved.ending != Ending.OPTIMAL or solved.objective is None:
        return []
    measured = (measure(variant, solved.objective) for variant in variants(family, right, seed))
    return [one for one in measured if one is not None]


def figures(found: Sequence[Measured]) -> list[tuple[str, float, str, str]]:
    """The figures of these: (name, value, unit, target)."""
    full, stopped = ([getattr(one, name) for one in found] for name in ("full_seconds", "seconds"))
    ratio = statistics.median(a / b for a, b in zip(stopped, full, strict=True))
    return [
        ("wrong variants", float(len(found)), "", ">= 60"),
        ("right verdicts", float(sum(one.right for one in found)), "", "all"),
        ("full solve, median", statistics.median(full), "s", "5 to 60"),
        ("stopped solve, median", statistics.median(stopped), "s", ""),
        ("median of stopped / full", ratio, "", "<= 0.333"),
    ]
