"""One problem in a model of thousands of rows, infeasible or silently wrong, by split, seed, index.

The text gives the rules, and the figures of the few elements that weigh, one of which the model has
otherwise; a fault is proved as those of small models are, by solves that go on from each other.
`focused` is the part that text and IIS name: where one who reads both would look.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ordojo.benchmarks.or_debug.injection.candidate import (
    WarmSolver,
    flipped,
    is_inequality,
    restore_row,
    step_of,
    with_side,
)
from ordojo.benchmarks.or_debug.injection.generate import GeneratedProblem
from ordojo.benchmarks.or_debug.injection.validation import CHECKS, validate
from ordojo.benchmarks.or_debug.schema import Debugging
from ordojo.benchmarks.or_debug.seeds import PLANS, LargeProblem, make_large
from ordojo.benchmarks.or_debug.silent import reordered, silent_fault
from ordojo.benchmarks.or_debug.telling.figures import FACTORS, DerivedFigures
from ordojo.core.canonical import Json, significant
from ordojo.core.errors import GeneratorError, SolverError
from ordojo.core.seeds import generator
from ordojo.milp.model import Floats, Model
from ordojo.milp.tolerances import PRIMAL
from ordojo.problems.prose import describe
from ordojo.solvers.answers import Iis, Status

ROWS, ROWS_PROVED = (5_000, 100_000), 50_000
"""Rows of a model, spread evenly over their logarithm; and the most of an infeasible one, each
repair of which is tried."""

ATTEMPTS, TRIES = 4, 16
"""Models drawn for a problem, and errors tried in each, which cost less."""

MOST = (12, 12)
"""Rows and bounds of an IIS that a reader looks through."""

INFEASIBLE = "C"
"""The type of the infeasible half: a number of one row is another."""

FAMILIES: Mapping[str, tuple[str, ...]] = {
    INFEASIBLE: ("transportation", "min_cost_flow", "crop_planning"),
    "coefficient": tuple(PLANS),
    "sign": ("transportation", "transshipment", "min_cost_flow"),
    "sense": ("transportation",),
    "unit": tuple(PLANS),
}
"""The templates that have a place for each kind of error."""

REST = (
    "These tables are too long to be told whole: told are the figures of what was called in "
    "question, and one thing of it is wrong in the program; all the rest of it is right."
)


def large_kind(index: int) -> str:
    """The kind of error of item `index`: every other one is infeasible."""
    silent = tuple(FAMILIES)[1:]
    return silent[index // 2 % len(silent)] if index % 2 else INFEASIBLE


def produce_large(split: str, seed: int, index: int, rows: int = 0) -> GeneratedProblem:
    """Make the problem; the same arguments, the same bytes. `rows` 0 draws a size.

    Raises GeneratorError if no attempt passes.
    """
    kind = large_kind(index)
    most = ROWS_PROVED if kind == INFEASIBLE else ROWS[1]
    rng = generator(seed, f"or-debug/{split}", index)
    solver = WarmSolver()
    try:
        for failed in range(ATTEMPTS):
            size = rows or round(math.exp(rng.uniform(math.log(ROWS[0]), math.log(most))))
            fits = [name for name in FAMILIES[kind] if size <= PLANS[name].most]
            family = fits[int(rng.integers(len(fits)))]
            recipe = {
                "template": family,
                "knobs": PLANS[family].knobs(min(max(size, ROWS[0] + 10), ROWS[1] - 10)),
                "seed": int(rng.integers(2**31)),
            }
            case = _Case(kind, recipe, rng, solver)
            if (made := case.broken()) is not None:
                return case.problem(split, index, failed, *made)
    finally:
        solver.close()
    raise GeneratorError(
        f"no error of kind {kind} came out of {ATTEMPTS} models for item {index} of {split}; "
        "take another seed"
    )


@dataclass(frozen=True)
class Fault:
    """What an error that holds comes to: the two optima, or the true one and the IIS."""

    optimum: float
    wrong: float = 0.0
    iis: Iis | None = None


@dataclass(frozen=True)
class _Case:
    """One true model, in which errors of a kind are tried."""

    kind: str
    recipe: Mapping[str, Any]
    rng: np.random.Generator
    solver: WarmSolver

    @cached_property
    def large(self) -> LargeProblem:
        return make_large(self.recipe)

    @property
    def model(self) -> Model:
        return self.large.built.model

    @cached_property
    def point(self) -> Floats | None:
        """The true optimum (n)."""
        found = self.solver.solve(self.model)
        return found.x if found.status == Status.OPTIMAL else None

    @cached_property
    def rows(self) -> list[int]:
        """The rows on one element that weighs."""
        keys = self.large.built.row_keys
        return [i for i, key in enumerate(keys) if len(key) == 1 and key[0] in self.large.members]

    @cached_property
    def floors(self) -> list[int]:
        """Those of them that ask an amount."""
        built, floor = self.large.built, PLANS[self.recipe["template"]].floor
        return [i for i in self.rows if built.spec.families[built.families[i]].name == floor]

    def broken(self) -> tuple[int, Model, Fault] | None:
        """The row that is wrong, the model that has it, and what that comes to."""
        if self.point is None:
            return None
        make: Mapping[str, Callable[[], tuple[int, Model] | None]] = {
            "sign": lambda: self._entry(-1.0),
            "sense": self._turned,
            # Chosen without a fit: the larger factors are those of `unit`.
            "coefficient": lambda: self._number(float(self.rng.uniform(1.7, 3.0))),
            "unit": lambda: self._number(float(FACTORS[int(self.rng.integers(5))])),
        }
        for _ in range(TRIES):
            made = make.get(self.kind, self._excessive)()
            fault = None if made is None else self._fault(*made)
            if made is not None and fault is not None:
                return *made, fault
        return None

    def _one(self, rows: list[int]) -> int:
        return rows[int(self.rng.integers(len(rows)))]

    def _excessive(self) -> tuple[int, Model] | None:
        """A floor above all that there can be: by a tenth to 1.5 times, without a fit."""
        i = self._one(self.floors)
        index, value = (part.tolist() for part in self.model.row(i))
        most = self.solver.extreme(self.model.without_row(i), index, value, True)
        if not np.isfinite(most):
            return None
        return i, with_side(self.model, i, _round(most * float(self.rng.uniform(1.1, 2.5))))

    def _number(self, factor: float) -> tuple[int, Model] | None:
        """A floor times a factor, or one of its coefficients divided by it.

        Two in five are of the second kind, chosen without a fit.
        """
        if self.rng.random() < 0.4:
            return self._entry(1 / factor)
        i = self._one(self.floors)
        return i, with_side(self.model, i, _round(float(self.model.row_lower[i]) * factor))

    def _entry(self, factor: float) -> tuple[int, Model] | None:
        """A coefficient of a floor, of a column that the optimum uses, times a factor."""
        assert self.point is not None
        i = self._one(self.floors)
        index, value = (part.tolist() for part in self.model.row(i))
        used = [k for k, j in enumerate(index) if self.point[j] > PRIMAL]
        if not used:
            return None
        k = self._one(used)
        value[k] = round(value[k] * factor, 2)
        return i, self.model.with_row(i, index, value)

    def _turned(self) -> tuple[int, Model] | None:
        """An inequality on an element, no floor, that points the other way."""
        rows = [i for i in self.rows if i not in self.floors and is_inequality(self.model, i)]
        i = self._one(rows)
        return i, flipped(self.model, i)

    def _fault(self, i: int, broken: Model) -> Fault | None:
        """What the error comes to where it is proved, None where it is not."""
        target, fix = self.model.row_names[i], str(restore_row(self.model, broken, i))
        try:
            if self.kind == INFEASIBLE:
                shown = validate(self.kind, self.model, broken, [target], [fix], self.solver)
                iis = shown.iis
                fits = iis is not None and len(iis.rows) <= MOST[0] and len(iis.bounds) <= MOST[1]
                return Fault(shown.objective, 0.0, iis) if shown.holds and fits else None
            fault, *optima = silent_fault(self.model, broken, target, fix, self.solver)
        except SolverError:
            return None
        return None if fault else Fault(significant(optima[0]), significant(optima[1]))

    def problem(
        self, split: str, index: int, failed: int, i: int, broken: Model, fault: Fault
    ) -> GeneratedProblem:
        """The problem with its text and its record."""
        large, target = self.large, self.model.row_names[i]
        figures = DerivedFigures(self.rng)
        text = describe(large.built, large.names, self.rng, figures, large.part)
        error = str(restore_row(broken, self.model, i))
        problem = Debugging(
            index=index,
            split=split,
            type=self.kind,
            family=self.recipe["template"],
            text=f"{text} {REST}",
            original=dict(self.recipe),
            sabotaged={**self.recipe, "error": error},
            targets=(target,),
            fix=(str(restore_row(self.model, broken, i)),),
            iis_rows=fault.iis.row_names(broken) if fault.iis else (),
            iis_bounds=fault.iis.bound_names(broken) if fault.iis else (),
            objective=fault.optimum,
            regenerations=failed,
        )
        problem.__dict__.update(original_model=self.model, model=broken)
        found: dict[str, Json] | None = None if fault.iis else {"optimum": fault.wrong}
        return GeneratedProblem(problem, (*[0] * failed, CHECKS), found)


def _round(figure: float) -> float:
    step = step_of(figure)
    return round(math.ceil(figure / step) * step, 6)


_THING = re.compile(r"[a-z]+ \d+")


def focused(problem: Debugging) -> Debugging:
    """The problem in the rows that are named, with their columns alone; a small one as it is.

    Policies that look at every number look at these. What they find is a repair of the whole.
    """
    if not problem.is_recipe:
        return problem
    named = {thing.replace(" ", "_") for thing in _THING.findall(problem.text)}
    rows = [
        i
        for i, name in enumerate(problem.model.row_names)
        if name in problem.iis_rows or "_".join(name.rsplit("_", 2)[1:]) in named
    ]
    models = problem.original_model, problem.model
    original, sabotaged = (_part(model, rows).to_json() for model in models)
    return replace(problem, original=original, sabotaged=sabotaged)


def _part(model: Model, rows: list[int]) -> Model:
    part = reordered(model, rows)
    used, index = np.unique(part.index, return_inverse=True)
    return replace(
        part,
        objective=part.objective[used],
        col_names=tuple(part.col_names[j] for j in used.tolist()),
        col_lower=part.col_lower[used],
        col_upper=part.col_upper[used],
        types=part.types[used],
        index=index.astype(np.int32),
    )
