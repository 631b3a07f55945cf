"""What a change does: solved again, and told by the optimal plan that is closest to the former."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordojo.core.errors import UsageError
from ordojo.milp.expressions import shown as quoted
from ordojo.milp.model import INF, Floats
from ordojo.milp.tolerances import ROUNDING
from ordojo.solvers.answers import Status
from ordojo.solvers.asked.edits import (
    ModelEdit,
    all_edited,
    check_number,
    edited,
    left_of,
    named,
    stated,
)
from ordojo.solvers.asked.solves import Conflict, Outcome, Solves, differs, gained, notes_of, short
from ordojo.solvers.choose import rounding
from ordojo.solvers.conflicts import shown
from ordojo.solvers.problem import Problem
from ordojo.solvers.residuals import only_just


@dataclass(frozen=True)
class PlanChange:
    """A column of the plan, and its value before and after."""

    column: str
    before: float
    after: float


@dataclass(frozen=True)
class WhatIf:
    """What a change of a model does.

    `said` has a sentence for each change, `changes` the columns in which the new plan differs from
    the former; `closest` says that no optimal plan is closer to it, by the sum of distances. Of
    what became infeasible there is a `conflict`. `statement` is what `whynot` was asked, else "".
    `notes` are sentences on how the model was read and what was not looked for.
    """

    model: str
    solver: str
    maximize: bool
    columns: int
    said: tuple[str, ...]
    before: Outcome
    after: Outcome
    changes: tuple[PlanChange, ...] = ()
    closest: bool = False
    conflict: Conflict | None = None
    statement: str = ""
    notes: tuple[str, ...] = ()

    @property
    def gain(self) -> float | None:
        """By how much the new optimum is better (worse: below 0); None where one is not proved."""
        return self.after.gain_over(self.before, self.maximize)

    def to_json(self) -> dict[str, Any]:
        """Everything as plain JSON."""
        return {
            "model": self.model,
            "solver": self.solver,
            "statement": self.statement,
            "edits": list(self.said),
            "before": self.before.to_json(),
            "after": self.after.to_json(),
            "gain": self.gain,
            "changes": [dataclasses.asdict(change) for change in self.changes],
            "closest": self.closest,
            "conflict": self.conflict and self.conflict.to_json(),
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        return self.text()

    def text(self) -> str:
        """The answer for a reader."""
        asked = [f"that {self.statement}"] if self.statement else list(self.said)
        lines = [f"{self.model}, {'asked' if self.statement else 'changed'} ({self.solver}):"]
        lines += [f"  {one}" for one in asked]
        lines += [f"Before: {self.before.text()}.", f"After: {self.after.text()}{self._by()}."]
        if self.conflict is not None:
            lines += self.conflict.lines()
            if self.conflict.members and not self.conflict.takes_part:
                lines.append("What you asked takes no part in it.")
        elif self.changes:
            kind = "the closest optimal plan" if self.closest else "the plan found, perhaps not the"
            kind += "" if self.closest else " closest"
            lines.append(f"{len(self.changes)} of {self.columns} columns change ({kind}):")
            width = max(len(one.column) for one in self.changes)
            told = [
                f"  {one.column:<{width}}  {short(one.before)} -> {short(one.after)}"
                for one in self.changes
            ]
            lines += shown(told)
        elif self.before.x is not None and self.after.x is not None:
            lines.append("No column of the plan has to change.")
        return "\n".join([*lines, *self.notes])

    def _by(self) -> str:
        if self.gain is None:
            return ""
        nothing = "which costs nothing" if self.statement else "as before"
        return f", {gained(self.gain, nothing)}"


def what_if(problem: Problem, edits: Sequence[str], solves: Solves) -> WhatIf:
    """What these edits, one after another, do to the optimum and its plan; see `edits`."""
    if not edits:
        raise UsageError("nothing is changed; give an edit such as 'cap <= 50' or 'drop cap'")
    done: list[ModelEdit] = []
    for text in edits:
        done += all_edited(done[-1].problem if done else problem, text)
    return _asked(problem, done, solves)


def why_not(problem: Problem, statement: str, solves: Solves) -> WhatIf:
    """What it costs that a linear statement holds, or the conflict that forbids it.

    The statement is over columns, or on a row: `cap <= 50` bounds what the row adds up to. It is
    put beside what the model has, and replaces nothing.
    """
    model, name = problem.model, left_of(statement)
    check_number(problem, statement)
    i, j = named(model, name, statement)
    if i is not None:
        freed = dataclasses.replace(problem, model=model.without_row(i))
        sides = edited(freed, statement).problem.model
        index, value = model.row(i)
        new = model.with_new_row("asked", index.tolist(), value.tolist(), *sides.sides(i))
        asked = dataclasses.replace(problem, model=new, start=None)
        edit = ModelEdit(asked, statement, row=model.m)
    else:
        bare = statement if j is None else statement.replace(name, quoted(model.col_names[j]), 1)
        edit = stated(problem, bare, "asked")
    return dataclasses.replace(_asked(problem, [edit], solves), statement=statement.strip())


def _asked(problem: Problem, edits: list[ModelEdit], solves: Solves) -> WhatIf:
    changed, model = edits[-1].problem, problem.model
    # Half of the time for the former plan: without it nothing can be compared.
    before = solves.solve(problem, f"solving {model.size}", 0.5)
    share = 0.7 if before.status == Status.OPTIMAL else 0.9  # what is left seeks plan or conflict
    after = solves.solve(changed, "solving it again, changed", share)
    notes = notes_of(problem, solves.solver, before)
    only = only_just(changed.model, after.status, after.x)
    notes += tuple(f"Changed, i{said[1:]}" for said in only if said not in notes)
    found = WhatIf(
        model.name or "the model",
        solves.version,
        model.maximize,
        model.n,
        tuple(edit.said for edit in edits if edit.said),
        before,
        after,
        notes=notes,
    )
    if after.status == Status.INFEASIBLE:
        rows = {(edit.row, edit.side) for edit in edits if edit.row is not None}
        cols = {(edit.col, edit.side) for edit in edits if edit.col is not None}
        conflict = solves.conflict(changed, rows, cols)
        return dataclasses.replace(found, solver=solves.version, conflict=conflict)
    if before.x is None or after.x is None:
        return found
    x, proved = after.x, False
    if before.status == after.status == Status.OPTIMAL:
        x, proved = nearest(changed, after, before.x, solves)
    changes = [
        PlanChange(model.col_names[j], float(before.x[j]), float(x[j]))
        for j in differs(x, before.x)
    ]
    return dataclasses.replace(found, solver=solves.version, changes=tuple(changes), closest=proved)


def nearest(problem: Problem, best: Outcome, x: Floats, solves: Solves) -> tuple[Floats, bool]:
    """The optimal point (n) closest to x (n) by the sum of distances, and whether that is proved.

    Of several objectives or a quadratic one, and where the time is over, it is the point of `best`.
    """
    model, n = problem.model, problem.model.n
    assert best.x is not None and best.objective is not None
    if problem.quadratic is not None or problem.objectives:
        return best.x, not differs(best.x, x)
    held = model.with_objective_held(HELD, best.objective, ROUNDING * max(1.0, abs(best.objective)))
    low, high = model.hull
    # A column that can only leave x on one side needs no distance of its own.
    up, down = low >= x, high <= x
    apart = np.flatnonzero(~(up | down)).astype(np.int32)
    k = len(apart)
    distance = np.arange(n, n + k, dtype=np.int32)
    index = np.column_stack([apart, distance, apart, distance]).ravel()
    sides = np.column_stack([np.full(k, -INF), x[apart], x[apart], np.full(k, INF)])
    columns = (
        np.append(held.col_lower, np.zeros(k)),
        np.append(held.col_upper, np.full(k, INF)),
        np.append(held.types, np.zeros(k, np.uint8)),
    )
    value = np.tile([1.0, -1.0, 1.0, 1.0], k)
    grown = held.grown([2] * (2 * k), index, value, sides, columns=columns)
    costs = np.concatenate([np.where(up, 1.0, np.where(down, -1.0, 0.0)), np.ones(k)])
    grown = dataclasses.replace(grown, objective=costs, offset=0.0, maximize=False)
    start = np.concatenate([best.x, np.abs(best.x - x)[apart]])
    asked = dataclasses.replace(problem, model=grown, start=start)
    found = solve_held(asked, solves, "looking for the closest optimal plan")
    if found.x is None:
        return best.x, False
    return found.x[:n], found.status == Status.OPTIMAL


HELD = "#objective"
"""The row that holds an objective, as sharply as doubles have it (`ROUNDING`)."""


def solve_held(problem: Problem, solves: Solves, what: str, share: float = 1.0) -> Outcome:
    """Solve with an objective held; where that is too sharp for the solver, less sharply."""
    found = solves.solve(problem, what, share)
    if found.status not in (Status.INFEASIBLE, Status.ERROR):
        return found
    model = problem.model
    i = model.rows[HELD]
    low, up = model.sides(i)
    give = rounding(max(low, -up))
    loose = dataclasses.replace(problem, model=model.with_row_bounds(i, low - give, up + give))
    return solves.solve(loose, what, share)
