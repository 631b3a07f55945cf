"""A plan of the user's: what it breaks, by how much, what it is worth; a part of one, completed."""

import dataclasses
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordojo.core.errors import DataError
from ordojo.core.words import amount
from ordojo.milp.algebra import cut, indicator_text, number, products_text
from ordojo.milp.model import INF, Floats, Model
from ordojo.milp.tolerances import INTEGRALITY, PRIMAL
from ordojo.solvers.answers import Side, Status
from ordojo.solvers.asked.solves import Conflict, Outcome, Solves, short, told_row
from ordojo.solvers.conflicts import shown
from ordojo.solvers.problem import General, Indicator, Problem, QuadraticRow, Sos, evaluate
from ordojo.solvers.residuals import Residuals, evaluated, outside, parts_off

SOS = "ordered set"
ROUNDED = 1e-3
"""The share of a solver's tolerance that doubles and printed digits leave open: it is not told."""
FEW = 3
"""Unknown or missing names that a sentence lists."""


@dataclass(frozen=True)
class Broken:
    """A row, bound, whole number or other part that a plan breaks: it is `value`, off by `by`.

    Of an ordered set both are the largest of the values that would have to be 0. A function outside
    its domain is off by infinity, in JSON by null.
    """

    kind: str
    name: str
    text: str
    value: float
    by: float

    @property
    def said(self) -> str:
        """What is broken, and by how much; of an ordered set the text says it all."""
        if self.kind == SOS:
            return self.text
        return f"{self.text}: is {short(self.value)}, off by {self.by:.6g}"

    def to_json(self) -> dict[str, Any]:
        """Everything as plain JSON."""
        return dataclasses.asdict(self) | {"by": self.by if self.by < INF else None}


@dataclass(frozen=True)
class Check:
    """What a plan breaks, the worst first, and the objective that it gives.

    Where nothing is broken `near` is what is so only within the solvers' tolerances.
    `unknown` are its names that the model lacks, `missing` the columns that it does not name: they
    count as 0, or are solved for where it was to be completed. Then `completed` is how that ended,
    `plan` the values found by name, and `conflict` says why there are none.
    """

    model: str
    plan_name: str
    objective: float
    broken: tuple[Broken, ...]
    unknown: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    completed: Outcome | None = None
    plan: Mapping[str, float] | None = None
    conflict: Conflict | None = None
    notes: tuple[str, ...] = ()
    near: tuple[Broken, ...] = ()

    @property
    def feasible(self) -> bool:
        """Whether nothing is broken, and a plan to be completed was shown to have a completion."""
        ended = self.completed
        can = ended is None or self.plan is not None or ended.status == Status.UNBOUNDED
        return can and not self.broken

    def to_json(self) -> dict[str, Any]:
        """Everything as plain JSON."""
        return {
            "model": self.model,
            "plan_name": self.plan_name,
            "feasible": self.feasible,
            "objective": self.objective,
            "broken": [one.to_json() for one in self.broken],
            "within_tolerance": [one.to_json() for one in self.near],
            "unknown": list(self.unknown),
            "missing": list(self.missing),
            "completed": self.completed and self.completed.to_json(),
            "plan": None if self.plan is None else dict(self.plan),
            "conflict": self.conflict and self.conflict.to_json(),
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        return self.text()

    def text(self) -> str:
        """The answer for a reader."""
        if self.completed is not None:
            first = f"{self.plan_name}, completed, in {self.model}: {self.completed.text()}"
        else:
            kind = (
                f"breaks {amount(len(self.broken), 'part')} of" if self.broken else "is feasible in"
            )
            near = " only within the solvers' tolerances" if self.near else ""
            value = short(self.objective)
            first = f"{self.plan_name} {kind} {self.model}{near}; its objective is {value}"
        lines, told = [first], self.broken or self.near
        width = max((len(one.name) for one in told[:1000]), default=0)
        lines += shown([f"  {one.name:<{width}}  {one.said}" for one in told])
        if self.plan is not None:
            live = [f"  {k} = {short(v)}" for k, v in self.plan.items() if v and k in self.missing]
            head = f"Of {amount(len(self.missing), 'column')} solved for, not 0:"
            if not self.missing:
                head = "Nothing was left to solve for: every column is given."
            elif not live:
                head = f"Solved for, and 0: {_few(self.missing)}."
            lines += [head, *shown(live)]
        if self.conflict is not None:
            lines += self.conflict.lines()
        if self.unknown:
            lines.append(f"Left out, as the model has no such column: {_few(self.unknown)}.")
        if self.missing and self.completed is None:
            lines.append(f"Not given, and taken as 0: {_few(self.missing)}.")
        return "\n".join([*lines, *self.notes])


def _few(names: tuple[str, ...]) -> str:
    more = len(names) - FEW
    return ", ".join(names[:FEW]) + (f" and {more} more" if more > 0 else "")


def check_plan(problem: Problem, given: Mapping[str, float], name: str) -> Check:
    """What the plan breaks, within the tolerances that solvers keep; `name` is what it is called.

    Raises DataError where most of its names are none of the model's.
    """
    model = problem.model
    if not given:
        raise DataError(f"{name} names no column; give columns with their values")
    unknown = tuple(one for one in given if one not in model.cols)
    if 2 * len(unknown) > len(given):
        raise DataError(
            f"{name} is a solution of another model: {len(unknown)} of its {len(given)} names "
            f"({_few(unknown)}) are no columns of {model.name or 'the model'}"
        )
    x = np.array([given.get(column, 0.0) for column in model.col_names])
    broken = _broken(problem, x)
    return Check(
        model.name or "the model",
        name,
        evaluate(problem, x),
        broken,
        unknown,
        tuple(column for column in model.col_names if column not in given),
        notes=problem.notes,
        near=() if broken else _broken(problem, x, ROUNDED),
    )


def _broken(problem: Problem, x: Floats, share: float = 1.0) -> tuple[Broken, ...]:
    """What is off by more than this share of what solvers tolerate, the worst first."""
    model, primal = problem.model, share * PRIMAL
    found, off = [], Residuals(model, x)
    for i in np.flatnonzero(off.rows > primal * (1.0 + off.terms)).tolist():
        at, by = off.activity.item(i), off.rows.item(i)
        found.append(Broken("row", model.row_names[i], told_row(model, i), at, by))
    (low, up), semi, beyond, parts = model.effective_bounds, model.semi, off.bounds, off.whole
    for j in np.flatnonzero(beyond > primal * (1.0 + np.abs(x))).tolist():
        name, zero = model.col_names[j], " or 0" if semi[j] else ""
        side = f">= {number(low.item(j))}" if x[j] < low[j] else f"<= {number(up.item(j))}"
        found.append(Broken("bound", name, f"{name} {side}{zero}", x.item(j), beyond.item(j)))
    for j in np.flatnonzero(parts > share * INTEGRALITY).tolist():
        name = model.col_names[j]
        found.append(Broken("integrality", name, f"{name} whole", x.item(j), parts.item(j)))
    found += [
        _AMOUNTS[type(part)](part, part.name or what, model, x)
        for by, what, part in parts_off(problem, x)
        if by > primal
    ]
    return tuple(sorted(found, key=lambda one: (-one.by, one.name)))


def _row(row: QuadraticRow | Indicator, name: str, model: Model, x: Floats) -> Broken:
    total = float(row.value @ x[row.index])
    if isinstance(row, QuadraticRow):
        total += row.quadratic.value_at(x)
        kind, text = "quadratic row", products_text(model, row)
    else:
        kind, text = "indicator", indicator_text(model, row)
    return Broken(kind, name, cut(text), total, max(row.lower - total, total - row.upper))


def _sos(sos: Sos, name: str, model: Model, x: Floats) -> Broken:
    order = sos.index[np.argsort(sos.weights, kind="stable")]
    live = [model.col_names[j] for j in order if abs(x[j]) > PRIMAL]
    may = "only one of them may be" if sos.kind == 1 else "only two neighbours may be"
    off = outside(sos, x)
    return Broken(SOS, name, cut(f"{', '.join(live)} are not 0, and {may}"), off, off)


def _general(part: General, name: str, model: Model, x: Floats) -> Broken:
    names = model.col_names
    got, wanted = x.item(part.result), evaluated(part, x[part.operands]) or 0.0
    operands = [*(names[j] for j in part.operands), *map(number, part.numbers)]
    undefined = math.isnan(wanted)
    right = "undefined there" if undefined else short(wanted)
    text = f"{names[part.result]} = {part.function}({', '.join(operands)}), {right}"
    return Broken("general", name, cut(text), got, INF if undefined else abs(got - wanted))


_AMOUNTS: dict[type, Callable[[Any, str, Model, Floats], Broken]] = {
    QuadraticRow: _row,
    Indicator: _row,
    Sos: _sos,
    General: _general,
}


def complete(problem: Problem, given: Mapping[str, float], name: str, solves: Solves) -> Check:
    """The plan with what it gives held and the rest solved for, or the conflict that forbids it.

    Where no plan has these values exactly, one is sought within the solvers' tolerance of them.
    """
    told, model = check_plan(problem, given, name), problem.model
    at = np.array([j for j, one in enumerate(model.col_names) if one in given], np.int32)
    held = np.array([given[model.col_names[j]] for j in at])
    whole = model.whole[at]
    near = whole & (np.abs(held - np.rint(held)) <= INTEGRALITY)
    held = np.where(near, np.rint(held), held)

    def fixed(give: Floats) -> Problem:
        sides = np.column_stack([held - give, held + give])
        names = [f"given {model.col_names[j]}" for j in at]
        grown = model.grown([1] * len(at), at, np.ones(len(at)), sides, names)
        return dataclasses.replace(problem, model=grown, start=None)

    exact = fixed(np.zeros(len(at)))
    found = solves.solve(exact, f"solving for {amount(len(told.missing), 'column')}", 0.7)
    notes = told.notes
    if found.status == Status.INFEASIBLE:
        give = np.where(whole, 0.0, PRIMAL * np.maximum(1.0, np.abs(held)))
        found = solves.solve(fixed(give), "solving within the tolerance of what is given", 0.5)
        notes = (*notes, f"What is given is held within {PRIMAL:g}: no plan has it exactly.")
    told = dataclasses.replace(told, completed=found, broken=(), near=())
    if found.status == Status.INFEASIBLE:
        asked = {(i, Side.BOTH) for i in range(model.m, exact.model.m)}
        return dataclasses.replace(told, conflict=solves.conflict(exact, asked, set()))
    if found.x is None or found.objective is None:
        return told
    plan = dict(zip(model.col_names, found.x.tolist(), strict=True))
    return dataclasses.replace(told, objective=found.objective, plan=plan, notes=notes)
